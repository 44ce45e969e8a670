package browser

import (
	"context"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

// ClickInput says what to press and how.
type ClickInput struct {
	Target string `json:"target" doc:"locator of the element" glass:"required,arg=0,quiet"`
	ActArgs
	Button    string `json:"button,omitzero" doc:"mouse button" glass:"enum=left|right|middle"`
	Modifiers string `json:"modifiers,omitzero" doc:"keys held down, such as Control+Shift" glass:"quiet"`
	Count     int    `json:"count,omitzero" doc:"number of clicks" glass:"min=1,max=3"`
}

var clickOperation = operation.Spec{
	Name: "click", Toolset: "browser", OpenWorld: true, Destructive: true,
	Summary: "Press an element; answers what changed",
	Detail:  "The element is scrolled into view when needed, must be visible, enabled, at rest and uncovered, and is checked again directly before the press.",
	Example: "glass click r7:b42 --expected-revision 7\nglass click 'role=button;name=Save'",
}

// Click presses an element with the pointer.
func (rt *Runtime) Click(ctx context.Context, call *Call, in ClickInput) (*ActionResult, error) {
	return rt.click(ctx, call, "click", in)
}

func (rt *Runtime) click(ctx context.Context, call *Call, name string, in ClickInput) (*ActionResult, error) {
	modifiers, err := parseModifiers(in.Modifiers)
	if err != nil {
		return nil, err
	}
	if in.Count < 0 || in.Count > ClickCount {
		return nil, contract.Invalid("count", "it is 1 to %d", ClickCount)
	}
	how := press{button: "left", count: max(1, in.Count), modifiers: modifiers}
	if in.Button != "" {
		how.button = in.Button
	}
	return rt.act(ctx, call, name, in.ActArgs, func(ctx context.Context, a *action) error {
		p, err := a.prepare(ctx, in.Target, forPointer)
		if err != nil {
			return err
		}
		return a.use(ctx, p, how)
	})
}

var doubleClickOperation = operation.Spec{
	Name: "doubleClick", Toolset: "browser-extra", OpenWorld: true, Destructive: true,
	Summary: "Press an element twice, as one double click",
	Example: "glass double-click 'name=report.txt'",
}

// DoubleClickInput says what to press twice.
type DoubleClickInput struct {
	Target string `json:"target" doc:"locator of the element" glass:"required,arg=0,quiet"`
	ActArgs
	Modifiers string `json:"modifiers,omitzero" doc:"keys held down, such as Control+Shift" glass:"quiet"`
}

// DoubleClick presses an element twice.
func (rt *Runtime) DoubleClick(ctx context.Context, call *Call, in DoubleClickInput) (*ActionResult, error) {
	return rt.click(ctx, call, "doubleClick", ClickInput{Target: in.Target, ActArgs: in.ActArgs, Modifiers: in.Modifiers, Count: 2})
}

var hoverOperation = operation.Spec{
	Name: "hover", Toolset: "browser", OpenWorld: true,
	Summary: "Move the pointer over an element, to open a menu or a tooltip",
	Example: "glass hover 'name=Products'",
}

// HoverInput says what to move the pointer to.
type HoverInput struct {
	Target string `json:"target" doc:"locator of the element" glass:"required,arg=0,quiet"`
	ActArgs
}

// Hover moves the pointer over an element.
func (rt *Runtime) Hover(ctx context.Context, call *Call, in HoverInput) (*ActionResult, error) {
	return rt.act(ctx, call, "hover", in.ActArgs, func(ctx context.Context, a *action) error {
		p, err := a.prepare(ctx, in.Target, forPointer)
		if err != nil {
			return err
		}
		if err := a.call(ctx, "arm", map[string]any{}, nil); err != nil {
			return err
		}
		return a.use(ctx, p, press{hoverOnly: true})
	})
}

var clickAtOperation = operation.Spec{
	Name: "clickAt", Toolset: "browser-extra", Capability: string(policy.CoordinateClick), OpenWorld: true, Destructive: true,
	Summary: "Press at a position of the viewport, for canvases and maps",
	Example: "glass click-at 200 150",
}

// ClickAtInput is a position in CSS pixels of the viewport of the page, or of the frame that the call is for.
type ClickAtInput struct {
	X float64 `json:"x" doc:"pixels from the left of the viewport" glass:"required,arg=0,min=0,max=100000"`
	Y float64 `json:"y" doc:"pixels from the top of the viewport" glass:"required,arg=1,min=0,max=100000"`
	ActArgs
	Button    string `json:"button,omitzero" doc:"mouse button" glass:"enum=left|right|middle"`
	Modifiers string `json:"modifiers,omitzero" doc:"keys held down, such as Control+Shift" glass:"quiet"`
	Count     int    `json:"count,omitzero" doc:"number of clicks" glass:"min=1,max=3"`
}

// ClickAt presses at a position, without any check of what is there.
func (rt *Runtime) ClickAt(ctx context.Context, call *Call, in ClickAtInput) (*ActionResult, error) {
	modifiers, err := parseModifiers(in.Modifiers)
	if err != nil {
		return nil, err
	}
	if in.Count < 0 || in.Count > ClickCount {
		return nil, contract.Invalid("count", "it is 1 to %d", ClickCount)
	}
	how := press{button: "left", count: max(1, in.Count), modifiers: modifiers}
	if in.Button != "" {
		how.button = in.Button
	}
	at := contract.Point{X: in.X, Y: in.Y}
	return rt.act(ctx, call, "clickAt", in.ActArgs, func(ctx context.Context, a *action) error {
		if err := a.policy.Require(policy.CoordinateClick); err != nil {
			return err
		}
		var view struct {
			replyHead
			outside
			Inside bool `json:"inside"`
		}
		if err := a.call(ctx, "pointInside", map[string]any{"point": at}, &view); err != nil {
			return err
		}
		if !view.Inside {
			return contract.Fail(contract.OutsideViewport, contract.PhasePreflight, "the position lies outside the viewport").Safe()
		}
		spot := &prepared{Point: at, outside: view.outside}
		if err := a.place(ctx, spot, need{use: "pointer"}); err != nil {
			return err
		}
		if err := a.call(ctx, "arm", map[string]any{}, nil); err != nil {
			return err
		}
		a.evidence = &contract.Evidence{Position: &at}
		if err := a.hover(ctx, spot, modifiers); err != nil {
			return err
		}
		return a.clickAt(ctx, spot.at, how)
	})
}

// Bits of the modifiers of Input.dispatchMouseEvent and dispatchKeyEvent.
const (
	modifierAlt     = 1
	modifierControl = 2
	modifierMeta    = 4
	modifierShift   = 8
)

var modifierBits = map[string]int{
	"alt": modifierAlt, "control": modifierControl, "ctrl": modifierControl, "meta": modifierMeta, "command": modifierMeta, "shift": modifierShift,
	"mod": platformModifier,
}

func parseModifiers(text string) (int, error) {
	bits := 0
	if text == "" {
		return 0, nil
	}
	if len(text) > ShortcutBytes {
		return 0, contract.Invalid("modifiers", "they have %d bytes; the limit is %d", len(text), ShortcutBytes)
	}
	for _, name := range strings.Split(text, "+") {
		bit, ok := modifierBits[strings.ToLower(strings.TrimSpace(name))]
		if !ok {
			return 0, contract.Invalid("modifiers", "the modifiers are Alt, Control, Meta, Shift and Mod, joined by +")
		}
		bits |= bit
	}
	return bits, nil
}
