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
		if !in.Submit {
			a.reading = &reading{field, in.Text, in.Replace}
			return nil
		}
		if err := a.readBack(ctx, field, in.Text, in.Replace); err != nil { // now: Enter may take the field away
			return err
		}
		return a.pressKeys(ctx, nil, namedKeys["Enter"])
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
		a.reading = &reading{field, "", true}
		return nil
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
	args := map[string]any{"need": forText.use, "scroll": forText.scroll, "edit": forText.edit, "caret": caret, "expectCtx": a.args.ExpectedRevision != 0}
	if target != "" {
		l, err := a.locate(target)
		if err != nil {
			return nil, err
		}
		a.hold = a.hold || l.revisioned()
		args["target"] = l
	}
	var field struct {
		prepared
		Length int `json:"length"`
	}
	if err := a.call(ctx, "prepareFocus", args, &field); err != nil {
		return nil, err
	}
	a.dispatching() // focusing can run the page's code
	a.aimAt(target, &field.prepared)
	if err := a.place(ctx, &field.prepared, forText); target != "" && err != nil { // covered in a frame about it
		return nil, err
	}
	return &fieldState{ID: field.ID, Length: field.Length, Sensitive: field.Sensitive, Kind: field.Kind}, nil
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

// reading is a field to be read back, in the same call that takes the delta.
type reading struct {
	field    *fieldState
	text     string
	replaced bool
}

func (r *reading) args() map[string]any {
	return map[string]any{"id": r.field.ID, "text": r.text, "whole": r.replaced}
}

// readBack compares what the field holds with what was typed. Lengths are characters in UTF-16 units, as the page counts.
func (a *action) readBack(ctx context.Context, before *fieldState, text string, replaced bool) error {
	r := &reading{before, text, replaced}
	var now fieldState
	if err := a.call(ctx, "readBack", r.args(), &now); err != nil {
		return err
	}
	a.compare(r, now)
	return nil
}

func (a *action) compare(r *reading, now fieldState) {
	if now.Equal {
		return
	}
	typed := len(utf16.Encode([]rune(r.text)))
	want := typed
	if !r.replaced {
		want += r.field.Length
	}
	a.mismatch = true
	kept := now.Length
	a.evidence = &contract.Evidence{KeptLength: &kept, TypedLength: &typed, Reason: mismatchReason(now, want)}
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
