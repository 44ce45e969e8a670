//go:build !linux

package chrome

// noSandboxBecause: on macOS the sandbox belongs to the system and works for every user.
func noSandboxBecause(string) string { return "" }
