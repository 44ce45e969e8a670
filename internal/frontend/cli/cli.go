package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/operation"
)

// Frontend says for whom a program is opened; policy defaults depend on it (contract.md §6).
type Frontend string

// A person drives the CLI and the daemon, an agent drives glass mcp.
const (
	Person Frontend = "cli"
	Agent  Frontend = "mcp"
)

// Program is an opened table with what the daemon asks of its surfaces. Opening must cost next to nothing.
type Program struct {
	Table *operation.Table
	Load  func() daemon.Load // may be nil
}

// Schema is a stable result whose JSON Schema is published (frontends.md §2).
type Schema struct {
	Name  string // action, observation, failure, policy
	Doc   string
	Value any // a zero value of its type
}

// Config is what the program is wired from.
type Config struct {
	Version string // with the build, such as v0.1.0-3-gabc1234
	Open    func(Frontend) (*Program, error)
	Extra   []*cobra.Command // commands that are no operations: doctor, profiles, install-chromium
	Schemas []Schema
	// NeedsDaemon says that these session options let glass mcp work only through the daemon, where a person can approve
	// what waits. It may be nil.
	NeedsDaemon func(options json.RawMessage) bool

	// For tests; zero values mean those of the process.
	In       io.Reader
	Out, Err io.Writer
	// Daemon is the command that starts the daemon; empty means this executable with "daemon run".
	Daemon []string
}

// ExitUsage is the exit code of wrong usage.
const ExitUsage = 2

// app is one run of the program.
type app struct {
	Config
	root     *cobra.Command
	program  *Program
	frontend Frontend // that the program was opened for
	settings *settings
	json     bool
	noDaemon bool
	idle     time.Duration
	session  string
	output   string
}

// Run parses arguments, runs the command and gives the exit code.
func Run(ctx context.Context, cfg Config, args []string) int {
	frontend := Person
	if len(args) > 0 && args[0] == mcpName {
		frontend = Agent // so that the table need not be opened again
	}
	a, err := newApp(cfg, frontend)
	if err != nil {
		return a.fail(err)
	}
	if err := a.chooseCommand(args); err != nil {
		return a.fail(err)
	}
	a.root.SetArgs(args)
	return a.fail(a.root.ExecuteContext(ctx))
}

func newApp(cfg Config, frontend Frontend) (*app, error) {
	a := &app{Config: cfg, frontend: frontend}
	if a.In == nil {
		a.In = os.Stdin
	}
	if a.Out == nil {
		a.Out = os.Stdout
	}
	if a.Err == nil {
		a.Err = os.Stderr
	}
	p, err := cfg.Open(frontend)
	if err != nil {
		return a, err
	}
	a.program = p
	a.settings = newSettings(p.Table.Options())
	a.root = a.rootCommand()
	a.root.InitDefaultHelpCmd()
	return a, nil
}

// terminal reports whether w shows to a person.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// fail prints the failure, if any, and gives the exit code.
func (a *app) fail(err error) int {
	if err == nil {
		return 0
	}
	f, ok := errors.AsType[*contract.Failure](err)
	if !ok {
		f = contract.Fail(contract.InvalidArgument, contract.PhasePreflight, "%v", err).Wrap(err)
	}
	printFailure(a.Err, f, !a.wantsJSONFailure())
	return f.Kind.Info().Exit
}

// wantsJSONFailure also holds before flags are parsed, so that a script that mistypes gets JSON all the same.
func (a *app) wantsJSONFailure() bool { return a.json || !terminal(a.Err) }

// chooseCommand completes the command that the arguments name, and refuses a mistyped one before flags are parsed, so
// that the message is about the command.
func (a *app) chooseCommand(args []string) error {
	cmd, rest := a.walk(args)
	switch {
	case len(args) > 0 && strings.HasPrefix(args[0], "__complete"):
		a.completeAll()
	case cmd.Name() == "help" && len(rest) > 0:
		return a.chooseCommand(rest)
	case len(rest) > 0 && cmd.HasSubCommands():
		return unknownCommand(cmd, rest[0])
	}
	a.complete(cmd)
	return nil
}

// walk follows the names of commands in the arguments. What is left starts with the first word that is none.
func (a *app) walk(args []string) (cmd *cobra.Command, rest []string) {
	cmd = a.root
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return cmd, nil
		}
		if strings.HasPrefix(arg, "-") && arg != "-" {
			if a.takesValue(arg) {
				i++
			}
			continue
		}
		next := subcommand(cmd, arg)
		if next == nil {
			return cmd, args[i:]
		}
		cmd = next
	}
	return cmd, nil
}

func (a *app) takesValue(arg string) bool {
	if strings.Contains(arg, "=") {
		return false
	}
	name := strings.TrimLeft(arg, "-")
	f := a.root.PersistentFlags().Lookup(name)
	if f == nil && len(name) == 1 {
		f = a.root.PersistentFlags().ShorthandLookup(name)
	}
	return f != nil && f.NoOptDefVal == ""
}

func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}

func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			known = append(append(known, c.Name()), c.Aliases...)
		}
	}
	shown := contract.Cut(name, operation.SessionNameBytes)
	f := contract.Invalid("command", "unknown command %q for %q", shown, cmd.CommandPath())
	if near := operation.Nearest(name, known); len(near) > 0 {
		return f.WithHint("did you mean %s?", strings.Join(near, ", "))
	}
	return f.WithHint("%s --help lists the commands", cmd.CommandPath())
}
