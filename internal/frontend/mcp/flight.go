package mcp

import (
	"context"

	"github.com/glasskit/glass/contract"
)

// requestsWaiting bounds the calls of one client that wait for one of its contract.RequestsInFlight places.
const requestsWaiting = 2 * contract.RequestsInFlight

// flight counts the calls of one client: so many run, so many more wait, the rest is refused.
type flight struct {
	running chan struct{}
	all     chan struct{}
}

func newFlight() *flight {
	return &flight{
		running: make(chan struct{}, contract.RequestsInFlight),
		all:     make(chan struct{}, contract.RequestsInFlight+requestsWaiting),
	}
}

// enter waits for a place. The caller gives it back with leave.
func (f *flight) enter(ctx context.Context) error {
	select {
	case f.all <- struct{}{}:
	default:
		return contract.Fail(contract.Unavailable, contract.PhasePreflight, "too many calls at once: %d run and %d wait",
			contract.RequestsInFlight, requestsWaiting).Because("busy").Safe()
	}
	select {
	case f.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-f.all
		return contract.Fail(contract.Canceled, contract.PhasePreflight, "canceled while waiting for its turn").Safe()
	}
}

func (f *flight) leave() {
	<-f.running
	<-f.all
}
