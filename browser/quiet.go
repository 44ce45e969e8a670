package browser

import (
	"context"
	"encoding/json/v2"
	"strconv"
	"sync"
	"time"

	"github.com/glasskit/glass/internal/cdp"
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

func (w *quietWatch) note(from *cdp.Session, method string, params []byte) {
	if method == "Network.responseReceived" {
		return // the request goes on until its body has come
	}
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
	id := from.ID() + " " + e.ID
	switch {
	case method != "Network.requestWillBeSent":
		delete(w.open, id)
	case e.Type == "EventSource": // stays open by design
	case len(w.open) >= maxOpenRequests:
		w.overflow = true
	default:
		w.open[id] = struct{}{}
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
	defer r.page.watchTraffic(ctx, w.note)()
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
