package browser

import (
	"context"

	"github.com/glasskit/glass/contract"
)

// maxDismissed is how many dialogs of one page are dismissed in a row before its script counts as asking for ever.
const maxDismissed = 4

// elsewhere is a document that runs in a process of its own.
const elsewhere = "data:text/html,"

// freePage dismisses the dialogs that are open when a navigation begins, until the page's script has come to rest. A page
// that goes on asking is left by way of a document in another process: one that asks in the very moment in which its
// document is replaced cannot be answered any more, and holds up its process, the next document with it.
func (v *visitation) freePage(ctx context.Context) error {
	for n := 0; v.page.openDialog() != nil; n++ {
		if n == maxDismissed {
			return v.escape(ctx)
		}
		if v.answerOne(ctx) != nil {
			return nil // the dialog went by itself
		}
		v.awaitRest(ctx)
	}
	return nil
}

// escape costs an entry of the history, and what lies forward in it.
func (v *visitation) escape(ctx context.Context) error {
	main := v.page.frameID()
	if v.frame != main {
		return contract.Fail(contract.HitTestBlocked, contract.PhasePreflight, "the page opens one dialog after the other").Because("dialog").
			WithHint("navigate the page itself, or close it")
	}
	v.sent()
	if err := v.page.cdp.Call(ctx, "Page.navigate", map[string]any{"url": elsewhere}, nil); err != nil {
		return connectionFailure(ctx, err)
	}
	var f frame
	err := v.page.changes.until(ctx, func() bool {
		f, _ = v.page.frameNow(main)
		return v.page.isClosed() || f.loader != v.before.loader && f.lifecycle.has("load")
	})
	if err != nil {
		return ended(ctx)
	}
	v.before.loader, v.escaped = f.loader, true
	return nil
}

// answerDialogs answers what the page asks for the time of a navigation. The question "leave this page?" is dismissed, so
// that the page stays, unless the caller said accept; dialogs of the document that is being left would hold the navigation
// up and are dismissed (browser.md §7).
func (v *visitation) answerDialogs(ctx context.Context) func() {
	idle, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if v.page.changes.until(idle, func() bool { kind, _ := v.mine(); return kind != "" }) != nil {
				return
			}
			if v.answerOne(ctx) != nil {
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// answerOne answers the open dialog and waits until it has gone, so that no result shows it as open.
func (v *visitation) answerOne(ctx context.Context) error {
	kind, number := v.mine()
	accept := kind == "beforeunload" && v.leave == "accept"
	if kind == "beforeunload" {
		v.mu.Lock()
		v.asked = true
		v.mu.Unlock()
	}
	if err := v.page.cdp.Call(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": accept}, nil); err != nil {
		return err
	}
	return v.page.changes.until(ctx, func() bool { kind, now := v.mine(); return kind == "" || now > number })
}

// mine is the type and number of the open dialog when the navigation answers it. Dialogs of the document that is reached
// are the caller's.
func (v *visitation) mine() (kind string, number int) {
	v.page.mu.Lock()
	defer v.page.mu.Unlock()
	d, f := v.page.dialog, v.page.frames[v.frame]
	if d == nil || d.Type != "beforeunload" && (f == nil || f.loader != v.before.loader || f.sameDocument != v.before.same) {
		return "", v.page.dialogs
	}
	return d.Type, v.page.dialogs
}

// halted reports whether a dialog keeps the navigation from going on that the caller has to answer.
func (v *visitation) halted() bool {
	kind, _ := v.mine()
	return kind == "" && v.page.openDialog() != nil
}

// stayed reports whether the page asked and was left where it was.
func (v *visitation) stayed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked && v.leave != "accept"
}
