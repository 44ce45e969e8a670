package browser

import (
	"context"
	"encoding/json/v2"
	"strconv"
	"sync"
	"time"
)

// maxOpenRequests is how many requests a quiet wait keeps track of; with more it cannot tell when they end, and fails
// by its deadline instead of answering wrongly.
const maxOpenRequests = 1024

// quietWatch counts the requests that have begun since the wait began and have not ended.
type quietWatch struct {
	mu       sync.Mutex
	open     map[string]struct{}
	since    time.Time
	overflow bool
}

var networkTraffic = []string{"Network.requestWillBeSent", "Network.loadingFinished", "Network.loadingFailed", "Network.webSocketClosed"}

func (w *quietWatch) note(method string, params []byte) {
	var e struct {
		ID   string `json:"requestId"`
		Type string `json:"type"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since = time.Now()
	switch {
	case method != "Network.requestWillBeSent":
		delete(w.open, e.ID)
	case e.Type == "EventSource": // stays open by design
	case len(w.open) >= maxOpenRequests:
		w.overflow = true
	default:
		w.open[e.ID] = struct{}{}
	}
}

// left is how long the network must still be quiet; it is the whole time while requests are open.
func (w *quietWatch) left(quiet time.Duration) (time.Duration, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.open) > 0 || w.overflow {
		return quiet, len(w.open)
	}
	return quiet - time.Since(w.since), 0
}

// awaitQuiet waits until no request has been open for the time. Requests that began before the wait are not seen.
func (r *route) awaitQuiet(ctx context.Context, quiet time.Duration) (last string, err error) {
	w := &quietWatch{open: map[string]struct{}{}, since: time.Now()}
	remove := r.page.cdp.Handle(w.note, networkTraffic...)
	defer remove()
	release := r.page.leaseNetwork(ctx)
	defer release()
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			_, open := w.left(quiet)
			return strconv.Itoa(open) + " requests open", ended(ctx)
		}
		left, open := w.left(quiet)
		if left <= 0 {
			return "", nil
		}
		if open > 0 {
			left = min(left, pollInterval)
		}
		timer.Reset(left)
		if err := r.page.alive(); err != nil {
			return "", err
		}
	}
}
