package chrome

import (
	"os"
	"path/filepath"
	"runtime"
)

// userDataDirs are the folders in which browsers that people use keep their profiles, and the port file while they
// accept DevTools connections.
func userDataDirs() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	root, names := filepath.Join(home, ".config"), []string{
		"google-chrome", "chromium", "google-chrome-beta", "google-chrome-unstable", "google-chrome-for-testing"}
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		root = dir
	}
	if runtime.GOOS == "darwin" {
		root, names = filepath.Join(home, "Library/Application Support"), []string{
			"Google/Chrome", "Chromium", "Google/Chrome Beta", "Google/Chrome Canary", "Google/Chrome for Testing"}
	}
	var out []string
	for _, name := range names {
		out = append(out, filepath.Join(root, name))
	}
	if runtime.GOOS == "linux" {
		out = append(out, filepath.Join(home, "snap/chromium/common/chromium"))
	}
	return out
}
