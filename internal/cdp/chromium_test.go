package cdp

import (
	"context"
	"encoding/json/v2"
	"errors"
	"os"
	"os/exec"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// launch starts a real browser on a pipe; the test is skipped where there is none.
func launch(t *testing.T) *Conn {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	fromUs, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r, toUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--remote-debugging-pipe", "--user-data-dir=" + t.TempDir(), "--no-first-run",
		"--disable-gpu", "--disable-dev-shm-usage", "about:blank"}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = []*os.File{fromUs, toUs}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = fromUs.Close()
	_ = toUs.Close()
	c := NewPipe(r, w, nil)
	t.Cleanup(func() {
		// Browser.close lets it empty its profile; the end of the pipe ends it in any case (reliability.md F6).
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = c.Browser().Call(ctx, "Browser.close", nil, nil)
		_ = c.Close()
		_ = cmd.Wait()
	})
	return c
}

func attachPage(t *testing.T, c *Conn) (*Session, target.ID) {
	t.Helper()
	ctx := patient(t)
	made, err := protocol.Call(ctx, c.Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := protocol.Call(ctx, c.Browser(), target.AttachToTarget,
		target.AttachToTargetParams{TargetID: made.TargetID, Flatten: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	return c.Session(string(got.SessionID)), made.TargetID
}

// What the package assumes of browsers, asked of a real one.
func TestChromium(t *testing.T) {
	c := launch(t)
	ctx := patient(t)
	never := map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true}

	t.Run("a page answers and refuses", func(t *testing.T) {
		s, _ := attachPage(t, c)
		var got struct {
			Result struct{ Value string }
		}
		script := map[string]any{"expression": "'\\ud800' + 'x'.repeat(3e6)", "returnByValue": true}
		if err := s.Call(ctx, "Runtime.evaluate", script, &got); err != nil {
			t.Fatal(err)
		}
		var remote *RemoteError
		if err := s.Call(ctx, "Page.navigate", nil, nil); !errors.As(err, &remote) || remote.Code != -32602 {
			t.Fatalf("got %v, want a refusal", err)
		}
		if err := s.Call(ctx, "No.such", nil, nil); !errors.As(err, &remote) || remote.Code != -32601 {
			t.Fatalf("got %v, want a refusal", err)
		}
	})
	t.Run("an unknown session", func(t *testing.T) {
		s := c.Session("0123456789ABCDEF0123456789ABCDEF")
		if err := s.Call(ctx, "Page.enable", nil, nil); !goneAs(err, s, Detached) {
			t.Fatalf("got %v, want a session that is gone", err)
		}
	})
	t.Run("a closed target", func(t *testing.T) {
		s, id := attachPage(t, c)
		p := s.Go(ctx, "Runtime.evaluate", never)
		if _, err := protocol.Call(ctx, c.Browser(), target.CloseTarget, target.CloseTargetParams{TargetID: id}); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(ctx, nil); !errors.As(err, new(*SessionGoneError)) && !errors.As(err, new(*RemoteError)) {
			t.Fatalf("got %v", err)
		}
	})
	t.Run("a detached page tells nothing of its workers", func(t *testing.T) {
		s, _ := attachPage(t, c)
		var worker string
		s.Handle(func(_ string, params []byte) {
			var p struct {
				SessionID string `json:"sessionId"`
			}
			_ = json.Unmarshal(params, &p)
			worker = p.SessionID
		}, attachedToTarget)
		start := map[string]any{"awaitPromise": true, "expression": "new Promise(r => (window.w = new Worker(" +
			"URL.createObjectURL(new Blob(['postMessage(1)'])))).onmessage = r)"}
		if err := s.Call(ctx, "Runtime.evaluate", start, nil); err != nil {
			t.Fatal(err)
		}
		attach := map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}
		if err := s.Call(ctx, "Target.setAutoAttach", attach, nil); err != nil || worker == "" {
			t.Fatalf("attached to worker %q, %v", worker, err)
		}
		p := c.Session(worker).Go(ctx, "Runtime.evaluate", never)
		if err := c.Browser().Call(ctx, "Target.detachFromTarget", map[string]any{"sessionId": s.ID()}, nil); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(ctx, nil); !goneAs(err, c.Session(worker), Detached) {
			t.Fatalf("got %v, want a session that is gone", err)
		}
	})
	t.Run("a crash and the way back", func(t *testing.T) {
		s, _ := attachPage(t, c)
		p := s.Go(ctx, "Runtime.evaluate", never)
		crash := s.Go(ctx, "Page.crash", nil)
		for _, p := range []*Pending{p, crash} {
			if err := p.Wait(ctx, nil); !goneAs(err, s, Crashed) {
				t.Fatalf("got %v, want a crash", err)
			}
		}
		s.Revive()
		if _, err := protocol.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "about:blank"}); err != nil {
			t.Fatalf("after the crash: %v", err)
		}
	})
}
