package operation

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/glasskit/glass/contract"
)

// Compacter is a result with a shorter form for agents.
type Compacter interface{ Compact() any }

// PlainTexter is a result that is plain text when its second value says so, in every form.
type PlainTexter interface{ PlainText() (string, bool) }

// Humaner is a result with a readable form for a person at a terminal.
type Humaner interface{ Human() string }

// Execute runs the operation called name. Arguments are bound before anything starts. Every error is a
// [*contract.Failure], or [*Unanswered] for callers that can ask; a panic of the handler becomes a failure too.
func (t *Table) Execute(ctx context.Context, call *Call, name string, args []byte, form Form) (*Result, error) {
	op, ok := t.names[name]
	if !ok {
		return nil, t.unknownOperation(name)
	}
	call = withDefaults(call)
	if err := CheckSession(call.Session); err != nil {
		return nil, err
	}
	out, err := t.run(ctx, op, call, args)
	if err != nil {
		return nil, t.failure(op.Name, err)
	}
	res, err := encode(out, form)
	if err != nil {
		return nil, t.failure(op.Name, err)
	}
	if len(res.Bytes()) > contract.ResponseBytes {
		return t.overflow(ctx, call, op, res)
	}
	return res, nil
}

func withDefaults(call *Call) *Call {
	var c Call
	if call != nil {
		c = *call
	}
	if c.Session == "" {
		c.Session = DefaultSession
	}
	return &c
}

func (t *Table) run(ctx context.Context, op *Operation, call *Call, args []byte) (any, error) {
	return guarded(func() (any, error) {
		return op.handle(ctx, call, func(in any) error {
			fields := op.Fields()
			if op.err != nil {
				return op.err
			}
			if err := bind(args, fields, reflect.ValueOf(in).Elem(), &call.Session); err != nil {
				return err
			}
			return t.CheckOptions(call.Options)
		})
	})
}

// guarded turns a panic of run into an error, so that one bad page cannot end a server.
func guarded[T any](run func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run()
}

// failure makes err one that callers may see; what they may not see goes to the log.
func (t *Table) failure(doing string, err error) error {
	if u, ok := errors.AsType[*Unanswered](err); ok {
		return u
	}
	if f, ok := errors.AsType[*contract.Failure](err); ok {
		if cause := f.Unwrap(); cause != nil && t.config.Log != nil {
			t.config.Log(doing, cause)
		}
		return f
	}
	if t.config.Log != nil {
		t.config.Log(doing, err)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return contract.Fail(contract.Timeout, contract.PhaseTransport, "%s did not end in time", doing).Wrap(err)
	case errors.Is(err, context.Canceled):
		return contract.Fail(contract.Canceled, contract.PhaseTransport, "%s was canceled", doing).Wrap(err)
	}
	return contract.Fail(contract.Transport, contract.PhaseTransport,
		"%s ended with an internal error; the log has its cause", doing).Wrap(err)
}

func encode(out any, form Form) (*Result, error) {
	res := &Result{}
	if a, ok := out.(Attacher); ok {
		res.Attachments = a.Attachments()
	}
	if p, ok := out.(PlainTexter); ok {
		if text, plain := p.PlainText(); plain {
			res.Text = text
			return res, nil
		}
	}
	if h, ok := out.(Humaner); ok && form == Human {
		res.Text = h.Human()
		return res, nil
	}
	if c, ok := out.(Compacter); ok && form == Compact {
		out = c.Compact()
	}
	data, err := json.Marshal(out,
		jsontext.EscapeForHTML(false), jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("cannot encode the result: %w", err)
	}
	res.JSON = data
	return res, nil
}

// stored is the result in place of one that is too large to answer (contract.md §7).
type stored struct {
	File      string `json:"file"`
	Bytes     int    `json:"bytes"`
	Truncated bool   `json:"truncated"`
}

func (t *Table) overflow(ctx context.Context, call *Call, op *Operation, res *Result) (*Result, error) {
	size := len(res.Bytes())
	if t.config.Overflow == nil {
		return nil, contract.Fail(contract.Unavailable, contract.PhaseTransport,
			"the result of %s has %d bytes; at most %d can be answered", op.Name, size, contract.ResponseBytes)
	}
	file, err := t.config.Overflow(ctx, call, op.Name, res.Bytes())
	if err != nil {
		return nil, t.failure(op.Name, err)
	}
	short, err := encode(stored{File: file, Bytes: size, Truncated: true}, Compact)
	if err != nil {
		return nil, t.failure(op.Name, err)
	}
	short.Attachments = res.Attachments
	return short, nil
}
