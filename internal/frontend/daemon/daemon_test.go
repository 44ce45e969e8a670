package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/frontendtest"
	"github.com/glasskit/glass/internal/frontend/mcp"
	"github.com/glasskit/glass/internal/operation"
)

// The test binary is also the daemon that tests start: its arguments are "daemon", the version and the idle time.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "daemon" {
		os.Exit(testDaemon(os.Args[2], os.Args[3]))
	}
	goleak.VerifyTestMain(m)
}

func testDaemon(version, idle string) int {
	d, err := time.ParseDuration(idle)
	if err != nil {
		return 2
	}
	table, world := frontendtest.Table()
	sessions := func() Load { return Load{Sessions: world.Started("echo")} }
	if err := Run(context.Background(), Config{Version: version, Idle: d, Table: table, Load: sessions}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// testTime is generous: tests run on loaded machines.
const testTime = 2 * time.Minute

func options(t *testing.T, dir, version string) ConnectOptions {
	t.Helper()
	return ConnectOptions{Folder: dir, Version: version, Command: []string{os.Args[0], "daemon", version, "10m"}}
}

func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gd") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func connect(t *testing.T, o ConnectOptions) *mcp.Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTime)
	defer cancel()
	c, err := Connect(ctx, o)
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(o.Folder, logName))
		t.Fatalf("cannot connect: %v\n%s", err, log)
	}
	return c
}

func status(t *testing.T, c *mcp.Client) *Status {
	t.Helper()
	s, err := Query(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// end stops the daemon of a folder, if one runs, when the test is over.
func end(t *testing.T, dir string) {
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), testTime)
		defer cancel()
		c, err := Connect(ctx, ConnectOptions{Folder: dir})
		if err != nil {
			return
		}
		if err := Stop(ctx, dir, c, true); err != nil {
			t.Error(err)
		}
	})
}

func TestRacingStartersEndWithOneDaemon(t *testing.T) {
	dir := folder(t)
	end(t, dir)
	const starters = 20
	pids := make([]int, starters)
	var wg sync.WaitGroup
	for i := range starters {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), testTime)
			defer cancel()
			c, err := Connect(ctx, options(t, dir, "1"))
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if s, err := Query(ctx, c); err != nil {
				t.Error(err)
			} else {
				pids[i] = s.PID
			}
		})
	}
	wg.Wait()
	for _, pid := range pids {
		if pid == 0 || pid != pids[0] {
			t.Fatalf("the starters reached daemons %v, want one", pids)
		}
	}
}

func TestStateLivesBetweenClients(t *testing.T) {
	dir := folder(t)
	end(t, dir)
	call := &operation.Call{Client: operation.ClientCLI, Session: "work", Dir: "/somewhere", Options: []byte(`{"noSandbox":true}`)}
	for i, want := range []string{`{"name":"before","value":""}`, `{"name":"before","value":"0"}`} {
		c := connect(t, options(t, dir, "1"))
		res, err := c.Execute(t.Context(), call, "note", []byte(`{"text":"`+strconv.Itoa(i)+`"}`), operation.Full)
		if err != nil || string(res.JSON) != want {
			t.Errorf("got %v, %v; want %s", res, err, want)
		}
		res, err = c.Execute(t.Context(), call, "echo", []byte(`{"text":"x"}`), operation.Full)
		wantEcho := `{"text":"x","session":"work","client":"cli","dir":"/somewhere","options":"{\"noSandbox\":true}"}`
		if err != nil || string(res.JSON) != wantEcho {
			t.Errorf("got %s, %v; want %s", res.JSON, err, wantEcho)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestKilledDaemonIsReplaced(t *testing.T) {
	dir := folder(t)
	end(t, dir)
	c := connect(t, options(t, dir, "1"))
	first := status(t, c).PID
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_, err := c.Execute(t.Context(), nil, "block", nil, operation.Full)
	if f, ok := errors.AsType[*contract.Failure](err); !ok || f.Kind != contract.Unavailable || f.Reason != "daemon_gone" {
		t.Errorf("a call to the killed daemon gave %#v", err)
	}
	c.Close()
	if _, err := os.Stat(filepath.Join(dir, socketName)); err != nil {
		t.Errorf("there is no stale socket to be replaced: %v", err)
	}
	c = connect(t, options(t, dir, "1"))
	defer c.Close()
	if second := status(t, c).PID; second == first {
		t.Error("the daemon was not replaced")
	}
}

func TestOtherVersionIsReplacedWhenIdle(t *testing.T) {
	dir := folder(t)
	end(t, dir)
	connect(t, options(t, dir, "1")).Close()
	var said []string
	o := options(t, dir, "2")
	o.Say = func(s string) { said = append(said, s) }
	c := connect(t, o)
	if s := status(t, c); s.Version != "2" {
		t.Errorf("connected to version %s", s.Version)
	}
	if len(said) != 1 || said[0] != "replacing the daemon of version 1 by 2" {
		t.Errorf("said %q", said)
	}
	// An echo counts as an open session here.
	if _, err := c.Execute(t.Context(), nil, "echo", []byte(`{"text":"x"}`), operation.Full); err != nil {
		t.Fatal(err)
	}
	c.Close()
	_, err := Connect(t.Context(), options(t, dir, "3"))
	if f, ok := errors.AsType[*contract.Failure](err); !ok || f.Reason != "busy" {
		t.Errorf("a busy daemon was not left alone: %v", err)
	}
}

func TestStop(t *testing.T) {
	dir := folder(t)
	end(t, dir)
	c := connect(t, options(t, dir, "1"))
	other := connect(t, options(t, dir, "1"))
	blocked := make(chan error, 1)
	go func() {
		_, err := other.Execute(t.Context(), nil, "block", nil, operation.Full)
		blocked <- err
	}()
	for status(t, c).Calls == 0 { // each round trip gives the other call time
	}
	if err := Stop(t.Context(), dir, c, false); err == nil {
		t.Fatal("a daemon with a running call stopped without force")
	}
	c = connect(t, options(t, dir, "1"))
	if err := Stop(t.Context(), dir, c, true); err != nil {
		t.Fatal(err)
	}
	if err := <-blocked; err == nil {
		t.Error("the running call succeeded")
	}
	other.Close()
	for _, name := range []string{socketName} {
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	if _, err := Connect(t.Context(), ConnectOptions{Folder: dir}); !errors.Is(err, errNoDaemon) {
		t.Errorf("after the stop: %v", err)
	}
}

func TestIdleDaemonEnds(t *testing.T) {
	dir := folder(t)
	table, world := frontendtest.Table()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	err := Run(t.Context(), Config{Folder: dir, Version: "1", Idle: 50 * time.Millisecond, Table: table, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if !world.Closed() {
		t.Error("the table was not closed")
	}
}

func TestSecondDaemonIsRefused(t *testing.T) {
	dir := folder(t)
	unlock, err := lock(t.Context(), filepath.Join(dir, lockName), testTime)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if again, err := lock(t.Context(), filepath.Join(dir, lockName), lockEvery); err == nil {
		again()
		t.Error("the lock was given twice")
	}
}

func TestFolder(t *testing.T) {
	base := folder(t)
	t.Run("open to others", func(t *testing.T) {
		dir := filepath.Join(base, "open")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		os.Chmod(dir, 0o777)
		if err := makeFolder(dir); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
			t.Errorf("mode is %v", info.Mode())
		}
	})
	t.Run("a link", func(t *testing.T) {
		dir := filepath.Join(base, "link")
		if err := os.Symlink(base, dir); err != nil {
			t.Fatal(err)
		}
		if err := makeFolder(dir); err == nil {
			t.Error("a link was accepted")
		}
	})
	t.Run("too long", func(t *testing.T) {
		if err := makeFolder(filepath.Join(base, string(make([]byte, 120)))); err == nil {
			t.Error("a path too long for a socket was accepted")
		}
	})
}

func TestSocketIsClosedToOthers(t *testing.T) {
	dir := folder(t)
	l, err := listen(filepath.Join(dir, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	info, err := os.Stat(filepath.Join(dir, socketName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	c, err := net.DialUnix("unix", nil, l.Addr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := checkPeer(c); err != nil {
		t.Errorf("our own socket is refused: %v", err)
	}
}

func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(folder(t), logName)
	l, err := openLog(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 50 {
		if _, err := l.Write(make([]byte, 30)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{path, path + ".1"} {
		if info, err := os.Stat(p); err != nil || info.Size() > 100 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(p), info, err)
		}
	}
}

func TestRemoteConnectsAgain(t *testing.T) {
	dir := folder(t)
	end(t, dir)
	r := NewRemote(options(t, dir, "1"))
	defer r.Close()
	for range 2 {
		if _, err := r.Execute(t.Context(), nil, "note", []byte(`{"text":"x"}`), operation.Full); err != nil {
			t.Fatal(err)
		}
		c := connect(t, options(t, dir, "1"))
		pid := status(t, c).PID
		c.Close()
		watched := make(chan error, 1)
		go func() { watched <- r.WatchDocument(t.Context(), nil, "test://live", func() {}) }()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := <-watched; err == nil {
			t.Error("the watch of a killed daemon ended well")
		}
		// The call that finds the connection broken fails, unless the watch has found it first; the next one connects.
		if _, err := r.Execute(t.Context(), nil, "outline", nil, operation.Full); err != nil {
			t.Error(err)
		}
	}
	if data, err := r.ReadDocument(t.Context(), nil, "test://static"); err != nil || string(data) != "# Static\n" {
		t.Errorf("read %q, %v", data, err)
	}
}
