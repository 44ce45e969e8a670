package browser

import (
	"context"
	"math"

	"github.com/glasskit/glass/contract"
)

// frameHost is the element that holds a frame, by its in-page id in the parent's document of that loader.
type frameHost struct {
	id     int
	loader string
}

// outside is where a point of a frame lies in the outermost frame that its own script can reach, and whether there are
// further frames about that one, which belong to other origins.
type outside struct {
	Offset  contract.Point `json:"frameOffset"`
	Climbed int            `json:"climbed"`
	Border  bool           `json:"border"`
}

// movedPoint is by how much a point may have moved between the check and the press, in CSS px.
const movedPoint = 1

// drawnAt is where a point of the route's frame is drawn in the page's own viewport. Every frame on the way must show it,
// uncovered; with scroll they are scrolled to it where they do not.
func (r *route) drawnAt(ctx context.Context, point contract.Point, o outside, scroll bool) (contract.Point, error) {
	at := contract.Point{X: point.X + o.Offset.X, Y: point.Y + o.Offset.Y}
	frameID, climbed, border := r.frame, o.Climbed, o.Border
	for border {
		frameID = r.page.ancestor(frameID, climbed)
		parent := r.page.ancestor(frameID, 1)
		host, err := r.page.hostOf(ctx, frameID, parent)
		if err != nil {
			return at, err
		}
		var carried struct {
			replyHead
			contract.Point
			Climbed int  `json:"climbed"`
			Border  bool `json:"border"`
		}
		args := map[string]any{"host": host, "point": at, "scroll": scroll}
		if err := r.page.runPatiently(ctx, parent, "carry", args, &carried, patience(ctx)); err != nil {
			return at, err
		}
		if carried.Fail != nil {
			return at, r.refused(carried.Fail, contract.PhasePreflight)
		}
		at, frameID, climbed, border = carried.Point, parent, carried.Climbed, carried.Border
	}
	return at, nil
}

// ancestor is the frame that lies some levels above another one; the page itself at the latest.
func (p *page) ancestor(frameID string, levels int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; levels > 0; levels-- {
		f := p.frames[frameID]
		if f == nil || f.parent == "" {
			break
		}
		frameID = f.parent
	}
	return frameID
}

// hostOf is the in-page id, in the parent's document, of the element that holds a frame. It is asked once per document.
func (p *page) hostOf(ctx context.Context, frameID, parent string) (int, error) {
	f, known := p.frameNow(frameID)
	above, knownAbove := p.frameNow(parent)
	if !known || !knownAbove || frameID == parent {
		return 0, frameGone()
	}
	if f.host.id != 0 && f.host.loader == above.loader {
		return f.host.id, nil
	}
	if err := p.run(ctx, parent, "state", map[string]any{}, nil); err != nil { // the script must be there
		return 0, err
	}
	id, err := p.askHost(ctx, frameID, parent)
	if err != nil {
		return 0, p.runError(ctx, parent, err)
	}
	if id == 0 {
		return 0, frameGone()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames[frameID]; f != nil {
		f.host = frameHost{id, above.loader}
	}
	return id, nil
}

func (p *page) askHost(ctx context.Context, frameID, parent string) (int, error) {
	w, err := p.world(ctx, parent)
	if err != nil {
		return 0, err
	}
	var owner struct {
		Backend int64 `json:"backendNodeId"`
	}
	if err := w.session.Call(ctx, "DOM.getFrameOwner", map[string]any{"frameId": frameID}, &owner); err != nil {
		return 0, err
	}
	var resolved struct {
		Object struct {
			ID string `json:"objectId"`
		} `json:"object"`
	}
	params := map[string]any{"backendNodeId": owner.Backend, "executionContextId": w.id, "objectGroup": worldName}
	if err := w.session.Call(ctx, "DOM.resolveNode", params, &resolved); err != nil {
		return 0, err
	}
	var named struct {
		Result struct {
			Value int `json:"value"`
		} `json:"result"`
	}
	call := map[string]any{
		"objectId": resolved.Object.ID, "functionDeclaration": "function(){return glass.idOf(this)}", "returnByValue": true, "objectGroup": worldName,
	}
	err = w.session.Call(ctx, "Runtime.callFunctionOn", call, &named)
	return named.Result.Value, err
}

func near(a, b contract.Point) bool {
	return math.Abs(a.X-b.X) <= movedPoint && math.Abs(a.Y-b.Y) <= movedPoint
}
