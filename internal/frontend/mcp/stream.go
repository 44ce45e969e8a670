package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
)

// outstandingRequests bounds the requests that were read and not yet answered on one stream. More than run and wait
// (see flight.go) are only outstanding when the client does not read its answers: then nothing more is read.
const outstandingRequests = 4 * contract.RequestsInFlight

// endGrace is how long calls may go on after the end of the input, on streams whose output may still be read.
const endGrace = time.Second

// streamTransport is an SDK transport over a pair of streams, for one connection.
type streamTransport struct {
	conn *stream
}

// Connect implements the SDK's Transport.
func (t *streamTransport) Connect(context.Context) (sdk.Connection, error) { return t.conn, nil }

// stream is a connection of newline-delimited messages. Its reading side belongs to the SDK's one reading goroutine.
type stream struct {
	lines  *lineReader
	in     io.Closer
	out    io.Writer
	server bool          // bad lines are answered
	grace  time.Duration // for answers after the end of the input

	incoming chan incoming
	closed   chan struct{}
	over     chan struct{} // closed when nothing more will be read
	slots    chan struct{} // one per request that is not answered yet; nil on the client side

	writing sync.Mutex
	closing sync.Once
	reader  sync.WaitGroup
}

type incoming struct {
	msg jsonrpc.Message
	err error
}

// newStream makes a stream; the caller starts its reading with start. The stream owns in and closes it; out stays the
// caller's.
func newStream(in io.ReadCloser, out io.Writer, limit int, server bool) *stream {
	s := &stream{
		lines: newLineReader(in, limit), in: in, out: out, server: server,
		incoming: make(chan incoming), closed: make(chan struct{}), over: make(chan struct{}),
	}
	if server {
		s.slots = make(chan struct{}, outstandingRequests)
	}
	return s
}

// start begins to read. Close ends that, and reader.Wait waits for it.
func (s *stream) start() { s.reader.Go(s.read) }

// read runs until the input ends or the stream is closed.
func (s *stream) read() {
	defer close(s.over)
	for {
		msg, err := s.readMessage()
		if msg == nil && err == nil {
			continue
		}
		if errors.Is(err, io.EOF) && s.grace > 0 {
			s.settle()
		}
		select {
		case s.incoming <- incoming{msg, err}:
		case <-s.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// settle gives requests under way a moment to be answered when the input has ended: whoever wrote them all at once and
// closed the pipe still reads. What takes longer is cancelled.
func (s *stream) settle() {
	timer := time.NewTimer(s.grace)
	defer timer.Stop()
	for range cap(s.slots) {
		select {
		case s.slots <- struct{}{}: // when all places can be taken, none is in use
		case <-timer.C:
			return
		case <-s.closed:
			return
		}
	}
}

// readMessage returns no message and no error for a line that was blank or answered on the spot.
func (s *stream) readMessage() (jsonrpc.Message, error) {
	line, err := s.lines.next()
	var bad *badMessage
	switch {
	case errors.Is(err, errTooLong):
		bad = tooLong()
	case err != nil:
		return nil, err
	case len(line) == 0:
		return nil, nil
	default:
		var msg jsonrpc.Message
		if msg, bad = decode(line); bad == nil {
			return msg, s.acquire(msg)
		}
	}
	if !s.server {
		return nil, errors.New(bad.message)
	}
	return nil, s.write(bad.answer())
}

func (s *stream) acquire(msg jsonrpc.Message) error {
	if req, ok := msg.(*jsonrpc.Request); !ok || !req.IsCall() || s.slots == nil {
		return nil
	}
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-s.closed:
		return io.EOF
	}
}

// Read implements the SDK's Connection.
func (s *stream) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case in := <-s.incoming:
		return in.msg, in.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closed:
		return nil, io.EOF
	}
}

// Write implements the SDK's Connection.
func (s *stream) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if _, ok := msg.(*jsonrpc.Response); ok && s.slots != nil {
		defer func() {
			select {
			case <-s.slots:
			default: // the answer to a repeated id takes no slot of its own
			}
		}()
	}
	return s.write(append(data, '\n'))
}

func (s *stream) write(data []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.out.Write(data)
	return err
}

// Close implements the SDK's Connection.
func (s *stream) Close() error {
	var err error
	s.closing.Do(func() {
		close(s.closed)
		err = s.in.Close()
	})
	return err
}

// SessionID implements the SDK's Connection; streams have no session of the protocol.
func (s *stream) SessionID() string { return "" }
