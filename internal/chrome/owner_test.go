package chrome

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An owner is this test binary started as a program that launches a browser, reports, and waits to be killed.

// ownerTask is what an owner gets in its environment.
type ownerTask struct {
	Options LaunchOptions
	// Report says when the owner reports: right after the "launch", or with a page "loaded".
	Report string
	// Sibling starts another child that outlives the owner.
	Sibling bool
}

// startSibling returns the number of a child that would hold our ends of the pipes open if it inherited them.
func startSibling(wanted bool) (pid int, err error) {
	if !wanted {
		return 0, nil
	}
	sibling := exec.Command("sleep", "600")
	err = sibling.Start()
	if err == nil {
		pid = sibling.Process.Pid
	}
	return pid, err
}

func own() {
	var task ownerTask
	if err := json.Unmarshal([]byte(os.Getenv(ownerVariable)), &task); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	b, err := Launch(context.Background(), &task.Options)
	if err == nil && task.Report == "loaded" {
		_, err = newWire(b).open("data:text/html,<p>hello")
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	sibling, err := startSibling(task.Sibling)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("ready", b.ID(), b.PID(), sibling)
	<-b.Exited()
}

// startOwner starts an owner and returns it with the id of its browser, once it has reported.
func startOwner(t *testing.T, task ownerTask) (owner *exec.Cmd, id string, pid int) {
	t.Helper()
	data, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	owner = exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerVariable+"="+string(data))
	owner.Stderr = os.Stderr
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		owner.Process.Kill()
		owner.Wait()
	})
	var sibling int
	line, err := bufio.NewReader(out).ReadString('\n')
	if n, scanErr := fmt.Sscanf(line, "ready %s %d %d", &id, &pid, &sibling); n != 3 {
		t.Fatalf("owner said %q: %v, %v", strings.TrimSpace(line), err, scanErr)
	}
	if sibling != 0 {
		t.Cleanup(func() { syscall.Kill(sibling, syscall.SIGKILL) })
	}
	return owner, id, pid
}

// orphanBound is how soon nothing may be left after the owner was killed. The figure for an idle machine is 2 s
// (reliability.md §3.2); a Chrome that is still starting looks at its pipe only when it has, which takes long on a busy
// one.
const orphanBound = 30 * time.Second

func TestKilledOwnerLeavesNoProcessAndNoFolder(t *testing.T) {
	needChromium(t)
	tests := []struct {
		name    string
		report  string
		port    bool
		sibling bool
	}{
		{"while Chrome starts", "launch", false, false},
		{"with a page loaded", "loaded", false, false},
		{"with a DevTools port", "loaded", true, false},
		{"with another child that lives on", "loaded", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 3 {
				o := options(t)
				if tt.port {
					o.Port = freePort(t)
				}
				owner, id, pid := startOwner(t, ownerTask{*o, tt.report, tt.sibling})
				if err := owner.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				owner.Wait()
				took := awaitNone(t, pid, id)
				t.Logf("gone after %v", took)
				if took > orphanBound {
					t.Errorf("processes were left for %v", took)
				}
				if n, err := Sweep(testContext(t), o.Folders); n != 1 || err != nil {
					t.Errorf("the sweep removed %d folders, %v", n, err)
				}
				if left, err := leftoverNames(o.Folders.State); len(left) != 0 || err != nil {
					t.Errorf("left after the sweep: %v, %v", left, err)
				}
			}
		})
	}
}

// awaitNone waits until no process of the tree is left, and says how long that took. It kills nothing.
func awaitNone(t *testing.T, group int, id string) time.Duration {
	t.Helper()
	started := time.Now()
	ticker := time.NewTicker(treePoll)
	defer ticker.Stop()
	for {
		left, err := processes(t.Context(), group, id)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return time.Since(started)
		}
		if time.Since(started) > testBound {
			t.Fatalf("still running: %v", left)
		}
		<-ticker.C
	}
}

func TestLaunchSweepsWhatAKilledOwnerLeft(t *testing.T) {
	needChromium(t)
	o := options(t)
	owner, id, pid := startOwner(t, ownerTask{Options: *o, Report: "launch"})
	if _, err := os.Stat((&workdir{id: id, state: o.Folders.State}).path()); err != nil {
		t.Fatal(err)
	}
	owner.Process.Kill()
	owner.Wait()
	awaitNone(t, pid, id)
	b, w := launch(t, o)
	if err := w.call("", "Browser.getVersion", nil, nil); err != nil {
		t.Fatal(why(b, err))
	}
	<-b.swept
	left, err := leftoverNames(o.Folders.State)
	if err != nil || len(left) != 1 || left[0] != b.ID() {
		t.Errorf("left after the launch: %v, %v; want the browser's own %s", left, err, b.ID())
	}
}
