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
	err := a.takeEffect(ctx, false)
	if errors.Is(err, errReplaced) || err == nil && a.leavingNow() {
		err = a.followNavigation(ctx)
	}
	switch {
	case errors.Is(err, errDialog):
		a.revise("", "")
		a.settled.url = a.before.url
		return nil
	case err != nil && a.page.isClosed(): // the press closed its own page: that is its effect
		a.revise("", "")
		return nil
	}
	return err
}

// revise advances the revision for the action, once however often the page is looked at.
func (a *action) revise(doc, hash string) {
	if a.rev.now() > a.previous {
		if doc != "" {
			a.rev.adopt(doc, hash)
		}
		return
	}
	a.rev.acted(doc, hash)
}

// takeEffect asks the page for the delta. It answers errReplaced when the press began a navigation: the browser then
// keeps back every call of the page until that has come to its document, or to nothing. In the latter case it is asked
// again, for a reply that may have been cut off.
func (a *action) takeEffect(ctx context.Context, again bool) error {
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if a.page.changes.until(asking, a.leavingNow) == nil {
			cancel(errReplaced)
		}
	}()
	var reply deltaReply
	args := a.settleArgs()
	args["again"] = again
	err := a.page.runPatiently(asking, a.frame, "settle", args, &reply, UnresponsiveAfter)
	if err != nil && errors.Is(context.Cause(asking), errReplaced) {
		a.rev.resync = true // the reply may have told node ids
		err = errReplaced
	}
	cancel(nil)
	<-watched
	if err == nil {
		a.takeReply(&reply)
		a.awaitPopup(ctx)
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
	a.revise(reply.Doc, reply.Hash)
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
