package cdp

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzPipe checks the frame reader against a plain split, with reads of every size.
func FuzzPipe(f *testing.F) {
	f.Add([]byte("{}\x00[]\x00rest"), uint16(3), uint8(0))
	f.Add(bytes.Repeat([]byte("abc\x00"), 100), uint16(2), uint8(1))
	f.Add(append(bytes.Repeat([]byte("x"), 300), 0), uint16(1), uint8(2))
	f.Fuzz(func(t *testing.T, stream []byte, repeat uint16, way uint8) {
		if repeat > 0 && len(stream) > 0 { // reach beyond the buffer with small inputs
			stream = bytes.Repeat(stream, min(int(repeat), 4*readBuffer/len(stream)+1))
		}
		var r io.Reader = bytes.NewReader(stream)
		switch way % 3 {
		case 1:
			r = iotest.HalfReader(r)
		case 2:
			r = iotest.DataErrReader(r)
		}
		const limit = 2 * readBuffer
		p := newPipe(io.NopCloser(r), nil, limit)
		for rest := stream; ; {
			want, after, whole := bytes.Cut(rest, []byte{0})
			got, _, err := p.read()
			switch {
			case len(want) > limit:
				if !errors.Is(err, ErrFrameTooLarge) {
					t.Fatalf("frame of %d bytes: got %v", len(want), err)
				}
				return
			case !whole && len(want) == 0:
				if err != io.EOF {
					t.Fatalf("at the end: got %v", err)
				}
				return
			case !whole:
				if err != io.ErrUnexpectedEOF {
					t.Fatalf("within a frame: got %v", err)
				}
				return
			case err != nil || !bytes.Equal(got, want):
				t.Fatalf("got %q, %v; want %q", got, err, want)
			}
			rest = after
		}
	})
}

// FuzzEnvelope checks the scanner against a decoder of whole values.
func FuzzEnvelope(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"result":{"a":[1,2,{"id":3}]},"sessionId":"S"}`, `{"result":{},"id":7}`, `{"id":null,"error":{}}`,
		`{"method":"A.b","params":{"x":"é\u0000"},"sessionId":"S"}`, `{"sessionId":"S","params":[],"method":"\u0041"}`,
		`{}`, `[]`, ``, `{"id":1}{}`, `{"id":1e3}`, `{"method":7,"sessionId":{}}`, "{\"method\":\"\xff\"}",
		`{"id":99999999999999999999}`, `{"params":1,"params":2}`, strings.Repeat(`{"a":`, 200),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		var s scanner
		e, err := s.read(frame, func([]byte) bool { return false })
		var whole map[string]jsontext.Value
		valid := json.Unmarshal(frame, &whole, lenient) == nil && whole != nil
		if err != nil {
			if valid {
				t.Fatalf("refused %q: %v", frame, err)
			}
			return
		}
		if e.reply {
			checkReply(t, frame, valid)
			return
		}
		if !valid {
			t.Fatalf("took %q for %+v", frame, e)
		}
		for got, name := range map[string]string{string(e.method): "method", string(e.session): "sessionId"} {
			var want string
			if whole[name].Kind() == '"' {
				_ = json.Unmarshal(whole[name], &want, lenient)
			}
			if !bytes.Contains([]byte(want), []byte("\ufffd")) && got != want {
				t.Fatalf("%q: %s is %q, want %q", frame, name, got, want)
			}
		}
		if !bytes.Equal(bytes.TrimSpace(whole["params"]), e.params) {
			t.Fatalf("%q: params %q, want %q", frame, e.params, whole["params"])
		}
	})
}

// checkReply checks that a reply's reader finds exactly the frames broken that are no JSON.
func checkReply(t *testing.T, frame []byte, valid bool) {
	for _, result := range []any{nil, new(jsontext.Value), new(any), new(struct {
		A int `json:"a"`
	})} {
		_, broken := decodeReply(frame, "A.b", "S", result)
		if broken && valid {
			t.Fatalf("%q taken for broken into %T", frame, result)
		}
		if err, broken := decodeReply(frame, "A.b", "S", result); !valid && !broken && err == nil {
			t.Fatalf("%q is no JSON but was read into %T", frame, result)
		}
	}
}
