package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var preflightOperation = operation.Spec{
	Name: "preflight", Toolset: "browser-extra", ReadOnly: true, Idempotent: true, OpenWorld: true,
	Summary: "Check whether an element could be pressed now, without touching anything",
	Example: "glass preflight 'role=button;name=Save'",
}

// PreflightInput names the element to check.
type PreflightInput struct {
	Target string `json:"target" doc:"locator of the element" glass:"required,arg=0,quiet"`
	RouteArgs
}

// PreflightResult says that the element could be pressed now, and where.
type PreflightResult struct {
	Ready     bool              `json:"ready"`
	Reference string            `json:"reference"`
	Role      string            `json:"role"`
	Name      string            `json:"name,omitzero"`
	States    []string          `json:"states,omitzero"`
	Point     contract.Point    `json:"point"`
	Revision  contract.Revision `json:"revision"`
	TargetID  string            `json:"targetId"`
	FrameID   string            `json:"frameId"`
}

// Preflight resolves and hit-tests a target without scrolling, focusing or pressing anything; the revision stays. What
// would keep a press from happening is the failure.
func (rt *Runtime) Preflight(ctx context.Context, call *Call, in PreflightInput) (*PreflightResult, error) {
	var result *PreflightResult
	err := rt.read(ctx, call, in.RouteArgs, func(ctx context.Context, r *route) error {
		l, err := r.locate(in.Target)
		if err != nil {
			return err
		}
		var p prepared
		if err := r.call(ctx, "preflight", map[string]any{"target": l, "need": "pointer"}, l.revisioned(), &p); err != nil {
			return err
		}
		at, err := r.drawnAt(ctx, p.Point, p.outside, false)
		if err != nil {
			return err
		}
		result = &PreflightResult{
			Ready: true, Reference: r.rev.ref(p.ID), Role: cleanLine(p.Role), Name: cleanLine(p.Name), States: p.States, Point: at,
			Revision: r.rev.now(), TargetID: r.page.id, FrameID: r.frame,
		}
		return nil
	})
	return result, err
}
