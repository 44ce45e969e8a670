package browser

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/glasskit/glass/contract"
)

// keyStroke is one key as the browser takes it: the UI Events key value, the physical code, the legacy key code and the
// text that it types.
type keyStroke struct {
	key, code string
	legacy    int
	text      string
	location  int
	modifier  int // set for keys that are modifiers themselves
}

// namedKeys are the named key values of UI Events that Glass can press.
var namedKeys = map[string]keyStroke{
	"Enter": {key: "Enter", code: "Enter", legacy: 13, text: "\r"}, "Tab": {key: "Tab", code: "Tab", legacy: 9},
	"Escape": {key: "Escape", code: "Escape", legacy: 27}, "Backspace": {key: "Backspace", code: "Backspace", legacy: 8},
	"Delete": {key: "Delete", code: "Delete", legacy: 46}, "Insert": {key: "Insert", code: "Insert", legacy: 45},
	"ArrowLeft": {key: "ArrowLeft", code: "ArrowLeft", legacy: 37}, "ArrowUp": {key: "ArrowUp", code: "ArrowUp", legacy: 38},
	"ArrowRight": {key: "ArrowRight", code: "ArrowRight", legacy: 39}, "ArrowDown": {key: "ArrowDown", code: "ArrowDown", legacy: 40},
	"Home": {key: "Home", code: "Home", legacy: 36}, "End": {key: "End", code: "End", legacy: 35},
	"PageUp": {key: "PageUp", code: "PageUp", legacy: 33}, "PageDown": {key: "PageDown", code: "PageDown", legacy: 34},
	" ":           {key: " ", code: "Space", legacy: 32, text: " "},
	"ContextMenu": {key: "ContextMenu", code: "ContextMenu", legacy: 93},
	"Shift":       {key: "Shift", code: "ShiftLeft", legacy: 16, location: 1, modifier: modifierShift},
	"Control":     {key: "Control", code: "ControlLeft", legacy: 17, location: 1, modifier: modifierControl},
	"Alt":         {key: "Alt", code: "AltLeft", legacy: 18, location: 1, modifier: modifierAlt},
	"Meta":        {key: "Meta", code: "MetaLeft", legacy: 91, location: 1, modifier: modifierMeta},
	"CapsLock":    {key: "CapsLock", code: "CapsLock", legacy: 20}, "Pause": {key: "Pause", code: "Pause", legacy: 19},
	"PrintScreen": {key: "PrintScreen", code: "PrintScreen", legacy: 44}, "ScrollLock": {key: "ScrollLock", code: "ScrollLock", legacy: 145},
	"NumLock": {key: "NumLock", code: "NumLock", legacy: 144},
	"F1":      {key: "F1", code: "F1", legacy: 112}, "F2": {key: "F2", code: "F2", legacy: 113}, "F3": {key: "F3", code: "F3", legacy: 114},
	"F4": {key: "F4", code: "F4", legacy: 115}, "F5": {key: "F5", code: "F5", legacy: 116}, "F6": {key: "F6", code: "F6", legacy: 117},
	"F7": {key: "F7", code: "F7", legacy: 118}, "F8": {key: "F8", code: "F8", legacy: 119}, "F9": {key: "F9", code: "F9", legacy: 120},
	"F10": {key: "F10", code: "F10", legacy: 121}, "F11": {key: "F11", code: "F11", legacy: 122}, "F12": {key: "F12", code: "F12", legacy: 123},
}

// keyAliases are what people write for some of them.
var keyAliases = map[string]string{
	"Space": " ", "Esc": "Escape", "Return": "Enter", "Ctrl": "Control", "Command": "Meta", "Cmd": "Meta", "Del": "Delete",
	"Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight", "Option": "Alt",
}

// punctuation gives code and legacy key code of the other keys of a US keyboard, plain and shifted.
var punctuation = map[rune]struct {
	code   string
	legacy int
}{
	'-': {"Minus", 189}, '_': {"Minus", 189}, '=': {"Equal", 187}, '+': {"Equal", 187}, '[': {"BracketLeft", 219}, '{': {"BracketLeft", 219},
	']': {"BracketRight", 221}, '}': {"BracketRight", 221}, '\\': {"Backslash", 220}, '|': {"Backslash", 220}, ';': {"Semicolon", 186},
	':': {"Semicolon", 186}, '\'': {"Quote", 222}, '"': {"Quote", 222}, ',': {"Comma", 188}, '<': {"Comma", 188}, '.': {"Period", 190},
	'>': {"Period", 190}, '/': {"Slash", 191}, '?': {"Slash", 191}, '`': {"Backquote", 192}, '~': {"Backquote", 192},
}

const shiftedDigits = ")!@#$%^&*("

// parseKey reads a UI Events key value: a name such as Enter, or one character.
func parseKey(name string) (keyStroke, error) {
	if full, ok := keyAliases[name]; ok {
		name = full
	}
	if name == "Mod" {
		name = "Control"
		if platformModifier == modifierMeta {
			name = "Meta"
		}
	}
	if k, ok := namedKeys[name]; ok {
		return k, nil
	}
	r, size := utf8.DecodeRuneInString(name)
	if name == "" || size != len(name) || r == utf8.RuneError || r < ' ' {
		return keyStroke{}, contract.Invalid("key", "write one character, or a key name such as Enter, Escape, ArrowDown, F5")
	}
	return characterKey(r), nil
}

func characterKey(r rune) keyStroke {
	k := keyStroke{key: string(r), text: string(r)}
	switch {
	case r >= 'a' && r <= 'z':
		k.code, k.legacy = "Key"+strings.ToUpper(string(r)), int(r-'a'+'A')
	case r >= 'A' && r <= 'Z':
		k.code, k.legacy = "Key"+string(r), int(r)
	case r >= '0' && r <= '9':
		k.code, k.legacy = "Digit"+string(r), int(r)
	default:
		if i := strings.IndexRune(shiftedDigits, r); i >= 0 {
			k.code, k.legacy = "Digit"+string(rune('0'+i)), '0'+i
		} else if p, ok := punctuation[r]; ok {
			k.code, k.legacy = p.code, p.legacy
		}
	}
	return k
}

// parseShortcut reads "Control+Shift+K"; the last part is the key. A plus itself is written "Control++".
func parseShortcut(text string) (modifiers []keyStroke, key keyStroke, err error) {
	if text == "" || len(text) > ShortcutBytes {
		return nil, key, contract.Invalid("keys", "a shortcut has 1 to %d bytes, such as Control+Shift+K", ShortcutBytes)
	}
	last := text
	if i := strings.LastIndex(text[:len(text)-1], "+"); i >= 0 {
		for _, name := range strings.Split(text[:i], "+") {
			m, err := parseKey(strings.TrimSpace(name))
			if err != nil || m.modifier == 0 {
				return nil, key, contract.Invalid("keys", "before the last + only Alt, Control, Meta, Shift and Mod may stand")
			}
			modifiers = append(modifiers, m)
		}
		last = strings.TrimSpace(text[i+1:])
	}
	key, err = parseKey(last)
	if err != nil {
		return nil, key, contract.Invalid("keys", "the key after the modifiers is none that can be pressed")
	}
	return modifiers, key.underShift(modifiers), nil
}

// underShift is a letter as the keyboard gives it: Control+K is the small one, Control+Shift+K the capital.
func (k keyStroke) underShift(modifiers []keyStroke) keyStroke {
	if len(k.key) != 1 || !unicode.IsLetter(rune(k.key[0])) {
		return k
	}
	for _, m := range modifiers {
		if m.modifier == modifierShift {
			return characterKey(unicode.ToUpper(rune(k.key[0])))
		}
	}
	return characterKey(unicode.ToLower(rune(k.key[0])))
}

type keyEvent struct {
	Type      string   `json:"type"`
	Key       string   `json:"key"`
	Code      string   `json:"code,omitzero"`
	Text      string   `json:"text,omitzero"`
	Legacy    int      `json:"windowsVirtualKeyCode,omitzero"`
	Native    int      `json:"nativeVirtualKeyCode,omitzero"`
	Location  int      `json:"location,omitzero"`
	Modifiers int      `json:"modifiers,omitzero"`
	Commands  []string `json:"commands,omitzero"`
}

func (k keyStroke) event(kind string, modifiers int) keyEvent {
	e := keyEvent{Type: kind, Key: k.key, Code: k.code, Legacy: k.legacy, Native: k.legacy, Location: k.location, Modifiers: modifiers}
	if kind == "keyDown" {
		if modifiers&^modifierShift == 0 {
			e.Text = k.text
		}
		if e.Text == "" {
			e.Type = "rawKeyDown"
		}
		if strings.EqualFold(k.key, "a") && modifiers == platformModifier {
			e.Commands = []string{"selectAll"}
		}
	}
	return e
}

// pressKeys sends key strokes with modifiers held; every key that went down comes up again, even when the call is
// cancelled. Like a press of the mouse it ends early when a dialog opens or the page goes.
func (a *action) pressKeys(ctx context.Context, modifiers []keyStroke, keys ...keyStroke) error {
	a.dispatching()
	runCtx, stop, err := a.page.startRun(ctx)
	if err != nil {
		return err
	}
	defer stop()
	sent := context.WithoutCancel(ctx)
	send := func(e keyEvent) waiter { return a.page.cdp.Go(sent, "Input.dispatchKeyEvent", e) }
	held := 0
	for _, m := range modifiers {
		held |= m.modifier
		send(m.event("keyDown", held))
	}
	var last waiter
	for _, k := range keys {
		send(k.event("keyDown", held|k.modifier))
		last = send(k.event("keyUp", held))
	}
	for i := len(modifiers) - 1; i >= 0; i-- {
		held &^= modifiers[i].modifier
		last = send(modifiers[i].event("keyUp", held))
	}
	if err := last.Wait(runCtx, nil); err != nil && a.page.openDialog() == nil && !a.page.isClosed() {
		return a.page.runError(runCtx, a.frame, err)
	}
	return nil
}

// waiter is a command that was sent and whose reply can be awaited.
type waiter interface {
	Wait(ctx context.Context, result any) error
}
