package browser_test

import (
	"context"
	"testing"
	"time"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// crossFrames serves a page with a frame of its own origin, in which lies one of another site, in which lies one of the
// page's site again. All but the page itself are below the fold of what holds them.
func (tb *tab) crossFrames(style, frameStyle string) {
	other := tb.site.otherHost()
	tb.site.put("/leaf", logScript+`<div style="height:400px"></div><button onclick="log('leaf')">Leaf</button>`)
	tb.site.put("/far", logScript+`<title>Far</title><div style="height:700px"></div><button onclick="log('far')">Far</button><input aria-label=Name>
		<div style="height:100px"></div><iframe name=leaf src="`+tb.site.URL+`/leaf" style="width:200px;height:100px"></iframe>`)
	tb.site.put("/near", logScript+`<div style="height:300px"></div><button onclick="log('near')">Near</button>
		<iframe name=far src="`+other+`/far" style="width:300px;height:150px;border:7px solid;padding:3px;`+frameStyle+`"></iframe><div style="height:900px"></div>`)
	tb.show(`<style>body{` + style + `}</style><button onclick="log('top')">Top</button><div style="height:3000px"></div>
		<iframe name=near src=/near style="width:500px;height:300px;border:5px solid;margin-left:40px"></iframe><div style="height:2000px"></div>`)
}

// Frames of other sites run in processes of their own; a press in them lands on the element however they are nested,
// scrolled and zoomed.
func TestCrossOriginFrames(t *testing.T) {
	dense := map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 2, "mobile": false}
	for _, c := range []struct {
		name, style, frameStyle, method string
		params                          any
	}{
		{name: "plain"},
		{name: "css zoom", style: "zoom:1.3", frameStyle: "zoom:0.8"},
		{name: "scaled", frameStyle: "transform:scale(.7)"},
		{name: "dense screen", method: "Emulation.setDeviceMetricsOverride", params: dense},
		{name: "dense screen and css zoom", style: "zoom:1.3", frameStyle: "zoom:0.8", method: "Emulation.setDeviceMetricsOverride", params: dense},
		{name: "pinched", method: "Emulation.setPageScaleFactor", params: map[string]any{"pageScaleFactor": 1.7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := open(t)
			tb.crossFrames(c.style, c.frameStyle)
			if c.method != "" {
				if err := browser.Raw(tb.ctx, tb.rt, tb.call, c.method, c.params); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range []struct{ frame, control, log string }{{"far", "Far", "far"}, {"leaf", "Leaf", "leaf"}, {"near", "Near", "near"}, {"leaf", "Leaf", "leaf"}} {
				if f.frame == "leaf" && c.name == "pinched" {
					continue // Chromium gives a frame that shares the page's process wrong coordinates then; Glass refuses
				}
				tb.site.forget()
				tb.selectFrame(tb.frame(f.frame))
				inside := tb.observe()
				if inside.Page.FrameID != tb.frame(f.frame) {
					t.Fatalf("%s: %+v", f.frame, inside.Page)
				}
				tb.click(ref(t, inside, f.control))
				tb.wantLog(f.log)
			}
			tb.selectFrame(tb.frame("far"))
			if _, err := tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Target: "name=Name", Text: "Ada"}); err != nil {
				t.Fatal(err)
			}
			if got := tb.eval(`document.querySelector('input').value`); got != `"Ada"` {
				t.Errorf("the field holds %s", got)
			}
			for _, f := range tb.frames() {
				if cross := f.Name == "far" || f.Name == "leaf"; f.CrossProcess != cross {
					t.Errorf("frame %s: %+v", f.Name, f)
				}
			}
		})
	}
}

// A frame that has left one process and not come to the next is waited for, and not for ever.
func TestFrameBetweenProcessesIsWaitedFor(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	defer cancel()
	ask, arrive := browser.FrameComing(ctx)
	start := time.Now()
	if f := failure(t, ask(), contract.Unavailable); f.Reason != "frame_gone" || time.Since(start) < browser.FrameMoveWait {
		t.Errorf("%+v after %v", f, time.Since(start))
	}
	done := make(chan error, 1)
	go func() { done <- ask() }()
	arrive()
	if err := <-done; err != nil {
		t.Errorf("a frame that came: %v", err)
	}
}

// A frame of another site that is covered, or hidden, in the page about it is not pressed, and the failure names what is
// in the way.
func TestCoveredCrossOriginFrame(t *testing.T) {
	for _, c := range []struct {
		name, style, extra string
		kind               contract.Kind
	}{
		{"covered", "", `<div role=alert style="position:fixed;inset:0;background:#fff">over</div>`, contract.HitTestBlocked},
		{"hidden", "visibility:hidden", "", contract.NotVisible},
		{"moving", "animation:a 1s linear infinite", `<style>@keyframes a{from{margin-left:0}to{margin-left:400px}}</style>`, contract.UnstableGeometry},
		{"out of reach", "position:fixed;left:-900px", "", contract.OutsideViewport},
		{"under nothing that gets the pointer", "pointer-events:none", "", contract.HitTestBlocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := open(t)
			tb.site.put("/in", logScript+`<button onclick="log('in')">In</button><input aria-label=Name>`)
			tb.show(`<iframe name=in src="` + tb.site.otherHost() + `/in" style="` + c.style + `"></iframe>` + c.extra)
			tb.selectFrame(tb.frame("in"))
			for _, do := range map[string]func() error{
				"click": func() error { return only(tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=In"})) },
				"type": func() error {
					return only(tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Target: "name=Name", Text: "x"}))
				},
			} {
				f := failure(t, do(), c.kind)
				if c.name == "covered" && (len(f.Candidates) != 1 || f.Candidates[0].Role != "alert") {
					t.Errorf("what covers it: %+v", f.Candidates)
				}
			}
			if got := tb.eval("document.querySelector('input').value"); got != `""` {
				t.Errorf("the field holds %s", got)
			}
			tb.wantLog()
		})
	}
}

// A frame that goes from one process to another and back keeps its name; references of its earlier documents are stale.
func TestFrameChangesProcess(t *testing.T) {
	tb := open(t)
	other := tb.site.otherHost()
	tb.site.put("/a", logScript+`<button onclick="log('a')">A</button>`)
	tb.site.put("/b", logScript+`<button onclick="log('b')">B</button>`)
	tb.show(`<iframe name=f src="/a"></iframe>`)
	id := tb.frame("f")
	route := browser.RouteArgs{FrameID: id}
	old := ""
	for _, c := range []struct{ url, control, log string }{{tb.site.URL + "/a", "A", "a"}, {other + "/b", "B", "b"}, {tb.site.URL + "/b", "B", "b"}, {other + "/a", "A", "a"}} {
		tb.site.forget()
		if _, err := tb.rt.Navigate(tb.ctx, tb.call, browser.NavigateInput{URL: c.url, ActArgs: browser.ActArgs{RouteArgs: route}}); err != nil {
			t.Fatal(err)
		}
		pc, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{RouteArgs: route})
		if err != nil {
			t.Fatal(err)
		}
		if old != "" {
			_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: old, ActArgs: browser.ActArgs{RouteArgs: route}})
			failure(t, err, contract.StaleReference)
		}
		old = node(t, pc, c.control)
		if _, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: old, ActArgs: browser.ActArgs{RouteArgs: route}}); err != nil {
			t.Fatal(err)
		}
		tb.wantLog(c.log)
	}
	tb.eval("document.querySelector('iframe').remove()")
	_, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{RouteArgs: route})
	if f := failure(t, err, contract.Unavailable); f.Reason != "frame_gone" {
		t.Errorf("a removed frame: %+v", f)
	}
}
