package operation

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaNode is the part of JSON Schema that arguments need, in the order in which it is written.
type schemaNode struct {
	Type        string         `json:"type,omitzero"`
	Description string         `json:"description,omitzero"`
	Enum        []string       `json:"enum,omitzero"`
	Minimum     *float64       `json:"minimum,omitzero"`
	Maximum     *float64       `json:"maximum,omitzero"`
	MinItems    *float64       `json:"minItems,omitzero"`
	MaxItems    *float64       `json:"maxItems,omitzero"`
	Items       *schemaNode    `json:"items,omitzero"`
	Additional  *schemaNode    `json:"additionalProperties,omitzero"`
	Properties  jsontext.Value `json:"properties,omitzero"`
	Required    []string       `json:"required,omitzero"`
}

// Schema is the JSON Schema of the arguments as MCP publishes it: as few bytes as say enough (frontends.md §3). Hidden
// arguments are left out; the binder accepts them all the same.
func (o *Operation) Schema() jsontext.Value { return mustSchema(o.Fields(), false) }

// FullSchema is the JSON Schema of all arguments with every bound, for reference pages.
func (o *Operation) FullSchema() jsontext.Value { return mustSchema(o.Fields(), true) }

// OutputSchema is the JSON Schema of the result's full form.
func (o *Operation) OutputSchema() ([]byte, error) {
	data, err := schemaOfType(o.out, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot make the output schema of %s: %w", o.Name, err)
	}
	return data, nil
}

// SchemaOf is the JSON Schema of a value's type, after amend, which may be nil, has changed it.
func SchemaOf(v any, amend func(*jsonschema.Schema)) ([]byte, error) {
	return schemaOfType(reflect.TypeOf(v), amend)
}

func schemaOfType(t reflect.Type, amend func(*jsonschema.Schema)) ([]byte, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	own := map[reflect.Type]*jsonschema.Schema{}
	if err := ownSchemas(t, own, map[reflect.Type]bool{}); err != nil {
		return nil, err
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{IgnoreInvalidTypes: true, TypeSchemas: own})
	if err != nil {
		return nil, err
	}
	if amend != nil {
		amend(s)
	}
	return json.Marshal(s, json.Deterministic(true))
}

// SchemaWriter is implemented by types that say their own JSON Schema: those that hold themselves, for one.
type SchemaWriter interface{ JSONSchema() string }

// ownSchemas collects the schemas of all types within t that say their own.
func ownSchemas(t reflect.Type, own map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) error {
	if seen[t] {
		return nil
	}
	seen[t] = true
	if w, ok := reflect.New(t).Interface().(SchemaWriter); ok {
		var s jsonschema.Schema
		if err := json.Unmarshal([]byte(w.JSONSchema()), &s); err != nil {
			return fmt.Errorf("schema of %s: %w", t, err)
		}
		own[t] = &s
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return ownSchemas(t.Elem(), own, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if err := ownSchemas(t.Field(i).Type, own, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

func mustSchema(fields []*Field, full bool) jsontext.Value {
	data, err := json.Marshal(objectSchema(fields, full), jsontext.EscapeForHTML(false))
	if err != nil {
		panic(err) // the node type has nothing that cannot be encoded
	}
	return data
}

func objectSchema(fields []*Field, full bool) *schemaNode {
	n := &schemaNode{Type: "object"}
	props := jsontext.Value("{")
	for _, f := range fields {
		if f.Hidden && !full {
			continue
		}
		if len(props) > 1 {
			props = append(props, ',')
		}
		name, _ := jsontext.AppendQuote(nil, f.Name)
		node, err := json.Marshal(fieldSchema(f, full), jsontext.EscapeForHTML(false))
		if err != nil {
			panic(err) // as above
		}
		props = append(append(append(props, name...), ':'), node...)
		if f.Required {
			n.Required = append(n.Required, f.Name)
		}
	}
	if len(props) > 1 {
		n.Properties = append(props, '}')
	}
	return n
}

func fieldSchema(f *Field, full bool) *schemaNode {
	n := &schemaNode{Description: f.Doc}
	if f.Quiet && !full {
		n.Description = ""
	}
	switch f.Kind {
	case String:
		n.Type, n.Enum = "string", f.Enum
	case Strings:
		n.Type, n.Items = "array", &schemaNode{Type: "string", Enum: f.Enum}
	case Objects:
		n.Type, n.Items = "array", objectSchema(f.Fields, full)
	case Object:
		o := objectSchema(f.Fields, full)
		o.Description = n.Description
		return o
	case Map:
		n.Type = "object"
		if full {
			n.Additional = &schemaNode{Type: "string"}
		}
	case Raw:
	default:
		n.Type, n.Minimum, n.Maximum = string(f.Kind), f.Min, f.Max
	}
	if full && (f.Kind == Strings || f.Kind == Objects) {
		n.MinItems, n.MaxItems = f.Min, f.Max
	}
	return n
}
