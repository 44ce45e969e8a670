package inpage

import (
	"fmt"
	"strings"
	"testing"
)

// A wait that holds at once, one that a change fulfils, and what is told where it does not come true.
func TestWait(t *testing.T) {
	c := startChromium(t)
	const page = `<!doctype html><meta charset=utf-8><button id=x>Go</button><p id=p>Loading <b id=b>now</b></p>
<input id=f value=old><button id=off disabled>Off</button><div id=list><i>1</i></div><x-a id=host></x-a>
<div id=faded style="opacity:0">Faded text</div><script>host.attachShadow({mode: 'open'})</script>`
	name := func(v string) string { return `"target":` + one(`{"form":"name","value":"`+v+`"}`) }
	sel := func(v string) string { return `"target":` + css(v) }
	// A change that begins with "-" comes before the wait, which is in vain.
	tests := []struct{ name, args, change, want string }{
		{"text there", `"kind":"text","text":"Loading now"`, "", "ok"},
		{"text appears", `"kind":"text","text":"All done"`, "p.innerHTML = 'All <i>done</i>'", "ok"},
		{"text appears in a text node", `"kind":"text","text":"Ready"`, "b.firstChild.data = 'Ready'", "ok"},
		{"text is shown by a class", `"kind":"text","text":"Faded text"`, "faded.style.opacity = 1", "ok"},
		{"text appears by a transition", `"kind":"text","text":"Faded text"`,
			"faded.style.transition = 'opacity .1s'; faded.style.opacity = 1", "ok"},
		{"text appears in a shadow root", `"kind":"text","text":"Deep"`, "host.shadowRoot.innerHTML = '<p>Deep</p>'", "ok"},
		{"text in a new shadow root", `"kind":"text","text":"Deep"`,
			"list.attachShadow({mode: 'open'}).innerHTML = '<p>Deep</p>'", "ok"},
		{"text that is not seen", `"kind":"text","text":"Faded text"`, "-", "text absent"},
		{"text goes", `"kind":"text-gone","text":"Loading now"`, "p.hidden = true", "ok"},
		{"text stays", `"kind":"text-gone","text":"Loading now"`, "-", "text present"},
		{"lifecycle", `"kind":"lifecycle","state":"load"`, "", "ok"},
		{"domcontentloaded", `"kind":"lifecycle","state":"domcontentloaded"`, "", "ok"},
		{"url by push", `"kind":"url-prefix","url":"http://127.0.0.1"`, "", "ok"},
		{"another url", `"kind":"url","url":"http://other.example/"`, "-", "another url"},
		{"attached", `"kind":"target-attached",` + sel("#new"), "list.innerHTML = '<b id=new hidden>n</b>'", "ok"},
		{"never attached", `"kind":"target-attached",` + sel("#new"), "-", "absent"},
		{"visible", `"kind":"target-visible",` + sel("#faded"), "faded.style.opacity = 1", "ok"},
		{"never visible", `"kind":"target-visible",` + sel("#faded"), "-", "hidden"},
		{"hidden", `"kind":"target-hidden",` + name("Go"), "x.style.display = 'none'", "ok"},
		{"hidden by removal", `"kind":"target-hidden",` + sel("#x"), "x.remove()", "ok"},
		{"still visible", `"kind":"target-hidden",` + name("Go"), "-", "visible"},
		{"enabled", `"kind":"target-enabled",` + name("Off"), "off.disabled = false", "ok"},
		{"never enabled", `"kind":"target-enabled",` + name("Off"), "-", "disabled"},
		{"stable", `"kind":"target-stable",` + name("Go"), "", "ok"},
		{"never stable", `"kind":"target-stable",` + name("Go"),
			"-x.animate({transform: ['none', 'translateX(300px)']}, {duration: 5000, iterations: Infinity})", "moving"},
		{"ambiguous", `"kind":"target-visible",` + sel("button"), "", "ambiguous 2"},
		{"becomes ambiguous", `"kind":"target-hidden",` + name("Go"),
			"list.innerHTML = '<button>Go</button>'", "ambiguous 2"},
		{"bad css", `"kind":"target-visible",` + sel("[["), "", "invalid_argument css"},
		{"count", `"kind":"count","count":3,` + sel("#list i"), "list.innerHTML = '<i>1</i><i>2</i><i>3</i>'", "ok"},
		{"count of none", `"kind":"count","count":0,` + sel("#list i"), "list.innerHTML = ''", "ok"},
		{"another count", `"kind":"count","count":0,` + sel("#list i"), "-", "1 match"},
		{"value set by a script", `"kind":"value","value":"new",` + sel("#f"), "f.value = 'new'", "ok"},
		{"another value", `"kind":"value","value":"new",` + sel("#f"), "-", "another value"},
		{"unknown", `"kind":"js"`, "", "invalid_argument wait"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, page)
			limit := 60000
			change, isVain := strings.CutPrefix(tt.change, "-")
			if isVain {
				limit = 150
				p.page(change + "; 0")
			}
			args := fmt.Sprintf(`{"client":"c","token":"w","timeoutMs":%d,%s}`, limit, tt.args)
			answer := p.start("wait", args)
			if !isVain {
				p.page(change + "; 0")
			}
			result := answer(t)
			got := told(result)
			if result["ok"] == false {
				got = result["lastState"].(string)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s (%v)", got, tt.want, result)
			}
			if left := p.run("cancelWait", `{"token":"w"}`); left["ok"] != false {
				t.Error("the wait is still there")
			}
		})
	}
}

// start calls a handler and returns at once; the answer is had from the function that it returns.
func (p *actPage) start(name, args string) func(t *testing.T) map[string]any {
	p.tb.Helper()
	type outcome struct {
		result map[string]any
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = p.try(p.world, runExpression(name, args), &o.result)
		done <- o
	}()
	return func(t *testing.T) map[string]any {
		t.Helper()
		o := <-done
		if o.err != nil {
			t.Fatal(o.err)
		}
		return o.result
	}
}

// A reference is followed through the very change that is waited for.
func TestWaitFollowsReference(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><button id=x disabled>Pay</button>`)
	p.run("observe", `{"client":"c"}`)
	enabled := `"timeoutMs":60000,"kind":"target-enabled","target":` + one(`{"form":"node","id":1,"guard":true}`)
	answer := p.start("wait", `{"client":"c",`+enabled+`}`)
	p.page("x.disabled = false; x.textContent = 'Pay now'")
	if got := told(answer(t)); got != "ok" {
		t.Errorf("got %s", got)
	}
	if got := told(p.run("wait", `{"client":"d",`+enabled+`}`)); got != "stale_reference unknown" {
		t.Errorf("for a client that was never shown it: got %s", got)
	}
}

// A document that is still being written; writing it anew takes every listener away, so that the poll has to see it.
func TestWaitLifecycle(t *testing.T) {
	c := startChromium(t)
	for _, state := range []string{"load", "complete", "domcontentloaded"} {
		t.Run(state, func(t *testing.T) {
			p := openAct(t, c, `<!doctype html><p>first`)
			p.page("document.open(); document.write('<p>half'); 0")
			args := `"client":"c","kind":"lifecycle","state":"` + state + `"`
			if result := p.run("wait", `{`+args+`,"timeoutMs":100}`); result["lastState"] != "loading" {
				t.Errorf("half written: got %v", result)
			}
			answer := p.start("wait", `{`+args+`,"timeoutMs":60000}`)
			p.page("document.close()")
			if result := answer(t); result["ok"] != true {
				t.Errorf("closed: got %v", result)
			}
		})
	}
}

// An address that a script pushes comes without a mutation.
func TestWaitURL(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><p>text`)
	url, _ := p.page("location.origin + '/orders/7'").(string)
	answer := p.start("wait", `{"client":"c","kind":"url","timeoutMs":60000,"url":`+js(url)+`}`)
	p.page("history.pushState(null, '', '/orders/7')")
	if result := answer(t); result["ok"] != true {
		t.Errorf("got %v", result)
	}
}

func TestCancelWait(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><p>text</p>`)
	answer := p.start("wait", `{"client":"c","token":7,"timeoutMs":60000,"kind":"text","text":"never"}`)
	for p.run("cancelWait", `{"token":7}`)["ok"] != true {
		// The wait has not begun yet.
	}
	if result := answer(t); result["ok"] != false || result["cancelled"] != true {
		t.Errorf("got %v", result)
	}
}

// A page that changes all the time and a wait that is slow to test leave each other room.
func TestWaitOnRestlessPage(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><p id=p></p><script>let n = 0;
(function step() { p.textContent = 'step ' + ++n; setTimeout(step, 0); })()</script>`)
	if got := told(p.run("wait", `{"client":"c","timeoutMs":60000,"kind":"text","text":"step 2"}`)); got != "ok" {
		t.Errorf("got %s", got)
	}
}
