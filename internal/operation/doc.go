// Package operation is the one table of everything Glass can do (contract.md §5).
//
// An operation is defined once, from a Go input struct, an output type and a handler:
//
//	type ClickInput struct {
//		Target string `json:"target" doc:"locator of the element" glass:"required,arg=0"`
//		Count  int    `json:"count,omitzero" doc:"clicks in a row" glass:"min=1,max=3"`
//	}
//
//	var Click = operation.Define(operation.Spec{Name: "click", Toolset: "browser", Summary: "Click an element."},
//		func(ctx context.Context, call *operation.Call, in ClickInput) (*Outcome, error) { … })
//
// [NewTable] collects operations; the table's Execute binds arguments strictly (an unknown, missing or ill-typed
// argument is refused by name before the handler runs), runs the handler and encodes its result in the asked form. MCP
// tools, CLI commands, help, schemas and reference pages are all derived from the table; frontends never know which
// operation they are calling.
//
// # Tags of input fields
//
// The name of an argument is the name in the json tag. The doc tag is one line for catalogue, help and reference. The
// glass tag is a comma-separated list of:
//
//	required        the argument must be given
//	arg=N           CLI position, from 0; a field without it is a flag
//	variadic        the last position takes the rest of the command line
//	hidden          accepted, but not published in the MCP catalogue
//	quiet           published in the MCP catalogue without its doc line (for arguments that many tools share)
//	min=N, max=N    bounds of a number, of the bytes of a string, of the entries of a list or map
//	path            a file or folder; the CLI makes it absolute
//	enum=a|b|c      the allowed strings (of every entry, for a list)
//	default=V       said in help and reference; the handler applies it
//	cliflag=NAME    the CLI flag, when not the kebab-case of the name
//	optional-value=V  what the CLI flag means when it is given without a value
//	user-only       a session option that a workspace's glass.toml may not set, because it can run programs
//	env=NAME        the environment variable of a session option; env=- for none
//	pairs=A:B       CLI: entries of a list of structs may be written "a=b", filling fields A and B
//
// Field types: string, bool, int, int64, float64, pointers to those (nil means not given), []string, structs, []struct,
// map[string]string and json.RawMessage. Embedded structs are flattened. The argument "session" belongs to this layer
// and is accepted by every operation.
package operation
