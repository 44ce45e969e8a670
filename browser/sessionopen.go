package browser

import (
	"context"
	"time"

	"github.com/glasskit/glass/contract"
)

func (s *Session) touch() {
	s.mu.Lock()
	s.lastUsed = time.Now()
	s.mu.Unlock()
}

// begin gives the session its browser context and its first page.
func (s *Session) begin(ctx context.Context) error {
	root := s.engine.conn.Browser()
	if s.ownContext() {
		var made struct {
			ID string `json:"browserContextId"`
		}
		if err := root.Call(ctx, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &made); err != nil {
			return connectionFailure(ctx, err)
		}
		s.context = made.ID
	}
	s.engine.join(s)
	if s.engine.attached {
		return s.visitPages(ctx)
	}
	downloads := map[string]any{"behavior": "deny", "eventsEnabled": true}
	if s.context != "" {
		downloads["browserContextId"] = s.context
	}
	pending := root.Go(ctx, "Browser.setDownloadBehavior", downloads)
	if err := s.firstPage(ctx); err != nil {
		return err
	}
	if err := pending.Wait(ctx, nil); err != nil {
		return connectionFailure(ctx, err)
	}
	return nil
}

// ownContext says whether the session makes a browser context of its own: a profile, and a visited browser, have theirs.
func (s *Session) ownContext() bool {
	return !s.engine.attached && s.options.Profile == "" && !s.options.Incognito && s.options.Port == 0
}

// existing lists the page targets that are there when the session opens.
func (s *Session) existing(ctx context.Context) ([]string, error) {
	var got struct {
		Targets []struct {
			ID      string `json:"targetId"`
			Type    string `json:"type"`
			Title   string `json:"title"`
			URL     string `json:"url"`
			Opener  string `json:"openerId"`
			Context string `json:"browserContextId"`
		} `json:"targetInfos"`
	}
	if err := s.engine.conn.Browser().Call(ctx, "Target.getTargets", nil, &got); err != nil {
		return nil, connectionFailure(ctx, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, t := range got.Targets {
		if t.Type != "page" || s.context != "" && t.Context != s.context {
			continue
		}
		if s.pages[t.ID] == nil {
			s.addPage(t.ID, targetInfo{URL: cutURL(t.URL), Title: cutTitle(t.Title), Opener: t.Opener, Context: t.Context})
		}
		if s.pages[t.ID] != nil {
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

func (s *Session) firstPage(ctx context.Context) error {
	if s.context == "" {
		ids, err := s.existing(ctx)
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			return s.choose(ids)
		}
	}
	id, err := s.createPage(ctx, "about:blank")
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.selected = id
	s.mu.Unlock()
	return nil
}

// createPage makes a page target and registers it without waiting for the browser's event.
func (s *Session) createPage(ctx context.Context, url string) (string, error) {
	params := map[string]any{"url": url}
	if s.context != "" {
		params["browserContextId"] = s.context
	}
	var made struct {
		ID string `json:"targetId"`
	}
	if err := s.engine.conn.Browser().Call(ctx, "Target.createTarget", params, &made); err != nil {
		return "", connectionFailure(ctx, err)
	}
	s.mu.Lock()
	p := s.pages[made.ID]
	if p == nil {
		p = s.addPage(made.ID, targetInfo{URL: url, Context: s.context})
	}
	s.mu.Unlock()
	if p == nil {
		_ = s.engine.conn.Browser().Call(ctx, "Target.closeTarget", map[string]any{"targetId": made.ID}, nil)
		return "", contract.Fail(contract.Unavailable, contract.PhasePreflight, "%d targets are open, which is the limit", TargetCount).
			WithHint("close one with closeTarget")
	}
	return made.ID, p.prepare(ctx)
}

func (s *Session) visitPages(ctx context.Context) error {
	ids, err := s.existing(ctx)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return contract.Fail(contract.Unavailable, contract.PhasePreflight, "the running browser has no page open").Because("no_target")
	}
	return s.choose(ids)
}

// choose selects the page that the session starts with: more than one is an error unless one was named (browser.md §1).
func (s *Session) choose(ids []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if want := s.options.Target; want != "" {
		if s.pages[want] == nil {
			return contract.Fail(contract.Unavailable, contract.PhasePreflight, "the browser has no page target with the id named by --target").Because("no_target")
		}
		s.selected = want
		return nil
	}
	if len(ids) > 1 {
		f := contract.Fail(contract.Ambiguous, contract.PhasePreflight, "the browser has %d pages open; name one with --target", len(ids))
		for _, id := range ids[:min(len(ids), contract.CandidateCount)] {
			p := s.pages[id]
			f.Candidates = append(f.Candidates, contract.Candidate{Reference: id, Name: contract.Cut(p.info.Title, 60), Text: contract.Cut(p.info.URL, 60)})
		}
		return f
	}
	s.selected = ids[0]
	return nil
}

// finish closes what the session opened in a shared browser; a browser of its own is closed by its engine.
func (s *Session) finish(ctx context.Context) error {
	s.mu.Lock()
	s.end() // under the lock: no page is attached from here on
	s.mu.Unlock()
	var err error
	if s.context != "" && s.engine.usable() == nil {
		err = s.engine.conn.Browser().Call(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": s.context}, nil)
	}
	s.attaches.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.pages {
		s.dropPage(id)
	}
	return err
}
