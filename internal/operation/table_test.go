package operation_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

type route struct {
	TargetID string `json:"targetId,omitempty" doc:"page target" glass:"hidden"`
}

type pair struct {
	Target string `json:"target" doc:"locator" glass:"required"`
	Value  string `json:"value" doc:"text" glass:"required"`
}

type everything struct {
	route
	Text    string            `json:"text" doc:"text" glass:"required,arg=0,max=8"`
	Rest    []string          `json:"rest" doc:"more" glass:"arg=1,variadic,max=2"`
	Flag    *bool             `json:"flag" doc:"three states"`
	Count   int               `json:"count" doc:"how often" glass:"min=1,max=3"`
	Ratio   float64           `json:"ratio" doc:"a ratio" glass:"quiet"`
	Mode    string            `json:"mode" doc:"how" glass:"enum=a|b"`
	Pair    pair              `json:"pair" doc:"one pair"`
	Pairs   []pair            `json:"pairs" doc:"pairs" glass:"pairs=target:value,max=2"`
	Headers map[string]string `json:"headers" doc:"headers"`
	Raw     json.RawMessage   `json:"raw" doc:"anything"`
}

type result struct {
	In      everything `json:"in"`
	Session string     `json:"session"`
}

func (r result) Compact() any  { return r.In.Text }
func (r result) Human() string { return "text: " + r.In.Text }

func table(t *testing.T, mend func(*operation.TableConfig)) *operation.Table {
	t.Helper()
	cfg := operation.TableConfig{Operations: []*operation.Operation{
		operation.Define(operation.Spec{Name: "everything", Toolset: "browser", Summary: "Take everything."},
			func(_ context.Context, call *operation.Call, in everything) (result, error) {
				return result{In: in, Session: call.Session}, nil
			}),
		operation.Define(operation.Spec{Name: "fail", Toolset: "browser", Summary: "Fail."},
			func(_ context.Context, _ *operation.Call, in struct {
				How string `json:"how" doc:"how" glass:"arg=0"`
			}) (string, error) {
				switch in.How {
				case "panic":
					panic("boom")
				case "typed":
					return "", contract.Fail(contract.NotFound, contract.PhaseResolution, "nothing there").Wrap(io.EOF)
				case "big":
					return strings.Repeat("x", contract.ResponseBytes+1), nil
				}
				return "", errors.New("secret detail")
			}),
	}}
	if mend != nil {
		mend(&cfg)
	}
	tab, err := operation.NewTable(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.Verify(); err != nil {
		t.Fatal(err)
	}
	return tab
}

func TestBind(t *testing.T) {
	tab := table(t, nil)
	for _, c := range []struct{ name, args, want string }{
		{"full", `{"text":"hi","rest":["a"],"flag":false,"count":3,"ratio":0.5,"mode":"b","targetId":"T",
			"pair":{"target":"x","value":"y"},"pairs":[{"target":"x","value":"y"}],"headers":{"a":"b"},"raw":[1]}`, ""},
		{"whole float", `{"text":"","count":2.0}`, ""},
		{"unknown", `{"text":"","modes":"a"}`, "modes: unknown argument (did you mean mode?)"},
		{"case variant", `{"Text":""}`, "Text: unknown argument (did you mean text?)"},
		{"NUL", `{"text\u0000":""}`, "text: unknown argument (did you mean text?)"},
		{"nested unknown", `{"text":"","pairs":[{"target":"","vlaue":""}]}`,
			"pairs[0].vlaue: unknown argument (did you mean value?)"},
		{"duplicate", `{"text":"a","text":"b"}`, "text: given twice"},
		{"missing", `{}`, "text: required"},
		{"nothing", ``, "text: required"},
		{"nested missing", `{"text":"","pair":{"target":""}}`, "pair.value: required"},
		{"type", `{"text":1}`, "text: must be a string"},
		{"null", `{"text":"","flag":null}`, "flag: must be true or false, not null; leave it out instead"},
		{"string for number", `{"text":"","count":"2"}`, "count: must be a whole number"},
		{"fraction", `{"text":"","count":1.5}`, "count: must be a whole number"},
		{"huge", `{"text":"","count":1e99}`, "count: must be a whole number"},
		{"below", `{"text":"","count":0}`, "count: must be at least 1"},
		{"above", `{"text":"","count":4}`, "count: must be at most 3"},
		{"long", `{"text":"123456789"}`, "text: must be at most 8 bytes"},
		{"enum", `{"text":"","mode":"s3cret"}`, "mode: must be one of a, b"},
		{"list type", `{"text":"","rest":"a"}`, "rest: must be a list of strings"},
		{"list entry", `{"text":"","rest":["a",2]}`, "rest[1]: must be a string"},
		{"list length", `{"text":"","rest":["","",""]}`, "rest: must be at most 2 entries"},
		{"map entry", `{"text":"","headers":{"a":1}}`, "headers.a: must be a string"},
		{"session", `{"text":"","session":"work"}`, ""},
		{"session type", `{"text":"","session":1}`, "session: must be a string"},
		{"session name", `{"text":"","session":"../x"}`, "session: a session name has 1 to 64 letters, digits, dots, " +
			"dashes or underscores and starts with a letter or digit"},
		{"no object", `[]`, "arguments: must be an object"},
		{"malformed", `{"text":tru}`, "text: must be a string"},
		{"malformed value", `{"text":"","raw":tru}`, "raw: not valid JSON"},
		{"cut short", `{"text":"a"`, "arguments: not valid JSON"},
		{"more", `{"text":"a"} {}`, "arguments: must be one JSON object and nothing after it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := tab.Execute(t.Context(), nil, "everything", []byte(c.args), operation.Full)
			got := ""
			if err != nil {
				got = err.Error()
				if f, ok := errors.AsType[*contract.Failure](err); !ok || f.Kind != contract.InvalidArgument {
					t.Errorf("error is %#v, want a failure of kind invalid_argument", err)
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestForms(t *testing.T) {
	tab := table(t, nil)
	for form, want := range map[operation.Form]string{
		operation.Compact: `"<hi>"`, operation.Human: "text: <hi>",
		operation.Full: `{"in":{"text":"<hi>","rest":[],"flag":null,"count":0,"ratio":0,"mode":"","pair":` +
			`{"target":"","value":""},"pairs":[],"headers":{},"raw":null},"session":"w"}`,
	} {
		res, err := tab.Execute(t.Context(), &operation.Call{Session: "w"}, "everything", []byte(`{"text":"<hi>"}`), form)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(res.Bytes()); got != want {
			t.Errorf("%s: got %s, want %s", form, got, want)
		}
	}
}

func TestFailures(t *testing.T) {
	var logged []string
	tab := table(t, func(cfg *operation.TableConfig) {
		cfg.Log = func(op string, err error) { logged = append(logged, op+": "+err.Error()) }
	})
	for how, want := range map[string]contract.Kind{
		"panic": contract.Transport, "": contract.Transport, "typed": contract.NotFound, "big": contract.Unavailable,
	} {
		_, err := tab.Execute(t.Context(), nil, "fail", []byte(`{"how":"`+how+`"}`), operation.Compact)
		f, ok := errors.AsType[*contract.Failure](err)
		if !ok || f.Kind != want || strings.Contains(f.Message, "secret") || strings.Contains(f.Message, "boom") {
			t.Errorf("%q: got %#v, want kind %s and nothing of the cause", how, err, want)
		}
	}
	if len(logged) != 3 {
		t.Errorf("logged %q, want three causes", logged)
	}
	_, err := tab.Execute(t.Context(), nil, "everythign", nil, operation.Compact)
	if err == nil || err.Error() != "name: unknown operation (did you mean everything?)" {
		t.Errorf("unknown operation: %v", err)
	}
}

func TestOverflow(t *testing.T) {
	tab := table(t, func(cfg *operation.TableConfig) {
		cfg.Overflow = func(_ context.Context, _ *operation.Call, op string, data []byte) (string, error) {
			return op + ".json", nil
		}
	})
	res, err := tab.Execute(t.Context(), nil, "fail", []byte(`{"how":"big"}`), operation.Compact)
	if err != nil || string(res.JSON) != `{"file":"fail.json","bytes":1048579,"truncated":true}` {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestSchema(t *testing.T) {
	op, _ := table(t, nil).Lookup("everything")
	want := `{"type":"object","properties":{"text":{"type":"string","description":"text"},` +
		`"rest":{"type":"array","description":"more","items":{"type":"string"}},` +
		`"flag":{"type":"boolean","description":"three states"},` +
		`"count":{"type":"integer","description":"how often","minimum":1,"maximum":3},"ratio":{"type":"number"},` +
		`"mode":{"type":"string","description":"how","enum":["a","b"]},` +
		`"pair":{"type":"object","description":"one pair","properties":{"target":{"type":"string","description":"locator"},` +
		`"value":{"type":"string","description":"text"}},"required":["target","value"]},` +
		`"pairs":{"type":"array","description":"pairs","items":{"type":"object","properties":` +
		`{"target":{"type":"string","description":"locator"},"value":{"type":"string","description":"text"}},` +
		`"required":["target","value"]}},"headers":{"type":"object","description":"headers"},` +
		`"raw":{"description":"anything"}},"required":["text"]}`
	if got := string(op.Schema()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !strings.Contains(string(op.FullSchema()), "targetId") {
		t.Error("the full schema lacks a hidden argument")
	}
	if _, err := op.OutputSchema(); err != nil {
		t.Error(err)
	}
}

func TestKebab(t *testing.T) {
	for in, want := range map[string]string{
		"clickExpectPopup": "click-expect-popup", "getDOM": "get-dom", "DOMTree": "dom-tree", "read_tree": "read-tree", "key": "key",
	} {
		if got := operation.Kebab(in); got != want {
			t.Errorf("Kebab(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTableRefusesDuplicates(t *testing.T) {
	op := func(name string, alias ...string) *operation.Operation {
		return operation.Define(operation.Spec{Name: name, Aliases: alias, Toolset: "browser", Summary: "x"},
			func(context.Context, *operation.Call, struct{}) (string, error) { return "", nil })
	}
	for _, ops := range [][]*operation.Operation{{op("a"), op("a")}, {op("getDOM", "dom"), op("dom")}} {
		if _, err := operation.NewTable(operation.TableConfig{Operations: ops}); err == nil {
			t.Error("two operations with one name were accepted")
		}
	}
}

func FuzzBind(f *testing.F) {
	f.Add([]byte(`{"text":"hi","rest":["a"],"flag":false,"count":3,"raw":[1],"pairs":[{"target":"x","value":"y"}]}`))
	f.Add([]byte("{\"text\":\"\\ud800\",\"\xff\":1e999}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in everything
		if err := operation.Bind(data, &in); err != nil {
			if _, ok := errors.AsType[*contract.Failure](err); !ok {
				t.Fatalf("untyped error %v", err)
			}
		} else if in.Count < 0 || in.Count > 3 || len(in.Text) > 8 {
			t.Fatalf("a bound was not kept: %+v", in)
		}
	})
}
