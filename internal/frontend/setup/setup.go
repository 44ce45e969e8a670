// Package setup has the commands that prepare a machine for browsers. They are no operations: they need no session, and
// no agent may call them.
package setup

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/chrome"
)

// Check is one thing that doctor looks at beyond what browsers need.
type Check func(ctx context.Context) (name string, ok bool, detail, mend string)

// Commands are doctor, profiles and install-chromium. Doctor makes the further checks too.
func Commands(further ...Check) []*cobra.Command {
	return []*cobra.Command{doctorCommand(further), profilesCommand(), installCommand()}
}

// failure turns an error of the chrome package into the one that the CLI prints and takes its exit code from.
func failure(err error) error {
	var c *chrome.Error
	if err == nil || !errors.As(err, &c) {
		return err
	}
	kind := contract.Unavailable
	if c.Kind == chrome.Invalid {
		kind = contract.InvalidArgument
	}
	return contract.Fail(kind, contract.PhasePreflight, "%s", c.Message).Because(string(c.Kind)).WithHint("%s", c.Hint).Wrap(err)
}

// wantsJSON follows the rule of all commands: JSON when asked for, or when nobody looks.
func wantsJSON(cmd *cobra.Command) bool {
	if asked, err := cmd.Flags().GetBool("json"); err == nil && asked {
		return true
	}
	f, isFile := cmd.OutOrStdout().(*os.File)
	return !isFile || !term.IsTerminal(int(f.Fd()))
}

func printJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}

// check is a line of doctor's answer.
type check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitzero"`
	Mend   string `json:"mend,omitzero"`
}

func doctorCommand(further []Check) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check what browsers need on this machine, each with its mend", Example: "  glass doctor\n  glass doctor --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var list []check
			ok := true
			for _, c := range chrome.Doctor(cmd.Context(), nil) {
				list = append(list, check{c.Name, c.OK, c.Detail, c.Mend})
				ok = ok && c.OK
			}
			for _, look := range further {
				name, fine, detail, mend := look(cmd.Context())
				list = append(list, check{name, fine, detail, mend})
				ok = ok && fine
			}
			if err := printChecks(cmd, list); err != nil {
				return err
			}
			if !ok {
				return contract.Fail(contract.Unavailable, contract.PhasePreflight, "something that browsers need is missing").
					WithHint("each line above says how to mend it")
			}
			return nil
		},
	}
}

func printChecks(cmd *cobra.Command, list []check) error {
	if wantsJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), map[string]any{"checks": list})
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
	for _, c := range list {
		mark := "ok"
		if !c.OK {
			mark = "!!"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", mark, c.Name, c.Detail)
		if c.Mend != "" {
			fmt.Fprintf(w, "\t\t→ %s\n", c.Mend)
		}
	}
	return w.Flush()
}

// profile is a line of the list of profiles.
type profile struct {
	Name  string `json:"name"`
	InUse bool   `json:"inUse"`
}

func profilesCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "profiles", Short: "List, create and delete named browser profiles", Example: "  glass profiles list\n  glass profiles create work",
	}
	root.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the profiles", Example: "  glass profiles list", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				found, err := chrome.ListProfiles(cmd.Context(), nil)
				if err != nil {
					return failure(err)
				}
				list := []profile{}
				for _, p := range found {
					list = append(list, profile{p.Name, p.InUse})
				}
				if wantsJSON(cmd) {
					return printJSON(cmd.OutOrStdout(), map[string]any{"profiles": list})
				}
				for _, p := range list {
					fmt.Fprintln(cmd.OutOrStdout(), p.Name, map[bool]string{true: "(in use)"}[p.InUse])
				}
				return nil
			},
		},
		&cobra.Command{
			Use: "create NAME", Short: "Create a profile", Example: "  glass profiles create work", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				if _, err := chrome.CreateProfile(cmd.Context(), args[0], nil); err != nil {
					return failure(err)
				}
				return report(cmd, "created", args[0])
			},
		},
		&cobra.Command{
			Use: "delete NAME", Short: "Delete a profile and all that it holds", Example: "  glass profiles delete work", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				if err := chrome.DeleteProfile(cmd.Context(), args[0], nil); err != nil {
					return failure(err)
				}
				return report(cmd, "deleted", args[0])
			},
		},
	)
	return root
}

func report(cmd *cobra.Command, what, name string) error {
	if wantsJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), map[string]string{what: name})
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", what, name)
	return err
}

func installCommand() *cobra.Command {
	var o chrome.InstallOptions
	cmd := &cobra.Command{
		Use: "install-chromium", Short: "Install a browser for Glass: the pinned build, or an archive at hand",
		Example: "  glass install-chromium\n  glass install-chromium --from ./chrome-linux64.zip --sha256 …", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Progress = progress(cmd)
			found, err := chrome.Install(cmd.Context(), &o)
			if err != nil {
				return failure(err)
			}
			return report(cmd, "installed", found.Path)
		},
	}
	cmd.Flags().StringVar(&o.From, "from", "", "a zip archive: a file or an address")
	cmd.Flags().StringVar(&o.SHA256, "sha256", "", "its checksum, in hexadecimal")
	return cmd
}

// progressEvery is how often a person at a terminal is told how far a download is.
const progressEvery = 200 * time.Millisecond

// progress shows a line that counts up on a terminal, and one line per tenth elsewhere.
func progress(cmd *cobra.Command) func(done, total int64) {
	w := cmd.ErrOrStderr()
	f, isFile := w.(*os.File)
	terminal := isFile && term.IsTerminal(int(f.Fd()))
	var last time.Time
	tenth := int64(-1)
	return func(done, total int64) {
		const mega = 1 << 20
		switch {
		case terminal && (time.Since(last) > progressEvery || done == total):
			last = time.Now()
			fmt.Fprintf(w, "\r%d MB of %d MB ", done/mega, total/mega)
			if done == total {
				fmt.Fprintln(w)
			}
		case !terminal && total > 0 && done*10/total > tenth:
			tenth = done * 10 / total
			fmt.Fprintf(w, "%d MB of %d MB\n", done/mega, total/mega)
		}
	}
}
