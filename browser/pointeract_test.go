package browser_test

import (
	"encoding/json/v2"
	"slices"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// seen is what the page of countEvents has seen, kinds only, without moves.
func (tb *tab) seen() []string {
	tb.Helper()
	var all, kinds []string
	if err := json.Unmarshal([]byte(tb.eval("seen")), &all); err != nil {
		tb.Fatal(err)
	}
	for _, e := range all {
		if kind, _, _ := strings.Cut(e, "@"); !slices.Contains([]string{"pointermove", "mousemove"}, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func TestClickForms(t *testing.T) {
	all := open(t)
	const html = `<button id=b>Save</button><script>
		const say = e => log([e.type, e.button, e.detail, e.ctrlKey ? 'C' : '', e.shiftKey ? 'S' : '', e.altKey ? 'A' : '', e.metaKey ? 'M' : ''].join(' ').trim());
		for (const kind of ['click', 'auxclick', 'dblclick', 'contextmenu']) b.addEventListener(kind, e => { e.preventDefault(); say(e) })</script>`
	click := func(in browser.ClickInput) func(*tab) error {
		return func(tb *tab) error { in.Target = "name=Save"; return only(tb.rt.Click(tb.ctx, tb.call, in)) }
	}
	for _, c := range []struct {
		name string
		do   func(*tab) error
		want []string
	}{
		{"plain", click(browser.ClickInput{}), []string{"click 0 1"}},
		{"right", click(browser.ClickInput{Button: "right"}), []string{"contextmenu 2 0", "auxclick 2 1"}},
		{"middle", click(browser.ClickInput{Button: "middle"}), []string{"auxclick 1 1"}},
		{"modifiers", click(browser.ClickInput{Modifiers: "Control+Shift"}), []string{"click 0 1 C S"}},
		{"alt", click(browser.ClickInput{Modifiers: "alt"}), []string{"click 0 1   A"}},
		{"count 2", click(browser.ClickInput{Count: 2}), []string{"click 0 1", "click 0 2", "dblclick 0 2"}},
		{"count 3", click(browser.ClickInput{Count: 3}), []string{"click 0 1", "click 0 2", "dblclick 0 2", "click 0 3"}},
		{"double click", func(tb *tab) error {
			return only(tb.rt.DoubleClick(tb.ctx, tb.call, browser.DoubleClickInput{Target: "name=Save"}))
		}, []string{"click 0 1", "click 0 2", "dblclick 0 2"}},
		{"at a position", func(tb *tab) error {
			p, err := tb.rt.Preflight(tb.ctx, tb.call, browser.PreflightInput{Target: "name=Save"})
			if err != nil {
				return err
			}
			return only(tb.rt.ClickAt(tb.ctx, tb.call, browser.ClickAtInput{X: p.Point.X, Y: p.Point.Y}))
		}, []string{"click 0 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(html)
			if err := c.do(tb); err != nil {
				t.Fatal(err)
			}
			log := tb.site.until(t, "events", func(log []string) bool { return len(log) >= len(c.want) })
			slices.Sort(log) // reports may overtake each other
			want := slices.Sorted(slices.Values(c.want))
			if !slices.Equal(log, want) {
				t.Errorf("the page saw %q, want %q", log, want)
			}
		})
	}
}

// Bad arguments are refused before anything is sent.
func TestBadPointerArguments(t *testing.T) {
	tb := open(t)
	tb.show(countEvents + `<button>Save</button>`)
	for name, err := range map[string]error{
		"modifiers":         only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Save", Modifiers: "Hyper"})),
		"empty target":      only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{})),
		"ordinal 0":         only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "ordinal=0"})),
		"role alone":        only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "role=button"})),
		"bare string":       only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "Save"})),
		"unreadable css":    only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "css=a[["})),
		"key":               only(tb.rt.Key(tb.ctx, tb.call, browser.KeyInput{Key: "NoSuchKey"})),
		"shortcut":          only(tb.rt.Shortcut(tb.ctx, tb.call, browser.ShortcutInput{Keys: "Hyper+K"})),
		"scroll to nowhere": only(tb.rt.Scroll(tb.ctx, tb.call, browser.ScrollInput{})),
	} {
		if f, ok := err.(*contract.Failure); !ok || f.Kind != contract.InvalidArgument || !f.BeforeDispatch() {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := tb.rt.ClickAt(tb.ctx, tb.call, browser.ClickAtInput{X: 5000, Y: 5})
	failure(t, err, contract.OutsideViewport)
	if seen := tb.inputBefore(); len(seen) > 0 {
		t.Errorf("the page saw %v", seen)
	}
}

// The page sees a plain hover, and no release of a button that was never pressed.
func TestHoverIsPlain(t *testing.T) {
	tb := open(t)
	tb.show(countEvents + `<style>#menu { display: none } #m:hover > #menu { display: block }</style>
		<div id=m><button>Products</button><div id=menu><a href=#x onclick="log('tools')">Tools</a></div></div>`)
	tb.observe()
	r, err := tb.rt.Hover(tb.ctx, tb.call, browser.HoverInput{Target: "name=Products"})
	if err != nil {
		t.Fatal(err)
	}
	seen := tb.seen()
	if !slices.Contains(seen, "mouseover") || slices.ContainsFunc(seen, func(s string) bool { return s != "mouseover" && s != "pointerover" }) {
		t.Errorf("the page saw %v", seen)
	}
	if r.Delta == nil || len(r.Delta.Added) != 1 || r.Delta.Added[0].Name != "Tools" {
		t.Errorf("delta %+v", r.Delta)
	}
	tb.click("name=Tools")
	tb.wantLog("tools")
}

// Fast sends no more than it needs; human moves on a curve.
func TestMotion(t *testing.T) {
	for _, c := range []struct {
		interaction string
		min, max    int
	}{{"fast", 1, 2}, {"human", 10, 40}} {
		t.Run(c.interaction, func(t *testing.T) {
			tb := open(t)
			tb.call.Options = []byte(`{"interaction":"` + c.interaction + `"}`)
			tb.show(countEvents + `<button style="position:fixed;left:600px;top:400px" onclick="log('save')">Save</button>
				<script>window.path = []; addEventListener('mousemove', e => path.push([e.clientX, e.clientY]), true)</script>`)
			tb.click("name=Save")
			tb.wantLog("save")
			var path [][2]float64
			if err := json.Unmarshal([]byte(tb.eval("path")), &path); err != nil {
				t.Fatal(err)
			}
			if len(path) < c.min || len(path) > c.max {
				t.Errorf("%d moves: %v", len(path), path)
			}
			if c.interaction != "human" {
				return
			}
			end, straight := path[len(path)-1], true
			for _, p := range path {
				if d := p[0]*end[1] - p[1]*end[0]; d > 2000 || d < -2000 {
					straight = false
				}
			}
			if straight {
				t.Errorf("a straight line: %v", path)
			}
		})
	}
}

// Preflight touches nothing: no scroll, no focus, no event, no revision.
func TestPreflightTouchesNothing(t *testing.T) {
	tb := open(t)
	tb.show(countEvents + `<button>Near</button><div style="height:4000px"></div><button>Far</button><button disabled>Off</button>`)
	pc := tb.observe()
	p, err := tb.rt.Preflight(tb.ctx, tb.call, browser.PreflightInput{Target: ref(t, pc, "Near")})
	if err != nil || !p.Ready || p.Revision != pc.Revision {
		t.Errorf("near: %+v %v", p, err)
	}
	_, err = tb.rt.Preflight(tb.ctx, tb.call, browser.PreflightInput{Target: "name=Far"})
	failure(t, err, contract.OutsideViewport)
	_, err = tb.rt.Preflight(tb.ctx, tb.call, browser.PreflightInput{Target: "name=Off"})
	failure(t, err, contract.Disabled)
	if tb.eval("scrollY") != "0" || tb.observe().Revision != pc.Revision {
		t.Error("something moved")
	}
	if seen := tb.inputBefore(); len(seen) > 0 {
		t.Errorf("the page saw %v", seen)
	}
}

func TestScroll(t *testing.T) {
	all := open(t)
	for _, c := range []struct {
		name, check, want string
		in                browser.ScrollInput
	}{
		{"by pixels", "scrollY", "400", browser.ScrollInput{DY: 400}},
		{"to the bottom", "Math.round(scrollY + innerHeight) >= document.documentElement.scrollHeight - 1", "true", browser.ScrollInput{To: "bottom"}},
		{"a page", "scrollY > 300 && scrollY <= innerHeight", "true", browser.ScrollInput{By: "page"}},
		{"into view", "far.getBoundingClientRect().top < innerHeight && far.getBoundingClientRect().top >= 0", "true", browser.ScrollInput{Target: "name=Far"}},
		{"a part", "box.scrollTop", "100", browser.ScrollInput{Target: "css=#box", DY: 100}},
		{"beyond the end", "scrollY < 9000", "true", browser.ScrollInput{DY: 90000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(`<div id=box style="height:100px;overflow:auto"><div style="height:900px">part</div></div><div style="height:4000px"></div>
				<button id=far>Far</button><div style="height:500px"></div>`)
			r, err := tb.rt.Scroll(tb.ctx, tb.call, c.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := tb.eval(c.check); got != c.want {
				t.Errorf("%s is %s, want %s; evidence %+v", c.check, got, c.want, r.Evidence.ScrolledBy)
			}
		})
	}
}
