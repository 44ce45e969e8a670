package chrome

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// testBound is generous: it only decides how long a broken test hangs.
const testBound = 60 * time.Second

// ownerVariable turns the test binary into a program that owns a browser and waits to be killed.
const ownerVariable = "GLASS_TEST_OWNER"

func TestMain(m *testing.M) {
	if os.Getenv(ownerVariable) != "" {
		own()
		return
	}
	goleak.VerifyTestMain(m)
}

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testBound)
	t.Cleanup(cancel)
	return ctx
}

// needChromium fails where no browser is installed, unless the environment says that this is meant to be so.
func needChromium(t *testing.T) {
	t.Helper()
	if _, err := Find(t.Context(), "", nil); err != nil {
		if os.Getenv("GLASS_TEST_NO_CHROMIUM") == "1" {
			t.Skip("no Chromium, and GLASS_TEST_NO_CHROMIUM=1")
		}
		t.Fatalf("%v: install one (apt-get install chromium), or set GLASS_TEST_NO_CHROMIUM=1 to skip", err)
	}
}

// options are launch options on folders of the test's own; root has to give up the sandbox.
func options(t *testing.T) *LaunchOptions {
	t.Helper()
	return &LaunchOptions{Folders: &Folders{State: t.TempDir(), Data: t.TempDir()}, NoSandbox: os.Geteuid() == 0}
}

func launch(t *testing.T, o *LaunchOptions) (*Browser, *wire) {
	t.Helper()
	needChromium(t)
	ctx := testContext(t)
	b, err := Launch(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	// A browser that never answers ends with the test's time, so that a read of its pipe does.
	stop := context.AfterFunc(ctx, func() { b.signal(syscall.SIGKILL) })
	t.Cleanup(func() {
		stop()
		if err := b.Close(context.Background(), nil); err != nil {
			t.Error(err)
		}
	})
	return b, newWire(b)
}

// why explains a broken pipe by how the browser ended.
func why(b *Browser, err error) error {
	select {
	case <-b.Exited():
		return errors.Join(err, b.ExitError(), errors.New(strings.Join(b.Stderr(), "\n")))
	case <-time.After(testBound):
		return err
	}
}

// wire is the least of a DevTools client: one call at a time, events thrown away.
type wire struct {
	in  *bufio.Reader
	out io.Writer
	n   int
}

func newWire(b *Browser) *wire { return &wire{in: bufio.NewReader(b.Reader), out: b.Writer} }

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (w *wire) send(session, method string, params any) error {
	w.n++
	call := map[string]any{"id": w.n, "method": method}
	if params != nil {
		call["params"] = params
	}
	if session != "" {
		call["sessionId"] = session
	}
	data, err := json.Marshal(call)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(data, 0))
	return err
}

func (w *wire) next() (message, error) {
	var m message
	data, err := w.in.ReadBytes(0)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(data[:len(data)-1], &m)
}

// call sends and reads until the answer. into may be nil.
func (w *wire) call(session, method string, params, into any) error {
	if err := w.send(session, method, params); err != nil {
		return err
	}
	for {
		m, err := w.next()
		if err != nil {
			return err
		}
		if m.ID != w.n {
			continue
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(m.Result, into)
	}
}

// polite asks the browser to close itself.
func (w *wire) polite(context.Context) error { return w.call("", "Browser.close", nil, nil) }

// open makes a page and navigates it; it returns when the page has loaded.
func (w *wire) open(url string) (session string, err error) {
	var target struct{ TargetID string }
	if err := w.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return "", err
	}
	var attached struct{ SessionID string }
	params := map[string]any{"targetId": target.TargetID, "flatten": true}
	if err := w.call("", "Target.attachToTarget", params, &attached); err != nil {
		return "", err
	}
	session = attached.SessionID
	if err := w.call(session, "Page.enable", nil, nil); err != nil {
		return "", err
	}
	if err := w.send(session, "Page.navigate", map[string]any{"url": url}); err != nil {
		return "", err
	}
	for {
		m, err := w.next()
		if err != nil || m.Method == "Page.loadEventFired" {
			return session, err
		}
	}
}

// evaluate returns the value of an expression as JSON.
func (w *wire) evaluate(session, expression string) (string, error) {
	var reply struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	err := w.call(session, "Runtime.evaluate", params, &reply)
	return string(reply.Result.Value), err
}

func jsonMilliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }
