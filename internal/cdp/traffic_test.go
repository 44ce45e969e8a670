package cdp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glasskit/glass/internal/testkit/fakecdp"
)

func TestRequestsLeaveInOrder(t *testing.T) {
	const n = 3 * sendQueue
	c, b := connect(t, fakecdp.Routes{}.Script, nil)
	ctx := patient(t)
	var pending []*Pending
	for i := range n {
		pending = append(pending, c.Session("S").Go(ctx, fmt.Sprintf("Call.%d", i), nil))
	}
	for _, p := range pending {
		if err := p.Wait(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, q := range b.Requests() {
		if q.Method != fmt.Sprintf("Call.%d", i) || q.SessionID != "S" {
			t.Fatalf("request %d is %s of session %q", i, q.Method, q.SessionID)
		}
	}
}

// A thousand calls whose answers come in reverse order, half of them with a large result.
func TestThousandConcurrentCalls(t *testing.T) {
	const n = 1000
	var held []fakecdp.Request
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		if held = append(held, q); len(held) < n {
			return
		}
		for i := len(held) - 1; i >= 0; i-- {
			b.Answer(held[i], map[string]any{"of": held[i].Method, "pad": strings.Repeat("p", i%2*(readBuffer+i))})
		}
	}, nil)
	ctx := patient(t)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var got struct {
				Of string `json:"of"`
			}
			method := fmt.Sprintf("Call.%d", i)
			if err := c.Session("S").Call(ctx, method, nil, &got); err != nil || got.Of != method {
				t.Errorf("%s got the answer of %q, %v", method, got.Of, err)
			}
		})
	}
	wg.Wait()
	if s := c.Stats(); s.Calls != n || s.Late != 0 || s.BytesIn < n/2*readBuffer {
		t.Fatalf("counted %+v", s)
	}
}

// A browser that reads nothing: calls end at their deadline, on time, whether they are in the queue or wait for a place
// in it, and say that they never left.
func TestStuckWriter(t *testing.T) {
	c, b := connect(t, fakecdp.Stuck, nil)
	c.Browser().Go(patient(t), "Stop.reading", nil)
	c.Browser().Go(patient(t), "Block.writer", strings.Repeat("x", 1<<20)) // more than the pipe and the buffers hold
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	const n = sendQueue + 50
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			err := c.Browser().Call(ctx, "A.b", nil, nil)
			var unanswered *UnansweredError
			if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &unanswered) || unanswered.Sent {
				t.Errorf("got %v, want a passed deadline of a call that was not sent", err)
			}
		})
	}
	wg.Wait()
	if err := c.Close(); err != nil || !errors.Is(c.Err(), ErrClosed) {
		t.Fatalf("Close gave %v, Err %v", err, c.Err())
	}
	if seen := len(b.Requests()); seen > 1 {
		t.Fatalf("the browser read %d requests", seen)
	}
}

// A call that ended while it waited for the writer has no effect later.
func TestWithdrawnRequestIsNeverSent(t *testing.T) {
	release := make(chan struct{})
	c, b := connect(t, fakecdp.Routes{
		"Hold.reading": func(b *fakecdp.Browser, q fakecdp.Request) {
			<-release
			b.Answer(q, struct{}{})
		},
	}.Script, nil)
	ctx := patient(t)
	hold := c.Browser().Go(ctx, "Hold.reading", nil)
	big := c.Browser().Go(ctx, "Big.one", strings.Repeat("x", 1<<20)) // more than the pipe and the buffers hold
	short, cancel := context.WithCancel(ctx)
	gone := c.Browser().Go(short, "Gone.one", nil)
	cancel()
	var unanswered *UnansweredError
	if err := gone.Wait(short, nil); !errors.As(err, &unanswered) || unanswered.Sent || gone.Sent() {
		t.Fatalf("got %v, want a call that was not sent", err)
	}
	close(release)
	for _, p := range []*Pending{hold, big} {
		if err := p.Wait(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range b.Requests() {
		if q.Method == "Gone.one" {
			t.Fatal("the withdrawn request was sent")
		}
	}
}

func TestCloseFailsPendingCalls(t *testing.T) {
	c, _ := connect(t, fakecdp.Silent, nil)
	p := c.Session("S").Go(patient(t), "A.b", nil)
	sub := c.Session("S").SubscribeAll(1, "A.c")
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	<-c.Done()
	for name, err := range map[string]error{
		"pending call":       p.Wait(t.Context(), nil),
		"later call":         c.Browser().Call(t.Context(), "A.b", nil, nil),
		"subscription":       sub.Err(),
		"later subscription": c.Browser().SubscribeAll(1, "A.c").Err(),
		"connection":         c.Err(),
	} {
		var closed *ClosedError
		if !errors.As(err, &closed) || !errors.Is(err, ErrClosed) {
			t.Errorf("%s: got %v, want ErrClosed", name, err)
		}
	}
	if _, open := <-sub.Events(); open {
		t.Error("the subscription's channel is open")
	}
}

func TestTraceSeesEveryFrame(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	trace := func(dir, session, method string, bytes int) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, fmt.Sprintf("%s %q %s %d", dir, session, method, bytes))
	}
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		b.Frame(`{"method":"Any.event","params":{},"sessionId":"S"}`)
		b.Frame(`{"id":1,"result":{}}`)
	}, &Options{Trace: trace})
	if err := c.Session("S").Call(patient(t), "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	want := []string{`out "S" A.b 39`, `in "S" Any.event 50`, `in "S" A.b 20`}
	if fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Fatalf("got  %q\nwant %q", lines, want)
	}
}
