// Command glass gives agents, scripts and people a bounded, typed, revision-safe hold on web pages.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/internal/frontend/cli"
	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/frontend/setup"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

// version is set by the linker.
var version = "dev"

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A second interrupt ends the process at once: the first one cancels, and cancelling is bounded but not instant.
	context.AfterFunc(ctx, stop)
	return cli.Run(ctx, config(), os.Args[1:])
}

func config() cli.Config {
	return cli.Config{
		Version: version, Open: open, Extra: setup.Commands(daemonCheck),
		Schemas: []cli.Schema{
			{Name: "action", Doc: "What an action answers (contract.md §3)", Value: browser.ActionResult{}},
			{Name: "observation", Doc: "What observe answers (browser.md §2)", Value: browser.PageContext{}},
		},
	}
}

// open makes the operation table of the page surface. It opens nothing: a browser starts with the first call.
func open(f cli.Frontend) (*cli.Program, error) {
	frontend := policy.Person
	if f == cli.Agent {
		frontend = policy.Agent
	}
	rt := browser.NewRuntime(&browser.RuntimeOptions{Frontend: frontend})
	table, err := operation.NewTable(operation.TableConfig{
		Operations: rt.Operations(), Options: browser.Options{}, Documents: rt.Documents(),
		Prompts: browser.Prompts(), Instructions: browser.Instructions, Close: rt.Close, Overflow: writeOverflow,
	})
	if err != nil {
		return nil, err
	}
	return &cli.Program{Table: table, Load: func() daemon.Load { return load(rt) }}, nil
}

// load tells the daemon what would be lost if it ended.
func load(rt *browser.Runtime) daemon.Load {
	list, err := rt.Sessions(context.Background(), &browser.Call{}, browser.SessionsInput{})
	if err != nil {
		return daemon.Load{}
	}
	return daemon.Load{Sessions: len(list.Sessions)}
}

// daemonCheck tells doctor's reader whether the daemon can be reached and where its socket is. None running is fine: the
// first command starts it.
func daemonCheck(ctx context.Context) (name string, ok bool, detail, mend string) {
	const what = "daemon"
	dir, err := daemon.Folder()
	if err != nil {
		return what, false, err.Error(), "set GLASS_RUNTIME_DIR to a folder with a short path"
	}
	c, err := daemon.Connect(ctx, daemon.ConnectOptions{Version: version})
	if daemon.NotRunning(err) {
		return what, true, "not running; the first command starts it; its folder is " + dir, ""
	}
	if err != nil {
		return what, false, err.Error(), "glass daemon stop, or remove " + dir
	}
	defer c.Close()
	s, err := daemon.Query(ctx, c)
	if err != nil {
		return what, false, err.Error(), "glass daemon stop"
	}
	return what, true, fmt.Sprintf("running as process %d with %d sessions; its folder is %s", s.PID, s.Sessions, dir), ""
}
