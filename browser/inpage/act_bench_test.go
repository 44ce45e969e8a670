package inpage

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkActs prints what resolving, checking and testing cost inside the page (ms, medians), beside an index that
// is up to date.
func BenchmarkActs(b *testing.B) {
	c := startChromium(b)
	var rows strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&rows, "<tr><td>Order %d</td><td>Customer number %d</td><td><button>Edit</button>"+
			"<a href='#%d'>Open order %d</a></td></tr>", i, i, i, i)
	}
	p := openAct(b, c, "<!doctype html><h1>Orders</h1><table><tr><th>Order<th>Customer<th>Acts</tr>"+
		rows.String()+"</table>")
	button := `"target":` + css("tr:nth-child(777) button")
	count := p.run("freeze", `{}`)["count"]
	cases := []struct{ name, handler, args string }{
		{"name", "resolve", `{"target":` + one(`{"form":"name","value":"Open order 7777"}`) + `}`},
		{"role", "resolve", `{"target":` + one(`{"form":"role","role":"link","name":"Open order 7777"}`) + `}`},
		{"ambiguous", "resolve", `{"client":"c","target":` + one(`{"form":"name","value":"Edit"}`) + `}`},
		{"heading", "resolve", `{"target":` + one(`{"form":"role","role":"heading","name":"Orders"}`) + `}`},
		{"no such name", "resolve", `{"target":` + one(`{"form":"name","value":"Nowhere"}`) + `}`},
		{"text", "resolve", `{"target":` + one(`{"form":"text","value":"Open order 7777"}`) + `}`},
		{"text of none", "resolve", `{"target":` + one(`{"form":"text","value":"Nowhere to be found"}`) + `}`},
		{"css", "resolve", `{` + button + `}`},
		{"prepare", "prepare", `{"client":"c","need":"pointer","scroll":true,` + button + `}`},
		{"wait for text there", "wait", `{"kind":"text","timeoutMs":1000,"text":"Customer number 9999"}`},
		{"wait for text not there", "wait", `{"kind":"text","timeoutMs":20,"text":"Customer number x"}`},
	}
	for _, tt := range cases {
		result := p.run("timed", `{"name":"`+tt.handler+`","n":11,"args":`+tt.args+`}`)
		b.Logf("%-24s %8.2f ms (%v controls)", tt.name, result["ms"], count)
	}
}
