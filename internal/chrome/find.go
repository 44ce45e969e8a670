package chrome

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Where an executable came from.
const (
	SourceExplicit  = "explicit"
	SourceInstalled = "installed"
	SourceSystem    = "system"
)

// Executable is a browser on disk. Source is one of SourceExplicit, SourceInstalled and SourceSystem.
type Executable struct {
	Path   string
	Source string
}

// Find returns the browser to use: the explicit path, else the build that [Install] put in place, else the system's
// Chrome or Chromium (browser.md §1). An explicit path that does not run is an error, never a reason to look further.
func Find(ctx context.Context, explicit string, folders *Folders) (Executable, error) {
	if err := ctx.Err(); err != nil {
		return Executable{}, err
	}
	if explicit != "" {
		path, err := exec.LookPath(explicit)
		if err != nil && !errors.Is(err, exec.ErrDot) {
			return Executable{}, &Error{Kind: Missing, Message: "cannot run the browser at " + explicit, Err: err,
				Hint: "name an executable file of Chrome or Chromium, or leave the path out"}
		}
		return Executable{behindScript(path), SourceExplicit}, nil
	}
	if path, ok := installed(folders); ok {
		return Executable{path, SourceInstalled}, nil
	}
	if path, ok := findSystem(); ok {
		return Executable{path, SourceSystem}, nil
	}
	return Executable{}, errorf(Missing, "run `glass install-chromium`, or name one with --chrome-path",
		"cannot find Chrome or Chromium on this machine")
}

func findSystem() (string, bool) {
	for _, candidate := range systemCandidates() {
		if path, err := exec.LookPath(candidate); err == nil && filepath.IsAbs(path) {
			return behindScript(path), true
		}
	}
	return "", false
}

// scripts maps the start scripts of packaged browsers to the program behind them. The scripts cost time, and some add
// what a contained browser must not have: system extensions and API keys.
var scripts = map[string]string{
	"/usr/bin/chromium":                   "/usr/lib/chromium/chromium",
	"/usr/bin/chromium-browser":           "/usr/lib64/chromium-browser/chromium-browser",
	"/usr/bin/google-chrome":              "/opt/google/chrome/chrome",
	"/usr/bin/google-chrome-stable":       "/opt/google/chrome/chrome",
	"/opt/google/chrome/google-chrome":    "/opt/google/chrome/chrome",
	"/usr/bin/google-chrome-beta":         "/opt/google/chrome-beta/chrome",
	"/usr/bin/google-chrome-unstable":     "/opt/google/chrome-unstable/chrome",
	"/usr/lib/chromium/chromium-launcher": "/usr/lib/chromium/chromium",
}

func behindScript(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	program, ok := scripts[path]
	if !ok || !isScript(path) {
		return path
	}
	if info, err := os.Stat(program); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return path
	}
	return program
}

func isScript(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [2]byte
	n, _ := file.Read(head[:])
	return string(head[:n]) == "#!"
}

// versionTime bounds one run of `chrome --version`.
const versionTime = 10 * time.Second

// Version asks the executable for its version line, such as "Chromium 156.0.8078.114".
func Version(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--version")
	command.Env = environment(os.Environ(), nil, false)
	command.WaitDelay = time.Second
	output, err := command.Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	if err == nil && line == "" {
		err = errors.New("no version line")
	}
	if err != nil {
		return "", &Error{Kind: Missing, Message: "cannot read the version of " + path, Err: err,
			Hint: "name an executable file of Chrome or Chromium"}
	}
	return line, nil
}
