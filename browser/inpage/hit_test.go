package inpage

import (
	"os"
	"strings"
	"testing"
)

// Every element to press has the id x; the page counts the clicks that reach it, or a part of it.
const countClicks = `<script>
window.clicks = 0;
addEventListener('click', (event) => {
  if (event.composedPath().includes(document.getElementById('x'))) clicks++;
}, true);
</script>`

type pressCase struct{ name, want, html string }

func pressCases(t *testing.T) (cases []pressCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/act/press.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n=== ")[1:] {
		lines := strings.SplitN(part, "\n", 3)
		cases = append(cases, pressCase{lines[0], lines[1], lines[2]})
	}
	return cases
}

func TestPreparePress(t *testing.T) {
	c := startChromium(t)
	for _, tt := range pressCases(t) {
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
				`<iframe style=&quot;margin:20px;border:3px solid&quot; `+
				`srcdoc=&quot;<!doctype html>`+inner+`&quot;></iframe>"></iframe>`+tt.extra)
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
		`<input id=p type=password><select id=s><option>1</select>`+
		`<div id=b role=switch tabindex=0 aria-checked=mixed>b</div>`)
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

// By timer and by frame: which of them a busy browser runs is its choice.
const everyTime = `const all = (step) => {
  let n = 0;
  setInterval(() => step(++n), 1);
  (function frame() { step(++n); requestAnimationFrame(frame); })();
};`

// Once the script has been there for a while, a page at rest is pressed at once; what began to move is noticed.
func TestPrepareNoticesMotion(t *testing.T) {
	c := startChromium(t)
	tests := []struct{ name, begin, want string }{
		{"at rest", "", "ok"},
		{"a style written once", "x.style.color = 'red'", "ok"},
		{"a style written all the time", "all(n => { x.style.left = n % 300 + 'px' })", "unstable_geometry"},
		{"the same about it", "all(n => { d.style.marginTop = n % 300 + 'px' })", "unstable_geometry"},
		{"a scroller about it that goes on", "all(n => { s.scrollTop = n % 100 })", "unstable_geometry"},
		{"an animation of the web", "x.animate({left: ['0', '400px']}, {duration: 3000, iterations: Infinity})",
			"unstable_geometry"},
		{"a paused one", "x.animate({left: ['0', '400px']}, {duration: 3000, iterations: Infinity}).pause()", "ok"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openAct(t, c, `<!doctype html><div id=s style="height:300px;overflow:auto"><div id=d style="height:600px">`+
				`<button id=x style="position:relative;top:120px">Go</button></div></div>`)
			// This takes its time, as long as the script is suspicious of a page that it has just met.
			p.run("wait", `{"client":"c","kind":"text","text":"never","timeoutMs":150}`)
			p.page(everyTime + tt.begin + "; 0")
			p.run("wait", `{"client":"c","kind":"text","text":"never","timeoutMs":40}`)
			// A busy browser may owe the event of a scroll for longer than the script remembers one: recheck sees to
			// that in an action; here the next call does.
			got := ""
			for tries := 0; got != tt.want && tries < 20; tries++ {
				got = told(p.prepare(css("#x")))
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
