package chrome

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// sweepBound is how long the sweep that a launch starts may take.
const sweepBound = 10 * time.Second

// portBound is how long Chrome may take until it listens on the port asked for.
const portBound = 30 * time.Second

// Launch starts a browser. It returns as soon as the process runs, without waiting for it to answer: whoever writes to
// the pipe finds it ready or gets its end, and then [Browser.ExitError] says why. Only with a Port does Launch wait,
// until Chrome listens there. The context bounds the launch, not the life of the browser.
func Launch(ctx context.Context, options *LaunchOptions) (*Browser, error) {
	o, err := options.check()
	if err != nil {
		return nil, err
	}
	folders, err := o.Folders.resolve()
	if err != nil {
		return nil, err
	}
	executable, err := Find(ctx, o.Executable, &folders)
	if err != nil {
		return nil, err
	}
	if !o.NoSandbox {
		if err := SandboxUsable(executable.Path); err != nil {
			return nil, err
		}
	}
	if o.Port != 0 {
		if err := checkPortFree(ctx, o.Port); err != nil {
			return nil, err
		}
	}
	return launchChecked(ctx, executable, o, folders)
}

// launchChecked is Launch after all that can be refused before anything is started.
func launchChecked(ctx context.Context, executable Executable, o LaunchOptions, folders Folders) (*Browser, error) {
	b := &Browser{Executable: executable}
	for _, c := range []*chan struct{}{&b.drained, &b.exited, &b.gone, &b.closed, &b.swept} {
		*c = make(chan struct{})
	}
	if err := b.prepare(ctx, o, folders); err != nil {
		return nil, err
	}
	if err := b.start(o); err != nil {
		return nil, errors.Join(err, b.discard())
	}
	b.sweepInBackground(ctx, folders)
	if o.Port != 0 {
		if err := b.awaitPort(ctx, o.Port); err != nil {
			return nil, errors.Join(err, b.Close(ctx, nil))
		}
	}
	return b, nil
}

// prepare makes the browser's folder and takes its profile.
func (b *Browser) prepare(ctx context.Context, o LaunchOptions, folders Folders) (err error) {
	if b.work, err = newWorkdir(folders.State); err != nil {
		return err
	}
	if b.Executable.Source == SourceInstalled {
		if b.build, err = holdBuild(folders, b.Executable.Path); err != nil {
			return errors.Join(err, b.discard())
		}
	}
	b.userData = b.work.profile()
	if o.Profile != "" {
		if b.profile, err = holdProfile(ctx, folders, o.Profile, b.work.id); err != nil {
			return errors.Join(err, b.discard())
		}
		b.userData = b.profile.dir
	}
	if err := writePreferences(b.userData); err != nil {
		return errors.Join(err, b.discard())
	}
	return nil
}

// discard gives back what prepare took, when no process was started.
func (b *Browser) discard() error {
	b.release()
	return b.work.remove()
}

func (b *Browser) start(o LaunchOptions) error {
	pipes, err := newPipes()
	if err != nil {
		return err
	}
	defer pipes.closeTheirs()
	command := exec.Command(b.Executable.Path, arguments(o, b.userData, smallShm())...)
	command.ExtraFiles = []*os.File{pipes.theirIn, pipes.theirOut} // 3 and 4
	command.Stderr = pipes.theirErr
	command.Dir = b.work.path()
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Env = environment(os.Environ(), b.work.environment(o.Headed), o.Headed)
	if err := command.Start(); err != nil {
		pipes.closeOurs()
		return &Error{Kind: Startup, Message: "cannot start the browser at " + b.Executable.Path, Err: err}
	}
	b.command, b.Writer, b.stderr = command, pipes.ourOut, pipes.ourErr
	b.reader = &answers{file: pipes.ourIn}
	b.Reader = b.reader
	b.tail.listening = make(chan string, 1)
	b.owned.Go(func() {
		defer close(b.drained)
		b.tail.follow(b.stderr)
	})
	b.owned.Go(b.reap)
	return nil
}

// sweepInBackground removes what dead owners left, beside the launch and never before it.
func (b *Browser) sweepInBackground(ctx context.Context, folders Folders) {
	ctx, b.endSweep = context.WithTimeout(context.WithoutCancel(ctx), sweepBound)
	b.owned.Go(func() {
		defer close(b.swept)
		Sweep(ctx, &folders) //nolint:errcheck // what cannot be removed now is tried again at the next start
	})
}

// checkPortFree refuses an occupied port before Chrome is started: Chrome would go on without it.
func checkPortFree(ctx context.Context, port int) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return occupied(port, err)
	}
	listener.Close()
	return nil
}

func occupied(port int, err error) error {
	return &Error{Kind: Occupied, Message: fmt.Sprintf("cannot open DevTools on port %d of 127.0.0.1", port), Err: err,
		Hint: "name a free port, or leave the port out to use the pipe alone"}
}

// awaitPort waits for the line that Chrome writes once it listens, or cannot, and checks that it names our port.
func (b *Browser) awaitPort(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, portBound)
	defer cancel()
	select {
	case address := <-b.tail.listening:
		if !strings.HasPrefix(address, fmt.Sprintf("ws://127.0.0.1:%d/", port)) {
			return occupied(port, errors.New("the browser listens elsewhere or not at all"))
		}
		b.Endpoint = address
		return nil
	case <-b.exited:
		return b.ExitError()
	case <-ctx.Done():
		return &Error{Kind: Startup, Message: fmt.Sprintf("cannot see the browser listen on port %d", port), Err: ctx.Err()}
	}
}

// pipes are the three pipes between us and a browser. All ends are close-on-exec: a child that someone else starts at
// the same time must not hold our ends open, or Chrome would not see us die.
type pipes struct {
	theirIn, theirOut, theirErr *os.File
	ourIn, ourOut, ourErr       *os.File
}

func newPipes() (*pipes, error) {
	var p pipes
	var errs [3]error
	p.theirIn, p.ourOut, errs[0] = os.Pipe()
	p.ourIn, p.theirOut, errs[1] = os.Pipe()
	p.ourErr, p.theirErr, errs[2] = os.Pipe()
	if err := errors.Join(errs[:]...); err != nil {
		p.closeTheirs()
		p.closeOurs()
		return nil, storage("make the pipes to the browser", err)
	}
	widen(p.ourIn)
	widen(p.ourOut)
	return &p, nil
}

// Closing a nil file is an error and nothing else, which is what the half-made case wants.
func (p *pipes) closeTheirs() {
	p.theirIn.Close()
	p.theirOut.Close()
	p.theirErr.Close()
}

func (p *pipes) closeOurs() {
	p.ourIn.Close()
	p.ourOut.Close()
	p.ourErr.Close()
}
