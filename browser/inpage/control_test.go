package inpage

import (
	"slices"
	"strings"
	"testing"
)

// ids evaluates a test on every element with an id and gives the ids for which it is true, in document order.
func (c *chromium) ids(t *testing.T, test string) []string {
	t.Helper()
	var out []string
	c.eval(t, `[...document.querySelectorAll('[id]')].filter(el => `+test+`).map(el => el.id)`, &out)
	return out
}

func TestControls(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<style>.p{cursor:pointer}</style>
		<a id=link href=#>l</a><a id=noLink>n</a><button id=button>b</button><input id=field>
		<input id=hidden type=hidden><select id=select><option id=option>o</select>
		<textarea id=area></textarea><details id=details><summary id=summary>s</summary>
		<summary id=second>s2</summary></details>
		<div id=editor contenteditable>e<div id=inner contenteditable>i</div></div>
		<div id=roleButton role=button>r</div><div id=roleNone role=note>n</div>
		<div id=tabbable tabindex=0>scroller</div><div id=handler onclick="1">h</div>
		<div id=pointer class=p>p <b id=inPointer>x</b></div>
		<label id=label class=p>l <input id=labelled></label><a href=# id=around class=p>
		<span id=inLink class=p>x</span></a>
		<video id=video controls></video><audio id=audio></audio><iframe id=frame></iframe>
		<div role=listbox id=listbox tabindex=0><div role=option id=ariaOption>o</div></div>
		<div role=combobox id=oldCombo><input id=comboField></div><div role=grid><div role=row>
		<div role=gridcell id=cell>c</div><div role=gridcell id=tabCell tabindex=0>c</div></div></div>
		<map><area id=areaLink href=#></map><input id=disabled disabled>
		<div role=tabpanel tabindex=0 id=panel>p</div><div id=expander tabindex=0 aria-expanded=false>x</div>
		<svg><a id=svgLink href=#><text>t</text></a></svg>`)
	want := strings.Fields(`link button field select area summary editor roleButton handler pointer labelled around video
		listbox ariaOption comboField tabCell areaLink disabled expander svgLink`)
	if got := c.ids(t, `glass.isControl(el)`); !slices.Equal(got, want) {
		t.Errorf("controls\n got %q\nwant %q", got, want)
	}
	missed := c.ids(t, `glass.isControl(el) && !el.matches(glass.CONTROL_SELECTOR)`)
	if !slices.Equal(missed, []string{"pointer"}) { // only its cursor says so
		t.Errorf("the selector misses %q", missed)
	}
	if got := c.ids(t, `glass.statesOf(el).includes('clickable')`); !slices.Equal(got, []string{"handler", "pointer", "expander"}) {
		t.Errorf("clickable: %q", got)
	}
}

func TestOwnStates(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<input id=a value=x><input id=b><textarea id=c>t</textarea><div id=d contenteditable>text</div>
		<div id=e contenteditable></div>
		<input id=f type=checkbox value=x><a href=# id=g aria-current=page>h</a>
		<a href=# id=h aria-current=false>h</a><input id=i type=date value=2026-01-02>
		<input id=j type=password value=p>`)
	if got := c.ids(t, `glass.statesOf(el).includes('filled')`); !slices.Equal(got, []string{"a", "c", "d", "i", "j"}) {
		t.Errorf("filled: %q", got)
	}
	if got := c.ids(t, `glass.statesOf(el).includes('current')`); !slices.Equal(got, []string{"g"}) {
		t.Errorf("current: %q", got)
	}
}

func TestValues(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<select id=a><option>One<option selected>Two</select><select id=b multiple>
		<option selected>x<option selected label=Why>y</select>
		<input id=c type=range value=30><input id=d type=number value=4><progress id=e value=.5></progress>
		<meter id=f value=.25></meter>
		<input id=g value=typed><textarea id=h>typed</textarea><input id=i type=password value=p>
		<div role=slider id=j aria-valuenow=3 aria-valuetext=three>s</div>
		<div role=spinbutton id=k aria-valuenow=7 tabindex=0>7</div>
		<input id=l type=number autocomplete=cc-csc value=123><progress id=m></progress>
		<input id=n type=checkbox value=v>`)
	for id, want := range map[string]string{
		"a": "Two", "b": "x, Why", "c": "30", "d": "4", "e": "0.5", "f": "0.25", "g": "-", "h": "-", "i": "-", "j": "three", "k": "7",
		"l": "-", "m": "-", "n": "-",
	} {
		var got string
		c.eval(t, `glass.valueOf(document.getElementById(`+js(id)+`)) ?? '-'`, &got)
		if got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestSensitive(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<input id=y1 type=password><input id=y2 autocomplete=one-time-code>
		<input id=y3 autocomplete="section-a cc-number"><input id=y4 name=cardNumber>
		<input id=y5 name=card_number><input id=y6 name=cvv><input id=y7 name="user[password]">
		<input id=y8 name=otp-1><input id=y9 style="-webkit-text-security:disc">
		<input id=y10 name=apiToken><input id=y11 placeholder="Security code">
		<select id=y12 autocomplete=cc-exp-month><option>1</select><input id=y13 autocomplete=new-password type=text>
		<div id=y14 contenteditable data-testid=secret-note></div><input id=y15 aria-label="Card number">
		<input id=n1 name=name><input id=n2 name=cardigan><input id=n3 name=passenger><input id=n4 name=shipping>
		<input id=n5 autocomplete=email><input id=n6 name=spinner>
		<input id=n7 name=discard><button id=n8 name=token>b</button><input id=n9 name=compass>
		<input id=n10 name=pinterest>`)
	for _, id := range c.ids(t, `glass.isSensitive(el) !== el.id.startsWith('y')`) {
		t.Errorf("%s is judged wrong", id)
	}
}

func TestSeenElements(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<style>body{margin:0;position:relative}.f{position:fixed}</style>
		<button id=y1>plain</button><div style="opacity:0"><button id=n1>clear</button></div>
		<button id=n2 style="visibility:hidden">v</button><div inert><button id=n3>i</button></div>
		<button id=n4 style="position:absolute;left:-500px">l</button>
		<button id=y2 style="position:absolute;top:3000px">far</button>
		<button id=n5 class=f style="left:5000px">f</button>
		<div style="overflow:hidden;height:0"><button id=n6>clipped</button></div>
		<div style="overflow:auto;height:20px"><div style="height:300px"></div><button id=y3>scrollable</button></div>
		<a href=# id=n7 style="display:block;height:1px;overflow:hidden">hairline</a><a href=# id=y4>
		<img width=20 height=20 style="float:left"></a><a href=# id=n8></a>
		<details><summary id=y5>s</summary><button id=n9>in closed</button></details>
		<button id=y6 style="display:contents">contents</button><div hidden=until-found id=n10>
		<button id=n11>u</button></div>
		<div style="clip-path:inset(100%)"><button id=n12>c</button></div>
		<div style="position:relative;overflow:hidden;width:100px;height:30px">
		<button id=n13 style="position:absolute;left:200px">out</button></div>
		<div style="content-visibility:hidden"><button id=n14>skipped</button></div>`)
	for _, id := range c.ids(t, `glass.isSeen(el, glass.newPass()) !== el.id.startsWith('y')`) {
		t.Errorf("%s is judged wrong", id)
	}
	rendered := c.ids(t, `glass.isRendered(el)`)
	for _, id := range []string{"n2", "n8", "n9", "n10", "n11", "n14"} {
		if slices.Contains(rendered, id) {
			t.Errorf("%s is called rendered", id)
		}
	}
	c.open(t, `<button id=n1>behind</button><dialog id=y1><button id=y2>in</button></dialog>
		<script>y1.showModal()</script>`)
	for _, id := range c.ids(t, `glass.isSeen(el) !== el.id.startsWith('y')`) {
		t.Errorf("with a modal dialog %s is judged wrong", id)
	}
}
