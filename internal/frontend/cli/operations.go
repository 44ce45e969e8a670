package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/frontend/mcp"
	"github.com/glasskit/glass/internal/operation"
)

const (
	// closeTime bounds the end of what a command in this process opened.
	closeTime = 6 * time.Second
	// completed marks commands that have their flags.
	completed = "completed"
)

func (a *app) addOperations(root *cobra.Command) {
	seen := map[operation.Toolset]bool{}
	for _, op := range a.program.Table.Operations() {
		if !seen[op.Toolset] {
			seen[op.Toolset] = true
			root.AddGroup(&cobra.Group{ID: string(op.Toolset), Title: groupTitle(op.Toolset)})
		}
		root.AddCommand(a.operationCommand(op))
	}
}

func groupTitle(t operation.Toolset) string {
	return strings.ToUpper(string(t[:1])) + strings.ReplaceAll(string(t[1:]), "-", ", ") + ":"
}

// operationCommand makes the command with its usage line. Its flags come later, with complete: a run uses those of one
// command, and making them all costs more than most runs.
func (a *app) operationCommand(op *operation.Operation) *cobra.Command {
	cmd := &cobra.Command{
		Use: op.Command, Aliases: op.Aliases, Short: op.Summary, Long: op.Summary, GroupID: string(op.Toolset),
		Example: "  " + strings.ReplaceAll(strings.TrimSpace(op.Example), "\n", "\n  "),
	}
	if op.Detail != "" {
		cmd.Long += "\n\n" + op.Detail
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.runOperation(cmd, op, args) }
	return cmd
}

// complete gives a command of an operation its flags and its handler. Other commands have theirs.
func (a *app) complete(cmd *cobra.Command) {
	op, ok := a.program.Table.LookupCommand(cmd.Name())
	if !ok || cmd.GroupID == "" || cmd.Annotations[completed] != "" {
		return
	}
	cmd.Annotations = map[string]string{completed: "yes"}
	for _, f := range op.Fields() {
		if f.Arg >= 0 {
			continue
		}
		addFlag(cmd.Flags(), f)
		if len(f.Enum) > 0 {
			// It fails only for a flag that is not there, and this one was made a line ago.
			_ = cmd.RegisterFlagCompletionFunc(f.Flag, cobra.FixedCompletions(f.Enum, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	for _, f := range positionsOf(op) {
		cmd.Use += " " + placeholder(f)
		if addsFlag := cmd.Flags().Lookup(f.Flag) == nil; addsFlag {
			addFlag(cmd.Flags(), f).Hidden = true // the position is the usual way
		}
	}
}

func positionsOf(op *operation.Operation) []*operation.Field {
	var positions []*operation.Field
	for _, f := range op.Fields() {
		if f.Arg >= 0 {
			positions = append(positions, f)
		}
	}
	slices.SortFunc(positions, func(x, y *operation.Field) int { return x.Arg - y.Arg })
	return positions
}

// completeAll is for those who look at every command: shell completion and man pages.
func (a *app) completeAll() {
	for _, cmd := range a.root.Commands() {
		a.complete(cmd)
	}
}

// placeholder is how a position is written in the usage line.
func placeholder(f *operation.Field) string {
	name := strings.ToUpper(strings.ReplaceAll(f.Flag, "-", "_"))
	if f.Pairs[0] != "" {
		name = strings.ToUpper(f.Pairs[0] + "=" + f.Pairs[1])
	}
	if f.Variadic {
		name += "..."
	}
	if !f.Required {
		return "[" + name + "]"
	}
	return name
}

// arguments makes the JSON arguments of what was typed.
func arguments(cmd *cobra.Command, op *operation.Operation, args []string) ([]byte, error) {
	var o object
	for _, f := range positionsOf(op) {
		var texts []string
		if v, ok := cmd.Flags().Lookup(f.Flag).Value.(*value); ok && cmd.Flags().Changed(f.Flag) {
			texts = v.texts
		} else if len(args) > 0 {
			n := 1
			if f.Variadic {
				n = len(args)
			}
			texts, args = args[:n], args[n:]
		}
		if len(texts) == 0 {
			continue
		}
		data, err := encode(f, texts)
		if err != nil {
			return nil, err
		}
		o.add(f.Name, data)
	}
	if len(args) > 0 {
		return nil, contract.Invalid("arguments", "%d too many", len(args)).WithHint("usage: %s", cmd.UseLine())
	}
	for _, f := range op.Fields() {
		flag := cmd.Flags().Lookup(f.Flag)
		if f.Arg >= 0 || flag == nil || !flag.Changed {
			continue
		}
		v, ok := flag.Value.(*value)
		if !ok {
			continue
		}
		data, err := encode(f, v.texts)
		if err != nil {
			return nil, err
		}
		o.add(f.Name, data)
	}
	return o.bytes(), nil
}

func (a *app) runOperation(cmd *cobra.Command, op *operation.Operation, args []string) error {
	data, err := arguments(cmd, op, args)
	if err != nil {
		return err
	}
	options := a.settings.options()
	if err := a.program.Table.Check(op.Name, data); err != nil {
		return err
	}
	if err := a.program.Table.CheckOptions(options); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("cannot find the working directory: %w", err)
	}
	bar := newProgress(a.Err)
	call := &operation.Call{
		Client: operation.ClientCLI, Session: a.session, Dir: dir, Options: options, Progress: bar.report(),
	}
	backend, finish := a.backend()
	res, err := backend.Execute(cmd.Context(), call, op.Name, data, a.form())
	bar.clear()
	if closeErr := finish(); err == nil && closeErr != nil {
		err = contract.Fail(contract.Transport, contract.PhaseTransport, "cannot end what the command opened").Wrap(closeErr)
	}
	if err != nil {
		return err
	}
	return a.print(op, res)
}

// backend is the daemon, or this process. finish ends what it opened here.
func (a *app) backend() (b mcp.Backend, finish func() error) {
	if a.noDaemon {
		return a.program.Table, func() error {
			ctx, cancel := context.WithTimeout(context.Background(), closeTime)
			defer cancel()
			return a.program.Table.Close(ctx)
		}
	}
	remote := daemon.NewRemote(a.connectOptions())
	return remote, func() error {
		_ = remote.Close() // the answer has come; how the connection ends does not matter
		return nil
	}
}

// connectOptions say how the daemon is reached and, where none runs, started.
func (a *app) connectOptions() daemon.ConnectOptions {
	o := daemon.ConnectOptions{Version: a.Version, Command: a.Daemon, Say: a.say}
	if len(o.Command) == 0 {
		if exe, err := os.Executable(); err == nil {
			o.Command = []string{exe, "daemon", "run"}
		}
	}
	if len(o.Command) > 0 && a.idle != daemon.DefaultIdle {
		o.Command = append(slices.Clone(o.Command), "--idle", a.idle.String())
	}
	return o
}

// say tells a person what happens beside the result.
func (a *app) say(message string) { fmt.Fprintf(a.Err, "glass: %s\n", message) }
