package browser

import (
	"context"

	"github.com/glasskit/glass/internal/operation"
)

var keyOperation = operation.Spec{
	Name: "key", Toolset: "browser", OpenWorld: true, Destructive: true,
	Summary: "Press one key, such as Enter, Escape or ArrowDown",
	Example: "glass key Enter\nglass key ArrowDown --target label=Country",
}

// KeyInput is one key, and the element that gets it.
type KeyInput struct {
	Key    string `json:"key" doc:"key name of UI Events, or one character" glass:"required,arg=0"`
	Target string `json:"target,omitzero" doc:"element to focus first"`
	ActArgs
}

// Key presses one key on the focused element, or on the target.
func (rt *Runtime) Key(ctx context.Context, call *Call, in KeyInput) (*ActionResult, error) {
	k, err := parseKey(in.Key)
	if err != nil {
		return nil, err
	}
	return rt.act(ctx, call, "key", in.ActArgs, func(ctx context.Context, a *action) error {
		if err := a.focus(ctx, in.Target, "fresh"); err != nil {
			return err
		}
		return a.pressKeys(ctx, nil, k)
	})
}

var shortcutOperation = operation.Spec{
	Name: "shortcut", Toolset: "browser", OpenWorld: true, Destructive: true,
	Summary: "Press a key combination, such as Control+Shift+K; Mod is the platform's own",
	Example: "glass shortcut Mod+A",
}

// ShortcutInput is a combination, and the element that gets it.
type ShortcutInput struct {
	Keys   string `json:"keys" doc:"modifiers and a key, joined by +" glass:"required,arg=0"`
	Target string `json:"target,omitzero" doc:"element to focus first"`
	ActArgs
}

// Shortcut presses a key with modifiers held.
func (rt *Runtime) Shortcut(ctx context.Context, call *Call, in ShortcutInput) (*ActionResult, error) {
	modifiers, key, err := parseShortcut(in.Keys)
	if err != nil {
		return nil, err
	}
	return rt.act(ctx, call, "shortcut", in.ActArgs, func(ctx context.Context, a *action) error {
		if err := a.focus(ctx, in.Target, "fresh"); err != nil {
			return err
		}
		return a.pressKeys(ctx, modifiers, key)
	})
}

// focus gives the target the keyboard, with the caret as told, and arms the delta. Without a target the element that has
// the focus keeps it.
func (a *action) focus(ctx context.Context, target, caret string) error {
	if target == "" {
		return a.call(ctx, "arm", map[string]any{}, nil)
	}
	p, err := a.prepare(ctx, target, forFocus)
	if err != nil {
		return err
	}
	return a.focusPrepared(ctx, p, caret)
}

func (a *action) focusPrepared(ctx context.Context, p *prepared, caret string) error {
	a.dispatching() // focusing can run the page's code
	return a.call(ctx, "armFocus", map[string]any{"id": p.ID, "caret": caret, "keep": a.armed}, nil)
}
