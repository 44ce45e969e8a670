// Package fakecdp is a browser that does what a test tells it, over the DevTools pipe or a WebSocket. It shares no code
// with the client in internal/cdp: framing, JSON and the WebSocket protocol are written again here, so that the two do
// not agree on a mistake.
//
//	r, w, browser, err := fakecdp.Pipe(fakecdp.Routes{
//		"Page.navigate":    func(b *fakecdp.Browser, q fakecdp.Request) { b.Answer(q, map[string]any{"frameId": "F"}) },
//		"Runtime.evaluate": fakecdp.Silent,
//	}.Script)
//	defer browser.Close()
//	conn := cdp.NewPipe(r, w, nil)
//
// A script runs on the goroutine that reads requests: while it blocks, the browser reads nothing. What goes wrong while
// writing is ignored, because a test breaks connections on purpose; a test looks at the client.
package fakecdp

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
)

// Request is one command as it came.
type Request struct {
	ID        int64           `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
}

// Script is called for each request, in order.
type Script func(b *Browser, q Request)

// Routes is a script by method; a method without an entry is answered with an empty result.
type Routes map[string]Script

// Script answers a request from the table.
func (r Routes) Script(b *Browser, q Request) {
	if f := r[q.Method]; f != nil {
		f(b, q)
		return
	}
	b.Answer(q, struct{}{})
}

// Silent never answers.
func Silent(*Browser, Request) {}

// Stuck reads nothing more until the browser is closed.
func Stuck(b *Browser, _ Request) { <-b.done }

// link is a transport: whole frames, and ways to break them.
type link interface {
	// read returns the next request; control is for what the transport itself has to say meanwhile.
	read(control func(p []byte)) ([]byte, error)
	frame(payload []byte) []byte // as it goes over the wire
	io.Writer
	closeWrite()
	close()
}

// Browser is the fake. Its methods may be called from any goroutine.
type Browser struct {
	link   link
	script Script
	done   chan struct{}
	stop   func()
	wg     sync.WaitGroup

	writing sync.Mutex
	mu      sync.Mutex
	seen    []Request
}

func start(l link, script Script) *Browser {
	b := &Browser{link: l, script: script, done: make(chan struct{})}
	b.stop = sync.OnceFunc(func() {
		close(b.done)
		l.close()
	})
	b.wg.Go(b.run)
	return b
}

func (b *Browser) run() {
	for {
		frame, err := b.link.read(b.Raw)
		if err != nil {
			return
		}
		var q Request
		if json.Unmarshal(frame, &q) != nil {
			continue
		}
		b.mu.Lock()
		b.seen = append(b.seen, q)
		b.mu.Unlock()
		b.script(b, q)
	}
}

// Close breaks the connection and waits for the browser's goroutine. It must not be called from a script.
func (b *Browser) Close() {
	b.stop()
	b.wg.Wait()
}

// Cut breaks the connection without waiting, as a killed browser does. A script may call it.
func (b *Browser) Cut() { b.stop() }

// Done is closed when the browser was closed or cut.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Wait returns when the client has closed its writing end, as a browser does that exits with its pipe.
func (b *Browser) Wait() { b.wg.Wait() }

// Requests returns what has come so far, in order.
func (b *Browser) Requests() []Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.seen)
}

// Answer sends the reply to a request.
func (b *Browser) Answer(q Request, result any) {
	b.send(map[string]any{"id": q.ID, "result": result, "sessionId": q.SessionID})
}

// Refuse sends an error for a request.
func (b *Browser) Refuse(q Request, code int, message string) {
	b.send(map[string]any{"id": q.ID, "error": map[string]any{"code": code, "message": message}, "sessionId": q.SessionID})
}

// Emit sends an event; the root session's id is empty.
func (b *Browser) Emit(sessionID, method string, params any) {
	m := map[string]any{"method": method, "params": params}
	if sessionID != "" {
		m["sessionId"] = sessionID
	}
	b.send(m)
}

// Flood sends n small events, numbered from 0 in "n", in as few writes as it can.
func (b *Browser) Flood(sessionID, method string, n int) {
	var out []byte
	for i := range n {
		m := map[string]any{"method": method, "params": map[string]int{"n": i}, "sessionId": sessionID}
		out = append(out, b.link.frame(encode(m))...)
		if len(out) > 1<<16 || i == n-1 {
			b.Raw(out)
			out = out[:0]
		}
	}
}

// Huge answers a request with a result whose "data" has n bytes.
func (b *Browser) Huge(q Request, n int) {
	b.Answer(q, map[string]string{"data": strings.Repeat("x", n)})
}

// Frame sends any bytes as one well-formed frame.
func (b *Browser) Frame(payload string) { b.Raw(b.link.frame([]byte(payload))) }

// Trickle sends one frame in writes of n bytes; everything else waits behind it. Before each write it calls pace, if
// that is not nil, and stops when it returns false.
func (b *Browser) Trickle(payload string, n int, pace func() bool) {
	b.writing.Lock()
	defer b.writing.Unlock()
	for chunk := range slices.Chunk(b.link.frame([]byte(payload)), n) {
		if pace != nil && !pace() {
			return
		}
		_, _ = b.link.Write(chunk)
	}
}

// Raw sends bytes as they are, without framing.
func (b *Browser) Raw(p []byte) {
	b.writing.Lock()
	defer b.writing.Unlock()
	_, _ = b.link.Write(p)
}

// HalfClose ends the sending direction alone; requests are still read.
func (b *Browser) HalfClose() {
	b.writing.Lock()
	defer b.writing.Unlock()
	b.link.closeWrite()
}

func (b *Browser) send(m map[string]any) { b.Raw(b.link.frame(encode(m))) }

// encode panics on what JSON cannot hold, which is a mistake in the test.
func encode(v any) []byte {
	p, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return p
}
