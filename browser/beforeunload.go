package browser

import "context"

// answerBeforeUnload answers the question "leave this page?" for the time of a navigation: dismissed, so that the page
// stays, unless the caller said accept (browser.md §7).
func (v *visitation) answerBeforeUnload(ctx context.Context) func() {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			err := v.page.changes.until(ctx, func() bool { d := v.page.openDialog(); return d != nil && d.Type == "beforeunload" })
			if err != nil {
				return
			}
			accept := v.leave == "accept"
			v.mu.Lock()
			v.asked = true
			v.mu.Unlock()
			if v.page.cdp.Call(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": accept}, nil) != nil {
				return
			}
			if v.page.changes.until(ctx, func() bool { return v.page.openDialog() == nil }) != nil {
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// stayed reports whether the page asked and was left where it was.
func (v *visitation) stayed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked
}

// dismissForeignDialog ends a dialog that would hold up the navigation: navigating is a cure for it.
func (v *visitation) dismissForeignDialog(ctx context.Context) {
	if d := v.page.openDialog(); d == nil {
		return
	}
	_ = v.page.cdp.Call(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": false}, nil) // the navigation tells
}
