package browser_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// Eight callers with fifty calls each on two targets of one session: the pages' event logs equal the presses that
// succeeded, execution ids are unique, revisions only grow.
func TestParallelCalls(t *testing.T) {
	tb := open(t)
	const callers, calls = 8, 50
	const html = `<title>%s</title><ul id=list>%s</ul>` + logScript
	var targets [2]string
	for i, name := range []string{"a", "b"} {
		var rows string
		for n := range callers {
			rows += fmt.Sprintf(`<li>Row %d <button onclick="this.textContent='Press %d '+(++this.n||(this.n=1)); log('%s%d')" aria-label="Press %d">x</button></li>`, n, n, name, n, n)
		}
		tb.site.put("/"+name, fmt.Sprintf(html, name, rows))
		made, err := tb.rt.CreateTarget(tb.ctx, tb.call, browser.CreateTargetInput{URL: tb.site.URL + "/" + name})
		if err != nil {
			t.Fatal(err)
		}
		targets[i] = made.TargetID
	}
	for _, id := range targets {
		if _, err := tb.rt.Wait(tb.ctx, tb.call, browser.WaitInput{Condition: "lifecycle=load", RouteArgs: browser.RouteArgs{TargetID: id}}); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	pressed := map[string]int{}
	var executions []string
	var work sync.WaitGroup
	for n := range callers {
		work.Go(func() {
			var last [2]contract.Revision
			grow := func(at int, r contract.Revision, strictly bool) {
				if r < last[at] || strictly && r == last[at] {
					t.Errorf("caller %d: revision %d after %d", n, r, last[at])
				}
				last[at] = r
			}
			for i := range calls {
				at := (n + i) % 2
				route := browser.RouteArgs{TargetID: targets[at]}
				target := fmt.Sprintf("name=Press %d", n)
				switch i % 5 {
				case 0, 1, 2:
					r, err := tb.rt.Click(tb.ctx, tb.call, browser.ClickInput{Target: target, ActArgs: browser.ActArgs{RouteArgs: route}})
					if err != nil {
						t.Errorf("click: %v", err)
						continue
					}
					grow(at, r.Revision, true)
					mu.Lock()
					pressed[fmt.Sprintf("%c%d", "ab"[at], n)]++
					executions = append(executions, r.ExecutionID)
					mu.Unlock()
				case 3:
					pc, err := tb.rt.Observe(tb.ctx, tb.call, browser.ObserveInput{RouteArgs: route})
					if err != nil || len(pc.Controls) != callers {
						t.Errorf("observe: %+v %v", pc, err)
						continue
					}
					grow(at, pc.Revision, false)
				case 4:
					found, err := tb.rt.Find(tb.ctx, tb.call, browser.FindInput{Query: target[5:], RouteArgs: route})
					if err != nil || len(found.Matches) == 0 {
						t.Errorf("find: %+v %v", found, err)
						continue
					}
					grow(at, found.Revision, false)
				}
			}
		})
	}
	work.Wait()
	total := 0
	for _, n := range pressed {
		total += n
	}
	log := tb.site.until(t, "presses", func(log []string) bool { return len(log) >= total })
	seen := map[string]int{}
	for _, e := range log {
		seen[e]++
	}
	for name, n := range pressed {
		if seen[name] != n {
			t.Errorf("%s: %d presses, the page saw %d", name, n, seen[name])
		}
	}
	if len(log) != total {
		t.Errorf("%d presses, the pages saw %d", total, len(log))
	}
	slices.Sort(executions)
	if len(slices.Compact(executions)) != total {
		t.Error("execution ids repeat")
	}
}
