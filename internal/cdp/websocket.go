package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Dial connects to a browser's webSocketDebuggerUrl. The context bounds the handshake alone. Proxies of the environment
// are not used and redirects are not followed: the connection goes where the URL says or nowhere. Which addresses are
// allowed is for the caller to decide (reliability.md §1.1). A peer that falls silent ends the connection with
// ErrPeerSilent.
func Dial(ctx context.Context, wsURL string, opts *Options) (*Conn, error) {
	return dial(ctx, wsURL, opts, pingEvery, pingTimeout)
}

func dial(ctx context.Context, wsURL string, opts *Options, every, timeout time.Duration) (*Conn, error) {
	received := new(atomic.Int64)
	client := &http.Client{
		Transport:     &http.Transport{DialContext: counting(received), DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	ws, _, err := websocket.Dial(ctx, wsURL, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the browser: %w", err)
	}
	t := newSocket(ws, maxFrame(opts), received)
	c := newConn(t, opts)
	c.wg.Go(func() { t.keepAlive(c.end, every, timeout) })
	return c, nil
}

// counting dials, and counts what comes in. The WebSocket library shows a message only in whole buffers.
func counting(received *atomic.Int64) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &countedConn{Conn: c, received: received}, nil
	}
}

type countedConn struct {
	net.Conn
	received *atomic.Int64
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.received.Add(int64(n))
	return n, err
}

// socket carries one message per WebSocket message.
type socket struct {
	max      int
	buf      []byte        // for messages of the common size
	received *atomic.Int64 // bytes of the TCP connection, so that a slow message is a sign of life

	// The socket's life is not that of any caller's context: its reads and writes end when close calls stop.
	reader func() (io.Reader, error)
	writer func([]byte) error
	ping   func(time.Duration) error
	ended  <-chan struct{}
	stop   func()
}

func newSocket(ws *websocket.Conn, max int, received *atomic.Int64) *socket {
	life, cancel := context.WithCancel(context.Background())
	ws.SetReadLimit(int64(max))
	s := &socket{max: max, received: received, buf: make([]byte, readBuffer), ended: life.Done()}
	s.reader = func() (io.Reader, error) {
		_, r, err := ws.Reader(life)
		return r, err
	}
	s.writer = func(frame []byte) error { return ws.Write(life, websocket.MessageText, frame) }
	s.ping = func(timeout time.Duration) error {
		ctx, cancel := context.WithTimeout(life, timeout)
		defer cancel()
		return ws.Ping(ctx)
	}
	s.stop = sync.OnceFunc(func() {
		cancel()
		_ = ws.CloseNow() // the connection has ended; there is nobody to tell
	})
	return s
}

func (s *socket) read() (frame []byte, owned bool, err error) {
	r, err := s.reader()
	if err != nil {
		return nil, false, s.cause(err)
	}
	frame, n := s.buf, 0
	for {
		if n > s.max {
			return nil, false, tooLarge(s.max)
		}
		if n == len(frame) {
			grown := make([]byte, min(2*len(frame), s.max+1))
			copy(grown, frame)
			frame, owned = grown, true
		}
		m, err := r.Read(frame[n:])
		n += m
		if err == io.EOF {
			return frame[:n], owned, nil
		}
		if err != nil {
			return nil, false, s.cause(err)
		}
	}
}

// cause puts the transport's words into the package's.
func (s *socket) cause(err error) error {
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return tooLarge(s.max)
	}
	if websocket.CloseStatus(err) != -1 {
		return io.EOF // the peer said goodbye
	}
	if errors.Is(err, net.ErrClosed) {
		return ErrPeerSilent // a ping that could not even be written; after close the cause is set already
	}
	return err
}

func (s *socket) write(frame []byte, _ bool) error {
	if frame == nil {
		return nil
	}
	return s.writer(frame)
}

func (s *socket) close() { s.stop() }

// keepAlive finds a peer that is gone without a word. A message that arrives byte by byte holds the answer to a ping
// back, so progress counts as an answer.
func (s *socket) keepAlive(end func(error), every, timeout time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-s.ended:
			return
		case <-tick.C:
		}
		before := s.received.Load()
		if err := s.ping(timeout); err != nil && s.received.Load() == before {
			end(ErrPeerSilent)
			return
		}
	}
}
