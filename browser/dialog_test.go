package browser_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// promptly bounds what must not hang, on a busy machine.
const promptly = 10 * time.Second

// within is the tab with a deadline for calls that must not hang.
func (tb *tab) within(d time.Duration) *tab {
	ctx, cancel := context.WithTimeout(tb.ctx, d)
	tb.Cleanup(cancel)
	sub := *tb
	sub.ctx = ctx
	return &sub
}

// dialogKinds are the dialogs that a page can open, with what they return when accepted and dismissed.
var dialogKinds = []struct {
	kind, script, message, initial string
	text                           *string
	accepted, dismissed            string
}{
	{"alert", "alert('Careful')", "Careful", "", nil, "undefined", "undefined"},
	{"confirm", "confirm('Really?')", "Really?", "", nil, "true", "false"},
	{"prompt", "prompt('Name?', 'Bob')", "Name?", "Bob", new("Ada <é>"), "Ada <é>", "null"},
	{"prompt", "prompt('Name?', 'Bob')", "Name?", "Bob", new(""), "", "null"},
}

func (tb *tab) wantDialog(d *contract.Dialog, kind, message, initial string) {
	tb.Helper()
	if d == nil || d.Type != kind || d.Message != message || d.DefaultValue != initial {
		tb.Errorf("dialog %+v, want %s %q %q", d, kind, message, initial)
	}
}

func (tb *tab) accept(text *string) *browser.DialogResult {
	tb.Helper()
	r, err := tb.rt.AcceptDialog(tb.ctx, tb.call, browser.AcceptDialogInput{Text: text})
	if err != nil {
		tb.Fatalf("accept: %v", err)
	}
	return r
}

func (tb *tab) dismiss() *browser.DialogResult {
	tb.Helper()
	r, err := tb.rt.DismissDialog(tb.ctx, tb.call, browser.DismissDialogInput{})
	if err != nil {
		tb.Fatalf("dismiss: %v", err)
	}
	return r
}

func TestDialogOpenedByClick(t *testing.T) {
	all := open(t)
	for _, c := range dialogKinds {
		t.Run(c.kind, func(t *testing.T) {
			tb := all.in(t).within(promptly)
			tb.show(`<button onclick="log(String(` + c.script + `))">Ask</button>`)
			for _, accept := range []bool{true, false} {
				tb.site.forget()
				r := tb.click("name=Ask")
				tb.wantDialog(r.Verification.DialogOpen, c.kind, c.message, c.initial)
				if r.Status != contract.Succeeded || r.Revision <= r.PreviousRevision {
					t.Errorf("outcome %+v", r.Outcome)
				}
				want := c.dismissed
				var answered *browser.DialogResult
				if accept {
					want, answered = c.accepted, tb.accept(c.text)
				} else {
					answered = tb.dismiss()
				}
				tb.wantDialog(&answered.Answered, c.kind, c.message, c.initial)
				tb.wantLog(want)
				if pc := tb.observe(); pc.Dialog != nil || pc.Revision < answered.Revision {
					t.Errorf("afterwards: %+v", pc)
				}
			}
		})
	}
}

func TestDialogOpenedByTimer(t *testing.T) {
	all := open(t)
	for _, c := range dialogKinds {
		t.Run(c.kind, func(t *testing.T) {
			tb := all.in(t).within(promptly)
			tb.show(`<button>Save</button><script>addEventListener('message', () => setTimeout(() => log(String(` + c.script + `)), 20))</script>`)
			tb.eval("postMessage(1); 1")
			answered := tb.accept(c.text) // it waits for the dialog
			tb.wantDialog(&answered.Answered, c.kind, c.message, c.initial)
			tb.wantLog(c.accepted)
		})
	}
}

func TestDialogDuringLoad(t *testing.T) {
	all := open(t)
	for _, c := range dialogKinds {
		t.Run(c.kind, func(t *testing.T) {
			tb := all.in(t).within(promptly)
			info := tb.show(`<button>Early</button><script>log(String(` + c.script + `))</script><button>Late</button>`)
			tb.wantDialog(info.Dialog, c.kind, c.message, c.initial)
			tb.accept(c.text)
			tb.wantLog(c.accepted)
			tb.wait("lifecycle=load")
			if pc := tb.observe(); len(pc.Controls) != 2 {
				t.Errorf("controls %+v", pc.Controls)
			}
		})
	}
}

// While a dialog is open, the page cannot answer: what was seen before is answered, and nothing is sent.
func TestOperationsUnderDialog(t *testing.T) {
	tb := open(t).within(promptly)
	rt, ctx, call := tb.rt, tb.ctx, tb.call
	tb.show(countEvents + `<p>Words</p><button onclick="alert('Careful'); log('on')">Ask</button><input aria-label=Name>
		<input type=checkbox aria-label=Yes><select aria-label=Size><option>S</select>`)
	before := tb.observe()
	tb.click("name=Ask")

	pc := tb.observe()
	tb.wantDialog(pc.Dialog, "alert", "Careful", "")
	if !slices.Contains(pc.Incomplete, "dialog") || !pc.Cached || len(pc.Controls) != len(before.Controls) || !strings.Contains(pc.Text, "Words") {
		t.Errorf("observe: %+v", pc)
	}
	text, err := rt.GetText(ctx, call, browser.TextInput{})
	if err != nil || !strings.Contains(text.Text, "Words") || !slices.Contains(text.Incomplete, "dialog") {
		t.Errorf("text: %+v %v", text, err)
	}
	tb.wantDialog(text.Dialog, "alert", "Careful", "")
	found, err := rt.Find(ctx, call, browser.FindInput{Query: "ask"})
	if err != nil || len(found.Matches) != 1 || found.Matches[0].Name != "Ask" || !slices.Contains(found.Incomplete, "dialog") {
		t.Errorf("find: %+v %v", found, err)
	}
	tb.wantDialog(found.Dialog, "alert", "Careful", "")

	const target = "name=Name"
	fields := []browser.FieldInput{{Target: target, Value: "y"}}
	for what, err := range map[string]error{
		"click":     only(rt.Click(ctx, call, browser.ClickInput{Target: "name=Ask"})),
		"hover":     only(rt.Hover(ctx, call, browser.HoverInput{Target: target})),
		"scroll":    only(rt.Scroll(ctx, call, browser.ScrollInput{To: "bottom"})),
		"type":      only(rt.Type(ctx, call, browser.TypeInput{Target: target, Text: "y"})),
		"clear":     only(rt.Clear(ctx, call, browser.ClearInput{Target: target})),
		"key":       only(rt.Key(ctx, call, browser.KeyInput{Key: "a"})),
		"shortcut":  only(rt.Shortcut(ctx, call, browser.ShortcutInput{Keys: "Mod+A"})),
		"check":     only(rt.Check(ctx, call, browser.CheckInput{Target: "name=Yes"})),
		"select":    only(rt.Select(ctx, call, browser.SelectInput{Target: "name=Size", Value: "S"})),
		"fillForm":  only(rt.FillForm(ctx, call, browser.FillFormInput{Fields: fields})),
		"clickAt":   only(rt.ClickAt(ctx, call, browser.ClickAtInput{X: 5, Y: 5})),
		"preflight": only(rt.Preflight(ctx, call, browser.PreflightInput{Target: target})),
		"evaluate":  only(rt.Evaluate(ctx, call, browser.EvaluateInput{Expression: "1"})),
	} {
		f := failure(t, err, contract.HitTestBlocked)
		if f.Reason != "dialog" || f.SuggestedTool != contract.ToolDismissDialog || !f.BeforeDispatch() {
			t.Errorf("%s: %+v", what, f)
		}
		tb.wantDialog(f.Dialog, "alert", "Careful", "")
	}
	tb.dismiss()
	tb.wantLog("on")
	tb.eval("seen.length = 0") // the press that opened the dialog, and what it moved
	if seen := tb.inputBefore(); len(seen) > 0 {
		t.Errorf("the page saw %v", seen)
	}
}

func TestNoDialogToAnswer(t *testing.T) {
	tb := open(t).within(promptly)
	tb.show(`<p>calm</p>`)
	_, err := tb.rt.AcceptDialog(tb.ctx, tb.call, browser.AcceptDialogInput{})
	failure(t, err, contract.NotFound)
}

// A page that asks without end can be left, and its target closed.
func TestEndlessDialogs(t *testing.T) {
	const loop = `<title>Loop</title><button onclick="for (;;) alert('again')">Go</button>`
	for _, c := range []struct {
		name string
		end  func(tb *tab)
	}{
		{"navigate", func(tb *tab) { tb.visit(tb.site.URL + "/calm") }},
		{"navigate to another site", func(tb *tab) { tb.visit(tb.site.otherHost() + "/calm") }},
		{"reload", func(tb *tab) {
			if _, err := tb.rt.Reload(tb.ctx, tb.call, browser.HistoryInput{}); err != nil {
				tb.Fatal(err)
			}
		}},
		{"close the target", func(tb *tab) {
			made, err := tb.rt.CreateTarget(tb.ctx, tb.call, browser.CreateTargetInput{URL: tb.site.URL + "/calm"})
			if err != nil {
				tb.Fatal(err)
			}
			if _, err := tb.rt.CloseTarget(tb.ctx, tb.call, browser.TargetInput{}); err != nil {
				tb.Fatal(err)
			}
			if _, err := tb.rt.SelectTarget(tb.ctx, tb.call, browser.TargetInput{TargetID: made.TargetID}); err != nil {
				tb.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := open(t).within(3 * promptly)
			tb.site.put("/loop", loop)
			tb.site.put("/calm", `<title>Calm</title><button>Calm</button>`)
			tb.visit(tb.site.URL + "/loop")
			tb.click("name=Go")
			r := tb.dismiss()
			if r.Dialog == nil {
				t.Error("the next dialog is not told")
			}
			c.end(tb)
			if pc := tb.observe(); pc.Dialog != nil || len(pc.Controls) != 1 {
				t.Errorf("afterwards: %+v", pc)
			}
		})
	}
}

// A page that asks before it is left stays, and says so, unless the caller accepts.
func TestBeforeUnload(t *testing.T) {
	tb := open(t).within(3 * promptly)
	tb.site.put("/next", `<title>Next</title>`)
	tb.show(`<button>Touch</button><script>addEventListener('beforeunload', e => { e.preventDefault(); log('asked') })</script>`)
	tb.click("name=Touch") // the browser asks only on pages that were used
	for what, err := range map[string]error{
		"navigate": only(tb.rt.Navigate(tb.ctx, tb.call, browser.NavigateInput{URL: tb.site.URL + "/next"})),
		"reload":   only(tb.rt.Reload(tb.ctx, tb.call, browser.HistoryInput{})),
		"dismiss":  only(tb.rt.Navigate(tb.ctx, tb.call, browser.NavigateInput{URL: tb.site.URL + "/next", BeforeUnload: "dismiss"})),
	} {
		f := failure(t, err, contract.VerificationFailed)
		if f.Reason != "before_unload" || f.Dialog != nil {
			t.Errorf("%s: %+v", what, f)
		}
	}
	pc := tb.observe()
	if pc.Page.Title != "Test" || pc.Dialog != nil {
		t.Errorf("the page did not stay: %+v", pc.Page)
	}
	tb.click(node(t, pc, "Touch"))
	info, err := tb.rt.Navigate(tb.ctx, tb.call, browser.NavigateInput{URL: tb.site.URL + "/next", BeforeUnload: "accept"})
	if err != nil || info.Title != "Next" || info.Dialog != nil {
		t.Errorf("accepted: %+v %v", info, err)
	}
	tb.wantLog("asked", "asked", "asked", "asked")
}

// A press that leaves a page which asks: the question is told, and its answer decides.
func TestBeforeUnloadByClick(t *testing.T) {
	tb := open(t).within(3 * promptly)
	tb.site.put("/next", `<title>Next</title>`)
	tb.show(`<button>Touch</button><a href=/next>On</a><script>addEventListener('beforeunload', e => e.preventDefault())</script>`)
	tb.click("name=Touch")
	r := tb.click("name=On")
	if d := r.Verification.DialogOpen; d == nil || d.Type != "beforeunload" {
		t.Fatalf("dialog %+v", d)
	}
	tb.dismiss()
	if pc := tb.observe(); pc.Page.Title != "Test" {
		t.Errorf("left: %+v", pc.Page)
	}
	tb.click("name=On")
	tb.accept(nil)
	tb.wait("url=" + tb.site.URL + "/next")
}
