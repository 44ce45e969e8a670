package browser

import (
	"context"
	"sync"

	"github.com/glasskit/glass/internal/cdp"
)

// trafficEvents are the events of the Network domain that anyone in Glass reads. They come only while the domain is leased.
var trafficEvents = []string{
	"Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed", "Network.webSocketClosed",
}

// trafficHandler reads an event of the Network domain on the connection's reader; it must not block. Request ids are
// unique within their session only.
type trafficHandler func(from *cdp.Session, method string, params []byte)

// trafficHandlers share the Network domain of a page and its frames among those who need it: it is enabled while there
// is one at least (browser.md §9).
type trafficHandlers struct {
	mu       sync.Mutex
	sessions map[*cdp.Session]struct{} // of frames in processes of their own
	handlers map[int]trafficHandler
	last     int
}

var enableNetwork = map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}

func (t *trafficHandlers) handle(from *cdp.Session, method string, params []byte) {
	t.mu.Lock()
	list := make([]trafficHandler, 0, len(t.handlers))
	for _, h := range t.handlers {
		list = append(list, h)
	}
	t.mu.Unlock()
	for _, h := range list {
		h(from, method, params)
	}
}

// adopt adds a session that has come.
func (t *trafficHandlers) adopt(ctx context.Context, s *cdp.Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sessions == nil {
		t.sessions = map[*cdp.Session]struct{}{}
	}
	t.sessions[s] = struct{}{}
	if len(t.handlers) > 0 {
		s.Go(ctx, "Network.enable", enableNetwork)
	}
}

func (t *trafficHandlers) forget(s *cdp.Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, s)
}

// watchTraffic has h told of what the page and its frames load, until the answer is called.
func (p *page) watchTraffic(ctx context.Context, h trafficHandler) (stop func()) {
	t := &p.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.handlers == nil {
		t.handlers = map[int]trafficHandler{}
	}
	t.last++
	key := t.last
	t.handlers[key] = h
	if len(t.handlers) == 1 {
		t.tell(ctx, p.cdp, "Network.enable", enableNetwork)
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.handlers, key)
		if len(t.handlers) == 0 {
			t.tell(context.WithoutCancel(ctx), p.cdp, "Network.disable", nil)
		}
	}
}

// tell sends a command to all sessions of the page, without waiting for answers.
func (t *trafficHandlers) tell(ctx context.Context, own *cdp.Session, method string, params any) {
	own.Go(ctx, method, params)
	for s := range t.sessions {
		s.Go(ctx, method, params)
	}
}
