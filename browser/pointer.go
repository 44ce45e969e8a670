package browser

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
)

// press is one way of using the pointer on a prepared target.
type press struct {
	button    string // "left", "right", "middle"
	count     int    // 1 click, 2 double click …
	modifiers int    // bits of Input.dispatchMouseEvent
	hoverOnly bool
}

const (
	humanSteps   = 14
	humanStepMin = 6 * time.Millisecond
	humanStepMax = 16 * time.Millisecond
	humanDwell   = 60 * time.Millisecond
)

type mouseEvent struct {
	Type      string  `json:"type"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	Button    string  `json:"button,omitzero"`
	Buttons   int     `json:"buttons,omitzero"`
	Clicks    int     `json:"clickCount,omitzero"`
	Modifiers int     `json:"modifiers,omitzero"`
	DeltaX    float64 `json:"deltaX"`
	DeltaY    float64 `json:"deltaY"`
}

var buttonBits = map[string]int{"left": 1, "right": 2, "middle": 4}

// use moves the pointer to the target, checks it again directly before the press, and presses. The release is sent with
// the press, so that it happens even when the call is cancelled.
func (a *action) use(ctx context.Context, p *prepared, how press) error {
	if err := a.hover(ctx, p, how.modifiers); err != nil {
		return err
	}
	if how.hoverOnly {
		return nil
	}
	if err := a.call(ctx, "armPress", map[string]any{"id": p.ID, "point": p.Point, "keep": a.armed}, nil); err != nil {
		return err
	}
	return a.clickAt(ctx, p.at, how)
}

// hover moves the pointer to the target. Where frames of other origins lie between it and the page, it makes sure that the
// pointer has come there: that no script can tell in advance.
func (a *action) hover(ctx context.Context, p *prepared, modifiers int) error {
	if err := a.moveTo(ctx, p.at, modifiers); err != nil || !p.Border {
		return err
	}
	for range hoverTries {
		var came struct {
			replyHead
			Over bool `json:"over"`
		}
		if err := a.call(ctx, "hovered", map[string]any{"id": p.ID, "point": p.Point}, &came); err != nil {
			return err
		}
		now, err := a.drawnAt(ctx, p.Point, p.outside, false)
		switch {
		case err != nil:
			return err
		case !near(now, p.at):
			return contract.Fail(contract.GeometryChanged, contract.PhasePreflight, "the frame of the element moved between the check and the press").Because("frame")
		case came.Over:
			return nil
		}
		if err := a.nudge(ctx, p.at, modifiers); err != nil {
			return err
		}
	}
	return contract.Fail(contract.HitTestBlocked, contract.PhasePreflight, "the pointer does not come to the element: the page gives it to something else at that place").
		Because("frame").Safe()
}

// hoverTries is how often the pointer is moved to a place in a frame, with a tenth of a second for it to come.
const hoverTries = 20

// nudge moves the pointer by a little, so that the browser looks again at what lies there.
func (a *action) nudge(ctx context.Context, at contract.Point, modifiers int) error {
	runCtx, stop, err := a.page.startRun(ctx)
	if err != nil {
		return err
	}
	defer stop()
	for _, by := range []float64{movedPoint, 0} {
		move := mouseEvent{Type: "mouseMoved", X: at.X + by, Y: at.Y, Modifiers: modifiers}
		if err := a.page.cdp.Call(runCtx, "Input.dispatchMouseEvent", move, nil); err != nil {
			return a.page.runError(runCtx, a.frame, err)
		}
	}
	return nil
}

// clickAt sends the presses and releases. A dialog, a closed page or a crash ends the wait for their acknowledgement.
func (a *action) clickAt(ctx context.Context, at contract.Point, how press) error {
	a.dispatching()
	runCtx, stop, err := a.page.startRun(ctx)
	if err != nil {
		return err
	}
	defer stop()
	sent := context.WithoutCancel(ctx)
	var last *cdp.Pending
	for n := 1; n <= how.count; n++ {
		down := mouseEvent{Type: "mousePressed", X: at.X, Y: at.Y, Button: how.button, Buttons: buttonBits[how.button], Clicks: n, Modifiers: how.modifiers}
		up := down
		up.Type, up.Buttons = "mouseReleased", 0
		a.page.cdp.Go(sent, "Input.dispatchMouseEvent", down)
		last = a.page.cdp.Go(sent, "Input.dispatchMouseEvent", up)
	}
	if err := last.Wait(runCtx, nil); err != nil && a.page.openDialog() == nil && !a.page.isClosed() {
		return a.page.runError(runCtx, a.frame, err)
	}
	return nil
}

// moveTo hovers. An awaited move costs a frame; sent together with a release of no button it is flushed at once, and the
// page sees a plain hover (browser.md §4).
func (a *action) moveTo(ctx context.Context, at contract.Point, modifiers int) error {
	a.dispatching()
	if a.session.options.human() {
		if err := a.walkTo(ctx, at, modifiers); err != nil {
			return err
		}
	}
	runCtx, stop, err := a.page.startRun(ctx)
	if err != nil {
		return err
	}
	defer stop()
	move := mouseEvent{Type: "mouseMoved", X: at.X, Y: at.Y, Modifiers: modifiers}
	flush := mouseEvent{Type: "mouseReleased", X: at.X, Y: at.Y, Button: "none", Modifiers: modifiers}
	moved := a.page.cdp.Go(runCtx, "Input.dispatchMouseEvent", move)
	flushed := a.page.cdp.Go(runCtx, "Input.dispatchMouseEvent", flush)
	err = moved.Wait(runCtx, nil)
	if err == nil {
		err = flushed.Wait(runCtx, nil)
	}
	if err != nil {
		return a.page.runError(runCtx, a.frame, err)
	}
	a.page.setPointer(at)
	return nil
}

// walkTo moves along a Bézier curve with small pauses, as a hand does.
func (a *action) walkTo(ctx context.Context, to contract.Point, modifiers int) error {
	from := a.page.pointer()
	bend := func() float64 { return (rand.Float64() - 0.5) * math.Hypot(to.X-from.X, to.Y-from.Y) * 0.3 }
	c1 := contract.Point{X: from.X + (to.X-from.X)*0.3 + bend(), Y: from.Y + (to.Y-from.Y)*0.3 + bend()}
	c2 := contract.Point{X: from.X + (to.X-from.X)*0.7 + bend(), Y: from.Y + (to.Y-from.Y)*0.7 + bend()}
	for i := 1; i < humanSteps; i++ {
		t := float64(i) / humanSteps
		t = t * t * (3 - 2*t) // slow at both ends
		at := bezier(from, c1, c2, to, t)
		err := a.page.cdp.Call(ctx, "Input.dispatchMouseEvent", mouseEvent{Type: "mouseMoved", X: max(0, at.X), Y: max(0, at.Y), Modifiers: modifiers}, nil)
		if err != nil {
			return a.page.runError(ctx, a.frame, err)
		}
		pause := humanStepMin + rand.N(humanStepMax-humanStepMin)
		if i == humanSteps-1 {
			pause += humanDwell
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
	return nil
}

func bezier(a, b, c, d contract.Point, t float64) contract.Point {
	u := 1 - t
	mix := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
	return contract.Point{X: mix(a.X, b.X, c.X, d.X), Y: mix(a.Y, b.Y, c.Y, d.Y)}
}

// sleep is for human pointer motion alone (browser.md §9).
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

func (p *page) pointer() contract.Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pointerAt
}

func (p *page) setPointer(at contract.Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pointerAt = at
}
