package browser

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

var (
	sessionsOperation = operation.Spec{
		Name: "sessions", Toolset: operation.Session, ReadOnly: true, Idempotent: true,
		Summary: "List the open sessions", Example: "glass sessions",
	}
	closeOperation = operation.Spec{
		Name: "close", Toolset: operation.Session, Destructive: true, Idempotent: true,
		Summary: "Close the session and its browser", Example: "glass close\nglass close --all",
	}
	restartOperation = operation.Spec{
		Name: "restartBrowser", Command: "restart", Toolset: "browser", Destructive: true,
		Summary: "Start the session's browser afresh, after a crash or to lose all state", Example: "glass restart",
	}
)

// SessionsInput takes nothing.
type SessionsInput struct{}

// SessionInfo is one open session.
type SessionInfo struct {
	Session    string `json:"session"`
	Selected   string `json:"selected,omitzero"`
	URL        string `json:"url,omitzero"`
	Targets    int    `json:"targetCount"`
	Profile    string `json:"profile,omitzero"`
	AttachMode bool   `json:"attachMode,omitzero"`
	Sandbox    string `json:"sandbox,omitzero"` // "off" is never silent
	Alive      bool   `json:"alive"`
	IdleMs     int64  `json:"idleMs"`
}

// SessionList is the caller's open sessions by name.
type SessionList struct {
	Sessions []SessionInfo `json:"sessions"`
}

// Sessions lists the open sessions of the caller.
func (rt *Runtime) Sessions(_ context.Context, call *Call, _ SessionsInput) (*SessionList, error) {
	list := &SessionList{Sessions: []SessionInfo{}}
	prefix := ownerPrefix(call)
	for name, s := range rt.opened() {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			info := s.info()
			info.Session = short
			list.Sessions = append(list.Sessions, info)
		}
	}
	slices.SortFunc(list.Sessions, func(a, b SessionInfo) int { return strings.Compare(a.Session, b.Session) })
	return list, nil
}

func ownerPrefix(call *Call) string {
	if call == nil || call.Owner == "" {
		return ""
	}
	return call.Owner + "/"
}

// opened is the sessions that are fully open.
func (rt *Runtime) opened() map[string]*Session {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	list := map[string]*Session{}
	for name, o := range rt.sessions {
		select {
		case <-o.done:
			if o.session != nil {
				list[name] = o.session
			}
		default:
		}
	}
	return list
}

func (s *Session) info() SessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	info := SessionInfo{
		Selected: s.selected, Targets: len(s.order), Profile: s.options.Profile, AttachMode: s.engine.attached,
		Alive: s.engine.usable() == nil, IdleMs: time.Since(s.lastUsed).Milliseconds(),
	}
	if s.options.NoSandbox {
		info.Sandbox = "off"
	}
	if p := s.pages[s.selected]; p != nil {
		p.mu.Lock()
		info.URL = p.info.URL
		p.mu.Unlock()
	}
	return info
}

// CloseInput says which sessions to close.
type CloseInput struct {
	All bool `json:"all,omitzero" doc:"close every session"`
}

// Closed lists what was closed. Closing a session that is not open is no failure.
type Closed struct {
	Closed []string `json:"closed"`
}

// CloseSession ends the call's session: its pages, its context, and its browser when no other session uses it. When it
// returns nothing of them is left.
func (rt *Runtime) CloseSession(ctx context.Context, call *Call, in CloseInput) (*Closed, error) {
	names := []string{sessionName(call)}
	if in.All {
		names = names[:0]
		for name := range rt.opened() {
			if strings.HasPrefix(name, ownerPrefix(call)) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
	}
	result := &Closed{Closed: []string{}}
	for _, name := range names {
		s := rt.take(name)
		if s == nil {
			continue
		}
		if err := rt.finish(ctx, s); err != nil && s.engine.browser != nil && s.engine.usable() == nil {
			return nil, contract.Fail(contract.Transport, contract.PhaseTransport, "the session could not be closed cleanly").Wrap(err)
		}
		result.Closed = append(result.Closed, strings.TrimPrefix(name, ownerPrefix(call)))
	}
	return result, nil
}

// take removes an open session from the list, so that the next call opens a new one.
func (rt *Runtime) take(name string) *Session {
	rt.mu.Lock()
	o := rt.sessions[name]
	rt.mu.Unlock()
	if o == nil {
		return nil
	}
	<-o.done
	defer rt.openings.fire()
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.sessions[name] == o {
		delete(rt.sessions, name)
	}
	return o.session
}

// RestartInput takes nothing.
type RestartInput struct{}

// RestartResult says where the fresh browser is.
type RestartResult struct {
	Restarted bool   `json:"restarted"`
	TargetID  string `json:"targetId"`
}

// RestartBrowser closes the session's browser and starts a fresh one with the same options. It is the only way back from
// a browser that has gone: nothing restarts by itself (browser.md §1).
func (rt *Runtime) RestartBrowser(ctx context.Context, call *Call, _ RestartInput) (*RestartResult, error) {
	name := sessionName(call)
	if old := rt.take(name); old != nil {
		_ = rt.finish(ctx, old) // it may be dead already; what is left of it is swept
		again := *callOf(call)
		again.Options = nil
		rt.mu.Lock()
		rt.reopen[name] = old.options
		rt.mu.Unlock()
		call = &again
	}
	s, err := rt.session(ctx, call)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &RestartResult{Restarted: true, TargetID: s.selected}, nil
}
