package browser_test

import (
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
)

func TestOutlineIsInDocumentOrderAndIndentedByStructure(t *testing.T) {
	tb := open(t)
	tb.show(`<h1>Shop</h1><nav aria-label=Main><a href=/a>Home</a></nav><main><h2>Cart</h2><button disabled>Pay</button><label>Note <input></label></main>`)
	pc, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{Format: "outline"})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := pc.PlainText()
	if !ok {
		t.Fatal("no outline")
	}
	lines := strings.Split(text, "\n")
	want := []string{`heading "Shop"`, `navigation "Main"`, ` link "Home" b`, `main`, ` heading "Cart"`, ` button "Pay" [disabled] b`, ` textbox "Note" b`}
	if len(lines) != len(want)+1 || !strings.HasPrefix(lines[0], "r1 http://") {
		t.Fatalf("outline:\n%s", text)
	}
	for i, w := range want {
		if !strings.HasPrefix(strings.TrimLeft(lines[i+1], " "), strings.TrimLeft(w, " ")) {
			t.Errorf("line %d is %q, want %q…", i+1, lines[i+1], w)
		}
	}
}
