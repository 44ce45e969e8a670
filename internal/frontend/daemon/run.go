package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/mcp"
	"github.com/glasskit/glass/internal/operation"
)

const (
	// DefaultIdle is how long a daemon stays without calls.
	DefaultIdle = 15 * time.Minute
	// connectionsMost bounds the clients at one time; more are turned away.
	connectionsMost = 64
	// closeTime bounds the end of everything that operations opened.
	closeTime = 15 * time.Second
	// lockTime is how long a starting daemon waits for one that is about to end.
	lockTime  = 20 * time.Second
	lockEvery = 10 * time.Millisecond

	// readyEnv tells a daemon which inherited descriptor to write readyWord to once it listens.
	readyEnv  = "GLASS_DAEMON_READY"
	readyWord = "ready\n"
)

// Config is what a daemon runs with.
type Config struct {
	Folder  string // "" means [Folder]
	Version string // version and build; a client of another one replaces the daemon
	Idle    time.Duration
	Table   *operation.Table
	Load    func() Load // may be nil
	// Log hears what the daemon does. Nil means the bounded file in the folder.
	Log *slog.Logger
}

// Run serves until ctx ends, it is told to stop, or nobody calls for the idle time. It then closes the table. It fails
// when another daemon holds the lock.
func Run(ctx context.Context, cfg Config) (err error) {
	if cfg.Folder == "" {
		if cfg.Folder, err = Folder(); err != nil {
			return err
		}
	}
	if cfg.Idle <= 0 {
		cfg.Idle = DefaultIdle
	}
	if err := makeFolder(cfg.Folder); err != nil {
		return err
	}
	unlock, err := lock(ctx, filepath.Join(cfg.Folder, lockName), lockTime)
	if err != nil {
		return fmt.Errorf("cannot become the daemon, another one runs: %w", err)
	}
	defer unlock()
	if cfg.Log == nil {
		file, err := openLog(filepath.Join(cfg.Folder, logName), logBytes)
		if err != nil {
			return err
		}
		defer file.Close()
		cfg.Log = slog.New(slog.NewTextHandler(file, nil))
	}
	return serve(ctx, &cfg)
}

// lock takes a lock file and waits for it at most for d. The file stays; only the lock goes.
func lock(ctx context.Context, path string, d time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLockContext(ctx, lockEvery)
	if err != nil || !ok {
		return nil, fmt.Errorf("cannot lock %s: %w", filepath.Base(path), errors.Join(err, l.Close()))
	}
	return func() { _ = l.Close() }, nil
}

func serve(ctx context.Context, cfg *Config) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	backend := newControl(cfg.Table, cfg, stop)
	server, err := mcp.New(cfg.Table, &mcp.Options{Backend: backend, Private: true, Version: cfg.Version})
	if err != nil {
		return err
	}
	listener, err := listen(filepath.Join(cfg.Folder, socketName))
	if err != nil {
		return err
	}
	cfg.Log.Info("daemon started", "version", cfg.Version, "pid", os.Getpid(), "idle", cfg.Idle)
	announce(cfg.Log)
	var running sync.WaitGroup
	running.Go(func() { backend.watchIdle(ctx, cfg.Idle) })
	running.Go(func() {
		<-ctx.Done()
		listener.Close()
	})
	accept(ctx, cfg.Log, listener, server)
	stop()
	running.Wait()
	// New clients must find no socket while the sessions are being closed, and nobody else may be the daemon till then.
	rmErr := os.Remove(filepath.Join(cfg.Folder, socketName))
	endCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	closeErr := cfg.Table.Close(endCtx)
	cfg.Log.Info("daemon ended", "error", closeErr)
	return errors.Join(rmErr, closeErr)
}

// listen makes the socket. The caller holds the lock, so what lies there is stale.
func listen(path string) (*net.UnixListener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot remove the stale socket: %w", err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("cannot listen on the socket: %w", err)
	}
	l.SetUnlinkOnClose(false) // serve removes it
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("cannot close the socket to others: %w", err)
	}
	return l, nil
}

// announce tells the process that started this one, if any, that the socket is there.
func announce(log *slog.Logger) {
	fd, err := strconv.Atoi(os.Getenv(readyEnv))
	if err != nil || fd < 3 {
		return
	}
	os.Unsetenv(readyEnv)
	f := os.NewFile(uintptr(fd), "ready")
	if f == nil {
		return
	}
	if _, err := f.WriteString(readyWord); err != nil {
		log.Warn("whoever started the daemon has gone", "error", err)
	}
	f.Close()
}

// accept serves connections until the listener is closed, and then until they have ended.
func accept(ctx context.Context, log *slog.Logger, l *net.UnixListener, server *mcp.Server) {
	places := make(chan struct{}, connectionsMost)
	var serving sync.WaitGroup
	defer serving.Wait()
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				log.Error("cannot accept connections", "error", err)
			}
			return
		}
		if err := checkPeer(conn); err != nil {
			log.Warn("turned a caller away", "error", err)
			conn.Close()
			continue
		}
		select {
		case places <- struct{}{}:
		default:
			log.Warn("turned a caller away", "connections", connectionsMost)
			conn.Close()
			continue
		}
		serving.Go(func() {
			defer func() { <-places }()
			if err := server.ServeStream(ctx, conn, conn); err != nil {
				log.Debug("connection ended", "error", err)
			}
		})
	}
}

// Query asks a daemon for its status.
func Query(ctx context.Context, c *mcp.Client) (*Status, error) {
	res, err := c.Execute(ctx, nil, statusCall, nil, operation.Full)
	if err != nil {
		return nil, err
	}
	s := &Status{}
	if err := json.Unmarshal(res.JSON, s); err != nil {
		return nil, contract.Fail(contract.Transport, contract.PhaseTransport, "the daemon's status cannot be read").Wrap(err)
	}
	return s, nil
}
