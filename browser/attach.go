package browser

import (
	"context"

	"github.com/glasskit/glass/browser/inpage"
	"github.com/glasskit/glass/contract"
)

// prepare attaches to the page once, whoever needs it first, and waits until it can be used.
func (p *page) prepare(ctx context.Context) error {
	p.session.mu.Lock()
	p.session.attachLater(p) // on the session's time: a caller who gives up must not leave the page half attached
	p.session.mu.Unlock()
	select {
	case <-p.ready:
		return p.alive()
	case <-ctx.Done():
		return ended(ctx)
	}
}

// attach sets the page up; whoever needs it waits for ready.
func (p *page) attach(ctx context.Context) {
	err := p.setUp(ctx)
	p.mu.Lock()
	if err != nil && !p.closed {
		p.attachErr = contract.Fail(contract.Unavailable, contract.PhaseTransport, "cannot attach to the page target").
			Because("attach").Wrap(err)
	}
	p.mu.Unlock()
	close(p.ready)
	p.changes.fire()
}

// setUp opens the page's CDP session. Only Page (and Target) stay enabled (browser.md §9); the commands are sent back to
// back, since none needs another's answer.
func (p *page) setUp(ctx context.Context) error {
	conn := p.session.engine.conn
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	err := conn.Browser().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": p.id, "flatten": true}, &attached)
	if err != nil {
		return err
	}
	s := conn.Session(attached.SessionID)
	p.mu.Lock()
	p.cdp = s
	p.mu.Unlock()
	s.Handle(p.handle, pageEvents...)
	commands := []struct {
		method string
		params any
	}{
		{"Page.enable", nil},
		{"Page.setLifecycleEventsEnabled", map[string]any{"enabled": true}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": inpage.Source(), "worldName": worldName, "runImmediately": true}},
		{"Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}},
	}
	if metrics := p.metrics(); metrics != nil {
		commands = append(commands, struct {
			method string
			params any
		}{"Emulation.setDeviceMetricsOverride", metrics})
	}
	for _, c := range commands {
		s.Go(ctx, c.method, c.params) // a failure shows in the call below, or not at all in what was asked for
	}
	var tree struct {
		Tree frameTree `json:"frameTree"`
	}
	if err := s.Call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adoptTree(tree.Tree)
	return nil
}

// metrics is the viewport that an owned headless page gets; popups and windows keep the size that they were given.
func (p *page) metrics() map[string]any {
	o := p.session.options
	p.mu.Lock()
	popup := p.info.Opener != ""
	p.mu.Unlock()
	if p.session.engine.attached || o.Headed || popup {
		return nil
	}
	width, height, _ := o.viewport() // checked when the session opened
	return map[string]any{"width": width, "height": height, "deviceScaleFactor": 0, "mobile": false}
}

func (p *page) adoptTree(t frameTree) {
	if known := p.frames[t.Frame.ID]; known == nil {
		p.attachFrame(t.Frame)
	} else if known.loader == "" {
		known.loader = t.Frame.LoaderID
	}
	if t.Frame.ParentID == "" {
		p.mainFrame = t.Frame.ID
	}
	for _, child := range t.Childs {
		p.adoptTree(child)
	}
}
