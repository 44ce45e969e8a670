package browser_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// controlled is a field as frameworks make it: the state is the truth, and the element is set from it after each input.
const controlled = `<script>
	const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
	let state = 'old'; setter.call(f, state);
	Object.defineProperty(f, 'value', {get() { return Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').get.call(this) },
		set(v) { setter.call(this, v) }});
	f.addEventListener('input', () => { state = f.value; setter.call(f, state) });
</script>`

func TestTyping(t *testing.T) {
	all := open(t)
	const field = "name=Name"
	for _, c := range []struct {
		name, html  string
		in          browser.TypeInput
		check, want string
		kept, typed int // of a field that holds something else
		reason      string
	}{
		{"at the end", `<input id=f aria-label=Name value=abc>`, browser.TypeInput{Text: "def"}, "f.value", `"abcdef"`, 0, 0, ""},
		{"at the end of what has the caret elsewhere", `<input id=f aria-label=Name value=abc><script>f.setSelectionRange(0, 0)</script>`,
			browser.TypeInput{Text: "def"}, "f.value", `"abcdef"`, 0, 0, ""},
		{"replace", `<input id=f aria-label=Name value=abc>`, browser.TypeInput{Text: "def", Replace: true}, "f.value", `"def"`, 0, 0, ""},
		{"blanks are text", `<input id=f aria-label=Name>`, browser.TypeInput{Text: "  "}, "f.value", `"  "`, 0, 0, ""},
		{"all of Unicode", `<input id=f aria-label=Name>`, browser.TypeInput{Text: "né 漢字 👩‍👩‍👧 \u202dx"}, "f.value", `"né 漢字 👩‍👩‍👧 ` + "\u202d" + `x"`, 0, 0, ""},
		{"keys", `<input id=f aria-label=Name><script>let downs = 0; f.onkeydown = () => downs++</script>`,
			browser.TypeInput{Text: "Ab1", Mode: "keys"}, "f.value + downs", `"Ab13"`, 0, 0, ""},
		{"several lines", `<textarea id=f aria-label=Name></textarea>`, browser.TypeInput{Text: "a\nb"}, "f.value", `"a\nb"`, 0, 0, ""},
		{"submit", `<form onsubmit="f.title = f.value; return false"><input id=f aria-label=Name></form>`,
			browser.TypeInput{Text: "x", Submit: true}, "f.title", `"x"`, 0, 0, ""},
		{"editable part", `<div id=f contenteditable role=textbox aria-label=Name>abc</div>`, browser.TypeInput{Text: "def"}, "f.innerText", `"abcdef"`, 0, 0, ""},
		{"editable part replaced", `<div id=f contenteditable role=textbox aria-label=Name><b>a</b>bc</div>`,
			browser.TypeInput{Text: "def", Replace: true}, "f.innerText", `"def"`, 0, 0, ""},
		{"framework's state", `<input id=f aria-label=Name>` + controlled, browser.TypeInput{Text: "new", Replace: true}, "state", `"new"`, 0, 0, ""},
		{"framework's state by keys", `<input id=f aria-label=Name>` + controlled, browser.TypeInput{Text: "new", Replace: true, Mode: "keys"}, "state", `"new"`, 0, 0, ""},
		{"maximum length", `<input id=f aria-label=Name maxlength=3>`, browser.TypeInput{Text: "abcdef"}, "f.value", `"abc"`, 3, 6, "maximum_length"},
		{"number field", `<input id=f type=number aria-label=Name>`, browser.TypeInput{Text: "12"}, "f.value", `"12"`, 0, 0, ""},
		{"no number", `<input id=f type=number aria-label=Name>`, browser.TypeInput{Text: "abc"}, "f.value", `""`, 0, 3, "not_a_number"},
		{"mask", `<input id=f aria-label=Name oninput="f.value = f.value.replace(/\D/g, '')">`, browser.TypeInput{Text: "1a2b"}, "f.value", `"12"`, 2, 4, "field_changed_the_text"},
		{"upper case", `<input id=f aria-label=Name oninput="f.value = f.value.toUpperCase()">`, browser.TypeInput{Text: "abc"}, "f.value", `"ABC"`, 3, 3, "field_changed_the_text"},
		{"emptied", `<input id=f aria-label=Name oninput="f.value = ''">`, browser.TypeInput{Text: "abc"}, "f.value", `""`, 0, 3, "field_is_empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(c.html)
			c.in.Target = field
			r, err := tb.rt.Type(tb.ctx, tb.call, c.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := tb.eval(c.check); got != c.want {
				t.Errorf("%s is %s, want %s", c.check, got, c.want)
			}
			if c.reason == "" {
				if r.Status != contract.Succeeded || r.Evidence != nil {
					t.Errorf("outcome %s %+v", r.Status, r.Evidence)
				}
				return
			}
			if e := r.Evidence; r.Status != contract.CompletedWithVerification || e == nil || *e.KeptLength != c.kept || *e.TypedLength != c.typed || e.Reason != c.reason {
				t.Errorf("outcome %s %+v", r.Status, r.Evidence)
			}
		})
	}
}

// Without a target the text goes to the field that has the focus; with none focused that is said.
func TestTypeIntoFocused(t *testing.T) {
	tb := open(t)
	tb.show(`<input id=f aria-label=Name><button id=b>Save</button>`)
	_, err := tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Text: "x"})
	failure(t, err, contract.NotFound)
	tb.eval("b.focus()")
	_, err = tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Text: "x"})
	failure(t, err, contract.VerificationFailed)
	tb.eval("f.focus()")
	if _, err := tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Text: "x"}); err != nil || tb.eval("f.value") != `"x"` {
		t.Errorf("%v, the field holds %s", err, tb.eval("f.value"))
	}
}

func TestClear(t *testing.T) {
	all := open(t)
	for name, html := range map[string]string{
		"input":     `<input id=f aria-label=Name value=abc>`,
		"text area": `<textarea id=f aria-label=Name>a` + "\n" + `b</textarea>`,
		"editable":  `<div id=f contenteditable role=textbox aria-label=Name><b>a</b><p>b</p></div>`,
		"number":    `<input id=f type=number aria-label=Name value=12>`,
		"empty":     `<input id=f aria-label=Name>`,
	} {
		t.Run(name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(html)
			r, err := tb.rt.Clear(tb.ctx, tb.call, browser.ClearInput{Target: "name=Name"})
			if err != nil || r.Status != contract.Succeeded {
				t.Fatalf("%+v %v", r, err)
			}
			if got := tb.eval("(f.value ?? f.innerText).trim()"); got != `""` {
				t.Errorf("it holds %s", got)
			}
		})
	}
	t.Run("a field that fills itself", func(t *testing.T) {
		tb := all.in(t)
		tb.show(`<input id=f aria-label=Name value=abc oninput="f.value = 'always'">`)
		r, err := tb.rt.Clear(tb.ctx, tb.call, browser.ClearInput{Target: "name=Name"})
		if err != nil || r.Status != contract.CompletedWithVerification || *r.Evidence.KeptLength != 6 {
			t.Errorf("%+v %v", r, err)
		}
	})
}

func TestKeys(t *testing.T) {
	all := open(t)
	const html = `<input id=f aria-label=Name value=abc><script>
		addEventListener('keydown', e => log([e.key, e.code, e.ctrlKey ? 'C' : '', e.shiftKey ? 'S' : '', e.altKey ? 'A' : ''].filter(Boolean).join(' ')))</script>`
	for _, c := range []struct {
		name        string
		do          func(*tab) error
		log         []string
		check, want string
	}{
		{"a character", key("x"), []string{"x KeyX"}, "f.value", `"abcx"`},
		{"an upper-case character", key("X"), []string{"X KeyX"}, "f.value", `"abcX"`},
		{"Backspace", key("Backspace"), []string{"Backspace Backspace"}, "f.value", `"ab"`},
		{"ArrowLeft", key("ArrowLeft"), []string{"ArrowLeft ArrowLeft"}, "f.selectionStart", "2"},
		{"Tab", key("Tab"), []string{"Tab Tab"}, "document.activeElement == f", "false"},
		{"F2", key("F2"), []string{"F2 F2"}, "f.value", `"abc"`},
		{"Mod+A", shortcut("Mod+A"), []string{"Control ControlLeft C", "a KeyA C"}, "f.selectionEnd - f.selectionStart", "3"},
		{"Control+Shift+K", shortcut("Control+Shift+K"), []string{"Control ControlLeft C", "Shift ShiftLeft C S", "K KeyK C S"}, "f.value", `"abc"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(html)
			if err := c.do(tb); err != nil {
				t.Fatal(err)
			}
			log := tb.site.until(t, "keys", func(log []string) bool { return len(log) >= len(c.log) })
			if strings.Join(log, ",") != strings.Join(c.log, ",") {
				t.Errorf("the page saw %q, want %q", log, c.log)
			}
			if got := tb.eval(c.check); got != c.want {
				t.Errorf("%s is %s, want %s", c.check, got, c.want)
			}
		})
	}
}

func key(name string) func(*tab) error {
	return func(tb *tab) error {
		return only(tb.rt.Key(tb.ctx, tb.call, browser.KeyInput{Key: name, Target: "name=Name"}))
	}
}

func shortcut(keys string) func(*tab) error {
	return func(tb *tab) error {
		return only(tb.rt.Shortcut(tb.ctx, tb.call, browser.ShortcutInput{Keys: keys, Target: "name=Name"}))
	}
}

// Turning on and off presses once, and not at all when the state is as wanted.
func TestCheckAndUncheck(t *testing.T) {
	all := open(t)
	for _, c := range []struct {
		name, html, state string
	}{
		{"checkbox", `<label><input id=c type=checkbox onclick="log('pressed')"> Yes</label>`, "c.checked"},
		{"hidden behind its label", `<style>#c{position:absolute;opacity:0}</style><label>Yes <input id=c type=checkbox onclick="log('pressed')"></label>`, "c.checked"},
		{"ARIA switch", `<div id=c role=switch tabindex=0 aria-checked=false aria-label=Yes
			onclick="this.ariaChecked = this.ariaChecked != 'true'; log('pressed')">o</div>`, "c.ariaChecked == 'true'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(c.html)
			for i, step := range []struct {
				on, already bool
			}{{true, false}, {true, true}, {false, false}, {false, true}} {
				do := tb.rt.Check
				if !step.on {
					do = tb.rt.Uncheck
				}
				r, err := do(tb.ctx, tb.call, browser.CheckInput{Target: "name=Yes"})
				if err != nil {
					t.Fatalf("step %d: %v", i, err)
				}
				if e := r.Evidence; e == nil || e.Checked == nil || *e.Checked != step.on || e.AlreadySo != step.already || r.Status != contract.Succeeded {
					t.Errorf("step %d: %s %+v", i, r.Status, r.Evidence)
				}
				if got := tb.eval(c.state); got != strconv.FormatBool(step.on) {
					t.Errorf("step %d: the page holds %s", i, got)
				}
			}
			tb.wantLog("pressed", "pressed")
		})
	}
	t.Run("radio", func(t *testing.T) {
		tb := all.in(t)
		tb.show(`<label><input type=radio name=r> S</label><label><input type=radio name=r> M</label>`)
		for _, name := range []string{"S", "M", "M"} {
			if r, err := tb.rt.Check(tb.ctx, tb.call, browser.CheckInput{Target: "name=" + name}); err != nil || r.Status != contract.Succeeded {
				t.Errorf("%s: %+v %v", name, r, err)
			}
		}
		_, err := tb.rt.Uncheck(tb.ctx, tb.call, browser.CheckInput{Target: "name=M"})
		failure(t, err, contract.VerificationFailed)
	})
	t.Run("a box that will not", func(t *testing.T) {
		tb := all.in(t)
		tb.show(`<label><input type=checkbox onclick="return false"> Yes</label>`)
		r, err := tb.rt.Check(tb.ctx, tb.call, browser.CheckInput{Target: "name=Yes"})
		if err != nil || r.Status != contract.CompletedWithVerification {
			t.Errorf("%+v %v", r, err)
		}
	})
	t.Run("no box", func(t *testing.T) {
		tb := all.in(t)
		tb.show(`<button>Yes</button>`)
		_, err := tb.rt.Check(tb.ctx, tb.call, browser.CheckInput{Target: "name=Yes"})
		failure(t, err, contract.VerificationFailed)
	})
}
