package daemon

import (
	"context"
	"errors"
	"sync"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/mcp"
	"github.com/glasskit/glass/internal/operation"
)

// Remote runs calls in the daemon. It connects at the first call, and again at the next call after the daemon has gone;
// a call that was under way then is not repeated.
type Remote struct {
	options ConnectOptions

	mu     sync.Mutex
	client *mcp.Client
}

// NewRemote makes a backend that opens nothing yet.
func NewRemote(o ConnectOptions) *Remote { return &Remote{options: o} }

// connected gives the connection, making one when there is none. Others wait meanwhile: they need the same one.
func (r *Remote) connected(ctx context.Context) (*mcp.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.client != nil {
		return r.client, nil
	}
	c, err := Connect(ctx, r.options)
	if err != nil {
		return nil, err
	}
	r.client = c
	return c, nil
}

// drop forgets a connection whose daemon has gone.
func (r *Remote) drop(c *mcp.Client, err error) {
	f, ok := errors.AsType[*contract.Failure](err)
	if !ok || f.Reason != mcp.DaemonGone {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.client == c {
		r.client = nil
		_ = c.Close() // it is broken already
	}
}

// Execute implements operation.Executor.
func (r *Remote) Execute(
	ctx context.Context, call *operation.Call, name string, args []byte, form operation.Form,
) (*operation.Result, error) {
	c, err := r.connected(ctx)
	if err != nil {
		return nil, err
	}
	res, err := c.Execute(ctx, call, name, args, form)
	r.drop(c, err)
	return res, err
}

// ReadDocument implements operation.DocumentReader.
func (r *Remote) ReadDocument(ctx context.Context, call *operation.Call, uri string) ([]byte, error) {
	c, err := r.connected(ctx)
	if err != nil {
		return nil, err
	}
	data, err := c.ReadDocument(ctx, call, uri)
	r.drop(c, err)
	return data, err
}

// WatchDocument implements operation.DocumentReader.
func (r *Remote) WatchDocument(ctx context.Context, call *operation.Call, uri string, changed func()) error {
	c, err := r.connected(ctx)
	if err != nil {
		return err
	}
	err = c.WatchDocument(ctx, call, uri, changed)
	r.drop(c, err)
	return err
}

// Close ends the connection.
func (r *Remote) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.client == nil {
		return nil
	}
	err := r.client.Close()
	r.client = nil
	return err
}
