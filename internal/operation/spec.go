package operation

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"unicode"
)

// Toolset groups operations for selection by clients (frontends.md §3).
type Toolset string

// The toolsets that frontends treat specially. Others are names like any other.
const (
	Browser      Toolset = "browser"       // the default one over MCP
	BrowserExtra Toolset = "browser-extra" // the rest of the page surface
	Session      Toolset = "session"       // for the CLI and the daemon; never published by glass mcp
)

// Spec describes an operation.
type Spec struct {
	Name    string   // MCP name, camelCase
	Command string   // CLI name; "" means the kebab-case of Name
	Aliases []string // more CLI names
	Toolset Toolset
	Summary string // one line that says when to use it: MCP description and short help
	Detail  string // more, for --help and reference pages only
	Example string // CLI example lines

	// Capability is the capability of contract.md §6 that the operation needs, or "".
	Capability string

	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool

	// Structured publishes the output schema over MCP and sends the result as structured content too, without _meta:
	// for contracts that demand it (frontends.md §3).
	Structured bool
}

// Operation is a defined operation. Its parts are worked out at first use, so that defining many costs no start time.
type Operation struct {
	Spec
	in, out reflect.Type
	handle  handler

	once   sync.Once
	fields []*Field
	err    error
}

// handler runs the operation on an input that bind fills; bind's error is returned unchanged.
type handler func(ctx context.Context, call *Call, bind func(in any) error) (any, error)

// Define makes an operation of a handler. In is a struct with the tags of the package comment. The methods that Out may
// have are those of [Compacter], [PlainTexter], [Attacher] and [Humaner].
func Define[In, Out any](s Spec, run func(context.Context, *Call, In) (Out, error)) *Operation {
	if s.Command == "" {
		s.Command = Kebab(s.Name)
	}
	return &Operation{
		Spec: s, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		handle: func(ctx context.Context, call *Call, bind func(any) error) (any, error) {
			var in In
			if err := bind(&in); err != nil {
				return nil, err
			}
			return run(ctx, call, in)
		},
	}
}

// Fields lists the arguments in the order of the input struct. A fault in the tags is a programming error, which
// [Table.Verify] reports; here it leaves the list short.
func (o *Operation) Fields() []*Field {
	o.once.Do(func() { o.fields, o.err = fieldsOf(o.in) })
	return o.fields
}

// Names lists the CLI names: the command, then its aliases.
func (o *Operation) Names() []string { return append([]string{o.Command}, o.Aliases...) }

// Kebab writes a camelCase name in kebab-case; runs of capitals are one word: "getDOM" is "get-dom".
func Kebab(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if r == '_' || r == ' ' {
			r = '-'
		}
		newWord := i > 0 && unicode.IsUpper(r) && rs[i-1] != '-' &&
			(!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]))
		if newWord {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
