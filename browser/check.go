package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var checkOperation = operation.Spec{
	Name: "check", Toolset: "browser", OpenWorld: true, Idempotent: true,
	Summary: "Turn on a checkbox, radio button or switch",
	Example: "glass check 'label=I agree'",
}

var uncheckOperation = operation.Spec{
	Name: "uncheck", Toolset: "browser", OpenWorld: true, Idempotent: true,
	Summary: "Turn off a checkbox or switch",
	Example: "glass uncheck label=Newsletter",
}

// CheckInput names the checkbox, radio button or switch.
type CheckInput struct {
	Target string `json:"target" doc:"locator of the element" glass:"required,arg=0,quiet"`
	ActArgs
}

// Check turns a checkbox, radio button or switch on, by a press, and verifies it. It is idempotent.
func (rt *Runtime) Check(ctx context.Context, call *Call, in CheckInput) (*ActionResult, error) {
	return rt.setChecked(ctx, call, "check", in, true)
}

// Uncheck turns a checkbox or switch off. A radio button cannot be turned off: another one of its group is turned on.
func (rt *Runtime) Uncheck(ctx context.Context, call *Call, in CheckInput) (*ActionResult, error) {
	return rt.setChecked(ctx, call, "uncheck", in, false)
}

func (rt *Runtime) setChecked(ctx context.Context, call *Call, name string, in CheckInput, on bool) (*ActionResult, error) {
	return rt.act(ctx, call, name, in.ActArgs, func(ctx context.Context, a *action) error {
		p, err := a.prepare(ctx, in.Target, forPointer)
		if err != nil {
			return err
		}
		return a.setCheckedPrepared(ctx, p, on)
	})
}

func (a *action) setCheckedPrepared(ctx context.Context, p *prepared, on bool) error {
	state, known := p.Checked.(bool)
	mixed := p.Checked == "mixed"
	switch {
	case !known && !mixed:
		return contract.Fail(contract.VerificationFailed, contract.PhasePreflight, "the element has no checked state").Because("not_checkable").
			Suggest(contract.ToolNone)
	case known && state == on:
		a.evidence = &contract.Evidence{Checked: &on, AlreadySo: true}
		return nil
	case !on && p.Role == "radio":
		return contract.Fail(contract.VerificationFailed, contract.PhasePreflight, "a radio button cannot be turned off; turn on another one of its group").
			Because("radio").Suggest(contract.ToolNone)
	}
	for range 2 { // a mixed box may need a second press
		if err := a.use(ctx, p, press{button: "left", count: 1}); err != nil {
			return err
		}
		var now struct {
			replyHead
			Checked any `json:"checked"`
		}
		if err := a.call(ctx, "checkedState", map[string]any{"id": p.ID}, &now); err != nil {
			return err
		}
		got, isBool := now.Checked.(bool)
		if isBool && got == on {
			a.evidence = &contract.Evidence{Checked: &on}
			return nil
		}
		if !mixed || !isBool {
			a.mismatch = true
			a.evidence = &contract.Evidence{Reason: "state_did_not_change"}
			if isBool {
				a.evidence.Checked = &got
			}
			return nil
		}
	}
	a.mismatch = true
	return nil
}
