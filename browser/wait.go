package browser

import (
	"context"
	"errors"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

var waitOperation = operation.Spec{
	Name: "wait", Toolset: "browser", ReadOnly: true, Idempotent: true, OpenWorld: true,
	Summary: "Wait for a condition: text=, text-gone=, url=, target-visible=, lifecycle=, network-quiet=, js=",
	Detail:  "The conditions are " + conditionNames + ".",
	Example: "glass wait text=Saved\nglass wait 'target-enabled=name=Continue' --timeout-ms 20000",
}

// WaitInput is a condition and its deadline.
type WaitInput struct {
	Condition string `json:"condition" doc:"what to wait for, such as text=Saved" glass:"required,arg=0"`
	RouteArgs
	TimeoutMs int64 `json:"timeoutMs,omitzero" doc:"deadline (default 10000)" glass:"min=1,max=300000"`
}

func (in WaitInput) deadline() time.Duration {
	if in.TimeoutMs > 0 {
		return millis(in.TimeoutMs)
	}
	return contract.WaitDefault
}

// WaitResult says that the condition holds, and after how long.
type WaitResult struct {
	Condition string            `json:"condition"`
	ElapsedMs int64             `json:"elapsedMs"`
	URL       string            `json:"url"`
	Revision  contract.Revision `json:"revision,omitzero"` // the last one noticed; observing may find the page at a later one
	TargetID  string            `json:"targetId"`
	FrameID   string            `json:"frameId"`
	Dialog    *contract.Dialog  `json:"dialog,omitzero"`
}

// Wait waits until the condition holds. It does not take the page's turn: other operations go on meanwhile.
func (rt *Runtime) Wait(ctx context.Context, call *Call, in WaitInput) (*WaitResult, error) {
	c, err := parseCondition(in.Condition, call != nil && call.FromCLI())
	if err != nil {
		return nil, err
	}
	if in.TimeoutMs < 0 || in.TimeoutMs > contract.WaitMaximum.Milliseconds() {
		return nil, contract.Invalid("timeoutMs", "it is 1 to %d", contract.WaitMaximum.Milliseconds())
	}
	deadline := in.deadline()
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	r, err := rt.route(ctx, call, in.RouteArgs)
	if err != nil {
		return nil, r.stamp(err)
	}
	if c.kind == "js" {
		if err := r.policy.Require(policy.Evaluate); err != nil {
			return nil, r.stamp(err)
		}
	}
	started := time.Now()
	if last, err := r.await(caller, ctx, c); err != nil {
		return nil, r.stamp(r.waitFailure(ctx, err, c, deadline, last))
	}
	f, _ := r.page.frameNow(r.frame)
	return &WaitResult{
		Condition: c.kind, ElapsedMs: time.Since(started).Milliseconds(), URL: f.url, Revision: r.rev.now(), TargetID: r.page.id, FrameID: r.frame,
		Dialog: r.page.openDialog(),
	}, nil
}

// await waits for one condition; last is the state that was seen last when it fails. ctx ends at the wait's deadline,
// caller with the call: the page is asked under that, since its own word at the deadline says what it saw.
func (r *route) await(caller, ctx context.Context, c *condition) (last string, err error) {
	switch c.kind {
	case "network-quiet":
		return r.awaitQuiet(ctx, time.Duration(c.number)*time.Millisecond)
	case "js":
		return r.awaitScript(ctx, c.value)
	}
	return r.awaitInPage(caller, ctx, c)
}

// awaitInPage waits inside the document, and again in the next one when the document is replaced meanwhile.
func (r *route) awaitInPage(caller, ctx context.Context, c *condition) (last string, err error) {
	token := r.session.executionID()
	args := map[string]any{
		"token": token, "kind": c.kind, "text": c.value, "url": c.value, "state": c.value, "client": r.client, "salt": r.session.salt,
	}
	if c.locator != nil {
		l, err := r.waitLocator(ctx, c.value)
		if err != nil {
			return "", err
		}
		args["target"] = l
	}
	for {
		at, _ := ctx.Deadline()
		left := time.Until(at)
		if left <= 0 {
			return last, contract.Fail(contract.Timeout, contract.PhaseVerification, "the deadline has passed")
		}
		args["timeoutMs"] = left.Milliseconds()
		var reply struct {
			replyHead
			OK        bool   `json:"ok"`
			LastState string `json:"lastState"`
		}
		asking, stop := context.WithTimeout(caller, left+answerGrace)
		err := r.page.run(asking, r.frame, "wait", args, &reply)
		stop()
		if err != nil {
			r.cancelWait(ctx, token)
		}
		switch {
		case err == nil && reply.Fail != nil:
			return "", r.refused(reply.Fail, contract.PhaseResolution)
		case err == nil && reply.OK:
			return "", nil
		case err == nil:
			last = reply.LastState
		case errors.Is(err, errReplaced):
			last = "navigating"
			if err := r.awaitDocument(ctx); err != nil {
				return last, err
			}
		case errors.Is(err, errDialog): // the page answers nothing while a dialog is open
			last = "a dialog is open"
			if err := r.page.changes.until(ctx, func() bool { return r.page.openDialog() == nil }); err != nil {
				return last, ended(ctx)
			}
		default:
			return last, err
		}
	}
}

// answerGrace is how long after a wait's deadline the page may take to say what it saw.
const answerGrace = time.Second

// cancelWait takes the wait's observers out of the page when the caller has given up.
func (r *route) cancelWait(ctx context.Context, token string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = r.page.run(ctx, r.frame, "cancelWait", map[string]any{"token": token}, nil) // a page that cannot answer has lost them too
}

// waitLocator gives references their in-page ids, in the page's turn: the route's numbers change with the document.
func (r *route) waitLocator(ctx context.Context, text string) (locator, error) {
	if err := r.page.acquire(ctx); err != nil {
		return locator{}, err
	}
	defer r.page.release()
	return r.locate(text)
}

// awaitDocument waits until a replaced document has a successor in which scripts can run.
func (r *route) awaitDocument(ctx context.Context) error {
	err := r.page.changes.until(ctx, func() bool {
		f, ok := r.page.frameNow(r.frame)
		return !ok || r.page.isClosed() || f.lifecycle.has("commit") || f.lifecycle.has("init")
	})
	if err != nil {
		return ended(ctx)
	}
	if _, ok := r.page.frameNow(r.frame); !ok {
		return frameGone()
	}
	return r.page.alive()
}

// awaitScript polls a predicate of the page's own world; it must return a boolean.
func (r *route) awaitScript(ctx context.Context, expression string) (last string, err error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		value, err := r.evaluatePage(ctx, expression)
		switch {
		case err == nil:
			b, isBool := value.(bool)
			if !isBool {
				return "", contract.Invalid("condition", "the predicate of js= must return true or false")
			}
			if b {
				return "", nil
			}
			last = "false"
		case errors.Is(err, errReplaced) || errors.Is(err, errDialog):
			last = err.Error()
		default:
			return last, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return last, ended(ctx)
		}
	}
}

// pollInterval is the longest pause between two looks where no event tells of a change (browser.md §5).
const pollInterval = 50 * time.Millisecond

// waitFailure adds to a timeout what was waited for and what was seen last.
func (r *route) waitFailure(ctx context.Context, err error, c *condition, deadline time.Duration, last string) error {
	f := asFailure(err)
	if f == nil || f.Kind != contract.Timeout && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	t := contract.Fail(contract.Timeout, contract.PhaseVerification, "the condition %s= did not hold within %d ms", c.kind, deadline.Milliseconds())
	t.Condition, t.DeadlineMs, t.LastState = c.kind, deadline.Milliseconds(), contract.Cut(cleanLine(last), contract.LastStateBytes)
	if f.Reason != "" {
		t.Reason = f.Reason
	}
	return t
}
