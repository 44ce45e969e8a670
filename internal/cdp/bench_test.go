package cdp

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

type pageResult struct {
	FrameID string `json:"frameId"`
	Data    string `json:"data"`
}

// BenchmarkCall is one small call after the other over real pipes. Time and allocations include the fake browser's;
// BenchmarkCallClientAlone has the client's.
func BenchmarkCall(b *testing.B) {
	c, _ := connect(b, frame(`{"id":ID,"result":{"frameId":"F"},"sessionId":"S"}`), nil)
	s := c.Session("S")
	b.ReportAllocs()
	for b.Loop() {
		var got pageResult
		if err := s.Call(b.Context(), "Page.navigate", map[string]string{"url": "about:blank"}, &got); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCallParallel(b *testing.B) {
	c, _ := connect(b, frame(`{"id":ID,"result":{"frameId":"F"},"sessionId":"S"}`), nil)
	s := c.Session("S")
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			var got pageResult
			if err := s.Call(b.Context(), "Page.navigate", nil, &got); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// echo is a transport that answers each request itself, so that a benchmark counts the client's work alone.
type echo struct {
	ids  chan int64
	done chan struct{}
	last atomic.Int64
}

func (e *echo) read() ([]byte, bool, error) {
	select {
	case id := <-e.ids:
		return fmt.Appendf(nil, `{"id":%d,"result":{"frameId":"F"},"sessionId":"S"}`, id), true, nil
	case <-e.done:
		return nil, false, ErrClosed
	}
}

func (e *echo) write(frame []byte, _ bool) error {
	if frame != nil {
		e.ids <- e.last.Add(1)
	}
	return nil
}

func (e *echo) close() { close(e.done) }

func BenchmarkCallClientAlone(b *testing.B) {
	c := newConn(&echo{ids: make(chan int64, 1), done: make(chan struct{})}, nil)
	defer c.Close()
	s := c.Session("S")
	params := struct {
		URL string `json:"url"`
	}{"about:blank"}
	b.ReportAllocs()
	for b.Loop() {
		var got pageResult
		if err := s.Call(b.Context(), "Page.navigate", params, &got); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReply10MB(b *testing.B) {
	const size = 10 << 20
	reply := `{"id":ID,"result":{"data":"` + strings.Repeat("x", size) + `"},"sessionId":"S"}`
	c, _ := connect(b, frame(reply), nil)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		var got pageResult
		if err := c.Session("S").Call(b.Context(), "A.b", nil, &got); err != nil || len(got.Data) != size {
			b.Fatal(len(got.Data), err)
		}
	}
}

// BenchmarkEvent is what an event costs the reader goroutine.
func BenchmarkEvent(b *testing.B) {
	event := []byte(`{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"` +
		strings.Repeat("x", 200) + `"}],"executionContextId":3,"timestamp":1},"sessionId":"S"}`)
	for _, wanted := range []bool{false, true} {
		b.Run(fmt.Sprintf("wanted=%v", wanted), func(b *testing.B) {
			c := newConn(&echo{ids: make(chan int64), done: make(chan struct{})}, nil)
			defer c.Close()
			if wanted {
				c.Session("S").Handle(func(string, []byte) {}, "Runtime.consoleAPICalled")
			}
			b.SetBytes(int64(len(event)))
			b.ReportAllocs()
			for b.Loop() {
				if err := c.dispatch(event, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
