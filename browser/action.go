package browser

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/textsafe"
)

// ActArgs are the arguments that every action takes (browser.md §4).
type ActArgs struct {
	RouteArgs
	ExpectedRevision int64 `json:"expectedRevision,omitzero" doc:"refuse when the page has changed since this revision" glass:"min=1,quiet"`
	Delta            *bool `json:"delta,omitzero" doc:"false leaves the delta out of the outcome" glass:"hidden"`
}

// ActionResult is an outcome with its route (contract.md §3).
type ActionResult struct {
	contract.Outcome
	TargetID string           `json:"targetId"`
	FrameID  string           `json:"frameId"`
	URL      string           `json:"url,omitzero"`   // where the page is now, when that has changed
	Title    string           `json:"title,omitzero"` // likewise
	Dialog   *contract.Dialog `json:"dialog,omitzero"`

	named bool // the target was described, not given by its number
}

// action is one attempt to act: the route, its guard, and what is learned on the way.
type action struct {
	*route
	name     string
	exec     string
	args     ActArgs
	previous contract.Revision
	before   effects
	target   *contract.TargetLabel
	local    int // in-page id of the target
	evidence *contract.Evidence
	mismatch bool // the surface shows something else than was asked for
	named    bool
	hold     bool // the controls must still be as the current revision knows them
	reading  *reading
	armed    bool // the delta is counted from the first of several inputs on
	pressed  bool // input was dispatched
	settled  *settled
	result   ActionResult
}

// effects are the counters that tell what happened while an action ran.
type effects struct {
	starts, same, dialogs, popups, downloads, windows int
	loader, url, title, frame                         string
}

// act runs one action on its route: the page's turn, the guard, do, the settling and the outcome. do must return an
// error before it dispatches anything, or nil.
func (rt *Runtime) act(ctx context.Context, call *Call, name string, args ActArgs, do func(context.Context, *action) error) (*ActionResult, error) {
	ctx, cancel := context.WithTimeout(ctx, ActionDeadline)
	defer cancel()
	r, err := rt.route(ctx, call, args.RouteArgs)
	if err != nil {
		return nil, r.stamp(err)
	}
	if err := r.page.acquire(ctx); err != nil {
		return nil, r.stamp(err)
	}
	defer r.page.release()
	a := &action{route: r, name: name, exec: r.session.executionID(), args: args}
	if err := a.run(ctx, do); err != nil {
		return nil, a.fail(err)
	}
	return &a.result, nil
}

func (a *action) run(ctx context.Context, do func(context.Context, *action) error) error {
	if err := a.page.alive(); err != nil {
		return err
	}
	if a.page.openDialog() != nil {
		return dialogBlocks()
	}
	if err := a.guard(); err != nil {
		return err
	}
	a.before = a.effectsNow()
	if err := do(ctx, a); err != nil {
		if errors.Is(err, errDialog) && !a.pressed {
			return dialogBlocks()
		}
		if !a.pressed || !errors.Is(err, errDialog) && !errors.Is(err, errReplaced) {
			return err
		}
	}
	if err := a.settle(ctx); err != nil {
		return err
	}
	a.finish()
	return nil
}

// guard compares the expected revision with the known one; what the page has done since is checked in the page, in the
// same call that resolves the target.
func (a *action) guard() error {
	a.previous, a.hold = a.rev.now(), a.args.ExpectedRevision != 0
	if e := a.args.ExpectedRevision; e != 0 && contract.Revision(e) != a.rev.now() {
		return notExpected(e, a.rev.now())
	}
	return nil
}

func notExpected(expected int64, now contract.Revision) error {
	return contract.Fail(contract.StaleRevision, contract.PhasePreflight, "revision %d was expected; the current one is %d", expected, now).
		Because("revision")
}

func dialogBlocks() error {
	return contract.Fail(contract.HitTestBlocked, contract.PhasePreflight, "a dialog is open on the page").Because("dialog").
		Suggest(contract.ToolDismissDialog).Safe()
}

func (a *action) fail(err error) error {
	switch {
	case errors.Is(err, errReplaced):
		err = contract.Fail(contract.StaleRevision, contract.PhaseResolution, "the document was replaced during the call").Because("revision")
	case errors.Is(err, errDialog):
		err = dialogBlocks()
	}
	if a.pressed && a.rev.now() == a.previous {
		a.rev.acted("", "") // something was sent: the state is no longer the one that was known
	}
	err = a.stamp(err)
	var f *contract.Failure
	if errors.As(err, &f) {
		f.ExecutionID = a.exec
		if a.pressed && f.BeforeDispatch() {
			f.Phase = contract.PhaseBrowserEffect
		}
		if a.pressed && f.Recovery == contract.RetrySafe {
			f.Recovery = contract.RecoveryReport
		}
		if !a.pressed && (f.Kind == contract.Timeout || f.Kind == contract.Canceled) {
			f.Phase = contract.PhasePreflight
		}
	}
	return err
}

func (a *action) effectsNow() effects {
	p := a.page
	windows := a.session.windowsOf(p.id)
	p.mu.Lock()
	defer p.mu.Unlock()
	e := effects{dialogs: p.dialogs, popups: len(p.popups), downloads: p.downloads, windows: windows, frame: p.selectedFrame}
	if f := p.frames[a.frame]; f != nil {
		e.starts, e.same, e.loader, e.url = f.starts, f.sameDocument, f.loader, f.url
	}
	return e
}

// call runs an in-page handler for this action. With a revision to hold to, the handler runs only when the page's
// controls are still as that revision knows them.
func (a *action) call(ctx context.Context, handler string, args map[string]any, out any) error {
	if a.pressed { // the action's own effects: they advance the revision once, at its end
		return a.route.callWith(ctx, handler, args, a.rev.adopt, out)
	}
	err := a.route.call(ctx, handler, args, a.hold, out)
	if errors.Is(err, errMovedOn) && a.args.ExpectedRevision != 0 {
		return notExpected(a.args.ExpectedRevision, a.rev.now())
	}
	return err
}

// dispatching marks the moment from which input may have reached the page.
func (a *action) dispatching() {
	if !a.pressed {
		a.pressed, a.previous = true, a.rev.now()
	}
}

// guarded is the head of a reply that may have been refused because the page moved on.
type guarded struct {
	replyHead
	MovedOn bool `json:"movedOn"`
}

// errMovedOn is the cause of a refusal because the controls are no longer as the current revision knew them.
var errMovedOn = errors.New("the page has moved on")

func (r *route) call(ctx context.Context, handler string, args map[string]any, hold bool, out any) error {
	if hold && r.rev.hash != "" && r.rev.hash != unread {
		args["expectHash"], args["expectDoc"] = r.rev.hash, r.rev.doc
	}
	return r.callWith(ctx, handler, args, func(doc, hash string) bool { return r.rev.notice(doc, hash) && hold }, out)
}

// callWith is call with what is to become of the state that the reply tells; it reports whether the call must fail for it.
func (r *route) callWith(ctx context.Context, handler string, args map[string]any, take func(doc, hash string) (stale bool), out any) error {
	args["client"], args["salt"] = r.client, r.session.salt
	if r.rev.resync {
		args["resync"] = true
		r.rev.resync = false
	}
	var raw jsontext.Value
	if err := r.page.runPatiently(ctx, r.frame, handler, args, &raw, patience(ctx)); err != nil {
		return err
	}
	var head guarded
	if err := decode(raw, &head); err != nil {
		return err
	}
	if stale := take(head.Doc, head.Hash); stale || head.MovedOn {
		return staleReference("revision", "the page has changed since the reference was given; the current revision is %d", r.rev.now()).
			Wrap(errMovedOn)
	}
	if head.Fail != nil {
		return r.refused(head.Fail, contract.PhaseResolution)
	}
	if out == nil {
		return nil
	}
	return decode(raw, out)
}

// patience is how long an in-page call may take before the page counts as unresponsive: never longer than the caller
// waits himself.
func patience(ctx context.Context) time.Duration {
	if at, ok := ctx.Deadline(); ok {
		return min(UnresponsiveAfter, time.Until(at)/2)
	}
	return UnresponsiveAfter
}

// finish fills in the outcome.
func (a *action) finish() {
	s := a.settled
	after := a.effectsNow()
	v := &contract.Verification{
		RevisionDelta: int64(a.rev.now() - a.previous), URLChanged: s.urlChanged || after.loader != a.before.loader && s.url != a.before.url,
		TitleChanged: s.titleChanged, TargetChanged: s.targetChanged, FrameChanged: after.frame != a.before.frame,
		DialogOpen: a.page.openDialog(), DownloadStarted: after.downloads > a.before.downloads, NavigationPending: s.pending,
		PopupOpened: a.popupSince(), AccessibilityDiff: s.diff,
	}
	a.result = ActionResult{
		Outcome: contract.Outcome{
			Status: contract.Succeeded, Action: a.name, ExecutionID: a.exec, Target: a.target, Revision: a.rev.now(),
			PreviousRevision: a.previous, CurrentRevision: a.rev.now(), Verification: v, Evidence: a.evidence,
		},
		TargetID: a.page.id, FrameID: a.frame,
	}
	a.result.Dialog, a.result.named = v.DialogOpen, a.named
	if v.URLChanged {
		a.result.URL = s.url
	}
	if v.TitleChanged {
		a.result.Title = s.title
	}
	if a.mismatch {
		a.result.Status = contract.CompletedWithVerification
	}
	if a.wantsDelta() {
		a.result.Delta = s.delta
	}
	if a.target != nil && a.local != 0 && s.newDocument == "" {
		a.target.Reference = a.rev.ref(a.local)
	}
}

func (a *action) wantsDelta() bool { return a.args.Delta == nil || *a.args.Delta }

// popupSince is the page that the action's target opened, once it is registered.
func (a *action) popupSince() string {
	a.page.mu.Lock()
	defer a.page.mu.Unlock()
	if len(a.page.popups) > a.before.popups {
		return a.page.popups[a.before.popups]
	}
	return ""
}

func cleanLine(s string) string { return textsafe.Line(s) }
