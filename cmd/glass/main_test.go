package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asGlass makes the test binary run as the program itself, so that commands and the daemon that they start are the real ones.
const asGlass = "GLASS_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asGlass) == "1" {
		os.Exit(run())
	}
	os.Exit(m.Run())
}

// deadline bounds a test's commands, on a machine that may be busy.
const deadline = 3 * time.Minute

// shell runs commands with folders of its own. When the test ends nothing of it may be left.
type shell struct {
	*testing.T
	ctx  context.Context
	dir  string
	mark string // in the environment of every process of this shell
	env  []string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	dir, err := os.MkdirTemp("", "gt") // short: a socket's path has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	sh := &shell{T: t, ctx: ctx, dir: dir, mark: "GLASS_TEST_MARK=" + filepath.Base(dir)}
	sh.env = append(os.Environ(), asGlass+"=1", sh.mark, "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "XDG_STATE_HOME="+dir+"/s", "XDG_DATA_HOME="+dir+"/d",
		"XDG_CONFIG_HOME="+dir+"/c", "GLASS_RUNTIME_DIR="+dir+"/r")
	if os.Geteuid() == 0 {
		sh.env = append(sh.env, "GLASS_NO_SANDBOX=1")
	}
	t.Cleanup(func() {
		defer cancel()
		sh.command("close", "--all")
		sh.command("daemon", "stop")
		sh.gone("after the daemon was stopped")
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return sh
}

type result struct {
	code        int
	out, stderr string
}

func (sh *shell) command(args ...string) result {
	sh.Helper()
	self, err := os.Executable()
	if err != nil {
		sh.Fatal(err)
	}
	cmd := exec.CommandContext(sh.ctx, self, args...)
	var out, stderr bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = sh.env, sh.dir, &out, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !asExit(err, &exit) {
		sh.Fatalf("glass %v: %v", args, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), stderr.String()}
}

func asExit(err error, into **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*into = e
	return ok
}

// glass runs a command that must succeed and decodes its result.
func (sh *shell) glass(args ...string) map[string]any {
	sh.Helper()
	r := sh.command(args...)
	if r.code != 0 {
		sh.Fatalf("glass %v ended with %d: %s", args, r.code, r.stderr)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(r.out), &v); err != nil {
		sh.Fatalf("glass %v printed %q: %v", args, r.out, err)
	}
	return v
}

// processes are those that carry this shell's mark, except the test itself.
func (sh *shell) processes() (pids []int) {
	sh.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		sh.Fatal(err)
	}
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(env, []byte(sh.mark)) && !bytes.Contains(env, []byte(sh.dir)) {
			continue
		}
		if pid, err := strconv.Atoi(strings.Split(f, "/")[2]); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// gone waits until no process of this shell is left.
func (sh *shell) gone(when string) time.Duration {
	sh.Helper()
	start := time.Now()
	for {
		left := sh.processes()
		if len(left) == 0 {
			return time.Since(start)
		}
		if time.Since(start) > time.Minute {
			sh.Errorf("%s: processes %v are left", when, left)
			return time.Since(start)
		}
		time.Sleep(5 * time.Millisecond) // processes of others end without an event for us
	}
}

func page(t *testing.T, html string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Page</title>"+html)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// The first session: separate commands, one page.
func TestSeparateCommandsShareASession(t *testing.T) {
	sh := newShell(t)
	url := page(t, `<button onclick="o.textContent='Saved'">Save</button><p id=o></p>`)
	sh.glass("navigate", url)
	first := sh.glass("observe")
	controls := first["controls"].([]any)
	ref := controls[0].(map[string]any)["ref"].(string)
	if second := sh.glass("observe"); second["cached"] != true {
		t.Errorf("the second observation of an unchanged page was not cached: %v", second)
	}
	sh.glass("click", ref, "--expected-revision", fmt.Sprint(first["revision"]))
	sh.glass("wait", "text=Saved")
	if r := sh.command("click", ref); r.code != 1 || !strings.Contains(r.stderr, `"kind":"stale_reference"`) {
		t.Errorf("an old reference: %d %s", r.code, r.stderr)
	}
	if r := sh.command("wait", "text=Never", "--timeout-ms", "50"); r.code != 5 || !strings.Contains(r.stderr, `"kind":"timeout"`) {
		t.Errorf("a wait that times out: %d %s", r.code, r.stderr)
	}
	sh.glass("close")
	for _, pid := range sh.processes() {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && bytes.Contains(line, []byte("--type=")) {
			t.Errorf("after close a browser process is left: %d %s", pid, line)
		}
	}
}

// Nothing outlives the daemon, however it dies, and the next command starts afresh. GLASS_TEST_TRIALS asks for more than
// the few trials of a usual run.
func TestNothingOutlivesAKilledDaemon(t *testing.T) {
	trials := 4
	if n, err := strconv.Atoi(os.Getenv("GLASS_TEST_TRIALS")); err == nil {
		trials = n
	}
	sh := newShell(t)
	url := page(t, `<button>Save</button>`)
	var slowest time.Duration
	for i := range trials {
		sh.glass("navigate", url)
		status := sh.glass("daemon", "status")
		pid := int(status["pid"].(float64))
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		took := sh.gone(fmt.Sprintf("trial %d", i))
		slowest = max(slowest, took)
	}
	t.Logf("slowest of %d ends: %v", trials, slowest)
	sh.glass("navigate", url)
	sh.glass("close")
	left, err := filepath.Glob(sh.dir + "/s/glass/b/*")
	if err != nil || len(left) > 0 {
		t.Errorf("left in the state folder: %v, %v", left, err)
	}
}

// Wrong arguments start nothing.
func TestWrongArgumentsStartNothing(t *testing.T) {
	sh := newShell(t)
	for _, args := range [][]string{
		{"click"}, {"click", "a", "b"}, {"clik", "x"}, {"click", "x", "--nope"}, {"observe", "--offset", "-1"}, {"observe", "--offset", "x"},
		{"scroll", "--to", "up"}, {"navigate"}, {"navigate", "https://x.test", "--wait-until", "never"},
	} {
		if r := sh.command(args...); r.code != 2 || r.out != "" || r.stderr == "" {
			t.Errorf("glass %v ended with %d: %q %q", args, r.code, r.out, r.stderr)
		}
	}
	if left := sh.processes(); len(left) > 0 {
		t.Errorf("wrong arguments started %v", left)
	}
}
