package inpage

import (
	"fmt"
	"strings"
	"testing"
)

// invoices is the large table of the project's benchmark, article its long text.
func invoices(rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><title>Invoices</title><body><h1>Invoices</h1><p>%d rows</p>
		<button id="b">Refresh totals</button>`, rows)
	b.WriteString(`<p id="o" role="status">Totals not computed</p><table><thead><tr><th>Number</th>
		<th>Customer</th><th>Status</th><th>Amount</th><th>Due</th></tr></thead><tbody>`)
	for i := 1; i <= rows; i++ {
		fmt.Fprintf(&b, `<tr><td><a href="/table?row=%d">INV-%d</a></td><td>Customer %d</td><td>%s</td><td>%.1f</td>
			<td>2026-%02d-%02d</td></tr>`,
			i, 10000+i, i*7919%997, []string{"Open", "Paid", "Late", "Void"}[i%4], float64(i*131%9000+100)/10, i%12+1, i%28+1)
	}
	b.WriteString(`</tbody></table></body></html>`)
	return b.String()
}

func article(size int) string {
	words := strings.Fields("river stone market winter letter garden harbour engine pattern signal copper window " +
		"answer village morning circle journey winding silver careful people measured under bright across slowly often between every without")
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><title>A long article</title><body><article><h1>A long article</h1>`)
	for n, section := 0, 1; n < size; section++ {
		fmt.Fprintf(&b, "<h2>Section %d</h2>", section)
		for p := range 6 {
			var t strings.Builder
			for s := range 6 {
				for k := range 9 + (p+s)%9 {
					t.WriteString(words[(section*31+p*17+s*7+k)%len(words)] + " ")
				}
				t.WriteString(". ")
			}
			n += t.Len()
			b.WriteString("<p>" + t.String() + "</p>")
		}
	}
	b.WriteString(`<p>The last paragraph names the code word: <b>quartz-lantern</b>.</p>
		<button id="b">Mark as read</button></article></body></html>`)
	return b.String()
}

// BenchmarkPage measures the scripts inside the page, in milliseconds a call, after layout has settled. Each iteration is
// one script, as an observation would run it.
func BenchmarkPage(b *testing.B) {
	c := startChromium(b)
	const stripes = "<style>tr:nth-child(even){background:#eee}a:hover{color:red}.x::before{content:'x'}</style>"
	striped := strings.Replace(invoices(2000), "<body>", stripes+"<body>", 1)
	for _, page := range []struct{ name, html string }{
		{"table2000", invoices(2000)}, {"striped2000", striped}, {"table20000", invoices(20000)},
		{"article200k", article(200 << 10)},
	} {
		c.open(b, page.html)
		for _, part := range []struct{ name, script string }{
			{"text16k", `glass.visibleText(document.body, 16384, 0).text.length`},
			{"includesLast", `glass.textIncludes(document.body, 'Mark as read')`},
			{"signatures2000", `[...document.querySelectorAll('a')].slice(0, 2000)
				.map(a => glass.roleOf(a) + glass.nameOf(a, 256).name + glass.statesOf(a)).length`},
			{"contexts32", `[...document.querySelectorAll('a,button')].slice(0, 32)
				.map(a => glass.hashText(glass.contextOf(a), 's')).length`},
			{"outline", `glass.outlineOf(document, 128, 4096).nodes.length`},
			{"innerText", `document.body.innerText.length`},
		} {
			b.Run(page.name+"/"+part.name, func(b *testing.B) {
				total := 0.0
				for b.Loop() {
					var ms float64
					c.eval(b, `{ document.body.offsetHeight; const t = performance.now(); `+part.script+`; performance.now() - t }`, &ms)
					total += ms
				}
				b.ReportMetric(total/float64(b.N), "ms/script")
			})
		}
	}
}
