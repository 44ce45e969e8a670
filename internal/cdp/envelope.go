package cdp

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
	"strconv"
)

// envelope is the head of an incoming frame. Slices point into the frame.
type envelope struct {
	reply   bool // id is set
	id      int64
	method  []byte
	session []byte
	params  []byte
}

// scanner reads envelopes. It keeps its decoder, so that an event nobody wants costs no allocation.
type scanner struct {
	dec jsontext.Decoder
	buf bytes.Buffer
}

// read finds the head of a frame. It stops as soon as it knows enough: at the id of a reply, whose caller reads the
// rest, and after the method of an event when skip says that nobody wants it (browser.md §9). Browsers put both
// first, so that a large result is not scanned here at all; any other order works too. An error means that the frame
// is no message.
func (s *scanner) read(frame []byte, skip func(method []byte) bool) (envelope, error) {
	s.buf = *bytes.NewBuffer(frame)
	s.dec.Reset(&s.buf, lenient)
	if len(frame) > readBuffer {
		defer s.forget()
	}
	var e envelope
	if token, err := s.dec.ReadToken(); err != nil || token.Kind() != '{' {
		return e, ErrGarbage
	}
	for s.dec.PeekKind() != '}' {
		stop, err := s.member(&e, frame, skip)
		if err != nil {
			return e, ErrGarbage
		}
		if stop {
			return e, nil
		}
	}
	if _, err := s.dec.ReadToken(); err != nil || endOfFrame(&s.dec) != nil {
		return e, ErrGarbage
	}
	return e, nil
}

// forget lets go of a large frame, which is not to wait here for the next one.
func (s *scanner) forget() {
	s.buf = bytes.Buffer{}
	s.dec.Reset(&s.buf)
}

func (s *scanner) member(e *envelope, frame []byte, skip func([]byte) bool) (stop bool, err error) {
	name, err := s.dec.ReadValue()
	if err != nil {
		return false, err
	}
	switch string(name) {
	case `"id"`:
		value, err := s.dec.ReadValue()
		if err != nil {
			return false, err
		}
		// An id that is no number of ours belongs to no call: the frame is a stray.
		e.id, err = strconv.ParseInt(string(value), 10, 64)
		e.reply = err == nil
		return e.reply, nil
	case `"method"`:
		if e.method, err = s.text(); err != nil {
			return false, err
		}
		return skip(e.method), nil
	case `"sessionId"`:
		e.session, err = s.text()
		return false, err
	case `"params"`:
		value, err := s.dec.ReadValue()
		end := s.dec.InputOffset()
		if err == nil {
			e.params = frame[end-int64(len(value)) : end]
		}
		return false, err
	}
	return false, s.dec.SkipValue()
}

// text reads a string; what is not one gives an empty text.
func (s *scanner) text() ([]byte, error) {
	value, err := s.dec.ReadValue()
	if err != nil || value.Kind() != '"' {
		return nil, err
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], nil
	}
	var text string
	err = json.Unmarshal(value, &text, lenient)
	return []byte(text), err
}

// endOfFrame reports whatever follows the message in its frame.
func endOfFrame(dec *jsontext.Decoder) error {
	_, err := dec.ReadToken()
	if err == io.EOF {
		return nil
	}
	return ErrGarbage
}
