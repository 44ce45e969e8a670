package operation

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/glasskit/glass/contract"
)

// sessionArgument is accepted by every operation and belongs to this layer.
const sessionArgument = "session"

// argumentNameBytes bounds a caller's argument name in a failure.
const argumentNameBytes = 64

// Bind fills the struct that into points to from a JSON object, as strictly as arguments are bound: unknown, repeated,
// missing and ill-typed members are refused by name. Session options are read with it.
func Bind(data []byte, into any) error {
	v := reflect.ValueOf(into).Elem()
	fields, err := fieldsOf(v.Type())
	if err != nil {
		return err
	}
	return bind(data, fields, v, nil)
}

// bind fills v from the object in data. When session is not nil, a member of that name goes there.
func bind(data []byte, fields []*Field, v reflect.Value, session *string) error {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}")
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	if kind := dec.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		return contract.Invalid("arguments", "must be an object")
	}
	b := binder{dec: dec, session: session}
	if err := b.object(fields, v, ""); err != nil {
		return failureOf(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return contract.Invalid("arguments", "must be one JSON object and nothing after it")
	}
	return nil
}

// failureOf turns the decoder's errors into failures that name the argument and echo no value.
func failureOf(err error) error {
	var f *contract.Failure
	if errors.As(err, &f) {
		return f
	}
	name := "arguments"
	if syn, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if last := syn.JSONPointer.LastToken(); last != "" {
			name = shortName(last)
		}
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return contract.Invalid(name, "given twice")
	}
	return contract.Invalid(name, "not valid JSON")
}

func shortName(s string) string { return contract.Cut(contract.OneLine(s), argumentNameBytes) }

// binder reads one document. Paths are empty for the whole, else like "fields[2].target".
type binder struct {
	dec     *jsontext.Decoder
	session *string
}

func (b *binder) object(fields []*Field, v reflect.Value, path string) error {
	if _, err := b.dec.ReadToken(); err != nil {
		return err
	}
	seen := make(map[*Field]bool, len(fields))
	for b.dec.PeekKind() != '}' {
		tok, err := b.dec.ReadToken()
		if err != nil {
			return err
		}
		name := tok.String()
		if path == "" && b.session != nil && name == sessionArgument {
			if err := b.readSession(); err != nil {
				return err
			}
			continue
		}
		f := fieldNamed(fields, name)
		if f == nil {
			return unknown(path, name, fields, path == "" && b.session != nil)
		}
		seen[f] = true
		if err := b.value(f, v.FieldByIndex(f.index), join(path, name)); err != nil {
			return err
		}
	}
	if _, err := b.dec.ReadToken(); err != nil {
		return err
	}
	for _, f := range fields {
		if f.Required && !seen[f] {
			return contract.Invalid(join(path, f.Name), "required")
		}
	}
	return nil
}

func (b *binder) readSession() error {
	if b.dec.PeekKind() != '"' {
		return contract.Invalid(sessionArgument, "must be a string")
	}
	tok, err := b.dec.ReadToken()
	if err != nil {
		return err
	}
	*b.session = tok.String()
	return CheckSession(*b.session)
}

func fieldNamed(fields []*Field, name string) *Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func unknown(path, name string, fields []*Field, session bool) error {
	var known []string
	for _, f := range fields {
		known = append(known, f.Name)
	}
	if session {
		known = append(known, sessionArgument)
	}
	f := contract.Invalid(join(path, shortName(name)), "unknown argument")
	if near := Nearest(name, known); len(near) > 0 {
		return f.WithHint("did you mean %s?", near[0])
	}
	return f
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// expected says what each kind of argument takes, and the JSON kinds that can be it.
var expected = map[FieldKind]struct{ kinds, words string }{
	String:  {`"`, "a string"},
	Bool:    {"tf", "true or false"},
	Integer: {"0", "a whole number"},
	Number:  {"0", "a number"},
	Strings: {"[", "a list of strings"},
	Object:  {"{", "an object"},
	Objects: {"[", "a list of objects"},
	Map:     {"{", "an object of strings"},
}

func (b *binder) value(f *Field, v reflect.Value, path string) error {
	kind := b.dec.PeekKind()
	if want, ok := expected[f.Kind]; ok && !strings.ContainsRune(want.kinds, rune(kind)) {
		if kind == jsontext.KindInvalid {
			_, err := b.dec.ReadToken()
			return err
		}
		if kind == 'n' {
			return contract.Invalid(path, "must be %s, not null; leave it out instead", want.words)
		}
		return contract.Invalid(path, "must be %s", want.words)
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch f.Kind {
	case String, Bool, Integer, Number:
		return b.scalar(f, v, path)
	case Object:
		return b.object(f.Fields, v, path)
	case Raw:
		raw, err := b.dec.ReadValue()
		if err == nil {
			v.SetBytes(bytes.Clone(raw))
		}
		return err
	case Map:
		return b.stringMap(f, v, path)
	default:
		return b.list(f, v, path)
	}
}

func (b *binder) scalar(f *Field, v reflect.Value, path string) error {
	tok, err := b.dec.ReadToken()
	if err != nil {
		return err
	}
	switch f.Kind {
	case String:
		v.SetString(tok.String())
		return checkString(f, tok.String(), path)
	case Bool:
		v.SetBool(tok.Bool())
	case Integer:
		n, ok := wholeNumber(tok.String())
		if !ok {
			return contract.Invalid(path, "must be a whole number")
		}
		v.SetInt(n)
		return checkSize(f, float64(n), path, "")
	case Number:
		n, err := strconv.ParseFloat(tok.String(), 64)
		if err != nil {
			return contract.Invalid(path, "must be a number that fits")
		}
		v.SetFloat(n)
		return checkSize(f, n, path, "")
	}
	return nil
}

// wholeNumber also takes 1.0 and 1e3, which JSON Schema calls integers.
func wholeNumber(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53 // largest range in which every whole float64 is meant as written
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > exact {
		return 0, false
	}
	return int64(x), true
}

func (b *binder) list(f *Field, v reflect.Value, path string) error {
	if _, err := b.dec.ReadToken(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for n := 0; b.dec.PeekKind() != ']'; n++ {
		if f.Max != nil && n >= int(*f.Max) {
			return checkSize(f, float64(n+1), path, " entries")
		}
		at := path + "[" + strconv.Itoa(n) + "]"
		item := reflect.New(v.Type().Elem()).Elem()
		element := Field{Kind: String, Enum: f.Enum}
		if f.Kind == Objects {
			element = Field{Kind: Object, Fields: f.Fields}
		}
		if err := b.value(&element, item, at); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
	}
	if _, err := b.dec.ReadToken(); err != nil {
		return err
	}
	return checkSize(f, float64(v.Len()), path, " entries")
}

func (b *binder) stringMap(f *Field, v reflect.Value, path string) error {
	if _, err := b.dec.ReadToken(); err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for b.dec.PeekKind() != '}' {
		tok, err := b.dec.ReadToken()
		if err != nil {
			return err
		}
		key, item := tok.String(), reflect.New(v.Type().Elem()).Elem()
		if err := b.value(&Field{Kind: String}, item, join(path, shortName(key))); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), item)
	}
	if _, err := b.dec.ReadToken(); err != nil {
		return err
	}
	return checkSize(f, float64(v.Len()), path, " entries")
}

func checkString(f *Field, s, path string) error {
	if len(f.Enum) > 0 {
		for _, e := range f.Enum {
			if s == e {
				return nil
			}
		}
		return contract.Invalid(path, "must be one of %s", strings.Join(f.Enum, ", "))
	}
	return checkSize(f, float64(len(s)), path, " bytes")
}

func checkSize(f *Field, n float64, path, unit string) error {
	if f.Min != nil && n < *f.Min {
		return contract.Invalid(path, "must be at least %v%s", *f.Min, unit)
	}
	if f.Max != nil && n > *f.Max {
		return contract.Invalid(path, "must be at most %v%s", *f.Max, unit)
	}
	return nil
}
