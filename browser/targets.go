package browser

import (
	"context"
	"slices"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var (
	listTargetsOperation = operation.Spec{
		Name: "listTargets", Toolset: "browser", ReadOnly: true, Idempotent: true,
		Summary: "List the open pages (tabs, popups)", Example: "glass list-targets",
	}
	createTargetOperation = operation.Spec{
		Name: "createTarget", Toolset: "browser", OpenWorld: true,
		Summary: "Open a new page; it is not selected", Example: "glass create-target https://example.com",
	}
	selectTargetOperation = operation.Spec{
		Name: "selectTarget", Toolset: "browser", Idempotent: true,
		Summary: "Make a page the one that later calls use", Example: "glass select-target 4C1A…",
	}
	closeTargetOperation = operation.Spec{
		Name: "closeTarget", Toolset: "browser", Destructive: true, Idempotent: true,
		Summary: "Close a page; no other is selected in its place", Example: "glass close-target 4C1A…",
	}
)

// TargetsInput takes nothing.
type TargetsInput struct{}

// Target is one page of the session.
type Target struct {
	TargetID string           `json:"targetId"`
	URL      string           `json:"url"`
	Title    string           `json:"title,omitzero"`
	Opener   string           `json:"opener,omitzero"`
	Selected bool             `json:"selected,omitzero"`
	Crashed  bool             `json:"crashed,omitzero"`
	Dialog   *contract.Dialog `json:"dialog,omitzero"`
}

// TargetList is all pages of the session, oldest first.
type TargetList struct {
	Targets []Target `json:"targets"`
}

// ListTargets lists the session's pages.
func (rt *Runtime) ListTargets(ctx context.Context, call *Call, _ TargetsInput) (*TargetList, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	if err := s.usable(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := &TargetList{Targets: []Target{}}
	for _, id := range s.order {
		list.Targets = append(list.Targets, s.describe(id))
	}
	return list, nil
}

// describe is what the registry knows of a page; the session's lock is held.
func (s *Session) describe(id string) Target {
	p := s.pages[id]
	p.mu.Lock()
	defer p.mu.Unlock()
	return Target{
		TargetID: id, URL: p.info.URL, Title: p.info.Title, Opener: p.info.Opener, Selected: s.selected == id, Crashed: p.crashed, Dialog: p.dialog,
	}
}

// CreateTargetInput is the page to open.
type CreateTargetInput struct {
	URL string `json:"url,omitzero" doc:"URL to open (default about:blank)" glass:"arg=0"`
}

// CreateTarget opens a page without selecting it, and waits until its document has loaded.
func (rt *Runtime) CreateTarget(ctx context.Context, call *Call, in CreateTargetInput) (*Target, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	if err := s.usable(); err != nil {
		return nil, err
	}
	if in.URL != "" {
		if err := s.policyFor(call).CheckURL(in.URL); err != nil {
			return nil, err
		}
	}
	id, err := s.createPage(ctx, "about:blank")
	if err != nil {
		return nil, err
	}
	if in.URL != "" && in.URL != "about:blank" {
		named := *callOf(call)
		if _, err := rt.Navigate(ctx, &named, NavigateInput{URL: in.URL, ActArgs: ActArgs{RouteArgs: RouteArgs{TargetID: id}}}); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages[id] == nil {
		return nil, contract.Fail(contract.Unavailable, contract.PhaseBrowserEffect, "the new page was closed at once").Because("target_closed")
	}
	t := s.describe(id)
	return &t, nil
}

func callOf(call *Call) *Call {
	if call == nil {
		return &Call{}
	}
	return call
}

// TargetInput names a page.
type TargetInput struct {
	TargetID string `json:"targetId" doc:"id of the page" glass:"required,arg=0"`
}

// SelectTarget makes a page the one that operations without a targetId use, and brings it to the front.
func (rt *Runtime) SelectTarget(ctx context.Context, call *Call, in TargetInput) (*Target, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	p, err := s.pick(in.TargetID)
	if err != nil {
		return nil, err
	}
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages[in.TargetID] == nil {
		return nil, contract.Fail(contract.Unavailable, contract.PhaseResolution, "the target has been closed").Because("target_closed")
	}
	s.selected = in.TargetID
	t := s.describe(in.TargetID)
	return &t, nil
}

// ClosedTarget says which page was closed, and whether one is still selected.
type ClosedTarget struct {
	Closed   string `json:"closed"`
	Selected string `json:"selected,omitzero"`
	Left     int    `json:"left"`
}

// CloseTarget closes a page. It never waits behind another operation of that page. The session is without a selected
// target afterwards when it was the selected one.
func (rt *Runtime) CloseTarget(ctx context.Context, call *Call, in TargetInput) (*ClosedTarget, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	p, err := s.pick(in.TargetID)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, ActionDeadline)
	defer cancel()
	if err := s.engine.conn.Browser().Call(ctx, "Target.closeTarget", map[string]any{"targetId": p.id}, nil); err != nil {
		return nil, connectionFailure(ctx, err)
	}
	if err := s.changes.until(ctx, func() bool { return s.pageByID(p.id) == nil }); err != nil {
		return nil, ended(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &ClosedTarget{Closed: p.id, Selected: s.selected, Left: len(s.order)}, nil
}

var (
	listFramesOperation = operation.Spec{
		Name: "listFrames", Toolset: "browser", ReadOnly: true, Idempotent: true,
		Summary: "List the frames of the page", Example: "glass list-frames",
	}
	selectFrameOperation = operation.Spec{
		Name: "selectFrame", Toolset: "browser", Idempotent: true,
		Summary: "Make a frame the one that later calls use; without an id the page itself", Example: "glass select-frame 9F02…",
	}
)

// FramesInput names the page whose frames are meant.
type FramesInput struct {
	TargetID string `json:"targetId,omitzero" doc:"page target to use instead of the selected one" glass:"hidden"`
}

// Frame is one frame of a page.
type Frame struct {
	FrameID      string `json:"frameId"`
	Parent       string `json:"parent,omitzero"`
	URL          string `json:"url"`
	Name         string `json:"name,omitzero"`
	Selected     bool   `json:"selected,omitzero"`
	CrossProcess bool   `json:"crossProcess,omitzero"`
}

// FrameList is all frames of a page, the page's own first.
type FrameList struct {
	TargetID string  `json:"targetId"`
	Frames   []Frame `json:"frames"`
}

// ListFrames lists the frames of a page.
func (rt *Runtime) ListFrames(ctx context.Context, call *Call, in FramesInput) (*FrameList, error) {
	p, err := rt.pageOf(ctx, call, in.TargetID)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list := &FrameList{TargetID: p.id, Frames: []Frame{}}
	order := slices.Clone(p.frameOrder)
	if i := slices.Index(order, p.mainFrame); i > 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, p.mainFrame)
	}
	for _, id := range order {
		list.Frames = append(list.Frames, p.describeFrame(id))
	}
	return list, nil
}

func (p *page) describeFrame(id string) Frame {
	f := p.frames[id]
	selected := p.selectedFrame == id || p.selectedFrame == "" && id == p.mainFrame
	return Frame{FrameID: id, Parent: f.parent, URL: f.url, Name: contract.Cut(cleanLine(f.name), IDBytes), Selected: selected, CrossProcess: p.isOwnProcess(f)}
}

func (rt *Runtime) pageOf(ctx context.Context, call *Call, targetID string) (*page, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	p, err := s.pick(targetID)
	if err != nil {
		return nil, err
	}
	return p, p.prepare(ctx)
}

// SelectFrameInput names a frame of a page.
type SelectFrameInput struct {
	FrameID  string `json:"frameId,omitzero" doc:"id of the frame" glass:"arg=0"`
	TargetID string `json:"targetId,omitzero" doc:"page target to use instead of the selected one" glass:"hidden"`
}

// SelectFrame makes a frame the one that operations on the page use.
func (rt *Runtime) SelectFrame(ctx context.Context, call *Call, in SelectFrameInput) (*Frame, error) {
	p, err := rt.pageOf(ctx, call, in.TargetID)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.lostFrame = false // selecting anew is the answer to a lost frame
	p.mu.Unlock()
	if in.FrameID != "" {
		if _, err := p.pickFrame(in.FrameID); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id := in.FrameID
	if id == "" || id == p.mainFrame {
		p.selectedFrame, id = "", p.mainFrame
	} else if p.frames[id] == nil {
		return nil, frameGone()
	} else {
		p.selectedFrame = id
	}
	f := p.describeFrame(id)
	return &f, nil
}
