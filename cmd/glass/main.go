// Command glass gives agents, scripts and people a bounded, typed, revision-safe hold on web pages.
package main

import (
	"context"
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
		Version: version, Open: open, Extra: setup.Commands(),
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
