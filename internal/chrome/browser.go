package chrome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Bounds of an orderly close.
const (
	politeBound = 5 * time.Second        // for the caller's Browser.close and for Chrome's own end after it
	termBound   = time.Second            // after SIGTERM, even when the caller is in a hurry: a profile is being saved
	drainBound  = 250 * time.Millisecond // for the last lines of its standard error, once it has ended
	killBound   = treeGrace + 2*treeBound
)

// Browser is a browser process that this process owns. End it with [Browser.Close]. All methods may be called from any
// goroutine.
type Browser struct {
	// Executable is what runs.
	Executable Executable
	// Reader carries messages from the browser, Writer messages to it, each message ended by a NUL byte. One
	// goroutine reads, one at a time writes. Closing the Writer ends the browser. Close closes both.
	Reader io.ReadCloser
	Writer io.WriteCloser
	// Endpoint is the WebSocket address on 127.0.0.1; empty unless a Port was asked for.
	Endpoint string

	command  *exec.Cmd
	reader   *answers
	stderr   *os.File
	tail     tail
	work     *workdir
	profile  *heldProfile
	userData string
	build    *flock.Flock // keeps an installed build in place; nil for others

	drained chan struct{} // closed when standard error has been read to its end
	exited  chan struct{} // closed when the browser process has ended
	gone    chan struct{} // closed when its whole tree has, or could not be ended: goneErr
	goneErr error

	owned    sync.WaitGroup // every goroutine of this browser
	endSweep context.CancelFunc
	swept    chan struct{} // closed when the sweep of this launch is through

	closing  sync.Once
	closed   chan struct{}
	closeErr error
}

// answers is the reading end of the pipe. It remembers whether the browser ever said anything.
type answers struct {
	file     *os.File
	answered atomic.Bool
}

func (a *answers) Read(p []byte) (int, error) {
	n, err := a.file.Read(p)
	if n > 0 {
		a.answered.Store(true)
	}
	return n, err
}

func (a *answers) Close() error { return a.file.Close() }

// PID is the number of the browser process.
func (b *Browser) PID() int { return b.command.Process.Pid }

// UserData is the browser's profile folder.
func (b *Browser) UserData() string { return b.userData }

// ID is the marker that every process of the browser's tree carries in its environment as GLASS_BROWSER_ID.
func (b *Browser) ID() string { return b.work.id }

// Stderr returns the last lines that the browser wrote to its standard error, oldest first.
func (b *Browser) Stderr() []string { return b.tail.Lines() }

// Exited is closed when the browser process has ended, however that came.
func (b *Browser) Exited() <-chan struct{} { return b.exited }

// reap waits for the browser process and then for its tree. The helpers of a browser have no life of their own: once it
// has ended, so do they, whether or not anyone calls Close.
func (b *Browser) reap() {
	b.command.Wait() //nolint:errcheck // the state says all; see ExitError
	// What the browser said last is in the pipe by now, and ExitError wants it. A helper may hold the other end open.
	b.stderr.SetReadDeadline(time.Now().Add(drainBound)) //nolint:errcheck // pipes have deadlines
	<-b.drained
	close(b.exited)
	b.goneErr = awaitTree(context.Background(), b.command.Process.Pid, b.work.id, treeGrace)
	close(b.gone)
}

// ExitError says how the browser process ended, with its status and the last line of its standard error: kind [Startup]
// when it never answered, else [Gone]. It is nil while the process runs.
func (b *Browser) ExitError() error {
	select {
	case <-b.exited:
	default:
		return nil
	}
	kind, when := Gone, "the browser ended"
	if !b.reader.answered.Load() {
		kind, when = Startup, "the browser ended before it answered"
	}
	e := errorf(kind, "", "%s (%s)", when, b.command.ProcessState)
	if line := b.tail.Last(); line != "" {
		e.Message += "; its last line: " + line
	}
	return e
}

// Close ends the browser and returns when nothing of it is left: no process of its tree, no folder, no lock. polite
// may be nil; it is the caller's Browser.close, whose error does not matter: a browser that does not end by it is
// ended by the end of its pipe, by SIGTERM, by SIGKILL, in this order. When ctx ends the order is cut short, not the
// work. A second call waits for the first and returns the same.
func (b *Browser) Close(ctx context.Context, polite func(ctx context.Context) error) error {
	b.closing.Do(func() {
		b.closeErr = b.close(ctx, polite)
		close(b.closed)
	})
	<-b.closed
	return b.closeErr
}

func (b *Browser) close(ctx context.Context, polite func(ctx context.Context) error) error {
	b.endSweep()
	b.endProcess(ctx, polite)
	ended := b.awaitGone()
	b.Reader.Close()
	b.Writer.Close()
	b.stderr.Close()
	if !ended {
		// The kernel holds the killed process in a call that does not return. reap goes on waiting for it.
		return errorf(Leftover, "look at what holds its disk or device", "cannot end %s", b)
	}
	b.owned.Wait()
	b.release()
	if b.goneErr != nil {
		// The folder stays, and so does the lock until this process ends: the next sweep finds it.
		return b.goneErr
	}
	return b.work.remove()
}

// release gives up the locks that others may wait for.
func (b *Browser) release() {
	if b.profile != nil {
		b.profile.release()
	}
	if b.build != nil {
		b.build.Close()
	}
}

func (b *Browser) endProcess(ctx context.Context, polite func(ctx context.Context) error) {
	bounded, cancel := context.WithTimeout(ctx, politeBound)
	defer cancel()
	if polite != nil && bounded.Err() == nil {
		polite(bounded) //nolint:errcheck // see Close
	}
	b.Writer.Close()
	if b.await(bounded, politeBound) {
		return
	}
	b.signal(syscall.SIGTERM)
	if b.await(context.WithoutCancel(ctx), termBound) {
		return
	}
	b.signal(syscall.SIGKILL)
}

// await reports whether the process has ended within the bound.
func (b *Browser) await(ctx context.Context, bound time.Duration) bool {
	timer := time.NewTimer(bound)
	defer timer.Stop()
	select {
	case <-b.exited:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	select {
	case <-b.exited:
		return true
	default:
		return false
	}
}

// awaitGone reports whether the whole tree has ended within the bound.
func (b *Browser) awaitGone() bool {
	timer := time.NewTimer(killBound)
	defer timer.Stop()
	select {
	case <-b.gone:
		return true
	case <-timer.C:
		return false
	}
}

// signal reaches the browser and its helpers at once. The group's number is ours as long as its leader is not reaped.
func (b *Browser) signal(signal syscall.Signal) {
	if err := syscall.Kill(-b.command.Process.Pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		b.command.Process.Signal(signal) //nolint:errcheck // an error means that it has ended
	}
}

// String names the browser for logs.
func (b *Browser) String() string {
	return fmt.Sprintf("browser %s (pid %d)", b.work.id, b.PID())
}
