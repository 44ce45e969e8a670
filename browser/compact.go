package browser

import (
	"reflect"
	"slices"
	"strings"

	"github.com/glasskit/glass/contract"
)

// The compact forms are what an agent over MCP is shown: fields that are false, empty or follow from others are left out,
// and the route too, which the agent named or knows (contract.md §3). A new document is only announced: its outline is
// one observe away, and costs less than a delta that lists it.

type compactOutcome struct {
	Status       contract.Status       `json:"status"`
	ExecutionID  string                `json:"executionId"`
	Revision     contract.Revision     `json:"revision"`
	URL          string                `json:"url,omitzero"`
	Title        string                `json:"title,omitzero"`
	HTTPStatus   int                   `json:"httpStatus,omitzero"`
	ReadyState   string                `json:"readyState,omitzero"`
	Redirects    []string              `json:"redirects,omitzero"`
	Target       *contract.TargetLabel `json:"target,omitzero"`
	Verification *compactVerification  `json:"verification,omitzero"`
	Delta        *compactDelta         `json:"delta,omitzero"`
	Evidence     *contract.Evidence    `json:"evidence,omitzero"`
	Answered     *contract.Dialog      `json:"answered,omitzero"`
	Fields       []FieldResult         `json:"fields,omitzero"`
	Dialog       *contract.Dialog      `json:"dialog,omitzero"`
}

type compactVerification struct {
	TargetChanged     bool   `json:"targetChanged,omitzero"`
	FrameChanged      bool   `json:"frameChanged,omitzero"`
	PopupOpened       string `json:"popupOpened,omitzero"`
	DownloadStarted   bool   `json:"downloadStarted,omitzero"`
	NavigationPending bool   `json:"navigationPending,omitzero"`
}

type compactDelta struct {
	Added       []contract.DeltaEntry `json:"added,omitzero"`
	Removed     []contract.DeltaEntry `json:"removed,omitzero"`
	Changed     []contract.DeltaEntry `json:"changed,omitzero"`
	Omitted     *contract.Omitted     `json:"omitted,omitzero"`
	Text        string                `json:"text,omitzero"`
	NewDocument bool                  `json:"newDocument,omitzero"`
}

func compact(o *contract.Outcome) *compactOutcome {
	c := &compactOutcome{Status: o.Status, ExecutionID: o.ExecutionID, Revision: o.Revision, Evidence: o.Evidence}
	if v := o.Verification; v != nil {
		short := compactVerification{v.TargetChanged, v.FrameChanged, v.PopupOpened, v.DownloadStarted, v.NavigationPending}
		if d := o.Delta; d != nil && (d.Full || len(d.Changed)+len(d.Removed) > 0) {
			short.TargetChanged = false // the delta says it
		}
		if short != (compactVerification{}) {
			c.Verification = &short
		}
		c.Dialog = v.DialogOpen
	}
	if d := o.Delta; d != nil {
		short := compactDelta{d.Added, d.Removed, d.Changed, d.Omitted, d.Text, d.Full}
		if d.Full {
			short = compactDelta{NewDocument: true}
		}
		if d.Full || len(d.Added)+len(d.Removed)+len(d.Changed) > 0 || d.Omitted != nil || d.Text != "" {
			c.Delta = &short
		}
	}
	return c
}

// Compact is the form over MCP.
func (r *ActionResult) Compact() any {
	c := compact(&r.Outcome)
	c.URL, c.Title, c.Dialog = r.URL, r.Title, r.Verification.DialogOpen
	c.dropOwnChange(r)
	if r.Target != nil && (r.named || c.Delta != nil && c.Delta.Text != "") {
		c.Target = &contract.TargetLabel{Reference: r.Target.Reference}
	}
	return c
}

// dropOwnChange leaves out that a field is filled, chosen or checked after it was filled, chosen or checked: the status
// says so already.
func (c *compactOutcome) dropOwnChange(r *ActionResult) {
	if c.Delta == nil || r.Target == nil || !fieldActions[r.Action] {
		return
	}
	c.Delta.Changed = slices.DeleteFunc(slices.Clone(c.Delta.Changed), func(e contract.DeltaEntry) bool { return e.Ref == r.Target.Reference })
	if len(c.Delta.Changed) == 0 {
		c.Delta.Changed = nil
	}
	if reflect.ValueOf(*c.Delta).IsZero() {
		c.Delta = nil
	}
}

var fieldActions = map[string]bool{"type": true, "clear": true, "select": true, "check": true, "uncheck": true}

// Compact is the form over MCP.
func (w *WaitResult) Compact() any {
	return struct {
		Condition string           `json:"condition"`
		ElapsedMs int64            `json:"elapsedMs"`
		Dialog    *contract.Dialog `json:"dialog,omitzero"`
	}{w.Condition, w.ElapsedMs, w.Dialog}
}

// Compact is the form over MCP.
func (r *FillFormResult) Compact() any {
	c := r.ActionResult.Compact().(*compactOutcome)
	c.Fields = r.Fields
	return c
}

// Compact is the form over MCP.
func (p *PageInfo) Compact() any {
	c := compact(&p.Outcome)
	c.URL, c.Title, c.HTTPStatus, c.Redirects, c.Dialog = p.URL, p.Title, p.HTTPStatus, p.Redirects, p.Dialog
	if p.ReadyState != "complete" {
		c.ReadyState = p.ReadyState
	}
	if c.HTTPStatus == 200 {
		c.HTTPStatus = 0
	}
	return c
}

// Compact is the form over MCP.
func (d *DialogResult) Compact() any {
	c := compact(&d.Outcome)
	c.Answered, c.Dialog = &d.Answered, d.Dialog
	return c
}

// named reports whether a locator describes its element instead of giving its number: then the outcome says which
// element it was.
func named(target string) bool {
	_, isRef := contract.ParseRef(target)
	return !isRef && !strings.HasPrefix(target, "node=") && !strings.HasPrefix(target, "ref=")
}
