package browser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// silent is a server that takes requests and never answers until the test ends.
func silent(t *testing.T) string {
	t.Helper()
	over := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over); s.Close() })
	return s.URL
}

// A script that keeps its page busy is ended, and the page can be used again (reliability.md F4).
func TestBusyPagesAreEnded(t *testing.T) {
	tb := open(t)
	tb.show(`<button onclick="log('pressed')">Go</button>`)
	pc := tb.observe()
	tb.later("while (true) {}")
	if again := tb.observe(); len(again.Controls) != 1 {
		t.Errorf("controls %+v", again.Controls)
	}
	tb.later("while (true) {}")
	tb.click(ref(t, pc, "Go"))
	tb.wantLog("pressed")
}

func TestPressWithoutEffectAnswers(t *testing.T) {
	tb := open(t)
	tb.show(`<button>Nothing</button> <a href="#x">Here</a> <a href="/elsewhere" onclick="return false">Prevented</a> <form onsubmit="return false"><button>Send</button></form>`)
	for _, name := range []string{"Nothing", "Here", "Prevented", "Send"} {
		r := tb.click("name=" + name)
		if r.Delta.Text != "" || r.Verification.NavigationPending || r.Delta.Full {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestPressThatNavigatesSlowlyAnswers(t *testing.T) {
	tb := open(t)
	tb.show(`<a href="` + silent(t) + `/">Away</a>`)
	start := time.Now()
	r := tb.click("name=Away")
	if !r.Verification.NavigationPending {
		t.Errorf("verification %+v", r.Verification)
	}
	if took := time.Since(start); took < browser.NavigationAfter || took > browser.ActionDeadline {
		t.Errorf("answered after %v", took)
	}
	_, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{}) // the browser keeps everything back meanwhile
	if f := failure(t, err, contract.Timeout); f.Reason != "navigating" {
		t.Errorf("observing meanwhile: %+v", f)
	}
	tb.show("<p>Elsewhere")
	if pc := tb.observe(); pc.Text != "Elsewhere" {
		t.Errorf("afterwards the page shows %q", pc.Text)
	}
}

// An answer without content leaves the page where it is, with the effect that the press had on it.
func TestPressThatNavigatesToNothing(t *testing.T) {
	tb := open(t)
	tb.show(`<a href="/log?e=asked" onclick="o.textContent='Asked'">Ask</a><p id=o></p>`)
	r := tb.click("name=Ask")
	if r.Delta == nil || r.Delta.Text != "Asked" || r.Verification.NavigationPending {
		t.Errorf("delta %+v, verification %+v", r.Delta, r.Verification)
	}
	tb.wantLog("asked")
	tb.click("name=Ask")
}

func TestNavigationObeysItsDeadline(t *testing.T) {
	tb := open(t)
	tb.show("<p>Here")
	_, err := tb.rt.Navigate(tb.ctx, tb.call, browser.NavigateInput{URL: silent(t), TimeoutMs: 300})
	f := failure(t, err, contract.Timeout)
	if f.BeforeDispatch() {
		t.Errorf("phase %s", f.Phase)
	}
	tb.show("<p>Again")
	if pc := tb.observe(); pc.Text != "Again" {
		t.Errorf("afterwards the page shows %q", pc.Text)
	}
}

func TestAnsweringNoDialogIsSaidSoon(t *testing.T) {
	tb := open(t)
	tb.show("<p>")
	start := time.Now()
	_, err := tb.rt.AcceptDialog(tb.ctx, tb.call, browser.AcceptDialogInput{})
	failure(t, err, contract.NotFound)
	if took := time.Since(start); took < browser.DialogWait {
		t.Errorf("said after %v already", took)
	}
}
