package mcp

import (
	"bufio"
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// messageDepth bounds the nesting of a message. The SDK ends the connection at 1,000; real ones nest about ten deep.
	messageDepth = 64
	// idBytes bounds the request id that an error answer repeats.
	idBytes = 256
	// readBuffer is how much of a line is read at once.
	readBuffer = 64 << 10
)

// errTooLong is a line over the limit, which has been read to its end and dropped.
var errTooLong = errors.New("longer than the limit")

// lineReader reads lines of at most limit bytes. A longer one costs no more memory than the limit.
type lineReader struct {
	r     *bufio.Reader
	limit int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, readBuffer), limit: limit}
}

// next returns the next line without its end. After errTooLong the following line can be read. A last line without an
// end is returned before io.EOF.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		if !tooLong && len(line)+len(part) > l.limit+1 {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !tooLong):
			return nil, err
		case tooLong:
			return nil, errTooLong
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}

// badMessage is a message that is answered with a JSON-RPC error instead of being passed on.
type badMessage struct {
	code    int64
	message string
	id      jsontext.Value // as sent, or nil
}

// answer is the error response as one line.
func (b *badMessage) answer() []byte {
	type wireError struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	id := b.id
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	data, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Error   wireError      `json:"error"`
	}{"2.0", id, wireError{b.code, b.message}})
	if err != nil {
		panic(err) // the id was read as a JSON string or number
	}
	return append(data, '\n')
}

var (
	envelopeKeys = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	paramsKeys   = []string{"_meta", "name", "arguments", "uri", "requestId", "progressToken", "protocolVersion",
		"capabilities", "clientInfo", "level", "cursor"}
)

// decode checks a message and hands it on decoded. Names that occur twice, or that a careless reader could take for
// another ("METHOD", "method\u0000"), are refused: a filter and the server must read the same message.
func decode(line []byte) (jsonrpc.Message, *badMessage) {
	dec := jsontext.NewDecoder(bytes.NewReader(line))
	if dec.PeekKind() == '[' {
		return nil, &badMessage{
			code: jsonrpc.CodeInvalidRequest, message: "batches are not supported: send one message a line",
		}
	}
	if dec.PeekKind() != '{' {
		return nil, &badMessage{code: jsonrpc.CodeParseError, message: "not a JSON object"}
	}
	var id jsontext.Value
	if bad := check(dec, &id); bad != nil {
		bad.id = id
		return nil, bad
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, &badMessage{code: jsonrpc.CodeInvalidRequest, message: "not a JSON-RPC 2.0 message", id: id}
	}
	return msg, nil
}

// check walks the message once. It fills id as soon as it has read it.
func check(dec *jsontext.Decoder, id *jsontext.Value) *badMessage {
	for {
		tok, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return &badMessage{code: jsonrpc.CodeInvalidRequest, message: "a name occurs twice in one object"}
		}
		if err != nil {
			return &badMessage{code: jsonrpc.CodeParseError, message: "not valid JSON"}
		}
		depth := dec.StackDepth()
		if depth > messageDepth {
			return &badMessage{code: jsonrpc.CodeInvalidRequest, message: "nested too deep"}
		}
		kind, length := dec.StackIndex(depth)
		if depth == 0 && tok.Kind() == '}' {
			return trailing(dec)
		}
		if tok.Kind() != '"' || kind != '{' || length%2 == 0 || depth > 2 {
			continue
		}
		if bad := checkName(dec, tok.String(), depth); bad != nil {
			return bad
		}
		if depth == 1 && tok.String() == "id" {
			if bad := readID(dec, id); bad != nil {
				return bad
			}
		}
	}
}

func trailing(dec *jsontext.Decoder) *badMessage {
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return &badMessage{code: jsonrpc.CodeParseError, message: "more than one message on a line"}
	}
	return nil
}

// checkName refuses look-alikes of the names that the protocol gives a meaning, in the envelope and in params.
func checkName(dec *jsontext.Decoder, name string, depth int) *badMessage {
	known := envelopeKeys
	if depth == 2 {
		if dec.StackPointer().Parent() != "/params" {
			return nil
		}
		known = paramsKeys
	}
	looksAlike := func(k string) bool { return plain(k) == plain(name) }
	if slices.Contains(known, name) || !slices.ContainsFunc(known, looksAlike) {
		return nil
	}
	return &badMessage{
		code: jsonrpc.CodeInvalidRequest, message: "a name differs from a known one only in case or invisible characters",
	}
}

// plain is a name as a careless reader takes it: letters without case, nothing else.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

func readID(dec *jsontext.Decoder, id *jsontext.Value) *badMessage {
	if kind := dec.PeekKind(); kind != '"' && kind != '0' && kind != 'n' {
		if kind == jsontext.KindInvalid {
			return nil // the next read reports it
		}
		return &badMessage{code: jsonrpc.CodeInvalidRequest, message: "id must be a string or a number"}
	}
	v, err := dec.ReadValue()
	if err != nil {
		return &badMessage{code: jsonrpc.CodeParseError, message: "not valid JSON"}
	}
	if len(v) > idBytes {
		return &badMessage{code: jsonrpc.CodeInvalidRequest, message: "id is too long"}
	}
	*id = bytes.Clone(v)
	return nil
}

// tooLong answers a line over the limit; nothing of it was kept, so its id is not known.
func tooLong() *badMessage {
	return &badMessage{code: jsonrpc.CodeInvalidRequest, message: "message larger than the limit", id: nil}
}
