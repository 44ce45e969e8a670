package browser

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// HistoryInput is when a move through the history counts as done.
type HistoryInput struct {
	ActArgs
	WaitUntil    string `json:"waitUntil,omitzero" doc:"when to answer" glass:"enum=load|domcontentloaded|networkquiet|commit,hidden"`
	TimeoutMs    int64  `json:"timeoutMs,omitzero" doc:"deadline (default 30000)" glass:"min=1,max=300000,hidden"`
	BeforeUnload string `json:"beforeUnload,omitzero" doc:"answer to a page that asks whether to leave" glass:"enum=accept|dismiss,hidden"`
}

var (
	backOperation = operation.Spec{
		Name: "back", Toolset: "browser", OpenWorld: true, Summary: "Go back in the history", Example: "glass back",
	}
	forwardOperation = operation.Spec{
		Name: "forward", Toolset: "browser", OpenWorld: true, Summary: "Go forward in the history", Example: "glass forward",
	}
	reloadOperation = operation.Spec{
		Name: "reload", Toolset: "browser", OpenWorld: true, Summary: "Load the page again", Example: "glass reload",
	}
)

// Back goes one entry back in the target's history.
func (rt *Runtime) Back(ctx context.Context, call *Call, in HistoryInput) (*PageInfo, error) {
	return rt.travel(ctx, call, "back", -1, in)
}

// Forward goes one entry forward in the target's history.
func (rt *Runtime) Forward(ctx context.Context, call *Call, in HistoryInput) (*PageInfo, error) {
	return rt.travel(ctx, call, "forward", 1, in)
}

func (rt *Runtime) travel(ctx context.Context, call *Call, name string, step int, in HistoryInput) (*PageInfo, error) {
	return rt.visit(ctx, call, name, in.ActArgs, in.WaitUntil, in.TimeoutMs, in.BeforeUnload, func(ctx context.Context, v *visitation) error {
		return v.travel(ctx, step)
	})
}

// travel goes to the entry of the history that is step entries away.
func (v *visitation) travel(ctx context.Context, step int) error {
	var history struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := v.page.cdp.Call(ctx, "Page.getNavigationHistory", nil, &history); err != nil {
		return connectionFailure(ctx, err)
	}
	to := history.Current + step
	if v.escaped {
		to-- // from the page that was left
	}
	if to < 0 || to >= len(history.Entries) {
		return contract.Fail(contract.VerificationFailed, contract.PhasePreflight, "there is no page to go %s to", v.name).Because("history").
			Suggest(contract.ToolNone)
	}
	if err := v.policy.CheckURL(history.Entries[to].URL); err != nil {
		return err
	}
	v.sent()
	if err := v.page.cdp.Call(ctx, "Page.navigateToHistoryEntry", map[string]any{"entryId": history.Entries[to].ID}, nil); err != nil {
		return connectionFailure(ctx, err)
	}
	return v.awaitReplacement(ctx)
}

// Reload loads the route's page again. A frame is reloaded with its page.
func (rt *Runtime) Reload(ctx context.Context, call *Call, in HistoryInput) (*PageInfo, error) {
	return rt.visit(ctx, call, "reload", in.ActArgs, in.WaitUntil, in.TimeoutMs, in.BeforeUnload, func(ctx context.Context, v *visitation) error {
		if v.escaped {
			return v.travel(ctx, 0)
		}
		v.sent()
		if err := v.page.cdp.Call(ctx, "Page.reload", nil, nil); err != nil {
			return connectionFailure(ctx, err)
		}
		return v.awaitReplacement(ctx)
	})
}

// awaitReplacement waits until the navigation has put another document, or another entry of the same document, in place.
// A page that asked to stay, and was left, makes it a failure.
func (v *visitation) awaitReplacement(ctx context.Context) error {
	var now frame
	err := v.page.changes.until(ctx, func() bool {
		now, _ = v.page.frameNow(v.frame)
		return now.loader != v.before.loader || now.sameDocument > v.before.same || v.page.isClosed() || v.stayed() && v.page.openDialog() == nil
	})
	switch {
	case err != nil:
		return ended(ctx)
	case now.loader != v.before.loader:
		v.loader = now.loader
	case now.sameDocument == v.before.same:
		return v.networkFailure("net::ERR_ABORTED")
	}
	return nil
}

func asFailure(err error) *contract.Failure {
	var f *contract.Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func itoa(n int) string { return strconv.Itoa(n) }
