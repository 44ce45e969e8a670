package inpage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// answerTimeout is generous: a loaded machine only has to be alive.
const answerTimeout = 60 * time.Second

// chromium is a browser at the end of a pipe, and one tab in it: as little of DevTools as these tests need.
type chromium struct {
	cmd     *exec.Cmd
	in, out *os.File
	profile string
	done    chan struct{}
	session string

	mu      sync.Mutex
	nextID  int
	pending map[int]chan reply
	loaded  chan struct{}
	world   int
	pages   *httptest.Server
	html    string
}

type reply struct {
	ID     int
	Method string
	Result json.RawMessage
	Error  *struct{ Message string }
}

func chromiumPath() string {
	for _, name := range []string{os.Getenv("GLASS_TEST_CHROMIUM"), "chromium", "chromium-browser", "google-chrome",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// shared is the one browser of all tests, which run one after the other; each opens its own pages in it.
var shared *chromium

// startChromium gives the browser that the tests share; the first to ask starts it, TestMain ends it.
func startChromium(tb testing.TB) *chromium {
	tb.Helper()
	if shared != nil {
		return shared
	}
	path := chromiumPath()
	if path == "" {
		tb.Skip("no Chromium on this machine")
	}
	c, err := launch(path)
	check(tb, err)
	shared = c
	var target struct{ TargetID string }
	c.call(tb, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	c.call(tb, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	c.session = attached.SessionID
	c.call(tb, "Page.enable", nil, nil)
	c.call(tb, "DOM.enable", nil, nil)
	return c
}

func launch(path string) (*chromium, error) {
	profile, err := os.MkdirTemp("", "inpage")
	if err != nil {
		return nil, err
	}
	readIn, writeIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	readOut, writeOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
		"--disable-background-networking", "--disable-component-update", "--lang=en-US", "--hide-scrollbars",
		"--window-size=1280,800", "--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{readIn, writeOut}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	readIn.Close()
	writeOut.Close()
	c := &chromium{
		cmd: cmd, in: writeIn, out: readOut, profile: profile,
		done: make(chan struct{}), pending: map[int]chan reply{}, loaded: make(chan struct{}, 1),
	}
	go c.read(readOut)
	c.pages = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("content-type", "text/html; charset=utf-8")
		c.mu.Lock()
		defer c.mu.Unlock()
		_, _ = w.Write([]byte(c.html))
	}))
	return c, nil
}

// close ends the browser and waits for it, and removes its profile.
func (c *chromium) close() error {
	c.pages.Close()
	c.session = ""
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	err := c.send(ctx, "Browser.close", nil, nil)
	if err != nil {
		err = errors.Join(err, c.cmd.Process.Kill())
	}
	_ = c.cmd.Wait()
	c.in.Close()
	<-c.done
	c.out.Close()
	return errors.Join(err, os.RemoveAll(c.profile))
}

// read hands every answer to its caller until the browser ends.
func (c *chromium) read(out *os.File) {
	defer close(c.done)
	dec := newMessages(out)
	for {
		data, err := dec.next()
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(data, &r) != nil {
			continue
		}
		if r.Method == "Page.loadEventFired" {
			select {
			case c.loaded <- struct{}{}:
			default:
			}
		}
		c.mu.Lock()
		answer := c.pending[r.ID]
		delete(c.pending, r.ID)
		c.mu.Unlock()
		if answer != nil {
			answer <- r
		}
	}
}

func (c *chromium) call(tb testing.TB, method string, params, result any) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	if err := c.send(ctx, method, params, result); err != nil {
		tb.Fatalf("%s: %v", method, err)
	}
}

func (c *chromium) send(ctx context.Context, method string, params, result any) error {
	answer := make(chan reply, 1)
	c.mu.Lock()
	c.nextID++
	msg := map[string]any{"id": c.nextID, "method": method}
	c.pending[c.nextID] = answer
	c.mu.Unlock()
	if params != nil {
		msg["params"] = params
	}
	if c.session != "" {
		msg["sessionId"] = c.session
	}
	data, err := json.Marshal(msg)
	if err != nil {
		return err
	}
	if _, err := c.in.Write(append(data, 0)); err != nil {
		return err
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			return errors.New(r.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(r.Result, result)
	case <-c.done:
		return errors.New("the browser has ended")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// open loads a page and puts the scripts into an isolated world of it.
func (c *chromium) open(tb testing.TB, html string) {
	tb.Helper()
	c.mu.Lock()
	c.html = html
	c.mu.Unlock()
	select {
	case <-c.loaded:
	default:
	}
	c.call(tb, "Page.navigate", map[string]any{"url": c.pages.URL + "/"}, nil)
	select {
	case <-c.loaded:
	case <-time.After(answerTimeout):
		tb.Fatal("the page did not load")
	}
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	c.call(tb, "Page.getFrameTree", nil, &tree)
	var world struct{ ExecutionContextID int }
	c.call(tb, "Page.createIsolatedWorld", map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": "glass"}, &world)
	c.world = world.ExecutionContextID
	c.eval(tb, Source(), nil)
}

// eval runs an expression in the isolated world and decodes its value.
func (c *chromium) eval(tb testing.TB, expression string, result any) {
	tb.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	c.call(tb, "Runtime.evaluate", map[string]any{
		"expression": expression, "contextId": c.world, "returnByValue": true, "awaitPromise": true,
	}, &r)
	if r.ExceptionDetails != nil {
		tb.Fatalf("evaluate: %s %s", r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if result != nil {
		check(tb, json.Unmarshal(r.Result.Value, result))
	}
}

// messages splits the pipe at its zero bytes.
type messages struct {
	from *os.File
	buf  []byte
}

func newMessages(from *os.File) *messages { return &messages{from: from} }

func (m *messages) next() ([]byte, error) {
	chunk := make([]byte, 1<<16)
	scanned := 0
	for {
		if i := bytes.IndexByte(m.buf[scanned:], 0); i >= 0 {
			msg := m.buf[:scanned+i]
			m.buf = append([]byte(nil), m.buf[scanned+i+1:]...)
			return msg, nil
		}
		scanned = len(m.buf)
		n, err := m.from.Read(chunk)
		m.buf = append(m.buf, chunk[:n]...)
		if err != nil && n == 0 {
			return nil, fmt.Errorf("cannot read from the browser: %w", err)
		}
	}
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// js quotes a string for use in an expression.
func js(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}
