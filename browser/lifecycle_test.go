package browser_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/chrome"
)

// runtimeIn is a runtime with folders of its own, closed at the end of the test; nothing of it may be left then.
func runtimeIn(t *testing.T) (*browser.Runtime, *chrome.Folders, context.Context) {
	t.Helper()
	folders := &chrome.Folders{State: filepath.Join(t.TempDir(), "s"), Data: filepath.Join(t.TempDir(), "d")}
	rt := browser.NewRuntime(&browser.RuntimeOptions{Defaults: testOptions(), Folders: folders})
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	t.Cleanup(func() {
		defer cancel()
		if err := rt.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
		left, _ := filepath.Glob(filepath.Join(folders.State, "b", "*"))
		if len(left) > 0 {
			t.Errorf("left in the state folder: %v", left)
		}
	})
	return rt, folders, ctx
}

// opts writes session options as a caller names them.
func opts(name, options string) *browser.Call {
	return &browser.Call{Client: "test", Session: name, Options: []byte(options)}
}

func mustVisit(t *testing.T, rt *browser.Runtime, ctx context.Context, call *browser.Call, url string) {
	t.Helper()
	if _, err := rt.Navigate(ctx, call, browser.NavigateInput{URL: url}); err != nil {
		t.Fatalf("navigate: %v", err)
	}
}

func value(t *testing.T, rt *browser.Runtime, ctx context.Context, call *browser.Call, expression string) string {
	t.Helper()
	r, err := rt.Evaluate(ctx, call, browser.EvaluateInput{Expression: expression})
	if err != nil {
		t.Fatalf("evaluate: %v", err)
	}
	return string(r.Value)
}

func TestSessionsShareNoState(t *testing.T) {
	rt, _, ctx := runtimeIn(t)
	s := serve(t)
	s.put("/page", "<title>x</title>")
	first, second, incognito := opts("a", `{}`), opts("b", `{}`), opts("c", `{"incognito":true}`)
	mustVisit(t, rt, ctx, first, s.URL+"/page")
	value(t, rt, ctx, first, "localStorage.k='secret', document.cookie='k=secret', 1")
	for name, call := range map[string]*browser.Call{"another session": second, "incognito": incognito} {
		mustVisit(t, rt, ctx, call, s.URL+"/page")
		if got := value(t, rt, ctx, call, "(localStorage.k||'')+document.cookie"); got != `""` {
			t.Errorf("%s sees %s", name, got)
		}
	}
	if got := value(t, rt, ctx, first, "localStorage.k"); got != `"secret"` {
		t.Errorf("the session itself sees %s", got)
	}
}

func TestNamedProfilesAreKeptAndOwnedByOne(t *testing.T) {
	rt, folders, ctx := runtimeIn(t)
	s := serve(t)
	s.put("/page", "<title>x</title>")
	call := opts("p", `{"profile":"work"}`)
	mustVisit(t, rt, ctx, call, s.URL+"/page")
	value(t, rt, ctx, call, "localStorage.k='kept', 1")

	_, err := rt.Observe(ctx, opts("q", `{"profile":"work"}`), browser.ObserveInput{})
	if f := failure(t, err, contract.Unavailable); f.Reason != string(chrome.InUse) {
		t.Errorf("a second owner: %+v", f)
	}
	if err := chrome.DeleteProfile(ctx, "work", folders); err == nil {
		t.Error("a profile in use was deleted")
	}
	if _, err := rt.CloseSession(ctx, call, browser.CloseInput{}); err != nil {
		t.Fatal(err)
	}
	mustVisit(t, rt, ctx, call, s.URL+"/page")
	if got := value(t, rt, ctx, call, "localStorage.k"); got != `"kept"` {
		t.Errorf("after reopening: %s", got)
	}
	if _, err := rt.CloseSession(ctx, call, browser.CloseInput{}); err != nil {
		t.Fatal(err)
	}
	if err := chrome.DeleteProfile(ctx, "work", folders); err != nil {
		t.Error(err)
	}
}

func TestAttachUsesAndLeavesARunningBrowser(t *testing.T) {
	rt, folders, ctx := runtimeIn(t)
	s := serve(t)
	s.put("/page", "<title>x</title><button onclick=\"fetch('/log?e=pressed')\">Go</button>")
	port := freePort(t)
	theirs := browser.NewRuntime(&browser.RuntimeOptions{Defaults: testOptions(), Folders: folders})
	owner := opts("owner", fmt.Sprintf(`{"port":%d}`, port))
	mustVisit(t, theirs, ctx, owner, s.URL+"/page")

	visitor := opts("visitor", fmt.Sprintf(`{"attach":"%d","noSandbox":false}`, port))
	pc, err := rt.Observe(ctx, visitor, browser.ObserveInput{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.Click(ctx, visitor, browser.ClickInput{Target: ref(t, pc, "Go")}); err != nil {
		t.Fatal(err)
	}
	s.until(t, "the press", func(log []string) bool { return len(log) == 1 && log[0] == "pressed" })
	list, err := rt.Sessions(ctx, visitor, browser.SessionsInput{})
	if err != nil || len(list.Sessions) != 1 || !list.Sessions[0].AttachMode {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if _, err := rt.CloseSession(ctx, visitor, browser.CloseInput{}); err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Observe(ctx, owner, browser.ObserveInput{}); err != nil {
		t.Errorf("after the visitor has left: %v", err)
	}

	if _, err := theirs.CreateTarget(ctx, owner, browser.CreateTargetInput{URL: s.URL + "/page"}); err != nil {
		t.Fatal(err)
	}
	_, err = rt.Observe(ctx, visitor, browser.ObserveInput{})
	f := failure(t, err, contract.Ambiguous)
	if len(f.Candidates) != 2 {
		t.Fatalf("two pages: %+v", f)
	}
	chosen := opts("visitor", fmt.Sprintf(`{"attach":"%d","target":"%s"}`, port, f.Candidates[1].Reference))
	if _, err := rt.Observe(ctx, chosen, browser.ObserveInput{}); err != nil {
		t.Errorf("with a target named: %v", err)
	}
	if _, err := rt.CloseSession(ctx, chosen, browser.CloseInput{}); err != nil {
		t.Error(err)
	}
	if err := theirs.Close(ctx); err != nil {
		t.Error(err)
	}
	_, err = rt.Observe(ctx, visitor, browser.ObserveInput{})
	if f := asContractFailure(err); f == nil || f.Kind != contract.Unavailable {
		t.Errorf("attaching to nothing: %v", err)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	rt, _, ctx := runtimeIn(t)
	for name, c := range map[string]struct {
		options string
		kind    contract.Kind
	}{
		"missing browser":         {`{"chromePath":"/nowhere/chrome"}`, contract.Unavailable},
		"profile and incognito":   {`{"profile":"a","incognito":true}`, contract.InvalidArgument},
		"attach and headed":       {`{"attach":"9222","headed":true}`, contract.InvalidArgument},
		"target without attach":   {`{"target":"x"}`, contract.InvalidArgument},
		"viewport":                {`{"viewport":"big"}`, contract.InvalidArgument},
		"profile name":            {`{"profile":"../x"}`, contract.InvalidArgument},
		"flag that opens a port":  {`{"chromeFlags":["--remote-debugging-port=1"]}`, contract.InvalidArgument},
		"nothing to attach to":    {`{"attach":"1"}`, contract.Unavailable},
		"unknown policy":          {`{"policy":"lax"}`, contract.InvalidArgument},
		"capability of both ways": {`{"policyAllow":["upload"],"policyConfirm":["upload"]}`, contract.InvalidArgument},
	} {
		_, err := rt.Observe(ctx, opts("x", c.options), browser.ObserveInput{})
		if f := asContractFailure(err); f == nil || f.Kind != c.kind {
			t.Errorf("%s: %v, want %s", name, err, c.kind)
		}
	}
	mustVisit(t, rt, ctx, opts("y", `{"viewport":"800x600"}`), "about:blank")
	_, err := rt.Observe(ctx, opts("y", `{"viewport":"640x480"}`), browser.ObserveInput{})
	f := failure(t, err, contract.InvalidArgument)
	if !strings.Contains(f.Message, "800x600") || !strings.Contains(f.Message, "640x480") {
		t.Errorf("both values are to be named: %s", f.Message)
	}
	if got := value(t, rt, ctx, opts("y", `{}`), "innerWidth+'x'+innerHeight"); got != `"800x600"` {
		t.Errorf("the viewport is %s", got)
	}
}

func TestBrowserThatIsKilledIsGoneUntilRestarted(t *testing.T) {
	rt, folders, ctx := runtimeIn(t)
	s := serve(t)
	s.put("/page", "<title>x</title><button>Go</button>")
	call := opts("k", `{}`)
	mustVisit(t, rt, ctx, call, s.URL+"/page")
	kill(t, folders)
	for range 2 {
		_, err := rt.Click(ctx, call, browser.ClickInput{Target: "name=Go"})
		f := asContractFailure(err)
		if f == nil || f.Reason != "browser_gone" {
			t.Fatalf("after the kill: %v", err)
		}
	}
	if _, err := rt.RestartBrowser(ctx, call, browser.RestartInput{}); err != nil {
		t.Fatal(err)
	}
	mustVisit(t, rt, ctx, call, s.URL+"/page")
}

// kill ends the browser of the folders by the process id in its command line's user-data directory.
func kill(t *testing.T, folders *chrome.Folders) {
	t.Helper()
	procs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range procs {
		line, err := os.ReadFile(p)
		args := string(line)
		if err != nil || !strings.Contains(args, folders.State) || strings.Contains(args, "--type=") || strings.Contains(args, "crashpad") {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(p, "/")[2])
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("no browser process found")
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func asContractFailure(err error) *contract.Failure {
	f, _ := err.(*contract.Failure)
	return f
}
