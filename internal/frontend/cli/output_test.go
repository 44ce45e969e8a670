package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

func TestRender(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"object", `{"b":"x","a":1,"none":null,"empty":[],"list":["p","q"]}`, "b: x\na: 1\nnone: null\nempty: none\nlist: p, q\n"},
		{"nested", `{"page":{"url":"u","title":"t"}}`, "page:\n  url: u\n  title: t\n"},
		{"table", `{"rows":[{"name":"a","n":1},{"name":"long name","more":true}]}`,
			"rows:\n  name       n  more\n  a          1\n  long name     true\n"},
		{"lines", `{"text":"one\ntwo"}`, "text:\n  one\n  two\n"},
		{"hostile", `{"t\u001b[2J":"\u001b]0;x\u0007\u202eevil\u200b"}`, "t [2J: ]0;xevil\n"},
		{"long cell", `[{"x":"` + strings.Repeat("a", 100) + `"}]`, "x\n" + strings.Repeat("a", 59) + "…\n"},
		{"mixed list", `[1,{"a":2}]`, "1\na: 2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := render(&b, []byte(c.in), false); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), c.want)
			}
		})
	}
}

func FuzzRender(f *testing.F) {
	f.Add([]byte(`{"a":[{"b":"\u001b[31m"},{"c":[1,2,{"d":null}]}]}`))
	f.Add([]byte(`[[],{},"\u202e"]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b bytes.Buffer
		if err := render(&b, data, false); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if r != '\n' && r != '\t' && unsafeRune(r) {
				t.Fatalf("%U reaches the terminal", r)
			}
		}
	})
}

func TestEscapeUnsafe(t *testing.T) {
	in := "{\"a\":\"\u009b31m\u202e\U000e0041ok\u007f\"}"
	got := escapeUnsafe([]byte(in))
	if string(got) != `{"a":"\u009b31m\u202e\udb40\udc41ok\u007f"}` {
		t.Errorf("got %s", got)
	}
	var before, after any
	if json.Unmarshal([]byte(in), &before) != nil || json.Unmarshal(got, &after) != nil {
		t.Fatal("not JSON")
	}
	if before.(map[string]any)["a"] != after.(map[string]any)["a"] {
		t.Error("the meaning has changed")
	}
}

func TestPrintFailure(t *testing.T) {
	f := contract.Fail(contract.Ambiguous, contract.PhaseResolution, "two elements match")
	f.Candidates = []contract.Candidate{{Reference: "r1:b2", Role: "button", Name: "Save\x1b[2J", Nearby: "first row"}}
	var person, script bytes.Buffer
	printFailure(&person, f, true)
	printFailure(&script, f, false)
	if want := "glass: two elements match\n  r1:b2  button \"Save\\x1b[2J\" first row\n"; person.String() != want {
		t.Errorf("got %q, want %q", person.String(), want)
	}
	if strings.Count(script.String(), "\n") != 1 || !json.Valid(script.Bytes()) {
		t.Errorf("got %q, want one line of JSON", script.String())
	}
	next := contract.Fail(contract.StaleRevision, contract.PhasePreflight, "the page has changed")
	person.Reset()
	printFailure(&person, next, true)
	if want := "glass: the page has changed\n  next: glass observe\n"; person.String() != want {
		t.Errorf("got %q, want %q", person.String(), want)
	}
}

func TestEncode(t *testing.T) {
	pairs := &operation.Field{Name: "fields", Kind: operation.Objects, Pairs: [2]string{"target", "value"}}
	raw := &operation.Field{Name: "raw", Kind: operation.Raw}
	for _, c := range []struct {
		field *operation.Field
		texts []string
		want  string
	}{
		{&operation.Field{Kind: operation.String}, []string{"<a>\"\n"}, `"<a>\"\n"`},
		{&operation.Field{Kind: operation.Bool}, []string{"false"}, `false`},
		{&operation.Field{Kind: operation.Integer}, []string{"-3"}, `-3`},
		{&operation.Field{Kind: operation.Strings}, []string{"a", "b"}, `["a","b"]`},
		{&operation.Field{Kind: operation.Strings}, []string{`["a","b"]`}, `["a","b"]`},
		{&operation.Field{Kind: operation.Map}, []string{"k=v=w"}, `{"k":"v=w"}`},
		{pairs, []string{"label=Email=x", `{"target":"t","value":"v"}`}, `[{"target":"label=Email","value":"x"},{"target":"t","value":"v"}]`},
		{raw, []string{"[1]"}, `[1]`},
		{raw, []string{"bare"}, `"bare"`},
	} {
		if got, err := encode(c.field, c.texts); err != nil || string(got) != c.want {
			t.Errorf("%v: got %s, %v; want %s", c.texts, got, err, c.want)
		}
	}
	for field, text := range map[*operation.Field]string{
		{Name: "n", Kind: operation.Integer}: "1x", {Name: "b", Kind: operation.Bool}: "maybe",
		{Name: "o", Kind: operation.Object}: "[1]", {Name: "m", Kind: operation.Map}: "novalue", pairs: "novalue",
		{Name: "n", Kind: operation.Number}: `"1"`,
	} {
		if got, err := encode(field, []string{text}); err == nil {
			t.Errorf("%s: %q was taken as %s", field.Name, text, got)
		}
	}
	if _, err := encode(&operation.Field{Name: "n", Kind: operation.Integer}, []string{""}); err == nil {
		t.Error("an empty number was taken")
	}
}
