package cdp

import (
	"encoding/json/jsontext"
	"sync"
)

// queue is the bounded channel behind a subscription. It is bounded in events by the channel, and in bytes by a ring of
// the sizes of what was sent last: the len(ch) newest of them are at most what still waits.
type queue[T any] struct {
	conn *Conn
	ch   chan T
	wrap func(method string, params jsontext.Value) T
	// leave takes the queue out of its session; set once, before the first event.
	leave func()

	mu    sync.Mutex
	ended bool
	err   error
	sizes []int // ring of the sizes of the queued events
	first int   // index of the oldest of them
	held  int   // how many they are
	bytes int   // and their sum
}

func newQueue[T any](c *Conn, size int, wrap func(string, jsontext.Value) T) *queue[T] {
	if size < 1 {
		size = DefaultQueue
	}
	return &queue[T]{conn: c, ch: make(chan T, size), wrap: wrap, sizes: make([]int, size)}
}

// join adds the queue to the session, or ends it at once if that has ended.
func (q *queue[T]) join(s *Session, methods []string) {
	q.leave = sync.OnceFunc(func() { s.remove(q, methods) })
	if err := s.add(q, methods); err != nil {
		q.end(err)
	}
}

func (q *queue[T]) event(method string, params jsontext.Value) {
	if q.push(q.wrap(method, params), len(params)) {
		return
	}
	q.conn.stats.dropped.Add(1)
	q.end(ErrOverflow)
	q.leave()
}

// push queues one event, and reports whether there was room. An ended queue takes everything, and keeps nothing.
func (q *queue[T]) push(v T, size int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended {
		return true
	}
	for waiting := len(q.ch); q.held > waiting; q.held-- {
		q.bytes -= q.sizes[q.first]
		q.first = (q.first + 1) % len(q.sizes)
	}
	if q.held > 0 && q.bytes+size > MaxQueuedBytes {
		return false
	}
	select {
	case q.ch <- v:
	default:
		return false
	}
	q.sizes[(q.first+q.held)%len(q.sizes)] = size
	q.held++
	q.bytes += size
	return true
}

// end closes the channel; the first reason stays.
func (q *queue[T]) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.ended {
		q.ended, q.err = true, err
		close(q.ch)
	}
}

func (q *queue[T]) cancel() {
	q.leave()
	q.end(nil)
}

func (q *queue[T]) reason() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}
