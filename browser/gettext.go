package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var getTextOperation = operation.Spec{
	Name: "getText", Toolset: "browser", Aliases: []string{"text"}, ReadOnly: true, Idempotent: true, OpenWorld: true,
	Summary: "Read the visible text of the page or one element; offset reads on",
	Example: "glass text\nglass get-text --offset 16384",
}

// TextInput says whose text is read, and from where on.
type TextInput struct {
	Target string `json:"target,omitzero" doc:"element to read (default: the page)" glass:"arg=0"`
	RouteArgs
	Offset int `json:"offset,omitzero" doc:"byte to go on from (nextOffset of the last answer)" glass:"min=0,max=1000000000"`
}

// TextResult is a part of the visible text, the same that observe shows.
type TextResult struct {
	Text       string            `json:"text"`
	NextOffset int               `json:"nextOffset,omitzero"`
	Revision   contract.Revision `json:"revision"`
	Incomplete []string          `json:"incomplete,omitzero"`
	TargetID   string            `json:"targetId"`
	FrameID    string            `json:"frameId"`
	Dialog     *contract.Dialog  `json:"dialog,omitzero"`
}

// GetText answers at most [TextBytes] of what a person can read.
func (rt *Runtime) GetText(ctx context.Context, call *Call, in TextInput) (*TextResult, error) {
	var result *TextResult
	err := rt.read(ctx, call, in.RouteArgs, func(ctx context.Context, r *route) error {
		result = &TextResult{TargetID: r.page.id, FrameID: r.frame}
		if d := r.page.openDialog(); d != nil {
			result.Dialog, result.Incomplete, result.Revision = d, []string{"dialog"}, r.rev.now()
			if r.rev.cache != nil && in.Offset == 0 && in.Target == "" {
				result.Text = r.rev.cache.page.Text
			}
			return nil
		}
		args := map[string]any{"bytes": TextBytes, "offset": in.Offset}
		if in.Target != "" {
			id, err := r.resolve(ctx, in.Target)
			if err != nil {
				return err
			}
			args["id"] = id
		}
		var reply struct {
			replyHead
			Text string `json:"text"`
			Cut  bool   `json:"cut"`
		}
		if err := r.call(ctx, "text", args, false, &reply); err != nil {
			return err
		}
		result.Text, result.Revision = cleanBlock(reply.Text), r.rev.now()
		if reply.Cut {
			result.NextOffset = in.Offset + len(reply.Text)
			result.Incomplete = []string{"visible_text"}
		}
		return nil
	})
	return result, err
}

// resolve finds the one element of a locator without checking it for input.
func (r *route) resolve(ctx context.Context, target string) (int, error) {
	l, err := r.locate(target)
	if err != nil {
		return 0, err
	}
	var found struct {
		replyHead
		ID int `json:"id"`
	}
	err = r.call(ctx, "prepare", map[string]any{"target": l, "need": "read"}, l.revisioned(), &found)
	return found.ID, err
}
