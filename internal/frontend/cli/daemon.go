package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/operation"
)

func (a *app) daemonCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "daemon", Short: "Start, stop and look at the process that keeps sessions",
		Example: "  glass daemon status\n  glass daemon stop",
	}
	root.AddCommand(a.daemonRun(), a.daemonStart(), a.daemonStatus(), a.daemonStop(), a.daemonLogs())
	return root
}

// daemonRun is what the others start; it takes no settings, since those belong to each call.
func (a *app) daemonRun() *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Be the daemon, in the foreground", Example: "  glass daemon run --idle 1h", Args: cobra.NoArgs,
		Annotations: map[string]string{noSettings: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(syscall.SIGPIPE)
			return daemon.Run(cmd.Context(), daemon.Config{
				Version: a.Version, Idle: a.idle, Table: a.program.Table, Load: a.program.Load,
			})
		},
	}
}

func (a *app) daemonStart() *cobra.Command {
	var replace bool
	cmd := &cobra.Command{
		Use: "start", Short: "Start the daemon, if none runs", Example: "  glass daemon start --idle 1h", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if replace {
				if err := a.stopDaemon(cmd.Context(), true); err != nil && !errors.Is(err, errNotRunning) {
					return err
				}
			}
			return a.showStatus(cmd.Context(), a.connectOptions())
		},
	}
	cmd.Flags().BoolVar(&replace, "replace", false, "end the one that runs first, with its sessions")
	return cmd
}

func (a *app) daemonStatus() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say whether the daemon runs, and what it holds", Args: cobra.NoArgs,
		Example: "  glass daemon status --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.showStatus(cmd.Context(), daemon.ConnectOptions{Version: a.Version})
		},
	}
}

func (a *app) showStatus(ctx context.Context, o daemon.ConnectOptions) error {
	c, err := daemon.Connect(ctx, o)
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := daemon.Query(ctx, c)
	if err != nil {
		return err
	}
	return a.printValue(s)
}

// printValue shows a result of a command that is no operation.
func (a *app) printValue(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("cannot encode the result: %w", err)
	}
	return a.print(&operation.Operation{}, &operation.Result{JSON: data})
}

func (a *app) daemonStop() *cobra.Command {
	var idleOnly bool
	cmd := &cobra.Command{
		Use: "stop", Short: "End the daemon, with its sessions", Args: cobra.NoArgs,
		Example: "  glass daemon stop\n  glass daemon stop --if-idle",
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := a.stopDaemon(cmd.Context(), !idleOnly)
			if err != nil && !errors.Is(err, errNotRunning) {
				return err
			}
			return a.printValue(map[string]bool{"stopped": err == nil})
		},
	}
	cmd.Flags().BoolVar(&idleOnly, "if-idle", false, "only when no session is open and nothing runs")
	return cmd
}

// errNotRunning says that there was nothing to stop.
var errNotRunning = errors.New("no daemon runs")

func (a *app) stopDaemon(ctx context.Context, force bool) error {
	dir, err := daemon.Folder()
	if err != nil {
		return err
	}
	c, err := daemon.Connect(ctx, daemon.ConnectOptions{Folder: dir, Version: a.Version})
	if daemon.NotRunning(err) {
		return errNotRunning
	}
	if err != nil {
		return err
	}
	err = daemon.Stop(ctx, dir, c, force)
	if _, typed := errors.AsType[*contract.Failure](err); err != nil && !typed {
		return contract.Fail(contract.Unavailable, contract.PhaseTransport, "%v", err).Wrap(err)
	}
	return err
}

func (a *app) daemonLogs() *cobra.Command {
	return &cobra.Command{
		Use: "logs", Short: "Show the daemon's log", Example: "  glass daemon logs | tail", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := daemon.Folder()
			if err != nil {
				return err
			}
			return daemon.CopyLog(a.Out, dir)
		},
	}
}
