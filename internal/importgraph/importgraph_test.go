// Package importgraph has no code: its test walks the imports of this module and fails on an edge that goes upwards
// (DESIGN.md §2).
package importgraph

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/glasskit/glass/"

// allowed says what each package of ours may import of ours. A name that ends in /… stands for all packages below.
var allowed = map[string][]string{
	"contract":                       {},
	"internal/textsafe":              {},
	"policy":                         {"contract"},
	"browser/inpage":                 {},
	"internal/cdp":                   {},
	"internal/chrome":                {},
	"internal/operation":             {"contract", "internal/textsafe", "policy"},
	"internal/contractdocs":          {"contract", "policy", "internal/operation"},
	"browser":                        {"contract", "policy", "browser/inpage", "internal/cdp", "internal/chrome", "internal/operation", "internal/contractdocs", "internal/textsafe"},
	"internal/frontend/mcp":          {"contract", "policy", "internal/operation", "internal/textsafe"},
	"internal/frontend/daemon":       {"contract", "internal/operation", "internal/frontend/mcp", "internal/textsafe"},
	"internal/frontend/cli":          {"contract", "policy", "internal/operation", "internal/textsafe", "internal/frontend/mcp", "internal/frontend/daemon"},
	"internal/frontend/setup":        {"contract", "internal/chrome"},
	"internal/frontend/frontendtest": {"contract", "internal/operation"},
	"internal/testkit/…":             {"contract"},
	"internal/importgraph":           {},
	"cmd/glass":                      {"contract", "policy", "browser", "internal/operation", "internal/contractdocs", "internal/frontend/…"},
}

// only says which packages may import a library.
var only = map[string][]string{
	"github.com/modelcontextprotocol/go-sdk": {"internal/frontend/mcp"},
	"github.com/spf13/cobra":                 {"internal/frontend/cli", "internal/frontend/daemon", "internal/frontend/setup", "cmd/glass"},
	"github.com/chromedp/cdproto":            {"internal/cdp"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestImportsGoDownwards(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		may, known := lookup(name)
		if !known {
			t.Errorf("%s has no line in the table of allowed imports", name)
		}
		for _, i := range p.Imports {
			if target, ours := strings.CutPrefix(i, module); ours && !permitted(may, target) {
				t.Errorf("%s imports %s", name, target)
			}
			for library, users := range only {
				if strings.HasPrefix(i, library) && !permitted(users, name) {
					t.Errorf("%s imports %s; only %v may", name, i, users)
				}
			}
		}
	}
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func lookup(name string) ([]string, bool) {
	if may, ok := allowed[name]; ok {
		return may, true
	}
	for pattern, may := range allowed {
		if below(pattern, name) {
			return may, true
		}
	}
	return nil, false
}

func permitted(list []string, name string) bool {
	for _, p := range list {
		if p == name || below(p, name) {
			return true
		}
	}
	return false
}

func below(pattern, name string) bool {
	prefix, wild := strings.CutSuffix(pattern, "…")
	return wild && strings.HasPrefix(name, prefix)
}
