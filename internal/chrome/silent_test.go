package chrome

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// silence is how long a fresh browser is watched. A minute is what is promised; what Chrome sends at start it sends in
// the first seconds. GLASS_TEST_SILENCE names another duration.
const silence = 20 * time.Second

// countingProxy answers every request itself and writes down where it was to go.
type countingProxy struct {
	mu   sync.Mutex
	seen []string
}

func (p *countingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.seen = append(p.seen, r.Method+" "+r.RequestURI)
	p.mu.Unlock()
	if r.Method == http.MethodConnect {
		http.Error(w, "refused", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("<!doctype html><link rel=icon href=data:,><form><input name=user><input type=password></form>"))
}

func (p *countingProxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.seen...)
}

func TestFreshBrowserIsSilent(t *testing.T) {
	if testing.Short() {
		t.Skip("watches a browser for a while")
	}
	watched := silence
	if text := os.Getenv("GLASS_TEST_SILENCE"); text != "" {
		var err error
		if watched, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	proxy := &countingProxy{}
	server := httptest.NewServer(proxy)
	defer server.Close()
	o := options(t)
	o.ProxyServer = server.URL
	b, w := launch(t, o)
	session, err := w.open("http://pages.test/")
	if err != nil {
		t.Fatal(why(b, err))
	}
	expression := "new Promise(r => setTimeout(() => r(1), " + jsonMilliseconds(watched) + "))"
	if _, err := w.evaluate(session, expression); err != nil {
		t.Fatal(why(b, err))
	}
	for _, request := range proxy.requests() {
		if !strings.HasPrefix(request, "GET http://pages.test/") {
			t.Errorf("the browser asked for %s", request)
		}
	}
	if len(proxy.requests()) == 0 {
		t.Error("the page did not come through the proxy")
	}
}
