package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

const (
	// answerBytes bounds one answer of the daemon: text up to contract.ResponseBytes, and screenshots in base64.
	answerBytes = 64 << 20
	// dialect is the newest protocol version whose connections have a handshake and keep their subscriptions.
	dialect = "2025-11-25"
	// unsubscribeTime bounds the wait for the daemon when a watch ends.
	unsubscribeTime = 2 * time.Second
)

// DaemonGone is the reason of failures of calls whose connection broke.
const DaemonGone = "daemon_gone"

// Client is a connection to a server on the daemon's private socket. It is a [Backend], and safe for concurrent use.
type Client struct {
	session *sdk.ClientSession
	stream  *stream
	version string

	tokens   atomic.Int64
	mu       sync.Mutex
	progress map[string]func(done, total float64, message string)
	changed  map[string]map[int64]func()
}

// Dial shakes hands with a server over rw, which the client then owns.
func Dial(ctx context.Context, rw io.ReadWriteCloser, version string) (*Client, error) {
	c := &Client{
		progress: map[string]func(float64, float64, string){}, changed: map[string]map[int64]func(){},
	}
	c.stream = newStream(rw, rw, answerBytes, false)
	c.stream.start()
	client := sdk.NewClient(&sdk.Implementation{Name: "glass", Version: version}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{},
		ProgressNotificationHandler: c.onProgress,
		ResourceUpdatedHandler:      c.onChanged,
		MultiRoundTrip:              &sdk.MultiRoundTripOptions{Disabled: true},
	})
	session, err := client.Connect(ctx, &streamTransport{c.stream}, &sdk.ClientSessionOptions{ProtocolVersion: dialect})
	if err != nil {
		c.stream.Close()
		c.stream.reader.Wait()
		return nil, fmt.Errorf("cannot shake hands with the daemon: %w", err)
	}
	c.session = session
	if info := session.InitializeResult().ServerInfo; info != nil {
		c.version = info.Version
	}
	return c, nil
}

// Version is what the server calls its version.
func (c *Client) Version() string { return c.version }

// Close ends the connection. Calls that still run are cancelled by the server.
func (c *Client) Close() error {
	c.stream.Close()
	err := c.session.Wait()
	c.stream.reader.Wait()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Execute implements operation.Executor.
func (c *Client) Execute(
	ctx context.Context, call *operation.Call, name string, args []byte, form operation.Form,
) (*operation.Result, error) {
	params := &sdk.CallToolParams{Name: name, Meta: metaOf(call, form)}
	if len(args) > 0 {
		params.Arguments = json.RawMessage(args)
	}
	if call != nil && call.Progress != nil {
		token := "p" + strconv.FormatInt(c.tokens.Add(1), 10)
		params.SetProgressToken(token)
		c.mu.Lock()
		c.progress[token] = call.Progress
		c.mu.Unlock()
		defer func() { c.mu.Lock(); delete(c.progress, token); c.mu.Unlock() }()
	}
	res, err := c.session.CallTool(ctx, params)
	if err != nil {
		return nil, callFailure(ctx, err)
	}
	return resultOf(res)
}

// resultOf reads what toolResult and toolFailure write.
func resultOf(res *sdk.CallToolResult) (*operation.Result, error) {
	out := &operation.Result{}
	text := ""
	for i, item := range res.Content {
		c, ok := attachmentOf(item)
		switch {
		case i == 0:
			text = c.Text
		case ok:
			out.Attachments = append(out.Attachments, c)
		}
	}
	if u := unansweredIn(res.Meta); u != nil {
		return nil, u
	}
	if res.IsError {
		f := &contract.Failure{}
		if err := json.Unmarshal([]byte(text), f); err != nil || f.Kind == "" {
			return nil, contract.Fail(contract.Transport, contract.PhaseTransport,
				"the daemon answered with an unreadable failure")
		}
		return nil, f
	}
	if plain, _ := res.Meta[metaText].(bool); plain {
		out.Text = text
	} else {
		out.JSON = []byte(text)
	}
	return out, nil
}

// callFailure says what became of a call that got no result.
func callFailure(ctx context.Context, err error) error {
	if werr, ok := errors.AsType[*jsonrpc.Error](err); ok {
		if werr.Code == jsonrpc.CodeInvalidParams {
			return contract.Invalid("name", "%s", werr.Message).Wrap(err)
		}
		return contract.Fail(contract.Transport, contract.PhaseTransport, "%s", werr.Message).Wrap(err)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return contract.Fail(contract.Timeout, contract.PhaseTransport, "no answer in time").Wrap(err)
	case ctx.Err() != nil:
		return contract.Fail(contract.Canceled, contract.PhaseTransport, "canceled").Wrap(err)
	}
	return contract.Fail(contract.Unavailable, contract.PhaseTransport,
		"the daemon has gone; whether the call was done is not known").Because(DaemonGone).Wrap(err)
}

// ReadDocument implements operation.DocumentReader.
func (c *Client) ReadDocument(ctx context.Context, call *operation.Call, uri string) ([]byte, error) {
	res, err := c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri, Meta: metaOf(call, "")})
	if err != nil {
		return nil, callFailure(ctx, err)
	}
	if len(res.Contents) == 0 {
		return nil, nil
	}
	if c := res.Contents[0]; len(c.Blob) > 0 {
		return c.Blob, nil
	}
	return []byte(res.Contents[0].Text), nil
}

// WatchDocument implements operation.DocumentReader. It fails when the connection ends. All watchers of one document
// share the session of the first: who watches several sessions needs a client for each.
func (c *Client) WatchDocument(ctx context.Context, call *operation.Call, uri string, changed func()) error {
	key := c.tokens.Add(1)
	c.mu.Lock()
	first := len(c.changed[uri]) == 0
	if first {
		c.changed[uri] = map[int64]func(){}
	}
	c.changed[uri][key] = changed
	c.mu.Unlock()
	var err error
	if first {
		err = c.session.Subscribe(ctx, &sdk.SubscribeParams{URI: uri, Meta: metaOf(call, "")})
	}
	if err != nil {
		err = callFailure(ctx, err)
	} else {
		select {
		case <-ctx.Done():
		case <-c.stream.over:
			err = callFailure(ctx, io.EOF)
		}
	}
	c.mu.Lock()
	delete(c.changed[uri], key)
	last := len(c.changed[uri]) == 0
	c.mu.Unlock()
	if last && err == nil {
		// The connection may be going too; the server then drops the subscription with it.
		endCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unsubscribeTime)
		defer cancel()
		_ = c.session.Unsubscribe(endCtx, &sdk.UnsubscribeParams{URI: uri})
	}
	return err
}

func (c *Client) onProgress(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
	token, _ := req.Params.ProgressToken.(string)
	c.mu.Lock()
	report := c.progress[token]
	c.mu.Unlock()
	if report != nil {
		report(req.Params.Progress, req.Params.Total, req.Params.Message)
	}
}

func (c *Client) onChanged(_ context.Context, req *sdk.ResourceUpdatedNotificationRequest) {
	c.mu.Lock()
	watchers := slices.Collect(maps.Values(c.changed[req.Params.URI]))
	c.mu.Unlock()
	for _, changed := range watchers {
		changed()
	}
}
