package browser

import (
	"context"
	"sync"
)

// pulse wakes everyone who waits for any change of a state that is guarded elsewhere. The waiter takes the channel
// first, then looks at the state, then waits: no change is missed.
type pulse struct {
	mu sync.Mutex
	ch chan struct{}
}

func (p *pulse) next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ch == nil {
		p.ch = make(chan struct{})
	}
	return p.ch
}

func (p *pulse) fire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ch != nil {
		close(p.ch)
		p.ch = nil
	}
}

// until waits for holds to report true. It returns the context's error when that ends first.
func (p *pulse) until(ctx context.Context, holds func() bool) error {
	for {
		changed := p.next()
		if holds() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
