package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version", Example: "  glass version --json", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !a.json {
				_, err := fmt.Fprintf(a.Out, "glass %s %s %s/%s\n", a.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			}
			return a.printValue(struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				OS      string `json:"os"`
				Arch    string `json:"arch"`
			}{a.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH})
		},
	}
}

// settingLine is a line of glass config show.
type settingLine struct {
	Name   string          `json:"name"`
	Value  json.RawMessage `json:"value,omitempty"`
	Origin string          `json:"origin"`
	Env    string          `json:"env,omitempty"`
}

func (a *app) configCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "config", Short: "Look at settings", Example: "  glass config show",
	}
	root.AddCommand(&cobra.Command{
		Use: "show", Short: "Show each setting and where it came from", Args: cobra.NoArgs,
		Example: "  GLASS_NO_SANDBOX=1 glass config show",
		RunE: func(*cobra.Command, []string) error {
			var lines []settingLine
			for _, one := range a.settings.list {
				origin := one.origin
				if origin == "" {
					origin = "default"
				}
				lines = append(lines, settingLine{one.field.Flag, one.value, origin, one.env()})
			}
			return a.printValue(map[string]any{"settings": lines})
		},
	})
	return root
}

// schemas are the published ones: those of the contract, and what the program adds.
func (a *app) schemas() []Schema {
	return append([]Schema{
		{Name: "failure", Doc: "The failure of an operation (contract.md §4)", Value: contract.Failure{}},
	}, a.Schemas...)
}

func (s *Schema) bytes() ([]byte, error) {
	data, err := operation.SchemaOf(s.Value, func(js *jsonschema.Schema) {
		js.Schema = "https://json-schema.org/draft/2020-12/schema"
		js.Title, js.Description = "Glass "+s.Name+", version 1", s.Doc
	})
	if err != nil {
		return nil, fmt.Errorf("cannot make the schema of %s: %w", s.Name, err)
	}
	return append(data, '\n'), nil
}

func (a *app) schemaCommand() *cobra.Command {
	var names []string
	for _, s := range a.schemas() {
		names = append(names, s.Name)
	}
	return &cobra.Command{
		Use:     "schema NAME",
		Short:   "Print the JSON Schema of a result (" + strings.Join(names, ", ") + ") or of an operation's input",
		Example: "  glass schema action\n  glass schema click", Args: cobra.ExactArgs(1), ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			var data []byte
			i := slices.IndexFunc(a.schemas(), func(s Schema) bool { return s.Name == args[0] })
			op, isCommand := a.program.Table.LookupCommand(args[0])
			switch {
			case i >= 0:
				var err error
				if data, err = a.schemas()[i].bytes(); err != nil {
					return err
				}
			case isCommand:
				data = append(op.FullSchema(), '\n')
			default:
				return contract.Invalid("name", "no schema has this name").
					WithHint("known are %s and every operation", strings.Join(names, ", "))
			}
			_, err := a.Out.Write(data)
			return err
		},
	}
}

// docsCommand writes what the repository keeps generated: reference pages and schemas.
func (a *app) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "docs DIR", Short: "Write reference pages and schemas", Example: "  glass docs docs",
		Args: cobra.ExactArgs(1), Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			pages := map[string][]byte{}
			for name, data := range a.program.Table.ReferencePages() {
				pages[filepath.Join("reference", name)] = data
			}
			for _, s := range a.schemas() {
				data, err := s.bytes()
				if err != nil {
					return err
				}
				pages[filepath.Join("schema", "glass-"+s.Name+"-v1.schema.json")] = data
			}
			for name, data := range pages {
				path := filepath.Join(args[0], name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return fmt.Errorf("cannot write %s: %w", name, err)
				}
				if err := os.WriteFile(path, data, 0o644); err != nil {
					return fmt.Errorf("cannot write %s: %w", name, err)
				}
			}
			return nil
		},
	}
}

func completionCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "completion", Short: "Print shell completion", Example: "  glass completion bash > /etc/bash_completion.d/glass",
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		root.AddCommand(&cobra.Command{
			Use: shell, Short: "Print completion for " + shell, Example: "  glass completion " + shell, Args: cobra.NoArgs,
			Annotations: map[string]string{noSettings: "yes"},
			RunE: func(cmd *cobra.Command, _ []string) error {
				switch w := cmd.OutOrStdout(); shell {
				case "bash":
					return cmd.Root().GenBashCompletionV2(w, true)
				case "zsh":
					return cmd.Root().GenZshCompletion(w)
				default:
					return cmd.Root().GenFishCompletion(w, true)
				}
			},
		})
	}
	return root
}
