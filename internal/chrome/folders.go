package chrome

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Folders says where this package keeps things. A nil *Folders, or an empty field, means the default.
type Folders struct {
	// State holds what dies with its owner: temporary profiles and their locks. Default: glass under
	// $XDG_STATE_HOME, ~/.local/state, or ~/Library/Application Support.
	State string
	// Data holds what a person keeps: named profiles, installed browsers. Default: glass under $XDG_DATA_HOME,
	// ~/.local/share, or ~/Library/Application Support.
	Data string
}

// Every folder is private to its owner (reliability.md §1.1).
const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// Names below the two roots. The ones on the way to a temporary directory are short: a Unix socket's path holds 107
// bytes, and Chrome puts 44 of its own behind ours.
const (
	browsersDir = "b"
	profilesDir = "profiles"
	locksDir    = "profile-locks"
	buildsDir   = "chromium"
)

func (f *Folders) resolve() (Folders, error) {
	var out Folders
	if f != nil {
		out = *f
	}
	var err error
	if out.State == "" {
		if out.State, err = defaultRoot("XDG_STATE_HOME", ".local/state"); err != nil {
			return out, err
		}
	}
	if out.Data == "" {
		if out.Data, err = defaultRoot("XDG_DATA_HOME", ".local/share"); err != nil {
			return out, err
		}
	}
	if out.State, err = filepath.Abs(out.State); err != nil {
		return out, storage("find the state folder", err)
	}
	if out.Data, err = filepath.Abs(out.Data); err != nil {
		return out, storage("find the data folder", err)
	}
	return out, nil
}

// defaultRoot follows the XDG base directory rules: a variable that holds a relative path is ignored.
func defaultRoot(variable, underHome string) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "glass"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &Error{Kind: Storage, Message: "cannot find the home folder", Err: err,
			Hint: "set HOME, or " + variable}
	}
	if runtime.GOOS == "darwin" {
		underHome = "Library/Application Support"
	}
	return filepath.Join(home, underHome, "glass"), nil
}

// privateDir makes dir with its parents, and proves that it is a real folder of ours that no one else can enter. A
// folder of ours with a wider mode is narrowed; a symbolic link or another owner's folder is refused.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return storage("make a folder", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return storage("look at a folder", err)
	}
	if !info.IsDir() || !ownedByUs(info) {
		return storage("use a folder", &fs.PathError{Op: "check", Path: dir, Err: errNotOurs})
	}
	if info.Mode().Perm() != dirMode {
		if err := os.Chmod(dir, dirMode); err != nil {
			return storage("make a folder private", err)
		}
	}
	return nil
}

var errNotOurs = errors.New("not a folder that belongs to this user")

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
