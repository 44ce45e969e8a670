package cdp

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glasskit/glass/internal/testkit/fakecdp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is far above what any step takes, for loaded machines.
const patience = 30 * time.Second

// patient is the context of calls that are expected to be answered.
func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// connect puts a connection on a fake browser behind operating system pipes.
func connect(t testing.TB, script fakecdp.Script, opts *Options) (*Conn, *fakecdp.Browser) {
	t.Helper()
	r, w, b, err := fakecdp.Pipe(script)
	if err != nil {
		t.Fatal(err)
	}
	c := NewPipe(r, w, opts)
	t.Cleanup(func() {
		b.Close()
		_ = c.Close()
	})
	return c, b
}

// connectInBubble is connect over pipes in memory, for synctest.
func connectInBubble(t *testing.T, script fakecdp.Script) *Conn {
	toBrowser, requests := io.Pipe()
	answers, fromBrowser := io.Pipe()
	b := fakecdp.On(toBrowser, fromBrowser, script)
	c := NewPipe(answers, requests, nil)
	t.Cleanup(func() {
		_ = c.Close()
		b.Close()
	})
	return c
}

// frame answers each request with one frame, in which ID stands for the request's id.
func frame(text string) fakecdp.Script {
	return func(b *fakecdp.Browser, q fakecdp.Request) {
		b.Frame(strings.ReplaceAll(text, "ID", strconv.FormatInt(q.ID, 10)))
	}
}

func TestCall(t *testing.T) {
	type result struct {
		Y int `json:"y"`
	}
	tests := []struct {
		name  string
		reply string
		want  string // error text; empty for y = 2
	}{
		{"id first, as browsers write it", `{"id":ID,"result":{"y":2},"sessionId":"S"}`, ""},
		{"id last", `{"result":{"y":2},"sessionId":"S","id":ID}`, ""},
		{"spaces and unknown members", " {\n \"x\":[{}], \"id\" : ID , \"result\" : {\"z\":1,\"y\":2} } ", ""},
		{"lone surrogate", `{"id":ID,"result":{"s":"\ud800","y":2}}`, ""},
		{"refused", `{"id":ID,"error":{"code":-32000,"message":"no node"}}`, "browser refused A.b: no node (code -32000)"},
		{"refused with data", `{"id":ID,"error":{"code":-32602,"message":"Invalid","data":"url: \"x\""}}`,
			"browser refused A.b: Invalid (code -32602)"},
		{"unknown session", `{"id":ID,"error":{"code":-32001,"message":"Session with given id not found."}}`,
			"no answer to A.b (sent): session S is gone: detached"},
		{"other type", `{"id":ID,"result":{"y":"two"}}`, "cannot read the result of A.b: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, _ := connect(t, frame(test.reply), nil)
			var got result
			err := c.Session("S").Call(patient(t), "A.b", map[string]string{"secret": "hunter2"}, &got)
			if test.want == "" {
				if err != nil || got.Y != 2 {
					t.Fatalf("got %+v, %v; want y = 2", got, err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Fatalf("got error %v, want %q", err, test.want)
			}
			if c.Err() != nil {
				t.Fatalf("the connection ended: %v", c.Err())
			}
		})
	}
}

func TestCallRawAndNoResult(t *testing.T) {
	c, b := connect(t, frame(`{"id":ID,"result": {"y": 2} }`), nil)
	var raw jsontext.Value
	if err := c.Browser().Call(patient(t), "A.b", nil, &raw); err != nil || string(raw) != `{"y": 2}` {
		t.Fatalf("got %s, %v", raw, err)
	}
	if err := c.Browser().Call(patient(t), "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	if q := b.Requests()[0]; q.SessionID != "" || q.Params != nil {
		t.Fatalf("a call of the root without params sent %+v", q)
	}
}

func TestRemoteErrorIsBounded(t *testing.T) {
	long := strings.Repeat("é", MaxRemoteText)
	c, _ := connect(t, frame(`{"id":ID,"error":{"code":1,"message":"x`+long+`","data":"`+long+`"}}`), nil)
	var remote *RemoteError
	if err := c.Browser().Call(patient(t), "A.b", nil, nil); !errors.As(err, &remote) {
		t.Fatalf("got %v, want a RemoteError", err)
	}
	if len(remote.Message) != MaxRemoteText-1 || len(remote.Detail) != MaxRemoteText {
		t.Fatalf("kept %d and %d bytes", len(remote.Message), len(remote.Detail))
	}
}

func TestCallEndsWithItsContext(t *testing.T) {
	tests := []struct {
		name string
		ctx  func(context.Context) (context.Context, context.CancelFunc)
		want error
		took time.Duration
	}{
		{"deadline", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 3*time.Second)
		}, context.DeadlineExceeded, 3 * time.Second},
		{"deadline beyond the ceiling", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 2*CallCeiling)
		}, context.DeadlineExceeded, 2 * CallCeiling},
		{"cancel", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}, context.Canceled, time.Second},
		{"ceiling", context.WithCancel, context.DeadlineExceeded, CallCeiling},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connectInBubble(t, fakecdp.Silent)
				ctx, cancel := test.ctx(t.Context())
				defer cancel()
				start := time.Now()
				err := c.Browser().Call(ctx, "A.b", nil, nil)
				var unanswered *UnansweredError
				if !errors.Is(err, test.want) || !errors.As(err, &unanswered) || !unanswered.Sent {
					t.Fatalf("got %v, want %v of a call that was sent", err, test.want)
				}
				if took := time.Since(start); took != test.took {
					t.Fatalf("took %v, want %v", took, test.took)
				}
			})
		})
	}
}

func TestPendingEndsThoughNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connectInBubble(t, fakecdp.Silent)
		p := c.Browser().Go(t.Context(), "A.b", nil)
		time.Sleep(CallCeiling + time.Second)
		c.mu.Lock()
		left := len(c.pending)
		c.mu.Unlock()
		if left != 0 {
			t.Fatalf("%d calls are still pending", left)
		}
		if err := p.Wait(t.Context(), nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
	})
}

func TestLateReplyIsDropped(t *testing.T) {
	var held fakecdp.Request
	c, _ := connect(t, fakecdp.Routes{
		"Slow.call": func(_ *fakecdp.Browser, q fakecdp.Request) { held = q },
		"Release.it": func(b *fakecdp.Browser, q fakecdp.Request) {
			b.Answer(held, struct{}{})
			b.Answer(q, struct{}{})
		},
		"Fence.up": func(b *fakecdp.Browser, q fakecdp.Request) { b.Answer(q, struct{}{}) },
	}.Script, nil)
	slow := c.Browser().Go(patient(t), "Slow.call", nil)
	if err := c.Browser().Call(patient(t), "Fence.up", nil, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := slow.Wait(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if err := c.Browser().Call(patient(t), "Release.it", nil, nil); err != nil {
		t.Fatal(err)
	}
	if late := c.Stats().Late; late != 1 {
		t.Fatalf("%d late replies, want 1", late)
	}
}

func TestCallThatCannotBeSent(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name   string
		ctx    context.Context
		params any
		want   error
	}{
		{"context has ended", ended, nil, context.Canceled},
		{"too large", t.Context(), strings.Repeat("x", MaxRequest), ErrRequestTooLarge},
		{"not JSON", t.Context(), jsontext.Value(`{"a":`), nil},
		{"no JSON form", t.Context(), make(chan int), nil},
	}
	c, b := connect(t, fakecdp.Routes{}.Script, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := c.Browser().Call(test.ctx, "A.b", test.params, nil)
			var unanswered *UnansweredError
			if !errors.As(err, &unanswered) || unanswered.Sent || test.want != nil && !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v of a call that was not sent", err, test.want)
			}
		})
	}
	if err := c.Browser().Call(patient(t), "A.b", nil, nil); err != nil || len(b.Requests()) != 1 {
		t.Fatalf("after them: %v; the browser saw %d requests, want 1", err, len(b.Requests()))
	}
}
