package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/frontendtest"
)

// testTime is generous: tests run on loaded machines.
const testTime = 60 * time.Second

// raw is a server over pipes, spoken to in bytes.
type raw struct {
	t     *testing.T
	world *frontendtest.World
	in    *os.File
	out   *bufio.Reader
	done  chan error
}

func startRaw(t *testing.T, opts *Options) *raw {
	t.Helper()
	table, world := frontendtest.Table()
	s, err := New(table, opts)
	if err != nil {
		t.Fatal(err)
	}
	inR, inW, err := os.Pipe() // like stdin and stdout: with room for what is under way
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r := &raw{t: t, world: world, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		r.done <- s.ServeStream(ctx, inR, outW)
		outW.Close()
	})
	t.Cleanup(func() {
		cancel()
		inW.Close()
		outR.Close()
		running.Wait()
	})
	return r
}

func (r *raw) send(lines ...string) {
	r.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(r.in, l+"\n"); err != nil {
			r.t.Fatal(err)
		}
	}
}

type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (r *raw) receive() answer {
	r.t.Helper()
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		r.t.Fatalf("unreadable answer %s: %v", line, err)
	}
	return a
}

const (
	hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}`
	ready = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func (r *raw) shake() {
	r.t.Helper()
	r.send(hello, ready)
	if a := r.receive(); a.Error != nil {
		r.t.Fatalf("initialize: %+v", a.Error)
	}
}

func callLine(id, name, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`
}

func TestBadLinesAreAnsweredAndTheNextWorks(t *testing.T) {
	r := startRaw(t, nil)
	r.shake()
	ping := `{"jsonrpc":"2.0","id":"ok","method":"ping"}`
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	for _, c := range []struct{ name, line, wantID, want string }{
		{"20 MB", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("a", 20<<20) + `"}}`,
			"null", "message larger than the limit"},
		{"malformed", `{"jsonrpc":"2.0","id":2,"method":`, "2", "not valid JSON"},
		{"no JSON", `hello`, "null", "not a JSON object"},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"p\xffng\"}", "3", "not valid JSON"},
		{"raw NUL", "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"pi\x00ng\"}", "4", "not valid JSON"},
		{"duplicate", `{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}`, "5", "a name occurs twice in one object"},
		{"nested duplicate", `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"a":2}}}`,
			"6", "a name occurs twice in one object"},
		{"case variant", `{"jsonrpc":"2.0","id":7,"method":"ping","METHOD":"tools/list"}`, "7",
			"a name differs from a known one only in case or invisible characters"},
		{"NUL variant", `{"jsonrpc":"2.0","id":8,"method":"ping","method\u0000":"tools/list"}`, "8",
			"a name differs from a known one only in case or invisible characters"},
		{"params variant", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","Name":"drop"}}`, "9",
			"a name differs from a known one only in case or invisible characters"},
		{"batch", `[{"jsonrpc":"2.0","id":10,"method":"ping"}]`, "null", "batches are not supported: send one message a line"},
		{"two", `{"jsonrpc":"2.0","id":11,"method":"ping"}{"jsonrpc":"2.0","id":12,"method":"ping"}`, "11",
			"more than one message on a line"},
		{"deep", `{"jsonrpc":"2.0","id":13,"method":"ping","params":{"x":` + deep + `}}`, "13", "nested too deep"},
		{"version", `{"jsonrpc":"1.0","id":14,"method":"ping"}`, "14", "not a JSON-RPC 2.0 message"},
		{"no method", `{"jsonrpc":"2.0"}`, "null", "not a JSON-RPC 2.0 message"},
		{"id object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", "id must be a string or a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.send("", c.line, ping)
			a := r.receive()
			if a.Error == nil || string(a.ID) != c.wantID || a.Error.Message != c.want {
				t.Errorf("got id %s, error %+v; want id %s, %q", a.ID, a.Error, c.wantID, c.want)
			}
			if a := r.receive(); string(a.ID) != `"ok"` || a.Error != nil {
				t.Errorf("the next line was answered with %s, %+v", a.ID, a.Error)
			}
		})
	}
}

func TestLongLineCostsNoMemory(t *testing.T) {
	const size = 256 << 20
	src := io.MultiReader(io.LimitReader(repeat('a'), size), strings.NewReader("\nnext\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l := newLineReader(src, contract.RequestBytes)
	if _, err := l.next(); !errors.Is(err, errTooLong) {
		t.Fatalf("got %v, want errTooLong", err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8*contract.RequestBytes {
		t.Errorf("a line of %d bytes allocated %d", size, grown)
	}
	if line, err := l.next(); err != nil || string(line) != "next" {
		t.Errorf("next line is %q, %v", line, err)
	}
}

type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

func TestEndOfInputCancelsCalls(t *testing.T) {
	r := startRaw(t, nil)
	r.shake()
	r.send(callLine("1", "block", "{}"))
	r.world.Await(t, "the call to start", func() bool { return r.world.Started("block") == 1 })
	go io.Copy(io.Discard, r.out) // the answer of the canceled call may or may not come
	r.in.Close()
	select {
	case err := <-r.done:
		if err != nil {
			t.Errorf("ServeStream: %v", err)
		}
		r.done <- nil
	case <-time.After(testTime):
		t.Fatal("the server did not end")
	}
	if r.world.Ended("block") != 1 {
		t.Error("the call still runs")
	}
}

// A call that does not heed its cancellation, or a client that does not read, cannot keep the server.
func TestEndOfInputIsBounded(t *testing.T) {
	r := startRaw(t, nil)
	defer r.world.Release()
	r.shake()
	r.send(callLine("1", "stubborn", "{}"))
	r.world.Await(t, "the call to start", func() bool { return r.world.Started("stubborn") == 1 })
	r.in.Close()
	select {
	case err := <-r.done:
		if err == nil || !strings.Contains(err.Error(), "did not end in time") {
			t.Errorf("ServeStream: %v", err)
		}
		r.done <- nil
	case <-time.After(testTime):
		t.Fatal("the server did not end")
	}
}

func TestCancellationEndsTheOperation(t *testing.T) {
	r := startRaw(t, nil)
	r.shake()
	r.send(callLine("1", "block", "{}"))
	r.world.Await(t, "the call to start", func() bool { return r.world.Started("block") == 1 })
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	go io.Copy(io.Discard, r.out)
	r.world.Await(t, "the call to end", func() bool { return r.world.Ended("block") == 1 })
}

// Sixteen calls run, others wait, more than that are refused; cancelling is still heard, and calls side by side work.
func TestRequestsInFlight(t *testing.T) {
	r := startRaw(t, nil)
	r.shake()
	limit := contract.RequestsInFlight + requestsWaiting
	for i := range limit {
		r.send(blockCall(i + 1))
	}
	r.world.Await(t, "sixteen calls to run", func() bool { return r.world.Started("block") == contract.RequestsInFlight })
	r.send(blockCall(limit + 1)) // whichever comes last is refused
	refused := r.receive()
	if !bytes.Contains(refused.Result, []byte(`\"kind\":\"unavailable\"`)) || !bytes.Contains(refused.Result, []byte("retry_safe")) {
		t.Errorf("the call too many was answered with %s, %+v", refused.Result, refused.Error)
	}
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	go io.Copy(io.Discard, r.out)
	r.world.Await(t, "a waiting call to take the place", func() bool {
		return r.world.Ended("block") >= 1 && r.world.Started("block") == contract.RequestsInFlight+1
	})
}

func blockCall(id int) string {
	b, _ := json.Marshal(id)
	return callLine(string(b), "block", "{}")
}

// What is sent is what is counted: nothing is escaped for HTML.
func TestTextIsSentAsItIs(t *testing.T) {
	r := startRaw(t, nil)
	r.shake()
	r.send(callLine("1", "echo", `{"text":"<b>&"}`))
	line, err := r.out.ReadString('\n')
	want := `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"contextCost":{"payloadBytes":48,"estimatedTokens":12}},` +
		`"content":[{"type":"text","text":"{\"text\":\"<b>&\",\"session\":\"default\",\"agent\":true}"}]}}` + "\n"
	if err != nil || line != want {
		t.Errorf("got  %s, %v\nwant %s", line, err, want)
	}
}

func TestVersions(t *testing.T) {
	for _, v := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		r := startRaw(t, &Options{Version: "1.2.3"})
		r.send(strings.Replace(hello, "2025-06-18", v, 1))
		a := r.receive()
		if !bytes.Contains(a.Result, []byte(`"protocolVersion":"`+v+`"`)) || !bytes.Contains(a.Result, []byte("Everything here is a test.")) {
			t.Errorf("%s was answered with %s", v, a.Result)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(hello))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","method\u0000":"x","params":{"Name":[{"a":1}]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","result":{}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		msg, bad := decode(line)
		if (msg == nil) == (bad == nil) {
			t.Fatalf("message %v and answer %v", msg, bad)
		}
		if bad != nil && (!json.Valid(bad.answer()) || bytes.Count(bad.answer(), []byte("\n")) != 1) {
			t.Fatalf("the answer is not one line of JSON: %q", bad.answer())
		}
	})
}

func FuzzLineReader(f *testing.F) {
	f.Add([]byte("a\nbb\r\n\nlonger than eight\nlast"), 8)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = max(1, limit%64)
		l := newLineReader(bytes.NewReader(data), limit)
		lines := 0
		for {
			line, err := l.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if lines++; len(line) > limit+1 || bytes.ContainsRune(line, '\n') {
				t.Fatalf("line %q with limit %d", line, limit)
			}
		}
		want := bytes.Count(data, []byte("\n"))
		if len(data) > 0 && data[len(data)-1] != '\n' {
			want++
		}
		if lines != want {
			t.Fatalf("%d lines, want %d", lines, want)
		}
	})
}
