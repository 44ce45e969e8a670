package cdp

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"strings"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/glasskit/glass/internal/testkit/fakecdp"
)

// numbered reads the "n" of an event of Browser.Flood.
func numbered(t *testing.T, params []byte) int {
	var p struct {
		N int `json:"n"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		t.Fatal(err)
	}
	return p.N
}

// events answers each request after having sent events as the text says: "session method payload", one per line.
func events(text string) fakecdp.Script {
	return func(b *fakecdp.Browser, q fakecdp.Request) {
		for line := range strings.SplitSeq(text, "\n") {
			f := strings.SplitN(line, " ", 3)
			b.Frame(fmt.Sprintf(`{"method":%q,"params":%s,"sessionId":%q}`, f[1], f[2], f[0]))
		}
		b.Answer(q, struct{}{})
	}
}

func TestSubscriptionKeepsOrderAcrossMethods(t *testing.T) {
	c, _ := connect(t, events(`S A.x {"n":0}
S A.unwanted {"n":9}
T A.x {"n":9}
S A.y {"n":1}
S A.x {"n":2}`), nil)
	sub := c.Session("S").SubscribeAll(8, "A.x", "A.y")
	if err := c.Session("S").Call(patient(t), "A.go", nil, nil); err != nil {
		t.Fatal(err)
	}
	sub.Close()
	sub.Close()
	var got []string
	for e := range sub.Events() {
		got = append(got, fmt.Sprint(e.Method, numbered(t, e.Params)))
	}
	if fmt.Sprint(got) != "[A.x0 A.y1 A.x2]" || sub.Err() != nil {
		t.Fatalf("got %v, %v", got, sub.Err())
	}
	if s := c.Stats(); s.EventsSeen != 5 || s.EventsDropped != 0 {
		t.Fatalf("counted %+v", s)
	}
	assertNothingWanted(t, c)
}

// assertNothingWanted checks that what listeners registered has gone with them.
func assertNothingWanted(t *testing.T, c *Conn) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.wanted) != len(ownEvents) {
		t.Fatalf("%d methods are wanted, want the connection's own %d", len(c.wanted), len(ownEvents))
	}
}

func TestSlowSubscriberLosesOnlyItself(t *testing.T) {
	const n, size = 10_000, 16
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		b.Flood("S", "A.x", n)
		b.Answer(q, struct{}{})
	}, nil)
	s := c.Session("S")
	slow := s.SubscribeAll(size, "A.x")
	plain, cancel := s.Subscribe("A.x")
	defer cancel()
	roomy := s.SubscribeAll(n, "A.x")
	defer roomy.Close()
	if err := s.Call(patient(t), "A.go", nil, nil); err != nil {
		t.Fatal(err)
	}
	next := 0
	for e := range slow.Events() { // closed by the overflow, after what was queued
		if got := numbered(t, e.Params); got != next {
			t.Fatalf("event %d came, want %d", got, next)
		}
		next++
	}
	if next != size || !errors.Is(slow.Err(), ErrOverflow) {
		t.Fatalf("read %d events, error %v; want %d and ErrOverflow", next, slow.Err(), size)
	}
	for range plain {
		next++
	}
	if next != size+DefaultQueue {
		t.Fatalf("the plain subscription held %d events, want %d", next-size, DefaultQueue)
	}
	for want := range n {
		if got := numbered(t, (<-roomy.Events()).Params); got != want {
			t.Fatalf("event %d came, want %d", got, want)
		}
	}
	if dropped := c.Stats().EventsDropped; dropped != 2 {
		t.Fatalf("%d events counted as dropped, want one per lost subscription", dropped)
	}
	if roomy.Err() != nil || c.Err() != nil {
		t.Fatalf("others suffered: %v, %v", roomy.Err(), c.Err())
	}
}

func TestQueueIsBoundedInBytes(t *testing.T) {
	const half = MaxQueuedBytes / 2
	tests := []struct {
		name  string
		sizes []int
		read  []bool // before pushing the size, read one
		want  []bool
	}{
		{"one of any size", []int{3 * half}, []bool{false}, []bool{true}},
		{"up to the limit", []int{half, half, 1}, []bool{false, false, false}, []bool{true, true, false}},
		{"what was read does not count", []int{half, half, half, 1}, []bool{false, false, true, false},
			[]bool{true, true, true, false}},
		{"the ring goes round", []int{1, 2, 3, 4, 2 * half}, []bool{false, true, true, true, true},
			[]bool{true, true, true, true, true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := newQueue[int](nil, 3, nil)
			for i, size := range test.sizes {
				if test.read[i] {
					<-q.ch
				}
				if got := q.push(i, size); got != test.want[i] {
					t.Fatalf("push %d of %d bytes: %v", i, size, got)
				}
			}
		})
	}
}

func TestHandlerRunsBeforeLaterReplies(t *testing.T) {
	c, _ := connect(t, events("S A.x {\"n\":1}\nS A.y {\"n\":2}"), nil)
	s := c.Session("S")
	var got []string // no lock: the reply is delivered after the handler has run
	remove := s.Handle(func(method string, params []byte) {
		got = append(got, fmt.Sprint(method, numbered(t, params)))
		c.Session("child").Handle(func(string, []byte) {}, "A.z")
	}, "A.x", "A.y")
	if err := s.Call(patient(t), "A.go", nil, nil); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != "[A.x1 A.y2]" {
		t.Fatalf("got %v", got)
	}
	remove()
	remove()
	if err := s.Call(patient(t), "A.go", nil, nil); err != nil || len(got) != 2 {
		t.Fatalf("after remove: %v, %v", got, err)
	}
}

func TestSessionServesGeneratedCode(t *testing.T) {
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		b.Emit(q.SessionID, "Page.loadEventFired", map[string]any{"timestamp": 12.5})
		b.Answer(q, map[string]any{"frameId": "F", "loaderId": "L"})
	}, nil)
	ctx := patient(t)
	fired := protocol.Events(ctx, c.Session("S"), page.LoadEventFired)
	got, err := protocol.Call(ctx, c.Session("S"), page.Navigate, page.NavigateParams{URL: "about:blank"})
	if err != nil || got.FrameID != "F" {
		t.Fatalf("got %+v, %v", got, err)
	}
	for e, err := range fired {
		if err != nil {
			t.Fatalf("got %+v, %v", e, err)
		}
		break
	}
	assertNothingWanted(t, c)
}
