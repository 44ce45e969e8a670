package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var fillFormOperation = operation.Spec{
	Name: "fillForm", Toolset: "browser", OpenWorld: true, Destructive: true,
	Summary: "Fill several fields in one call: text, selects, checkboxes (true/false), dates, ranges, colours",
	Detail:  "All targets are resolved before the first field is touched. Each field answers for itself.",
	Example: "glass fill-form --fields 'label=Name=Ada' --fields 'label=Subscribe=true'\nglass fill-form --fields '[{\"target\":\"label=Name\",\"value\":\"Ada\"}]'",
}

// FillFormInput is up to 32 fields and what they are to hold.
type FillFormInput struct {
	Fields []FieldInput `json:"fields" doc:"the fields" glass:"required,arg=0,min=1,max=32,pairs=target:value"`
	ActArgs
}

// FieldInput is one field of a form.
type FieldInput struct {
	Target string `json:"target" doc:"locator of the field" glass:"required"`
	Value  string `json:"value" doc:"what it is to hold" glass:"required"`
}

// FillFormResult is the outcome with one result per field, in the order of the input.
type FillFormResult struct {
	ActionResult
	Fields []FieldResult `json:"fields"`
}

// FieldResult says what became of one field.
type FieldResult struct {
	Reference string             `json:"reference,omitzero"`
	Label     string             `json:"label,omitzero"`
	Status    string             `json:"status"` // filled, kept_other, failed or untouched
	Evidence  *contract.Evidence `json:"evidence,omitzero"`
	Failure   *contract.Failure  `json:"failure,omitzero"`
}

// FillForm fills fields one after the other. Nothing is touched unless all targets resolve to fields that can be filled.
func (rt *Runtime) FillForm(ctx context.Context, call *Call, in FillFormInput) (*FillFormResult, error) {
	if n := len(in.Fields); n < 1 || n > FillFields {
		return nil, contract.Invalid("fields", "a call fills 1 to %d fields, not %d", FillFields, n)
	}
	for _, f := range in.Fields {
		if len(f.Value) > TypeBytes {
			return nil, contract.Invalid("fields", "a value has %d bytes; the limit is %d", len(f.Value), TypeBytes)
		}
	}
	var results []FieldResult
	outcome, err := rt.act(ctx, call, "fillForm", in.ActArgs, func(ctx context.Context, a *action) (err error) {
		results, err = a.fillAll(ctx, in.Fields)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &FillFormResult{*outcome, results}, nil
}

func (a *action) fillAll(ctx context.Context, fields []FieldInput) ([]FieldResult, error) {
	targets := make([]*prepared, len(fields))
	results := make([]FieldResult, len(fields))
	for i, f := range fields {
		p, err := a.prepare(ctx, f.Target, forFocus)
		if err == nil && !fillable[p.Kind] {
			err = contract.Fail(contract.VerificationFailed, contract.PhasePreflight, "the element is no field that can be filled").Because("not_editable")
		}
		if err == nil && typed[p.Kind] && !p.Editable {
			err = contract.Fail(contract.Disabled, contract.PhaseResolution, "the field is read-only").Because("readonly")
		}
		if err != nil {
			var failure *contract.Failure
			if errors.As(err, &failure) {
				failure.Argument = "fields[" + itoa(i) + "].target"
			}
			return nil, err
		}
		targets[i] = p
		results[i] = FieldResult{Reference: a.target.Reference, Label: a.target.Label, Status: "untouched"}
	}
	a.target, a.local = nil, 0
	if err := a.call(ctx, "arm", map[string]any{}, nil); err != nil {
		return nil, err
	}
	a.armed = true
	failed := false
	for i, f := range fields {
		a.evidence, a.mismatch = nil, false
		err := a.fillOne(ctx, targets[i], f.Value)
		results[i].Evidence = a.evidence
		var failure *contract.Failure
		switch {
		case errors.As(err, &failure):
			failed = true
			results[i].Status, results[i].Failure = "failed", failure
			continue
		case err != nil:
			return nil, err
		case a.mismatch:
			failed = true
			results[i].Status = "kept_other"
		default:
			results[i].Status = "filled"
		}
	}
	a.evidence, a.mismatch = nil, failed
	return results, nil
}

var fillable = map[string]bool{
	"text": true, "textarea": true, "contenteditable": true, "select": true, "checkbox": true, "radio": true, "picker": true,
}

// typed are the kinds of fields that can be read-only.
var typed = map[string]bool{"text": true, "textarea": true, "contenteditable": true, "picker": true}

// fillOne sets one field, in the way that suits its kind. The target is checked again by its in-page id: an earlier
// field may have changed it.
func (a *action) fillOne(ctx context.Context, p *prepared, value string) error {
	switch p.Kind {
	case "select":
		return a.choose(ctx, p, []string{value}, "any")
	case "checkbox", "radio":
		on, err := parseOn(value)
		if err != nil {
			return err
		}
		again, err := a.prepareKnown(ctx, p, forPointer)
		if err != nil {
			return err
		}
		return a.setCheckedPrepared(ctx, again, on)
	case "picker":
		if err := a.focusPrepared(ctx, p, "keep"); err != nil {
			return err
		}
		return a.call(ctx, "setValue", map[string]any{"id": p.ID, "value": value}, nil)
	}
	again, err := a.prepareKnown(ctx, p, forText)
	if err != nil {
		return err
	}
	a.dispatching()
	field := fieldState{ID: again.ID}
	if err := a.call(ctx, "armFocus", map[string]any{"id": p.ID, "caret": "all", "keep": a.armed}, &field); err != nil {
		return err
	}
	field.ID = p.ID
	if err := a.enterText(ctx, value, true, ""); err != nil {
		return err
	}
	return a.readBack(ctx, &field, value, true)
}

// prepareKnown checks a resolved element again, by its in-page id.
func (a *action) prepareKnown(ctx context.Context, p *prepared, n need) (*prepared, error) {
	var again prepared
	l := locator{Chain: []segment{{Form: "node", ID: p.ID, Known: true}}}
	err := a.call(ctx, "prepare", map[string]any{"target": l, "need": n.use, "scroll": n.scroll, "edit": n.edit}, &again)
	if err != nil {
		return nil, err
	}
	return &again, a.place(ctx, &again, n)
}

func parseOn(value string) (bool, error) {
	switch strings.ToLower(value) {
	case "true", "on", "yes", "1", "checked":
		return true, nil
	case "false", "off", "no", "0", "unchecked", "":
		return false, nil
	}
	return false, contract.Invalid("value", "a checkbox takes true or false")
}
