package browser

import (
	"context"
	"encoding/json/v2"
	"errors"
	"sync"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
	"github.com/glasskit/glass/internal/chrome"
)

// engine is one running browser and the connection to it. Sessions with the same launch options share one, each with a
// browser context of its own; a named or incognito profile belongs to one session alone.
type engine struct {
	key      string
	browser  *chrome.Browser // nil when attached to somebody else's
	conn     *cdp.Conn
	attached bool

	mu       sync.Mutex
	sessions map[*Session]struct{} // that follow its targets
	users    int                   // sessions that are open on it or opening
	closing  bool
	stop     func()
}

// launch starts a browser of our own and connects to it by its pipe.
func launch(ctx context.Context, o Options, config *RuntimeOptions, key string) (*engine, error) {
	width, height, err := o.viewport()
	if err != nil {
		return nil, err
	}
	b, err := chrome.Launch(ctx, &chrome.LaunchOptions{
		Executable: o.ChromePath, Headed: o.Headed, Width: width, Height: height, NoSandbox: o.NoSandbox, Profile: o.Profile,
		Port: o.Port, ProxyServer: o.Proxy, ExtraFlags: o.ChromeFlags, Incognito: o.Incognito, Folders: config.Folders,
	})
	if err != nil {
		return nil, chromeFailure(err)
	}
	e := &engine{key: key, browser: b, sessions: map[*Session]struct{}{}}
	e.conn = cdp.NewPipe(b.Reader, b.Writer, &cdp.Options{Trace: config.trace}) // a --port is opened beside the pipe
	if err := e.watch(ctx); err != nil {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), ActionDeadline)
		defer cancel()
		_ = e.close(closing) // the error that matters is the first one
		if exit := b.ExitError(); exit != nil {
			return nil, chromeFailure(exit)
		}
		return nil, connectionFailure(ctx, err)
	}
	return e, nil
}

// visit attaches to a browser that somebody else runs.
func visit(ctx context.Context, wsURL, key string) (*engine, error) {
	conn, err := cdp.Dial(ctx, wsURL, nil)
	if err != nil {
		return nil, contract.Fail(contract.Unavailable, contract.PhaseTransport, "cannot connect to the running browser").Because("attach").
			WithHint("start it with --remote-debugging-port and give its port or ws:// URL").Wrap(err)
	}
	e := &engine{key: key, conn: conn, attached: true, sessions: map[*Session]struct{}{}}
	if err := e.watch(ctx); err != nil {
		_ = conn.Close()
		return nil, connectionFailure(ctx, err)
	}
	return e, nil
}

// watch begins to follow the browser's targets, for all sessions that share it.
func (e *engine) watch(ctx context.Context) error {
	root := e.conn.Browser()
	e.stop = root.Handle(func(method string, params []byte) {
		var t targetEvent
		if json.Unmarshal(params, &t) != nil {
			return
		}
		e.mu.Lock()
		list := make([]*Session, 0, len(e.sessions))
		for s := range e.sessions {
			list = append(list, s)
		}
		e.mu.Unlock()
		for _, s := range list {
			s.noteTarget(method, t)
		}
	}, targetEvents...)
	return root.Call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{map[string]any{"type": "page"}}}, nil)
}

func (e *engine) join(s *Session) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sessions[s] = struct{}{}
}

// hold counts a session that is opening on the engine, so that nobody closes it meanwhile. It reports false when the
// engine is closing already.
func (e *engine) hold() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return false
	}
	e.users++
	return true
}

// leave takes back a hold and reports whether it was the last one: then the caller closes the engine, and nobody can
// hold it any more.
func (e *engine) leave(s *Session) (last bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, s)
	e.users--
	if e.users == 0 {
		e.closing = true
	}
	return e.closing
}

// usable is nil while the browser answers.
func (e *engine) usable() error {
	select {
	case <-e.conn.Done():
	default:
		return nil
	}
	f := contract.Fail(contract.Unavailable, contract.PhaseTransport, "the session's browser is gone").Because("browser_gone").
		WithHint("restart it with restartBrowser (glass restart)")
	if e.browser == nil {
		return f
	}
	exit := e.browser.ExitError()
	if exit != nil {
		f.LastState = contract.Cut(contract.OneLine(exit.Error()), contract.LastStateBytes)
	}
	return f.Wrap(exit)
}

// close ends an owned browser completely, or only disconnects from a visited one. It is called once, by who left last or
// could not start it.
func (e *engine) close(ctx context.Context) error {
	if e.stop != nil {
		e.stop()
	}
	if e.browser == nil {
		return e.conn.Close()
	}
	err := e.browser.Close(ctx, func(ctx context.Context) error {
		return e.conn.Browser().Call(ctx, "Browser.close", nil, nil)
	})
	return errors.Join(err, e.conn.Close())
}

// chromeFailure turns what can go wrong with the browser's process into a failure.
func chromeFailure(err error) error {
	var c *chrome.Error
	if !errors.As(err, &c) {
		return contract.Fail(contract.Unavailable, contract.PhasePreflight, "cannot start the browser").Because("startup").Wrap(err)
	}
	kind := contract.Unavailable
	if c.Kind == "invalid" {
		kind = contract.InvalidArgument
	}
	return contract.Fail(kind, contract.PhasePreflight, "%s", c.Message).Because(string(c.Kind)).WithHint("%s", c.Hint).Wrap(err)
}
