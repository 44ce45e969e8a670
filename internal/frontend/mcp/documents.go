package mcp

import (
	"context"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/internal/operation"
)

// listening is the first protocol version whose subscriptions live as long as the request that makes them.
const listening = "2026-07-28"

func (c *connection) addDocuments() {
	for _, d := range c.table.Documents() {
		c.server.AddResource(&sdk.Resource{URI: d.URI, Name: d.Name, Description: d.Description, MIMEType: d.MIME}, c.read(d.MIME))
	}
	for _, f := range c.table.Templates() {
		c.server.AddResourceTemplate(
			&sdk.ResourceTemplate{URITemplate: f.URI, Name: f.Name, Description: f.Description, MIMEType: f.MIME}, c.read(f.MIME))
	}
}

func (c *connection) read(mime string) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		call, _ := c.callOf(req.Params.Meta)
		data, err := c.opts.Backend.ReadDocument(ctx, call, req.Params.URI)
		if err != nil {
			return nil, protocolError(err)
		}
		return resourceOf(req.Params.URI, mime, data), nil
	}
}

// protocolError carries a failure where the protocol has no results that are errors.
func protocolError(err error) error {
	f := failureOf(err)
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: f.Error()}
}

func (c *connection) addPrompts(prompts []operation.Prompt) {
	for _, p := range prompts {
		sp := &sdk.Prompt{Name: p.Name, Description: p.Description}
		for _, a := range p.Arguments {
			sp.Arguments = append(sp.Arguments, &sdk.PromptArgument{Name: a.Name, Description: a.Doc, Required: a.Required})
		}
		c.server.AddPrompt(sp, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			if err := checkPrompt(p, req.Params.Arguments); err != nil {
				return nil, err
			}
			res := &sdk.GetPromptResult{Description: p.Description}
			for _, content := range p.Render(req.Params.Arguments) {
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: contentOf(content)})
			}
			return res, nil
		})
	}
}

func checkPrompt(p operation.Prompt, given map[string]string) error {
	known := map[string]bool{}
	for _, a := range p.Arguments {
		known[a.Name] = true
		if a.Required && given[a.Name] == "" {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: a.Name + ": required"}
		}
	}
	for name := range given {
		if !known[name] {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown argument"}
		}
	}
	return nil
}

// completionValues is the most that a completion may hold (MCP, completion/complete).
const completionValues = 100

// complete lists what may stand in a blank of a prompt. Where nothing is known it answers with nothing, as the protocol wants.
func (c *connection) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	res := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	if req.Params.Ref == nil {
		return res, nil
	}
	for _, p := range c.table.Prompts() {
		for _, a := range p.Arguments {
			if p.Name != req.Params.Ref.Name || a.Name != req.Params.Argument.Name || a.Values == nil {
				continue
			}
			values := a.Values(ctx, req.Params.Argument.Value)
			res.Completion.Total, res.Completion.HasMore = len(values), len(values) > completionValues
			res.Completion.Values = append(res.Completion.Values, values[:min(len(values), completionValues)]...)
		}
	}
	return res, nil
}

// watches are the live documents that the clients of a connection subscribe to: one watch for each document, however
// many subscribe.
type watches struct {
	connection *connection
	start      func(uri string, call *operation.Call) (stop context.CancelFunc)

	mu      sync.Mutex
	byURI   map[string]*watch
	running sync.WaitGroup
}

type watch struct {
	stop     context.CancelFunc
	sessions map[*sdk.ServerSession]bool
}

func newWatches(ctx context.Context, c *connection) *watches {
	w := &watches{connection: c, byURI: map[string]*watch{}}
	w.start = func(uri string, call *operation.Call) context.CancelFunc {
		watchCtx, stop := context.WithCancel(ctx)
		w.running.Go(func() {
			// A watch that fails sends nothing more; reading the document tells its failure.
			_ = c.opts.Backend.WatchDocument(watchCtx, call, uri, func() {
				_ = c.server.ResourceUpdated(watchCtx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
			})
		})
		return stop
	}
	return w
}

func (w *watches) wait() { w.running.Wait() }

func (c *connection) subscribe(_ context.Context, req *sdk.SubscribeRequest) error {
	if c.http && !c.opts.keepSessions && version(req.Session) < listening {
		return errors.New("subscriptions over HTTP need protocol version " + listening + " or later")
	}
	d := c.documentNamed(req.Params.URI)
	if d == nil {
		return sdk.ResourceNotFoundError(req.Params.URI)
	}
	call, _ := c.callOf(req.Params.Meta)
	w := c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byURI[d.URI] == nil {
		w.byURI[d.URI] = &watch{stop: w.start(d.URI, call), sessions: map[*sdk.ServerSession]bool{}}
	}
	w.byURI[d.URI].sessions[req.Session] = true
	return nil
}

func (c *connection) unsubscribe(_ context.Context, req *sdk.UnsubscribeRequest) error {
	w := c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.byURI[req.Params.URI]
	if one == nil {
		return nil
	}
	delete(one.sessions, req.Session)
	if len(one.sessions) == 0 {
		one.stop()
		delete(w.byURI, req.Params.URI)
	}
	return nil
}

func (c *connection) documentNamed(uri string) *operation.Document {
	for _, d := range c.table.Documents() {
		if d.URI == uri {
			return &d
		}
	}
	return nil
}

func version(s *sdk.ServerSession) string {
	if p := s.InitializeParams(); p != nil {
		return p.ProtocolVersion
	}
	return ""
}
