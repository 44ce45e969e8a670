package browser

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
	"github.com/glasskit/glass/internal/textsafe"
	"github.com/glasskit/glass/policy"
)

// Session is one owner's hold on a browser: a browser context with its page targets, the selected one among them, and
// the policy under which everything happens. Sessions are opened by a [Runtime].
type Session struct {
	name    string
	options Options
	policy  *policy.Policy // of the person or agent who opened the session
	strict  *policy.Policy // the same for an agent's calls, of which more is asked
	engine  *engine
	context string // browser context id; empty for the browser's default one
	salt    string // of context hashes
	acts    atomic.Int64
	changes pulse

	mu       sync.Mutex
	pages    map[string]*page
	order    []string
	selected string
	events   []topologyEvent
	lost     int64 // topology events dropped so far
	seen     map[string]int64
	baseline int64          // events of the opening itself, which are no news to anyone
	windows  map[string]int // window.open calls by opener, for evidence
	lastUsed time.Time
	attaches sync.WaitGroup
	closing  context.Context // ends when the session closes; for attaching popups
	end      context.CancelFunc
}

// topologyEvent is one change of the session's targets and frames.
type topologyEvent struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	seq  int64
}

// targetEvent is the union of the parameters of Target's discovery events.
type targetEvent struct {
	TargetID string `json:"targetId"`
	Status   string `json:"status"`
	Info     *struct {
		ID      string `json:"targetId"`
		Type    string `json:"type"`
		Title   string `json:"title"`
		URL     string `json:"url"`
		Opener  string `json:"openerId"`
		Context string `json:"browserContextId"`
	} `json:"targetInfo"`
}

var targetEvents = []string{"Target.targetCreated", "Target.targetInfoChanged", "Target.targetDestroyed", "Target.targetCrashed"}

func (s *Session) executionID() string { return fmt.Sprintf("act_%d", s.acts.Add(1)) }

func newSalt() string { return rand.Text() }

// noteTarget keeps the registry (browser.md §6). It runs on the connection's reader.
func (s *Session) noteTarget(method string, e targetEvent) {
	s.mu.Lock()
	defer s.changes.fire()
	defer s.mu.Unlock()
	switch method {
	case "Target.targetCreated", "Target.targetInfoChanged":
		t := e.Info
		if t == nil || t.Type != "page" || len(t.ID) > IDBytes || s.context != "" && t.Context != s.context {
			return
		}
		info := targetInfo{URL: cutURL(t.URL), Title: cutTitle(t.Title), Opener: t.Opener, Context: t.Context}
		if p := s.pages[t.ID]; p != nil {
			p.mu.Lock()
			p.info.Title, p.info.URL = info.Title, info.URL
			if info.Opener != "" {
				p.info.Opener = info.Opener
			}
			p.mu.Unlock()
			return
		}
		s.addPage(t.ID, info)
	case "Target.targetDestroyed":
		s.dropPage(e.TargetID)
	case "Target.targetCrashed":
		if p := s.pages[e.TargetID]; p != nil {
			p.mu.Lock()
			p.crash(&p.rootCrashes)
			p.mu.Unlock()
			p.changes.fire()
			s.note("targetCrashed", e.TargetID)
		}
	}
}

func cutTitle(t string) string { return contract.Cut(textsafe.Line(t), TitleBytes) }

// addPage registers a target and attaches to it, unless this session only visits somebody else's browser: there a page
// is attached when it is used, since one wedged tab must not hold up the others.
func (s *Session) addPage(id string, info targetInfo) *page {
	if len(s.pages) >= TargetCount {
		s.note("targetRefused", id)
		return nil
	}
	p := newPage(s, id, info)
	s.pages[id] = p
	s.order = append(s.order, id)
	s.note("targetCreated", id)
	if opener := s.pages[info.Opener]; opener != nil {
		opener.mu.Lock()
		opener.popups = append(opener.popups, id)
		opener.mu.Unlock()
		opener.changes.fire()
	}
	if !s.engine.attached {
		s.attachLater(p)
	}
	return p
}

// attachLater attaches to the page beside the caller, once. The session's lock is held.
func (s *Session) attachLater(p *page) {
	if s.closing.Err() != nil || p.attaching {
		return
	}
	p.attaching = true
	s.attaches.Go(func() {
		ctx, cancel := context.WithTimeout(s.closing, NavigationDeadline)
		defer cancel()
		p.attach(ctx)
	})
}

func (s *Session) dropPage(id string) {
	p := s.pages[id]
	if p == nil {
		return
	}
	p.mu.Lock()
	p.closed = true
	p.dialog = nil
	p.breakRuns(errReplaced)
	if p.cdp != nil {
		p.cdp.Fail(&cdp.SessionGoneError{Session: p.cdp.ID(), Reason: "detached"})
	}
	p.mu.Unlock()
	p.changes.fire()
	delete(s.pages, id)
	s.order = slices.DeleteFunc(s.order, func(x string) bool { return x == id })
	if s.selected == id {
		s.selected = ""
	}
	s.note("targetDestroyed", id)
}

func (s *Session) note(kind, id string) {
	e := topologyEvent{Kind: kind, ID: id, seq: s.lost + int64(len(s.events)) + 1}
	if len(s.events) == TopologyEvents {
		s.events = append(s.events[:0:0], s.events[1:]...)
		s.lost++
	}
	s.events = append(s.events, e)
}

// newsFor gives the topology events that the client has not been shown.
func (s *Session) newsFor(client string) []topologyEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, known := s.seen[client]
	if !known {
		from = s.baseline
	}
	var news []topologyEvent
	for _, e := range s.events {
		if e.seq > from {
			news = append(news, e)
		}
	}
	s.seen[client] = s.lost + int64(len(s.events))
	return news
}

func (s *Session) noteWindow(opener string) {
	s.mu.Lock()
	s.windows[opener]++
	s.mu.Unlock()
}

func (s *Session) windowsOf(opener string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.windows[opener]
}

func (s *Session) pageByID(id string) *page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pages[id]
}

// policyFor is what rules a call: an agent does not get a person's rights by joining a person's session.
func (s *Session) policyFor(call *Call) *policy.Policy {
	if call != nil && call.Agent {
		return s.strict
	}
	return s.policy
}

// usable is nil while the session's browser runs.
func (s *Session) usable() error { return s.engine.usable() }

// pick is the page that an operation addresses: the named target, else the selected one.
func (s *Session) pick(targetID string) (*page, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if targetID != "" {
		if p := s.pages[targetID]; p != nil {
			return p, nil
		}
		return nil, contract.Fail(contract.Unavailable, contract.PhaseResolution, "no target with this id is open").Because("target_closed").
			WithHint("list the targets")
	}
	if s.selected == "" {
		return nil, contract.Fail(contract.Unavailable, contract.PhaseResolution, "no target is selected").Because("no_target").
			WithHint("select a target or create one")
	}
	return s.pages[s.selected], nil
}
