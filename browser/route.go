package browser

import (
	"context"
	"errors"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/policy"
)

// RouteArgs name the part of the session that an operation addresses. Without them it is the selected target and frame.
type RouteArgs struct {
	TargetID string `json:"targetId,omitzero" doc:"page target to use instead of the selected one" glass:"hidden"`
	FrameID  string `json:"frameId,omitzero" doc:"frame to use instead of the selected one" glass:"hidden"`
}

// route is where one operation works. It is kept for the operation's whole life, whatever is selected meanwhile.
type route struct {
	session *Session
	page    *page
	frame   string
	client  string
	policy  *policy.Policy
	bare    bool // a locator without a form means name= (CLI only)
	rev     *revisions
}

// route finds the session, page and frame of a call; the page is attached and alive.
func (rt *Runtime) route(ctx context.Context, call *Call, args RouteArgs) (*route, error) {
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	p, err := s.pick(args.TargetID)
	if err != nil {
		return nil, err
	}
	r := &route{session: s, page: p, client: clientOf(call), policy: s.policyFor(call)}
	r.bare = call != nil && call.FromCLI()
	if err := p.prepare(ctx); err != nil {
		return r, err
	}
	r.frame, err = p.pickFrame(args.FrameID)
	if err != nil {
		return nil, err
	}
	r.rev = p.revisionsOf(r.frame)
	return r, nil
}

// read runs an operation that sends no input: in the page's turn, on a page without an open dialog.
func (rt *Runtime) read(ctx context.Context, call *Call, args RouteArgs, do func(context.Context, *route) error) error {
	ctx, cancel := context.WithTimeout(ctx, ActionDeadline)
	defer cancel()
	r, err := rt.route(ctx, call, args)
	if err != nil {
		return r.stamp(err)
	}
	if err := r.page.acquire(ctx); err != nil {
		return r.stamp(err)
	}
	defer r.page.release()
	err = do(ctx, r)
	if errors.Is(err, errReplaced) { // nothing was sent: the same on the new document
		err = do(ctx, r)
	}
	switch {
	case errors.Is(err, errReplaced):
		err = contract.Fail(contract.StaleRevision, contract.PhaseResolution, "the document was replaced during the call").Because("revision")
	case errors.Is(err, errDialog):
		err = dialogBlocks()
	}
	return r.stamp(err)
}

// pickFrame is the named frame, else the selected one, else the page itself.
func (p *page) pickFrame(id string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == "" && p.lostFrame {
		p.lostFrame = false
		return "", contract.Fail(contract.Unavailable, contract.PhaseResolution, "the selected frame has navigated away or gone; the page itself is selected now").
			Because("frame_gone").WithHint("select a frame again, or repeat the call to use the page itself")
	}
	if id == "" {
		id = p.selectedFrame
	}
	if id == "" {
		return p.mainFrame, nil
	}
	if p.frames[id] == nil {
		return "", frameGone()
	}
	return id, nil
}

// locate parses a locator and gives references their in-page ids. What can be refused without asking the page is
// refused here.
func (r *route) locate(text string) (locator, error) {
	l, err := parseLocator(text, r.bare)
	if err != nil {
		return l, err
	}
	for i := range l.Chain {
		for s := &l.Chain[i]; s != nil; s = s.Within {
			if err := r.resolveRef(s); err != nil {
				return l, r.stamp(err)
			}
		}
	}
	return l, nil
}

func (r *route) resolveRef(s *segment) error {
	if s.Form != "node" {
		return nil
	}
	if s.ref.Revision != 0 && s.ref.Revision != r.rev.now() {
		return staleReference("revision", "the reference is of revision %d; the current one is %d", s.ref.Revision, r.rev.now())
	}
	local, known := r.rev.byNode[nodeNumber(s.ref.Node)]
	if !known {
		return staleReference("unknown", "no node of this document has been shown under this number")
	}
	s.ID = local
	return nil
}

func nodeNumber(node string) int64 {
	var n int64
	for _, c := range node[1:] { // the parser has checked that these are digits
		n = n*10 + int64(c-'0')
	}
	return n
}

func staleReference(reason, format string, args ...any) *contract.Failure {
	return contract.Fail(contract.StaleReference, contract.PhaseResolution, format, args...).Because(reason)
}

// revisioned reports whether any part of the locator holds only at one revision.
func (l locator) revisioned() bool {
	for _, s := range l.Chain {
		for s := &s; s != nil; s = s.Within {
			if s.ref.Revision != 0 {
				return true
			}
		}
	}
	return false
}

// stamp adds the route and its revision to a failure, and the dialog when one is open.
func (r *route) stamp(err error) error {
	var f *contract.Failure
	if !errors.As(err, &f) || r == nil || r.page == nil {
		return err
	}
	if f.TargetID == "" {
		f.TargetID, f.FrameID = r.page.id, r.frame
	}
	if r.rev != nil && f.CurrentRevision == 0 {
		f.CurrentRevision = r.rev.now()
	}
	if f.Dialog == nil {
		f.Dialog = r.page.openDialog()
	}
	return f
}

// refused turns the in-page script's refusal into a failure of the phase.
func (r *route) refused(fail *inPageFail, phase contract.Phase) *contract.Failure {
	f := contract.Fail(fail.Kind, phase, "%s", refusalText(fail)).Because(fail.Reason)
	for _, c := range fail.Candidates {
		if len(f.Candidates) == contract.CandidateCount {
			break
		}
		f.Candidates = append(f.Candidates, r.candidate(c))
	}
	if f.BeforeDispatch() && f.Recoverable {
		return f.Safe()
	}
	return f
}

func (r *route) candidate(c inPageCandidate) contract.Candidate {
	left := contract.CandidateBytes
	take := func(s string) string {
		s = contract.Cut(cleanLine(s), left)
		left -= len(s)
		return s
	}
	out := contract.Candidate{Reference: r.rev.ref(c.ID), Role: take(c.Role)}
	left -= len(out.Reference)
	out.Name, out.Text, out.Region, out.Nearby = take(c.Name), take(c.Text), take(c.Region), take(c.Nearby)
	return out
}

// refusalText says in our own words what the page script refused, and what to do about it.
func refusalText(fail *inPageFail) string {
	switch fail.Kind {
	case contract.NotFound:
		return "nothing matches the locator"
	case contract.Ambiguous:
		return "several elements match the locator; use the reference of one"
	case contract.StaleReference:
		switch fail.Reason {
		case "context":
			return "what stands around the element has changed since it was shown; observe again"
		case "changed":
			return "the element's role, name or state has changed since it was shown; observe again"
		}
		return "the node has not been shown to this client in this document; observe first"
	case contract.StaleRevision:
		return "what stands around the element has changed since the expected revision; observe again"
	case contract.Disabled:
		if fail.Reason == "readonly" {
			return "the field is read-only"
		}
		return "the element is disabled"
	case contract.HitTestBlocked:
		return "another element covers the point that would be pressed"
	case contract.OutsideViewport:
		return "the element cannot be scrolled into the viewport"
	case contract.Detached:
		return "the element has left the document"
	case contract.NotVisible:
		return "the element is not visible"
	case contract.UnstableGeometry:
		return "the element is moving"
	case contract.GeometryChanged:
		return "the element moved between the check and the press"
	case contract.InvalidArgument:
		if fail.Reason == "css" {
			return "target: the CSS selector cannot be read"
		}
		return "the argument does not fit the element"
	case contract.VerificationFailed:
		switch fail.Reason {
		case "not_editable":
			return "text cannot be typed into this element"
		case "rejected":
			return "the field does not accept this value"
		}
	}
	return "the page refused the action"
}
