package browser

import (
	"context"

	"github.com/glasskit/glass/internal/cdp"
)

// adoptClosedRoots asks DevTools for the closed shadow roots of candidates and hands them to the in-page script, which
// walks them like open ones from then on. All candidates are described in one batch (browser.md §2). It reports whether
// any was found.
func (r *route) adoptClosedRoots(ctx context.Context, locals []int) bool {
	type described struct {
		Node struct {
			Shadow []struct {
				Backend int64  `json:"backendNodeId"`
				Type    string `json:"shadowRootType"`
			} `json:"shadowRoots"`
		} `json:"node"`
	}
	world, err := r.page.world(ctx, r.frame)
	if err != nil {
		return false
	}
	session := world.session
	var pending []*cdp.Pending
	for _, local := range locals {
		if b := r.rev.backend(local); b != 0 && len(pending) < ClosedRoots {
			pending = append(pending, session.Go(ctx, "DOM.describeNode", map[string]any{"backendNodeId": b, "depth": 0}))
		}
	}
	var roots []int64
	for _, p := range pending {
		var d described
		if p.Wait(ctx, &d) != nil {
			continue
		}
		for _, s := range d.Node.Shadow {
			if s.Type == "closed" {
				roots = append(roots, s.Backend)
			}
		}
	}
	var calls []*cdp.Pending
	for _, backend := range roots {
		var object struct {
			Object struct {
				ID string `json:"objectId"`
			} `json:"object"`
		}
		params := map[string]any{"backendNodeId": backend, "executionContextId": world.id, "objectGroup": worldName}
		if session.Call(ctx, "DOM.resolveNode", params, &object) != nil {
			continue
		}
		calls = append(calls, session.Go(ctx, "Runtime.callFunctionOn", map[string]any{
			"objectId": object.Object.ID, "functionDeclaration": "function(){glass.adoptRoot(this)}", "objectGroup": worldName,
		}))
	}
	adopted := false
	for _, c := range calls {
		adopted = c.Wait(ctx, nil) == nil || adopted
	}
	return adopted
}
