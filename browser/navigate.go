package browser

import (
	"context"
	"encoding/json/v2"
	"errors"
	"strings"
	"sync"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
	"github.com/glasskit/glass/internal/operation"
)

var navigateOperation = operation.Spec{
	Name: "navigate", Toolset: "browser", OpenWorld: true,
	Summary: "Open a URL; answers final URL, title, status and redirects",
	Example: "glass navigate https://example.com",
}

// NavigateInput is a URL and when it counts as open.
type NavigateInput struct {
	URL string `json:"url" doc:"the URL, with its scheme" glass:"required,arg=0"`
	ActArgs
	WaitUntil    string `json:"waitUntil,omitzero" doc:"when to answer" glass:"enum=load|domcontentloaded|networkquiet|commit"`
	TimeoutMs    int64  `json:"timeoutMs,omitzero" doc:"deadline (default 30000)" glass:"min=1,max=300000,hidden"`
	BeforeUnload string `json:"beforeUnload,omitzero" doc:"answer to a page that asks whether to leave" glass:"enum=accept|dismiss,hidden"`
}

// PageInfo is where a navigation ended, together with the outcome's fields.
type PageInfo struct {
	URL        string   `json:"url"`
	Title      string   `json:"title,omitzero"`
	ReadyState string   `json:"readyState"`
	TargetID   string   `json:"targetId"`
	FrameID    string   `json:"frameId"`
	HTTPStatus int      `json:"httpStatus,omitzero"`
	Redirects  []string `json:"redirects,omitzero"`
	contract.Outcome
	Dialog *contract.Dialog `json:"dialog,omitzero"`
}

// maxRedirects is how many redirects are reported.
const maxRedirects = 20

// waitEvents are the lifecycle events behind the words of waitUntil.
var waitEvents = map[string]string{
	"load": "load", "domcontentloaded": "DOMContentLoaded", "networkquiet": "networkIdle", "commit": "commit", "": "load",
}

// Navigate opens a URL in the route's frame. It never waits in the page's queue behind a sick call: navigating is a cure
// (browser.md §7).
func (rt *Runtime) Navigate(ctx context.Context, call *Call, in NavigateInput) (*PageInfo, error) {
	return rt.visit(ctx, call, "navigate", in.ActArgs, in.WaitUntil, in.TimeoutMs, in.BeforeUnload, func(ctx context.Context, v *visitation) error {
		target := strings.TrimSpace(in.URL)
		if err := v.policy.CheckURL(target); err != nil {
			return err
		}
		var done struct {
			Loader   string `json:"loaderId"`
			Error    string `json:"errorText"`
			Download bool   `json:"isDownload"`
		}
		v.sent()
		if err := v.page.cdp.Call(ctx, "Page.navigate", map[string]any{"url": target, "frameId": v.frame}, &done); err != nil {
			return connectionFailure(ctx, err)
		}
		if done.Download {
			return contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the URL is a download, not a page").Because("download").
				Suggest(contract.ToolNone)
		}
		if done.Error != "" {
			return v.networkFailure(done.Error)
		}
		v.loader = done.Loader
		return nil
	})
}

// visitation is one navigation: what it has seen of the network, and what it waits for.
type visitation struct {
	*route
	name   string
	exec   string
	loader string // of the document that is to come; empty for a same-document navigation
	before effects
	moved  bool
	leave  string // answer to a beforeunload dialog

	escaped bool // the page was left for another document first; the history has one entry more

	mu        sync.Mutex
	status    int
	redirects []string
	asked     bool // a beforeunload dialog was answered
}

func (v *visitation) sent() { v.moved = true }

// visit runs a navigation: start it, wait for the document, answer where it ended.
func (rt *Runtime) visit(ctx context.Context, call *Call, name string, args ActArgs, until string, timeoutMs int64, leave string,
	start func(context.Context, *visitation) error,
) (*PageInfo, error) {
	deadline := NavigationDeadline
	if timeoutMs > 0 {
		deadline = millis(timeoutMs)
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	r, err := rt.route(ctx, call, args.RouteArgs)
	revived := err != nil && r != nil && r.revive()
	if err != nil && !revived {
		return nil, r.stamp(err)
	}
	v := &visitation{route: r, name: name, exec: r.session.executionID(), leave: leave}
	if args.ExpectedRevision != 0 {
		if err := v.guard(ctx, args.ExpectedRevision, revived); err != nil {
			return nil, v.fail(err)
		}
	}
	info, err := v.run(ctx, until, deadline.Milliseconds(), start)
	if err != nil {
		if v.stayed() { // at once a further navigation would come to nothing, and say nothing
			v.awaitRest(ctx)
		}
		return nil, v.fail(err)
	}
	return info, nil
}

// guard refuses when the page is no longer at the expected revision. Changes that no operation has noticed yet count; only
// this makes a navigation wait for the page's turn.
func (v *visitation) guard(ctx context.Context, expected int64, dead bool) error {
	if contract.Revision(expected) != v.rev.now() {
		return notExpected(expected, v.rev.now())
	}
	if dead || v.page.alive() != nil || v.page.openDialog() != nil {
		return nil // the page answers nothing: what is known is all there is
	}
	if err := v.page.acquire(ctx); err != nil {
		return err
	}
	defer v.page.release()
	err := v.call(ctx, "state", map[string]any{}, true, nil)
	switch {
	case errors.Is(err, errMovedOn) || errors.Is(err, errReplaced):
		return notExpected(expected, v.rev.now())
	case errors.Is(err, errDialog):
		return nil
	}
	return err
}

// revive makes a crashed page usable for a navigation, which starts it again.
func (r *route) revive() bool {
	r.page.mu.Lock()
	crashed := r.page.crashed && !r.page.closed && r.page.cdp != nil
	if crashed {
		r.frame = r.page.mainFrame
		r.page.crashed = false // so that a further crash is told
	}
	r.page.mu.Unlock()
	if crashed {
		r.page.cdp.Revive()
		r.rev = r.page.revisionsOf(r.frame)
	}
	return crashed
}

func (v *visitation) run(ctx context.Context, until string, deadlineMs int64, start func(context.Context, *visitation) error) (*PageInfo, error) {
	v.before = v.effectsBefore()
	if err := v.freePage(ctx); err != nil {
		return nil, err
	}
	stop := v.watchNetwork(ctx)
	defer stop()
	answered := v.answerDialogs(ctx)
	defer answered()
	if err := start(ctx, v); err != nil {
		return nil, err
	}
	if err := v.arrive(ctx, waitEvents[until], deadlineMs); err != nil {
		return nil, err
	}
	return v.info(ctx)
}

func (v *visitation) effectsBefore() effects {
	a := action{route: v.route}
	return a.effectsNow()
}

// arrive waits for the event of the document that was navigated to.
func (v *visitation) arrive(ctx context.Context, event string, deadlineMs int64) error {
	reached := func() bool {
		f, ok := v.page.frameNow(v.frame)
		if !ok || v.page.isClosed() || v.halted() {
			return true
		}
		if v.loader == "" {
			return true
		}
		if f.loader != v.loader { // replaced by a further navigation of the page's own: that one is where it ends
			return f.loader != v.before.loader && f.lifecycle.has(event)
		}
		return event == "commit" || f.lifecycle.has(event)
	}
	if err := v.page.changes.until(ctx, reached); err != nil {
		f, _ := v.page.frameNow(v.frame)
		t := contract.Fail(contract.Timeout, contract.PhaseBrowserEffect, "the page did not come to %q within %d ms", event, deadlineMs)
		if ctx.Err() != context.DeadlineExceeded {
			return ended(ctx)
		}
		t.Condition, t.DeadlineMs, t.LastState = event, deadlineMs, readyState(f)
		return t
	}
	if v.page.isClosed() {
		return contract.Fail(contract.Unavailable, contract.PhaseBrowserEffect, "the page went away during the navigation").Because("target_closed")
	}
	return nil
}

// info is where the navigation ended.
func (v *visitation) info(ctx context.Context) (*PageInfo, error) {
	if err := v.page.acquire(ctx); err != nil { // what held the queue before has ended with its document
		return nil, err
	}
	defer v.page.release()
	previous := v.rev.now()
	info := &PageInfo{TargetID: v.page.id, FrameID: v.frame, Dialog: v.page.openDialog()}
	var state struct {
		replyHead
		URL        string `json:"url"`
		Title      string `json:"title"`
		ReadyState string `json:"readyState"`
	}
	var err error
	if info.Dialog == nil {
		err = v.page.runPatiently(ctx, v.frame, "where", map[string]any{}, &state, UnresponsiveAfter)
	}
	if err != nil || info.Dialog != nil { // a dialog, or one more navigation: what the events told is all there is to say
		f, _ := v.page.frameNow(v.frame)
		info.URL, info.ReadyState, info.Dialog = f.url, readyState(f), v.page.openDialog()
		v.rev.acted("", "")
	} else {
		info.URL, info.Title, info.ReadyState = cutURL(state.URL), cutTitle(state.Title), state.ReadyState
		v.rev.acted(state.Doc, unread)
	}
	v.mu.Lock()
	info.HTTPStatus, info.Redirects = v.status, v.redirects
	v.mu.Unlock()
	info.Outcome = contract.Outcome{
		Status: contract.Succeeded, Action: v.name, ExecutionID: v.exec, Revision: v.rev.now(), PreviousRevision: previous, CurrentRevision: v.rev.now(),
		Verification: &contract.Verification{
			RevisionDelta: int64(v.rev.now() - previous), URLChanged: info.URL != v.before.url, TargetChanged: false, DialogOpen: info.Dialog,
		},
	}
	return info, nil
}

func (v *visitation) fail(err error) error {
	err = v.stamp(err)
	if f := asFailure(err); f != nil {
		f.ExecutionID = v.exec
		if v.moved && f.BeforeDispatch() {
			f.Phase = contract.PhaseBrowserEffect
		}
	}
	return err
}

// networkEvent is what a navigation reads of the Network domain.
type networkEvent struct {
	FrameID   string `json:"frameId"`
	RequestID string `json:"requestId"`
	LoaderID  string `json:"loaderId"`
	Type      string `json:"type"`
	Response  *struct {
		Status int `json:"status"`
	} `json:"response"`
	Redirect *struct {
		URL string `json:"url"`
	} `json:"redirectResponse"`
}

// watchNetwork leases the Network domain for the navigation, for its status and redirects.
func (v *visitation) watchNetwork(ctx context.Context) func() {
	return v.page.watchTraffic(ctx, func(_ *cdp.Session, method string, params []byte) {
		var e networkEvent
		if json.Unmarshal(params, &e) != nil || e.Type != "Document" || e.FrameID != v.frame {
			return
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		switch {
		case method == "Network.requestWillBeSent" && e.Redirect != nil:
			if len(v.redirects) < maxRedirects {
				v.redirects = append(v.redirects, cutURL(e.Redirect.URL))
			}
		case method == "Network.requestWillBeSent":
			v.status, v.redirects = 0, nil
		case e.Response != nil:
			v.status = e.Response.Status
		}
	})
}

// networkFailure says what kept the document from loading. Chrome's error words are a closed set of its own.
func (v *visitation) networkFailure(text string) error {
	reason := strings.ToLower(strings.TrimPrefix(text, "net::ERR_"))
	if strings.HasPrefix(reason, "cert_") || strings.HasPrefix(reason, "ssl_") {
		reason = "tls"
	}
	if reason == "aborted" {
		if v.stayed() {
			return contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the page asked whether to leave, and stays").Because("before_unload").
				WithHint(`call again with beforeUnload "accept" to leave it`).Suggest(contract.ToolNone)
		}
	}
	return contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the page could not be loaded: %s", contract.Cut(cleanLine(text), 80)).
		Because(contract.Cut(cleanLine(reason), 64)).Suggest(contract.ToolNone)
}
