package cdp

import (
	"context"
	"errors"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
)

var _ protocol.Session = (*Session)(nil)

// Session is one attached target, or the browser itself. All methods are safe for concurrent use.
type Session struct {
	conn *Conn
	id   string

	// Guarded by conn.mu.
	fault     error    // what calls fail with; nil while the session is well
	crashed   bool     // fault is a crash, and Revive lifts it
	parent    *Session // who was told of the attachment
	target    string   // target id, if the attachment was seen
	buried    bool     // detached, and in conn.gone
	reports   crashReports
	listeners map[string][]listener
}

// ID returns the session's id; the root's is empty.
func (s *Session) ID() string { return s.id }

// Call sends a command and decodes its result into result, unless that is nil. A *jsontext.Value takes the result
// raw, without a copy. A call ends with its context, or after CallCeiling when that has no deadline; a late reply is
// dropped. The error is a *RemoteError when the browser refused, and an *UnansweredError when it did not answer.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.Go(ctx, method, params).Wait(ctx, result)
}

// Go sends a command without waiting for its reply, so that several commands leave back to back in a known order. It
// blocks only while the send queue is full. The context's deadline, or CallCeiling without one, ends the call even if
// nobody waits for it; every error is reported by Wait.
func (s *Session) Go(ctx context.Context, method string, params any) *Pending {
	p := &Pending{session: s, method: method, done: make(chan struct{})}
	if err := ctx.Err(); err != nil {
		p.refuse(err)
		return p
	}
	if err := s.conn.register(p, params, timeLeft(ctx)); err != nil {
		p.refuse(err)
		return p
	}
	select {
	case s.conn.out <- p:
	case <-p.done:
	case <-ctx.Done():
		s.conn.abandon(p, ctx.Err())
	}
	return p
}

func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return CallCeiling
}

// Fail makes all pending calls of the session fail with err now, and every later one. A *SessionGoneError with reason
// Crashed can be lifted by Revive; any other error is final, ends the session's subscriptions and removes its handlers.
// A nil err stands for a detached session.
func (s *Session) Fail(err error) {
	gone := &SessionGoneError{Session: s.id, Reason: Detached}
	if err == nil {
		err = gone
	}
	crashed := errors.As(err, &gone) && gone.Reason == Crashed
	c := s.conn
	c.mu.Lock()
	listeners := c.failLocked(s, err, crashed)
	c.mu.Unlock()
	for _, l := range listeners {
		l.end(err)
	}
}

// Revive lets calls work again after a crash; it does nothing to a session that is well or was detached.
func (s *Session) Revive() {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if s.crashed {
		s.fault, s.crashed = nil, false
	}
}

// failLocked sets the session's fault and fails its pending calls. It returns the listeners that the caller must end
// once it has let go of the lock.
func (c *Conn) failLocked(s *Session, err error, crashed bool) []listener {
	if s.fault != nil && !s.crashed {
		return nil // already final
	}
	s.fault, s.crashed = err, crashed
	for _, p := range c.pending {
		if p.session == s {
			c.completeLocked(p, nil, err)
		}
	}
	if crashed {
		return nil
	}
	return s.dropListenersLocked()
}
