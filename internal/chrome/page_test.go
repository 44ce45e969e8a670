package chrome

import (
	"io/fs"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// Without a window of its own the browser must outlive its last page.
func TestBrowserOutlivesItsLastPage(t *testing.T) {
	b, w := launch(t, options(t))
	for range 2 {
		session, err := w.open("data:text/html,<p>hello")
		if err != nil {
			t.Fatal(why(b, err))
		}
		if err := w.call(session, "Page.close", nil, nil); err != nil {
			t.Fatal(why(b, err))
		}
		for pages(t, w) > 0 { // each question is a round trip: no sleep
		}
	}
}

// pages counts the pages.
func pages(t *testing.T, w *wire) (count int) {
	t.Helper()
	var reply struct{ TargetInfos []struct{ Type string } }
	if err := w.call("", "Target.getTargets", nil, &reply); err != nil {
		t.Fatal(err)
	}
	for _, target := range reply.TargetInfos {
		if target.Type == "page" {
			count++
		}
	}
	return count
}

func TestStartsWithoutAPage(t *testing.T) {
	_, w := launch(t, options(t))
	if n := pages(t, w); n != 0 {
		t.Errorf("%d pages at start", n)
	}
}

// reliability.md F15: the popup blocker is the only thing between a page and a storm of windows.
func TestPopupBlockerStaysOn(t *testing.T) {
	b, w := launch(t, options(t))
	session, err := w.open("data:text/html,<p>hello")
	if err != nil {
		t.Fatal(why(b, err))
	}
	got, err := w.evaluate(session, "Array.from({length: 50}, () => window.open('about:blank')).filter(x => x).length")
	if err != nil {
		t.Fatal(why(b, err))
	}
	if n := pages(t, w); n > 2 || got != "0" && got != "1" {
		t.Errorf("%d pages, %s windows opened without a gesture", n, got)
	}
}

func TestWindowSize(t *testing.T) {
	o := options(t)
	o.Width, o.Height = 900, 500
	b, w := launch(t, o)
	session, err := w.open("data:text/html,<p>hello")
	if err != nil {
		t.Fatal(why(b, err))
	}
	expression := "[outerWidth, outerHeight, innerWidth, screen.width, screen.height].join()"
	if got, err := w.evaluate(session, expression); err != nil || got != `"900,500,900,900,500"` {
		t.Errorf("the window is %s, %v", got, err)
	}
}

func TestLoopbackGoesThroughTheProxyToo(t *testing.T) {
	proxy := &countingProxy{}
	server := httptest.NewServer(proxy)
	defer server.Close()
	o := options(t)
	o.ProxyServer = server.URL
	b, w := launch(t, o)
	for _, url := range []string{"http://127.0.0.1:8009/a", "http://localhost:8009/b", "http://[::1]:8009/c"} {
		if _, err := w.open(url); err != nil {
			t.Fatal(why(b, err))
		}
		if seen := strings.Join(proxy.requests(), " "); !strings.Contains(seen, url) {
			t.Errorf("%s went past the proxy: %s", url, seen)
		}
	}
}

// What a browser without windows writes stays in its own folders: nothing appears in HOME.
func TestNothingIsWrittenToHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	o := options(t)
	b, w := launch(t, o)
	if _, err := w.open("data:text/html,<p>hello"); err != nil {
		t.Fatal(why(b, err))
	}
	if err := b.Close(testContext(t), w.polite); err != nil {
		t.Fatal(err)
	}
	var found []string
	filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.Contains(path, "fontconfig") && !strings.Contains(path, "mesa_shader") {
			found = append(found, path)
		}
		return nil
	})
	if len(found) != 0 {
		t.Errorf("written: %v", found)
	}
}
