package browser

import (
	"context"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var findOperation = operation.Spec{
	Name: "find", Toolset: "browser", ReadOnly: true, Idempotent: true, OpenWorld: true,
	Summary: "Find controls and text by words, each with a reference: the cheap way through a large page",
	Example: "glass find invoice\nglass find delete --role button --near 'Order 72'",
}

// FindInput is a query over the whole page.
type FindInput struct {
	Query string `json:"query" doc:"words that the name or text holds" glass:"required,arg=0"`
	RouteArgs
	Role   string `json:"role,omitzero" doc:"only this role"`
	Near   string `json:"near,omitzero" doc:"only in a row, item or region that holds these words"`
	Offset int    `json:"offset,omitzero" doc:"skip this many matches" glass:"min=0,max=1000000"`
	Limit  int    `json:"limit,omitzero" doc:"how many to answer (default 8)" glass:"min=1,max=32"`
}

// defaultMatches is how many matches find answers when no number is named.
const defaultMatches = 8

// FindResult is the matches in document order: controls first, then text.
type FindResult struct {
	Matches      []Match           `json:"matches"`
	OmittedCount int               `json:"omittedCount,omitzero"`
	Revision     contract.Revision `json:"revision"`
	Incomplete   []string          `json:"incomplete,omitzero"`
	TargetID     string            `json:"targetId"`
	FrameID      string            `json:"frameId"`
	Dialog       *contract.Dialog  `json:"dialog,omitzero"`
}

// Match is a control, or the element that holds a text. Near names controls of the same row or item.
type Match struct {
	Control
	Text string    `json:"text,omitzero"`
	Near []Control `json:"near,omitzero"`
}

type matchReply struct {
	controlReply
	Text string         `json:"text"`
	Near []controlReply `json:"near"`
}

// Find answers controls and text that match the query, each with a reference.
func (rt *Runtime) Find(ctx context.Context, call *Call, in FindInput) (*FindResult, error) {
	if len(in.Query) > FindQueryBytes || len(in.Near) > FindQueryBytes {
		return nil, contract.Invalid("query", "a query has at most %d bytes", FindQueryBytes)
	}
	if in.Limit < 0 || in.Limit > FindMatches {
		return nil, contract.Invalid("limit", "it is 1 to %d", FindMatches)
	}
	limit := in.Limit
	if limit == 0 {
		limit = defaultMatches
	}
	var result *FindResult
	err := rt.read(ctx, call, in.RouteArgs, func(ctx context.Context, r *route) error {
		if r.page.openDialog() != nil { // the page answers nothing now
			result = r.findInCache(in, limit)
			return nil
		}
		var reply struct {
			replyHead
			Matches []matchReply `json:"matches"`
			Total   int          `json:"total"`
			Cut     bool         `json:"cut"`
		}
		args := map[string]any{"query": in.Query, "role": in.Role, "near": in.Near, "offset": in.Offset, "limit": limit}
		if err := r.call(ctx, "find", args, false, &reply); err != nil {
			return err
		}
		result = &FindResult{Matches: []Match{}, Revision: r.rev.now(), TargetID: r.page.id, FrameID: r.frame}
		for _, m := range reply.Matches {
			c := r.control(m.controlReply)
			if c.Ref == "" {
				result.Incomplete = addOnce(result.Incomplete, "control")
				continue
			}
			match := Match{Control: c, Text: cleanLine(m.Text)}
			for _, n := range m.Near {
				match.Near = append(match.Near, r.control(n))
			}
			result.Matches = append(result.Matches, match)
		}
		result.OmittedCount = max(0, reply.Total-in.Offset-len(reply.Matches))
		if reply.Cut {
			result.Incomplete = addOnce(result.Incomplete, "control")
		}
		return nil
	})
	return result, err
}

// findInCache looks among the controls of the last observation, while a dialog keeps the page from answering (browser.md §7).
func (r *route) findInCache(in FindInput, limit int) *FindResult {
	result := &FindResult{
		Matches: []Match{}, Revision: r.rev.now(), Incomplete: []string{"dialog"}, TargetID: r.page.id, FrameID: r.frame, Dialog: r.page.openDialog(),
	}
	if r.rev.cache == nil || in.Near != "" { // what stands near is not remembered
		return result
	}
	result.Revision = r.rev.cache.page.Revision
	found := 0
	for _, c := range r.rev.cache.page.Controls {
		if in.Role != "" && c.Role != in.Role || !strings.Contains(strings.ToLower(c.Name), strings.ToLower(in.Query)) {
			continue
		}
		if found++; found > in.Offset && len(result.Matches) < limit {
			result.Matches = append(result.Matches, Match{Control: c})
		}
	}
	result.OmittedCount = max(0, found-in.Offset-len(result.Matches))
	return result
}

func (r *route) control(c controlReply) Control {
	return Control{
		Ref: r.rev.ref(c.ID), Role: cleanLine(c.Role), Name: cleanLine(c.Name), States: c.States, Value: cleanLine(c.Value), Region: cleanLine(c.Region),
	}
}
