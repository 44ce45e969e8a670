package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/glasskit/glass/internal/frontend/cli"
	"github.com/glasskit/glass/internal/operation"
)

func TestTableIsWellFormed(t *testing.T) {
	for _, f := range []cli.Frontend{cli.Person, cli.Agent} {
		p, err := open(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Table.Verify(); err != nil {
			t.Error(err)
		}
		for _, op := range p.Table.Operations() {
			shows := func(name string) bool { return strings.HasPrefix(op.Example, "glass "+name) }
			if !slices.ContainsFunc(op.Names(), shows) {
				t.Errorf("%s has no example that starts with its command: %q", op.Name, op.Example)
			}
		}
		if n := p.Load().Sessions; n != 0 {
			t.Errorf("a fresh program has %d sessions", n)
		}
		if err := p.Table.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestOverflowStaysInTheWorkspace(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	for options, under := range map[string]string{`{}`: dir, `{"workspace":"inner"}`: filepath.Join(dir, "inner")} {
		call := &operation.Call{Dir: dir, Options: json.RawMessage(options)}
		file, err := writeOverflow(t.Context(), call, "observe", []byte(`{"a":1}`))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(under, file))
		if err != nil || string(data) != `{"a":1}` || filepath.Ext(file) != ".json" {
			t.Errorf("%s: %s, %s, %v", options, file, data, err)
		}
	}
	link := filepath.Join(dir, "linked")
	if err := os.Mkdir(link, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(link, resultsFolder)); err != nil {
		t.Fatal(err)
	}
	if file, err := writeOverflow(t.Context(), &operation.Call{Dir: link}, "observe", nil); err == nil {
		t.Errorf("a link out of the workspace was followed to %s", file)
	}
}
