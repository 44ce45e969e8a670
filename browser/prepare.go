package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
)

// prepared is a target that has passed all checks before input: it is rendered, enabled, at rest, in the viewport, and
// owns the point (browser.md §4, "Pointer").
type prepared struct {
	replyHead
	ID     int            `json:"id"`
	Role   string         `json:"role"`
	Name   string         `json:"name"`
	States []string       `json:"states"`
	Point  contract.Point `json:"point"`
	outside
	Kind      string `json:"kind"`
	Editable  bool   `json:"editable"`
	Sensitive bool   `json:"sensitive"`
	Checked   any    `json:"checked"`

	at contract.Point // the point in the page's own viewport, whatever frame the target is in
}

// need says for what a target is checked.
type need struct {
	use    string // "pointer", "focus", "none" or "read"
	scroll bool   // into view, when needed
	edit   bool   // must be a field that takes text
}

var (
	forPointer = need{use: "pointer", scroll: true}
	forText    = need{use: "pointer", scroll: true, edit: true} // a covered field must not be typed into
	forFocus   = need{use: "focus", scroll: true}
	forNothing = need{use: "none"}
)

// prepare resolves the target and checks it in one round trip. It sends no input.
func (a *action) prepare(ctx context.Context, target string, n need) (*prepared, error) {
	l, err := a.locate(target)
	if err != nil {
		return nil, err
	}
	a.hold = a.hold || l.revisioned()
	var p prepared
	err = a.call(ctx, "prepare", map[string]any{
		"target": l, "expectCtx": a.args.ExpectedRevision != 0, "need": n.use, "scroll": n.scroll, "edit": n.edit,
	}, &p)
	if err != nil {
		return nil, err
	}
	a.aimAt(target, &p)
	return &p, a.place(ctx, &p, n)
}

// place finds where the page shows the target's point, through the frames about it.
func (a *action) place(ctx context.Context, p *prepared, n need) (err error) {
	if n.use == "pointer" {
		p.at, err = a.drawnAt(ctx, p.Point, p.outside, n.scroll)
	}
	return err
}

// aimAt notes which element the action uses.
func (a *action) aimAt(target string, p *prepared) {
	a.local, a.named = p.ID, named(target)
	label := cleanLine(p.Name)
	if label == "" {
		label = cleanLine(p.Role)
	}
	a.target = &contract.TargetLabel{Label: contract.Cut(label, contract.CandidateBytes), Reference: a.rev.ref(p.ID)}
}
