package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

func TestSelect(t *testing.T) {
	all := open(t)
	const one = `<label>Size <select id=s onchange="log(s.value)"><option value="">none<option value=s1>Small<option value=m2 selected>Medium
		<option value=l3 disabled>Large</select></label>`
	const many = `<label>Size <select id=s multiple><option value=s1>Small<option value=m2>Medium<option value=l3>Large</select></label>`
	for _, c := range []struct {
		name, html string
		in         browser.SelectInput
		want       []string // values that are selected afterwards
		already    bool
		kind       contract.Kind
	}{
		{"value", one, browser.SelectInput{Value: "s1"}, []string{"s1"}, false, ""},
		{"label", one, browser.SelectInput{Value: "Small"}, []string{"s1"}, false, ""},
		{"index", one, browser.SelectInput{Value: "1", By: "index"}, []string{"s1"}, false, ""},
		{"empty value", one, browser.SelectInput{Value: "", By: "value"}, []string{""}, false, ""},
		{"already so", one, browser.SelectInput{Value: "Medium"}, []string{"m2"}, true, ""},
		{"several", many, browser.SelectInput{Values: []string{"s1", "Large"}}, []string{"s1", "l3"}, false, ""},
		{"several for one", one, browser.SelectInput{Values: []string{"s1", "m2"}}, []string{"m2"}, false, contract.InvalidArgument},
		{"no such option", one, browser.SelectInput{Value: "Huge"}, []string{"m2"}, false, contract.NotFound},
		{"disabled option", one, browser.SelectInput{Value: "Large"}, []string{"m2"}, false, contract.Disabled},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(c.html)
			c.in.Target = "label=Size"
			r, err := tb.rt.Select(tb.ctx, tb.call, c.in)
			switch {
			case c.kind != "":
				failure(t, err, c.kind)
			case err != nil:
				t.Fatal(err)
			case r.Status != contract.Succeeded || r.Evidence.AlreadySo != c.already || len(r.Evidence.Chosen) != len(c.want):
				t.Errorf("%s %+v", r.Status, r.Evidence)
			}
			if got, want := tb.eval("[...s.selectedOptions].map(o => o.value).join()"), `"`+strings.Join(c.want, ",")+`"`; got != want {
				t.Errorf("selected %s, want %s", got, want)
			}
		})
	}
}

func TestFillFormKinds(t *testing.T) {
	all := open(t)
	for _, c := range []struct {
		name, html, value string
		status            string
		want              string // of f.value, or of the check
		check             string
	}{
		{"text", `<input id=f aria-label=F value=old>`, "new", "filled", `"new"`, ""},
		{"empty", `<input id=f aria-label=F value=old>`, "", "filled", `""`, ""},
		{"text area", `<textarea id=f aria-label=F>old</textarea>`, "a\nb", "filled", `"a\nb"`, ""},
		{"password", `<input id=f type=password aria-label=F>`, "hush", "filled", `"hush"`, ""},
		{"number", `<input id=f type=number aria-label=F>`, "12.5", "filled", `"12.5"`, ""},
		{"date", `<input id=f type=date aria-label=F>`, "2026-02-28", "filled", `"2026-02-28"`, ""},
		{"time", `<input id=f type=time aria-label=F>`, "13:45", "filled", `"13:45"`, ""},
		{"local date and time", `<input id=f type=datetime-local aria-label=F>`, "2026-02-28T13:45", "filled", `"2026-02-28T13:45"`, ""},
		{"month", `<input id=f type=month aria-label=F>`, "2026-02", "filled", `"2026-02"`, ""},
		{"week", `<input id=f type=week aria-label=F>`, "2026-W08", "filled", `"2026-W08"`, ""},
		{"colour", `<input id=f type=color aria-label=F>`, "#ff8800", "filled", `"#ff8800"`, ""},
		{"range", `<input id=f type=range min=0 max=10 aria-label=F>`, "7", "filled", `"7"`, ""},
		{"no date", `<input id=f type=date aria-label=F>`, "yesterday", "failed", `""`, ""},
		{"range beyond", `<input id=f type=range min=0 max=10 aria-label=F>`, "70", "failed", `"5"`, ""},
		{"editable", `<div id=f contenteditable role=textbox aria-label=F>old</div>`, "new", "filled", `"new"`, "f.innerText"},
		{"select", `<select id=f aria-label=F><option value=a>A<option value=b>B</select>`, "B", "filled", `"b"`, ""},
		{"no such option", `<select id=f aria-label=F><option value=a>A</select>`, "Z", "failed", `"a"`, ""},
		{"checkbox", `<input id=f type=checkbox aria-label=F>`, "true", "filled", "true", "f.checked"},
		{"checkbox off", `<input id=f type=checkbox checked aria-label=F>`, "false", "filled", "false", "f.checked"},
		{"checkbox perhaps", `<input id=f type=checkbox aria-label=F>`, "perhaps", "failed", "false", "f.checked"},
		{"radio", `<input id=f type=radio aria-label=F>`, "on", "filled", "true", "f.checked"},
		{"too long", `<input id=f maxlength=2 aria-label=F>`, "abc", "kept_other", `"ab"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(c.html + `<input id=g aria-label=G>`)
			r, err := tb.rt.FillForm(tb.ctx, tb.call, browser.FillFormInput{Fields: []browser.FieldInput{
				{Target: "name=F", Value: c.value}, {Target: "name=G", Value: "next"},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Fields[0].Status != c.status || r.Fields[1].Status != "filled" || (c.status == "filled") != (r.Status == contract.Succeeded) {
				t.Errorf("%s, fields %+v %v", r.Status, r.Fields, r.Fields[0].Failure)
			}
			check := c.check
			if check == "" {
				check = "f.value"
			}
			if got := tb.eval(check); got != c.want {
				t.Errorf("%s is %s, want %s", check, got, c.want)
			}
			if got := tb.eval("g.value"); got != `"next"` {
				t.Errorf("the next field holds %s", got)
			}
		})
	}
}

// All targets are resolved before the first is touched.
func TestFillFormResolvesFirst(t *testing.T) {
	tb := open(t)
	tb.show(countEvents + `<input aria-label=A><input aria-label=B readonly><button>C</button>`)
	for _, bad := range []string{"name=Nothing", "name=B", "name=C"} {
		_, err := tb.rt.FillForm(tb.ctx, tb.call, browser.FillFormInput{Fields: []browser.FieldInput{{Target: "name=A", Value: "x"}, {Target: bad, Value: "y"}}})
		f, ok := err.(*contract.Failure)
		if !ok || !f.BeforeDispatch() || f.Argument != "fields[1].target" {
			t.Errorf("%s: %+v", bad, err)
		}
	}
	if seen := tb.inputBefore(); len(seen) > 0 {
		t.Errorf("the page saw %v", seen)
	}
}

// The values of fields are shown on request only, and those of sensitive fields not even then.
func TestFormValuesAreRedacted(t *testing.T) {
	tb := open(t)
	tb.show(`<input aria-label=Name value=plain-secret1><input type=password aria-label=Pass value=secret2>
		<input autocomplete=one-time-code aria-label=Code value=secret3><input autocomplete="billing cc-number" aria-label=Card value=secret4>
		<input autocomplete=cc-csc aria-label=Csc value=secret5><input autocomplete=new-password type=text aria-label=New value=secret6>
		<select aria-label=Size><option>Small</select><textarea aria-label=Note>note1</textarea>`)
	pc := tb.observe()
	if s := fmt.Sprintf("%+v", pc); strings.Contains(s, "secret") || strings.Contains(s, "note1") {
		t.Errorf("typed text in a plain observation: %s", s)
	}
	if !has(pc, "Name", "filled") {
		t.Error("a filled field does not say so")
	}
	pc, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{IncludeFormValues: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, v := range pc.FormValues {
		for _, c := range pc.Controls {
			if c.Ref == v.Ref {
				got[c.Name] = v.Value
			}
		}
	}
	for name, want := range map[string]string{
		"Name": "plain-secret1", "Pass": browser.Redacted, "Code": browser.Redacted, "Card": browser.Redacted, "Csc": browser.Redacted,
		"New": browser.Redacted, "Size": "Small", "Note": "note1",
	} {
		if got[name] != want {
			t.Errorf("%s shows %q, want %q", name, got[name], want)
		}
	}
	if again := tb.observe(); len(again.FormValues) > 0 {
		t.Error("values were kept for the next observation")
	}
}

// The compact form leaves the tree out; the deep form has it, and both show the same page.
func TestCompactAgainstDeep(t *testing.T) {
	tb := open(t)
	tb.show(`<h1>Orders</h1><p class=note>Two open.</p><button>Save</button>`)
	compact := tb.observe()
	deep, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{IncludeDOM: true})
	if err != nil {
		t.Fatal(err)
	}
	if compact.DOM != nil || deep.DOM == nil {
		t.Fatalf("trees %v and %v", compact.DOM, deep.DOM)
	}
	if deep.Revision != compact.Revision || deep.Text != compact.Text || !slices.EqualFunc(deep.Controls, compact.Controls, func(a, b browser.Control) bool { return a.Ref == b.Ref }) {
		t.Errorf("compact %+v, deep %+v", compact, deep)
	}
	if again := tb.observe(); again.DOM != nil {
		t.Error("the tree was kept for the next observation")
	}
}

// However many elements a selector matches, the diagnostic prefix is what comes over.
func TestSelectorsShipAPrefix(t *testing.T) {
	tb := open(t)
	tb.show(strings.Repeat("<p class=x>same words</p>", 20_000))
	tb.observe()
	for _, target := range []string{"css=p.x", "text=same words"} {
		var err error
		rounds, bytes, sent := traffic.of(func() { _, err = tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: target}) })
		f := failure(t, err, contract.Ambiguous)
		if len(f.Candidates) != contract.CandidateCount || bytes > 32<<10 || rounds != 1 {
			t.Errorf("%s: %d candidates, %d bytes in %d round trips: %v", target, len(f.Candidates), bytes, rounds, sent)
		}
	}
}
