//go:build !linux

package chrome

import (
	"os"
	"path/filepath"
)

// systemCandidates lists the system's browsers, best first.
func systemCandidates() []string {
	programs := []string{
		"Google Chrome.app/Contents/MacOS/Google Chrome",
		"Chromium.app/Contents/MacOS/Chromium",
		"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
		"Google Chrome Beta.app/Contents/MacOS/Google Chrome Beta",
		"Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
	}
	roots := []string{"/Applications"}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, "Applications"))
	}
	var out []string
	for _, program := range programs {
		for _, root := range roots {
			out = append(out, filepath.Join(root, program))
		}
	}
	return append(out, "google-chrome-stable", "google-chrome", "chromium")
}
