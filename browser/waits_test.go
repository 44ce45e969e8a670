package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// Every condition that is awaited in the page: already true, becoming true, never true.
func TestWaitConditions(t *testing.T) {
	all := open(t)
	const html = `<p id=p>Hello <b>big</b> world</p><button id=b>Save</button><input id=i aria-label=Name disabled>
		<button id=h hidden>Hidden</button><div id=m style="position:absolute;top:300px"><button>Mover</button></div>`
	for _, c := range []struct {
		name, yes, no string // conditions that hold and do not
		later         string // makes no true
	}{
		{"lifecycle", "lifecycle=load", "", ""},
		{"domcontentloaded", "lifecycle=domcontentloaded", "", ""},
		{"complete", "lifecycle=complete", "", ""},
		{"url", "url=URL/page", "url=URL/page#there", "location.hash = 'there'"},
		{"url by history", "url=URL/page", "url=URL/page/2", "history.pushState(0, '', '/page/2')"},
		{"url-prefix", "url-prefix=URL/pa", "url-prefix=URL/other", "history.pushState(0, '', '/other/1')"},
		{"attached", "target-attached=css=#b", "target-attached=css=#new", "b.insertAdjacentHTML('afterend', '<i id=new>x</i>')"},
		{"visible", "target-visible=name=Save", "target-visible=css=#h", "h.hidden = false"},
		{"visible by style sheet", "target-visible=name=Save", "target-visible=css=#h", "h.hidden = false"},
		{"hidden", "target-hidden=css=#h", "target-hidden=css=#b", "b.style.display = 'none'"},
		{"hidden by removal", "target-hidden=css=#none", "target-hidden=css=#b", "b.remove()"},
		{"enabled", "target-enabled=name=Save", "target-enabled=css=#i", "i.disabled = false"},
		{"stable", "target-stable=name=Save", "", ""},
		{"text", "text=Hello big world", "text=Goodbye", "p.textContent = 'Goodbye'"},
		{"text shown", "text=big", "text=Hidden", "h.hidden = false"},
		{"text-gone", "text-gone=Goodbye", "text-gone=Hello", "p.remove()"},
		{"js", "js=1 < 2", "js=window.ready === true", "window.ready = true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(html)
			here := func(s string) string { return strings.ReplaceAll(s, "URL", tb.site.URL) }
			tb.wait(here(c.yes))
			if c.no == "" {
				return
			}
			_, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: here(c.no), TimeoutMs: 150})
			f := failure(t, err, contract.Timeout)
			kind, _, _ := strings.Cut(c.no, "=")
			if f.Condition != kind || f.DeadlineMs != 150 || f.LastState == "" || !f.Recoverable {
				t.Errorf("timeout %+v", f)
			}
			var work sync.WaitGroup
			work.Go(func() { tb.wait(here(c.no)) })
			tb.later(c.later)
			work.Wait()
		})
	}
}

func TestWaitRefusals(t *testing.T) {
	tb := open(t)
	tb.show(`<button>Save</button><button>Save</button>`)
	for condition, kind := range map[string]contract.Kind{
		"nonsense": contract.InvalidArgument, "text=": contract.InvalidArgument, "lifecycle=never": contract.InvalidArgument,
		"target-visible=role=button": contract.InvalidArgument, "network-quiet=soon": contract.InvalidArgument, "js=1": contract.InvalidArgument,
		"target-visible=name=Save": contract.Ambiguous,
	} {
		_, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: condition, TimeoutMs: 2000})
		if f, ok := err.(*contract.Failure); !ok || f.Kind != kind {
			t.Errorf("%s: %v, want %s", condition, err, kind)
		}
	}
}

// A wait does not hold up other operations, and sees the documents that come meanwhile.
func TestWaitAcrossNavigationAndOperations(t *testing.T) {
	tb := open(t)
	tb.site.put("/next", `<title>Next</title><p>Arrived</p>`)
	tb.show(`<button onclick="log('pressed')">Save</button>`)
	var work sync.WaitGroup
	for _, condition := range []string{"text=Arrived", "url=" + tb.site.URL + "/next", "target-attached=css=p"} {
		work.Go(func() {
			if _, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: condition, TimeoutMs: 60_000}); err != nil {
				t.Errorf("%s: %v", condition, err)
			}
		})
	}
	for range 3 {
		tb.click("name=Save")
		tb.observe()
	}
	tb.visit(tb.site.otherHost() + "/next")
	tb.visit(tb.site.URL + "/next")
	work.Wait()
	tb.wantLog("pressed", "pressed", "pressed")
}

// network-quiet waits for requests that are open, and gives the domain back.
func TestNetworkQuiet(t *testing.T) {
	tb := open(t)
	let, asked := make(chan struct{}), make(chan struct{}, 1)
	slow := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-let
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "done")
	})
	tb.show(`<p id=p>calm</p>`)
	tb.wait("network-quiet=50")
	tb.observe() // behind what that wait gave back
	started := make(chan error, 1)
	_, _, sent := traffic.of(func() {
		go func() {
			_, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "network-quiet=200", TimeoutMs: 30_000})
			started <- err
		}()
		tb.eval("fetch('" + slow + "').then(r => r.text()).then(t => { p.textContent = t }); 1")
		<-asked
		_, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "text=done", TimeoutMs: 400})
		failure(t, err, contract.Timeout)
		close(let)
		if err := <-started; err != nil {
			t.Fatal(err)
		}
		tb.wait("text=done")
	})
	if sent["Network.enable"] != 1 || sent["Network.disable"] != 1 {
		t.Errorf("leases of the Network domain: %v", sent)
	}
}

// A cancelled wait leaves nothing behind.
func TestCancelledWait(t *testing.T) {
	tb := open(t)
	tb.show(`<p>calm</p>`)
	tb.observe()
	for _, condition := range []string{"text=never", "target-visible=name=never", "js=false", "network-quiet=60000", "url=never"} {
		ctx, cancel := context.WithCancel(tb.ctx)
		done := make(chan error, 1)
		_, _, sent := traffic.of(func() {
			go func() {
				_, err := tb.rt.Wait(ctx, tb.call, browser.WaitInput{Condition: condition, TimeoutMs: 60_000})
				done <- err
			}()
			tb.observe() // goes on meanwhile
			cancel()
			failure(t, <-done, contract.Canceled)
			tb.observe()
		})
		if sent["Network.enable"] != sent["Network.disable"] {
			t.Errorf("%s: %v", condition, sent)
		}
	}
	if r := tb.observe(); !r.Cached {
		t.Error("something still stirs in the page")
	}
}
