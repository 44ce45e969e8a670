package inpage

import (
	"fmt"
	"strings"
	"testing"
)

const locatePage = `<!doctype html><title>t</title>
<main><h1 id=h>Orders</h1>
<button id=save>Save</button> <button id=hid style="display:none">Save</button> <button inert>Save</button>
<button id=a1>Edit</button><button id=a2>Edit</button>
<a id=across href="#x">Click <b>here</b> now</a>
<button id=upper style="text-transform:uppercase">loud</button>
<p id=plain>Just   some
 text</p>
<p id=hiddentext style="display:none">Nobody sees</p>
<p style="opacity:0">Nobody sees</p>
<button id=twice><span>Twice</span> <span>Twice</span></button>
<table><tr><th>Who</th><th>What</th></tr><tr id=r1><td>Ada</td><td><button>Delete</button></td></tr>
<tr id=r2 aria-label="Bob's"><td>Bob</td><td><button id=del2>Delete</button></td></tr></table>
<label for=mail>Email</label><input id=mail type=email placeholder="you@example.org">
<label>Phone <input id=phone></label>
<input type=submit id=send value="Send it">
<label id=agreelabel><input type=checkbox id=agree> I agree</label>
<img id=logo alt="Our logo" width=10 height=10 src="data:,">
<div data-testid=box id=box>box</div>
<form id=f><input name=parentNode><input name=localName><button id=inform>Inside</button></form>
<x-card id=card><span>Slotted</span></x-card>
<dialog id=dlg aria-label="Ask"><button>Inner</button></dialog>
<div id=long><p>alpha</p> <p>beta</p></div>
</main>
<script>
customElements.define('x-card', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({mode: 'open'}).innerHTML =
      '<button id=shadowbutton class=deep><slot></slot></button><p id=st>Shadow text</p>';
  }
});
</script>`

func TestResolve(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, locatePage)
	name := func(v string) string { return one(fmt.Sprintf(`{"form":"name","value":%q}`, v)) }
	text := func(v string) string { return one(fmt.Sprintf(`{"form":"text","value":%q}`, v)) }
	role := func(r, n string) string { return one(fmt.Sprintf(`{"form":"role","role":%q,"name":%q}`, r, n)) }
	tests := []struct{ name, target, want string }{
		{"name, hidden and inert ones left out", name("Save"), "save"},
		{"name is case-sensitive", name("save"), "not_found"},
		{"name of several", name("Edit"), "ambiguous 2"},
		{"name of a heading where no control has it", name("Orders"), "h"},
		{"name of an image", name("Our logo"), "logo"},
		{"role and name", role("button", "Save"), "save"},
		{"role of another kind", role("link", "Save"), "not_found"},
		{"role of a heading", role("heading", "Orders"), "h"},
		{"role img is role image", role("img", "Our logo"), "logo"},
		{"role without a name", one(`{"form":"role","role":"button"}`), "invalid_argument role"},
		{"role that is no selector", role(`x"]`, "Save"), "not_found"},
		{"role of an inherited property", role("constructor", "Save"), "not_found"},
		{"text across nodes", text("Click here now"), "across"},
		{"part of a text", text("Click here"), "not_found"},
		{"text inside, promoted", text("here"), "across"},
		{"text as transformed", text("LOUD"), "upper"},
		{"text before its transformation", text("loud"), "not_found"},
		{"text with white space", text("Just some text"), "plain"},
		{"text that is hidden", text("Nobody sees"), "not_found"},
		{"text twice in one owner", text("Twice"), "twice"},
		{"text over blocks", text("alpha beta"), "long"},
		{"text of a button input", text("Send it"), "send"},
		{"text of a label", text("I agree"), "agree"},
		{"text in a slot", text("Slotted"), "shadowbutton"},
		{"text in a shadow root", text("Shadow text"), "st"},
		{"text in a form with clobbered properties", text("Inside"), "inform"},
		{"text with pattern characters", text("(a+)[$"), "not_found"},
		{"css", css("#save"), "save"},
		{"css of a hidden element", css("#hid"), "hid"},
		{"css in a shadow root", css("button.deep"), "shadowbutton"},
		{"css into a shadow root", css("x-card button"), "shadowbutton"},
		{"css list into a shadow root", css("i, main x-card > p"), "not_found"},
		{"css with several", css("button"), "ambiguous 8"},
		{"css that is none", css("button[["), "invalid_argument css"},
		{"css with a quoted blank", css(`[data-testid="a b"]`), "not_found"},
		{"label", one(`{"form":"label","value":"Email"}`), "mail"},
		{"label about its field", one(`{"form":"label","value":"Phone"}`), "phone"},
		{"placeholder", one(`{"form":"placeholder","value":"you@example.org"}`), "mail"},
		{"testid", one(`{"form":"testid","value":"box"}`), "box"},
		{"testid with a quote", one(`{"form":"testid","value":"\"]"}`), "not_found"},
		{"within", one(`{"form":"name","value":"Delete","within":{"form":"css","value":"#r2"}}`), "del2"},
		{"within a named row",
			one(`{"form":"name","value":"Delete","within":{"form":"role","role":"row","name":"Bob's"}}`), "del2"},
		{"within an ambiguous one",
			one(`{"form":"name","value":"Delete","within":{"form":"css","value":"td"}}`), "ambiguous 4"},
		{"within a missing one", one(`{"form":"name","value":"Delete","within":{"form":"css","value":"#no"}}`), "not_found"},
		{"within a host", one(`{"form":"css","value":"button","within":{"form":"css","value":"x-card"}}`), "shadowbutton"},
		{"text within", one(`{"form":"text","value":"Delete","within":{"form":"css","value":"#r2"}}`), "del2"},
		{"text within its owner", one(`{"form":"text","value":"here","within":{"form":"css","value":"#across"}}`), ""},
		{"within a form", one(`{"form":"name","value":"Inside","within":{"form":"css","value":"#f"}}`), "inform"},
		{"first of a chain", `{"chain":[{"form":"name","value":"Nope"},{"form":"css","value":"#box"}]}`, "box"},
		{"a chain stops at ambiguity",
			`{"chain":[{"form":"name","value":"Edit"},{"form":"css","value":"#box"}]}`, "ambiguous 2"},
		{"a chain of misses", `{"chain":[{"form":"name","value":"Nope"},{"form":"name","value":"No"}]}`, "not_found"},
		{"ordinal 0", one(`{"form":"ordinal","n":0}`), "invalid_argument ordinal"},
		{"ordinal before any list", one(`{"form":"ordinal","n":1}`), "not_found ordinal"},
		{"a form that is none", one(`{"form":"xpath"}`), "invalid_argument form"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result := p.run("resolve", `{"client":"c","target":`+tt.target+`}`)
			got := told(result)
			if got == "ok" {
				got = result["key"].(string)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s (%v)", got, tt.want, result)
			}
		})
	}
}

func TestResolveNode(t *testing.T) {
	c := startChromium(t)
	const page = `<!doctype html><ul><li>Ada <button id=x>Delete</button></li><li>Bob <button>Delete</button></li></ul>`
	tests := []struct{ name, change, target, client, want string }{
		{"as shown", "", `{"form":"node","id":1,"guard":true}`, "c", "x"},
		{"ordinal", "", `{"form":"ordinal","n":1}`, "c", "x"},
		{"never shown to this client", "", `{"form":"node","id":1,"guard":true}`, "d", "stale_reference unknown"},
		{"no such node", "", `{"form":"node","id":99,"guard":true}`, "c", "stale_reference unknown"},
		{"without guard", "x.textContent = 'Keep'", `{"form":"node","id":1,"guard":false}`, "c", "x"},
		{"without guard, never shown to this client", "", `{"form":"node","id":1,"guard":false}`, "d", "stale_reference unknown"},
		{"known to the caller", "", `{"form":"node","id":1,"known":true}`, "d", "x"},
		{"renamed", "x.textContent = 'Keep'", `{"form":"node","id":1,"guard":true}`, "c", "stale_reference changed"},
		{"ordinal renamed", "x.textContent = 'Keep'", `{"form":"ordinal","n":1}`, "c", "stale_reference changed"},
		{"disabled", "x.disabled = true", `{"form":"node","id":1,"guard":true}`, "c", "stale_reference changed"},
		{"focused", "x.focus()", `{"form":"node","id":1,"guard":true}`, "c", "x"},
		{"another record", "x.previousSibling.data = 'Eve '", `{"form":"node","id":1,"guard":true}`, "c",
			"stale_reference context"},
		{"gone", "x.remove()", `{"form":"node","id":1,"guard":true}`, "c", "detached"},
		{"gone, in a chain", "x.remove()", `{"form":"node","id":1,"guard":true},{"form":"name","value":"Delete"}`, "c",
			"detached"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, page)
			p.run("observe", `{"client":"c"}`)
			if tt.change != "" {
				p.page(tt.change + "; 0")
			}
			result := p.run("resolve", `{"client":"`+tt.client+`","target":`+one(tt.target)+`}`)
			got := told(result)
			if got == "ok" {
				got = result["key"].(string)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCandidates(t *testing.T) {
	c := startChromium(t)
	filler := strings.Repeat("the same words again ", 30)
	p := openAct(t, c, `<!doctype html><nav><ul>`+
		`<li>Ada <button>Delete</button></li><li>`+filler+`tail one <button>Delete</button></li>`+
		`<li>`+filler+`tail two <button>Delete</button></li></ul></nav>`+
		`<div style="position:absolute;left:40px;top:300px"><button>Delete</button></div>`+
		`<div style="position:absolute;left:40px;top:400px"><button>Delete</button></div>`)
	result := p.run("resolve", `{"client":"c","target":`+one(`{"form":"name","value":"Delete"}`)+`}`)
	candidates := result["fail"].(map[string]any)["candidates"].([]any)
	if len(candidates) != 5 {
		t.Fatalf("got %d candidates, want 5", len(candidates))
	}
	seen := map[string]bool{}
	for i, raw := range candidates {
		candidate := raw.(map[string]any)
		size := 0
		for _, key := range []string{"role", "name", "text", "region", "nearby"} {
			part, _ := candidate[key].(string)
			size += len(part)
		}
		nearby, _ := candidate["nearby"].(string)
		if size > 160 || nearby == "" || seen[nearby] {
			t.Errorf("candidate %d is too long or like another: %d bytes, %v", i, size, candidate)
		}
		seen[nearby] = true
		id := fmt.Sprint(candidate["id"])
		again := p.run("resolve", `{"client":"c","target":`+one(`{"form":"node","guard":true,"id":`+id+`}`)+`}`)
		if told(again) != "ok" {
			t.Errorf("the reference of candidate %d does not resolve: %v", i, again)
		}
	}
}
