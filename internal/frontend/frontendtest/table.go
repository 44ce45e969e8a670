// Package frontendtest has a table of operations for tests of the frontends. The operations touch nothing outside the
// process, so that a failing test is a frontend's fault.
package frontendtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// Options are the session options of the table.
type Options struct {
	NoSandbox  bool     `json:"noSandbox" doc:"run without the sandbox"`
	ChromePath string   `json:"chromePath" doc:"path of the browser" glass:"path"`
	Viewport   string   `json:"viewport" doc:"size of the window" glass:"default=1280x720"`
	Policy     string   `json:"policy" doc:"what is allowed" glass:"enum=development|ci|hardened"`
	AllowHost  []string `json:"policyAllowHost" doc:"hosts that may be visited"`
	Timeout    int      `json:"timeoutMs" doc:"deadline of each call" glass:"min=1,max=300000"`
}

// World is what the operations of one table share, for tests to look at.
type World struct {
	mu      sync.Mutex
	started map[string]int
	ended   map[string]int
	signal  chan struct{}
	closed  bool
	notes   map[string]string
	watch   map[chan struct{}]bool
	release chan struct{}
}

// Release lets stubborn calls end.
func (w *World) Release() { close(w.release) }

// Started and Ended count the calls of an operation that reached and left its handler.
func (w *World) Started(name string) int { w.mu.Lock(); defer w.mu.Unlock(); return w.started[name] }

// Ended counts the calls that left the handler.
func (w *World) Ended(name string) int { w.mu.Lock(); defer w.mu.Unlock(); return w.ended[name] }

// Closed reports whether the table was closed.
func (w *World) Closed() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.closed }

// Await waits until condition holds; it is checked after every call that starts or ends.
func (w *World) Await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		w.mu.Lock()
		signal := w.signal
		w.mu.Unlock()
		if condition() {
			return
		}
		select {
		case <-signal:
		case <-deadline:
			t.Fatalf("gave up waiting: %s", what)
		}
	}
}

func (w *World) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	close(w.signal)
	w.signal = make(chan struct{})
}

func (w *World) enter(name string) (leave func()) {
	w.note(func() { w.started[name]++ })
	return func() { w.note(func() { w.ended[name]++ }) }
}

// Table makes a fresh table and its world.
func Table() (*operation.Table, *World) {
	w := &World{
		started: map[string]int{}, ended: map[string]int{}, signal: make(chan struct{}),
		notes: map[string]string{}, watch: map[chan struct{}]bool{}, release: make(chan struct{}),
	}
	table, err := operation.NewTable(operation.TableConfig{
		Operations:   w.operations(),
		Options:      Options{},
		Documents:    w.documents(),
		Prompts:      []operation.Prompt{greeting},
		Instructions: "Everything here is a test. Each tool also takes session.",
		Close: func(context.Context) error {
			w.note(func() { w.closed = true })
			return nil
		},
	})
	if err != nil {
		panic(fmt.Errorf("the test table is broken: %w", err))
	}
	return table, w
}

var greeting = operation.Prompt{
	Name: "greet", Description: "Greet somebody.",
	Arguments: []operation.PromptArgument{{Name: "who", Doc: "whom to greet", Required: true}},
	Render: func(a map[string]string) []operation.Content {
		return []operation.Content{operation.Text("Say hello to " + a["who"] + ".")}
	},
}

func (w *World) documents() []operation.Document {
	return []operation.Document{
		{
			URI: "test://static", Name: "static", Description: "Never changes.", MIME: "text/markdown",
			Read: func(context.Context, *operation.Call) ([]byte, error) { return []byte("# Static\n"), nil },
		},
		{
			URI: "test://live", Name: "live", Description: "Changes with every note.", MIME: "application/json",
			Read: func(_ context.Context, call *operation.Call) ([]byte, error) {
				w.mu.Lock()
				defer w.mu.Unlock()
				return fmt.Appendf(nil, `{"session":%q,"note":%q}`, call.Session, w.notes[call.Key()]), nil
			},
			Watch: func(ctx context.Context, _ *operation.Call, changed func()) error {
				defer w.enter("watch")()
				ch := make(chan struct{}, 1)
				w.mu.Lock()
				w.watch[ch] = true
				w.mu.Unlock()
				defer func() { w.mu.Lock(); delete(w.watch, ch); w.mu.Unlock() }()
				for {
					select {
					case <-ch:
						changed()
					case <-ctx.Done():
						return nil
					}
				}
			},
		},
		{
			URI: "test://broken", Name: "broken", Description: "Cannot be read.", MIME: "text/markdown",
			Read: func(context.Context, *operation.Call) ([]byte, error) {
				return nil, contract.Fail(contract.Unavailable, contract.PhasePreflight, "nothing is open")
			},
		},
	}
}

func (w *World) setNote(key, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes[key] = text
	for ch := range w.watch {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// upper is shared by the operations' outputs.
func upper(s string) string { return strings.ToUpper(s) }
