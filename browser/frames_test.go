package browser_test

import (
	"slices"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

func (tb *tab) frames() []browser.Frame {
	tb.Helper()
	list, err := tb.rt.ListFrames(tb.ctx, tb.call, browser.FramesInput{})
	if err != nil {
		tb.Fatal(err)
	}
	return list.Frames
}

// frame is the id of the frame with the name.
func (tb *tab) frame(name string) string {
	tb.Helper()
	for _, f := range tb.frames() {
		if f.Name == name {
			return f.FrameID
		}
	}
	tb.Fatalf("no frame %q among %+v", name, tb.frames())
	return ""
}

func (tb *tab) selectFrame(id string) {
	tb.Helper()
	if _, err := tb.rt.SelectFrame(tb.ctx, tb.call, browser.SelectFrameInput{FrameID: id}); err != nil {
		tb.Fatal(err)
	}
}

// inFrames serves a page with a frame in a frame, both below the fold.
func (tb *tab) inFrames() {
	const say = logScript
	tb.site.put("/inner", say+`<div style="height:700px"></div><button onclick="log('inner')">Inner</button>`)
	tb.site.put("/outer", say+`<div style="height:300px"></div><button onclick="log('outer')">Outer</button>
		<iframe name=inner src=/inner style="width:300px;height:150px;border:7px solid;padding:3px"></iframe>`)
	tb.show(`<button onclick="log('top')">Top</button><div style="height:3000px"></div>
		<iframe name=outer src=/outer style="width:500px;height:300px;border:5px solid;margin-left:40px"></iframe>`)
}

// Frames of the page's own process are listed, selected, observed and pressed, wherever they are scrolled.
func TestSameProcessFrames(t *testing.T) {
	tb := open(t)
	tb.inFrames()
	pc := tb.observe()
	if !slices.Contains(pc.Incomplete, "frame_boundary") || pc.Boundaries == nil || len(pc.Boundaries.ChildFrames) != 1 || len(pc.Controls) != 1 {
		t.Errorf("the page: %+v %+v", pc.Incomplete, pc.Boundaries)
	}
	if list := tb.frames(); len(list) != 3 || list[0].Parent != "" || !list[0].Selected && list[0].FrameID == "" {
		t.Errorf("frames %+v", list)
	}
	for _, c := range []struct{ frame, control, log string }{{"inner", "Inner", "inner"}, {"outer", "Outer", "outer"}, {"inner", "Inner", "inner"}} {
		tb.site.forget()
		tb.selectFrame(tb.frame(c.frame))
		inside := tb.observe()
		if len(inside.Controls) != 1 || inside.Page.FrameID != tb.frame(c.frame) {
			t.Fatalf("%s: %+v", c.frame, inside)
		}
		r := tb.click(ref(t, inside, c.control))
		if r.FrameID != tb.frame(c.frame) {
			t.Errorf("the outcome names the frame %s", r.FrameID)
		}
		tb.wantLog(c.log)
	}
	tb.selectFrame("")
	tb.site.forget()
	tb.click("name=Top")
	tb.wantLog("top")
	// A route of its own leaves the selection alone.
	tb.site.forget()
	in := browser.ClickInput{Target: "name=Inner", ActArgs: browser.ActArgs{RouteArgs: browser.RouteArgs{FrameID: tb.frame("inner")}}}
	if _, err := tb.rt.Click(tb.ctx, tb.call, in); err != nil {
		t.Fatal(err)
	}
	tb.wantLog("inner")
	if pc := tb.observe(); len(pc.Controls) != 1 || pc.Controls[0].Name != "Top" {
		t.Errorf("the page afterwards: %+v", pc.Controls)
	}
}

// A frame's navigation is its own affair: the page's references stay good, a selection of the frame is lost and said.
func TestFrameNavigation(t *testing.T) {
	tb := open(t)
	tb.inFrames()
	tb.site.put("/other", `<button>Other</button>`)
	top := tb.observe()
	id := tb.frame("inner")
	tb.selectFrame(id)
	inside := tb.observe()
	if _, err := tb.rt.Evaluate(tb.ctx, tb.call, browser.EvaluateInput{Expression: "setTimeout(() => location.href = '/other', 0); 1"}); err != nil {
		t.Fatal(err)
	}
	route := browser.RouteArgs{FrameID: id}
	if _, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "target-attached=name=Other", TimeoutMs: 30_000, RouteArgs: route}); err != nil {
		t.Fatal(err)
	}
	_, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{})
	if f := failure(t, err, contract.Unavailable); f.Reason != "frame_gone" {
		t.Errorf("the lost selection: %+v", f)
	}
	again := tb.observe()
	if again.Page.FrameID != top.Page.FrameID || again.Revision != top.Revision {
		t.Errorf("revision %d of %s, then %d of %s", top.Revision, top.Page.FrameID, again.Revision, again.Page.FrameID)
	}
	tb.click(ref(t, top, "Top"))
	_, err = tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: node(t, inside, "Inner"), ActArgs: browser.ActArgs{RouteArgs: route}})
	failure(t, err, contract.StaleReference)
	tb.eval("document.querySelector('iframe').remove()")
	_, err = tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{RouteArgs: route})
	if f := failure(t, err, contract.Unavailable); f.Reason != "frame_gone" {
		t.Errorf("a removed frame: %+v", f)
	}
}

func TestTargets(t *testing.T) {
	tb := open(t)
	tb.show(`<button onclick="log('first')">First</button>`)
	first := tb.observe().Page.TargetID
	tb.site.put("/second", `<title>Second</title>`+logScript+`<button onclick="log('second')">Second</button>`)
	made, err := tb.rt.CreateTarget(tb.ctx, tb.call, browser.CreateTargetInput{URL: tb.site.URL + "/second"})
	if err != nil || made.Selected {
		t.Fatalf("created %+v %v", made, err)
	}
	if pc := tb.observe(); pc.Page.TargetID != first {
		t.Error("creating a target selected it")
	}
	route := browser.RouteArgs{TargetID: made.TargetID}
	if _, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "target-attached=name=Second", RouteArgs: route, TimeoutMs: 30_000}); err != nil {
		t.Fatal(err)
	}
	if _, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Second", ActArgs: browser.ActArgs{RouteArgs: route}}); err != nil {
		t.Fatal(err)
	}
	tb.wantLog("second")
	closed, err := tb.rt.CloseTarget(tb.ctx, tb.call, browser.TargetInput{TargetID: first})
	if err != nil || closed.Selected != "" || closed.Left != 1 {
		t.Fatalf("closed %+v %v", closed, err)
	}
	_, err = tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{})
	if f := failure(t, err, contract.Unavailable); f.Phase != contract.PhasePreflight && f.Phase != contract.PhaseResolution {
		t.Errorf("without a target: %+v", f)
	}
	_, err = tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{RouteArgs: browser.RouteArgs{TargetID: first}})
	if _, ok := err.(*contract.Failure); !ok {
		t.Errorf("a closed target: %v", err)
	}
	if _, err := tb.rt.SelectTarget(tb.ctx, tb.call, browser.TargetInput{TargetID: made.TargetID}); err != nil {
		t.Fatal(err)
	}
	tb.click("name=Second")
	tb.wantLog("second", "second")
	list, err := tb.rt.ListTargets(tb.ctx, tb.call, browser.TargetsInput{})
	if err != nil || len(list.Targets) != 1 || !list.Targets[0].Selected {
		t.Errorf("targets %+v %v", list, err)
	}
}
