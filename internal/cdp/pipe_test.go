package cdp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/glasskit/glass/internal/testkit/fakecdp"
)

// How a pipe peer can go wrong (reliability.md §3.2): the connection ends with a cause, and the pending call with it.
func TestPipeFaults(t *testing.T) {
	const limit = 4 * readBuffer
	tests := []struct {
		name  string
		fault func(b *fakecdp.Browser, q fakecdp.Request)
		want  error
	}{
		{"half-close", func(b *fakecdp.Browser, _ fakecdp.Request) { b.HalfClose() }, io.EOF},
		{"cut", func(b *fakecdp.Browser, _ fakecdp.Request) { b.Cut() }, io.EOF},
		{"half-close within a frame", func(b *fakecdp.Browser, _ fakecdp.Request) {
			b.Raw([]byte(`{"id":1,"res`))
			b.HalfClose()
		}, io.ErrUnexpectedEOF},
		{"half-close within a long frame", func(b *fakecdp.Browser, _ fakecdp.Request) {
			b.Raw(bytes.Repeat([]byte("x"), 2*readBuffer))
			b.HalfClose()
		}, io.ErrUnexpectedEOF},
		{"too large", func(b *fakecdp.Browser, q fakecdp.Request) { b.Huge(q, limit) }, ErrFrameTooLarge},
		{"too large and without end", func(b *fakecdp.Browser, _ fakecdp.Request) {
			b.Raw(bytes.Repeat([]byte("x"), limit+readBuffer))
		}, ErrFrameTooLarge},
		{"empty frame", garbage(""), ErrGarbage},
		{"no JSON", garbage("HTTP/1.1 400 Bad Request"), ErrGarbage},
		{"no object", garbage(`[{"id":1}]`), ErrGarbage},
		{"reply cut off", garbage(`{"id":1,"result":{"a":[1,2`), ErrGarbage},
		{"reply with a broken result", garbage(`{"id":1,"result":{"a":tru}}`), ErrGarbage},
		{"two messages in a frame", garbage(`{"id":1,"result":{}}{}`), ErrGarbage},
		{"broken wanted event", garbage(`{"method":"A.wanted","params":{`), ErrGarbage},
		{"event before its method breaks", garbage(`{"params":{},"meth`), ErrGarbage},
		{"binary", garbage("\xff\xfe\x01"), ErrGarbage},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, _ := connect(t, test.fault, &Options{MaxFrame: limit})
			sub := c.Browser().SubscribeAll(1, "A.wanted")
			err := c.Browser().Call(patient(t), "A.b", nil, nil)
			<-c.Done()
			for _, err := range []error{err, c.Err(), sub.Err()} {
				if !errors.As(err, new(*ClosedError)) || !errors.Is(err, test.want) {
					t.Fatalf("got %v, want %v", err, test.want)
				}
			}
		})
	}
}

func garbage(text string) fakecdp.Script {
	return func(b *fakecdp.Browser, _ fakecdp.Request) { b.Frame(text) }
}

// Frames that are odd, but do not end anything.
func TestStraysAreIgnored(t *testing.T) {
	strays := []string{`{}`, `{"id":77,"result":{}}`, `{"id":null,"error":{"code":-32700,"message":"?"}}`, `{"id":"1"}`,
		`{"method":7}`, `{"method":""}`, `{"method":"A.b"}`, `{"method":"A.b","sessionId":7}`, ` {"method":"\u0041.c"} `}
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		for _, s := range strays {
			b.Frame(s)
		}
		b.Answer(q, struct{}{})
	}, nil)
	sub := c.Browser().SubscribeAll(8, "A.b", "A.c")
	defer sub.Close()
	if err := c.Browser().Call(patient(t), "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	s := c.Stats()
	if s.Strays != 5 || s.Late != 1 || s.EventsSeen != 3 || len(sub.Events()) != 3 {
		t.Fatalf("counted %+v, queued %d", s, len(sub.Events()))
	}
}

func TestPipeSlowBytes(t *testing.T) {
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		b.Trickle(`{"method":"A.x","params":{"n":1},"sessionId":"S"}`, 1, nil)
		b.Trickle(`{"id":1,"result":{"data":"`+strings.Repeat("é", readBuffer)+`"}}`, 1021, nil)
	}, nil)
	sub := c.Session("S").SubscribeAll(1, "A.x")
	defer sub.Close()
	var got struct {
		Data string `json:"data"`
	}
	if err := c.Browser().Call(patient(t), "A.b", nil, &got); err != nil || len(got.Data) != 2*readBuffer {
		t.Fatalf("got %d bytes, %v", len(got.Data), err)
	}
	if e := <-sub.Events(); string(e.Params) != `{"n":1}` {
		t.Fatalf("got %s", e.Params)
	}
}

// Frames at and around the sizes where the reader changes its ways.
func TestPipeFrameSizes(t *testing.T) {
	const b = readBuffer
	for _, size := range []int{1, b - 2, b - 1, b, b + 1, 2 * b, 9 * b} {
		for _, limit := range []int{size - 1, size} {
			stream := strings.Repeat("x", size) + "\x00y\x00"
			p := newPipe(io.NopCloser(strings.NewReader(stream)), nil, limit)
			frame, _, err := p.read()
			if limit < size {
				if !errors.Is(err, ErrFrameTooLarge) {
					t.Fatalf("%d bytes, limit %d: got %v", size, limit, err)
				}
				continue
			}
			if err != nil || len(frame) != size {
				t.Fatalf("%d bytes: got %d, %v", size, len(frame), err)
			}
			if frame, _, err = p.read(); err != nil || string(frame) != "y" {
				t.Fatalf("after %d bytes: got %q, %v", size, frame, err)
			}
		}
	}
}
