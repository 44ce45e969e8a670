package browser

import (
	"context"
	"errors"

	"github.com/glasskit/glass/contract"
)

// leavingNow reports whether the press began a navigation that has not shown its document yet, or has already done so.
func (a *action) leavingNow() bool {
	f, ok := a.page.frameNow(a.frame)
	return ok && (f.loader != a.before.loader || f.leaving && f.starts > a.before.starts)
}

// followNavigation waits for the new document's DOMContentLoaded and takes its first controls as the delta. A navigation
// that comes to nothing (a download, an answer without content) leaves the old document, whose delta it then takes.
func (a *action) followNavigation(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, NavigationAfter)
	defer cancel()
	err := a.page.changes.until(wait, func() bool {
		f, ok := a.page.frameNow(a.frame)
		switch {
		case !ok || a.page.openDialog() != nil || a.page.isClosed():
			return true
		case f.loader != a.before.loader:
			return f.lifecycle.has("DOMContentLoaded")
		}
		return !f.leaving
	})
	f, ok := a.page.frameNow(a.frame)
	s := a.settled
	s.url = f.url
	switch {
	case !ok || a.page.isClosed() || a.page.openDialog() != nil:
		a.revise("", "")
		return nil
	case err != nil:
		s.pending = ctx.Err() == nil
		a.revise("", "")
		return nil
	case f.loader != a.before.loader:
		s.urlChanged = f.url != a.before.url
		return a.arrive(ctx)
	case a.rev.now() == a.previous:
		a.before.starts = f.starts // that navigation is over
		return a.takeEffect(ctx, true)
	}
	return nil
}

// arrive looks at the document that replaced the old one.
func (a *action) arrive(ctx context.Context) error {
	reply, err := a.observeInPage(ctx, observeArgs{Limits: deltaLimits(), Publish: true})
	switch {
	case errors.Is(err, errDialog) || errors.Is(err, errReplaced):
		a.revise("", "")
		a.settled.pending = errors.Is(err, errReplaced)
		return nil
	case err != nil:
		a.revise("", "")
		return err
	}
	a.revise(reply.Doc, reply.Hash)
	s := a.settled
	s.newDocument, s.url, s.title = reply.Doc, cutURL(reply.URL), cutTitle(reply.Title)
	s.titleChanged, s.targetChanged = s.title != a.before.title, true
	added := a.entries(reply.Controls)
	s.delta = &contract.Delta{Added: added, Text: cleanBlock(reply.Text), Full: true}
	if n := reply.Total - len(added); n > 0 {
		s.delta.Omitted = &contract.Omitted{Added: n}
	}
	return nil
}
