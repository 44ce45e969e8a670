package browser_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/glasskit/glass/browser"
)

// Sessions that come and go at the same time share a browser without closing it under each other.
func TestSessionsThatComeAndGo(t *testing.T) {
	rt, _, ctx := runtimeIn(t)
	s := serve(t)
	s.put("/page", "<title>x</title><button>Go</button>")
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for round := range 4 {
				call := opts(fmt.Sprintf("w%d-%d", worker, round), `{}`)
				if _, err := rt.Navigate(ctx, call, browser.NavigateInput{URL: s.URL + "/page"}); err != nil {
					t.Errorf("worker %d, round %d: %v", worker, round, err)
				}
				if _, err := rt.CloseSession(ctx, call, browser.CloseInput{}); err != nil {
					t.Errorf("worker %d, round %d: close: %v", worker, round, err)
				}
			}
		})
	}
	all.Wait()
}
