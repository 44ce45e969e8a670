package browser

import (
	"context"

	"github.com/glasskit/glass/browser/inpage"
	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
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
	first := []command{{"Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}}}
	if metrics := p.metrics(); metrics != nil {
		first = append(first, command{"Emulation.setDeviceMetricsOverride", metrics})
	}
	return p.follow(ctx, s, first...)
}

// command is one CDP command and its parameters.
type command struct {
	method string
	params any
}

// follow enables what Glass needs in a session of the page, and learns its frames. The frames of other processes that it
// holds are attached by the browser as they come.
func (p *page) follow(ctx context.Context, s *cdp.Session, more ...command) error {
	s.Handle(func(method string, params []byte) { p.handle(s, method, params) }, pageEvents...)
	s.Handle(func(method string, params []byte) { p.handleFrameTarget(s, method, params) }, frameTargetEvents...)
	s.Handle(func(method string, params []byte) { p.traffic.handle(s, method, params) }, trafficEvents...)
	commands := append([]command{
		{"Page.enable", nil},
		{"Page.setLifecycleEventsEnabled", map[string]any{"enabled": true}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": inpage.Source(), "worldName": worldName, "runImmediately": true}},
		{"Target.setAutoAttach", map[string]any{
			"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true, "filter": []any{map[string]any{"type": "iframe"}},
		}},
	}, more...)
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
	p.adoptTree(s, tree.Tree)
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

func (p *page) adoptTree(from *cdp.Session, t frameTree) {
	known := p.frames[t.Frame.ID]
	switch {
	case known == nil:
		p.attachFrame(from, t.Frame)
	case known.loader == "":
		known.loader = t.Frame.LoaderID
		p.takeOver(known, from)
	case known.loader != t.Frame.LoaderID && t.Frame.ParentID != "": // it went to another process with its document
		p.frameNavigated(from, t.Frame)
	default:
		p.takeOver(known, from)
	}
	if t.Frame.ParentID == "" {
		p.mainFrame = t.Frame.ID
	} else if f := p.frames[t.Frame.ID]; f != nil && f.url == "" {
		f.url, f.name = cutURL(t.Frame.URL+t.Frame.URLFragment), t.Frame.Name
	}
	for _, child := range t.Childs {
		p.adoptTree(from, child)
	}
}
