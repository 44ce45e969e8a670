package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/internal/operation"
)

// resultsFolder is where results that are too large to answer go, under the workspace.
const resultsFolder = "glass-results"

// writeOverflow writes a result under the caller's workspace and names the file as seen from there (contract.md §7).
func writeOverflow(_ context.Context, call *operation.Call, name string, data []byte) (string, error) {
	root, err := os.OpenRoot(workspaceOf(call))
	if err != nil {
		return "", fmt.Errorf("cannot open the workspace: %w", err)
	}
	defer root.Close()
	if err := root.MkdirAll(resultsFolder, 0o755); err != nil {
		return "", fmt.Errorf("cannot make a folder for results: %w", err)
	}
	ending := ".txt"
	if json.Valid(data) {
		ending = ".json"
	}
	file := filepath.Join(resultsFolder, name+"-"+rand.Text()+ending)
	if err := root.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("cannot write the result: %w", err)
	}
	return file, nil
}

// workspaceOf is the folder that the session's options name, else the caller's, else this process's.
func workspaceOf(call *operation.Call) string {
	var o browser.Options
	if len(call.Options) > 0 && json.Unmarshal(call.Options, &o) == nil && o.Workspace != "" {
		if filepath.IsAbs(o.Workspace) || call.Dir == "" {
			return o.Workspace
		}
		return filepath.Join(call.Dir, o.Workspace)
	}
	if call.Dir != "" {
		return call.Dir
	}
	return "."
}
