package browser_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// testDeadline bounds one test's calls, on a machine that may be busy.
const testDeadline = 2 * time.Minute

// options of all test browsers: as root Chrome needs to run without its sandbox, and that is said, not assumed.
func testOptions() browser.Options { return browser.Options{NoSandbox: os.Geteuid() == 0} }

var shared struct {
	once sync.Once
	rt   *browser.Runtime
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.rt != nil {
		ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
		if err := shared.rt.Close(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "closing the shared browser:", err)
			code = 1
		}
		cancel()
	}
	os.Exit(code)
}

// tab is a session of its own in the shared browser, with a server for its pages.
type tab struct {
	*testing.T
	rt   *browser.Runtime
	call *browser.Call
	ctx  context.Context
	site *site
}

func open(t *testing.T) *tab {
	t.Helper()
	shared.once.Do(func() {
		shared.rt = browser.NewRuntime(browser.Traced(&browser.RuntimeOptions{Defaults: testOptions()}, traffic.note))
	})
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	tb := &tab{T: t, rt: shared.rt, call: &browser.Call{Client: "test", Session: strings.NewReplacer("/", ".", " ", "_").Replace(t.Name())}, ctx: ctx, site: serve(t)}
	t.Cleanup(func() {
		if _, err := tb.rt.CloseSession(ctx, tb.call, browser.CloseInput{}); err != nil {
			t.Errorf("close: %v", err)
		}
		cancel()
	})
	return tb
}

// site serves pages by path and keeps what they report to /log.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
	log   []report
	added chan struct{}
	asked map[string]chan struct{} // closed at the first request of a path
}

func serve(t testing.TB) *site {
	s := &site{pages: map[string]string{}, added: make(chan struct{}, 1)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

func (s *site) handle(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/log" {
		q := r.URL.Query()
		s.log = append(s.log, report{q.Get("n"), q.Get("e")})
		select {
		case s.added <- struct{}{}:
		default:
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if asked := s.asked[r.URL.Path]; asked != nil {
		close(asked)
		delete(s.asked, r.URL.Path)
	}
	body, ok := s.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, body)
}

// report is one word of a page. Beacons overtake each other on their way, so each says its place.
type report struct{ order, word string }

// logScript gives a page the function log.
const logScript = `<script>let logs=0;const log=e=>navigator.sendBeacon('/log?n='+Math.round(performance.timeOrigin)+'.'+String(logs++).padStart(6,'0')+'&e='+encodeURIComponent(e))</script>`

// logged is what pages have reported so far.
func (s *site) logged() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := slices.Clone(s.log)
	slices.SortStableFunc(log, func(a, b report) int { return strings.Compare(a.order, b.order) })
	var words []string
	for _, r := range log {
		words = append(words, r.word)
	}
	return words
}

// otherHost is the same server under another site's name.
func (s *site) otherHost() string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return "http://localhost:" + port
}

// show serves a page and opens it.
func (tb *tab) show(html string) *browser.PageInfo {
	tb.Helper()
	tb.site.mu.Lock()
	tb.site.pages["/page"] = "<!doctype html><title>Test</title>" + logScript + html
	tb.site.mu.Unlock()
	return tb.visit(tb.site.URL + "/page")
}

func (tb *tab) visit(url string) *browser.PageInfo {
	tb.Helper()
	info, err := tb.rt.Navigate(tb.ctx, tb.call, browser.NavigateInput{URL: url})
	if err != nil {
		tb.Fatalf("navigate: %v", err)
	}
	return info
}

func (tb *tab) observe() *browser.PageContext {
	tb.Helper()
	pc, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{})
	if err != nil {
		tb.Fatalf("observe: %v", err)
	}
	return pc
}

func (tb *tab) click(target string) *browser.ActionResult {
	tb.Helper()
	r, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: target})
	if err != nil {
		tb.Fatalf("click: %v", err)
	}
	return r
}

// ref is the reference of the control with the name in an observation.
func ref(t *testing.T, pc *browser.PageContext, name string) string {
	t.Helper()
	for _, c := range pc.Controls {
		if c.Name == name {
			return c.Ref
		}
	}
	t.Fatalf("no control %q among %+v", name, pc.Controls)
	return ""
}

// eval reads a value of the page for a test's own checks.
func (tb *tab) eval(expression string) string {
	tb.Helper()
	r, err := tb.rt.Evaluate(tb.ctx, tb.call, browser.EvaluateInput{Expression: expression})
	if err != nil {
		tb.Fatalf("evaluate: %v", err)
	}
	return string(r.Value)
}

// failure wants err to be a failure of the kind.
func failure(t *testing.T, err error, kind contract.Kind) *contract.Failure {
	t.Helper()
	f, ok := err.(*contract.Failure)
	if !ok || f.Kind != kind {
		t.Fatalf("got %v (%T), want a failure of kind %s", err, err, kind)
	}
	return f
}
