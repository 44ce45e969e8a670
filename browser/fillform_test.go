package browser_test

import (
	"testing"

	"github.com/glasskit/glass/browser"
)

func TestFillFormIsOneActionWithOneDelta(t *testing.T) {
	tb := open(t)
	tb.show(`<form><label>Name <input name=n></label><label>Ship <select name=s><option>Std<option>Exp</select></label>
<label><input type=checkbox name=g> Gift</label><label>Day <input type=date name=d></label></form>`)
	before := tb.observe().Revision
	r, err := tb.rt.FillForm(tb.ctx, tb.call, browser.FillFormInput{Fields: []browser.FieldInput{
		{Target: "label=Name", Value: "Ada"}, {Target: "label=Ship", Value: "Exp"}, {Target: "label=Gift", Value: "true"}, {Target: "label=Day", Value: "2026-12-01"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Revision != before+1 || len(r.Delta.Changed) < 3 {
		t.Errorf("revision %d after %d and %d, changed %+v", r.Revision, before, r.PreviousRevision, r.Delta.Changed)
	}
	for i, f := range r.Fields {
		if f.Status != "filled" {
			t.Errorf("field %d: %+v", i, f)
		}
	}
	if got := tb.eval(`new URLSearchParams(new FormData(document.forms[0])).toString()`); got != `"n=Ada&s=Exp&g=on&d=2026-12-01"` {
		t.Errorf("the form holds %s", got)
	}
}
