package browser_test

import (
	"encoding/json/v2"
	"testing"
)

func TestSmoke(t *testing.T) {
	tb := open(t)
	info := tb.show(`<h1>Orders</h1><p>Two open.</p><button id=s onclick="o.textContent='Saved it';log('save')">Save</button><p id=o></p><label>Name <input></label>`)
	b, _ := json.Marshal(info)
	t.Logf("%s", b)
	pc := tb.observe()
	b, _ = json.Marshal(pc)
	t.Logf("%s", b)
	r := tb.click(ref(t, pc, "Save"))
	b, _ = json.Marshal(r)
	t.Logf("%s", b)
}
