package browser_test

import (
	"encoding/json/v2"
	"slices"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// countEvents is a page script that counts every sign of input, before any handler of the page sees it.
const countEvents = `<script>
window.seen = [];
for (const kind of ['pointerdown','pointerup','pointermove','pointerover','mousedown','mouseup','mousemove','mouseover','click',
    'dblclick','auxclick','contextmenu','wheel','touchstart','keydown','keypress','keyup','beforeinput','input','change','focus','blur',
    'focusin','focusout','select','submit','scroll'])
  addEventListener(kind, e => seen.push(kind + '@' + (e.clientX ?? '') + ',' + (e.clientY ?? '')), true);
</script>`

// inputBefore is what the page saw before a press of this test's own in the corner. That press goes the way of all input,
// so that nothing sent earlier can still be on its way.
func (tb *tab) inputBefore() []string {
	tb.Helper()
	if _, err := tb.rt.ClickAt(tb.ctx, tb.call, browser.ClickAtInput{X: 1, Y: 1}); err != nil {
		tb.Fatalf("the corner: %v", err)
	}
	var seen []string
	if err := json.Unmarshal([]byte(tb.eval("seen")), &seen); err != nil {
		tb.Fatal(err)
	}
	for i, e := range seen {
		if strings.HasSuffix(e, "@1,1") {
			return seen[:i]
		}
	}
	tb.Fatalf("the press in the corner was not seen: %v", seen)
	return nil
}

// refusal is what a failure before dispatch must say (contract.md §4).
type refusal struct {
	kind   contract.Kind
	phase  contract.Phase
	reason string
}

func (tb *tab) wantRefusal(err error, want refusal) *contract.Failure {
	tb.Helper()
	f := failure(tb.T, err, want.kind)
	row := want.kind.Info()
	if f.Phase != want.phase || !f.BeforeDispatch() {
		tb.Errorf("phase %s, want %s", f.Phase, want.phase)
	}
	if f.FailureKind != row.FailureKind || f.Recoverable != row.Recoverable || f.SuggestedTool != row.Suggested {
		tb.Errorf("%s %v %s does not follow from the kind: %+v", f.FailureKind, f.Recoverable, f.SuggestedTool, row)
	}
	if f.Reason != want.reason {
		tb.Errorf("reason %q, want %q", f.Reason, want.reason)
	}
	if f.ExecutionID == "" || f.TargetID == "" || f.FrameID == "" || f.CurrentRevision == 0 || f.Message == "" {
		tb.Errorf("an incomplete failure: %+v", f)
	}
	return f
}

func TestFailuresSendNoInput(t *testing.T) {
	click := func(target string) func(*tab) error {
		return func(tb *tab) error {
			_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: target})
			return err
		}
	}
	typeInto := func(target string) func(*tab) error {
		return func(tb *tab) error {
			_, err := tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Target: target, Text: "secret"})
			return err
		}
	}
	const resolution, preflight = contract.PhaseResolution, contract.PhasePreflight
	save := click("name=Save")
	all := open(t)
	for _, c := range []struct {
		name, html string
		do         func(*tab) error
		want       refusal
	}{
		{"reference of an older revision", `<button>Save</button><input id=i>`, func(tb *tab) error {
			old := ref(tb.T, tb.observe(), "Save")
			tb.eval("document.body.append(document.createElement('button'))")
			tb.observe()
			return click(old)(tb)
		}, refusal{contract.StaleReference, resolution, "revision"}},
		{"reference outdated by a change nobody has noticed yet", `<button>Save</button>`, func(tb *tab) error {
			old := ref(tb.T, tb.observe(), "Save")
			tb.eval("document.body.append(document.createElement('button'))")
			return click(old)(tb)
		}, refusal{contract.StaleReference, resolution, "revision"}},
		{"expected revision passed", `<button>Save</button>`, func(tb *tab) error {
			r := tb.observe().Revision
			tb.eval("document.body.append(document.createElement('button'))")
			tb.observe()
			_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Save", ActArgs: expecting(r)})
			return err
		}, refusal{contract.StaleRevision, preflight, "revision"}},
		{"expected revision passed unnoticed", `<button>Save</button>`, func(tb *tab) error {
			r := tb.observe().Revision
			tb.eval("document.body.append(document.createElement('button'))")
			_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Save", ActArgs: expecting(r)})
			return err
		}, refusal{contract.StaleRevision, preflight, "revision"}},
		{"a node never shown", `<button>Save</button>`, func(tb *tab) error { tb.observe(); return click("node=b999999")(tb) },
			refusal{contract.StaleReference, resolution, "unknown"}},
		{"nothing of the name", `<button>Send</button>`, save, refusal{contract.NotFound, resolution, ""}},
		{"two of the name", `<button>Save</button><button>Save</button>`, save, refusal{contract.Ambiguous, resolution, ""}},
		{"covered", `<button>Save</button><div style="position:fixed;inset:0;background:#fff8">wait</div>`, save,
			refusal{contract.HitTestBlocked, resolution, ""}},
		{"behind a modal dialog", `<button>Save</button><dialog id=d><button>OK</button></dialog><script>d.showModal()</script>`,
			click("css=body > button"), refusal{contract.HitTestBlocked, resolution, ""}},
		{"disabled", `<button disabled>Save</button>`, save, refusal{contract.Disabled, resolution, ""}},
		{"aria-disabled", `<button aria-disabled=true>Save</button>`, save, refusal{contract.Disabled, resolution, ""}},
		{"in a disabled fieldset", `<fieldset disabled><button>Save</button></fieldset>`, save, refusal{contract.Disabled, resolution, ""}},
		{"inert", `<div inert><button>Save</button></div>`, click("css=button"), refusal{contract.Disabled, resolution, "inert"}},
		{"moved by an animation", `<style>@keyframes m{to{transform:translateX(500px)}}</style>
			<button style="animation:m 4s linear infinite">Save</button>`, save, refusal{contract.UnstableGeometry, resolution, ""}},
		{"moved with its parent", `<style>@keyframes m{to{transform:translateX(500px)}}</style>
			<div style="animation:m 4s linear infinite"><button>Save</button></div>`, save, refusal{contract.UnstableGeometry, resolution, ""}},
		{"moved by a transition", `<button id=b style="transition:margin 60s linear;margin-left:0">Save</button>
			<script>b.offsetLeft; b.style.marginLeft = '9000px'</script>`, save, refusal{contract.UnstableGeometry, resolution, ""}},
		{"moved by a script at each frame", `<button id=b style="position:absolute;top:50px">Save</button><script>let x = 0;
			(function step() { b.style.left = (x = (x + 7) % 600) + 'px'; requestAnimationFrame(step); })()</script>`, save,
			refusal{contract.UnstableGeometry, resolution, ""}},
		{"fixed outside the viewport", `<button style="position:fixed;left:-500px;width:80px">Save</button>`, save,
			refusal{contract.OutsideViewport, resolution, ""}},
		{"detached", `<button id=b>Save</button>`, func(tb *tab) error {
			n := node(tb.T, tb.observe(), "Save")
			tb.eval("window.kept = b; b.remove(); 1")
			return click(n)(tb)
		}, refusal{contract.Detached, resolution, ""}},
		{"hidden by display", `<button style="display:none">Save</button>`, click("css=button"), refusal{contract.NotVisible, resolution, ""}},
		{"hidden by visibility", `<button style="visibility:hidden">Save</button>`, click("css=button"), refusal{contract.NotVisible, resolution, ""}},
		{"without area", `<div style="width:0;height:0;overflow:hidden"><a href=#x id=b style="display:block;height:0;overflow:hidden">Save</a></div>`,
			click("css=#b"), refusal{contract.NotVisible, resolution, ""}},
		{"hidden since it was shown", `<button id=b>Save</button>`, func(tb *tab) error {
			n := node(tb.T, tb.observe(), "Save")
			tb.eval("b.hidden = true")
			return click(n)(tb)
		}, refusal{contract.NotVisible, resolution, ""}},
		{"read-only field", `<input aria-label=Name value=x readonly>`, typeInto("name=Name"), refusal{contract.Disabled, resolution, "readonly"}},
		{"read-only text area", `<textarea aria-label=Name readonly></textarea>`, typeInto("name=Name"), refusal{contract.Disabled, resolution, "readonly"}},
		{"disabled field", `<input aria-label=Name disabled>`, typeInto("name=Name"), refusal{contract.Disabled, resolution, ""}},
		{"covered field", `<input aria-label=Name><div style="position:fixed;inset:0;background:#fff8">wait</div>`, typeInto("name=Name"),
			refusal{contract.HitTestBlocked, resolution, ""}},
		{"no field at all", `<button>Save</button>`, typeInto("name=Save"), refusal{contract.VerificationFailed, resolution, "not_editable"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := all.in(t)
			tb.show(countEvents + c.html)
			tb.eval("seen.length = 0") // the page's own start may move the focus
			tb.wantRefusal(c.do(tb), c.want)
			if seen := tb.inputBefore(); len(seen) > 0 {
				t.Errorf("the page saw %v", seen)
			}
		})
	}
}

// A refusal that names elements names each by a reference that works.
func TestAmbiguousCandidatesWork(t *testing.T) {
	tb := open(t)
	tb.show(countEvents + `<ul><li>Tea 3.00 <button onclick="log('tea')">Buy</button></li><li>Milk 2.00 <button onclick="log('milk')">Buy</button></li></ul>`)
	_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Buy"})
	f := tb.wantRefusal(err, refusal{contract.Ambiguous, contract.PhaseResolution, ""})
	if len(f.Candidates) != 2 {
		t.Fatalf("candidates %+v", f.Candidates)
	}
	for _, c := range f.Candidates {
		if c.Role != "button" || c.Name != "Buy" || c.Reference == "" || c.Nearby == "" {
			t.Errorf("candidate %+v", c)
		}
	}
	tb.click(f.Candidates[1].Reference)
	tb.wantLog("milk")
}

// Candidates are at most eight, whatever matches, and each is at most 160 bytes.
func TestCandidatesAreBounded(t *testing.T) {
	tb := open(t)
	long := strings.Repeat("very long name ", 20)
	tb.show(`<main aria-label="` + long + `">` + strings.Repeat(`<p>`+long+`<button>Buy</button></p>`, 40) + `</main>`)
	_, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: "name=Buy"})
	f := failure(t, err, contract.Ambiguous)
	if len(f.Candidates) != contract.CandidateCount {
		t.Errorf("%d candidates", len(f.Candidates))
	}
	var refs []string
	for _, c := range f.Candidates {
		if n := len(c.Reference) + len(c.Role) + len(c.Name) + len(c.Text) + len(c.Region) + len(c.Nearby); n > contract.CandidateBytes {
			t.Errorf("a candidate of %d bytes: %+v", n, c)
		}
		refs = append(refs, c.Reference)
	}
	if slices.Sort(refs); len(slices.Compact(refs)) != contract.CandidateCount {
		t.Errorf("references repeat: %v", refs)
	}
}
