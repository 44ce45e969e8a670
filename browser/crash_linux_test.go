package browser_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// crashNotice is within what time calls on a crashed page must end, on a busy machine.
const crashNotice = 5 * time.Second

// process is what /proc says of one.
type process struct {
	parent  int
	command string
}

func processes(t *testing.T) map[int]process {
	t.Helper()
	list := map[int]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		_, rest, _ := strings.Cut(string(stat), ") ") // the name before may hold anything
		if fields := strings.Fields(rest); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			list[pid] = process{parent, strings.ReplaceAll(string(command), "\x00", " ")}
		}
	}
	return list
}

// renderers are the processes that show pages of the browser with this folder in its command line.
func renderers(t *testing.T, folder string) []int {
	t.Helper()
	list := processes(t)
	var found []int
	for pid, p := range list {
		if !strings.Contains(p.command, "--type=renderer") {
			continue
		}
		for at := p.parent; at > 1; at = list[at].parent {
			if strings.Contains(list[at].command, "--user-data-dir="+folder) {
				found = append(found, pid)
				break
			}
		}
	}
	return found
}

// comeBack reloads the page, once, which must be enough for it to answer.
func (tb *tab) comeBack() {
	tb.Helper()
	if _, err := tb.rt.Reload(tb.ctx, tb.call, browser.HistoryInput{}); err != nil {
		tb.Fatalf("the page does not come back: %v", err)
	}
	if _, err := tb.rt.Evaluate(tb.ctx, tb.call, browser.EvaluateInput{Expression: "1"}); err != nil {
		tb.Fatalf("the page has come back, and does not answer: %v", err)
	}
}

// A renderer that is killed in the middle of calls: they end at once and say why; the page can be loaded again.
func TestKilledRenderer(t *testing.T) {
	rt, folders, ctx := runtimeIn(t)
	call := &browser.Call{Client: "test", Session: "crash"}
	tb := &tab{T: t, rt: rt, call: call, ctx: ctx, site: serve(t)}
	tb.show(`<button onclick="log('pressed')">Save</button>`)
	before := tb.observe()
	for name, do := range map[string]func() error{
		"wait": func() error {
			return only(rt.Wait(ctx, call, browser.WaitInput{Condition: "text=never", TimeoutMs: 60_000}))
		},
		"evaluate": func() error {
			return only(rt.Evaluate(ctx, call, browser.EvaluateInput{Expression: "new Promise(() => 0)"}))
		},
		"busy": func() error { return only(rt.Evaluate(ctx, call, browser.EvaluateInput{Expression: "for (;;);"})) },
	} {
		t.Run(name, func(t *testing.T) {
			tb := tb.in(t)
			tb.comeBack()
			done := make(chan error, 1)
			running := tb.site.hit("/running")
			tb.eval("fetch('/running'); 1")
			go func() { done <- do() }()
			<-running
			pids := renderers(t, folders.State)
			if len(pids) == 0 {
				t.Fatal("no renderer found")
			}
			for _, pid := range pids {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
			killed := time.Now()
			f := failure(t, <-done, contract.Unavailable)
			if took := time.Since(killed); f.Reason != "page_crashed" || took > crashNotice {
				t.Errorf("%+v after %v", f, took)
			}
			_, err := rt.Observe(ctx, call, browser.ObserveInput{})
			if f := failure(t, err, contract.Unavailable); f.Reason != "page_crashed" {
				t.Errorf("observe: %s %s", f.Reason, f.Message)
			}
			_, err = rt.Click(ctx, call, browser.ClickInput{Target: "name=Save"})
			if f := failure(t, err, contract.Unavailable); f.Reason != "page_crashed" || !f.BeforeDispatch() {
				t.Errorf("click: %s %s %s", f.Phase, f.Reason, f.Message)
			}
			tb.comeBack()
			_, err = rt.Click(ctx, call, browser.ClickInput{Target: node(t, before, "Save")})
			failure(t, err, contract.StaleReference)
			tb.click(ref(t, tb.observe(), "Save"))
			tb.wantLog("pressed")
		})
	}
}
