package mcp

import (
	"net"
	"sync"
)

// limited is a listener with at most so many open connections; more wait in the kernel's queue.
type limited struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limitListener(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, places: make(chan struct{}, n), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placed{Conn: c, free: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close ends waiting Accepts too.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type placed struct {
	net.Conn
	free func()
}

// Close gives the place back once.
func (c *placed) Close() error {
	defer c.free()
	return c.Conn.Close()
}
