package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// agentClient is an MCP client and where its configuration goes.
type agentClient struct {
	name  string
	where string
	write func(command string, args []string) string
}

// agentClients are those whose snippet glass mcp-config prints.
var agentClients = []agentClient{
	{"claude-code", "run this once in the project", func(command string, args []string) string {
		return "claude mcp add glass -- " + shellWords(append([]string{command}, args...))
	}},
	{"claude-desktop", "claude_desktop_config.json (Settings, Developer, Edit Config)", servers("mcpServers", nil)},
	{"codex", "~/.codex/config.toml", func(command string, args []string) string {
		return fmt.Sprintf("[mcp_servers.glass]\ncommand = %s\nargs = %s", quoted(command), quoted(args))
	}},
	{"cursor", ".cursor/mcp.json in the project, or ~/.cursor/mcp.json", servers("mcpServers", nil)},
	{"vscode", ".vscode/mcp.json in the project", servers("servers", map[string]any{"type": "stdio"})},
	{"windsurf", "~/.codeium/windsurf/mcp_config.json", servers("mcpServers", nil)},
	{"zed", "settings.json", servers("context_servers", map[string]any{"source": "custom"})},
}

// servers writes the usual form: an object of servers by name.
func servers(key string, more map[string]any) func(string, []string) string {
	return func(command string, args []string) string {
		entry := map[string]any{"command": command, "args": args}
		for k, v := range more {
			entry[k] = v
		}
		data, err := json.MarshalIndent(map[string]any{key: map[string]any{"glass": entry}}, "", "  ")
		if err != nil {
			panic(err) // strings and lists of strings
		}
		return string(data)
	}
}

func shellWords(words []string) string {
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`*?[](){}<>|&;~#!") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func (a *app) mcpConfigCommand() *cobra.Command {
	var client string
	var names []string
	for _, c := range agentClients {
		names = append(names, c.name)
	}
	cmd := &cobra.Command{
		Use: "mcp-config --client NAME [-- FLAGS...]", Short: "Print what an MCP client needs to start glass mcp",
		Example: "  glass mcp-config --client claude-code\n  glass mcp-config --client vscode -- --tools browser,+evaluate",
		RunE: func(_ *cobra.Command, args []string) error {
			i := slices.IndexFunc(agentClients, func(c agentClient) bool { return c.name == client })
			if i < 0 {
				f := contract.Invalid("client", "must be one of %s", strings.Join(names, ", "))
				if near := operation.Nearest(client, names); client != "" && len(near) > 0 {
					return f.WithHint("did you mean %s?", near[0])
				}
				return f
			}
			exe, err := os.Executable()
			if err != nil {
				return fmt.Errorf("cannot find this program: %w", err)
			}
			if terminal(a.Out) {
				a.say("for " + agentClients[i].name + ": " + agentClients[i].where)
			}
			_, err = fmt.Fprintln(a.Out, agentClients[i].write(exe, append([]string{"mcp"}, args...)))
			return err
		},
	}
	cmd.Flags().StringVar(&client, "client", "", strings.Join(names, "|"))
	// It fails only for a flag that is not there, and this one was made a line ago.
	_ = cmd.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
