package cdp

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// lenient takes what browsers send: page text may hold lone surrogates, and looking for duplicate names costs time.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// sessionNotFound is Chrome's error code for a session id that it does not know (any more).
const sessionNotFound = -32001

// encodeRequest writes {"id":…,"sessionId":…,"method":…,"params":…}; nil params and the root's session id are left out.
func encodeRequest(id int64, session, method string, params any) ([]byte, error) {
	var body []byte
	if params != nil {
		var err error
		if body, err = json.Marshal(params, lenient); err != nil {
			return nil, fmt.Errorf("cannot encode the parameters: %w", err)
		}
	}
	b := make([]byte, 0, len(body)+len(method)+len(session)+64)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, id, 10)
	if session != "" {
		b = append(b, `,"sessionId":`...)
		b = appendQuoted(b, session)
	}
	b = append(b, `,"method":`...)
	b = appendQuoted(b, method)
	if body != nil {
		b = append(b, `,"params":`...)
		b = append(b, body...)
	}
	b = append(b, '}')
	if len(b) > MaxRequest {
		return nil, ErrRequestTooLarge
	}
	return b, nil
}

// appendQuoted appends s as a JSON string. Bad UTF-8 is replaced, and the error that reports it says nothing more.
func appendQuoted(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// replyReader is kept between replies for the table of short strings inside the decoder: 4 KiB that each new one
// allocates.
type replyReader struct {
	dec jsontext.Decoder
	buf bytes.Buffer
}

var replyReaders = sync.Pool{New: func() any { return new(replyReader) }}

// decodeReply reads a reply frame in one pass, its result straight into result. The second value reports a frame that
// is not JSON at all, which is the connection's fault and not the call's.
func decodeReply(frame []byte, method, session string, result any) (err error, broken bool) {
	r := replyReaders.Get().(*replyReader)
	r.buf = *bytes.NewBuffer(frame)
	r.dec.Reset(&r.buf, lenient)
	err = decodeMembers(&r.dec, method, session, result)
	r.buf = bytes.Buffer{}
	r.dec.Reset(&r.buf) // lets go of the frame
	replyReaders.Put(r)
	if err == nil {
		return nil, false
	}
	// Which kind of error it is matters only now, so a second pass costs nothing on the good way.
	if !jsontext.Value(frame).IsValid(lenient) {
		return nil, true
	}
	return err, false
}

func decodeMembers(dec *jsontext.Decoder, method, session string, result any) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return err
		}
		switch string(name) {
		case `"result"`:
			err = decodeResult(dec, method, result)
		case `"error"`:
			err = decodeError(dec, method, session)
		default:
			err = dec.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	return endOfFrame(dec)
}

func decodeResult(dec *jsontext.Decoder, method string, result any) error {
	if result == nil {
		return dec.SkipValue()
	}
	if raw, ok := result.(*jsontext.Value); ok {
		value, err := dec.ReadValue()
		*raw = value[:len(value):len(value)]
		return err
	}
	if err := json.UnmarshalDecode(dec, result, lenient); err != nil {
		return fmt.Errorf("cannot read the result of %s: %w", method, err)
	}
	return nil
}

func decodeError(dec *jsontext.Decoder, method, session string) error {
	var body struct {
		Code    int64          `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if err := json.UnmarshalDecode(dec, &body, lenient); err != nil {
		return fmt.Errorf("cannot read the error of %s: %w", method, err)
	}
	if body.Code == sessionNotFound && session != "" {
		return &UnansweredError{Method: method, Sent: true, Cause: &SessionGoneError{Session: session, Reason: Detached}}
	}
	detail := ""
	if body.Data.Kind() == '"' {
		_ = json.Unmarshal(body.Data, &detail, lenient) // valid by now, and only a detail
	}
	return &RemoteError{Method: method, Code: body.Code, Message: cut(body.Message), Detail: cut(detail)}
}

// cut shortens text of the browser to MaxRemoteText bytes without splitting a character.
func cut(s string) string {
	if len(s) <= MaxRemoteText {
		return s
	}
	n := MaxRemoteText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}
