package browser

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"time"

	"github.com/glasskit/glass/browser/inpage"
	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
)

// worldName is the isolated world of the in-page script: it shares the document with the page, and no JavaScript object.
const worldName = "glass"

// replyHead is what every reply of the in-page script may carry besides its own fields.
type replyHead struct {
	Doc   string      `json:"doc"`
	Hash  string      `json:"hash"`
	Nodes []int       `json:"nodes"`
	Fail  *inPageFail `json:"fail"`
}

// inPageFail is a refusal of the in-page script. It holds no prose: page text must not reach a message.
type inPageFail struct {
	Kind       contract.Kind     `json:"kind"`
	Reason     string            `json:"reason"`
	Candidates []inPageCandidate `json:"candidates"`
	Segment    int               `json:"segment"`
}

type inPageCandidate struct {
	ID     int    `json:"id"`
	Role   string `json:"role"`
	Name   string `json:"name"`
	Text   string `json:"text"`
	Region string `json:"region"`
	Nearby string `json:"nearby"`
}

// evalReply is Runtime.evaluate's answer with deep serialization of an array: a string, then DOM nodes.
type evalReply struct {
	Result struct {
		Type  string `json:"type"`
		Value any    `json:"value"`
		Deep  *struct {
			Type  string `json:"type"`
			Value []struct {
				Type  string         `json:"type"`
				Value jsontext.Value `json:"value"`
			} `json:"value"`
		} `json:"deepSerializedValue"`
	} `json:"result"`
	Exception *struct {
		Text      string `json:"text"`
		Exception struct {
			Description string `json:"description"`
		} `json:"exception"`
	} `json:"exceptionDetails"`
}

type deepNode struct {
	Backend int64 `json:"backendNodeId"`
	Shadow  *struct {
		Value struct {
			Backend int64  `json:"backendNodeId"`
			Mode    string `json:"mode"`
		} `json:"value"`
	} `json:"shadowRoot"`
}

// run calls a handler of the in-page script in a frame and decodes its reply into out. Node ids that come with the
// reply are learned by the route. One call is one round trip; a document that has no script yet costs two more.
//
// Errors: errDialog when a dialog opened meanwhile, errReplaced when the document went away, else a failure. What the
// script refuses is in the reply's own fail field.
func (p *page) run(ctx context.Context, frameID, handler string, args, out any) error {
	raw, nodes, head, err := p.call(ctx, frameID, handler, args)
	if err != nil {
		return err
	}
	p.learnNodes(frameID, head, nodes)
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return contract.Fail(contract.Transport, contract.PhaseTransport, "the in-page script's reply cannot be read").Wrap(err)
	}
	return nil
}

func (p *page) learnNodes(frameID string, head replyHead, nodes []deepNode) {
	r := p.revisionsOf(frameID)
	if head.Doc != "" && r.doc != head.Doc {
		r.enter(head.Doc)
	}
	for i, local := range head.Nodes {
		if i < len(nodes) {
			r.learn(local, nodes[i].Backend)
		}
	}
}

func (p *page) call(ctx context.Context, frameID, handler string, args any) (jsontext.Value, []deepNode, replyHead, error) {
	argJSON, err := json.Marshal(args)
	if err != nil {
		return nil, nil, replyHead{}, contract.Fail(contract.Transport, contract.PhaseTransport, "cannot encode a call").Wrap(err)
	}
	ctx, stop, err := p.startRun(ctx)
	if err != nil {
		return nil, nil, replyHead{}, err
	}
	defer stop()
	for attempt := 0; ; attempt++ {
		world, err := p.world(ctx, frameID)
		if err != nil {
			return nil, nil, replyHead{}, p.runError(ctx, frameID, err)
		}
		reply, err := world.evaluate(ctx, runExpression(handler, string(argJSON)))
		if err != nil {
			return nil, nil, replyHead{}, p.runError(ctx, frameID, err)
		}
		if reply.Result.Type == "undefined" && reply.Exception == nil && attempt == 0 {
			if _, err := world.evaluate(ctx, inpage.Source()); err != nil {
				return nil, nil, replyHead{}, p.runError(ctx, frameID, err)
			}
			continue
		}
		return decodeReply(reply)
	}
}

func runExpression(handler, args string) string {
	return "globalThis.glass?glass.run('" + handler + "'," + args + "):undefined"
}

func decodeReply(reply evalReply) (jsontext.Value, []deepNode, replyHead, error) {
	var head replyHead
	if reply.Exception != nil || reply.Result.Deep == nil || len(reply.Result.Deep.Value) == 0 {
		cause := errors.New("unexpected result of type " + reply.Result.Type)
		if reply.Exception != nil {
			cause = errors.New(reply.Exception.Text + " " + reply.Exception.Exception.Description)
		}
		return nil, nil, head, contract.Fail(contract.Transport, contract.PhaseTransport, "the in-page script failed").Wrap(cause)
	}
	var text string
	var nodes []deepNode
	for i, v := range reply.Result.Deep.Value {
		if i == 0 {
			if err := json.Unmarshal(v.Value, &text); err != nil {
				return nil, nil, head, err
			}
			continue
		}
		var n deepNode
		if err := json.Unmarshal(v.Value, &n); err != nil {
			return nil, nil, head, err
		}
		nodes = append(nodes, n)
	}
	raw := jsontext.Value(text)
	return raw, nodes, head, json.Unmarshal(raw, &head)
}

// evaluate runs an expression in the world. The reply's object handle is released at once, without waiting.
func (w world) evaluate(ctx context.Context, expression string) (evalReply, error) {
	var reply evalReply
	err := w.session.Call(ctx, "Runtime.evaluate", map[string]any{
		"contextId": w.id, "expression": expression, "awaitPromise": true, "objectGroup": worldName,
		"serializationOptions": map[string]any{"serialization": "deep", "maxDepth": 1, "additionalParameters": map[string]any{"maxNodeDepth": 0}},
	}, &reply)
	w.session.Go(context.WithoutCancel(ctx), "Runtime.releaseObjectGroup", map[string]any{"objectGroup": worldName})
	return reply, err
}

// startRun makes a context that also ends when a dialog opens.
func (p *page) startRun(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dialog != nil {
		cancel(errDialog)
		return nil, nil, errDialog
	}
	p.cdpRuns[&cancel] = struct{}{}
	return ctx, func() {
		p.mu.Lock()
		delete(p.cdpRuns, &cancel)
		p.mu.Unlock()
		cancel(nil)
	}, nil
}

// world is the execution context of the in-page script in a frame's document.
type world struct {
	session *cdp.Session
	id      int64
}

// world is the one of the frame's current document.
func (p *page) world(ctx context.Context, frameID string) (world, error) {
	session, err := p.driver(ctx, frameID)
	if err != nil {
		return world{}, err
	}
	f, ok := p.frameNow(frameID)
	if !ok {
		return world{}, frameGone()
	}
	if f.world != 0 && f.worldLoader == f.loader && f.session == session {
		return world{session, f.world}, nil
	}
	var made struct {
		ID int64 `json:"executionContextId"`
	}
	err = session.Call(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": frameID, "worldName": worldName}, &made)
	if err != nil {
		return world{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.frames[frameID]; now != nil && now.loader == f.loader && now.session == session {
		now.world, now.worldLoader = made.ID, f.loader
	}
	return world{session, made.ID}, nil
}

func frameGone() error {
	return contract.Fail(contract.Unavailable, contract.PhaseResolution, "the frame is gone").Because("frame_gone").
		WithHint("list the frames and select one, or leave frameId out for the page itself")
}

// runError sorts what can end an in-page call.
func (p *page) runError(ctx context.Context, frameID string, err error) error {
	if errors.Is(context.Cause(ctx), errDialog) {
		p.revisionsOf(frameID).resync = true
		return errDialog
	}
	var gone *cdp.SessionGoneError
	switch {
	case !errors.As(err, &gone):
	case gone.Session != p.cdp.ID():
		return p.frameLeft(frameID, gone)
	case gone.Reason == cdp.Crashed: // the call may be told before the page is
		p.mu.Lock()
		p.crashed = true
		p.mu.Unlock()
	}
	var remote *cdp.RemoteError
	if errors.As(err, &remote) {
		p.mu.Lock()
		if f := p.frames[frameID]; f != nil {
			f.world = 0
		}
		p.mu.Unlock()
		return errReplaced
	}
	return connectionFailure(ctx, err)
}

// connectionFailure turns an error of the connection into a failure. The phase is the caller's to correct.
func connectionFailure(ctx context.Context, err error) error {
	var failure *contract.Failure
	var gone *cdp.SessionGoneError
	var closed *cdp.ClosedError
	var remote *cdp.RemoteError
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.As(err, &gone):
		reason := "target_closed"
		if gone.Reason == cdp.Crashed {
			reason = "page_crashed"
		}
		return contract.Fail(contract.Unavailable, contract.PhaseTransport, "the page went away during the call").Because(reason).Wrap(err)
	case errors.As(err, &closed):
		return contract.Fail(contract.Transport, contract.PhaseTransport, "the browser is gone").Because("browser_gone").
			WithHint("restart the session's browser").Wrap(err)
	case ctx.Err() != nil:
		return ended(ctx)
	case errors.Is(err, context.DeadlineExceeded): // the connection's clock can be a little ahead of the context's
		return contract.Fail(contract.Timeout, contract.PhaseBrowserEffect, "the deadline has passed").Wrap(err)
	case errors.Is(err, context.Canceled):
		return contract.Fail(contract.Canceled, contract.PhaseBrowserEffect, "the call was cancelled").Wrap(err)
	case errors.As(err, &remote):
		return contract.Fail(contract.Transport, contract.PhaseTransport, "the browser refused %s", remote.Method).Wrap(err)
	}
	return contract.Fail(contract.Transport, contract.PhaseTransport, "the call of the browser failed").Wrap(err)
}

// ended is the failure for a context that has ended: by its deadline, or because the caller gave up.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return deadlinePassed()
	}
	return contract.Fail(contract.Canceled, contract.PhaseBrowserEffect, "the call was cancelled")
}

func deadlinePassed() error {
	return contract.Fail(contract.Timeout, contract.PhaseBrowserEffect, "the deadline has passed")
}

// onTheWay reports whether the page has begun a navigation that has not come to its document: until then the browser
// keeps back every call of the page.
func (p *page) onTheWay() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[p.mainFrame]
	return f != nil && f.leaving
}

// runPatiently is run for calls that must answer soon: a page whose script keeps it busy beyond the limit has that script
// ended once (reliability.md F4), and fails as unresponsive when that does not help.
func (p *page) runPatiently(ctx context.Context, frameID, handler string, args, out any, limit time.Duration) error {
	attempt, cancel := context.WithTimeout(ctx, limit)
	err := p.run(attempt, frameID, handler, args, out)
	cancel()
	var f *contract.Failure
	if err == nil || ctx.Err() != nil || !errors.As(err, &f) || f.Kind != contract.Timeout {
		return err
	}
	p.revisionsOf(frameID).resync = true
	if p.onTheWay() {
		return contract.Fail(contract.Timeout, contract.PhasePreflight, "the page is on its way to another document, which has not answered yet").
			Because("navigating").WithHint("wait with lifecycle=load, or navigate elsewhere").Wrap(err)
	}
	end, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_ = p.sessionFor(frameID).Call(end, "Runtime.terminateExecution", nil, nil) // the retry tells whether it helped
	err = p.run(end, frameID, handler, args, out)
	if errors.As(err, &f) && f.Kind == contract.Timeout {
		return contract.Fail(contract.Timeout, contract.PhasePreflight, "the page does not respond").Because("unresponsive").Wrap(err)
	}
	return err
}
