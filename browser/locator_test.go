package browser

import (
	"encoding/json/v2"
	"errors"
	"strings"
	"testing"

	"github.com/glasskit/glass/contract"
)

func TestParseLocator(t *testing.T) {
	for _, c := range []struct {
		text string
		bare bool
		want string // the chain as JSON
	}{
		{"r7:b42", false, `[{"form":"node"}]`},
		{"ref=r7:b42", false, `[{"form":"node"}]`},
		{"node=b42", false, `[{"form":"node","guard":true}]`},
		{"name=Save", false, `[{"form":"name","value":"Save"}]`},
		{"name=a=b", false, `[{"form":"name","value":"a=b"}]`},
		{"role=button;name=Save", false, `[{"form":"role","role":"button","name":"Save"}]`},
		{"role=button;name=a;b", false, `[{"form":"role","role":"button","name":"a;b"}]`},
		{"css=div > a", false, `[{"form":"css","value":"div > a"}]`},
		{"ordinal=3", false, `[{"form":"ordinal","n":3}]`},
		{"Save", true, `[{"form":"name","value":"Save"}]`},
		{"name=A | text=B", false, `[{"form":"name","value":"A"},{"form":"text","value":"B"}]`},
		{"name=A within css=#x", false, `[{"form":"name","value":"A","within":{"form":"css","value":"#x"}}]`},
		{"name=A within name=B within css=c", false,
			`[{"form":"name","value":"A","within":{"form":"name","value":"B","within":{"form":"css","value":"c"}}}]`},
		{"name=Find within page", false, `[{"form":"name","value":"Find within page"}]`},
		{"name=Find within page within css=form", false, `[{"form":"name","value":"Find within page","within":{"form":"css","value":"form"}}]`},
	} {
		l, err := parseLocator(c.text, c.bare)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got, _ := json.Marshal(l.Chain)
		if string(got) != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestParseLocatorRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":           " ",
		"unknown form":    "id=x",
		"bare over MCP":   "Save",
		"role alone":      "role=button",
		"role, no name":   "role=button;name=",
		"ordinal zero":    "ordinal=0",
		"ordinal word":    "ordinal=first",
		"reference":       "ref=b42",
		"node":            "node=42",
		"node zero":       "node=b0",
		"node huge":       "node=b99999999999999999999",
		"empty segment":   "name=A |  | name=B",
		"no value":        "css=",
		"nine segments":   strings.Repeat("name=A | ", 8) + "name=A",
		"long segment":    "name=" + strings.Repeat("x", contract.ChainSegmentBytes),
		"long altogether": strings.Repeat("name="+strings.Repeat("x", 1000)+" | ", 9),
	} {
		_, err := parseLocator(text, false)
		var f *contract.Failure
		if !errors.As(err, &f) || f.Kind != contract.InvalidArgument || f.Argument != "target" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(text) > 20 && strings.Contains(f.Message, text) {
			t.Errorf("%s: the message repeats the text", name)
		}
	}
}

func FuzzParseLocator(f *testing.F) {
	for _, s := range []string{"r7:b42", "node=b1 | name=x within css=y", "role=a;name=b", "ordinal=3", " within ", " | ", "= within =", "name=a within within b"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, bare bool) {
		l, err := parseLocator(text, bare)
		var fail *contract.Failure
		if err != nil && !errors.As(err, &fail) {
			t.Fatalf("%q: %v is no failure", text, err)
		}
		if err == nil && (len(l.Chain) == 0 || len(l.Chain) > contract.ChainSegments) {
			t.Fatalf("%q: %d segments", text, len(l.Chain))
		}
	})
}

func FuzzParseCondition(f *testing.F) {
	for _, s := range []string{"text=Saved", "lifecycle=load", "network-quiet=500", "target-visible=name=a | name=b", "js=true", "url=", "="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCondition(text, true)
		var fail *contract.Failure
		if err != nil && !errors.As(err, &fail) || err == nil && conditionKinds[c.kind] == "" {
			t.Fatalf("%q: %+v, %v", text, c, err)
		}
	})
}

func FuzzParseShortcut(f *testing.F) {
	for _, s := range []string{"Control+Shift+K", "Control++", "Mod+A", "+", "Enter", "a+b", "Shift+", "Alt+é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, key, err := parseShortcut(text)
		var fail *contract.Failure
		if err != nil && !errors.As(err, &fail) || err == nil && key.key == "" {
			t.Fatalf("%q: %+v, %v", text, key, err)
		}
	})
}

func TestParseKey(t *testing.T) {
	for name, want := range map[string]keyStroke{
		"Enter": {key: "Enter", code: "Enter", legacy: 13, text: "\r"},
		"a":     {key: "a", code: "KeyA", legacy: 65, text: "a"},
		"A":     {key: "A", code: "KeyA", legacy: 65, text: "A"},
		"5":     {key: "5", code: "Digit5", legacy: 53, text: "5"},
		"%":     {key: "%", code: "Digit5", legacy: 53, text: "%"},
		"?":     {key: "?", code: "Slash", legacy: 191, text: "?"},
		"é":     {key: "é", text: "é"},
		"Space": {key: " ", code: "Space", legacy: 32, text: " "},
	} {
		if got, err := parseKey(name); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, bad := range []string{"", "Entr", "ab", "\x01", strings.Repeat("x", 33)} {
		if k, err := parseKey(bad); err == nil {
			t.Errorf("%q is taken for %+v", bad, k)
		}
	}
}
