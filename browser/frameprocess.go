package browser

import (
	"context"
	"encoding/json/v2"
	"maps"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
)

// Frames of another site run in a process of their own, behind a CDP session of their own (browser.md §6). The browser
// attaches to them as they come; their events, and those of the frames in them, keep the same table of frames. Which
// session drives a frame is a matter of the frame: it changes when a navigation takes it to another process.

var frameTargetEvents = []string{"Target.attachedToTarget", "Target.detachedFromTarget"}

// handleFrameTarget runs on the connection's reader.
func (p *page) handleFrameTarget(_ *cdp.Session, method string, params []byte) {
	var e struct {
		SessionID string `json:"sessionId"`
		Info      struct {
			ID   string `json:"targetId"`
			Type string `json:"type"`
		} `json:"targetInfo"`
	}
	if json.Unmarshal(params, &e) != nil || e.SessionID == "" {
		return
	}
	s := p.session.engine.conn.Session(e.SessionID)
	if method == "Target.detachedFromTarget" {
		p.loseSession(s)
		return
	}
	if e.Info.Type == "iframe" {
		p.mu.Lock()
		full := len(p.apart) >= FrameCount
		if !full {
			p.apart[e.Info.ID] = s
		}
		p.mu.Unlock()
		if full {
			return
		}
		p.session.followLater(p, s)
	}
}

// followLater sets a frame's session up beside the connection's reader.
func (s *Session) followLater(p *page, sub *cdp.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return
	}
	s.attaches.Go(func() {
		ctx, cancel := context.WithTimeout(s.closing, NavigationDeadline)
		defer cancel()
		if p.follow(ctx, sub) == nil { // else it has gone again
			p.traffic.adopt(ctx, sub)
			p.changes.fire()
		}
	})
}

// loseSession takes its frames from a session that has ended. They are on their way to another process, or are removed by
// an event of their parent's.
func (p *page) loseSession(s *cdp.Session) {
	p.mu.Lock()
	maps.DeleteFunc(p.apart, func(_ string, apart *cdp.Session) bool { return apart == s })
	for _, f := range p.frames {
		if f.session == s {
			f.session, f.world = nil, 0
		}
	}
	p.mu.Unlock()
	p.traffic.forget(s)
	p.changes.fire()
}

// releaseFrame notes that a session gives a frame away.
func (p *page) releaseFrame(from *cdp.Session, id string) {
	if f := p.frames[id]; f != nil && f.session == from {
		f.session, f.world = nil, 0
	}
}

// takeOver notes which session drives the frame. That of a process of its own goes before: what its parent's process says
// of it may be late.
func (p *page) takeOver(f *frame, by *cdp.Session) {
	if own := p.apart[f.id]; own != nil && own != by {
		return
	}
	if f.session != by {
		f.session, f.world = by, 0
	}
}

// driver is the session of a frame. A frame between two processes is waited for.
func (p *page) driver(ctx context.Context, frameID string) (*cdp.Session, error) {
	ctx, cancel := context.WithTimeout(ctx, FrameMoveWait)
	defer cancel()
	var f frame
	var known bool
	err := p.changes.until(ctx, func() bool {
		f, known = p.frameNow(frameID)
		return !known || f.session != nil
	})
	switch {
	case !known:
		return nil, frameGone()
	case err != nil:
		return nil, contract.Fail(contract.Unavailable, contract.PhaseResolution, "the frame is on its way to another process").Because("frame_gone").
			WithHint("call again in a moment")
	}
	return f.session, nil
}

// sessionFor is the session of a frame right now; the page's own where there is none.
func (p *page) sessionFor(frameID string) *cdp.Session {
	if f, known := p.frameNow(frameID); known && f.session != nil {
		return f.session
	}
	return p.cdp
}

// isOwnProcess reports whether the frame runs apart from the page; the page's lock is held.
func (p *page) isOwnProcess(f *frame) bool { return f.session != p.cdp }

// frameLeft is what a call comes to whose frame's own process has gone: the frame shows another document, or none.
func (p *page) frameLeft(frameID string, gone *cdp.SessionGoneError) error {
	if gone.Reason == cdp.Crashed {
		return contract.Fail(contract.Unavailable, contract.PhaseTransport, "the frame has crashed").Because("frame_crashed").
			WithHint("reload the page, or navigate the frame").Wrap(gone)
	}
	p.mu.Lock()
	if f := p.frames[frameID]; f != nil {
		f.world = 0
	}
	p.mu.Unlock()
	return errReplaced
}
