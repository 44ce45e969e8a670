package daemon

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/mcp"
	"github.com/glasskit/glass/internal/operation"
)

// Names of the calls that the daemon answers itself. They never change, so that every version can end every other.
const (
	statusCall = "glass/status"
	stopCall   = "glass/stop"
)

// Status is what a daemon says of itself.
type Status struct {
	Version  string    `json:"version"`
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	Folder   string    `json:"folder"`
	IdleMs   int64     `json:"idleMs"`   // since the last call ended
	Calls    int       `json:"calls"`    // that run now, this one not counted
	Sessions int       `json:"sessions"` // that are open
	Live     bool      `json:"live"`     // a hosted program runs
}

// Idle reports whether nobody loses anything when the daemon ends.
func (s *Status) Idle() bool { return s.Calls == 0 && s.Sessions == 0 && !s.Live }

// Load is what the daemon's surfaces hold.
type Load struct {
	Sessions int
	Live     bool // a hosted program runs: the daemon does not end by itself
}

// stopInput are the arguments of stopCall.
type stopInput struct {
	Force bool `json:"force"`
}

// control runs calls, counts them, and answers those about the daemon itself.
type control struct {
	mcp.Backend
	version string
	folder  string
	load    func() Load
	stop    func()

	mu      sync.Mutex
	started time.Time
	running int
	last    time.Time
}

func newControl(backend mcp.Backend, cfg *Config, stop func()) *control {
	now := time.Now()
	load := cfg.Load
	if load == nil {
		load = func() Load { return Load{} }
	}
	return &control{
		Backend: backend, version: cfg.Version, folder: cfg.Folder, load: load, stop: stop, started: now, last: now,
	}
}

// begin counts a call until its end is called.
func (c *control) begin() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running--
		c.last = time.Now()
	}
}

// Execute implements operation.Executor.
func (c *control) Execute(
	ctx context.Context, call *operation.Call, name string, args []byte, form operation.Form,
) (*operation.Result, error) {
	switch name {
	case statusCall:
		return encoded(c.status())
	case stopCall:
		return c.stopNow(args)
	}
	defer c.begin()()
	return c.Backend.Execute(ctx, call, name, args, form)
}

// WatchDocument counts as a call: somebody is looking.
func (c *control) WatchDocument(ctx context.Context, call *operation.Call, uri string, changed func()) error {
	defer c.begin()()
	return c.Backend.WatchDocument(ctx, call, uri, changed)
}

func (c *control) status() *Status {
	load := c.load()
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &Status{
		Version: c.version, PID: os.Getpid(), Started: c.started.UTC(), Folder: c.folder,
		Calls: c.running, Sessions: load.Sessions, Live: load.Live,
	}
	if c.running == 0 {
		s.IdleMs = time.Since(c.last).Milliseconds()
	}
	return s
}

func (c *control) stopNow(args []byte) (*operation.Result, error) {
	var in stopInput
	if len(args) > 0 {
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, contract.Invalid("force", "must be true or false")
		}
	}
	s := c.status()
	if !in.Force && !s.Idle() {
		return nil, busy(s)
	}
	c.stop()
	return encoded(s)
}

func busy(s *Status) error {
	return contract.Fail(contract.Unavailable, contract.PhasePreflight,
		"the daemon of version %s has %d open sessions and %d running calls", s.Version, s.Sessions, s.Calls).
		Because("busy").WithHint("glass daemon stop ends it with its sessions")
}

func encoded(s *Status) (*operation.Result, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, contract.Fail(contract.Transport, contract.PhaseTransport, "cannot encode the status").Wrap(err)
	}
	return &operation.Result{JSON: data}, nil
}

// watchIdle calls stop when nothing ran for idle, and returns then or when ctx ends.
func (c *control) watchIdle(ctx context.Context, idle time.Duration) {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		live := c.load().Live
		c.mu.Lock()
		rest := idle - time.Since(c.last)
		quiet := c.running == 0 && !live
		c.mu.Unlock()
		if quiet && rest <= 0 {
			c.stop()
			return
		}
		if !quiet {
			rest = idle
		}
		timer.Reset(rest)
	}
}
