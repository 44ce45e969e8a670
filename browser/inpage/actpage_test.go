package inpage

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// actSource is the script with the handlers that only tests use.
var actSource = sync.OnceValue(func() string {
	body, ok := strings.CutSuffix(Source(), "})()")
	if !ok {
		panic("the script does not end as expected")
	}
	return body + testHandlers + "})()"
})

const testHandlers = `
handlers.resolve = (args) => {
  refresh();
  const found = resolve(args.target, args.client);
  return found.fail ? found : {tag: tagOf(found.el), key: attr(found.el, 'id') || ''};
};
handlers.freeze = () => { refresh(); return {count: controls().length}; };
handlers.timed = async ({name, args, n}) => {
  const times = [];
  for (let i = 0; i < n; i++) {
    await new Promise((done) => { setTimeout(done, 0); });
    const begin = performance.now();
    await handlers[name](args);
    times.push(performance.now() - begin);
  }
  return {ms: times.sort((a, b) => a - b)[n >> 1]};
};
const observeHandler = handlers.observe;
handlers.observe = (args) => observeHandler({publish: true, list: true,
  limits: {controls: 1000, textBytes: 0, outline: 0, labelBytes: 1e6, nameBytes: 1e6, regionBytes: 64, valueBytes: 256}, ...args});
`

// All files share one scope: the second function of a name would silently take the place of the first.
func TestNamesAreUnique(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^(?:async )?(?:function|const|let) (\w+)`)
	owner := map[string]string{}
	files, err := filepath.Glob("*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			name := string(m[1])
			if other := owner[name]; other != "" {
				t.Errorf("%s is declared in %s and in %s", name, other, file)
			}
			owner[name] = file
		}
	}
}

// actPage is the page of a browser, with the scripts in the isolated world of one of its frames.
type actPage struct {
	*chromium
	tb    testing.TB
	world int
}

// openAct loads HTML. It may hold frames (srcdoc) and scripts.
func openAct(tb testing.TB, c *chromium, html string) *actPage {
	tb.Helper()
	c.call(tb, "Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	c.open(tb, html)
	p := &actPage{chromium: c, tb: tb}
	return p.childFrame()
}

type actFrames struct {
	Frame       struct{ ID string }
	ChildFrames []actFrames
}

// childFrame returns the page as seen from a child frame: of the main frame's children the nth, and so on downwards. The
// world is not that of the harness, whose script has no handlers for tests.
func (p *actPage) childFrame(path ...int) *actPage {
	p.tb.Helper()
	var tree struct{ FrameTree actFrames }
	p.call(p.tb, "Page.getFrameTree", nil, &tree)
	at := tree.FrameTree
	for _, n := range path {
		at = at.ChildFrames[n]
	}
	var world struct{ ExecutionContextID int }
	p.call(p.tb, "Page.createIsolatedWorld", map[string]any{"frameId": at.Frame.ID, "worldName": "act"}, &world)
	child := &actPage{chromium: p.chromium, tb: p.tb, world: world.ExecutionContextID}
	child.evaluate(child.world, actSource(), nil)
	return child
}

// page evaluates in the page's own world, as the page's scripts would.
func (p *actPage) page(expression string) (value any) {
	p.tb.Helper()
	p.evaluate(0, expression, &value)
	return value
}

func (p *actPage) evaluate(world int, expression string, value any) {
	p.tb.Helper()
	if err := p.try(world, expression, value); err != nil {
		p.tb.Fatal(err)
	}
}

func (p *actPage) try(world int, expression string, value any) error {
	p.tb.Helper()
	params := map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}
	if world != 0 {
		params["contextId"] = world
	}
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	if err := p.send(p.tb.Context(), "Runtime.evaluate", params, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("the page threw: %s", r.ExceptionDetails)
	}
	if value == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, value)
}

// run calls a handler with arguments given as JSON.
func (p *actPage) run(name, args string) (result map[string]any) {
	p.tb.Helper()
	p.evaluate(p.world, runExpression(name, args), &result)
	return result
}

func runExpression(name, args string) string {
	return fmt.Sprintf("(async () => JSON.parse((await glass.run(%q, %s))[0]))()", name, args)
}

// one is a locator of one segment, as JSON.
func one(segment string) string { return `{"chain":[` + segment + `]}` }

func css(selector string) string { return one(`{"form":"css","value":` + js(selector) + `}`) }

// prepare resolves and checks for a press.
func (p *actPage) prepare(target string) map[string]any {
	p.tb.Helper()
	return p.run("prepare", `{"client":"c","need":"pointer","scroll":true,"target":`+target+`}`)
}

// press clicks at the point that prepare found, in the coordinates of the whole page.
func (p *actPage) press(prepared map[string]any) {
	p.tb.Helper()
	point, ok := prepared["point"].(map[string]any)
	if !ok {
		p.tb.Fatalf("nothing to press: %v", prepared)
	}
	x, y := point["x"].(float64), point["y"].(float64)
	if offset, ok := prepared["frameOffset"].(map[string]any); ok {
		x, y = x+offset["x"].(float64), y+offset["y"].(float64)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.call(p.tb, "Input.dispatchMouseEvent",
			map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
}

// id returns the id under which the scripts know the element with an id attribute.
func (p *actPage) id(attribute string) string {
	p.tb.Helper()
	result := p.run("prepare", `{"client":"c","need":"read","target":`+css("#"+attribute)+`}`)
	if told(result) != "ok" {
		p.tb.Fatalf("#%s: %v", attribute, result)
	}
	return fmt.Sprint(result["id"])
}

// told is a failure in one line (kind, reason and the number of candidates), or "ok".
func told(result map[string]any) string {
	fail, ok := result["fail"].(map[string]any)
	if !ok {
		return "ok"
	}
	line := fail["kind"].(string)
	if reason, ok := fail["reason"].(string); ok {
		line += " " + reason
	}
	if candidates, ok := fail["candidates"].([]any); ok {
		line += fmt.Sprintf(" %d", len(candidates))
	}
	return line
}

func object(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
