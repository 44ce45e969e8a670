package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

const (
	// FolderEnv names the folder for socket, locks and log, for tests and unusual machines.
	FolderEnv = "GLASS_RUNTIME_DIR"
	// socketPathBytes is the longest socket path that every platform takes: macOS has 104 with the final NUL, Linux 108.
	socketPathBytes = 103

	socketName    = "glass.sock"
	lockName      = "daemon.lock"
	startLockName = "start.lock"
	logName       = "daemon.log"
)

// Folder is where the daemon's socket, locks and log lie: FolderEnv, else the session's runtime folder, else the user's
// state folder, else, where that path is too long for a socket, one in the folder for temporary files.
func Folder() (string, error) {
	if dir := os.Getenv(FolderEnv); dir != "" {
		return filepath.Abs(dir)
	}
	var candidates []string
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		candidates = append(candidates, filepath.Join(dir, "glass"))
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		candidates = append(candidates, filepath.Join(dir, "glass", "run"))
	} else if home, err := os.UserHomeDir(); err == nil {
		candidates = append(candidates, filepath.Join(home, ".local", "state", "glass", "run"))
	}
	candidates = append(candidates, filepath.Join(os.TempDir(), "glass-"+strconv.Itoa(os.Getuid())))
	for _, dir := range candidates {
		if len(filepath.Join(dir, socketName)) <= socketPathBytes {
			return dir, nil
		}
	}
	return "", fmt.Errorf("cannot find a folder with a path short enough for a socket: set %s", FolderEnv)
}

// makeFolder makes the folder, or checks that it is the user's own and closed to others.
func makeFolder(dir string) error {
	if len(filepath.Join(dir, socketName)) > socketPathBytes {
		return fmt.Errorf("cannot use %s: its path is too long for a socket (at most %d bytes)",
			dir, socketPathBytes-len(socketName)-1)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("cannot make the runtime folder: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("cannot make the runtime folder: %w", err)
	}
	return checkFolder(dir)
}

// checkFolder refuses a folder that another user owns or that is a link, and closes an open one of our own.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByUs(info) {
		return fmt.Errorf("cannot use %s: it is not a folder of this user", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("cannot close %s to others: %w", dir, err)
		}
	}
	return nil
}
