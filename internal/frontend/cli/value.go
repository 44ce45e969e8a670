package cli

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// value is a flag of an argument or option. It keeps what was typed; encode makes it JSON, and the table's binder
// judges it.
type value struct {
	field *operation.Field
	texts []string
}

// String implements pflag.Value. Nothing is a default: the handler applies those.
func (v *value) String() string { return "" }

// Set implements pflag.Value; lists take a flag more than once.
func (v *value) Set(s string) error {
	if !repeatable(v.field) {
		v.texts = nil
	}
	v.texts = append(v.texts, s)
	return nil
}

// Type implements pflag.Value; it is what help shows as the flag's value.
func (v *value) Type() string {
	f := v.field
	switch {
	case f.Kind == operation.Bool:
		return "bool"
	case len(f.Enum) > 0:
		return strings.Join(f.Enum, "|")
	case f.Kind == operation.Integer, f.Kind == operation.Number:
		return "number"
	case f.Kind == operation.Map:
		return "name=value"
	case f.Pairs[0] != "":
		return f.Pairs[0] + "=" + f.Pairs[1]
	case f.Kind == operation.Object, f.Kind == operation.Objects, f.Kind == operation.Raw:
		return "JSON"
	}
	return "string"
}

func repeatable(f *operation.Field) bool {
	return f.Kind == operation.Strings || f.Kind == operation.Objects || f.Kind == operation.Map
}

// encode writes what was typed for a field as JSON. Errors name the argument and echo no value.
func encode(f *operation.Field, texts []string) (json.RawMessage, error) {
	if len(texts) == 0 {
		return json.RawMessage("[]"), nil // only lists can be given empty
	}
	last := texts[len(texts)-1]
	switch f.Kind {
	case operation.Bool:
		b, err := strconv.ParseBool(last)
		if err != nil {
			return nil, contract.Invalid(f.Name, "must be true or false")
		}
		return quoted(b), nil
	case operation.Integer, operation.Number:
		if !json.Valid([]byte(last)) || !strings.ContainsAny(last[:1], "-0123456789") {
			return nil, contract.Invalid(f.Name, "must be a number")
		}
		return json.RawMessage(last), nil
	case operation.Strings:
		if isJSON(last, '[') && len(texts) == 1 {
			return json.RawMessage(last), nil
		}
		return quoted(texts), nil
	case operation.Map:
		return encodeMap(f, texts)
	case operation.Object:
		if !isJSON(last, '{') {
			return nil, contract.Invalid(f.Name, "must be a JSON object")
		}
		return json.RawMessage(last), nil
	case operation.Objects:
		return encodeObjects(f, texts)
	case operation.Raw:
		if json.Valid([]byte(last)) {
			return json.RawMessage(last), nil
		}
	}
	return quoted(last), nil
}

func encodeMap(f *operation.Field, texts []string) (json.RawMessage, error) {
	if isJSON(texts[0], '{') && len(texts) == 1 {
		return json.RawMessage(texts[0]), nil
	}
	m := map[string]string{}
	for _, t := range texts {
		k, v, ok := strings.Cut(t, "=")
		if !ok {
			return nil, contract.Invalid(f.Name, "must be name=value")
		}
		m[k] = v
	}
	return quoted(m), nil
}

// encodeObjects takes JSON lists, JSON objects and, where the field allows it, pairs. In a pair the last "=" separates,
// since locators hold some themselves ("label=Email=ada@example.org"); a value with one needs JSON.
func encodeObjects(f *operation.Field, texts []string) (json.RawMessage, error) {
	var all []json.RawMessage
	for _, t := range texts {
		switch {
		case isJSON(t, '['):
			var list []json.RawMessage
			if err := json.Unmarshal([]byte(t), &list); err != nil {
				return nil, contract.Invalid(f.Name, "must be a list of JSON objects")
			}
			all = append(all, list...)
		case isJSON(t, '{'):
			all = append(all, json.RawMessage(t))
		default:
			i := strings.LastIndexByte(t, '=')
			if f.Pairs[0] == "" || i < 0 {
				return nil, contract.Invalid(f.Name, "must be %s", (&value{field: f}).Type())
			}
			all = append(all, quoted(map[string]string{f.Pairs[0]: t[:i], f.Pairs[1]: t[i+1:]}))
		}
	}
	return quoted(all), nil
}

func isJSON(s string, first byte) bool {
	s = strings.TrimSpace(s)
	return s != "" && s[0] == first && json.Valid([]byte(s))
}

// quoted encodes values that always can be.
func quoted(v any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(buf.Bytes())
}

// object is a JSON object in the making.
type object struct {
	buf bytes.Buffer
}

func (o *object) add(name string, v json.RawMessage) {
	if o.buf.Len() == 0 {
		o.buf.WriteByte('{')
	} else {
		o.buf.WriteByte(',')
	}
	o.buf.Write(quoted(name))
	o.buf.WriteByte(':')
	o.buf.Write(v)
}

// bytes is the object, or nil when nothing was added.
func (o *object) bytes() []byte {
	if o.buf.Len() == 0 {
		return nil
	}
	return append(bytes.Clone(o.buf.Bytes()), '}')
}
