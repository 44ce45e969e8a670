package browser_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// expecting is the guard of an action.
func expecting(r contract.Revision) browser.ActArgs {
	return browser.ActArgs{ExpectedRevision: int64(r)}
}

// only is the error of a call whose result does not matter.
func only[T any](_ T, err error) error { return err }

// in is the same tab for a subtest. What pages have reported is forgotten.
func (tb *tab) in(t *testing.T) *tab {
	tb.site.forget()
	sub := *tb
	sub.T = t
	return &sub
}

// node is the unrevisioned form of a control's reference.
func node(t *testing.T, pc *browser.PageContext, name string) string {
	t.Helper()
	r, ok := contract.ParseRef(ref(t, pc, name))
	if !ok {
		t.Fatalf("the reference of %q cannot be read", name)
	}
	return "node=" + r.Node
}

// until waits for pages to report what makes done true.
func (s *site) until(t *testing.T, what string, done func(log []string) bool) []string {
	t.Helper()
	limit := time.NewTimer(testDeadline / 4)
	defer limit.Stop()
	for {
		log := s.logged()
		if done(log) {
			return log
		}
		select {
		case <-s.added:
		case <-limit.C:
			t.Fatalf("%s: the pages reported only %v", what, log)
		}
	}
}

// wantLog waits until pages have reported exactly these words. More of them fail at once.
func (tb *tab) wantLog(want ...string) {
	tb.Helper()
	log := tb.site.until(tb.T, "waiting for reports", func(log []string) bool { return len(log) >= len(want) })
	if !slices.Equal(log, want) {
		tb.Errorf("the pages reported %v, want %v", log, want)
	}
}

// later runs a script in the page after the current operation, in a timer task of the page.
func (tb *tab) later(script string) {
	tb.Helper()
	tb.eval("setTimeout(() => { " + script + " }, 0); 1")
}

// put serves a document under a path.
func (s *site) put(path, html string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = "<!doctype html>" + html
}

// forget drops what pages have reported.
func (s *site) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = nil
}

// serveFunc serves one address.
func serveFunc(t *testing.T, handle http.HandlerFunc) string {
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

// hit tells of the next request for a path.
func (s *site) hit(path string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := make(chan struct{})
	s.asked = map[string]chan struct{}{path: asked}
	return asked
}
