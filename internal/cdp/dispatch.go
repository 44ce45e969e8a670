package cdp

import (
	"bytes"
	"encoding/json/jsontext"
)

// wanted is a method that somebody listens to. The name is kept so that an event's name need not be allocated.
type wanted struct {
	name  string
	count int
}

// dispatch delivers one incoming frame. It runs on the reader goroutine; the error ends the connection.
func (c *Conn) dispatch(frame []byte, owned bool) error {
	e, err := c.scan.read(frame, c.unwanted)
	switch {
	case err != nil:
		return err
	case e.reply:
		c.reply(e.id, frame, owned)
	case len(e.method) > 0:
		c.event(e, len(frame))
	default:
		c.stats.strays.Add(1)
		c.traceIn("", "", len(frame))
	}
	return nil
}

// unwanted reports an event that no session has a listener for. With a trace set, all of it is read for its session id.
func (c *Conn) unwanted(method []byte) bool {
	if c.trace != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wanted[string(method)] == nil
}

// reply ends the call with this id. Ids are unique on the connection, so the session id of a reply says nothing new.
// The trace comes before the caller goes on, so that it can count what its call cost.
func (c *Conn) reply(id int64, frame []byte, owned bool) {
	c.mu.Lock()
	p := c.pending[id]
	c.mu.Unlock()
	if p == nil {
		c.stats.late.Add(1)
		c.traceIn("", "", len(frame))
		return
	}
	c.traceIn(p.session.id, p.method, len(frame))
	if !owned {
		frame = bytes.Clone(frame)
	}
	if !c.answer(p, frame) {
		c.stats.late.Add(1)
	}
}

// event first acts on what ends sessions, and then tells the listeners in the order in which they came.
func (c *Conn) event(e envelope, size int) {
	c.stats.events.Add(1)
	c.mu.Lock()
	w := c.wanted[string(e.method)]
	s := c.sessions[string(e.session)]
	var listeners []listener
	if w != nil && s != nil {
		listeners = s.listeners[w.name]
	}
	c.mu.Unlock()
	if c.trace != nil {
		c.trace("in", string(e.session), string(e.method), size)
	}
	if w == nil {
		return
	}
	c.observe(w.name, string(e.session), e.params)
	if len(listeners) == 0 {
		return
	}
	params := jsontext.Value(bytes.Clone(e.params))
	for _, l := range listeners {
		l.event(w.name, params)
	}
}

func (c *Conn) traceIn(session, method string, size int) {
	if c.trace != nil {
		c.trace("in", session, method, size)
	}
}
