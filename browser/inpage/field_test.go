package inpage

import (
	"reflect"
	"testing"
)

const fieldPage = `<!doctype html><meta charset=utf-8>
<input id=text value="old text"><input id=email type=email value="a@b.example"><input id=num type=number value=12>
<textarea id=area>one
two</textarea><div id=edit contenteditable>some <b>bold</b> text</div>
<input id=date type=date min="2020-01-01"><input id=time type=time><input id=month type=month><input id=week type=week>
<input id=local type=datetime-local><input id=color type=color><input id=range type=range min=0 max=10 step=2 value=4>
<input id=off type=date disabled><input id=ro type=date readonly><input id=short maxlength=3 value=abc>
<input id=stubborn type=date><button id=nofocus disabled>no</button><p id=para>para</p>
<script>
window.events = [];
for (const type of ['input', 'change']) {
  addEventListener(type, (event) => events.push(type + ' ' + event.target.id), true);
}
stubborn.addEventListener('input', () => { stubborn.value = '' });
</script>`

func TestFocusField(t *testing.T) {
	c := startChromium(t)
	tests := []struct{ id, caret, want string }{
		{"text", "end", "old textX"},
		{"text", "all", "X"},
		{"email", "end", "a@b.exampleX"},
		{"email", "all", "X"},
		{"num", "end", "127"},
		{"num", "all", "7"},
		{"area", "end", "one\ntwoX"},
		{"area", "all", "X"},
		{"edit", "end", "some bold textX"},
		{"edit", "all", "X"},
	}
	for _, tt := range tests {
		t.Run(tt.id+" "+tt.caret, func(t *testing.T) {
			p := openAct(t, c, fieldPage)
			id := p.id(tt.id)
			result := p.run("focusField", `{"id":`+id+`,"caret":"`+tt.caret+`"}`)
			if told(result) != "ok" {
				t.Fatalf("got %v", result)
			}
			text := "X"
			if tt.id == "num" {
				text = "7"
			}
			p.call(t, "Input.insertText", map[string]any{"text": text}, nil)
			read := p.run("readField", `{"id":`+id+`,"value":true,"expect":`+js(tt.want)+`}`)
			if read["value"] != tt.want || read["equals"] != true {
				t.Errorf("got %q, want %q", read["value"], tt.want)
			}
		})
	}
	t.Run("what takes no focus", func(t *testing.T) {
		p := openAct(t, c, fieldPage)
		for _, id := range []string{"nofocus", "para"} {
			got := told(p.run("focusField", `{"id":`+p.id(id)+`,"caret":"end"}`))
			if got != "verification_failed not_focused" {
				t.Errorf("%s: got %s", id, got)
			}
		}
	})
	t.Run("without scrolling", func(t *testing.T) {
		p := openAct(t, c, `<!doctype html><div style="height:3000px"></div><input id=x>`)
		p.run("focusField", `{"id":`+p.id("x")+`,"caret":"end"}`)
		if y := p.page("scrollY"); y != 0.0 {
			t.Errorf("scrolled to %v", y)
		}
	})
}

func TestReadField(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, fieldPage)
	id := p.id("short")
	read := p.run("readField", `{"id":`+id+`,"expect":"abcd"}`)
	if read["equals"] != false || read["length"] != 3.0 || read["maxLength"] != 3.0 {
		t.Errorf("got %v", read)
	}
	if _, ok := read["value"]; ok {
		t.Error("the text is told unasked")
	}
	p.page("document.getElementById('short').remove()")
	if got := told(p.run("readField", `{"id":`+id+`}`)); got != "detached" {
		t.Errorf("after it left: got %s", got)
	}
}

func TestSetValue(t *testing.T) {
	c := startChromium(t)
	tests := []struct{ id, value, want, kept string }{
		{"date", "2024-02-29", "ok", "2024-02-29"},
		{"date", "2023-02-29", "verification_failed rejected", ""},
		{"date", "29.02.2024", "verification_failed rejected", ""},
		{"date", "", "ok", ""},
		{"time", "23:59", "ok", "23:59"},
		{"time", "24:00", "verification_failed rejected", ""},
		{"month", "2024-12", "ok", "2024-12"},
		{"week", "2024-W07", "ok", "2024-W07"},
		{"local", "2024-02-29 10:00", "ok", "2024-02-29T10:00"},
		{"color", "#FF8800", "ok", "#ff8800"},
		{"color", "orange", "verification_failed rejected", "#000000"},
		{"range", "8", "ok", "8"},
		{"range", "4", "ok", "4"},
		{"range", "7", "verification_failed rejected", "4"},
		{"range", "99", "verification_failed rejected", "4"},
		{"range", "", "verification_failed rejected", "4"},
		{"off", "2024-02-29", "disabled", ""},
		{"ro", "2024-02-29", "disabled readonly", ""},
		{"stubborn", "2024-02-29", "verification_failed reverted", ""},
		{"text", "x", "verification_failed not_editable", "old text"},
	}
	for _, tt := range tests {
		t.Run(tt.id+" "+tt.value, func(t *testing.T) {
			p := openAct(t, c, fieldPage)
			before := p.page(tt.id + ".value")
			result := p.run("setValue", `{"id":`+p.id(tt.id)+`,"value":`+js(tt.value)+`}`)
			if got := told(result); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			kept := p.page(tt.id + ".value")
			if kept != tt.kept {
				t.Errorf("the field holds %q, want %q", kept, tt.kept)
			}
			events := []any{}
			if tt.want == "verification_failed reverted" || (tt.want == "ok" && before != kept) {
				events = []any{"input " + tt.id, "change " + tt.id}
			}
			if got := p.page("events"); !reflect.DeepEqual(got, events) {
				t.Errorf("events %v, want %v", got, events)
			}
		})
	}
}

const selectPage = `<!doctype html>
<select id=one><option value="">Choose</option><option value=a>Alpha</option><option value=b>Beta</option>
<option value=c disabled>Gamma</option><option value=d>Twin</option><option value=e>Twin</option>
<optgroup label=Off disabled><option value=f>Delta</option></optgroup><option value="2">Number two</option></select>
<select id=many multiple>
<option value=a selected>Alpha</option><option value=b>Beta</option><option value=c>Gamma</option></select>
<select id=off disabled><option>x</select>
<script>
window.events = [];
for (const type of ['input', 'change']) addEventListener(type, (event) => events.push(type), true);
</script>`

func TestSelectOptions(t *testing.T) {
	c := startChromium(t)
	both := []any{"input", "change"}
	none := []any{}
	tests := []struct {
		name, id, args, want string
		chosen               []any
		events               []any
	}{
		{"by value", "one", `"values":["b"]`, "ok", []any{"b"}, both},
		{"by label", "one", `"values":["Beta"],"by":"label"`, "ok", []any{"b"}, both},
		{"value where a label is asked for", "one", `"values":["b"],"by":"label"`, "not_found option 8", []any{""}, none},
		{"by index", "one", `"values":[1],"by":"index"`, "ok", []any{"a"}, both},
		{"a value that looks like an index", "one", `"values":["2"]`, "ok", []any{"2"}, both},
		{"an index in any form", "one", `"values":["1"]`, "ok", []any{"a"}, both},
		{"the empty value, chosen already", "one", `"values":[""]`, "ok", []any{""}, none},
		{"ambiguous", "one", `"values":["Twin"]`, "ambiguous option 2", []any{""}, none},
		{"disabled option", "one", `"values":["Gamma"]`, "disabled option 7", []any{""}, none},
		{"disabled group", "one", `"values":["Delta"]`, "disabled option 7", []any{""}, none},
		{"not there", "one", `"values":["Omega"]`, "not_found option 8", []any{""}, none},
		{"two in a single select", "one", `"values":["a","b"]`, "invalid_argument one_value", []any{""}, none},
		{"several", "many", `"values":["b","Gamma"]`, "ok", []any{"b", "c"}, both},
		{"several, chosen already", "many", `"values":["a"]`, "ok", []any{"a"}, none},
		{"none of several", "many", `"values":[]`, "ok", []any{}, both},
		{"one of several is not there", "many", `"values":["b","x"]`, "not_found option 3", []any{"a"}, none},
		{"disabled select", "off", `"values":["x"]`, "disabled", []any{"x"}, none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, selectPage)
			result := p.run("selectOptions", `{"id":`+p.id(tt.id)+`,`+tt.args+`}`)
			if got := told(result); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			chosen := p.page(`[...` + tt.id + `.selectedOptions].map((option) => option.value)`)
			if !reflect.DeepEqual(chosen, any(tt.chosen)) {
				t.Errorf("chosen %v, want %v", chosen, tt.chosen)
			}
			if got := p.page("events"); !reflect.DeepEqual(got, any(tt.events)) {
				t.Errorf("events %v, want %v", got, tt.events)
			}
		})
	}
}

func TestCheckedState(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><input type=checkbox id=on checked><input type=checkbox id=off>
<input type=checkbox id=some><input type=radio id=radio checked><div role=checkbox id=aria aria-checked=true>a</div>
<div role=switch id=bare>b</div><button id=toggle aria-pressed=false>c</button>
<div role=checkbox id=mixed aria-checked=mixed>d</div>
<button id=button>e</button><script>some.indeterminate = true</script>`)
	tests := []struct {
		id   string
		want any
	}{
		{"on", true}, {"off", false}, {"some", "mixed"}, {"radio", true}, {"aria", true}, {"bare", false},
		{"toggle", false}, {"mixed", "mixed"}, {"button", nil},
	}
	for _, tt := range tests {
		result := p.run("checkedState", `{"id":`+p.id(tt.id)+`}`)
		if got := result["checked"]; got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.id, got, tt.want)
		}
	}
}

func TestScroll(t *testing.T) {
	c := startChromium(t)
	const page = `<!doctype html><html style="scroll-behavior:smooth"><body style="margin:0;width:2000px;height:5000px">
<div id=box style="width:200px;height:200px;overflow:auto"><div id=in style="width:900px;height:1000px">in</div></div>
<div id=clip style="height:100px;overflow:hidden"><div id=inclip style="height:800px">x</div></div>
<p id=low style="position:absolute;top:4000px">low</p>`
	tests := []struct{ name, id, args, moved, scrolled string }{
		{"page by pixels", "", `"dx":10,"dy":300`, "[10,300]", "[10,300,0]"},
		{"page to its end", "", `"to":"bottom"`, "[0,4200]", "[0,4200,0]"},
		{"page, nothing above", "", `"to":"top"`, "[0,0]", "[0,0,0]"},
		{"page by a page", "", `"by":"page"`, "[0,700]", "[0,700,0]"},
		{"page to the right", "", `"to":"right"`, "[720,0]", "[720,0,0]"},
		{"scroller", "box", `"dx":0,"dy":50`, "[0,50]", "[0,0,50]"},
		{"scroller about an element", "in", `"dx":0,"dy":50`, "[0,50]", "[0,0,50]"},
		{"scroller to its end", "in", `"to":"bottom"`, "[0,800]", "[0,0,800]"},
		{"what does not scroll is passed over", "inclip", `"dx":0,"dy":50`, "[0,50]", "[0,50,0]"},
		{"into view", "low", `"intoView":true`, "true", ""},
		{"into view, where it is in view", "box", `"intoView":true`, "[0,0]", "[0,0,0]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, page)
			args := tt.args
			if tt.id != "" {
				args = `"id":` + p.id(tt.id) + `,` + args
			}
			result := p.run("scroll", `{`+args+`}`)
			if tt.moved == "true" {
				if inside := p.page("low.getBoundingClientRect().top < innerHeight && scrollY > 3000"); inside != true {
					t.Errorf("not in view: %v", result)
				}
				return
			}
			if got := object([]any{result["dx"], result["dy"]}); got != tt.moved {
				t.Errorf("moved %s, want %s", got, tt.moved)
			}
			if got := object(p.page("[scrollX, scrollY, box.scrollTop]")); got != tt.scrolled {
				t.Errorf("stands at %s, want %s", got, tt.scrolled)
			}
		})
	}
}
