package operation

import (
	"context"
	"encoding/json"
	"regexp"

	"github.com/glasskit/glass/contract"
)

// ClientCLI is the client of every CLI call: all CLI calls of a session share what was shown last (contract.md §2.3).
const ClientCLI = "cli"

// DefaultSession is the session of a call that names none.
const DefaultSession = "default"

// Call says on whose behalf an operation runs. Handlers must not keep it beyond their return.
type Call struct {
	// Client says whose references the arguments hold: one MCP process, one HTTP token, one cockpit, or [ClientCLI].
	Client string
	// Agent says that no person but an agent calls: policy asks more of it, also in a session that a person has opened
	// (contract.md §6).
	Agent bool
	// Owner separates the sessions of those who must not share any: it names the HTTP token, and is empty otherwise.
	Owner string
	// Session names the session; Execute fills in [DefaultSession].
	Session string
	// Dir is the caller's working directory, absolute, or empty for that of the process. Relative paths and a workspace
	// that nobody named are meant from there.
	Dir string
	// Options are the session options that the caller named, an object of the fields of TableConfig.Options, or nil.
	Options json.RawMessage
	// Progress reports how far a long operation is. It may be nil; use [Call.Report].
	Progress func(done, total float64, message string)
	// Note passes a message to the client's log. It may be nil; use [Call.Tell].
	Note func(message string)
	// Asking says whom the client can ask, and Answers holds what it was answered; see [Call.Ask].
	Asking  Asking
	Answers map[string]Answer
}

// Key names the session among those of all owners.
func (c *Call) Key() string {
	if c.Owner == "" {
		return c.Session
	}
	return c.Owner + "/" + c.Session
}

// FromCLI reports whether a person or script calls through the CLI, where bare locators mean names (browser.md §3).
func (c *Call) FromCLI() bool { return c.Client == ClientCLI }

// Report tells how far a long operation is, when anybody asked. A total of zero means unknown.
func (c *Call) Report(done, total float64, message string) {
	if c != nil && c.Progress != nil {
		c.Progress(done, total, message)
	}
}

// Tell passes a message to the client's log, when it has one.
func (c *Call) Tell(message string) {
	if c != nil && c.Note != nil {
		c.Note(message)
	}
}

// Form is how a result is to be written.
type Form string

// The forms of a result.
const (
	Compact Form = "compact" // for agents: what can be left out is (contract.md §3)
	Full    Form = "full"    // every field, as in the published schemas
	Human   Form = "human"   // for a person at a terminal
)

// Result is an encoded result: Text when the result is plain text, else one line of JSON; and what goes beside it.
type Result struct {
	JSON        []byte
	Text        string
	Attachments []Content
}

// Bytes is what is to be shown or sent as text.
func (r *Result) Bytes() []byte {
	if r.Text != "" {
		return []byte(r.Text)
	}
	return r.JSON
}

// Executor runs operations by name. [Table] is one; the daemon's client is another. Errors are of type
// [*contract.Failure], or [*Unanswered] where Call.Asking allows it.
type Executor interface {
	Execute(ctx context.Context, call *Call, name string, args []byte, form Form) (*Result, error)
}

// DocumentReader reads and watches the documents of a table. [Table] is one; the daemon's client is another.
type DocumentReader interface {
	ReadDocument(ctx context.Context, call *Call, uri string) ([]byte, error)
	// WatchDocument calls changed, from one goroutine, each time the document may read differently, until ctx ends.
	WatchDocument(ctx context.Context, call *Call, uri string, changed func()) error
}

// SessionNameBytes is the length of the longest session name.
const SessionNameBytes = 64

var sessionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// CheckSession refuses names that a session cannot have: letters, digits, dots, dashes and underscores are allowed.
func CheckSession(name string) error {
	if len(name) > SessionNameBytes || !sessionName.MatchString(name) {
		return contract.Invalid(sessionArgument, "a session name has 1 to %d letters, digits, dots, dashes or underscores "+
			"and starts with a letter or digit", SessionNameBytes)
	}
	return nil
}
