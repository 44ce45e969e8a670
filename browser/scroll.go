package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var scrollOperation = operation.Spec{
	Name: "scroll", Toolset: "browser", ReadOnly: true, OpenWorld: true,
	Summary: "Scroll the page or an element; with a target alone, bring it into view",
	Example: "glass scroll --to bottom\nglass scroll --target 'name=Terms'\nglass scroll --dy 400",
}

// ScrollInput says what to scroll and how far, in CSS pixels.
type ScrollInput struct {
	Target string `json:"target,omitzero" doc:"element to scroll, or to bring into view" glass:"arg=0"`
	ActArgs
	DX float64 `json:"dx,omitzero" doc:"pixels to the right" glass:"min=-1000000,max=1000000"`
	DY float64 `json:"dy,omitzero" doc:"pixels down" glass:"min=-1000000,max=1000000"`
	To string  `json:"to,omitzero" doc:"an end" glass:"enum=top|bottom|left|right"`
	By string  `json:"by,omitzero" doc:"one page: page is down, -page is up" glass:"enum=page|-page|page-left|page-right"`
}

// Scroll moves the page, or the nearest scrollable part around the target. The evidence says how far it really moved.
func (rt *Runtime) Scroll(ctx context.Context, call *Call, in ScrollInput) (*ActionResult, error) {
	return rt.act(ctx, call, "scroll", in.ActArgs, func(ctx context.Context, a *action) error {
		args := map[string]any{"dx": in.DX, "dy": in.DY, "to": in.To, "by": in.By, "page": in.Target == ""}
		if in.Target != "" {
			p, err := a.prepare(ctx, in.Target, forNothing)
			if err != nil {
				return err
			}
			args["id"] = p.ID
			args["intoView"] = in.DX == 0 && in.DY == 0 && in.To == "" && in.By == ""
		} else if in.DX == 0 && in.DY == 0 && in.To == "" && in.By == "" {
			return contract.Invalid("to", "say where to scroll: dx, dy, to, by, or a target to bring into view")
		}
		if err := a.call(ctx, "arm", map[string]any{}, nil); err != nil {
			return err
		}
		a.dispatching()
		var moved struct {
			replyHead
			DX float64 `json:"dx"`
			DY float64 `json:"dy"`
			X  float64 `json:"x"`
			Y  float64 `json:"y"`
		}
		if err := a.call(ctx, "scroll", args, &moved); err != nil {
			return err
		}
		a.evidence = &contract.Evidence{ScrolledBy: &contract.Point{X: moved.DX, Y: moved.DY}, Position: &contract.Point{X: moved.X, Y: moved.Y}}
		return nil
	})
}
