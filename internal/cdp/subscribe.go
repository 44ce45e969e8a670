package cdp

import (
	"encoding/json/jsontext"
	"slices"
	"sync"
)

// listener takes the events of the methods that it was added for, on the reader goroutine.
type listener interface {
	event(method string, params jsontext.Value)
	end(err error)
}

// Event is one event as it came; Params is shared by all who listen and must not be changed.
type Event struct {
	Method string
	Params jsontext.Value
}

// Subscription is a bounded channel of events, in order of arrival.
type Subscription struct{ queue *queue[Event] }

// Events returns the channel. It is closed when the subscription has ended; what was queued by then can still be read.
func (s *Subscription) Events() <-chan Event { return s.queue.ch }

// Err returns nil while the subscription lives and after Close; ErrOverflow when its reader was too slow; else the
// error that ended the session or the connection.
func (s *Subscription) Err() error { return s.queue.reason() }

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() { s.queue.cancel() }

// SubscribeAll starts to queue the events of the methods on one channel. At most size of them wait (DefaultQueue if
// size is below 1), of at most MaxQueuedBytes together; one more ends the subscription with ErrOverflow, never the
// connection.
func (s *Session) SubscribeAll(size int, methods ...string) *Subscription {
	q := newQueue(s.conn, size, func(method string, params jsontext.Value) Event { return Event{method, params} })
	q.join(s, methods)
	return &Subscription{queue: q}
}

// Subscribe is SubscribeAll for one method with DefaultQueue events, in the form that cdproto wants. The channel is
// closed when the subscription ends, for whatever reason.
func (s *Session) Subscribe(method string) (<-chan jsontext.Value, func()) {
	q := newQueue(s.conn, DefaultQueue, func(_ string, params jsontext.Value) jsontext.Value { return params })
	q.join(s, []string{method})
	return q.ch, q.cancel
}

// Handle runs fn for each event of the methods, on the reader goroutine: in order of arrival, and before any later
// reply is delivered. It must not block, Call, or Close the connection: no reply can come while it runs. It may
// Handle, Subscribe, Fail and Revive, and Go with a context of a short deadline, which matters when the send queue is
// full. params is shared and must not be changed. After remove, fn may still be running, but does not start again. A
// session that is detached drops its handlers without a word.
func (s *Session) Handle(fn func(method string, params []byte), methods ...string) (remove func()) {
	h := &handler{fn: fn}
	_ = s.add(h, methods) // a session that has ended has no more events
	return sync.OnceFunc(func() { s.remove(h, methods) })
}

type handler struct{ fn func(string, []byte) }

func (h *handler) event(method string, params jsontext.Value) { h.fn(method, params) }
func (h *handler) end(error)                                  {}

// add makes l a listener; it returns why it cannot, when the session or the connection has ended.
func (s *Session) add(l listener, methods []string) error {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if s.fault != nil && !s.crashed {
		return s.fault
	}
	if s.listeners == nil {
		s.listeners = make(map[string][]listener)
	}
	for _, m := range methods {
		// The reader may be walking the old slice, so it is never changed in place.
		s.listeners[m] = append(slices.Clip(slices.Clone(s.listeners[m])), l)
		if c.wanted[m] == nil {
			c.wanted[m] = &wanted{name: m}
		}
		c.wanted[m].count++
	}
	return nil
}

func (s *Session) remove(l listener, methods []string) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	for _, m := range methods {
		i := slices.Index(s.listeners[m], l)
		if i < 0 {
			continue // dropped with its session
		}
		s.listeners[m] = slices.Concat(s.listeners[m][:i], s.listeners[m][i+1:])
		if len(s.listeners[m]) == 0 {
			delete(s.listeners, m)
		}
		s.conn.unwantLocked(m, 1)
	}
}

// dropListenersLocked takes all listeners from a session that has ended; the caller ends them without the lock.
func (s *Session) dropListenersLocked() []listener {
	var all []listener
	for m, ls := range s.listeners {
		all = append(all, ls...)
		s.conn.unwantLocked(m, len(ls))
	}
	s.listeners = nil
	return all
}

func (c *Conn) unwantLocked(method string, n int) {
	w := c.wanted[method]
	w.count -= n
	if w.count == 0 {
		delete(c.wanted, method)
	}
}
