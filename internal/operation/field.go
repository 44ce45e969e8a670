package operation

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// FieldKind is the shape of an argument.
type FieldKind string

// The shapes of arguments.
const (
	String  FieldKind = "string"
	Bool    FieldKind = "boolean"
	Integer FieldKind = "integer"
	Number  FieldKind = "number"
	Strings FieldKind = "strings"
	Object  FieldKind = "object"
	Objects FieldKind = "objects"
	Map     FieldKind = "map"
	Raw     FieldKind = "raw"
)

// Field is one argument of an operation, or one session option.
type Field struct {
	Name     string
	Kind     FieldKind
	Doc      string
	Flag     string // CLI flag name
	Env      string // environment variable of a session option
	Required bool
	Hidden   bool
	Quiet    bool
	Variadic bool
	UserOnly bool // a session option that the glass.toml of a workspace may not set
	Path     bool // a file or folder: the CLI makes it absolute, since the daemon works elsewhere
	Optional bool // a pointer: not given differs from the zero value
	Arg      int  // CLI position, or -1
	Min, Max *float64
	Enum     []string
	Default  string
	Bare     string    // CLI: what the flag means without a value
	Pairs    [2]string // names of the two fields that "a=b" fills
	Fields   []*Field  // of an object, or of each entry of objects

	index []int // of the struct field, through embedded structs
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// FieldsOf lists the fields of a struct value with the tags of the package comment.
func FieldsOf(v any) ([]*Field, error) {
	if v == nil {
		return nil, nil
	}
	return fieldsOf(reflect.TypeOf(v))
}

func fieldsOf(t reflect.Type) ([]*Field, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("cannot take %s as input: want a struct", t)
	}
	var fields []*Field
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous && sf.Tag.Get("json") == "" && sf.Type.Kind() == reflect.Struct {
			inner, err := fieldsOf(sf.Type)
			if err != nil {
				return fields, err
			}
			for _, f := range inner {
				f.index = append([]int{i}, f.index...)
			}
			fields = append(fields, inner...)
			continue
		}
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "-" || !sf.IsExported() {
			continue
		}
		f, err := fieldOf(sf, name)
		if err != nil {
			return fields, fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func fieldOf(sf reflect.StructField, name string) (*Field, error) {
	if name == "" {
		return nil, fmt.Errorf("no name in the json tag")
	}
	f := &Field{Name: name, Doc: sf.Tag.Get("doc"), Flag: Kebab(name), Arg: -1, index: sf.Index}
	t := sf.Type
	if t.Kind() == reflect.Pointer {
		f.Optional, t = true, t.Elem()
	}
	var err error
	if f.Kind, f.Fields, err = kindOf(t); err != nil {
		return nil, err
	}
	if tag := sf.Tag.Get("glass"); tag != "" {
		for item := range strings.SplitSeq(tag, ",") {
			if err := f.apply(item); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

func kindOf(t reflect.Type) (FieldKind, []*Field, error) {
	if t == rawMessage {
		return Raw, nil, nil
	}
	switch t.Kind() {
	case reflect.String:
		return String, nil, nil
	case reflect.Bool:
		return Bool, nil, nil
	case reflect.Int, reflect.Int64:
		return Integer, nil, nil
	case reflect.Float64:
		return Number, nil, nil
	case reflect.Struct:
		fields, err := fieldsOf(t)
		return Object, fields, err
	case reflect.Map:
		if t.Key().Kind() == reflect.String && t.Elem().Kind() == reflect.String {
			return Map, nil, nil
		}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return Strings, nil, nil
		}
		if t.Elem().Kind() == reflect.Struct {
			fields, err := fieldsOf(t.Elem())
			return Objects, fields, err
		}
	}
	return "", nil, fmt.Errorf("cannot bind type %s", t)
}

// apply reads one item of a glass tag.
func (f *Field) apply(item string) error {
	key, value, _ := strings.Cut(strings.TrimSpace(item), "=")
	switch key {
	case "required":
		f.Required = true
	case "hidden":
		f.Hidden = true
	case "quiet":
		f.Quiet = true
	case "user-only":
		f.UserOnly = true
	case "path":
		f.Path = true
	case "variadic":
		f.Variadic = true
	case "enum":
		f.Enum = strings.Split(value, "|")
	case "default":
		f.Default = value
	case "optional-value":
		f.Bare = value
	case "cliflag":
		f.Flag = value
	case "env":
		f.Env = value
	case "pairs":
		a, b, ok := strings.Cut(value, ":")
		if !ok {
			return fmt.Errorf("cannot read pairs=%s: want two names", value)
		}
		f.Pairs = [2]string{a, b}
	case "arg":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("cannot read arg=%s: %w", value, err)
		}
		f.Arg = n
	case "min", "max":
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("cannot read %s=%s: %w", key, value, err)
		}
		if key == "min" {
			f.Min = &n
		} else {
			f.Max = &n
		}
	default:
		return fmt.Errorf("unknown word %q in the glass tag", key)
	}
	return nil
}
