package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var (
	acceptDialogOperation = operation.Spec{
		Name: "acceptDialog", Toolset: "browser", OpenWorld: true, Destructive: true,
		Summary: "Accept the open dialog, with text for a prompt", Example: "glass accept-dialog\nglass accept-dialog --text Ada",
	}
	dismissDialogOperation = operation.Spec{
		Name: "dismissDialog", Toolset: "browser", OpenWorld: true,
		Summary: "Dismiss the open dialog", Example: "glass dismiss-dialog",
	}
)

// AcceptDialogInput answers a dialog; the text is for a prompt.
type AcceptDialogInput struct {
	TargetID string  `json:"targetId,omitzero" doc:"page target to use instead of the selected one" glass:"hidden"`
	Text     *string `json:"text,omitzero" doc:"answer to a prompt"`
}

// DismissDialogInput dismisses a dialog.
type DismissDialogInput struct {
	TargetID string `json:"targetId,omitzero" doc:"page target to use instead of the selected one" glass:"hidden"`
}

// DialogResult is the dialog that was answered, with the outcome's fields, and the next dialog when one followed at once.
type DialogResult struct {
	Answered contract.Dialog `json:"answered"`
	contract.Outcome
	TargetID string           `json:"targetId"`
	FrameID  string           `json:"frameId"`
	Dialog   *contract.Dialog `json:"dialog,omitzero"`
}

// AcceptDialog accepts the dialog of the target. It waits at most [DialogWait] for one to open, and never behind another
// operation.
func (rt *Runtime) AcceptDialog(ctx context.Context, call *Call, in AcceptDialogInput) (*DialogResult, error) {
	if in.Text != nil && len(*in.Text) > TypeBytes {
		return nil, contract.Invalid("text", "the text has %d bytes; the limit is %d", len(*in.Text), TypeBytes)
	}
	return rt.answer(ctx, call, "acceptDialog", in.TargetID, true, in.Text)
}

// DismissDialog dismisses the dialog of the target.
func (rt *Runtime) DismissDialog(ctx context.Context, call *Call, in DismissDialogInput) (*DialogResult, error) {
	return rt.answer(ctx, call, "dismissDialog", in.TargetID, false, nil)
}

func (rt *Runtime) answer(ctx context.Context, call *Call, name, targetID string, accept bool, text *string) (*DialogResult, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	p, err := s.pick(targetID)
	if err != nil {
		return nil, err
	}
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	exec := s.executionID()
	wait, cancel := context.WithTimeout(ctx, DialogWait)
	defer cancel()
	var dialog contract.Dialog
	seen := 0
	err = p.changes.until(wait, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.dialog == nil {
			return false
		}
		dialog, seen = *p.dialog, p.dialogs
		return true
	})
	r := &route{session: s, page: p, frame: p.frameID(), client: clientOf(call)}
	r.rev = p.revisionsOf(r.frame)
	if err != nil {
		f := contract.Fail(contract.NotFound, contract.PhasePreflight, "no dialog is open").Because("no_dialog").Suggest(contract.ToolNone)
		f.ExecutionID = exec
		return nil, r.stamp(f)
	}
	params := map[string]any{"accept": accept}
	if text != nil {
		params["promptText"] = *text
	}
	if err := p.cdp.Call(ctx, "Page.handleJavaScriptDialog", params, nil); err != nil {
		return nil, r.stamp(connectionFailure(ctx, err))
	}
	closed, cancel := context.WithTimeout(ctx, DialogWait)
	defer cancel()
	_ = p.changes.until(closed, func() bool { // the answer holds; this only lets the event arrive
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.dialog == nil || p.dialogs > seen
	})
	r.awaitRest(ctx)
	previous := r.rev.now()
	current := contract.Revision(r.rev.counter.Add(1))
	return &DialogResult{
		Answered: dialog, TargetID: p.id, FrameID: r.frame, Dialog: p.openDialog(),
		Outcome: contract.Outcome{
			Status: contract.Succeeded, Action: name, ExecutionID: exec, Revision: current, PreviousRevision: previous, CurrentRevision: current,
			Verification: &contract.Verification{RevisionDelta: 1, DialogOpen: p.openDialog()},
		},
	}, nil
}

// awaitRest waits until the page answers, or asks again, or for a short time, after a dialog of it was answered.
func (r *route) awaitRest(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, DialogWait)
	defer cancel()
	if r.page.acquire(ctx) != nil {
		return
	}
	defer r.page.release()
	_ = r.page.run(ctx, r.frame, "state", map[string]any{}, nil) // what it says is for the next operation to notice
}

func (p *page) frameID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.selectedFrame != "" {
		return p.selectedFrame
	}
	return p.mainFrame
}
