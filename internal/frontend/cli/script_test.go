package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/glasskit/glass/internal/frontend/daemon"
	"github.com/glasskit/glass/internal/frontend/frontendtest"
)

// versionEnv lets scripts play two versions of the program.
const versionEnv = "GLASS_TEST_VERSION"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"glass": func() { os.Exit(testGlass()) }})
}

// testGlass is the program on the test table.
func testGlass() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	version := os.Getenv(versionEnv)
	if version == "" {
		version = "v1"
	}
	extra := &cobra.Command{
		Use: "doctor", Short: "Check the machine", Example: "  glass doctor",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "ok")
			return err
		},
	}
	return Run(ctx, Config{
		Version: version, Extra: []*cobra.Command{extra},
		Open: func(Frontend) (*Program, error) {
			table, world := frontendtest.Table()
			return &Program{Table: table, Load: func() daemon.Load { return daemon.Load{Sessions: world.Started("echo")} }}, nil
		},
		NeedsDaemon: func(options json.RawMessage) bool { return len(options) == 0 && os.Getenv("GLASS_TEST_CONFIRM") != "" },
	}, os.Args[1:])
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			run, err := os.MkdirTemp("", "gc") // the script's own folder is too long for a socket
			if err != nil {
				return err
			}
			e.Vars = append(e.Vars, daemon.FolderEnv+"="+run, "XDG_CONFIG_HOME="+filepath.Join(e.WorkDir, "config"), "HOME="+e.WorkDir)
			e.Defer(func() {
				endDaemon(run)
				os.RemoveAll(run)
			})
			return nil
		},
	})
}

// endDaemon ends the daemon that a script has started.
func endDaemon(dir string) {
	c, err := daemon.Connect(context.Background(), daemon.ConnectOptions{Folder: dir})
	if err == nil {
		err = daemon.Stop(context.Background(), dir, c, true)
	}
	if err != nil && !daemon.NotRunning(err) {
		panic(err)
	}
}
