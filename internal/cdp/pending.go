package cdp

import (
	"context"
	"sync/atomic"
	"time"
)

// The way of a request: it waits in the send queue, and then either the writer takes it or its end withdraws it.
const (
	queued int32 = iota
	taken
	withdrawn
)

// Pending is a command on its way, made by Session.Go.
type Pending struct {
	session *Session
	method  string
	id      int64
	state   atomic.Int32
	request []byte // the writer's once the state is taken

	done  chan struct{}
	timer *time.Timer // guarded by conn.mu
	reply []byte      // whole frame; set before done is closed
	err   error       // set before done is closed
}

// Sent reports whether the writer has taken the command. While it is false the browser cannot have seen it.
func (p *Pending) Sent() bool { return p.state.Load() == taken }

// Wait waits for the reply and decodes it as Session.Call does. When ctx ends first the command is given up: it is
// withdrawn if it was not sent, and its late reply is dropped. Wait may be called again, and gives the same answer.
func (p *Pending) Wait(ctx context.Context, result any) error {
	select {
	case <-p.done:
	case <-ctx.Done():
		p.session.conn.abandon(p, ctx.Err())
		<-p.done // abandon has closed it, or the reply came first
	}
	if p.err != nil {
		return p.err
	}
	err, broken := decodeReply(p.reply, p.method, p.session.id, result)
	if broken {
		p.session.conn.end(ErrGarbage)
		return p.unanswered(&ClosedError{Cause: ErrGarbage})
	}
	return err
}

// take gives the request's bytes to the writer, unless the call has ended before.
func (p *Pending) take() ([]byte, bool) {
	if !p.state.CompareAndSwap(queued, taken) {
		return nil, false
	}
	frame := p.request
	p.request = nil
	return frame, true
}

func (p *Pending) unanswered(cause error) error {
	return &UnansweredError{Method: p.method, Sent: p.Sent(), Cause: cause}
}

// refuse ends a call which was never registered.
func (p *Pending) refuse(cause error) {
	p.state.Store(withdrawn)
	p.err = p.unanswered(cause)
	close(p.done)
}

// register gives the call its id and makes it known, so that its reply, its deadline and its session's end find it.
func (c *Conn) register(p *Pending, params any, left time.Duration) error {
	c.mu.Lock()
	c.nextID++
	p.id = c.nextID
	c.mu.Unlock()
	request, err := encodeRequest(p.id, p.session.id, p.method, params)
	if err != nil {
		return err
	}
	p.request = request

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if p.session.fault != nil {
		return p.session.fault
	}
	c.pending[p.id] = p
	c.stats.calls.Add(1)
	p.timer = time.AfterFunc(left, func() { c.abandon(p, ceilingError{}) })
	return nil
}

// answer gives a call its reply, and reports whether it was still pending.
func (c *Conn) answer(p *Pending, reply []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[p.id] != p {
		return false
	}
	c.completeLocked(p, reply, nil)
	return true
}

// abandon ends a call that is still pending.
func (c *Conn) abandon(p *Pending, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[p.id] == p {
		c.completeLocked(p, nil, cause)
	}
}

// completeLocked ends a pending call with a reply or with a cause.
func (c *Conn) completeLocked(p *Pending, reply []byte, cause error) {
	delete(c.pending, p.id)
	p.timer.Stop()
	p.reply = reply
	if cause != nil {
		p.state.CompareAndSwap(queued, withdrawn)
		p.err = p.unanswered(cause)
	}
	close(p.done)
}
