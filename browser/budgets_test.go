package browser_test

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// budget is one bound: measure gives what comes of n units, and want says what is to come of them.
type budget struct {
	measure func(tb *tab, n int) int
	want    func(n, limit int) int
	test    string // the test that tries this bound instead
}

// cut is for bounds that shorten; refused for those that refuse (measure gives 1 for taken, 0 for refused).
func cut(n, limit int) int { return min(n, limit) }

func refused(n, limit int) int {
	if n <= limit {
		return 1
	}
	return 0
}

func taken(err error) int {
	if err != nil {
		return 0
	}
	return 1
}

func in(test string) budget { return budget{test: test} }

// word is n bytes without a blank.
func word(n int) string { return strings.Repeat("x", n) }

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// asked runs an operation with arguments as a frontend does, bounds of its schema included.
func (tb *tab) asked(name, args string) error {
	tb.Helper()
	table, err := operation.NewTable(operation.TableConfig{Operations: tb.rt.Operations()})
	if err != nil {
		tb.Fatal(err)
	}
	_, err = table.Execute(tb.ctx, tb.call, name, []byte(args), operation.Full)
	return err
}

// invalid is 0 when the operation refuses its arguments, 1 when it takes them, whatever comes of it.
func (tb *tab) invalid(name, args string) int {
	f := asContractFailure(tb.asked(name, args))
	if f != nil && f.Kind == contract.InvalidArgument {
		return 0
	}
	if f != nil && f.Kind != contract.NotFound {
		tb.Errorf("%s: %v", name, f)
	}
	return 1
}

func (tb *tab) looked(in browser.ObserveInput) *browser.PageContext {
	tb.Helper()
	pc, err := tb.rt.Observe(tb.ctx, tb.call, in)
	if err != nil {
		tb.Fatal(err)
	}
	return pc
}

// candidates is the failure of a locator that n elements match.
func (tb *tab) candidates(html string) []contract.Candidate {
	tb.Helper()
	tb.show(html)
	_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "css=button"})
	return failure(tb.T, err, contract.Ambiguous).Candidates
}

// budgets has a row for every constant of the limits document.
var budgets = map[string]budget{
	"MessageBytes": {want: cut, measure: func(_ *tab, n int) int {
		return len(contract.Fail(contract.NotFound, contract.PhaseResolution, "%s", word(n)).Message)
	}},
	"CandidateCount": {want: cut, measure: func(tb *tab, n int) int { return len(tb.candidates(repeat(n, "<button>B%d</button>"))) }},
	"CandidateBytes": {want: func(_, _ int) int { return 1 }, measure: func(tb *tab, n int) int {
		long := word(n)
		list := tb.candidates(fmt.Sprintf("<form aria-label=%s>%s<button title=%s>%s</button></form><button>x</button>", long, long, long, long))
		size := 0
		for _, c := range list[:1] {
			size = len(c.Reference) + len(c.Role) + len(c.Name) + len(c.Text) + len(c.Region) + len(c.Nearby)
		}
		if size > contract.CandidateBytes || size < contract.CandidateBytes/2 {
			return size
		}
		return 1
	}},
	"ChainSegments": {want: refused, measure: func(_ *tab, n int) int {
		return taken(browser.ParseTarget(strings.TrimSuffix(strings.Repeat("name=a | ", n), " | ")))
	}},
	"ChainSegmentBytes": {want: refused, measure: func(_ *tab, n int) int { return taken(browser.ParseTarget("name=" + word(n-5))) }},
	"LastStateBytes":    {want: cut, measure: func(_ *tab, n int) int { return browser.LastState(n) }},
	"DialogBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(fmt.Sprintf("<button onclick=\"alert('%s')\">Go</button>", word(n)))
		size := len(tb.click("name=Go").Dialog.Message)
		if _, err := tb.rt.AcceptDialog(tb.ctx, tb.call, browser.AcceptDialogInput{}); err != nil {
			tb.Fatal(err)
		}
		return size
	}},
	"DeltaEntries": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(fmt.Sprintf(`<button id=go onclick="for(let i=0;i<%d;i++){const b=document.createElement('button');b.textContent='N'+i;document.body.append(b)}">Go</button>`, n))
		d := tb.click("name=Go").Delta
		if d.Omitted != nil && len(d.Added)+d.Omitted.Added != n || d.Omitted == nil && len(d.Added) != n {
			tb.Errorf("%d added, %d told, %+v left out", n, len(d.Added), d.Omitted)
		}
		return len(d.Added)
	}},
	"DeltaTextBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(fmt.Sprintf("<button onclick=\"o.textContent='%s'\">Go</button><p id=o></p>", word(n)))
		return len(tb.click("name=Go").Delta.Text)
	}},
	"ContextBytes": {want: refused, measure: func(tb *tab, n int) int { // 1: a change at byte n was noticed
		tb.show(fmt.Sprintf("<ul><li><span id=s>%s</span><button>Buy</button></li></ul>", word(n-1)+"a"))
		node := node(tb.T, tb.observe(), "Buy")
		tb.eval(fmt.Sprintf("s.textContent = '%s'; 1", word(n-1)+"b"))
		_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: node})
		return 1 - taken(err)
	}},
	"RequestBytes":     in("TestLongLineCostsNoMemory"),
	"ResponseBytes":    in("TestOverflow"),
	"RequestsInFlight": in("TestRequestsInFlight"),
	"WaitDefault":      {want: func(_, limit int) int { return limit }, measure: func(_ *tab, _ int) int { return int(browser.DefaultDeadline()) }},
	"WaitMaximum": {want: refused, measure: func(tb *tab, n int) int {
		return tb.invalid("wait", fmt.Sprintf(`{"condition":"text-gone=never there","timeoutMs":%d}`, n))
	}},

	"TextBytes": {want: func(n, limit int) int {
		if n <= limit {
			return n
		}
		return limit
	}, measure: func(tb *tab, n int) int {
		tb.show("<p>" + word(n) + "</p>")
		pc := tb.observe()
		if marked := strings.HasSuffix(pc.Text, "[truncated]"); marked != (n > browser.TextBytes) || pc.Truncated != marked {
			tb.Errorf("%d bytes: truncated %v, marked %v", n, pc.Truncated, marked)
		}
		return len(pc.Text)
	}},
	"OutlineNodes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(repeat(n, "<h2>H%d</h2>"))
		pc := tb.observe()
		if slices.Contains(pc.Incomplete, "accessibility_node") != (n > browser.OutlineNodes) {
			tb.Errorf("%d nodes: incomplete %v", n, pc.Incomplete)
		}
		return len(pc.Outline)
	}},
	"ControlCount": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(repeat(n, "<button>B%d</button>"))
		pc := tb.observe()
		if pc.OmittedCount != max(0, n-browser.ControlCount) {
			tb.Errorf("%d controls: %d left out", n, pc.OmittedCount)
		}
		return len(pc.Controls)
	}},
	"LabelBytes": {want: cut, measure: func(tb *tab, n int) int {
		rest := n - 16*255
		tb.show(repeat(16, "<button>"+word(253)+"%02d</button>") + "<button>" + word(rest) + "</button>")
		pc, size := tb.observe(), 0
		for _, c := range pc.Controls {
			size += len(c.Name)
		}
		if slices.Contains(pc.Incomplete, "accessibility_label") != (n > browser.LabelBytes) {
			tb.Errorf("%d bytes of labels: incomplete %v", n, pc.Incomplete)
		}
		return size
	}},
	"NameBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<button>" + word(n) + "</button>")
		return len(tb.observe().Controls[0].Name)
	}},
	"RoleBytes": {want: refused, measure: func(_ *tab, n int) int { return taken(browser.ParseTarget("role=" + word(n) + ";name=x")) }},
	"RegionBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<form aria-label=" + word(n-5) + "><button>B</button></form>")
		return len(tb.observe().Controls[0].Region)
	}},
	"ValueBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<select aria-label=S><option>" + word(n) + "</select>")
		return len(tb.observe().Controls[0].Value)
	}},
	"TitleBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<p>")
		tb.eval(fmt.Sprintf("document.title='%s'; 1", word(n)))
		return len(tb.observe().Page.Title)
	}},
	"URLBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<p>")
		tb.eval(fmt.Sprintf("history.replaceState(0,'','/'+'x'.repeat(%d-location.origin.length-1)); 1", n))
		return len(tb.observe().Page.URL)
	}},
	"TopologyEvents": {want: cut, measure: func(_ *tab, n int) int { return browser.NotedEvents(n) }},
	"TargetCount": {want: cut, measure: func(tb *tab, n int) int {
		list, err := tb.rt.ListTargets(tb.ctx, tb.call, browser.TargetsInput{})
		if err != nil {
			tb.Fatal(err)
		}
		open := len(list.Targets)
		for ; open < n; open++ {
			if _, err := tb.rt.CreateTarget(tb.ctx, tb.call, browser.CreateTargetInput{}); err != nil {
				failure(tb.T, err, contract.Unavailable)
				break
			}
		}
		return open
	}},
	"FrameCount": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(repeat(n-1, "<iframe name=f%d srcdoc=x></iframe>"))
		list, err := tb.rt.ListFrames(tb.ctx, tb.call, browser.FramesInput{})
		if err != nil {
			tb.Fatal(err)
		}
		return len(list.Frames)
	}},
	"IDBytes": {want: refused, measure: func(_ *tab, n int) int {
		if browser.TakesFrame(n) {
			return 1
		}
		return 0
	}},
	"FormControls": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(repeat(n, "<input aria-label=F%d value=v>"))
		return len(tb.looked(browser.ObserveInput{IncludeFormValues: true}).FormValues)
	}},
	"FormValueBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<input aria-label=F value=" + word(n) + ">")
		return len(tb.looked(browser.ObserveInput{IncludeFormValues: true}).FormValues[0].Value)
	}},
	"FormLabelBytes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<select aria-label=F><option>" + word(n) + "</select>")
		return len(tb.looked(browser.ObserveInput{IncludeFormValues: true}).FormValues[0].Value)
	}},
	"FillFields": {want: refused, measure: func(tb *tab, n int) int {
		tb.show(repeat(n, "<input aria-label=F%d>"))
		var fields []browser.FieldInput
		for i := range n {
			fields = append(fields, browser.FieldInput{Target: fmt.Sprintf("label=F%d", i), Value: "v"})
		}
		_, err := tb.rt.FillForm(tb.ctx, tb.call, browser.FillFormInput{Fields: fields})
		return taken(err)
	}},
	"TypeBytes": {want: refused, measure: func(tb *tab, n int) int {
		tb.show("<textarea aria-label=T></textarea>")
		_, err := tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Target: "label=T", Text: word(n)})
		return taken(err)
	}},
	"ShortcutBytes":  {want: refused, measure: func(_ *tab, n int) int { return taken(browser.ParseKeys(strings.Repeat(" ", n-9) + "Control+K")) }},
	"LocatorBytes":   {want: refused, measure: func(_ *tab, n int) int { return taken(browser.ParseTarget("name=x" + strings.Repeat(" ", n-6))) }},
	"ConditionBytes": {want: refused, measure: func(_ *tab, n int) int { return taken(browser.ParseWait("text=" + word(n-5))) }},
	"FindMatches":    {want: refused, measure: func(tb *tab, n int) int { return tb.invalid("find", fmt.Sprintf(`{"query":"x","limit":%d}`, n)) }},
	"FindQueryBytes": {want: refused, measure: func(tb *tab, n int) int { return tb.invalid("find", fmt.Sprintf(`{"query":"%s"}`, word(n))) }},
	"ClosedRoots": {want: cut, measure: func(tb *tab, n int) int {
		tb.show(`<script>customElements.define('x-b',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'closed'}).innerHTML='<button>B</button>'}})</script>` +
			repeat(n, "<x-b></x-b>"))
		pc := tb.observe()
		return len(pc.Controls) + pc.OmittedCount
	}},
	"DOMNodes": {want: cut, measure: func(tb *tab, n int) int {
		tb.show("<div id=root>" + strings.Repeat("<i></i>", n-1) + "</div>")
		r, err := tb.rt.GetDOM(tb.ctx, tb.call, browser.DOMInput{Target: "css=#root"})
		if err != nil {
			tb.Fatal(err)
		}
		if r.Truncated != (n > browser.DOMNodes) {
			tb.Errorf("%d nodes: truncated %v", n, r.Truncated)
		}
		return r.Nodes
	}},
	"DOMDepth": {want: refused, measure: func(tb *tab, n int) int { return tb.invalid("getDOM", fmt.Sprintf(`{"depth":%d}`, n)) }},
	"DOMBytes": in("TestTreesAreBounded"),
	"ScriptBytes": {want: refused, measure: func(tb *tab, n int) int {
		_, err := tb.rt.Evaluate(tb.ctx, tb.call, browser.EvaluateInput{Expression: "1" + strings.Repeat(" ", n-1)})
		return taken(err)
	}},
	"ScriptResultBytes": {want: refused, measure: func(tb *tab, n int) int {
		r, err := tb.rt.Evaluate(tb.ctx, tb.call, browser.EvaluateInput{Expression: fmt.Sprintf("'x'.repeat(%d)", n-2)})
		if err != nil {
			tb.Fatal(err)
		}
		if r.Truncated {
			return 0
		}
		return 1
	}},
	"ScreenshotBytes": {want: refused, measure: func(_ *tab, n int) int { return taken(browser.CheckPicture(n)) }},
	"ClickCount": {want: refused, measure: func(tb *tab, n int) int {
		tb.show("<button>Go</button>")
		return tb.invalid("click", fmt.Sprintf(`{"target":"name=Go","count":%d}`, n))
	}},
	"SessionCount": in("TestSessionsAreBounded"),

	// Time limits: that they hold is shown, not their millisecond.
	"ObserveDeadline":    in("TestBusyPagesAreEnded"),
	"FirstLayoutGrace":   in("TestBusyPagesAreEnded"),
	"UnresponsiveAfter":  in("TestBusyPagesAreEnded"),
	"QuietAfterAction":   in("TestPressWithoutEffectAnswers"),
	"LeaveAfterAction":   in("TestPressWithoutEffectAnswers"),
	"NavigationAfter":    in("TestPressThatNavigatesSlowlyAnswers"),
	"PopupWait":          in("TestPopupsAreReportedRegisteredAndNeverSelected"),
	"FrameMoveWait":      in("TestFrameBetweenProcessesIsWaitedFor"),
	"DialogWait":         in("TestAnsweringNoDialogIsSaidSoon"),
	"ActionDeadline":     in("TestPressThatNavigatesSlowlyAnswers"),
	"NavigationDeadline": in("TestNavigationObeysItsDeadline"),
}

// Every bound is tried from both sides; a constant without a row fails.
func TestEveryBudget(t *testing.T) {
	tb := open(t)
	tests := testNames(t)
	rows := map[string]bool{}
	for _, l := range append(contract.Limits(), browser.Limits()...) {
		rows[l.Name] = true
		t.Run(l.Name, func(t *testing.T) {
			b, ok := budgets[l.Name]
			switch {
			case !ok:
				t.Fatal("no row tries this bound")
			case b.test != "":
				if !tests[b.test] {
					t.Fatalf("%s, which is to try this bound, is not there", b.test)
				}
				return
			}
			tb := tb.in(t)
			ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
			defer cancel()
			tb.ctx = ctx
			for n := int(l.Value) - 1; n <= int(l.Value)+1; n++ {
				if got, want := b.measure(tb, n), b.want(n, int(l.Value)); got != want {
					t.Errorf("%d %s: got %d, want %d", n, l.Unit, got, want)
				}
			}
		})
	}
	for name := range budgets {
		if !rows[name] {
			t.Errorf("the row %s names no limit", name)
		}
	}
}

// testNames lists the tests of this module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "../internal/*/*_test.go", "../internal/frontend/*/*_test.go", "../cmd/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				names[string(m[1])] = true
			}
		}
	}
	return names
}

func TestTreesAreBounded(t *testing.T) {
	const overhead = 64 // of one node
	whole := browser.DOMBytes - browser.DOMBytes/4096*overhead - overhead
	for _, bytes := range []int{1, whole / 2, 2 * browser.DOMBytes} {
		kept := browser.BuiltText(bytes)
		if bytes < whole && kept != bytes || kept > browser.DOMBytes {
			t.Errorf("of %d bytes %d are kept", bytes, kept)
		}
	}
	raw, err := json.Marshal(browser.DOMNode{Node: 1})
	if err != nil || string(raw) != `{"node":1}` {
		t.Errorf("a bare node is %s, %v", raw, err)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	rt, _, ctx := runtimeIn(t)
	for i := range browser.SessionCount + 1 {
		_, err := rt.ListTargets(ctx, opts(fmt.Sprintf("s%d", i), `{}`), browser.TargetsInput{})
		if (err == nil) != (i < browser.SessionCount) {
			t.Fatalf("session %d: %v", i+1, err)
		}
	}
	if _, err := rt.CloseSession(ctx, opts("s0", `{}`), browser.CloseInput{All: true}); err != nil {
		t.Error(err)
	}
}
