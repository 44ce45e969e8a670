package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var selectOperation = operation.Spec{
	Name: "select", Toolset: "browser", OpenWorld: true, Destructive: true, Idempotent: true,
	Summary: "Choose options of a select field by value, label or index",
	Example: "glass select label=Country Norway",
}

// SelectInput says which options of which field are to be chosen.
type SelectInput struct {
	Target string `json:"target" doc:"locator of the field" glass:"required,arg=0,quiet"`
	Value  string `json:"value,omitzero" doc:"option value, label or index" glass:"arg=1"`
	ActArgs
	Values []string `json:"values,omitzero" doc:"several, for a field that takes several"`
	By     string   `json:"by,omitzero" doc:"how options are named" glass:"enum=any|value|label|index,hidden"`
}

// chosen is what the in-page script says after choosing.
type chosen struct {
	replyHead
	Chosen []struct {
		Value string `json:"value"`
		Label string `json:"label"`
	} `json:"chosen"`
	Changed bool `json:"changed"`
}

// Select chooses options of a native select field and fires the events that a person's choice would fire.
func (rt *Runtime) Select(ctx context.Context, call *Call, in SelectInput) (*ActionResult, error) {
	values := in.Values
	if values == nil {
		values = []string{in.Value}
	}
	return rt.act(ctx, call, "select", in.ActArgs, func(ctx context.Context, a *action) error {
		p, err := a.prepare(ctx, in.Target, forFocus)
		if err != nil {
			return err
		}
		return a.choose(ctx, p, values, in.By)
	})
}

func (a *action) choose(ctx context.Context, p *prepared, values []string, by string) error {
	if p.Kind != "select" {
		return contract.Fail(contract.VerificationFailed, contract.PhasePreflight, "the element is not a select field").Because("not_a_select").
			Suggest(contract.ToolNone).WithHint("press it with click, then press the option")
	}
	if by == "" {
		by = "any"
	}
	if err := a.focusPrepared(ctx, p, "keep"); err != nil {
		return err
	}
	var got chosen
	if err := a.call(ctx, "selectOptions", map[string]any{"id": p.ID, "values": values, "by": by}, &got); err != nil {
		return err
	}
	a.evidence = &contract.Evidence{AlreadySo: !got.Changed}
	for _, option := range got.Chosen {
		a.evidence.Chosen = append(a.evidence.Chosen, contract.Cut(cleanLine(option.Label), FormLabelBytes))
	}
	return nil
}
