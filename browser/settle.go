package browser

import (
	"context"
	"encoding/json/v2"
	"errors"

	"github.com/glasskit/glass/contract"
)

// settled is what the page showed when an action's effect was taken (browser.md §4, "When the delta is taken").
type settled struct {
	url, title                              string
	urlChanged, titleChanged, targetChanged bool
	pending                                 bool   // a navigation has begun and not shown its document
	newDocument                             string // the in-page name of the document that replaced the old one
	delta                                   *contract.Delta
	diff                                    *contract.AccessibilityDiff
}

// deltaReply is the in-page script's delta.
type deltaReply struct {
	replyHead
	URL           string `json:"url"`
	Title         string `json:"title"`
	URLChanged    bool   `json:"urlChanged"`
	TitleChanged  bool   `json:"titleChanged"`
	TargetChanged bool   `json:"targetChanged"`
	Leaving       string `json:"leaving"`
	Read          *struct {
		fieldState
		Fail *inPageFail `json:"fail"`
	} `json:"read"`
	Delta *struct {
		Added   []controlReply   `json:"added"`
		Removed []controlReply   `json:"removed"`
		Changed []controlReply   `json:"changed"`
		Omitted contract.Omitted `json:"omitted"`
		Kept    int              `json:"kept"`
		Text    string           `json:"text"`
	} `json:"delta"`
}

// settle waits for the first sign of the action's effect and takes the delta: a mutation and one task more; a navigation
// and its DOMContentLoaded; a dialog or popup; or a short time with nothing.
func (a *action) settle(ctx context.Context) error {
	a.settled = &settled{}
	if !a.pressed { // nothing was dispatched: the state was as asked for
		a.rev.acted("", "")
		a.settled.url = a.before.url
		return nil
	}
	var reply deltaReply
	err := a.page.runPatiently(ctx, a.frame, "settle", a.settleArgs(), &reply, UnresponsiveAfter)
	switch {
	case err == nil:
		a.takeReply(&reply)
		a.awaitPopup(ctx)
		if a.leavingNow() {
			return a.followNavigation(ctx)
		}
		return nil
	case errors.Is(err, errReplaced):
		return a.followNavigation(ctx)
	case errors.Is(err, errDialog):
		a.rev.acted("", "")
		a.settled.url = a.before.url
		return nil
	}
	if a.page.isClosed() { // the press closed its own page: that is its effect
		a.rev.acted("", "")
		return nil
	}
	return err
}

// awaitPopup waits until a window that the press opened is registered: the page says so before the browser does.
func (a *action) awaitPopup(ctx context.Context) {
	if a.session.windowsOf(a.page.id) == a.before.windows {
		return
	}
	wait, cancel := context.WithTimeout(ctx, PopupWait)
	defer cancel()
	_ = a.page.changes.until(wait, func() bool { return a.popupSince() != "" }) // a blocked popup never comes
}

func (a *action) settleArgs() map[string]any {
	args := map[string]any{
		"client": a.client, "quietMs": QuietAfterAction.Milliseconds(), "leaveMs": LeaveAfterAction.Milliseconds(),
		"target": a.local, "delta": a.wantsDelta(), "limits": map[string]any{"entries": contract.DeltaEntries, "textBytes": contract.DeltaTextBytes},
	}
	if a.reading != nil {
		args["read"] = a.reading.args()
	}
	return args
}

func (a *action) takeReply(reply *deltaReply) {
	s := a.settled
	a.rev.acted(reply.Doc, reply.Hash)
	s.url, s.title = cutURL(reply.URL), cutTitle(reply.Title)
	s.urlChanged, s.titleChanged, s.targetChanged = reply.URLChanged, reply.TitleChanged, reply.TargetChanged
	if reply.Read != nil && reply.Read.Fail == nil { // a field that has gone cannot be compared
		a.compare(a.reading, reply.Read.fieldState)
	}
	d := reply.Delta
	if d == nil {
		return
	}
	s.delta = &contract.Delta{
		Added: a.entries(d.Added), Removed: a.entries(d.Removed), Changed: a.entries(d.Changed), Kept: d.Kept, Text: cleanBlock(d.Text),
	}
	if d.Omitted != (contract.Omitted{}) {
		s.delta.Omitted = &d.Omitted
	}
	added, removed, changed := len(d.Added)+d.Omitted.Added, len(d.Removed)+d.Omitted.Removed, len(d.Changed)+d.Omitted.Changed
	if added+removed+changed > 0 {
		s.diff = &contract.AccessibilityDiff{Added: added, Removed: removed, Changed: changed}
	}
}

func (a *action) entries(list []controlReply) []contract.DeltaEntry {
	var out []contract.DeltaEntry
	for _, c := range list {
		out = append(out, contract.DeltaEntry{
			Ref: a.rev.ref(c.ID), Role: c.Role, Name: cleanLine(c.Name), States: c.States, Value: cleanLine(c.Value), Was: cleanLine(c.Was),
		})
	}
	return out
}

// leavingNow reports whether the press began a navigation that has not shown its document yet, or has already done so.
func (a *action) leavingNow() bool {
	f, ok := a.page.frameNow(a.frame)
	return ok && (f.loader != a.before.loader || f.leaving && f.starts > a.before.starts)
}

// followNavigation waits for the new document's DOMContentLoaded and takes its first controls as the delta.
func (a *action) followNavigation(ctx context.Context) error {
	revised := a.rev.now() > a.previous
	wait, cancel := context.WithTimeout(ctx, NavigationAfter)
	defer cancel()
	arrived := func() bool {
		f, ok := a.page.frameNow(a.frame)
		switch {
		case !ok || a.page.openDialog() != nil || a.page.isClosed():
			return true
		case f.loader != a.before.loader:
			return f.lifecycle.has("DOMContentLoaded")
		}
		return !f.leaving && revised // it came to nothing: a download, or no content
	}
	err := a.page.changes.until(wait, arrived)
	f, ok := a.page.frameNow(a.frame)
	s := a.settled
	s.url = f.url
	if !ok || a.page.isClosed() || a.page.openDialog() != nil || err != nil || f.loader == a.before.loader {
		s.pending = err != nil && ctx.Err() == nil
		if !revised {
			a.rev.acted("", "")
		}
		return nil
	}
	s.urlChanged = f.url != a.before.url
	return a.arrive(ctx, revised)
}

// arrive looks at the document that replaced the old one.
func (a *action) arrive(ctx context.Context, revised bool) error {
	reply, err := a.observeInPage(ctx, observeArgs{Limits: deltaLimits(), Publish: true})
	if err != nil {
		if !revised {
			a.rev.acted("", "")
		}
		if errors.Is(err, errDialog) || errors.Is(err, errReplaced) {
			a.settled.pending = errors.Is(err, errReplaced)
			return nil
		}
		return err
	}
	if revised { // the old document was taken for the effect already: the action still advances the revision once
		a.rev.adopt(reply.Doc, reply.Hash)
	} else {
		a.rev.acted(reply.Doc, reply.Hash)
	}
	s := a.settled
	s.newDocument, s.url, s.title = reply.Doc, cutURL(reply.URL), cutTitle(reply.Title)
	s.titleChanged, s.targetChanged = s.title != a.before.title, true
	added := a.entries(reply.Controls)
	s.delta = &contract.Delta{Added: added, Text: cleanBlock(reply.Text), Full: true}
	if n := reply.Total - len(added); n > 0 {
		s.delta.Omitted = &contract.Omitted{Added: n}
	}
	return nil
}

func deltaLimits() inPageLimits {
	l := observeLimits()
	l.Controls, l.TextBytes, l.Outline = contract.DeltaEntries, contract.DeltaTextBytes, 0
	return l
}

func (p *page) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed || p.crashed
}

func decode(raw []byte, out any) error {
	if err := json.Unmarshal(raw, out); err != nil {
		return contract.Fail(contract.Transport, contract.PhaseTransport, "the in-page script's reply cannot be read").Wrap(err)
	}
	return nil
}
