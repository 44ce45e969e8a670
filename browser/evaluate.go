package browser

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

var evaluateOperation = operation.Spec{
	Name: "evaluate", Toolset: "browser-extra", Capability: string(policy.Evaluate), OpenWorld: true, Destructive: true,
	Summary: "Run a JavaScript expression in the page; a promise is awaited",
	Example: "glass evaluate 'document.title'",
}

// EvaluateInput is an expression for the page's own world.
type EvaluateInput struct {
	Expression string `json:"expression" doc:"the expression" glass:"required,arg=0"`
	RouteArgs
}

// EvaluateResult is the expression's value as JSON.
type EvaluateResult struct {
	Value     jsontext.Value `json:"value"`
	Truncated bool           `json:"truncated,omitzero"`
	TargetID  string         `json:"targetId"`
	FrameID   string         `json:"frameId"`
}

// Evaluate runs an expression in the page's own world and answers its value. It needs the capability evaluate.
func (rt *Runtime) Evaluate(ctx context.Context, call *Call, in EvaluateInput) (*EvaluateResult, error) {
	if len(in.Expression) > ScriptBytes {
		return nil, contract.Invalid("expression", "it has %d bytes; the limit is %d", len(in.Expression), ScriptBytes)
	}
	var result *EvaluateResult
	err := rt.read(ctx, call, in.RouteArgs, func(ctx context.Context, r *route) error {
		if err := r.policy.Require(policy.Evaluate); err != nil {
			return err
		}
		value, err := r.evaluatePage(ctx, in.Expression)
		if err != nil {
			return err
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the value cannot be written as JSON").Wrap(err)
		}
		result = &EvaluateResult{Value: raw, TargetID: r.page.id, FrameID: r.frame}
		if len(raw) > ScriptResultBytes {
			result.Value, result.Truncated = nil, true
		}
		return nil
	})
	return result, err
}

// evaluatePage runs an expression in the page's own world. In a child frame that world is found by the in-page
// script's side door: the frame's default context has no name of its own in the protocol without enabling Runtime.
func (r *route) evaluatePage(ctx context.Context, expression string) (any, error) {
	runCtx, stop, err := r.page.startRun(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	params := map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}
	session, err := r.page.driver(runCtx, r.frame)
	if err != nil {
		return nil, err
	}
	if r.frame != r.page.mainFrame {
		context, err := mainWorld(runCtx, session, r.frame)
		if err != nil {
			return nil, r.page.runError(runCtx, r.frame, err)
		}
		params["contextId"] = context
	}
	var reply struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	if err := session.Call(runCtx, "Runtime.evaluate", params, &reply); err != nil {
		var remote *cdp.RemoteError
		if errors.As(err, &remote) && runCtx.Err() == nil && remote.Code != contextGone {
			return nil, contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the value cannot be written as JSON").Wrap(err).
				Suggest(contract.ToolNone)
		}
		return nil, r.page.runError(runCtx, r.frame, err)
	}
	if reply.Exception != nil {
		return nil, contract.Fail(contract.VerificationFailed, contract.PhaseBrowserEffect, "the expression threw an error").Because("exception").
			Suggest(contract.ToolNone)
	}
	return reply.Result.Value, nil
}

// contextGone is the protocol's error code for a context that went away during a call.
const contextGone = -32000

// mainWorld finds the execution context of a child frame's own world: Runtime announces all contexts when enabled.
func mainWorld(ctx context.Context, session *cdp.Session, frameID string) (int64, error) {
	found := make(chan int64, 1)
	remove := session.Handle(func(_ string, params []byte) {
		var e struct {
			Context struct {
				ID  int64 `json:"id"`
				Aux struct {
					FrameID   string `json:"frameId"`
					IsDefault bool   `json:"isDefault"`
				} `json:"auxData"`
			} `json:"context"`
		}
		if json.Unmarshal(params, &e) == nil && e.Context.Aux.FrameID == frameID && e.Context.Aux.IsDefault {
			select {
			case found <- e.Context.ID:
			default:
			}
		}
	}, "Runtime.executionContextCreated")
	defer remove()
	if err := session.Call(ctx, "Runtime.enable", nil, nil); err != nil {
		return 0, err
	}
	defer session.Go(context.WithoutCancel(ctx), "Runtime.disable", nil)
	select {
	case id := <-found: // announced before the answer to enable
		return id, nil
	default:
		return 0, frameGone()
	}
}
