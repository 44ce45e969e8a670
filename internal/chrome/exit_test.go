package chrome

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// script makes an executable that stands for a browser.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chrome")
	mustDo(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
	return path
}

func TestStartupFailureNamesStatusAndLastLine(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
	}{
		{"exit status", "echo 'chrome: error while loading shared libraries: libnss3.so' >&2; exit 127",
			[]string{"before it answered", "exit status 127", "libnss3.so"}},
		{"signal", "kill -ABRT $$", []string{"before it answered", "aborted"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t)
			o.NoSandbox, o.Executable = true, script(t, tt.body)
			b, err := Launch(testContext(t), o)
			if err != nil {
				t.Fatal(err)
			}
			<-b.Exited()
			if err := b.Close(testContext(t), nil); err != nil {
				t.Error(err)
			}
			err = b.ExitError()
			for _, part := range tt.want {
				if kindOf(err) != Startup || !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, want kind %s with %q", err, Startup, part)
				}
			}
			assertNothingLeft(t, b, o)
		})
	}
}

func TestExecutableThatCannotRun(t *testing.T) {
	o := options(t)
	o.Executable = filepath.Join(t.TempDir(), "none")
	if _, err := Launch(testContext(t), o); kindOf(err) != Missing {
		t.Errorf("missing file: %v", err)
	}
	o.NoSandbox, o.Executable = true, filepath.Join(t.TempDir(), "garbage")
	mustDo(t, os.WriteFile(o.Executable, []byte{0x7f, 'E', 'L', 'F', 0}, 0o700))
	if _, err := Launch(testContext(t), o); kindOf(err) != Startup {
		t.Errorf("garbage: %v", err)
	}
	if left, err := leftoverNames(o.Folders.State); len(left) != 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A killed browser is reported, and its helpers and folder go, also when Close comes late.
func TestKilledBrowser(t *testing.T) {
	o := options(t)
	b, w := launch(t, o)
	if _, err := w.open("data:text/html,<p>hello"); err != nil {
		t.Fatal(why(b, err))
	}
	mustDo(t, syscall.Kill(b.PID(), syscall.SIGKILL))
	<-b.Exited()
	if err := b.ExitError(); kindOf(err) != Gone || !strings.Contains(err.Error(), "killed") {
		t.Errorf("got %v", err)
	}
	<-b.gone // helpers end without Close
	if err := b.Close(testContext(t), w.polite); err != nil {
		t.Error(err)
	}
	assertNothingLeft(t, b, o)
}

// A stopped browser reads no pipe and handles no SIGTERM.
func TestCloseEndsAStoppedBrowser(t *testing.T) {
	o := options(t)
	b, w := launch(t, o)
	if err := w.call("", "Browser.getVersion", nil, nil); err != nil {
		t.Fatal(why(b, err))
	}
	mustDo(t, syscall.Kill(b.PID(), syscall.SIGSTOP))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	started := time.Now()
	if err := b.Close(ctx, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }); err != nil {
		t.Error(err)
	}
	if took := time.Since(started); took > politeBound {
		t.Errorf("a cancelled close took %v", took)
	}
	assertNothingLeft(t, b, o)
}

// Helpers that leave the group, ignore signals and hold the pipes open are ended too.
func TestCloseEndsHelpersThatLeftTheGroup(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("environments of other processes cannot be read here")
	}
	o := options(t)
	o.NoSandbox, o.Executable = true, script(t, "(trap '' TERM HUP; exec setsid sleep 600) & read line <&3; exit 0")
	b, err := Launch(testContext(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(testContext(t), nil); err != nil {
		t.Error(err)
	}
	assertNothingLeft(t, b, o)
}

func TestBrowserGetsNoSecretsAndAPrivateTemp(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	out := filepath.Join(t.TempDir(), "env")
	o := options(t)
	o.NoSandbox, o.Executable = true, script(t, "env > "+out+".new; mv "+out+".new "+out+"; read line <&3; exit 0")
	b, err := Launch(testContext(t), o)
	if err != nil {
		t.Fatal(err)
	}
	b.Writer.Write([]byte("go\n"))
	<-b.Exited()
	if err := b.Close(testContext(t), nil); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	text := "\n" + string(data)
	if strings.Contains(text, "hunter2") || !strings.Contains(text, "\n"+markerVariable+"="+b.ID()+"\n") ||
		!strings.Contains(text, "\nTMPDIR="+b.work.temp()+"\n") {
		t.Errorf("environment:%s", text)
	}
}
