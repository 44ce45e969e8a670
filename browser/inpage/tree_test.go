package inpage

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// chromeWords are Chrome's own words for what ARIA has no role for, and how roles.js says them.
var chromeWords = map[string]string{
	"Date": "date", "DateTime": "datetime", "InputTime": "timefield", "ColorWell": "color", "Iframe": "iframe",
	"Canvas": "canvas", "Audio": "audio", "Video": "video", "LabelText": "label", "Legend": "legend",
	"Abbr": "abbr", "Ruby": "ruby", "DescriptionList": "list", "Figcaption": "figcaption", "PluginObject": "object",
	"EmbeddedObject": "embed", "MathMLMath": "math", "MathMLIdentifier": "generic", "SvgRoot": "graphics-document",
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button",
	"IframePresentational": "none", "LayoutTable": "generic", "LayoutTableRow": "generic", "LayoutTableCell": "generic",
}

const typedText = "what is typed into a field is no part of another name"

// intended are the differences from Chrome's tree that are meant: page, element and what differs, with the reason.
var intended = map[string]string{
	"editable.html input#cb name":    typedText,
	"labelledby.html button#b9 name": typedText,
	"labelledby.html input#i1 name":  typedText,
	"labels.html input#g name":       typedText,
	"nested.html a#a17 name":         typedText,
	"editable.html div#d1 role":      editableReason, "editable.html div#d2 role": editableReason,
	"editable.html div#d8 role": editableReason, "editable.html div#d9 role": editableReason,
	"contexts.html div#x1 name":  "a control by its handler only is named by its content; Chrome does so while it has the focus",
	"images.html button#cb name": "content of a canvas is not shown, so it has no name and is no target",
	"labels.html input#w name":   "a password inside a label adds nothing to a name, not even its length",
}

const editableReason = "Chrome calls the root of rich text generic; one types into it, so it is a textbox"

// chromeNode is what Chrome's accessibility tree says about one element.
type chromeNode struct {
	Role, Name string
	Props      map[string]string
}

// ownNode is what the scripts say about it.
type ownNode struct {
	Label, Role, Name, Clean string
	States                   []string
	Control, Rendered, Area  bool
}

// TestTreeEqualsChromes compares role, name and states with Chrome's own accessibility tree, for every control, heading,
// landmark, list, table part and image of the corpus.
func TestTreeEqualsChromes(t *testing.T) {
	c := startChromium(t)
	pages, err := filepath.Glob("testdata/ax/*.html")
	check(t, err)
	if len(pages) < 25 {
		t.Fatalf("%d pages, want at least 25", len(pages))
	}
	compared := 0
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			html, err := os.ReadFile(page)
			check(t, err)
			c.open(t, string(html))
			n := 0
			for backend, want := range c.chromeTree(t) {
				got, ok := c.ownNode(t, backend, want.Name)
				if !ok {
					continue
				}
				n++
				for _, diff := range differences(got, want) {
					if _, meant := intended[filepath.Base(page)+" "+got.Label+" "+strings.Fields(diff)[0]]; !meant {
						t.Errorf("%s: %s", got.Label, diff)
					}
				}
			}
			if n == 0 {
				t.Error("nothing compared")
			}
			compared += n
		})
	}
	t.Logf("%d elements compared", compared)
}

func (c *chromium) chromeTree(t *testing.T) map[int]chromeNode {
	t.Helper()
	type value struct{ Value json.RawMessage }
	var tree struct {
		Nodes []struct {
			Ignored          bool
			BackendDOMNodeID int `json:"backendDOMNodeId"`
			Role, Name       value
			Properties       []struct {
				Name  string
				Value value
			}
		}
	}
	c.call(t, "DOM.getDocument", map[string]any{"depth": 0}, nil)
	c.call(t, "Accessibility.getFullAXTree", nil, &tree)
	out := map[int]chromeNode{}
	for _, n := range tree.Nodes {
		role := text(n.Role.Value)
		if n.Ignored || n.BackendDOMNodeID == 0 || role == "StaticText" || role == "InlineTextBox" || role == "LineBreak" {
			continue
		}
		node := chromeNode{Role: role, Name: text(n.Name.Value), Props: map[string]string{}}
		if word, ok := chromeWords[role]; ok {
			node.Role = word
		}
		for _, p := range n.Properties {
			node.Props[p.Name] = text(p.Value.Value)
		}
		out[n.BackendDOMNodeID] = node
	}
	return out
}

// text is a JSON value as plain text.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

const tellOwn = `function(chromeName) {
  if (this.nodeType !== 1) return null;
  let root = this.getRootNode();
  if (root instanceof ShadowRoot && !root.host.shadowRoot) return null;
  const g = globalThis.glass;
  if (!g) return null;
  const role = g.roleOf(this);
  if (['generic', 'none'].includes(role) && !g.isControl(this)) {
    return {label: label(this), role, name: '', clean: '', states: [], control: false, rendered: true, skip: true};
  }
  function label(el) { return el.localName + (el.id ? '#' + el.id : ''); }
  return {label: label(this), role, name: g.nameOf(this, 4096).name, clean: g.cleanLabel(g.collapse(chromeName)),
    states: g.statesOf(this), control: g.isControl(this), rendered: g.isRendered(this),
    area: this.getBoundingClientRect().width * this.getBoundingClientRect().height > 0};
}`

// ownNode asks the scripts about a node of Chrome's tree; false for what is not an element of the page.
func (c *chromium) ownNode(t *testing.T, backend int, chromeName string) (ownNode, bool) {
	t.Helper()
	var resolved struct{ Object struct{ ObjectID string } }
	c.call(t, "DOM.resolveNode", map[string]any{"backendNodeId": backend, "executionContextId": c.world}, &resolved)
	var r struct {
		Result           struct{ Value *ownNode }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	c.call(t, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": tellOwn, "objectId": resolved.Object.ObjectID, "returnByValue": true,
		"arguments": []any{map[string]any{"value": chromeName}},
	}, &r)
	if r.ExceptionDetails != nil {
		t.Fatalf("%s", r.ExceptionDetails.Exception.Description)
	}
	if r.Result.Value == nil {
		return ownNode{}, false
	}
	return *r.Result.Value, true
}

// stateProps are the states that Chrome's tree tells, with the value that stands for each.
var stateProps = []struct{ state, prop, value string }{
	{"disabled", "disabled", "true"}, {"checked", "checked", "true"}, {"selected", "selected", "true"},
	{"expanded", "expanded", "true"}, {"collapsed", "expanded", "false"}, {"pressed", "pressed", "true"},
	{"required", "required", "true"}, {"readonly", "readonly", "true"}, {"focused", "focused", "true"},
}

// Chrome's DevTools tree tells required and readonly for some roles only.
var (
	tellsRequired = []string{"combobox", "gridcell", "listbox", "radiogroup", "spinbutton", "textbox", "tree"}
	tellsReadonly = []string{"grid", "gridcell", "textbox", "columnheader", "rowheader", "treegrid"}
)

func differences(got ownNode, want chromeNode) []string {
	var out []string
	if got.Role != want.Role {
		out = append(out, fmt.Sprintf("role %q, Chrome says %q", got.Role, want.Role))
	}
	if got.Name == "" && got.Clean == "" && !got.Control && got.Role == "generic" {
		return out
	}
	if got.Name != got.Clean {
		out = append(out, fmt.Sprintf("name %q, Chrome says %q", got.Name, got.Clean))
	}
	for _, s := range stateProps {
		if s.state == "required" && (!slices.Contains(tellsRequired, want.Role) || want.Props["required"] == "") ||
			s.state == "readonly" && !slices.Contains(tellsReadonly, want.Role) {
			continue
		}
		has, should := slices.Contains(got.States, s.state), want.Props[s.prop] == s.value
		if has != should {
			out = append(out, fmt.Sprintf("%s %t, Chrome says %q", s.state, has, want.Props[s.prop]))
		}
	}
	mixed := want.Props["checked"] == "mixed" || want.Props["pressed"] == "mixed"
	if has := slices.Contains(got.States, "mixed"); has != mixed {
		out = append(out, fmt.Sprintf("mixed %t, Chrome says %t", has, mixed))
	}
	invalid := want.Props["invalid"]
	if has := slices.Contains(got.States, "invalid"); has != (invalid != "" && invalid != "false") {
		out = append(out, fmt.Sprintf("invalid %t, Chrome says %q", has, invalid))
	}
	if got.Control && got.Area && !got.Rendered {
		out = append(out, "rendered false, but Chrome's tree has it")
	}
	return out
}
