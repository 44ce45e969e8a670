package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/frontend/mcp"
)

const (
	mcpName = "mcp"
	// tokenEnv is where the HTTP token may be given without showing it in the list of processes.
	tokenEnv = "GLASS_HTTP_TOKEN"
	// tokenFileBytes bounds a file of tokens.
	tokenFileBytes = 64 << 10
)

// mcpFlags are those of glass mcp.
type mcpFlags struct {
	tools     string
	address   string
	remote    bool
	token     string
	tokenFile string
	hosts     []string
	origins   []string
}

func (a *app) mcpCommand() *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use: mcpName, Short: "Serve the operations to an agent over MCP",
		Long: "Serve the operations to an agent over MCP, on stdin and stdout, or over HTTP with --http.\n\n" +
			"Each server has sessions of its own, which end with it. With --session it uses a session of the daemon\n" +
			"instead, so that a person can see what the agent does.",
		Example: "  glass mcp\n  glass mcp --tools browser,+evaluate --policy-allow evaluate\n" +
			"  glass mcp --http 127.0.0.1:7333\n  glass mcp --session default",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveMCP(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.tools, "tools", "",
		"toolsets, and single tools to add or drop: browser,+evaluate,-drag (default browser)")
	flags.StringVar(&f.address, "http", "", "serve streamable HTTP on this address, such as 127.0.0.1:7333")
	flags.BoolVar(&f.remote, "http-allow-remote", false, "allow an address that others can reach; needs a token of yours")
	flags.StringVar(&f.token, "http-token", "",
		"bearer token; better in "+tokenEnv+" or a file (default: a random one, on stderr)")
	flags.StringVar(&f.tokenFile, "http-token-file", "",
		"file with a bearer token on each line; each has sessions of its own")
	flags.StringSliceVar(&f.hosts, "http-allow-host", nil, "further name by which the server is reached, with its port")
	flags.StringSliceVar(&f.origins, "http-allow-origin", nil,
		"web origin whose pages may call, such as http://localhost:6274")
	return cmd
}

func (a *app) serveMCP(cmd *cobra.Command, f *mcpFlags) error {
	signal.Ignore(syscall.SIGPIPE) // a client that has gone ends the server in good order, not at once
	options := a.settings.options()
	if err := a.program.Table.CheckOptions(options); err != nil {
		return err
	}
	program := a.program
	if a.frontend != Agent {
		var err error
		if program, err = a.Open(Agent); err != nil {
			return err
		}
	}
	var err error
	o := &mcp.Options{Tools: f.tools, SessionOptions: options, Version: a.Version}
	if o.Dir, err = os.Getwd(); err != nil {
		return fmt.Errorf("cannot find the working directory: %w", err)
	}
	joined := a.root.PersistentFlags().Changed("session") || a.settings.byFlag["session"].origin != ""
	if joined || a.NeedsDaemon != nil && a.NeedsDaemon(options) {
		remote := daemon.NewRemote(a.connectOptions())
		defer remote.Close()
		o.Backend, o.Session = remote, a.session
	}
	server, err := mcp.New(program.Table, o)
	if err != nil {
		return contract.Invalid("tools", "%v", err)
	}
	err = a.serveMCPOn(cmd.Context(), server, f)
	closeCtx, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), closeTime)
	defer cancel()
	return errors.Join(err, program.Table.Close(closeCtx))
}

func (a *app) serveMCPOn(ctx context.Context, server *mcp.Server, f *mcpFlags) error {
	if f.address != "" {
		return a.serveHTTP(ctx, server, f)
	}
	out := a.Out
	if a.Out == io.Writer(os.Stdout) {
		os.Stdout = os.Stderr // a stray print must not end up between messages
	}
	if terminal(a.In) {
		a.say("serving MCP on stdin and stdout for an agent; glass mcp-config prints what its settings need")
	}
	return server.ServeStream(ctx, detached(a.In), out)
}

// detached makes reads from a terminal or pipe end when it is closed, which the kernel does not do for stdin. The
// goroutine that waits in the last read ends with the process.
func detached(in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	return r
}

func (a *app) serveHTTP(ctx context.Context, server *mcp.Server, f *mcpFlags) error {
	tokens, err := f.tokens()
	if err != nil {
		return err
	}
	random := len(tokens) == 0
	if random && f.remote {
		return contract.Invalid("http-allow-remote",
			"needs a token of yours: %s, --http-token-file or --http-token", tokenEnv)
	}
	if random {
		tokens = []string{mcp.NewToken()}
	}
	o := &mcp.HTTPOptions{Tokens: tokens, AllowRemote: f.remote, Hosts: f.hosts, Origins: f.origins}
	err = server.ServeHTTP(ctx, f.address, o, func(addr net.Addr) {
		a.say("serving MCP on http://" + addr.String() + "/mcp")
		if random {
			a.say("bearer token: " + tokens[0])
		}
	})
	if err != nil {
		return contract.Fail(contract.Unavailable, contract.PhasePreflight, "%v", err).Wrap(err)
	}
	return nil
}

// tokens are those of the flag, the environment and the file.
func (f *mcpFlags) tokens() ([]string, error) {
	var tokens []string
	if f.token != "" {
		tokens = append(tokens, f.token)
	}
	if f.tokenFile == "" {
		return tokens, nil
	}
	info, err := os.Stat(f.tokenFile)
	if err != nil {
		return nil, contract.Invalid("http-token-file", "cannot be read: %v", err)
	}
	if info.Mode().Perm()&0o077 != 0 || info.Size() > tokenFileBytes {
		return nil, contract.Invalid("http-token-file", "must be a small file that only you can read (chmod 600)")
	}
	data, err := os.ReadFile(f.tokenFile)
	if err != nil {
		return nil, contract.Invalid("http-token-file", "cannot be read: %v", err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			tokens = append(tokens, line)
		}
	}
	if len(tokens) == 0 {
		return nil, contract.Invalid("http-token-file", "holds no token")
	}
	return tokens, nil
}
