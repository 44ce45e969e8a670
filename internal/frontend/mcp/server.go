package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// drainTime is how long calls that were cancelled by the end of their connection may take to return.
const drainTime = 3 * time.Second

// Backend runs operations and reads documents: a table in this process, or the daemon's client.
type Backend interface {
	operation.Executor
	operation.DocumentReader
}

// Options are the settings of a server. The zero value publishes the browser toolset of the table.
type Options struct {
	// Backend runs the calls; nil means the table itself.
	Backend Backend
	// Tools selects what is published, as [Select] reads it.
	Tools string
	// Client names the caller for references (contract.md §2.3). Empty means a random name for each connection.
	Client string
	// Session is the session of calls that name none; empty means the default one.
	Session string
	// SessionOptions are those that the user of this process named.
	SessionOptions json.RawMessage
	// Dir is the working directory of calls, absolute.
	Dir string
	// Private is for the daemon's own socket: form, client, options and directory of a call are then taken from its
	// _meta, and operations of every toolset can be called.
	Private bool
	// Version is told to clients.
	Version string

	// keepSessions keeps a session for each HTTP client, as protocols before 2026-07-28 need it to be asked in the middle
	// of a call. The tests have it; glass keeps none (DESIGN.md §5).
	keepSessions bool
}

// Server is an MCP server of an operation table. It holds no state of connections and can serve many at once.
type Server struct {
	table *operation.Table
	opts  Options
	ops   map[string]*operation.Operation

	catalogue func() ([]byte, error)
}

// New makes a server. It fails when Options.Tools names what the table does not have.
func New(table *operation.Table, opts *Options) (*Server, error) {
	s := &Server{table: table, ops: map[string]*operation.Operation{}}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Backend == nil {
		s.opts.Backend = table
	}
	ops, err := Select(table, s.opts.Tools)
	if err != nil {
		return nil, err
	}
	if s.opts.Private {
		ops = table.Operations()
	}
	for _, op := range ops {
		s.ops[op.Name] = op
	}
	s.catalogue = sync.OnceValues(func() ([]byte, error) { return Catalogue(ops) })
	return s, nil
}

// CatalogueBytes is the size of the tools array as sent.
func (s *Server) CatalogueBytes() (int, error) {
	data, err := s.catalogue()
	return len(data), err
}

// ServeStream serves one connection until in ends, ctx ends or a write to out fails. Calls that still run are then
// cancelled and waited for, for a bounded time. It closes in, and never out.
func (s *Server) ServeStream(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := s.newConnection(ctx, s.clientName(), "")
	conn := newStream(in, out, contract.RequestBytes, true)
	if !s.opts.Private {
		conn.grace = endGrace
	}
	conn.start()
	session, err := c.server.Connect(ctx, &streamTransport{conn}, nil)
	if err != nil {
		conn.Close()
		conn.reader.Wait()
		return fmt.Errorf("cannot start the connection: %w", err)
	}
	ended := make(chan error, 1)
	go func() {
		err := session.Wait() // also for its calls
		c.finish()
		conn.reader.Wait()
		ended <- err
	}()
	select {
	case err = <-ended:
		return endOf(err)
	case <-conn.over:
	case <-ctx.Done():
	}
	cancel()
	conn.Close()
	select {
	case err = <-ended:
		return endOf(err)
	case <-time.After(drainTime):
		// A call that does not heed its cancellation, or a client that neither reads nor hangs up, must not keep the
		// process: what is left ends with it.
		return errors.New("calls did not end in time after the end of their connection")
	}
}

// endOf is nil for connections that ended as connections do.
func endOf(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) clientName() string {
	if s.opts.Client != "" {
		return s.opts.Client
	}
	return "mcp-" + rand.Text()
}

// connection is what calls of one client share: one stream, or all requests with one HTTP token.
type connection struct {
	*Server
	client string
	owner  string
	flight *flight
	ears   chan struct{} // one for each request that listens for changes
	server *sdk.Server
	watch  *watches
	live   sync.WaitGroup
	http   bool
}

// newConnection makes the SDK's server of a connection. Everything that it starts ends with ctx.
func (s *Server) newConnection(ctx context.Context, client, owner string) *connection {
	c := &connection{Server: s, client: client, owner: owner, flight: newFlight(), http: owner != ""}
	c.ears = make(chan struct{}, contract.RequestsInFlight)
	documents := s.table.Documents()
	o := &sdk.ServerOptions{
		Instructions: s.table.Instructions(),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Logging: &sdk.LoggingCapabilities{}},
	}
	if len(documents)+len(s.table.Templates()) > 0 {
		o.Capabilities.Resources = &sdk.ResourceCapabilities{}
	}
	if len(s.table.Prompts()) > 0 {
		o.Capabilities.Prompts = &sdk.PromptCapabilities{}
		o.CompletionHandler = c.complete
	}
	if slices.ContainsFunc(documents, func(d operation.Document) bool { return d.Watch != nil }) {
		o.Capabilities.Resources.Subscribe = true
		o.SubscribeHandler, o.UnsubscribeHandler = c.subscribe, c.unsubscribe
	}
	c.server = sdk.NewServer(&sdk.Implementation{Name: "glass", Version: s.opts.Version}, o)
	c.watch = newWatches(ctx, c)
	c.addDocuments()
	c.addPrompts(s.table.Prompts())
	c.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(callCtx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			callCtx, stop := c.bound(callCtx, ctx)
			defer stop()
			c.live.Add(1)
			defer c.live.Done()
			switch p := req.GetParams().(type) {
			case *sdk.CallToolParamsRaw:
				return c.callTool(callCtx, req.(*sdk.CallToolRequest), p)
			case *sdk.ListToolsParams:
				return c.listTools(callCtx, method, req, next)
			case *sdk.SubscriptionsListenParams:
				return c.listen(callCtx, method, req, next)
			}
			return next(callCtx, method, req)
		}
	})
	return c
}

// bound cancels the call with its connection, and with the HTTP request that carries it: the SDK cuts the latter for
// protocol versions before 2026-07-28, although nobody could then receive the answer.
func (s *Server) bound(ctx, connection context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stops := []func() bool{context.AfterFunc(connection, cancel)}
	if r, ok := ctx.Value(requestKey{}).(context.Context); ok && !s.opts.keepSessions { // a session's is its first request's
		stops = append(stops, context.AfterFunc(r, cancel))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}

// requestKey finds the context of the HTTP request behind a call.
type requestKey struct{}

// finish waits for what runs.
func (c *connection) finish() {
	c.live.Wait()
	c.watch.wait()
}

// drain waits for what runs, at most for d.
func (c *connection) drain(d time.Duration) {
	done := make(chan struct{})
	go func() { c.finish(); close(done) }()
	select {
	case <-done:
	case <-time.After(d):
	}
}

func (c *connection) listTools(
	ctx context.Context, method string, req sdk.Request, next sdk.MethodHandler,
) (sdk.Result, error) {
	res, err := next(ctx, method, req)
	if err != nil {
		return nil, err
	}
	list, ok := res.(*sdk.ListToolsResult)
	if !ok {
		return nil, fmt.Errorf("unexpected list of tools %T", res)
	}
	data, err := c.catalogue()
	if err != nil {
		return nil, err
	}
	return &leanTools{ListToolsResult: list, tools: data}, nil
}

func (c *connection) callTool(
	ctx context.Context, req *sdk.CallToolRequest, p *sdk.CallToolParamsRaw,
) (sdk.Result, error) {
	op := c.ops[p.Name]
	if op == nil && !c.opts.Private {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: c.unknownTool(p.Name)}
	}
	if err := c.flight.enter(ctx); err != nil {
		return &leanResult{CallToolResult: toolFailure(err)}, nil
	}
	defer c.flight.leave()
	call, form := c.callOf(p.Meta)
	call.Progress = c.progress(ctx, req.Session, p.GetProgressToken())
	if !c.opts.Private {
		call.Note, call.Asking, call.Answers = note(ctx, req.Session), c.askingOf(req.Session), answersOf(p.InputResponses)
	}
	res, err := c.execute(ctx, req.Session, call, p, form)
	u, asked := errors.AsType[*operation.Unanswered](err)
	switch {
	case asked && c.opts.Private:
		return &leanResult{CallToolResult: privateQuestion(u.Question)}, nil
	case asked:
		return &leanResult{CallToolResult: toolQuestion(u.Question), kind: "input_required"}, nil
	case err != nil:
		return &leanResult{CallToolResult: toolFailure(err)}, nil
	}
	return &leanResult{CallToolResult: toolResult(op, res, c.opts.Private)}, nil
}

// listen bounds the requests that stay open for changes, so that they cannot take every place of a stream.
func (c *connection) listen(
	ctx context.Context, method string, req sdk.Request, next sdk.MethodHandler,
) (sdk.Result, error) {
	select {
	case c.ears <- struct{}{}:
		defer func() { <-c.ears }()
		return next(ctx, method, req)
	default:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many subscriptions: cancel one first"}
	}
}

func (c *connection) unknownTool(name string) string {
	var known []string
	for k := range c.ops {
		known = append(known, k)
	}
	slices.Sort(known)
	if near := operation.Nearest(name, known); len(near) > 0 {
		return "unknown tool; did you mean " + near[0] + "?"
	}
	return "unknown tool; tools/list has those of this server"
}

// progressEvery is the shortest time between two progress notifications of a call; the last one is always sent.
const progressEvery = 100 * time.Millisecond

func (c *connection) progress(
	ctx context.Context, session *sdk.ServerSession, token any,
) func(done, total float64, message string) {
	if token == nil {
		return nil
	}
	var mu sync.Mutex
	var last time.Time
	return func(done, total float64, message string) {
		mu.Lock()
		defer mu.Unlock()
		if final := total > 0 && done >= total; !final && time.Since(last) < progressEvery {
			return
		}
		last = time.Now()
		// A notification that cannot be sent means that the connection is going, which cancels the call anyway.
		_ = session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: total, Message: contract.Cut(message, contract.MessageBytes),
		})
	}
}
