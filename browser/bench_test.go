package browser_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/glasskit/glass/browser"
)

// Pages like those of the comparison benchmark (goals.md §1).

func controlsPage() string {
	var b strings.Builder
	b.WriteString("<h1>Fifty controls</h1><nav>")
	for i := 1; i <= 10; i++ {
		fmt.Fprintf(&b, `<a href="/page?l=%d">Section %d</a> `, i, i)
	}
	b.WriteString("</nav><main>")
	for i := 1; i <= 12; i++ {
		fmt.Fprintf(&b, `<p><label>Field %d <input name=f%d></label></p>`, i, i)
	}
	for i := 1; i <= 8; i++ {
		fmt.Fprintf(&b, `<p><label><input type=checkbox> Option %d</label></p>`, i)
	}
	for i := 1; i <= 6; i++ {
		fmt.Fprintf(&b, `<p><label>Choice %d <select><option>Low<option>Medium</select></label></p>`, i)
	}
	for i := 1; i <= 14; i++ {
		fmt.Fprintf(&b, `<button type=button onclick="o.textContent='Action %d pressed '+performance.now()">Action %d</button> `, i, i)
	}
	b.WriteString("</main><p id=o role=status>Nothing pressed yet</p>")
	return b.String()
}

func tablePage(rows int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, seed))
	var b strings.Builder
	fmt.Fprintf(&b, `<h1>Invoices</h1><p>%d rows</p><button id=b onclick="o.textContent='Totals computed '+performance.now()">Refresh totals</button><p id=o role=status>Totals not computed</p><table><tbody>`, rows)
	for i := 1; i <= rows; i++ {
		fmt.Fprintf(&b, `<tr><td><a href="#row%d" onclick="log('row%d')">INV-%d-%d</a></td><td>Customer %d</td><td>Open</td><td>%d.%02d</td><td>2026-01-02</td></tr>`,
			i, i, i, r.IntN(1e6), r.IntN(1e6), r.IntN(9000), r.IntN(100))
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

func benchmarkPage(b *testing.B, html string, run func(tb *benchTab)) {
	rt := browser.NewRuntime(&browser.RuntimeOptions{Defaults: testOptions()})
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	defer cancel()
	defer func() { _ = rt.Close(context.WithoutCancel(ctx)) }()
	s := serve(b)
	s.pages["/page"] = "<!doctype html><title>Bench</title><script>const log=e=>0</script>" + html
	tb := &benchTab{b, rt, &browser.Call{Client: "bench"}, ctx}
	if _, err := rt.Navigate(ctx, tb.call, browser.NavigateInput{URL: s.URL + "/page"}); err != nil {
		b.Fatal(err)
	}
	if _, err := rt.Observe(ctx, tb.call, browser.ObserveInput{}); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	run(tb)
}

type benchTab struct {
	*testing.B
	rt   *browser.Runtime
	call *browser.Call
	ctx  context.Context
}

func (tb *benchTab) click(target string) {
	if _, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: target}); err != nil {
		tb.Fatal(err)
	}
}

func (tb *benchTab) observe() {
	if _, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{}); err != nil {
		tb.Fatal(err)
	}
}

func BenchmarkClick50Controls(b *testing.B) {
	benchmarkPage(b, controlsPage(), func(tb *benchTab) {
		for b.Loop() {
			tb.click("name=Action 3")
		}
	})
}

func BenchmarkClickThenObserve(b *testing.B) {
	for _, rows := range []int{2000, 20000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			benchmarkPage(b, tablePage(rows, 1), func(tb *benchTab) {
				for b.Loop() {
					tb.click("name=Refresh totals")
					tb.observe()
				}
			})
		})
	}
}

func BenchmarkObserve(b *testing.B) {
	for _, rows := range []int{50, 2000, 20000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			page := tablePage(rows, 1)
			if rows == 50 {
				page = controlsPage()
			}
			benchmarkPage(b, page, func(tb *benchTab) {
				for b.Loop() {
					_, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{Ranking: fmt.Sprint([]string{"default", "role"}[b.N%2])})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

func BenchmarkCachedObserve(b *testing.B) {
	benchmarkPage(b, controlsPage(), func(tb *benchTab) {
		for b.Loop() {
			tb.observe()
		}
	})
}

func BenchmarkFill(b *testing.B) {
	benchmarkPage(b, controlsPage(), func(tb *benchTab) {
		for b.Loop() {
			if _, err := tb.rt.Type(tb.ctx, tb.call, browser.TypeInput{Target: "label=Field 3", Text: "Ada Lovelace number 1", Replace: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
