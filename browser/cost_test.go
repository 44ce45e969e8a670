package browser_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
)

// The hot path is pinned in sequential round trips (browser.md §9).
func TestRoundTrips(t *testing.T) {
	tb := open(t)
	tb.show(`<form onsubmit="log('sent'); return false"><input aria-label=Name><input type=checkbox aria-label=Yes>
		<select aria-label=Size><option>S<option>M</select><button>Save</button></form><p id=p>Hello</p>`)
	tb.observe()
	touch := func() { tb.eval("p.textContent += '!'; 1") }
	for _, c := range []struct {
		name   string
		change func()
		do     func() error
		most   int
	}{
		{"observe", touch, func() error { return only(tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{})) }, 1},
		{"observe again", nil, func() error { return only(tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{})) }, 1},
		{"find", touch, func() error { return only(tb.rt.Find(tb.ctx, tb.call, browser.FindInput{Query: "save"})) }, 1},
		{"get text", touch, func() error { return only(tb.rt.GetText(tb.ctx, tb.call, browser.TextInput{})) }, 1},
		{"preflight", touch, func() error {
			return only(tb.rt.Preflight(tb.ctx, tb.call, browser.PreflightInput{Target: "name=Save"}))
		}, 1},
		{"click", touch, func() error { return only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Save"})) }, 5},
		{"double click", touch, func() error {
			return only(tb.rt.DoubleClick(tb.ctx, tb.call, browser.DoubleClickInput{Target: "name=Save"}))
		}, 5},
		{"hover", touch, func() error { return only(tb.rt.Hover(tb.ctx, tb.call, browser.HoverInput{Target: "name=Save"})) }, 5},
		{"type", touch, func() error {
			return only(tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Target: "name=Name", Text: "Ada"}))
		}, 5},
		{"check", touch, func() error { return only(tb.rt.Check(tb.ctx, tb.call, browser.CheckInput{Target: "name=Yes"})) }, 6},
		{"select", touch, func() error {
			return only(tb.rt.Select(tb.ctx, tb.call, browser.SelectInput{Target: "name=Size", Value: "M"}))
		}, 8},
		{"key", touch, func() error { return only(tb.rt.Key(tb.ctx, tb.call, browser.KeyInput{Key: "Tab"})) }, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.change != nil {
				c.change()
			}
			var err error
			rounds, _, sent := traffic.of(func() { err = c.do() })
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d round trips: %v", rounds, sent)
			if rounds > c.most || rounds < 1 {
				t.Errorf("%d round trips, at most %d: %v", rounds, c.most, sent)
			}
		})
	}
}

// The first observation of a document may make its world and load the script.
func TestFirstObservationRoundTrips(t *testing.T) {
	tb := open(t)
	tb.show(`<button>Save</button>`)
	tb.later("location.href = '/page?again'")
	tb.wait("url=" + tb.site.URL + "/page?again")
	rounds, _, sent := traffic.of(func() { tb.observe() })
	if rounds > 4 {
		t.Errorf("%d round trips: %v", rounds, sent)
	}
}

// A cached answer is never an old one.
func TestCacheIsNeverStale(t *testing.T) {
	all := open(t)
	for _, c := range []struct {
		name, change string
		want         func(pc *browser.PageContext) bool
	}{
		{"text", "p.firstChild.data = 'Bye'", func(pc *browser.PageContext) bool { return strings.Contains(pc.Text, "Bye") }},
		{"part scrolled", "box.scrollTop = 5000; new Promise(done => box.onscroll = () => done(1))", nil},
		{"page scrolled", "scrollTo(0, 3000)", nil},
		{"hidden by class", "p.className = 'off'", func(pc *browser.PageContext) bool { return !strings.Contains(pc.Text, "Hello") }},
		{"hidden by a style sheet's rule", "document.styleSheets[0].insertRule('#p { display: none }'); 1",
			func(pc *browser.PageContext) bool { return !strings.Contains(pc.Text, "Hello") }},
		{"control hidden by a style sheet's rule", "document.styleSheets[0].insertRule('#b { display: none }'); 1",
			func(pc *browser.PageContext) bool { return len(pc.Controls) == 4 }},
		{"value set", "n.value = 'x'", func(pc *browser.PageContext) bool { return has(pc, "Name", "filled") }},
		{"checked by script", "c.checked = true", func(pc *browser.PageContext) bool { return has(pc, "Yes", "checked") }},
		{"selected by script", "s.selectedIndex = 1", func(pc *browser.PageContext) bool { return valueOf(pc, "Size") == "M" }},
		{"range set", "r.value = 70", func(pc *browser.PageContext) bool { return valueOf(pc, "Volume") == "70" }},
		{"disabled", "b.disabled = true", func(pc *browser.PageContext) bool { return has(pc, "Save", "disabled") }},
		{"focused", "b.focus()", func(pc *browser.PageContext) bool { return has(pc, "Save", "focused") }},
		{"title", "document.title = 'Other'", func(pc *browser.PageContext) bool { return pc.Page.Title == "Other" }},
		{"title of equal length", "document.title = 'Tesu'", func(pc *browser.PageContext) bool { return pc.Page.Title == "Tesu" }},
		{"url", "history.pushState(0, '', '/page2'); 1", func(pc *browser.PageContext) bool { return strings.HasSuffix(pc.Page.URL, "/page2") }},
		{"url of equal length", "history.replaceState(0, '', '/pagf'); 1", func(pc *browser.PageContext) bool { return strings.HasSuffix(pc.Page.URL, "/pagf") }},
		{"shadow text", "h.shadowRoot.firstChild.data = 'Shade'", func(pc *browser.PageContext) bool { return strings.Contains(pc.Text, "Shade") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(`<style>.off { display: none }</style><p id=p>Hello</p><div id=h></div><input id=n aria-label=Name>
				<input id=c type=checkbox aria-label=Yes><select id=s aria-label=Size><option>S<option>M</select>
				<input id=r type=range aria-label=Volume><button id=b>Save</button>
				<div id=box style="height:80px;overflow:auto" tabindex=0 aria-label=Box role=group><p style="height:9000px">far</p></div>
				<div style="height:9000px"></div><script>h.attachShadow({mode: 'open'}).innerHTML = 'Light'</script>`)
			first := tb.observe()
			again := tb.observe()
			if first.Cached || !again.Cached {
				t.Fatalf("cached %v, then %v", first.Cached, again.Cached)
			}
			tb.eval(c.change)
			after := tb.observe()
			if after.Cached {
				t.Error("answered from the cache")
			}
			if c.want != nil && !c.want(after) {
				t.Errorf("does not show it: %+v", after)
			}
			tb.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))") // events of the change
			tb.observe()
			if again := tb.observe(); !again.Cached {
				t.Error("not cached again")
			}
		})
	}
}

func has(pc *browser.PageContext, name, state string) bool {
	for _, c := range pc.Controls {
		if c.Name == name {
			return strings.Contains(strings.Join(c.States, " ")+" ", state+" ")
		}
	}
	return false
}

func valueOf(pc *browser.PageContext, name string) string {
	for _, c := range pc.Controls {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// What an action left unchanged is shown at the new revision, with references that work.
func TestCacheFollowsTheRevision(t *testing.T) {
	tb := open(t)
	tb.show(`<style>#tip { display: none } #b:hover + #tip { display: block }</style>
		<button id=b onclick="log('pressed')">Save</button><p id=tip>Saves all</p>`)
	first := tb.observe()
	r := tb.click(ref(t, first, "Save"))
	pc := tb.observe()
	if pc.Revision != r.Revision || pc.Revision <= first.Revision {
		t.Fatalf("revision %d, then %d after an action that led to %d", first.Revision, pc.Revision, r.Revision)
	}
	if !strings.Contains(pc.Text, "Saves all") {
		t.Errorf("what the pointer shows is missing: %q", pc.Text)
	}
	tb.click(ref(t, pc, "Save"))
	tb.wantLog("pressed", "pressed")
}

// A page with 300 controls: all are found, 32 are shown, the last can be reached in every way.
func TestThreeHundredControls(t *testing.T) {
	tb := open(t)
	var html strings.Builder
	for i := range 299 {
		fmt.Fprintf(&html, "<p><button>Item %d</button></p>", i)
	}
	tb.show(html.String() + `<p><button onclick="log('saved')">Save</button></p>`)
	pc := tb.observe()
	if len(pc.Controls) != browser.ControlCount || pc.OmittedCount != 268 || !pc.Truncated {
		t.Fatalf("%d controls, %d omitted", len(pc.Controls), pc.OmittedCount)
	}
	tb.click("role=button;name=Save")
	tb.wantLog("saved")

	seen := map[string]int{}
	for offset := 0; offset < 300; offset += browser.ControlCount {
		page, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Controls {
			seen[c.Name]++
		}
		if page.OmittedCount != 300-len(page.Controls) {
			t.Errorf("offset %d: %d omitted of %d shown", offset, page.OmittedCount, len(page.Controls))
		}
		for _, c := range page.Controls {
			if c.Name == "Save" {
				tb.click(c.Ref)
			}
		}
	}
	tb.wantLog("saved", "saved")
	if len(seen) != 300 {
		t.Errorf("paging showed %d different controls of 300", len(seen))
	}
	found, err := tb.rt.Find(tb.ctx, tb.call, browser.FindInput{Query: "save"})
	if err != nil || len(found.Matches) != 1 || found.Matches[0].Name != "Save" {
		t.Fatalf("find: %+v %v", found, err)
	}
	tb.click(found.Matches[0].Ref)
	tb.wantLog("saved", "saved", "saved")
}

// A table of 2,000 rows costs what is shown of it (browser.md §2).
func TestBigTable(t *testing.T) {
	tb := open(t)
	const rows = 2000
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	word := func() string { return fmt.Sprintf("w%07x", random.Uint32()) }
	names := make([]string, rows)
	var html strings.Builder
	for i := range names {
		names[i] = word() + " " + word()
		fmt.Fprintf(&html, `<tr><td>%s</td><td>%d</td><td><a href="#%d">Open</a></td><td><button onclick="log('row %d')">Delete</button></td></tr>`,
			names[i], random.IntN(1e6), i, i)
	}
	tb.show("<table>" + html.String() + "</table>")
	var pc *browser.PageContext
	rounds, bytes, sent := traffic.of(func() { pc = tb.observe() })
	t.Logf("%d bytes in %d round trips", bytes, rounds)
	if bytes > 300<<10 {
		t.Errorf("one observation moved %d bytes: %v", bytes, sent)
	}
	if pc.OmittedCount != 2*rows-browser.ControlCount || len(pc.Incomplete) != 1 || pc.Incomplete[0] != "visible_text" {
		t.Errorf("%d omitted, incomplete %v", pc.OmittedCount, pc.Incomplete)
	}
	for range 3 {
		i := random.IntN(rows)
		found, err := tb.rt.Find(tb.ctx, tb.call, browser.FindInput{Query: names[i]})
		if err != nil || len(found.Matches) == 0 {
			t.Fatalf("find: %+v %v", found, err)
		}
		tb.site.forget()
		tb.click(deleteOf(t, found))
		tb.wantLog(fmt.Sprintf("row %d", i))
		tb.click(fmt.Sprintf("role=button;name=Delete within css=tr:nth-child(%d)", i+1))
		tb.wantLog(fmt.Sprintf("row %d", i), fmt.Sprintf("row %d", i))
	}
}

// deleteOf is the reference of the button that find names beside its match.
func deleteOf(t *testing.T, found *browser.FindResult) string {
	t.Helper()
	for _, m := range found.Matches {
		for _, c := range append(m.Near, m.Control) {
			if c.Name == "Delete" {
				return c.Ref
			}
		}
	}
	t.Fatalf("no Delete near the match: %+v", found.Matches)
	return ""
}
