package browser

import (
	"context"
	"sync"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
)

// page is one page target: the CDP session that drives it, its frames, its dialog. Its state is behind mu and changed
// only by event handlers, which never block; operations take turns by the queue. What ends a sick page (dialog answers,
// navigation, closing) never waits in the queue (browser.md §7).
type page struct {
	session   *Session
	id        string
	cdp       *cdp.Session  // set before ready is closed
	attaching bool          // has begun; behind the session's lock
	queue     chan struct{} // holds one token while an operation uses the page
	changes   pulse

	mu            sync.Mutex
	info          targetInfo
	ready         chan struct{} // closed when the page is attached and set up, or attaching failed
	attachErr     error
	mainFrame     string
	frames        map[string]*frame
	frameOrder    []string
	apart         map[string]*cdp.Session // the sessions of frames with processes of their own, by frame
	frameNumber   int                     // the last one given
	selectedFrame string
	lostFrame     bool // the selected frame went away: said once to the next operation
	dialog        *contract.Dialog
	dialogs       int // dialogs seen so far
	popups        []string
	downloads     int
	pointerAt     contract.Point // where the pointer was left
	traffic       trafficHandlers
	crashed       bool
	ownCrashes    int // crashes that the page's session has told
	rootCrashes   int // crashes that the browser has told
	closed        bool
	cdpRuns       map[*context.CancelCauseFunc]struct{} // in-page calls to break off when a dialog opens
	routes        map[string]*revisions                 // by frame
}

// targetInfo is what the registry knows of a target.
type targetInfo struct {
	URL, Title, Opener, Context string
}

// frame is one frame of a page and the state of its document.
type frame struct {
	id, parent, name string
	url              string
	loader           string    // names the document
	lifecycle        lifecycle // events of the current document
	leaving          bool      // a navigation to another document has begun
	starts           int       // navigations begun so far
	sameDocument     int       // same-document navigations so far
	world            int64     // execution context of the in-page script, for worldLoader
	worldLoader      string
	session          *cdp.Session // drives it; nil while it moves to another process
	number           int          // its short name in references, never used again; zero for the page itself
	host             frameHost
}

// lifecycle is the set of lifecycle events that a document has come to, as far as Glass waits for them.
type lifecycle uint8

var lifecycleBits = map[string]lifecycle{"init": 1, "commit": 2, "DOMContentLoaded": 4, "load": 8, "networkIdle": 16}

func (l lifecycle) has(event string) bool { return l&lifecycleBits[event] != 0 }

func (l *lifecycle) add(event string) { *l |= lifecycleBits[event] }

func newPage(s *Session, id string, info targetInfo) *page {
	return &page{
		session: s, id: id, info: info, queue: make(chan struct{}, 1), ready: make(chan struct{}),
		frames: map[string]*frame{}, apart: map[string]*cdp.Session{}, cdpRuns: map[*context.CancelCauseFunc]struct{}{}, routes: map[string]*revisions{},
	}
}

// acquire takes the page's turn. Operations on one target are serialised (browser.md §6).
func (p *page) acquire(ctx context.Context) error {
	select {
	case p.queue <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

func (p *page) release() { <-p.queue }

// alive is nil while the page can be used.
func (p *page) alive() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return contract.Fail(contract.Unavailable, contract.PhasePreflight, "the page target is closed").Because("target_closed").
			WithHint("list the targets and select another one")
	case p.crashed:
		return contract.Fail(contract.Unavailable, contract.PhasePreflight, "the page has crashed").Because("page_crashed").
			WithHint("reload or navigate to start it again")
	case p.attachErr != nil:
		return p.attachErr
	}
	return nil
}

func (p *page) openDialog() *contract.Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog
}

// frameNow is a copy of the frame's state.
func (p *page) frameNow(id string) (frame, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[id]
	if f == nil {
		return frame{}, false
	}
	return *f, true
}

func (p *page) revisionsOf(frameID string) *revisions {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.routes[frameID]
	if r == nil {
		r = &revisions{}
		p.routes[frameID] = r
	}
	return r
}

// breakRuns ends all in-page calls that wait for an answer: with a dialog open none will come (reliability.md F3).
func (p *page) breakRuns(cause error) {
	for cancel := range p.cdpRuns {
		(*cancel)(cause)
	}
}
