package browser_test

import (
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

func TestWaitForTextThatComesLater(t *testing.T) {
	tb := open(t)
	tb.show(`<p id=o>Working</p><script>setTimeout(()=>{o.innerHTML='<b>All</b> do<i>ne</i>'},150)</script>`)
	r, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "text=All done"})
	if err != nil || r.Condition != "text" {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err = tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "text=Never there", TimeoutMs: 60})
	f := failure(t, err, contract.Timeout)
	if f.Condition != "text" || f.DeadlineMs != 60 || f.LastState == "" {
		t.Errorf("timeout tells %+v", f)
	}
}
