package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// clock is a page part whose text changes all the time, and a way to wait until it has changed often.
const clock = `<p>Now <span id=t>0</span></p><script>setInterval(() => t.textContent = +t.textContent + 1, 5)</script>`

func (tb *tab) wait(condition string) *browser.WaitResult {
	tb.Helper()
	r, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: condition, TimeoutMs: 30_000})
	if err != nil {
		tb.Fatalf("wait %s: %v", condition, err)
	}
	return r
}

// Text that changes elsewhere leaves the revision alone: an old observation's references stay good.
func TestTickingClockKeepsReferences(t *testing.T) {
	all := open(t)
	for _, c := range []struct{ name, html string }{
		{"beside", clock + `<button onclick="log('save')">Save</button>`},
		{"in another section", `<section>` + clock + `</section><section><h2>Form</h2><button onclick="log('save')">Save</button></section>`},
		{"in another row", `<table><tr><td>` + clock + `</td></tr><tr><td>Order</td><td><button onclick="log('save')">Save</button></td></tr></table>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(c.html)
			first := tb.observe()
			tb.wait("js=+t.textContent > 100")
			if again := tb.observe(); again.Revision != first.Revision {
				t.Errorf("the clock advanced the revision from %d to %d", first.Revision, again.Revision)
			}
			tb.wait(fmt.Sprintf("js=+t.textContent > %s + 20", tb.eval("+t.textContent")))
			tb.click(ref(t, first, "Save"))
			tb.wantLog("save")
		})
	}
}

// What stands about a control is part of what was decided on: the price beside "Buy" (contract.md §2, promise 3).
func TestChangedContextRefuses(t *testing.T) {
	all := open(t)
	for _, c := range []struct{ name, html string }{
		{"table row", `<table><tr><td>Tea<td id=p>3.00<td>BUY</table>`},
		{"list item", `<ul><li>Tea <b id=p>3.00</b> BUY</li><li>Milk 2.00</li></ul>`},
		{"article", `<article><h3>Tea</h3><p id=p>3.00</p><div><div>BUY</div></div></article>`},
		{"plain card", `<div class=grid><div class=card><div>Tea</div><div id=p>3.00</div><div>BUY</div></div><div class=card>Milk 2.00</div></div>`},
		{"ARIA row", `<div role=table><div role=row><span role=cell>Tea</span><span role=cell id=p>3.00</span><span role=cell>BUY</span></div></div>`},
		{"form", `<form onsubmit="return false"><p>Total <output id=p>3.00</output></p>BUY</form>`},
		{"dialog", `<dialog open><p id=p>3.00</p>BUY</dialog>`},
		{"shadow tree", `<x-card></x-card><script>customElements.define('x-card', class extends HTMLElement { connectedCallback() {
			this.attachShadow({mode: 'open'}).innerHTML = '<div><span id=q>3.00</span> BUYQ</div>'; window.p = this.shadowRoot.getElementById('q') } })</script>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			html := strings.ReplaceAll(c.html, "BUYQ", `<button onclick="log(\'bought\')">Buy</button>`)
			tb.show(countEvents + strings.ReplaceAll(html, "BUY", `<button onclick="log('bought')">Buy</button>`) + `<button onclick="log('other')">Other</button>`)
			pc := tb.observe()
			tb.eval("p.textContent = '30.00'; 1")
			_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: ref(t, pc, "Buy"), ActArgs: expecting(pc.Revision)})
			tb.wantRefusal(err, refusal{contract.StaleRevision, contract.PhaseResolution, "context"})
			_, err = tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Buy", ActArgs: expecting(pc.Revision)})
			tb.wantRefusal(err, refusal{contract.StaleRevision, contract.PhaseResolution, "context"})
			_, err = tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: node(t, pc, "Buy")})
			tb.wantRefusal(err, refusal{contract.StaleReference, contract.PhaseResolution, "context"})
			if seen := tb.inputBefore(); len(seen) > 0 {
				t.Errorf("the page saw %v", seen)
			}
			pc = tb.observe()
			tb.click(node(t, pc, "Buy"))
			tb.wantLog("bought")
		})
	}
}

// Every action is held by the same guard: where it has a target also by what stands about that.
func TestEveryActionIsGuarded(t *testing.T) {
	tb := open(t)
	rt, ctx, call := tb.rt, tb.ctx, tb.call
	tb.show(countEvents + `<form onsubmit="return false"><p id=p>1</p><input aria-label=Name value=x>
		<input type=checkbox aria-label=Yes><input type=checkbox checked aria-label=No>
		<select aria-label=Size><option>S<option>M</select></form><p>` + strings.Repeat("<br>", 200))
	pc := tb.observe()
	g := expecting(pc.Revision)
	const name = "name=Name"
	fields := []browser.FieldInput{{Target: name, Value: "y"}}
	tb.eval("p.textContent = '2'; 1")
	for what, err := range map[string]error{
		"click":       only(rt.Click(ctx, call, browser.ClickInput{Target: name, ActArgs: g})),
		"doubleClick": only(rt.DoubleClick(ctx, call, browser.DoubleClickInput{Target: name, ActArgs: g})),
		"hover":       only(rt.Hover(ctx, call, browser.HoverInput{Target: name, ActArgs: g})),
		"scroll":      only(rt.Scroll(ctx, call, browser.ScrollInput{Target: name, ActArgs: g})),
		"type":        only(rt.Type(ctx, call, browser.TypeInput{Target: name, Text: "y", ActArgs: g})),
		"clear":       only(rt.Clear(ctx, call, browser.ClearInput{Target: name, ActArgs: g})),
		"key":         only(rt.Key(ctx, call, browser.KeyInput{Target: name, Key: "a", ActArgs: g})),
		"shortcut":    only(rt.Shortcut(ctx, call, browser.ShortcutInput{Target: name, Keys: "Mod+A", ActArgs: g})),
		"check":       only(rt.Check(ctx, call, browser.CheckInput{Target: "name=Yes", ActArgs: g})),
		"uncheck":     only(rt.Uncheck(ctx, call, browser.CheckInput{Target: "name=No", ActArgs: g})),
		"select":      only(rt.Select(ctx, call, browser.SelectInput{Target: "name=Size", Value: "M", ActArgs: g})),
		"fillForm":    only(rt.FillForm(ctx, call, browser.FillFormInput{Fields: fields, ActArgs: g})),
	} {
		t.Run(what+" by context", func(t *testing.T) {
			tb := tb.in(t)
			tb.wantRefusal(err, refusal{contract.StaleRevision, contract.PhaseResolution, "context"})
		})
	}
	tb.eval("document.querySelector('form').append(document.createElement('button')); 1")
	for what, err := range map[string]error{
		"navigate": only(rt.Navigate(ctx, call, browser.NavigateInput{URL: tb.site.URL + "/page", ActArgs: g})),
		"click":    only(rt.Click(ctx, call, browser.ClickInput{Target: name, ActArgs: g})),
		"key":      only(rt.Key(ctx, call, browser.KeyInput{Key: "Tab", ActArgs: g})),
		"shortcut": only(rt.Shortcut(ctx, call, browser.ShortcutInput{Keys: "Mod+A", ActArgs: g})),
		"scroll":   only(rt.Scroll(ctx, call, browser.ScrollInput{To: "bottom", ActArgs: g})),
		"clickAt":  only(rt.ClickAt(ctx, call, browser.ClickAtInput{X: 5, Y: 5, ActArgs: g})),
		"reload":   only(rt.Reload(ctx, call, browser.HistoryInput{ActArgs: g})),
		"back":     only(rt.Back(ctx, call, browser.HistoryInput{ActArgs: g})),
	} {
		t.Run(what+" by revision", func(t *testing.T) {
			tb := tb.in(t)
			tb.wantRefusal(err, refusal{contract.StaleRevision, contract.PhasePreflight, "revision"})
		})
	}
	if seen := tb.inputBefore(); len(seen) > 0 {
		t.Errorf("the page saw %v", seen)
	}
}

// On a page whose controls never rest, the target itself is the guard.
func TestRestlessPageIsUsableByNode(t *testing.T) {
	tb := open(t)
	tb.show(`<button onclick="log('one')">One</button><button onclick="log('two')">Two</button><div id=more></div><script>let n = 0;
		setInterval(() => { const b = document.createElement('button'); b.textContent = 'new ' + ++n; more.append(b); if (n > 60) more.firstChild.remove() }, 3)</script>`)
	pc := tb.observe()
	last := pc.Revision
	for range 5 {
		for _, name := range []string{"One", "Two"} {
			if r := tb.click(node(t, pc, name)); r.Revision <= last {
				t.Errorf("revision %d after %d", r.Revision, last)
			} else {
				last = r.Revision
			}
		}
	}
	tb.wantLog("one", "two", "one", "two", "one", "two", "one", "two", "one", "two")
	_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: ref(t, pc, "One")})
	failure(t, err, contract.StaleReference)
}

// A node number of a page that is gone never presses anything on the next.
func TestNodesDieWithTheirDocument(t *testing.T) {
	all := open(t)
	const html = `<title>Next</title>` + logScript + countEvents + `<button onclick="log('pressed')">Save</button>`
	for _, c := range []struct {
		name string
		move func(tb *tab)
	}{
		{"same site", func(tb *tab) { tb.visit(tb.site.URL + "/next") }},
		{"another site, in another process", func(tb *tab) { tb.visit(tb.site.otherHost() + "/next") }},
		{"reload", func(tb *tab) {
			if _, err := tb.rt.Reload(tb.ctx, tb.call, browser.HistoryInput{}); err != nil {
				tb.Fatal(err)
			}
		}},
		{"by a link", func(tb *tab) { tb.click("name=On") }},
		{"by the page itself", func(tb *tab) {
			tb.later("location.href = '/next'")
			tb.wait("url-prefix=" + tb.site.URL + "/next")
			tb.wait("lifecycle=load")
		}},
		{"document.open", func(tb *tab) {
			tb.eval("const s = document.body.innerHTML; document.open(); document.write(s); document.close(); window.seen = []; 1")
		}},
		{"another site and back", func(tb *tab) { tb.visit(tb.site.otherHost() + "/next"); tb.visit(tb.site.URL + "/next") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.site.put("/next", html)
			tb.show(countEvents + `<button onclick="log('pressed')">Save</button><a href=/next>On</a>`)
			before := tb.observe()
			n, r := node(t, before, "Save"), ref(t, before, "Save")
			c.move(tb)
			for _, looked := range []bool{false, true} {
				for _, target := range []string{n, r} {
					_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: target})
					f, ok := err.(*contract.Failure)
					if !ok || f.Kind != contract.StaleReference && f.Kind != contract.Detached || !f.BeforeDispatch() {
						t.Errorf("looked %v: %v, want a stale reference", looked, err)
					}
				}
				if now := tb.observe(); node(t, now, "Save") == n {
					t.Errorf("the number %s names a node of the new document", n)
				}
			}
			if log := tb.site.logged(); len(log) > 0 {
				t.Errorf("pressed: %v", log)
			}
			tb.click(node(t, tb.observe(), "Save"))
			tb.wantLog("pressed")
		})
	}
}

// Each client is judged by what it was shown itself.
func TestClientsHaveViewsOfTheirOwn(t *testing.T) {
	tb := open(t)
	other := *tb
	call := *tb.call
	call.Client = "other"
	other.call = &call
	tb.show(`<ul><li><span id=p>3.00</span> <button onclick="log('bought')">Buy</button></li></ul>`)
	mine := tb.observe()
	_, err := other.rt.Click(other.ctx, other.call, browser.ClickInput{Target: node(t, mine, "Buy")})
	failure(t, err, contract.StaleReference)
	_, err = other.rt.Click(other.ctx, other.call, browser.ClickInput{Target: "ordinal=1"})
	failure(t, err, contract.NotFound)

	tb.eval("p.textContent = '30.00'; 1")
	theirs := other.observe()
	_, err = tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: node(t, mine, "Buy")})
	tb.wantRefusal(err, refusal{contract.StaleReference, contract.PhaseResolution, "context"})
	other.click(node(t, theirs, "Buy"))
	tb.wantLog("bought")
	_, err = tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: node(t, mine, "Buy")})
	tb.wantRefusal(err, refusal{contract.StaleReference, contract.PhaseResolution, "context"})
}

// What an action itself changed is republished to its caller, and to nobody else.
func TestOwnEffectsKeepReferences(t *testing.T) {
	tb := open(t)
	other := *tb
	call := *tb.call
	call.Client = "other"
	other.call = &call
	tb.show(`<ul><li>Task <b id=s>open</b> <button id=b onclick="s.textContent = s.textContent == 'open' ? 'done' : 'open'; b.textContent = 'Toggle ' + s.textContent; log(s.textContent)">Toggle</button>
		<a href=#x>Details</a></li></ul>`)
	pc, theirs := tb.observe(), other.observe()
	toggle, details := node(t, pc, "Toggle"), node(t, pc, "Details")
	tb.click(toggle)
	tb.click(toggle)
	tb.click(details)
	r := tb.click(toggle)
	tb.wantLog("done", "open", "done")
	tb.click(r.Target.Reference)
	tb.wantLog("done", "open", "done", "open")
	_, err := other.rt.Click(other.ctx, other.call, browser.ClickInput{Target: node(t, theirs, "Toggle")})
	failure(t, err, contract.StaleReference)
}
