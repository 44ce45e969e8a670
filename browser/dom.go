package browser

import (
	"context"
	"errors"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
	"github.com/glasskit/glass/internal/operation"
)

var getDOMOperation = operation.Spec{
	Name: "getDOM", Toolset: "browser-extra", Aliases: []string{"dom"}, ReadOnly: true, Idempotent: true, OpenWorld: true,
	Summary: "The document tree of the page, or of one element",
	Example: "glass dom --depth 4",
}

// DOMInput says which tree and how deep.
type DOMInput struct {
	Target string `json:"target,omitzero" doc:"element whose tree is wanted (default: the document)" glass:"arg=0"`
	RouteArgs
	Depth int `json:"depth,omitzero" doc:"levels below the root (default 256)" glass:"min=1,max=256"`
}

// DOMResult is a tree, cut to the limits of the surface.
type DOMResult struct {
	Root      *DOMNode          `json:"root"`
	Nodes     int               `json:"nodes"`
	Truncated bool              `json:"truncated,omitzero"`
	Revision  contract.Revision `json:"revision"`
	TargetID  string            `json:"targetId"`
	FrameID   string            `json:"frameId"`
}

// DOMNode is one node of a document tree. Values of sensitive attributes are redacted.
type DOMNode struct {
	Node       int64             `json:"node"` // backend node id
	Type       int               `json:"type,omitzero"`
	Name       string            `json:"name,omitzero"`
	Value      string            `json:"value,omitzero"`
	Attributes map[string]string `json:"attributes,omitzero"`
	Children   []*DOMNode        `json:"children,omitzero"`
	Shadow     []*DOMNode        `json:"shadowRoots,omitzero"`
	Omitted    int               `json:"omittedChildren,omitzero"`
}

// JSONSchema describes the type, which holds itself.
func (DOMNode) JSONSchema() string {
	return `{"type":"object","description":"a node; children and shadowRoots hold nodes of the same form","properties":{` +
		`"node":{"type":"integer"},"type":{"type":"integer"},"name":{"type":"string"},"value":{"type":"string"},` +
		`"attributes":{"type":"object","additionalProperties":{"type":"string"}},"children":{"type":"array","items":{"type":"object"}},` +
		`"shadowRoots":{"type":"array","items":{"type":"object"}},"omittedChildren":{"type":"integer"}},"required":["node"]}`
}

// cdpNode is DOM.Node as far as Glass reads it.
type cdpNode struct {
	Backend    int64     `json:"backendNodeId"`
	Type       int       `json:"nodeType"`
	Local      string    `json:"localName"`
	Name       string    `json:"nodeName"`
	Value      string    `json:"nodeValue"`
	Count      int       `json:"childNodeCount"`
	Attributes []string  `json:"attributes"`
	Children   []cdpNode `json:"children"`
	Shadow     []cdpNode `json:"shadowRoots"`
}

// domValueBytes is the longest text or attribute value of one node.
const domValueBytes = 4096

// GetDOM answers the serialized tree of the document or of one element (browser.md §2).
func (rt *Runtime) GetDOM(ctx context.Context, call *Call, in DOMInput) (*DOMResult, error) {
	depth := in.Depth
	if depth == 0 {
		depth = DOMDepth
	}
	var result *DOMResult
	err := rt.read(ctx, call, in.RouteArgs, func(ctx context.Context, r *route) error {
		if r.page.openDialog() != nil {
			return dialogBlocks()
		}
		var backend int64
		if in.Target != "" {
			id, err := r.resolve(ctx, in.Target)
			if err != nil {
				return err
			}
			backend = r.rev.backend(id)
		}
		tree, err := r.tree(ctx, backend, depth)
		if err != nil {
			return err
		}
		b := domBuilder{bytes: DOMBytes}
		root := b.build(tree)
		result = &DOMResult{Root: root, Nodes: b.nodes, Truncated: b.cut, Revision: r.rev.now(), TargetID: r.page.id, FrameID: r.frame}
		return nil
	})
	return result, err
}

func (r *route) domTree(ctx context.Context, depth int) (*DOMNode, error) {
	tree, err := r.tree(ctx, 0, depth)
	if err != nil {
		return nil, err
	}
	b := domBuilder{bytes: DOMBytes}
	return b.build(tree), nil
}

// tree asks the browser for a tree: of the node, or of the route's document.
func (r *route) tree(ctx context.Context, backend int64, depth int) (cdpNode, error) {
	runCtx, stop, err := r.page.startRun(ctx)
	if err != nil {
		return cdpNode{}, err
	}
	defer stop()
	params := map[string]any{"depth": depth, "pierce": false, "backendNodeId": backend}
	if backend == 0 {
		if params, err = r.documentParams(runCtx, depth); err != nil {
			return cdpNode{}, err
		}
	}
	var got struct {
		Node cdpNode `json:"node"`
	}
	if err := r.page.sessionFor(r.frame).Call(runCtx, "DOM.describeNode", params, &got); err != nil {
		var remote *cdp.RemoteError
		if errors.As(err, &remote) && runCtx.Err() == nil { // a tree too deep for the browser's own writer, for one
			return cdpNode{}, contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the browser cannot write this tree").
				Because("too_deep").Suggest(contract.ToolNone).WithHint("ask for fewer levels with depth").Wrap(err)
		}
		return cdpNode{}, r.page.runError(runCtx, r.frame, err)
	}
	return got.Node, nil
}

// documentParams names the route's document by an object of the in-page world, which works in every frame.
func (r *route) documentParams(ctx context.Context, depth int) (map[string]any, error) {
	world, err := r.page.world(ctx, r.frame)
	if err != nil {
		return nil, r.page.runError(ctx, r.frame, err)
	}
	var got struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	err = world.session.Call(ctx, "Runtime.evaluate", map[string]any{"contextId": world.id, "expression": "document", "objectGroup": worldName}, &got)
	if err != nil {
		return nil, r.page.runError(ctx, r.frame, err)
	}
	return map[string]any{"objectId": got.Result.ObjectID, "depth": depth, "pierce": false}, nil
}

// domBuilder copies a tree within the limits of nodes and bytes.
type domBuilder struct {
	nodes, bytes int
	cut          bool
}

func (b *domBuilder) build(n cdpNode) *DOMNode {
	b.nodes++
	out := &DOMNode{Node: n.Backend, Type: n.Type, Name: n.Local, Value: b.take(n.Value)}
	if out.Name == "" {
		out.Name = n.Name
	}
	if len(n.Attributes) > 0 {
		out.Attributes = map[string]string{}
		sensitive := sensitiveAttributes(n.Attributes)
		for i := 0; i+1 < len(n.Attributes); i += 2 {
			value := b.take(n.Attributes[i+1])
			if sensitive && n.Attributes[i] == "value" && value != "" {
				value = Redacted
			}
			out.Attributes[contract.Cut(cleanLine(n.Attributes[i]), RoleBytes)] = value
		}
	}
	b.bytes -= 64
	out.Shadow, _ = b.list(n.Shadow)
	var left int
	out.Children, left = b.list(n.Children)
	out.Omitted = left + max(0, n.Count-len(n.Children))
	b.cut = b.cut || out.Omitted > 0
	return out
}

func (b *domBuilder) list(nodes []cdpNode) (out []*DOMNode, left int) {
	for i, n := range nodes {
		if b.nodes >= DOMNodes || b.bytes <= 0 {
			b.cut = true
			return out, len(nodes) - i
		}
		out = append(out, b.build(n))
	}
	return out, 0
}

func (b *domBuilder) take(s string) string {
	s = cleanBlock(s)
	if cut := contract.Cut(s, min(domValueBytes, max(0, b.bytes))); len(cut) < len(s) {
		s, b.cut = cut, true
	}
	b.bytes -= len(s)
	return s
}

// sensitiveAttributes reports whether the element's value is one that is never shown: passwords, one-time codes, cards.
func sensitiveAttributes(pairs []string) bool {
	for i := 0; i+1 < len(pairs); i += 2 {
		switch {
		case pairs[i] == "type" && (pairs[i+1] == "password" || pairs[i+1] == "hidden"):
			return true
		case pairs[i] == "autocomplete" && (pairs[i+1] == "one-time-code" || len(pairs[i+1]) > 2 && pairs[i+1][:3] == "cc-"):
			return true
		}
	}
	return false
}
