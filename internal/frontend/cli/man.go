package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write man pages", Example: "  glass man /usr/local/share/man/man1", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("cannot write man pages: %w", err)
			}
			a.completeAll()
			return a.writeMan(args[0], a.root)
		},
	}
}

// writeMan writes the page of a command and of those below it. (Cobra has this too, by way of a Markdown parser that
// costs every start of the program more than its own flags.)
func (a *app) writeMan(dir string, cmd *cobra.Command) error {
	if cmd.Hidden || cmd.IsAdditionalHelpTopicCommand() && cmd.HasParent() && cmd.Name() != "options" {
		return nil
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	if err := os.WriteFile(filepath.Join(dir, name+".1"), []byte(a.manPage(name, cmd)), 0o644); err != nil {
		return fmt.Errorf("cannot write man pages: %w", err)
	}
	for _, c := range cmd.Commands() {
		if err := a.writeMan(dir, c); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) manPage(name string, cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q\n", strings.ToUpper(name), "Glass "+a.Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	if cmd.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(cmd.Long))
	}
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	var below []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			below = append(below, ".BR "+roff(name+"-"+c.Name())+" (1)")
		}
	}
	if len(below) > 0 {
		b.WriteString(".SH SEE ALSO\n" + strings.Join(below, "\n") + "\n")
	}
	return b.String()
}

func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff("--"+f.Name+" "+f.Value.Type()), roff(f.Usage))
		}
	})
}

// roff keeps text from being read as commands of the page's language.
func roff(s string) string {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\e`), "-", `\-`), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
