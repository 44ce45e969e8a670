package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/mcp"
	"github.com/glasskit/glass/internal/operation"
)

const (
	// startTime bounds the start of a daemon, and the wait for others who start one.
	startTime = 30 * time.Second
	// handshakeTime bounds the handshake with a daemon that listens.
	handshakeTime = 10 * time.Second
	// endTime bounds the wait for a daemon that was told to stop.
	endTime = closeTime + 5*time.Second
	// attempts to reach a daemon that may just be ending.
	attempts = 3
)

// ConnectOptions say how a daemon is reached and started.
type ConnectOptions struct {
	Folder  string // "" means [Folder]
	Version string
	// Command starts a daemon; empty means that none is started.
	Command []string
	// Say tells a person what happens, such as that a daemon of another version is replaced. It may be nil.
	Say func(message string)
}

// errNoDaemon means that nobody listens.
var errNoDaemon = errors.New("no daemon runs")

// Connect reaches the daemon of this version, starting one when none runs and replacing one of another version when it
// is idle. Failures are of kind unavailable.
func Connect(ctx context.Context, o ConnectOptions) (*mcp.Client, error) {
	if o.Folder == "" {
		dir, err := Folder()
		if err != nil {
			return nil, unavailable(err)
		}
		o.Folder = dir
	}
	var err error
	for range attempts {
		var c *mcp.Client
		if c, err = dial(ctx, &o); err == nil && (c.Version() == o.Version || len(o.Command) == 0) {
			return c, nil
		}
		if err == nil {
			c.Close()
		}
		if len(o.Command) == 0 || ctx.Err() != nil {
			break
		}
		if c, err = startOne(ctx, &o); err == nil {
			return c, nil
		}
		if f, ok := errors.AsType[*contract.Failure](err); ok {
			return nil, f
		}
	}
	return nil, unavailable(err)
}

func unavailable(err error) error {
	f := contract.Fail(contract.Unavailable, contract.PhaseTransport, "cannot reach the daemon: %v", err).
		Because("daemon").Wrap(err)
	if errors.Is(err, errNoDaemon) {
		return f.WithHint("glass daemon start starts it")
	}
	return f.WithHint("glass daemon logs may say why; --no-daemon does without")
}

// dial reaches whoever listens and shakes hands, whatever its version.
func dial(ctx context.Context, o *ConnectOptions) (*mcp.Client, error) {
	if err := checkFolder(o.Folder); errors.Is(err, fs.ErrNotExist) {
		return nil, errNoDaemon
	} else if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, handshakeTime)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", filepath.Join(o.Folder, socketName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, errNoDaemon
	}
	if err != nil {
		return nil, err
	}
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		conn.Close()
		return nil, fmt.Errorf("unexpected connection %T", conn)
	}
	if err := checkPeer(unix); err != nil {
		conn.Close()
		return nil, err
	}
	return mcp.Dial(ctx, unix, o.Version)
}

// startOne makes sure, alone among those who try, that a daemon of this version runs.
func startOne(ctx context.Context, o *ConnectOptions) (*mcp.Client, error) {
	if err := makeFolder(o.Folder); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, filepath.Join(o.Folder, startLockName), startTime)
	if err != nil {
		return nil, err
	}
	defer unlock()
	c, err := dial(ctx, o)
	switch {
	case err == nil && c.Version() == o.Version:
		return c, nil
	case err == nil:
		if err := replace(ctx, o, c); err != nil {
			return nil, err
		}
	case !errors.Is(err, errNoDaemon):
		return nil, err
	}
	if err := spawn(ctx, o); err != nil {
		return nil, err
	}
	return dial(ctx, o)
}

// replace ends a daemon of another version, unless somebody uses it.
func replace(ctx context.Context, o *ConnectOptions, c *mcp.Client) error {
	s, err := Query(ctx, c)
	if err == nil && !s.Idle() {
		err = busy(s)
	}
	if err != nil {
		c.Close()
		return err
	}
	if o.Say != nil {
		o.Say(fmt.Sprintf("replacing the daemon of version %s by %s", c.Version(), o.Version))
	}
	return Stop(ctx, o.Folder, c, false)
}

// Stop ends the daemon behind c and waits until it has gone. Without force it refuses while sessions are open. It
// closes c.
func Stop(ctx context.Context, dir string, c *mcp.Client, force bool) error {
	args, err := json.Marshal(stopInput{Force: force})
	if err != nil {
		return err
	}
	_, err = c.Execute(ctx, nil, stopCall, args, operation.Full)
	if f, ok := errors.AsType[*contract.Failure](err); ok && f.Reason == mcp.DaemonGone {
		err = nil // it went before it could answer
	}
	_ = c.Close() // the daemon is closing it too
	if err != nil {
		return err
	}
	unlock, err := lock(ctx, filepath.Join(dir, lockName), endTime)
	if err != nil {
		return fmt.Errorf("the daemon does not end: %w", err)
	}
	unlock()
	return nil
}

// spawn starts a daemon and waits until it listens or has ended.
func spawn(ctx context.Context, o *ConnectOptions) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("cannot start the daemon: %w", err)
	}
	defer r.Close()
	logFile, err := os.OpenFile(filepath.Join(o.Folder, logName), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		w.Close()
		return fmt.Errorf("cannot start the daemon: %w", err)
	}
	defer logFile.Close()
	cmd := exec.Command(o.Command[0], o.Command[1:]...)
	cmd.Dir = o.Folder
	cmd.Stdout, cmd.Stderr = logFile, logFile // for what the runtime says of a crash
	cmd.ExtraFiles = []*os.File{w}
	cmd.Env = append(os.Environ(), readyEnv+"="+strconv.Itoa(3), FolderEnv+"="+o.Folder)
	detach(cmd)
	err = cmd.Start()
	w.Close()
	if err != nil {
		return fmt.Errorf("cannot start the daemon: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { r.Close() })
	defer stop()
	line, _ := bufio.NewReaderSize(r, 64).ReadString('\n') // what else comes is told below
	if line == readyWord {
		return cmd.Process.Release()
	}
	if ctx.Err() != nil {
		_ = cmd.Process.Kill() // it may have ended meanwhile
		_ = cmd.Wait()
		return fmt.Errorf("the daemon did not start in time: %w", ctx.Err())
	}
	return fmt.Errorf("the daemon ended while it started (%v); its log says why", cmd.Wait())
}

// NotRunning reports whether err of [Connect] means that there is no daemon.
func NotRunning(err error) bool { return errors.Is(err, errNoDaemon) }
