package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/glasskit/glass/internal/frontend/cli"
)

// The generated pages in the repository are those that this code generates.
func TestGeneratedDocumentsAreUpToDate(t *testing.T) {
	dir := t.TempDir()
	if code := cli.Run(t.Context(), config(), []string{"docs", dir}); code != 0 {
		t.Fatalf("docs ended with %d", code)
	}
	const kept = "../../docs"
	for _, part := range []string{"reference", "schema"} {
		fresh, old := tree(t, filepath.Join(dir, part)), tree(t, filepath.Join(kept, part))
		if len(fresh) == 0 {
			t.Errorf("no %s pages were written", part)
		}
		for name := range fresh {
			if !bytes.Equal(fresh[name], old[name]) {
				t.Errorf("docs/%s/%s is out of date: run make docs", part, name)
			}
		}
		for name := range old {
			if _, ok := fresh[name]; !ok {
				t.Errorf("docs/%s/%s is no longer generated: delete it", part, name)
			}
		}
	}
}

func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every decision has a line in the index, and every line a decision.
func TestDecisionsAreIndexed(t *testing.T) {
	const dir = "../../docs/decisions"
	index, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`\]\(([^)]+\.md)\)`).FindAllSubmatch(index, -1) {
		listed[string(m[1])] = true
	}
	for name := range tree(t, dir) {
		if name != "README.md" && !listed[name] {
			t.Errorf("%s is not in the index", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		if !strings.Contains(name, "/") {
			t.Errorf("the index names %s, which is not there", name)
		}
	}
}
