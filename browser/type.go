package browser

import (
	"context"
	"unicode/utf16"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var typeOperation = operation.Spec{
	Name: "type", Toolset: "browser", OpenWorld: true, Destructive: true,
	Summary: "Type text into a field; replace clears it first, submit presses Enter",
	Detail:  "The field is read back afterwards: when it holds something else (a limit, a mask, a number field), the outcome says so with kept and typed lengths.",
	Example: "glass type label=Email ada@example.org --replace\nglass type node=b9 'search words' --submit",
}

// TypeInput is text and where it goes.
type TypeInput struct {
	Target string `json:"target,omitzero" doc:"locator of the field; without it the focused one" glass:"arg=0"`
	Text   string `json:"text" doc:"the text" glass:"required,arg=1"`
	ActArgs
	Replace bool   `json:"replace,omitzero" doc:"clear the field first"`
	Submit  bool   `json:"submit,omitzero" doc:"press Enter afterwards"`
	Mode    string `json:"mode,omitzero" doc:"keys: a real key event for each character" glass:"enum=insert|keys"`
}

// Type inserts text at the caret, or in place of what the field holds.
func (rt *Runtime) Type(ctx context.Context, call *Call, in TypeInput) (*ActionResult, error) {
	if len(in.Text) > TypeBytes {
		return nil, contract.Invalid("text", "the text has %d bytes; the limit is %d", len(in.Text), TypeBytes)
	}
	return rt.act(ctx, call, "type", in.ActArgs, func(ctx context.Context, a *action) error {
		field, err := a.focusField(ctx, in.Target, in.Replace)
		if err != nil {
			return err
		}
		if err := a.enterText(ctx, in.Text, in.Replace, in.Mode); err != nil {
			return err
		}
		if err := a.readBack(ctx, field, in.Text, in.Replace); err != nil {
			return err
		}
		if in.Submit {
			return a.pressKeys(ctx, nil, namedKeys["Enter"])
		}
		return nil
	})
}

var clearOperation = operation.Spec{
	Name: "clear", Toolset: "browser", OpenWorld: true, Destructive: true,
	Summary: "Empty a text field",
	Example: "glass clear label=Email",
}

// ClearInput names the field to empty.
type ClearInput struct {
	Target string `json:"target" doc:"locator of the field" glass:"required,arg=0,quiet"`
	ActArgs
}

// Clear selects all of a field and deletes it; the field is read back to be empty.
func (rt *Runtime) Clear(ctx context.Context, call *Call, in ClearInput) (*ActionResult, error) {
	return rt.act(ctx, call, "clear", in.ActArgs, func(ctx context.Context, a *action) error {
		field, err := a.focusField(ctx, in.Target, true)
		if err != nil {
			return err
		}
		if err := a.enterText(ctx, "", true, ""); err != nil {
			return err
		}
		return a.readBack(ctx, field, "", true)
	})
}

// fieldState is a field as the in-page script reads it. The text itself stays in the page.
type fieldState struct {
	replyHead
	ID        int    `json:"id"`
	Length    int    `json:"length"` // UTF-16 units
	Equal     bool   `json:"equal"`
	Sensitive bool   `json:"sensitive"`
	MaxLength int    `json:"maxLength"`
	Kind      string `json:"fieldKind"`
	Type      string `json:"type"`
}

// focusField checks a field for typing and gives it the keyboard: the caret at its end, or all of it selected.
func (a *action) focusField(ctx context.Context, target string, all bool) (*fieldState, error) {
	caret := "end"
	if all {
		caret = "all"
	}
	p, err := a.prepareField(ctx, target)
	if err != nil {
		return nil, err
	}
	a.dispatching()
	var field fieldState
	err = a.call(ctx, "armFocus", map[string]any{"id": p.ID, "caret": caret}, &field)
	field.ID, field.Sensitive, field.Kind = p.ID, p.Sensitive, p.Kind
	return &field, err
}

// prepareField checks the target for typing; without one, the element that has the focus.
func (a *action) prepareField(ctx context.Context, target string) (*prepared, error) {
	if target != "" {
		return a.prepare(ctx, target, forText)
	}
	var p prepared
	if err := a.call(ctx, "prepareFocused", map[string]any{}, &p); err != nil {
		return nil, err
	}
	a.local = p.ID
	return &p, nil
}

// enterText puts text in place of the selection, in one piece or key by key. An empty text deletes the selection.
func (a *action) enterText(ctx context.Context, text string, replace bool, mode string) error {
	if text == "" {
		if replace {
			return a.pressKeys(ctx, nil, namedKeys["Delete"])
		}
		return nil
	}
	if mode == "keys" {
		var keys []keyStroke
		for _, r := range text {
			switch r {
			case '\n':
				keys = append(keys, namedKeys["Enter"])
			case '\t':
				keys = append(keys, namedKeys["Tab"])
			case '\r':
			default:
				keys = append(keys, characterKey(r))
			}
		}
		if len(keys) == 0 {
			return nil
		}
		return a.pressKeys(ctx, nil, keys...)
	}
	runCtx, stop, err := a.page.startRun(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := a.page.cdp.Call(runCtx, "Input.insertText", map[string]any{"text": text}, nil); err != nil {
		return a.page.runError(runCtx, a.frame, err)
	}
	return nil
}

// readBack compares what the field holds with what was typed. Lengths are characters in UTF-16 units, as the page counts.
func (a *action) readBack(ctx context.Context, before *fieldState, text string, replaced bool) error {
	typed := len(utf16.Encode([]rune(text)))
	want := typed
	if !replaced {
		want += before.Length
	}
	var now fieldState
	err := a.call(ctx, "readBack", map[string]any{"id": before.ID, "text": text, "whole": replaced}, &now)
	if err != nil {
		return err
	}
	if now.Equal {
		return nil
	}
	a.mismatch = true
	kept := now.Length
	a.evidence = &contract.Evidence{KeptLength: &kept, TypedLength: &typed, Reason: mismatchReason(now, want)}
	return nil
}

func mismatchReason(now fieldState, want int) string {
	switch {
	case now.MaxLength > 0 && now.Length >= now.MaxLength && want > now.MaxLength:
		return "maximum_length"
	case now.Length == 0 && now.Type == "number":
		return "not_a_number"
	case now.Length == 0:
		return "field_is_empty"
	}
	return "field_changed_the_text"
}
