package browser

import (
	"fmt"
	"strings"

	"github.com/glasskit/glass/contract"
)

// Human is the form for a person at a terminal: what was done and what changed by it.
func (r *ActionResult) Human() string {
	var b strings.Builder
	b.WriteString(headline(&r.Outcome))
	if r.Target != nil {
		fmt.Fprintf(&b, ": %s (%s)", r.Target.Label, r.Target.Reference)
	}
	if r.URL != "" {
		fmt.Fprintf(&b, "\nnow at %s", r.URL)
	}
	writeChanges(&b, &r.Outcome)
	return b.String()
}

// Human is the form for a person at a terminal: where the navigation ended.
func (p *PageInfo) Human() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", p.Title, p.URL)
	if p.HTTPStatus != 0 {
		fmt.Fprintf(&b, "  (%d)", p.HTTPStatus)
	}
	for _, from := range p.Redirects {
		fmt.Fprintf(&b, "\nredirected from %s", from)
	}
	writeChanges(&b, &p.Outcome)
	return b.String()
}

func headline(o *contract.Outcome) string {
	if o.Status != contract.Succeeded {
		return o.Action + " done, but the page shows something else"
	}
	return o.Action + " done"
}

func writeChanges(b *strings.Builder, o *contract.Outcome) {
	if e := o.Evidence; e != nil && e.Reason != "" {
		fmt.Fprintf(b, "\nreason: %s", e.Reason)
	}
	if v := o.Verification; v != nil {
		if v.DialogOpen != nil {
			fmt.Fprintf(b, "\n%s open: %s", v.DialogOpen.Type, v.DialogOpen.Message)
		}
		if v.PopupOpened != "" {
			fmt.Fprintf(b, "\nnew page: %s", v.PopupOpened)
		}
		if v.NavigationPending {
			b.WriteString("\nstill on the way to another document")
		}
	}
	d := o.Delta
	if d == nil {
		return
	}
	for _, part := range []struct {
		sign string
		list []contract.DeltaEntry
	}{{"+", d.Added}, {"~", d.Changed}, {"-", d.Removed}} {
		for _, e := range part.list {
			fmt.Fprintf(b, "\n%s %-8s %s", part.sign, e.Ref, controlLine(e.Role, e.Name, e.States, e.Value))
		}
	}
	if d.Text != "" {
		b.WriteString("\n" + d.Text)
	}
}
