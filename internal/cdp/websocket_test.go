package cdp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glasskit/glass/internal/testkit/fakecdp"
)

// dialFake connects to a fake browser's WebSocket.
func dialFake(t *testing.T, script fakecdp.Script, opts *Options) *Conn {
	t.Helper()
	server, err := fakecdp.Listen(script, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	c, err := Dial(patient(t), server.URL(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestWebSocketCalls(t *testing.T) {
	c := dialFake(t, fakecdp.Routes{
		"Huge.reply": func(b *fakecdp.Browser, q fakecdp.Request) { b.Huge(q, 5*readBuffer) },
		"Slow.reply": func(b *fakecdp.Browser, q fakecdp.Request) {
			b.Trickle(`{"id":2,"result":{"data":"slow"}}`, 1, nil)
		},
	}.Script, nil)
	for _, test := range []struct {
		method string
		want   string
	}{{"Huge.reply", strings.Repeat("x", 5*readBuffer)}, {"Slow.reply", "slow"}, {"Plain.reply", ""}} {
		var got struct {
			Data string `json:"data"`
		}
		err := c.Session("S").Call(patient(t), test.method, map[string]string{"pad": strings.Repeat("p", 70_000)}, &got)
		if err != nil || got.Data != test.want {
			t.Fatalf("%s: got %d bytes, %v", test.method, len(got.Data), err)
		}
	}
}

func TestWebSocketFaults(t *testing.T) {
	const limit = 2 * readBuffer
	tests := []struct {
		name  string
		fault func(b *fakecdp.Browser, q fakecdp.Request)
		want  error // nil: any
	}{
		{"cut", func(b *fakecdp.Browser, _ fakecdp.Request) { b.Cut() }, nil},
		{"cut within a message", func(b *fakecdp.Browser, _ fakecdp.Request) {
			b.Raw([]byte{0x81, 100, '{'})
			b.Cut()
		}, nil},
		{"half-close", func(b *fakecdp.Browser, _ fakecdp.Request) { b.HalfClose() }, io.EOF},
		{"close frame", func(b *fakecdp.Browser, _ fakecdp.Request) { b.Raw([]byte{0x88, 2, 0x03, 0xe8}) }, io.EOF},
		{"not a WebSocket frame", func(b *fakecdp.Browser, _ fakecdp.Request) { b.Raw([]byte("HTTP/1.1 200 OK\r\n")) }, nil},
		{"garbage", garbage("<html>"), ErrGarbage},
		{"too large", func(b *fakecdp.Browser, q fakecdp.Request) { b.Huge(q, limit) }, ErrFrameTooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := dialFake(t, test.fault, &Options{MaxFrame: limit})
			err := c.Browser().Call(patient(t), "A.b", nil, nil)
			var closed *ClosedError
			if !errors.As(err, &closed) || test.want != nil && !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			<-c.Done()
		})
	}
}

func TestWebSocketPeerFallsSilent(t *testing.T) {
	for _, test := range []struct {
		name   string
		script fakecdp.Script
	}{{"answers nothing", fakecdp.Silent}, {"reads nothing", fakecdp.Stuck}} {
		t.Run(test.name, func(t *testing.T) {
			server, err := fakecdp.Listen(test.script, true)
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			c, err := dial(patient(t), server.URL(), nil, 20*time.Millisecond, 100*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			err = c.Browser().Call(patient(t), "A.b", strings.Repeat("x", 16<<20), nil)
			if !errors.Is(err, ErrPeerSilent) {
				t.Fatalf("got %v, want ErrPeerSilent", err)
			}
		})
	}
}

// A message that takes longer than a ping is given holds the pong back; that it moves is enough.
func TestWebSocketSlowMessageIsNoSilence(t *testing.T) {
	server, err := fakecdp.Listen(func(b *fakecdp.Browser, _ fakecdp.Request) {
		pace := time.NewTicker(6 * time.Millisecond)
		defer pace.Stop()
		b.Trickle(`{"id":1,"result":{"data":"`+strings.Repeat("x", 200)+`"}}`, 1, func() bool {
			select {
			case <-pace.C:
				return true
			case <-b.Done():
				return false
			}
		})
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	c, err := dial(patient(t), server.URL(), nil, 50*time.Millisecond, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Browser().Call(patient(t), "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
}

func TestCloseOfStuckWebSocket(t *testing.T) {
	c := dialFake(t, fakecdp.Stuck, nil)
	for range 3 {
		c.Browser().Go(t.Context(), "A.b", strings.Repeat("x", 8<<20))
	}
	_ = c.Close() // returns, with its goroutines
	if !errors.Is(c.Err(), ErrClosed) {
		t.Fatalf("got %v", c.Err())
	}
}

func TestDialRefuses(t *testing.T) {
	var visits atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer target.Close()
	redirect := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusFound))
	defer redirect.Close()
	mute, err := net.Listen("tcp", "127.0.0.1:0") // accepts in the kernel, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	ended, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for name, test := range map[string]struct {
		ctx context.Context
		url string
	}{
		"redirect":     {patient(t), strings.Replace(redirect.URL, "http", "ws", 1)},
		"no WebSocket": {patient(t), strings.Replace(target.URL, "http", "ws", 1)},
		"no URL":       {patient(t), "::"},
		"mute peer":    {ended, "ws://" + mute.Addr().String()},
	} {
		if c, err := Dial(test.ctx, test.url, nil); err == nil {
			_ = c.Close()
			t.Errorf("%s: connected", name)
		} else if !strings.HasPrefix(err.Error(), "cannot connect to the browser: ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := visits.Load(); n != 1 {
		t.Errorf("the page was visited %d times, want once and not through the redirect", n)
	}
}
