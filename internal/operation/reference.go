package operation

import (
	"bytes"
	"fmt"
	"strings"
)

// ReferencePages are markdown pages that describe every operation, one page for each toolset, and an index.
func (t *Table) ReferencePages() map[string][]byte {
	pages := map[string][]byte{}
	var index bytes.Buffer
	index.WriteString("# Operations\n\nGenerated from the operation table; do not edit.\n")
	for _, toolset := range t.toolsets() {
		name := string(toolset) + ".md"
		fmt.Fprintf(&index, "\n## [%s](%s)\n\n| MCP | CLI | for |\n|---|---|---|\n", toolset, name)
		var page bytes.Buffer
		fmt.Fprintf(&page, "# Toolset %s\n\nGenerated from the operation table; do not edit.\n", toolset)
		for _, op := range t.config.Operations {
			if op.Toolset == toolset {
				link := fmt.Sprintf("[%s](%s#%s)", op.Name, name, strings.ToLower(op.Name))
				fmt.Fprintf(&index, "| %s | glass %s | %s |\n", link, op.Command, tableText(op.Summary))
				op.writeReference(&page)
			}
		}
		pages[name] = page.Bytes()
	}
	pages["index.md"] = index.Bytes()
	return pages
}

func (t *Table) toolsets() []Toolset {
	var list []Toolset
	seen := map[Toolset]bool{}
	for _, op := range t.config.Operations {
		if !seen[op.Toolset] {
			seen[op.Toolset] = true
			list = append(list, op.Toolset)
		}
	}
	return list
}

func (o *Operation) writeReference(w *bytes.Buffer) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n", o.Name, o.Summary)
	if o.Detail != "" {
		fmt.Fprintf(w, "\n%s\n", o.Detail)
	}
	fmt.Fprintf(w, "\nCLI: `glass %s`", strings.Join(o.Names(), "`, `glass "))
	if o.Capability != "" {
		fmt.Fprintf(w, " · capability: %s", o.Capability)
	}
	if facts := o.facts(); facts != "" {
		fmt.Fprintf(w, " · %s", facts)
	}
	w.WriteString("\n")
	if o.Example != "" {
		fmt.Fprintf(w, "\n```\n%s\n```\n", strings.TrimSpace(o.Example))
	}
	if len(o.Fields()) == 0 {
		return
	}
	w.WriteString("\n| argument | type | CLI | |\n|---|---|---|---|\n")
	for _, f := range o.Fields() {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", f.Name, f.typeText(), f.cliText(), tableText(f.docText()))
	}
}

func (o *Operation) facts() string {
	var facts []string
	for _, f := range []struct {
		holds bool
		word  string
	}{
		{o.ReadOnly, "read-only"}, {o.Destructive, "destructive"}, {o.Idempotent, "idempotent"}, {o.OpenWorld, "open world"},
	} {
		if f.holds {
			facts = append(facts, f.word)
		}
	}
	return strings.Join(facts, ", ")
}

func (f *Field) typeText() string {
	switch {
	case len(f.Enum) > 0 && f.Kind == Strings:
		return "list of " + strings.Join(f.Enum, ", ")
	case len(f.Enum) > 0:
		return strings.Join(f.Enum, ", ")
	case f.Kind == Strings:
		return "list of strings"
	case f.Kind == Object:
		return "{" + fieldNames(f.Fields) + "}"
	case f.Kind == Objects:
		return "list of {" + fieldNames(f.Fields) + "}"
	case f.Kind == Map:
		return "object of strings"
	case f.Kind == Raw:
		return "any JSON"
	}
	return string(f.Kind)
}

func fieldNames(fields []*Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func (f *Field) cliText() string {
	if f.Arg >= 0 {
		return fmt.Sprintf("position %d", f.Arg+1)
	}
	return "`--" + f.Flag + "`"
}

func (f *Field) docText() string {
	text := f.Doc
	var more []string
	if f.Required {
		more = append(more, "required")
	}
	if f.Min != nil {
		more = append(more, fmt.Sprintf("at least %v", *f.Min))
	}
	if f.Max != nil {
		more = append(more, fmt.Sprintf("at most %v", *f.Max))
	}
	if f.Default != "" && !strings.Contains(f.Doc, "default") {
		more = append(more, "default "+f.Default)
	}
	if f.Hidden {
		more = append(more, "not in the MCP catalogue")
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

func tableText(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
