package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/operation"
)

// noSettings marks commands that must work whatever environment and configuration say.
const noSettings = "no-settings"

const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}{{if .Aliases}}

Also:
  {{.NameAndAliases}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{range $group := .Groups}}

{{.Title}}{{range $cmds}}{{if (and (eq .GroupID $group.ID) .IsAvailableCommand)}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if not .AllChildCommandsHaveGroup}}

Other commands:{{range $cmds}}{{if (and (eq .GroupID "") .IsAvailableCommand)}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

For every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}

Session options: glass help options
`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "glass", Short: "A bounded, typed hold on web pages for agents, scripts and people",
		Long: "Glass lets agents, scripts and people observe and act on web pages: bounded, typed, and safe against\n" +
			"acting on a state that has moved on. Sessions stay open between commands.",
		Example: "  glass navigate https://example.com\n  glass observe\n  glass click 'name=More information...'\n" +
			"  glass mcp-config --client claude-code",
		SilenceErrors: true, SilenceUsage: true, Version: a.Version,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: a.prepare,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetUsageTemplate(usageTemplate)
	root.SetVersionTemplate("glass {{.Version}}\n")
	root.SetFlagErrorFunc(flagFailure)
	a.addOwnFlags(root.PersistentFlags())
	a.addOperations(root)
	root.AddCommand(a.daemonCommand(), a.mcpCommand(), a.mcpConfigCommand(), a.configCommand(), a.schemaCommand(),
		a.versionCommand(), a.manCommand(), a.docsCommand(), completionCommand(), a.optionsTopic())
	root.AddCommand(a.Extra...)
	finish(root)
	return root
}

// addOwnFlags makes the program's flags and the session options, which only their help topic shows.
func (a *app) addOwnFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&a.json, "json", false, "one line of JSON, also at a terminal")
	flags.StringVar(&a.session, "session", operation.DefaultSession, "session to use")
	flags.BoolVar(&a.noDaemon, "no-daemon", false, "run this one command without the daemon")
	flags.DurationVar(&a.idle, "idle", daemon.DefaultIdle, "a daemon that is started ends after this long without calls")
	flags.StringVarP(&a.output, "output", "o", "", "file for a picture that comes with the result")
	a.settings.register(flags)
	for _, one := range a.settings.list {
		one.flag.Hidden = true
	}
	for _, own := range []struct {
		name string
		kind operation.FieldKind
	}{{"json", operation.Bool}, {"session", operation.String}, {"no-daemon", operation.Bool}, {"idle", operation.String}} {
		a.settings.add(&setting{
			field: &operation.Field{Name: own.name, Flag: own.name, Kind: own.kind, Arg: -1}, flag: flags.Lookup(own.name),
		})
	}
}

// prepare runs before every command.
func (a *app) prepare(cmd *cobra.Command, _ []string) error {
	for c := cmd; c != nil; c = c.Parent() {
		if c.Annotations[noSettings] != "" || strings.HasPrefix(c.Name(), "__complete") {
			return nil
		}
	}
	if err := a.settings.resolve(); err != nil {
		return err
	}
	for _, one := range a.settings.list {
		if one.option || one.value == nil || one.origin == fromFlag {
			continue
		}
		text := strings.Trim(string(one.value), `"`)
		if err := one.flag.Value.Set(text); err != nil {
			return contract.Invalid(one.field.Flag, "has a value of the wrong type (%s)", one.origin)
		}
	}
	if err := flagsFromEnv(cmd); err != nil {
		return err
	}
	return operation.CheckSession(a.session)
}

// flagsFromEnv gives the flags of a command that is no operation their variables too. (Those of operations are
// arguments, which belong to one call.)
func flagsFromEnv(cmd *cobra.Command) error {
	if cmd.GroupID != "" {
		return nil
	}
	var failed error
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		text, ok := os.LookupEnv(name)
		if !ok || f.Changed || f.Name == "help" || failed != nil {
			return
		}
		if err := f.Value.Set(text); err != nil {
			failed = contract.Invalid(f.Name, "has a value of the wrong type").WithHint("it comes from %s in the environment", name)
		}
	})
	return failed
}

// flagFailure makes pflag's errors usage failures with the nearest flags.
func flagFailure(cmd *cobra.Command, err error) error {
	f := contract.Invalid("flags", "%v", err)
	unknown, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return f.WithHint("%s --help shows the flags", cmd.CommandPath())
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := operation.Nearest(unknown, known); len(near) > 0 {
		return f.WithHint("did you mean --%s?", strings.Join(near, ", --"))
	}
	return f.WithHint("%s --help shows the flags", cmd.CommandPath())
}

// finish sets what all commands below have in common.
func finish(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		c.DisableFlagsInUseLine = true
		if c.HasSubCommands() && !c.Runnable() {
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return unknownCommand(cmd, args[0])
				}
				return cmd.Help()
			}
		}
		finish(c)
	}
}

// optionsTopic explains the session options: flags of every command that would drown its own.
func (a *app) optionsTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Options of a session are fixed when it opens. Each is a flag of every command, a variable in the\n" +
		"environment, and a setting in glass.toml of the workspace or of the user's configuration folder.\n\n")
	shown := pflag.NewFlagSet("options", pflag.ContinueOnError)
	for _, one := range a.settings.list {
		if one.option {
			flag := *one.flag
			flag.Hidden = false
			flag.Usage = fmt.Sprintf("%s [%s]", flag.Usage, one.env())
			shown.AddFlag(&flag)
		}
	}
	b.WriteString(shown.FlagUsages())
	return &cobra.Command{Use: "options", Short: "Options of sessions", Long: b.String(), Example: "  glass help options"}
}
