package browser

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/internal/textsafe"
	"github.com/glasskit/glass/policy"
)

// ObserveInput are the options of an observation (browser.md §2).
type ObserveInput struct {
	RouteArgs
	Format            string `json:"format,omitzero" doc:"json (default), or outline: short lines with node names" glass:"enum=json|outline"`
	Offset            int    `json:"offset,omitzero" doc:"skip this many controls" glass:"min=0,max=1000000"`
	Role              string `json:"role,omitzero" doc:"only controls of this role"`
	Region            string `json:"region,omitzero" doc:"only controls in a region with this text"`
	Query             string `json:"query,omitzero" doc:"only controls whose name holds this text"`
	Ranking           string `json:"ranking,omitzero" doc:"which come first when not all fit" glass:"enum=default|role|document-order,hidden"`
	IncludeDOM        bool   `json:"includeDom,omitzero" doc:"add the document tree" glass:"cliflag=deep-dom,hidden"`
	IncludeScreenshot bool   `json:"includeScreenshot,omitzero" doc:"add a picture of the viewport" glass:"cliflag=screenshot,hidden"`
	IncludeFormValues bool   `json:"includeFormValues,omitzero" doc:"add what form fields hold"`
}

// PageContext is one observation: a bounded, typed picture of a page at one revision.
type PageContext struct {
	Page          PageIdentity      `json:"page"`
	Revision      contract.Revision `json:"revision"`
	Text          string            `json:"text,omitzero"`
	Outline       []OutlineNode     `json:"outline,omitzero"`
	Controls      []Control         `json:"controls,omitzero"`
	Truncated     bool              `json:"truncated,omitzero"`
	OmittedCount  int               `json:"omittedCount,omitzero"`
	Consistent    bool              `json:"consistent"`
	StartRevision contract.Revision `json:"startRevision"`
	EndRevision   contract.Revision `json:"endRevision"`
	Cached        bool              `json:"cached,omitzero"`
	Incomplete    []string          `json:"incomplete,omitzero"`
	Boundaries    *Boundaries       `json:"boundaries,omitzero"`
	FormValues    []FormValue       `json:"formValues,omitzero"`
	DOM           *DOMNode          `json:"dom,omitzero"`
	Dialog        *contract.Dialog  `json:"dialog,omitzero"`
	Topology      []topologyEvent   `json:"topology,omitzero"`

	outline    string
	screenshot []operation.Content
}

// PageIdentity says which document an observation shows.
type PageIdentity struct {
	URL        string `json:"url"`
	Title      string `json:"title,omitzero"`
	ReadyState string `json:"readyState"`
	TargetID   string `json:"targetId"`
	FrameID    string `json:"frameId"`
}

// OutlineNode is a heading, landmark or other part that gives the page its structure.
type OutlineNode struct {
	Role  string `json:"role"`
	Level int    `json:"level,omitzero"`
	Name  string `json:"name,omitzero"`
}

// Control is one element that a person could operate.
type Control struct {
	Ref    string   `json:"ref"`
	Role   string   `json:"role"`
	Name   string   `json:"name,omitzero"`
	States []string `json:"states,omitzero"`
	Value  string   `json:"value,omitzero"`
	Region string   `json:"region,omitzero"`
}

// Boundaries are the places where an observation ends although the page goes on.
type Boundaries struct {
	ShadowRoots int          `json:"shadowRoots,omitzero"`
	ChildFrames []ChildFrame `json:"childFrames,omitzero"`
	Canvases    int          `json:"canvases,omitzero"`
}

// ChildFrame is a frame inside the observed one.
type ChildFrame struct {
	FrameID string `json:"frameId"`
	URL     string `json:"url,omitzero"`
	Name    string `json:"name,omitzero"`
}

// FormValue is what a form field holds; sensitive fields show [Redacted].
type FormValue struct {
	Ref       string `json:"ref"`
	Value     string `json:"value"`
	Truncated bool   `json:"truncated,omitzero"`
}

// Redacted stands for a value that is never shown without the capability read_sensitive_form_values.
const Redacted = "<redacted>"

// truncatedMark ends a text that was cut.
const truncatedMark = "[truncated]"

// inPageLimits are the budgets as the in-page script takes them.
type inPageLimits struct {
	Controls    int `json:"controls"`
	TextBytes   int `json:"textBytes"`
	Outline     int `json:"outline"`
	LabelBytes  int `json:"labelBytes"`
	NameBytes   int `json:"nameBytes"`
	RegionBytes int `json:"regionBytes"`
	ValueBytes  int `json:"valueBytes"`
}

func observeLimits() inPageLimits {
	return inPageLimits{
		Controls: ControlCount, TextBytes: TextBytes, Outline: OutlineNodes, LabelBytes: LabelBytes, NameBytes: NameBytes, RegionBytes: RegionBytes, ValueBytes: ValueBytes,
	}
}

// observeArgs are the arguments of the in-page handler.
type observeArgs struct {
	Client  string       `json:"client"`
	Salt    string       `json:"salt"`
	IfStamp string       `json:"ifStamp,omitzero"`
	Offset  int          `json:"offset,omitzero"`
	Role    string       `json:"role,omitzero"`
	Region  string       `json:"region,omitzero"`
	Query   string       `json:"query,omitzero"`
	Ranking string       `json:"ranking,omitzero"`
	Limits  inPageLimits `json:"limits"`
	Publish bool         `json:"publish"`
	List    bool         `json:"list"`
	Lines   bool         `json:"lines,omitzero"`
	Resync  bool         `json:"resync,omitzero"`
	Form    *formLimits  `json:"form,omitzero"`
	Roots   int          `json:"roots,omitzero"` // ask for at most so many elements that may have closed shadow roots
}

type formLimits struct {
	Fields     int  `json:"fields"`
	ValueBytes int  `json:"valueBytes"`
	LabelBytes int  `json:"labelBytes"`
	Sensitive  bool `json:"sensitive"`
}

// controlReply is a control as the in-page script describes it.
type controlReply struct {
	ID     int      `json:"id"`
	Role   string   `json:"role"`
	Name   string   `json:"name"`
	States []string `json:"states"`
	Value  string   `json:"value"`
	Region string   `json:"region"`
	Was    string   `json:"was"`
}

type observeReply struct {
	replyHead
	Same       bool           `json:"same"`
	Stamp      string         `json:"stamp"`
	URL        string         `json:"url"`
	Title      string         `json:"title"`
	ReadyState string         `json:"readyState"`
	Text       string         `json:"text"`
	TextCut    bool           `json:"textCut"`
	Outline    []OutlineNode  `json:"outline"`
	OutlineCut bool           `json:"outlineCut"`
	Controls   []controlReply `json:"controls"`
	Total      int            `json:"total"`
	Incomplete []string       `json:"incomplete"`
	Lines      []lineReply    `json:"lines"`
	Candidates []int          `json:"shadowCandidates"`
	Boundaries struct {
		ShadowRoots int  `json:"shadowRoots"`
		Canvases    int  `json:"canvases"`
		Frames      bool `json:"frames"`
	} `json:"boundaries"`
	Form []struct {
		ID        int    `json:"id"`
		Value     string `json:"value"`
		Sensitive bool   `json:"sensitive"`
		Cut       bool   `json:"cut"`
	} `json:"form"`
}

// cachedObservation is the last compact context of a route, valid while the page's stamp is the same.
type cachedObservation struct {
	key   string // client and options
	stamp string
	page  PageContext
}

var observeOperation = operation.Spec{
	Name: "observe", Toolset: "browser", ReadOnly: true, OpenWorld: true,
	Summary: "See the page: visible text, outline and controls with references to act on",
	Detail:  "Answers a bounded picture of the page at one revision. At most 32 controls are listed; omittedCount says how many were left out.",
	Example: "glass observe\nglass observe --format outline --query save",
}

// Observe answers a bounded picture of the page (browser.md §2). An unchanged page is answered from the cache, in one
// round trip.
func (rt *Runtime) Observe(ctx context.Context, call *Call, in ObserveInput) (*PageContext, error) {
	r, err := rt.route(ctx, call, in.RouteArgs)
	if err != nil {
		return nil, r.stamp(err)
	}
	if err := r.mayObserve(in); err != nil {
		return nil, r.stamp(err)
	}
	if err := r.page.acquire(ctx); err != nil {
		return nil, r.stamp(err)
	}
	defer r.page.release()
	pc, err := r.observe(ctx, in)
	if err != nil {
		return nil, r.stamp(err)
	}
	pc.Topology = r.session.newsFor(r.client)
	pc.Dialog = r.page.openDialog()
	return pc, nil
}

func (r *route) mayObserve(in ObserveInput) error {
	if in.IncludeScreenshot {
		if err := r.policy.Require(policy.Screenshot); err != nil {
			return err
		}
	}
	if in.IncludeFormValues {
		return r.policy.Require(policy.ReadFormValues)
	}
	return nil
}

func (r *route) observe(ctx context.Context, in ObserveInput) (*PageContext, error) {
	key := cacheKey(r.client, in)
	if r.page.openDialog() != nil {
		return r.fromCache(in)
	}
	args := observeArgs{
		Offset: in.Offset, Role: in.Role, Region: in.Region, Query: in.Query, Ranking: in.Ranking, Limits: observeLimits(),
		Publish: true, List: true, Lines: in.Format == "outline", Roots: ClosedRoots,
	}
	if in.IncludeFormValues {
		sensitive := r.policy.Decide(policy.ReadSensitiveFormValues) == policy.Allow
		args.Form = &formLimits{FormControls, FormValueBytes, FormLabelBytes, sensitive}
	}
	if c := r.rev.cache; c != nil && c.key == key && c.page.Revision == r.rev.now() {
		args.IfStamp = c.stamp
	}
	start := r.rev.now()
	reply, err := r.observeInPage(ctx, args)
	raced := errors.Is(err, errReplaced)
	if raced { // the document went away meanwhile: one more attempt
		reply, err = r.observeInPage(ctx, args)
	}
	switch {
	case errors.Is(err, errDialog):
		return r.fromCache(in)
	case errors.Is(err, errReplaced):
		return r.inconsistent(start), nil
	case err != nil:
		return nil, err
	}
	r.rev.notice(reply.Doc, reply.Hash)
	if reply.Same {
		pc := r.rev.cache.page
		pc.Cached = true
		return &pc, r.addHeavy(ctx, in, &pc)
	}
	pc := r.pageContext(reply, in.Format)
	if !in.IncludeFormValues {
		r.rev.cache = &cachedObservation{key: key, stamp: reply.Stamp, page: *pc}
	}
	return pc, r.addHeavy(ctx, in, pc)
}

func cacheKey(client string, in ObserveInput) string {
	return fmt.Sprintf("%q %q %d %q %q %q %q %v", client, in.Format, in.Offset, in.Role, in.Region, in.Query, in.Ranking, in.IncludeFormValues)
}

// observeInPage runs one attempt. The first look at a document may have to wait for its first layout.
func (r *route) observeInPage(ctx context.Context, args observeArgs) (*observeReply, error) {
	args.Client, args.Salt, args.Resync = r.client, r.session.salt, r.rev.resync
	r.rev.resync = false
	limit := ObserveDeadline
	if r.rev.doc == "" || r.rev.cache == nil {
		limit = FirstLayoutGrace
	}
	var reply observeReply
	if err := r.page.runPatiently(ctx, r.frame, "observe", args, &reply, limit); err != nil {
		return nil, err
	}
	if len(reply.Candidates) > 0 && r.adoptClosedRoots(ctx, reply.Candidates) {
		args.IfStamp = ""
		again := observeReply{}
		if err := r.page.runPatiently(ctx, r.frame, "observe", args, &again, limit); err != nil {
			return nil, err
		}
		return &again, nil
	}
	return &reply, nil
}

// fromCache answers while a dialog keeps the page from answering (browser.md §7).
func (r *route) fromCache(in ObserveInput) (*PageContext, error) {
	pc := r.identityOnly()
	if c := r.rev.cache; c != nil {
		copied := c.page
		pc = &copied
		pc.Cached = true
		if in.Format != "outline" {
			pc.outline = ""
		}
	}
	pc.Incomplete = append(append([]string(nil), pc.Incomplete...), "dialog")
	return pc, nil
}

// identityOnly is what is known without asking the page.
func (r *route) identityOnly() *PageContext {
	f, _ := r.page.frameNow(r.frame)
	r.page.mu.Lock()
	title := r.page.info.Title
	r.page.mu.Unlock()
	return &PageContext{
		Page:     PageIdentity{URL: f.url, Title: title, ReadyState: readyState(f), TargetID: r.page.id, FrameID: r.frame},
		Revision: r.rev.now(), Consistent: true, StartRevision: r.rev.now(), EndRevision: r.rev.now(),
	}
}

func readyState(f frame) string {
	switch {
	case f.lifecycle.has("load"):
		return "complete"
	case f.lifecycle.has("DOMContentLoaded"):
		return "interactive"
	}
	return "loading"
}

// inconsistent answers for a page that was replaced twice while it was being read.
func (r *route) inconsistent(start contract.Revision) *PageContext {
	r.rev.acted("", "")
	pc := r.identityOnly()
	pc.Consistent, pc.StartRevision, pc.EndRevision = false, start, r.rev.now()
	pc.Incomplete = []string{"mutation_race"}
	return pc
}

func (r *route) pageContext(reply *observeReply, format string) *PageContext {
	pc := &PageContext{
		Page: PageIdentity{
			URL: cutURL(reply.URL), Title: cutTitle(reply.Title), ReadyState: reply.ReadyState, TargetID: r.page.id, FrameID: r.frame,
		},
		Revision: r.rev.now(), Consistent: true, StartRevision: r.rev.now(), EndRevision: r.rev.now(),
		Text: cleanBlock(reply.Text), Incomplete: reply.Incomplete,
	}
	if len(pc.Incomplete) == 0 {
		pc.Incomplete = nil // an empty list is left out
	}
	if reply.TextCut {
		pc.Text = contract.Cut(pc.Text, TextBytes-len(truncatedMark)) + truncatedMark
	}
	for _, n := range reply.Outline {
		pc.Outline = append(pc.Outline, OutlineNode{Role: contract.Cut(cleanLine(n.Role), RoleBytes), Level: n.Level, Name: cleanLine(n.Name)})
	}
	for _, c := range reply.Controls {
		shown := r.control(c)
		if shown.Ref == "" { // the browser could not tell its node id: not usable, so not shown as if it were
			pc.Incomplete = addOnce(pc.Incomplete, "control")
			continue
		}
		pc.Controls = append(pc.Controls, shown)
	}
	pc.OmittedCount = reply.Total - len(pc.Controls)
	pc.Truncated = reply.TextCut || reply.OutlineCut || pc.OmittedCount > 0
	pc.Boundaries = r.boundaries(reply)
	for _, v := range reply.Form {
		value := cleanLine(v.Value)
		if v.Sensitive && value == "" {
			value = Redacted
		}
		pc.FormValues = append(pc.FormValues, FormValue{Ref: r.rev.ref(v.ID), Value: value, Truncated: v.Cut})
	}
	if format == "outline" {
		pc.outline = r.outlineText(reply, pc)
	}
	return pc
}

func (r *route) boundaries(reply *observeReply) *Boundaries {
	b := Boundaries{ShadowRoots: reply.Boundaries.ShadowRoots, Canvases: reply.Boundaries.Canvases}
	if reply.Boundaries.Frames {
		b.ChildFrames = r.page.childFrames(r.frame)
	}
	if b.ShadowRoots == 0 && b.Canvases == 0 && len(b.ChildFrames) == 0 {
		return nil
	}
	return &b
}

func (p *page) childFrames(parent string) []ChildFrame {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []ChildFrame
	for _, id := range p.frameOrder {
		if f := p.frames[id]; f != nil && f.parent == parent {
			list = append(list, ChildFrame{FrameID: f.id, URL: f.url, Name: cleanLine(f.name)})
		}
	}
	return list
}

// addHeavy adds what was asked for beyond the compact form.
func (r *route) addHeavy(ctx context.Context, in ObserveInput, pc *PageContext) (err error) {
	if in.IncludeDOM {
		if pc.DOM, err = r.domTree(ctx, DOMDepth); err != nil {
			return err
		}
	}
	if in.IncludeScreenshot {
		image, err := r.screenshot(ctx, ScreenshotInput{})
		if err != nil {
			return err
		}
		pc.screenshot = []operation.Content{image}
	}
	return nil
}

func addOnce(list []string, word string) []string {
	if contains(list, word) {
		return list
	}
	return append(list, word)
}

func cleanBlock(s string) string { return textsafe.Block(s) }

// Compact is the form over MCP: what follows from other fields is left out.
func (pc *PageContext) Compact() any {
	short := *pc
	short.Cached = false
	if len(short.Topology) == 0 {
		short.Topology = nil
	}
	return &short
}

// PlainText is the outline, when that format was asked for.
func (pc *PageContext) PlainText() (string, bool) { return pc.outline, pc.outline != "" }

// Attachments are the picture, when one was asked for.
func (pc *PageContext) Attachments() []operation.Content { return pc.screenshot }

// Human is the form for a person at a terminal.
func (pc *PageContext) Human() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  (revision %d)\n", pc.Page.Title, pc.Page.URL, pc.Revision)
	if pc.Dialog != nil {
		fmt.Fprintf(&b, "dialog: %s %q\n", pc.Dialog.Type, pc.Dialog.Message)
	}
	for _, n := range pc.Outline {
		fmt.Fprintf(&b, "  %s %s\n", n.Role, n.Name)
	}
	if pc.Text != "" {
		b.WriteString("\n" + pc.Text + "\n")
	}
	for _, c := range pc.Controls {
		fmt.Fprintf(&b, "\n%-10s %s", c.Ref, controlLine(c.Role, c.Name, c.States, c.Value))
	}
	if pc.OmittedCount > 0 {
		fmt.Fprintf(&b, "\n… %d more controls (--offset %d)", pc.OmittedCount, len(pc.Controls))
	}
	return b.String()
}

func controlLine(role, name string, states []string, value string) string {
	line := role
	if name != "" {
		line += " " + strconv.Quote(name)
	}
	if value != "" {
		line += " = " + strconv.Quote(value)
	}
	if len(states) > 0 {
		line += " [" + strings.Join(states, " ") + "]"
	}
	return line
}
