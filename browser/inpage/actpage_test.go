package inpage_test

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// actDeadline bounds one call to the browser, on a machine that may be busy.
const actDeadline = 60 * time.Second

//go:embed *.js testdata/act/index.js
var actScripts embed.FS

// actOrder are the files of the script in their order of loading; the stand-in index comes before what uses it.
var actOrder = []string{
	"util.js", "roles.js", "tables.js", "names.js", "states.js", "sheets.js", "visible.js", "controls.js", "text.js",
	"outline.js", "context.js", "testdata/act/index.js", "tree.js", "box.js", "frames.js", "motion.js", "locate.js",
	"select.js", "locatetext.js", "candidate.js", "field.js", "choose.js", "hit.js", "scroll.js",
}

var actSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => { 'use strict';\n")
	for _, name := range actOrder {
		text, err := actScripts.ReadFile(name)
		if err != nil {
			panic(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String()
})

// actBrowser is a Chromium behind a pipe that ends with its test.
type actBrowser struct {
	mu      sync.Mutex
	next    int
	pending map[int]chan actReply
	in      io.WriteCloser
	gone    chan struct{}
}

type actReply struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func startActBrowser(t *testing.T) *actBrowser {
	t.Helper()
	path := chromiumPath(t)
	commandRead, commandWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	replyRead, replyWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run",
		"--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--window-size=1280,720",
		"--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{commandRead, replyWrite}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	commandRead.Close()
	replyWrite.Close()
	b := &actBrowser{pending: map[int]chan actReply{}, in: commandWrite, gone: make(chan struct{})}
	go b.read(replyRead)
	t.Cleanup(func() {
		b.call(t, "", "Browser.close", nil)
		commandWrite.Close()
		cmd.Wait()
		<-b.gone
		replyRead.Close()
	})
	return b
}

func chromiumPath(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine")
	return ""
}

// read hands every reply to the call that waits for it, until the browser ends.
func (b *actBrowser) read(from io.Reader) {
	defer close(b.gone)
	r := bufio.NewReader(from)
	for {
		message, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var reply actReply
		if json.Unmarshal(bytes.TrimSuffix(message, []byte{0}), &reply) != nil || reply.ID == 0 {
			continue
		}
		b.mu.Lock()
		waiting := b.pending[reply.ID]
		delete(b.pending, reply.ID)
		b.mu.Unlock()
		if waiting != nil {
			waiting <- reply
		}
	}
}

// send starts a call; the reply comes on the channel.
func (b *actBrowser) send(t *testing.T, session, method string, params any) chan actReply {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	reply := make(chan actReply, 1)
	b.pending[b.next] = reply
	message := map[string]any{"id": b.next, "method": method}
	if params != nil {
		message["params"] = params
	}
	if session != "" {
		message["sessionId"] = session
	}
	text, err := json.Marshal(message)
	if err == nil {
		_, err = b.in.Write(append(text, 0))
	}
	if err != nil {
		t.Errorf("cannot send %s: %v", method, err)
	}
	return reply
}

func (b *actBrowser) call(t *testing.T, session, method string, params any) map[string]any {
	t.Helper()
	return b.receive(t, method, b.send(t, session, method, params))
}

func (b *actBrowser) receive(t *testing.T, method string, from chan actReply) map[string]any {
	t.Helper()
	select {
	case reply := <-from:
		if reply.Error != nil {
			t.Fatalf("%s: %s", method, reply.Error.Message)
		}
		var result map[string]any
		if err := json.Unmarshal(reply.Result, &result); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		return result
	case <-b.gone:
		if method != "Browser.close" {
			t.Fatalf("%s: the browser is gone", method)
		}
	case <-time.After(actDeadline):
		t.Fatalf("%s: no reply", method)
	}
	return nil
}

// actPage is one page with the scripts in its isolated world.
type actPage struct {
	*actBrowser
	t       *testing.T
	session string
	world   float64
}

// open loads HTML into a new page. It may hold frames (srcdoc) and scripts.
func (b *actBrowser) open(t *testing.T, html string) *actPage {
	t.Helper()
	target := b.call(t, "", "Target.createTarget", map[string]any{"url": "about:blank"})
	attached := b.call(t, "", "Target.attachToTarget", map[string]any{"targetId": target["targetId"], "flatten": true})
	p := &actPage{actBrowser: b, t: t, session: attached["sessionId"].(string)}
	t.Cleanup(func() { b.call(t, "", "Target.closeTarget", map[string]any{"targetId": target["targetId"]}) })
	p.call("Page.enable", nil)
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false})
	text, err := json.Marshal(html)
	if err != nil {
		t.Fatal(err)
	}
	p.eval(fmt.Sprintf("document.open(); document.write(%s); document.close(); new Promise((done) => "+
		"document.readyState === 'complete' ? done() : addEventListener('load', () => done()))", text))
	p.inject(p.frameTree()["frame"].(map[string]any)["id"].(string))
	return p
}

func (p *actPage) frameTree() map[string]any {
	return p.call("Page.getFrameTree", nil)["frameTree"].(map[string]any)
}

// childFrame returns the page seen from its nth child frame.
func (p *actPage) childFrame(path ...int) *actPage {
	p.t.Helper()
	tree := p.frameTree()
	for _, n := range path {
		tree = tree["childFrames"].([]any)[n].(map[string]any)
	}
	child := &actPage{actBrowser: p.actBrowser, t: p.t, session: p.session}
	child.inject(tree["frame"].(map[string]any)["id"].(string))
	return child
}

func (p *actPage) inject(frame string) {
	p.t.Helper()
	world := p.call("Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": "glass"})
	p.world = world["executionContextId"].(float64)
	p.evalIn(p.world, actSource())
}

func (p *actPage) call(method string, params any) map[string]any {
	p.t.Helper()
	return p.actBrowser.call(p.t, p.session, method, params)
}

// eval evaluates in the page's own world.
func (p *actPage) eval(expression string) any {
	p.t.Helper()
	return p.evalIn(0, expression)
}

func (p *actPage) evalIn(world float64, expression string) any {
	p.t.Helper()
	return p.value(p.call("Runtime.evaluate", evaluation(world, expression)))
}

func evaluation(world float64, expression string) map[string]any {
	params := map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}
	if world != 0 {
		params["contextId"] = world
	}
	return params
}

func (p *actPage) value(result map[string]any) any {
	p.t.Helper()
	if thrown, ok := result["exceptionDetails"].(map[string]any); ok {
		text, _ := json.Marshal(thrown)
		p.t.Fatalf("the page threw: %s", text)
	}
	return result["result"].(map[string]any)["value"]
}

// run calls a handler with arguments given as JSON.
func (p *actPage) run(name, args string) map[string]any {
	p.t.Helper()
	result, _ := p.evalIn(p.world, runExpression(name, args)).(map[string]any)
	return result
}

func runExpression(name, args string) string {
	return fmt.Sprintf("glassTest.run(%q, %s)", name, args)
}

// target is the locator of one segment, as JSON.
func one(segment string) string { return `{"chain":[` + segment + `]}` }

func css(selector string) string { return one(fmt.Sprintf(`{"form":"css","value":%q}`, selector)) }

// prepare resolves and checks for a press.
func (p *actPage) prepare(target string) map[string]any {
	p.t.Helper()
	return p.run("prepare", `{"client":"c","need":"pointer","scroll":true,"target":`+target+`}`)
}

// press clicks at the point that prepare found, in the coordinates of the whole page.
func (p *actPage) press(prepared map[string]any) {
	p.t.Helper()
	point, ok := prepared["point"].(map[string]any)
	if !ok {
		p.t.Fatalf("nothing to press: %v", prepared)
	}
	x, y := point["x"].(float64), point["y"].(float64)
	if offset, ok := prepared["frameOffset"].(map[string]any); ok {
		x, y = x+offset["x"].(float64), y+offset["y"].(float64)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.call("Input.dispatchMouseEvent",
			map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1})
	}
}

// told is a failure in one line: kind, reason and the number of candidates.
func told(result map[string]any) string {
	fail, ok := result["fail"].(map[string]any)
	if !ok {
		return "ok"
	}
	line := fail["kind"].(string)
	if reason, ok := fail["reason"].(string); ok {
		line += " " + reason
	}
	if candidates, ok := fail["candidates"].([]any); ok {
		line += fmt.Sprintf(" %d", len(candidates))
	}
	return line
}

func number(v any) string { return fmt.Sprint(v) }

func object(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
