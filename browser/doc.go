// Package browser is the page surface: it drives Chrome or Chromium over the DevTools protocol and gives a bounded,
// typed, revision-safe hold on web pages (browser.md).
//
// Make a [Runtime] first; it opens nothing. Its methods are the operations: each takes a context, a [Call] that names
// the client and the session, and a typed input, and answers a typed result or a [*contract.Failure]. The first
// operation of a session opens its browser; [Runtime.Close] ends everything that was opened.
//
//	rt := browser.NewRuntime(nil)
//	defer rt.Close(ctx)
//	call := &browser.Call{Client: "me", Session: "default"}
//	_, err := rt.Navigate(ctx, call, browser.NavigateInput{URL: "https://example.com"})
//	page, err := rt.Observe(ctx, call, browser.ObserveInput{})
//	_, err = rt.Click(ctx, call, browser.ClickInput{Target: page.Controls[0].Ref})
//
// How it works: a small script in an isolated world of each document keeps an index of all controls by the document's
// mutations (package browser/inpage). An observation, a locator and a check before a press are each one call of that
// script; input goes through the browser's own input pipeline, so that the page sees what a person would cause.
package browser
