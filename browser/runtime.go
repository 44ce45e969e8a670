package browser

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/chrome"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

// Call names who calls an operation, in which session, and which session options were named with the call.
type Call = operation.Call

// RuntimeOptions configure a [Runtime]. The zero value serves a person at the CLI.
type RuntimeOptions struct {
	Frontend policy.Frontend // decides the policy's defaults: a person, or an agent over MCP
	Defaults Options         // for sessions that open without a word of their own
	Folders  *chrome.Folders // where state and profiles live; zero: the user's folders

	trace func(dir, sessionID, method string, bytes int) // sees every frame of an owned browser (cdp.Options.Trace)
}

// Runtime holds the sessions of one process. It is safe for use by several goroutines. Close it when done: browsers that
// it started end with it.
type Runtime struct {
	config   RuntimeOptions
	openings pulse // sessions that opened or closed

	mu       sync.Mutex
	sessions map[string]*opening
	engines  map[string]*engine
	launches map[string]chan struct{} // engines that are starting
	reopen   map[string]Options       // of sessions that are being restarted
	closed   bool
}

// opening is a session, or the attempt to open one that others wait for.
type opening struct {
	done    chan struct{}
	session *Session
	err     error
	options Options
}

// NewRuntime makes a runtime. Nothing is opened before the first operation that needs it.
func NewRuntime(opts *RuntimeOptions) *Runtime {
	rt := &Runtime{sessions: map[string]*opening{}, engines: map[string]*engine{}, launches: map[string]chan struct{}{}, reopen: map[string]Options{}}
	if opts != nil {
		rt.config = *opts
	}
	return rt
}

func sessionName(call *Call) string {
	if call == nil || call.Session == "" {
		return operation.DefaultSession
	}
	return call.Key()
}

func clientOf(call *Call) string {
	if call == nil || call.Client == "" {
		return "local"
	}
	return call.Client
}

// namedOptions reads the options that came with a call, over the runtime's defaults.
func (rt *Runtime) namedOptions(call *Call) (Options, error) {
	o := rt.config.Defaults
	if call != nil && len(call.Options) > 0 {
		if err := json.Unmarshal(call.Options, &o, json.RejectUnknownMembers(true)); err != nil {
			return o, contract.Invalid("options", "the session options cannot be read")
		}
	}
	return o, o.check()
}

// session gives the call's session, opening it when there is none.
func (rt *Runtime) session(ctx context.Context, call *Call) (*Session, error) {
	options, err := rt.namedOptions(call)
	if err != nil {
		return nil, err
	}
	name := sessionName(call)
	for {
		rt.mu.Lock()
		if rt.closed {
			rt.mu.Unlock()
			return nil, contract.Fail(contract.Unavailable, contract.PhasePreflight, "Glass is shutting down")
		}
		o := rt.sessions[name]
		if o == nil {
			if len(rt.sessions) >= SessionCount {
				rt.mu.Unlock()
				return nil, contract.Fail(contract.Unavailable, contract.PhasePreflight, "%d sessions are open, which is the limit", SessionCount).
					WithHint("close one")
			}
			if again, ok := rt.reopen[name]; ok {
				options = again
				delete(rt.reopen, name)
			}
			o = &opening{done: make(chan struct{}), options: options}
			rt.sessions[name] = o
			rt.mu.Unlock()
			o.session, o.err = rt.open(ctx, name, options, call != nil && call.Agent)
			if o.err != nil {
				rt.mu.Lock()
				delete(rt.sessions, name)
				rt.mu.Unlock()
			}
			close(o.done)
			rt.openings.fire()
			return o.session, o.err
		}
		rt.mu.Unlock()
		select {
		case <-o.done:
		case <-ctx.Done():
			return nil, ended(ctx)
		}
		if o.err != nil {
			continue // that attempt failed for its caller; this one makes its own
		}
		if err := sameOptions(call, o.options); err != nil {
			return nil, err
		}
		o.session.touch()
		return o.session, nil
	}
}

// sameOptions refuses a call that names another value than the session was opened with (browser.md §1).
func sameOptions(call *Call, open Options) error {
	if call == nil || len(call.Options) == 0 {
		return nil
	}
	named := open
	if err := json.Unmarshal(call.Options, &named, json.RejectUnknownMembers(true)); err != nil {
		return contract.Invalid("options", "the session options cannot be read")
	}
	a, b := reflect.ValueOf(open), reflect.ValueOf(named)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
			return contract.Invalid(name, "the session is open with %s; this call names %s", shown(a.Field(i)), shown(b.Field(i))).
				WithHint("close the session first, or use another one with --session")
		}
	}
	return nil
}

func shown(v reflect.Value) string {
	if v.IsZero() {
		return "the default"
	}
	return contract.Cut(fmt.Sprintf("%q", fmt.Sprint(v.Interface())), 80)
}

// open starts or joins a browser and gives the session a context and a page in it.
func (rt *Runtime) open(ctx context.Context, name string, o Options, agent bool) (*Session, error) {
	pol, err := o.policy(rt.config.Frontend)
	if err != nil {
		return nil, err
	}
	strict, err := o.policy(policy.Agent)
	if err != nil {
		return nil, err
	}
	opener := pol
	if agent {
		opener = strict
	}
	if err := rt.mayOpen(opener, o); err != nil {
		return nil, err
	}
	e, err := rt.engineFor(ctx, name, o, opener)
	if err != nil {
		return nil, err
	}
	s := &Session{
		name: name, options: o, policy: pol, strict: strict, engine: e, salt: newSalt(), pages: map[string]*page{}, seen: map[string]int64{},
		windows: map[string]int{}, lastUsed: time.Now(),
	}
	s.closing, s.end = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.begin(ctx); err != nil {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), ActionDeadline)
		defer cancel()
		_ = rt.finish(end, s) // the error that matters is the first one
		return nil, err
	}
	s.mu.Lock()
	s.baseline = s.lost + int64(len(s.events))
	s.mu.Unlock()
	return s, nil
}

func (rt *Runtime) mayOpen(pol *policy.Policy, o Options) error {
	for c, wanted := range map[policy.Capability]bool{
		policy.Attach: o.Attach != "", policy.PersistentProfile: o.Profile != "", policy.ChromeFlags: len(o.ChromeFlags) > 0,
	} {
		if wanted {
			if err := pol.Require(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// engineKey names the browsers that sessions may share.
func engineKey(name string, o Options) string {
	alone := ""
	if o.Incognito || o.Profile != "" || o.Attach != "" || o.Port != 0 {
		alone = name
	}
	return fmt.Sprintf("%q %v %q %q %v %d %q %q %q", alone, o.Headed, o.Viewport, o.ChromePath, o.NoSandbox, o.Port, o.Proxy, o.ChromeFlags, o.Attach)
}

func (rt *Runtime) engineFor(ctx context.Context, name string, o Options, pol *policy.Policy) (*engine, error) {
	key := engineKey(name, o)
	for {
		rt.mu.Lock()
		if e := rt.engines[key]; e != nil && e.usable() == nil && e.hold() {
			rt.mu.Unlock()
			return e, nil
		}
		starting := rt.launches[key]
		if starting == nil {
			starting = make(chan struct{})
			rt.launches[key] = starting
			rt.mu.Unlock()
			e, err := rt.startEngine(ctx, o, pol, key)
			rt.mu.Lock()
			if err == nil {
				e.hold()
				rt.engines[key] = e
			}
			delete(rt.launches, key)
			rt.mu.Unlock()
			close(starting)
			return e, err
		}
		rt.mu.Unlock()
		select {
		case <-starting:
		case <-ctx.Done():
			return nil, ended(ctx)
		}
	}
}

func (rt *Runtime) startEngine(ctx context.Context, o Options, pol *policy.Policy, key string) (*engine, error) {
	if o.Attach == "" {
		return launch(ctx, o, &rt.config, key)
	}
	spec := o.Attach
	if spec == "auto" {
		spec = ""
	}
	wsURL, remote, err := chrome.ResolveEndpoint(ctx, spec)
	if err != nil {
		return nil, chromeFailure(err)
	}
	if remote && !slices.Contains(pol.Config().Allow, policy.Attach) {
		return nil, contract.Fail(contract.Denied, contract.PhasePolicy, "the browser to attach to is on another machine").Because("host").
			WithHint("a person can start Glass with --policy-allow attach and --policy-allow-host HOST")
	}
	return visit(ctx, wsURL, key)
}

// finish ends a session: its pages and context, and its browser when no other session uses it.
func (rt *Runtime) finish(ctx context.Context, s *Session) error {
	err := s.finish(ctx)
	if s.engine.leave(s) {
		rt.mu.Lock()
		if rt.engines[s.engine.key] == s.engine {
			delete(rt.engines, s.engine.key)
		}
		rt.mu.Unlock()
		err = errors.Join(err, s.engine.close(ctx))
	}
	return err
}

// Close ends all sessions and every browser that the runtime started. It is idempotent; ctx bounds the politeness, not
// the completeness.
func (rt *Runtime) Close(ctx context.Context) error {
	rt.mu.Lock()
	rt.closed = true
	list := make([]*opening, 0, len(rt.sessions))
	for _, o := range rt.sessions {
		list = append(list, o)
	}
	rt.sessions = map[string]*opening{}
	rt.mu.Unlock()
	var all []error
	for _, o := range list {
		<-o.done
		if o.session != nil {
			all = append(all, rt.finish(ctx, o.session))
		}
	}
	return errors.Join(all...)
}
