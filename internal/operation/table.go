package operation

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/glasskit/glass/contract"
)

// TableConfig is what a table is made of.
type TableConfig struct {
	Operations []*Operation
	// Options is a zero struct value whose tags give the session options: CLI flags, environment and configuration.
	Options   any
	Documents []Document
	Templates []Template
	Prompts   []Prompt
	// Instructions are told to MCP clients once, when they connect.
	Instructions string
	// Overflow writes a result that is larger than contract.ResponseBytes to the workspace and names the file. Without
	// it such a result is a failure.
	Overflow func(ctx context.Context, call *Call, operation string, data []byte) (file string, err error)
	// Close ends everything that operations opened. It may be nil.
	Close func(context.Context) error
	// Log hears the causes that failures keep from callers. It may be nil.
	Log func(operation string, err error)
}

// Table is the set of operations, documents and prompts of a program. It is safe for concurrent use.
type Table struct {
	config   TableConfig
	names    map[string]*Operation
	commands map[string]*Operation
}

// NewTable makes a table. It refuses two operations with one MCP name or one CLI name, and two documents or prompts
// with one name.
func NewTable(cfg TableConfig) (*Table, error) {
	t := &Table{config: cfg, names: map[string]*Operation{}, commands: map[string]*Operation{}}
	for _, op := range cfg.Operations {
		if op.Name == "" || op.Summary == "" || op.Toolset == "" {
			return nil, fmt.Errorf("operation %q lacks a name, a summary or a toolset", op.Name)
		}
		if t.names[op.Name] != nil {
			return nil, fmt.Errorf("operation %s is defined twice", op.Name)
		}
		t.names[op.Name] = op
		for _, name := range op.Names() {
			if other := t.commands[name]; other != nil {
				return nil, fmt.Errorf("operations %s and %s have the command %s", other.Name, op.Name, name)
			}
			t.commands[name] = op
		}
	}
	seen := map[string]bool{}
	for _, d := range cfg.Documents {
		if seen[d.URI] {
			return nil, fmt.Errorf("document %s is defined twice", d.URI)
		}
		seen[d.URI] = true
	}
	for _, p := range cfg.Prompts {
		if seen[p.Name] {
			return nil, fmt.Errorf("prompt %s is defined twice", p.Name)
		}
		seen[p.Name] = true
	}
	return t, nil
}

// Verify checks the tags of every operation, which tables otherwise read at first use. Tests call it.
func (t *Table) Verify() error {
	var errs []error
	for _, op := range t.config.Operations {
		fields := op.Fields()
		if op.err != nil {
			errs = append(errs, fmt.Errorf("operation %s: %w", op.Name, op.err))
			continue
		}
		errs = append(errs, verifyFields(op.Name, fields))
	}
	if _, err := FieldsOf(t.config.Options); err != nil {
		errs = append(errs, fmt.Errorf("session options: %w", err))
	}
	return errors.Join(errs...)
}

// verifyFields checks that names are unique, positions are complete and every argument is explained.
func verifyFields(op string, fields []*Field) error {
	var errs []error
	names, positions, last := map[string]bool{sessionArgument: true}, map[int]*Field{}, -1
	for _, f := range fields {
		if names[f.Name] {
			errs = append(errs, fmt.Errorf("operation %s: argument %s is defined twice", op, f.Name))
		}
		names[f.Name] = true
		if f.Doc == "" {
			errs = append(errs, fmt.Errorf("operation %s: argument %s has no doc", op, f.Name))
		}
		if f.Arg >= 0 {
			positions[f.Arg], last = f, max(last, f.Arg)
		}
	}
	for i := range last + 1 {
		if positions[i] == nil || positions[i].Variadic && i != last {
			errs = append(errs, fmt.Errorf("operation %s: position %d is missing or cannot be there", op, i))
		}
	}
	return errors.Join(errs...)
}

// Operations lists the operations in the order in which they were given.
func (t *Table) Operations() []*Operation { return t.config.Operations }

// Lookup finds an operation by its MCP name.
func (t *Table) Lookup(name string) (*Operation, bool) {
	op, ok := t.names[name]
	return op, ok
}

// LookupCommand finds an operation by its CLI name or alias.
func (t *Table) LookupCommand(name string) (*Operation, bool) {
	op, ok := t.commands[name]
	return op, ok
}

// Options lists the session options.
func (t *Table) Options() []*Field {
	fields, _ := FieldsOf(t.config.Options)
	return fields
}

// Check binds arguments as Execute does and runs nothing, so that a caller elsewhere can refuse them early.
func (t *Table) Check(name string, args []byte) error {
	op, ok := t.names[name]
	if !ok {
		return t.unknownOperation(name)
	}
	fields, session := op.Fields(), ""
	if op.err != nil {
		return op.err
	}
	return bind(args, fields, reflect.New(op.in).Elem(), &session)
}

// CheckOptions refuses session options that the table does not have.
func (t *Table) CheckOptions(options []byte) error {
	if t.config.Options == nil || len(options) == 0 {
		return nil
	}
	return Bind(options, reflect.New(reflect.TypeOf(t.config.Options)).Interface())
}

// Instructions are for MCP clients.
func (t *Table) Instructions() string { return t.config.Instructions }

// Close ends everything that operations opened.
func (t *Table) Close(ctx context.Context) error {
	if t.config.Close == nil {
		return nil
	}
	return t.config.Close(ctx)
}

func (t *Table) unknownOperation(name string) error {
	f := contract.Invalid("name", "unknown operation")
	var known []string
	for _, op := range t.config.Operations {
		known = append(known, op.Name)
	}
	if near := Nearest(name, known); len(near) > 0 {
		return f.WithHint("did you mean %s?", near[0])
	}
	return f
}
