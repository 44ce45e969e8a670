package frontendtest

import (
	"context"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

type route struct {
	TargetID string `json:"targetId,omitempty" doc:"page target" glass:"hidden"`
}

// EchoInput has a field of most kinds.
type EchoInput struct {
	route
	Text   string            `json:"text" doc:"text to repeat" glass:"required,arg=0"`
	More   []string          `json:"more,omitempty" doc:"more text" glass:"arg=1,variadic"`
	Count  int               `json:"count,omitempty" doc:"how often" glass:"min=1,max=5,default=1"`
	Loud   bool              `json:"loud,omitempty" doc:"in capitals"`
	Style  string            `json:"style,omitempty" doc:"how it looks" glass:"enum=plain|fancy"`
	Ratio  *float64          `json:"ratio,omitempty" doc:"a ratio" glass:"quiet"`
	Labels map[string]string `json:"labels,omitempty" doc:"labels"`
}

// EchoOutput says what arrived.
type EchoOutput struct {
	Text    string            `json:"text"`
	Session string            `json:"session"`
	Client  string            `json:"client,omitempty"`
	Dir     string            `json:"dir,omitempty"`
	Options string            `json:"options,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Ratio   *float64          `json:"ratio,omitempty"`
	Target  string            `json:"targetId,omitempty"`
	Agent   bool              `json:"agent,omitzero"`
}

// Compact is the short form: text and session, and who calls.
func (o EchoOutput) Compact() any {
	return EchoOutput{Text: o.Text, Session: o.Session, Agent: o.Agent}
}

type pair struct {
	Target string `json:"target" doc:"which field" glass:"required"`
	Value  string `json:"value" doc:"its text" glass:"required"`
}

type rows struct {
	Rows []row `json:"rows"`
	Note string
}

type row struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type text string

func (t text) PlainText() (string, bool) { return string(t), true }
func (t text) Human() string             { return upper(string(t)) }

type picture struct {
	Width int `json:"width"`
}

func (picture) Attachments() []operation.Content {
	return []operation.Content{operation.Picture("image/png", []byte("\x89PNG\r\n\x1a\n"))}
}

func (w *World) operations() []*operation.Operation {
	spec := func(name, summary, example string) operation.Spec {
		return operation.Spec{Name: name, Toolset: operation.Browser, Summary: summary, Example: example, ReadOnly: true}
	}
	extra := spec("getExtra", "Get something special.", "glass get-extra")
	extra.Toolset, extra.Aliases = operation.BrowserExtra, []string{"extra"}
	sessions := spec("sessions", "List sessions.", "glass sessions")
	sessions.Toolset = operation.Session
	note := spec("note", "Keep a note for later.", "glass note 'buy milk'")
	note.ReadOnly, note.OpenWorld, note.Idempotent = false, true, true
	drop := spec("drop", "Throw everything away.", "glass drop")
	drop.ReadOnly, drop.OpenWorld, drop.Destructive = false, true, true
	structured := spec("structured", "Give structured content.", "glass structured")
	structured.Toolset, structured.Structured = "feed", true
	return []*operation.Operation{
		operation.Define(spec("echo", "Repeat text.", "glass echo hello"), w.echo),
		operation.Define(note, w.noteDown),
		operation.Define(drop, func(context.Context, *operation.Call, struct{}) (struct{}, error) { return struct{}{}, nil }),
		operation.Define(spec("fillForm", "Fill fields.", "glass fill-form a=b"), w.fillForm),
		operation.Define(spec("outline", "Get plain text.", "glass outline"), plainText),
		operation.Define(spec("picture", "Get a picture.", "glass picture"),
			func(context.Context, *operation.Call, struct{}) (picture, error) { return picture{Width: 1}, nil }),
		operation.Define(spec("failWith", "Fail in a chosen way.", "glass fail-with timeout"), failWith),
		operation.Define(spec("block", "Wait until canceled.", "glass block"), w.block),
		operation.Define(spec("stubborn", "Wait until the test says so.", "glass stubborn"), w.stubborn),
		operation.Define(spec("large", "Answer more than fits.", "glass large"), large),
		operation.Define(spec("progress", "Report progress.", "glass progress 3"), progress),
		operation.Define(extra, func(context.Context, *operation.Call, struct{}) (row, error) { return row{"a", "b"}, nil }),
		operation.Define(structured, func(context.Context, *operation.Call, struct{}) (row, error) { return row{"a", "b"}, nil }),
		operation.Define(sessions, func(context.Context, *operation.Call, struct{}) (rows, error) {
			return rows{Rows: []row{{"default", "open"}}}, nil
		}),
	}
}

func (w *World) echo(_ context.Context, call *operation.Call, in EchoInput) (EchoOutput, error) {
	defer w.enter("echo")()
	said := strings.Join(append([]string{in.Text}, in.More...), " ")
	if in.Loud {
		said = upper(said)
	}
	return EchoOutput{
		Text: strings.TrimSpace(strings.Repeat(said+" ", max(1, in.Count))), Session: call.Session, Client: call.Client,
		Dir: call.Dir, Options: string(call.Options), Labels: in.Labels, Ratio: in.Ratio, Target: in.TargetID, Agent: call.Agent,
	}, nil
}

func (w *World) noteDown(_ context.Context, call *operation.Call, in struct {
	Text string `json:"text" doc:"what to keep" glass:"required,arg=0"`
}) (row, error) {
	w.mu.Lock()
	before := w.notes[call.Key()]
	w.mu.Unlock()
	w.setNote(call.Key(), in.Text)
	return row{Name: "before", Value: before}, nil
}

func (w *World) fillForm(_ context.Context, _ *operation.Call, in struct {
	Fields []pair `json:"fields" doc:"target and value of each field" glass:"required,arg=0,variadic,pairs=target:value,max=4"`
}) (rows, error) {
	var out rows
	for _, f := range in.Fields {
		out.Rows = append(out.Rows, row{f.Target, f.Value})
	}
	return out, nil
}

func plainText(context.Context, *operation.Call, struct{}) (text, error) {
	return "page \"Home\"\n  button \"Save\" b42\x1b[31m\u202e", nil
}

func failWith(_ context.Context, _ *operation.Call, in struct {
	Kind string `json:"kind" doc:"the kind of failure" glass:"required,arg=0"`
}) (struct{}, error) {
	return struct{}{}, contract.Fail(contract.Kind(in.Kind), contract.PhaseDispatch, "it went wrong").
		WithHint("try something else")
}

func (w *World) block(ctx context.Context, _ *operation.Call, _ struct{}) (struct{}, error) {
	defer w.enter("block")()
	<-ctx.Done()
	return struct{}{}, ctx.Err()
}

// stubborn does not heed its cancellation.
func (w *World) stubborn(context.Context, *operation.Call, struct{}) (struct{}, error) {
	defer w.enter("stubborn")()
	<-w.release
	return struct{}{}, nil
}

func large(context.Context, *operation.Call, struct{}) (text, error) {
	return text(strings.Repeat("x", contract.ResponseBytes+1)), nil
}

func progress(_ context.Context, call *operation.Call, in struct {
	Steps int `json:"steps" doc:"how many" glass:"required,arg=0,min=1,max=10"`
}) (row, error) {
	for i := range in.Steps {
		call.Report(float64(i+1), float64(in.Steps), "step")
	}
	return row{"steps", "done"}, nil
}
