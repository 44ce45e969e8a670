package inpage

import (
	"testing"
)

// Every element to press has the id x; the page counts the clicks that reach it, or a part of it.
const countClicks = `<script>
window.clicks = 0;
addEventListener('click', (event) => {
  if (event.composedPath().includes(document.getElementById('x'))) clicks++;
}, true);
</script>`

func TestPreparePress(t *testing.T) {
	c := startChromium(t)
	tests := []struct{ name, html, want string }{
		{"plain", `<button id=x>Go</button>`, "ok"},
		{"part of it on top", `<button id=x><b>Go</b></button>`, "ok"},
		{"far below", `<div style="height:3000px"></div><button id=x>Go</button><div style="height:3000px"></div>`, "ok"},
		{"far below, smooth scrolling", `<html style="scroll-behavior:smooth"><div style="height:3000px"></div><button id=x>Go</button>`, "ok"},
		{"far right", `<div style="width:4000px"><button id=x style="margin-left:3000px">Go</button></div>`, "ok"},
		{"in nested scrollers", `<div style="height:2000px"></div><div style="height:200px;overflow:auto"><div style="height:900px"></div>` +
			`<div style="height:100px;overflow:auto"><div style="height:500px"></div><button id=x>Go</button></div></div>`, "ok"},
		{"in a scroller without bars", `<div style="height:50px;overflow:hidden"><div style="height:500px"></div><button id=x>Go</button></div>`, "ok"},
		{"under a bar that stays", `<div style="position:fixed;inset:0 0 auto 0;height:100px;background:red">bar</div>` +
			`<div style="height:900px"></div><button id=x>Go</button><div style="height:3000px"></div><script>scrollTo(0, 880)</script>`, "ok"},
		{"wrapped link", `<div style="width:120px;font:16px monospace">aaaaaaaa <a id=x href="#">bbb cc</a></div>`, "ok"},
		{"link about an image", `<a id=x href="#"><img width=40 height=40 src="data:,"></a>`, "ok"},
		{"drawn by its children alone", `<a id=x href="#" style="display:contents"><span>Go there</span></a>`, "ok"},
		{"link about a floating child", `<a id=x href="#"><span style="float:left">Go there</span></a>`, "ok"},
		{"label over its field", `<div style="position:relative"><input id=x><label for=x style="position:absolute;inset:0">Name</label></div>`, "ok"},
		{"label about its field", `<label>Name <input id=x type=checkbox></label>`, "ok"},
		{"scaled", `<div style="transform:scale(.5) rotate(20deg);margin:100px"><button id=x>Go</button></div>`, "ok"},
		{"zoomed", `<div style="zoom:2;padding:50px"><button id=x>Go</button></div>`, "ok"},
		{"on a zoomed page", `<html style="zoom:1.7"><div style="padding:90px"><button id=x>Go</button></div>`, "ok"},
		{"zoomed and far below", `<html style="zoom:1.7"><div style="height:3000px"></div><button id=x>Go</button>`, "ok"},
		{"an area", `<img usemap="#m" width=200 height=100 src="data:," style="margin:30px"><map name=m><area id=x href="#" shape=rect coords="100,20,180,80"></map>`, "ok"},
		{"fixed", `<button id=x style="position:fixed;right:0;bottom:0">Go</button>`, "ok"},
		{"an opacity animation", `<style>@keyframes k{to{opacity:.5}}</style><button id=x style="animation:k 1s infinite">Go</button>`, "ok"},
		{"an animation elsewhere", `<style>@keyframes k{to{transform:translateX(300px)}}</style><p style="animation:k 1s infinite">p</p><button id=x>Go</button>`, "ok"},
		{"in a dialog", `<dialog id=d><button id=x>Go</button></dialog><script>d.showModal()</script>`, "ok"},
		{"in the upper of two dialogs", `<dialog id=d>d</dialog><dialog id=e><button id=x>Go</button></dialog><script>e.showModal(); d.showModal(); e.close(); e.showModal()</script>`, "ok"},
		{"clobbered form", `<form id=x><input name=parentNode><input name=getClientRects><input name=labels>text</form>`, "ok"},

		{"hidden", `<button id=x hidden>Go</button>`, "not_visible"},
		{"invisible", `<button id=x style="visibility:hidden">Go</button>`, "not_visible"},
		{"no area", `<div id=x></div>`, "not_visible"},
		{"disabled", `<button id=x disabled>Go</button>`, "disabled"},
		{"disabled by its fieldset", `<fieldset disabled><button id=x>Go</button></fieldset>`, "disabled"},
		{"aria-disabled", `<div role=button tabindex=0 id=x aria-disabled=true>Go</div>`, "disabled"},
		{"inside a disabled button", `<button disabled><span id=x>Go</span></button>`, "disabled"},
		{"inert", `<div inert><button id=x>Go</button></div>`, "disabled inert"},
		{"under a dialog", `<button id=x>Go</button><dialog id=d aria-label=Sure>?</dialog><script>d.showModal()</script>`, "hit_test_blocked 1"},
		{"in the lower of two dialogs", `<dialog id=d><button id=x>Go</button></dialog><dialog id=e>e</dialog><script>d.showModal(); e.showModal()</script>`, "hit_test_blocked 1"},
		{"covered", `<button id=x>Go</button><div style="position:fixed;inset:0;z-index:9">over</div>`, "hit_test_blocked 1"},
		{"takes no pointer", `<button id=x style="pointer-events:none">Go</button>`, "hit_test_blocked 1"},
		{"covered in a shadow root", `<x-a id=h></x-a><script>h.attachShadow({mode:'open'}).innerHTML='<button id=x>Go</button><div style="position:absolute;inset:0">over</div>'</script>`, "hit_test_blocked 1"},
		{"where nothing scrolls to", `<button id=x style="position:fixed;left:-500px;top:0;width:100px">Go</button>`, "outside_viewport"},
		{"above the page", `<button id=x style="position:absolute;top:-300px">Go</button>`, "outside_viewport"},
		{"moving", `<style>@keyframes k{to{transform:translateX(600px)}}</style><button id=x style="animation:k 1.5s infinite linear alternate">Go</button>`, "unstable_geometry"},
		{"in something that moves", `<style>@keyframes k{to{margin-left:600px}}</style><div style="animation:k 1.5s infinite linear alternate"><button id=x>Go</button></div>`, "unstable_geometry"},
		{"in a transition", `<button id=x style="transition:transform 60s linear">Go</button><script>x.getBoundingClientRect(); x.style.transform='translateX(9000px)'</script>`, "unstable_geometry"},
		{"moved by a script", `<button id=x style="position:relative">Go</button><script>let n=0;(function step(){x.style.left=(++n%300)+'px';requestAnimationFrame(step)})()</script>`, "unstable_geometry"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, "<!doctype html>"+tt.html+countClicks)
			result := p.prepare(css("#x"))
			if got := told(result); got != tt.want {
				t.Fatalf("got %s, want %s (%v)", got, tt.want, result)
			}
			if tt.want != "ok" {
				return
			}
			p.press(result)
			if clicks := p.page("clicks"); clicks != 1.0 {
				t.Errorf("the press at %v reached it %v times", result["point"], clicks)
			}
		})
	}
}

func TestBlockedCandidate(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><button id=x>Go</button><div role=dialog aria-label="Cookie notice" `+
		`style="position:fixed;inset:0"><div style="height:600px"><span>We use cookies</span></div></div>`)
	result := p.prepare(css("#x"))
	candidate := result["fail"].(map[string]any)["candidates"].([]any)[0].(map[string]any)
	if candidate["name"] != "Cookie notice" || candidate["role"] != "dialog" || candidate["id"] == nil {
		t.Errorf("got %v", candidate)
	}
}

func TestPrepareEdit(t *testing.T) {
	c := startChromium(t)
	tests := []struct{ name, html, want string }{
		{"text", `<input id=x>`, "ok"},
		{"textarea", `<textarea id=x></textarea>`, "ok"},
		{"contenteditable", `<div id=x contenteditable>text</div>`, "ok"},
		{"date", `<input id=x type=date>`, "ok"},
		{"readonly", `<input id=x readonly>`, "disabled readonly"},
		{"readonly on a range means nothing", `<input id=x type=range readonly>`, "ok"},
		{"aria-readonly", `<div id=x contenteditable aria-readonly=true>text</div>`, "disabled readonly"},
		{"disabled", `<input id=x disabled>`, "disabled"},
		{"button", `<button id=x>Go</button>`, "verification_failed not_editable"},
		{"checkbox", `<input id=x type=checkbox>`, "verification_failed not_editable"},
		{"hidden", `<input id=x style="display:none">`, "not_visible"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, "<!doctype html>"+tt.html)
			result := p.run("prepare", `{"client":"c","need":"focus","edit":true,"target":`+css("#x")+`}`)
			if got := told(result); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPrepareContext(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><ul><li><span id=price>$5</span> <button id=x>Buy</button></li></ul>`)
	p.run("observe", `{"client":"c"}`)
	args := `{"client":"c","need":"pointer","expectCtx":true,"target":` + css("#x") + `}`
	if got := told(p.run("prepare", args)); got != "ok" {
		t.Errorf("as shown: got %s", got)
	}
	p.page("price.textContent = '$50'")
	if got := told(p.run("prepare", args)); got != "stale_revision context" {
		t.Errorf("after the price rose: got %s", got)
	}
}

func TestPreflightTouchesNothing(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><div style="height:3000px"></div><button id=x>Go</button>`)
	result := p.run("preflight", `{"client":"c","need":"pointer","scroll":true,"target":`+css("#x")+`}`)
	if got := told(result); got != "outside_viewport" {
		t.Errorf("got %s", got)
	}
	if y := p.page("scrollY"); y != 0.0 {
		t.Errorf("scrolled to %v", y)
	}
}

func TestRecheck(t *testing.T) {
	c := startChromium(t)
	tests := []struct{ name, change, want string }{
		{"as prepared", "0", "ok"},
		{"moved a little", "x.style.marginLeft = '0.5px'", "ok"},
		{"moved", "x.style.marginLeft = '5px'", "geometry_changed"},
		{"scrolled", "document.body.style.height = '3000px'; scrollTo(0, 3)", "geometry_changed"},
		{"covered", "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0\"></div>')",
			"hit_test_blocked 1"},
		{"disabled", "x.disabled = true", "disabled"},
		{"gone", "x.remove()", "detached"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, `<!doctype html><button id=x>Go</button>`)
			result := p.prepare(css("#x"))
			p.page(tt.change + "; 0")
			got := told(p.run("recheck", `{"id":`+object(result["id"])+`,"point":`+object(result["point"])+`}`))
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A press into nested frames of the same origin lands where the outermost one says.
func TestPrepareInFrames(t *testing.T) {
	c := startChromium(t)
	const inner = `<button id='x' onclick='top.clicks = (top.clicks || 0) + 1'>Go</button>`
	tests := []struct{ name, style, extra, want string }{
		{"plain", "", "", "ok"},
		{"border and padding", "border:7px solid;padding:11px", "", "ok"},
		{"scaled", "transform:scale(.5)", "", "ok"},
		{"zoomed", "zoom:1.5", "", "ok"},
		{"far below", "margin-top:4000px", "", "ok"},
		{"covered", "", `<div style="position:fixed;inset:0;z-index:1">over</div>`, "hit_test_blocked frame 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, `<!doctype html><iframe style="width:500px;height:300px;`+tt.style+`" srcdoc="<!doctype html>`+
				`<iframe style=&quot;margin:20px;border:3px solid&quot; srcdoc=&quot;<!doctype html>`+inner+`&quot;></iframe>"></iframe>`+tt.extra)
			child := p.childFrame(0, 0)
			result := child.prepare(css("#x"))
			if got := told(result); got != tt.want {
				t.Fatalf("got %s, want %s (%v)", got, tt.want, result)
			}
			if tt.want != "ok" {
				return
			}
			child.press(result)
			if clicks := p.page("window.clicks"); clicks != 1.0 {
				t.Errorf("the press at %v + %v reached it %v times", result["point"], result["frameOffset"], clicks)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	c := startChromium(t)
	p := openAct(t, c, `<!doctype html><label><input id=c type=checkbox checked> Yes</label><a id=a href="#">Link</a>`+
		`<input id=p type=password><select id=s><option>1</select><div id=b role=switch tabindex=0 aria-checked=mixed>b</div>`)
	tests := []struct {
		id, field string
		want      any
	}{
		{"c", "checked", true}, {"c", "name", "Yes"}, {"c", "type", "checkbox"}, {"c", "editable", false},
		{"a", "href", true}, {"a", "role", "link"}, {"a", "checked", nil},
		{"p", "sensitive", true}, {"p", "editable", true},
		{"s", "opensPicker", true}, {"s", "kind", "select"}, {"b", "checked", "mixed"},
	}
	for _, tt := range tests {
		result := p.prepare(css("#" + tt.id))
		if got := result[tt.field]; got != tt.want {
			t.Errorf("%s of #%s: got %v, want %v", tt.field, tt.id, got, tt.want)
		}
	}
}
