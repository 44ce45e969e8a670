package cdp

import (
	"io"
	"sync"
)

// Options changes how a connection works; nil means the defaults.
type Options struct {
	// MaxFrame is the largest incoming frame in bytes; 0 means DefaultMaxFrame. A larger one ends the connection with
	// ErrFrameTooLarge.
	MaxFrame int
	// Trace, if set, is called once per frame: dir is "out" or "in", bytes the frame's length without its framing. A reply
	// carries the session and method of its request. It runs on the reader and writer goroutines: it must be safe for
	// concurrent use, must not block, and must not use the connection.
	Trace func(dir string, sessionID string, method string, bytes int)
}

// transport moves whole frames. read is called by one goroutine and write by one other; close makes both return, and
// may be called more than once.
type transport interface {
	// read returns the next frame. Unless owned is true, the bytes are valid until the next read.
	read() (frame []byte, owned bool, err error)
	// write sends one frame; more says that another write follows at once, so that frames may be collected.
	write(frame []byte, more bool) error
	close()
}

// Conn is one connection to a browser. All methods are safe for concurrent use.
type Conn struct {
	transport transport
	trace     func(dir, sessionID, method string, bytes int)
	out       chan *Pending
	done      chan struct{}
	wg        sync.WaitGroup
	stats     counters
	root      *Session
	scan      scanner // reader goroutine only

	mu       sync.Mutex
	err      *ClosedError // nil while the connection lives
	nextID   int64
	pending  map[int64]*Pending
	sessions map[string]*Session
	gone     []string           // ids of detached sessions, oldest first, at most goneKept
	wanted   map[string]*wanted // methods which somebody listens to, on any session
}

// NewPipe makes the connection of --remote-debugging-pipe: JSON frames, each ended by a NUL byte. The connection owns
// both ends; closing them must make a blocked Read and Write return, as it does for os.Pipe and net.Conn.
func NewPipe(r io.ReadCloser, w io.WriteCloser, opts *Options) *Conn {
	return newConn(newPipe(r, w, maxFrame(opts)), opts)
}

func maxFrame(opts *Options) int {
	if opts == nil || opts.MaxFrame <= 0 {
		return DefaultMaxFrame
	}
	return opts.MaxFrame
}

func newConn(t transport, opts *Options) *Conn {
	c := &Conn{
		transport: t,
		out:       make(chan *Pending, sendQueue),
		done:      make(chan struct{}),
		pending:   make(map[int64]*Pending),
		sessions:  make(map[string]*Session),
		wanted:    make(map[string]*wanted),
	}
	if opts != nil {
		c.trace = opts.Trace
	}
	c.root = &Session{conn: c}
	c.sessions[""] = c.root
	c.wantOwn()
	c.wg.Go(c.readLoop)
	c.wg.Go(c.writeLoop)
	return c
}

// Browser returns the root session, the one without an id.
func (c *Conn) Browser() *Session { return c.root }

// Session returns the flattened session with this id, and the same pointer each time. The empty id is the root. A
// detached session is remembered for a while; after that its id yields a session which the browser refuses.
func (c *Conn) Session(id string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessionLocked(id)
}

func (c *Conn) sessionLocked(id string) *Session {
	s := c.sessions[id]
	if s == nil {
		s = &Session{conn: c, id: id}
		c.sessions[id] = s
	}
	return s
}

// Close ends the connection: pending calls fail, subscriptions end, and the connection's goroutines have ended when it
// returns. It may be called more than once, but not from an inline handler. The error is always nil.
func (c *Conn) Close() error {
	c.end(ErrClosed)
	c.wg.Wait()
	return nil
}

// Done is closed when the connection has ended, for whatever reason; by then every pending call has failed.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil while the connection lives, and a *ClosedError after.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		return nil
	}
	return c.err
}

// end ends the connection; the first cause stays.
func (c *Conn) end(cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = &ClosedError{Cause: cause}
	for _, p := range c.pending {
		c.completeLocked(p, nil, c.err)
	}
	var listeners []listener
	for _, s := range c.sessions {
		listeners = append(listeners, s.dropListenersLocked()...)
	}
	c.mu.Unlock()
	for _, l := range listeners {
		l.end(c.err)
	}
	close(c.done)
	c.transport.close()
}

// readLoop delivers frames until the connection ends.
func (c *Conn) readLoop() {
	for {
		frame, owned, err := c.transport.read()
		if err == nil {
			c.stats.bytesIn.Add(int64(len(frame)))
			err = c.dispatch(frame, owned)
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

// writeLoop is the only writer, so that a peer which does not read holds up one goroutine and no caller.
func (c *Conn) writeLoop() {
	for {
		select {
		case <-c.done:
			return
		case p := <-c.out:
			if err := c.send(p); err != nil {
				c.end(err)
				return
			}
		}
	}
}

func (c *Conn) send(p *Pending) error {
	frame, ok := p.take()
	if ok && c.trace != nil {
		c.trace("out", p.session.id, p.method, len(frame))
	}
	if ok {
		c.stats.bytesOut.Add(int64(len(frame)))
	}
	// A withdrawn request leaves nothing, but it may have been the one that was to flush those before it.
	return c.transport.write(frame, len(c.out) > 0)
}
