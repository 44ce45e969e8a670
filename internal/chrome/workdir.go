package chrome

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// workdir is the folder that one browser has for its life: its TMPDIR and, unless it has a named profile, its profile.
// The lock beside it is held by the owner process; a folder whose lock is free is a leftover. The folder's name is
// also the marker in the environment of the browser's processes.
type workdir struct {
	id    string
	state string // the state root
	lock  *flock.Flock
}

const lockSuffix = ".lock"

// newID returns ten letters and digits, 50 bits of chance: short, because it stands in socket paths.
func newID() string {
	var raw [7]byte
	rand.Read(raw[:]) //nolint:errcheck // never fails: the runtime ends the program instead
	return strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))[:10]
}

// newWorkdir takes the lock before it makes the folder, so that no sweep ever sees a folder without owner.
func newWorkdir(state string) (*workdir, error) {
	parent := filepath.Join(state, browsersDir)
	if err := privateDir(state); err != nil {
		return nil, err
	}
	if err := privateDir(parent); err != nil {
		return nil, err
	}
	for range 8 {
		w := &workdir{id: newID(), state: state}
		w.lock = flock.New(w.path()+lockSuffix, flock.SetPermissions(fileMode))
		held, err := holdNew(w.lock)
		if err != nil {
			return nil, storage("lock a browser's folder", err)
		}
		if !held {
			continue
		}
		if err := w.fill(); err != nil {
			return nil, errors.Join(err, w.remove())
		}
		return w, nil
	}
	return nil, storage("find a free name for a browser's folder", fs.ErrExist)
}

// holdNew takes a lock whose file a sweep may have removed between our open and our lock: then what we hold is no
// longer what stands at the path, and does not count.
func holdNew(lock *flock.Flock) (bool, error) {
	held, err := lock.TryLock()
	if err != nil || !held {
		return false, err
	}
	mine, err := lock.Stat()
	if err == nil {
		var now fs.FileInfo
		if now, err = os.Lstat(lock.Path()); err == nil && os.SameFile(mine, now) {
			return true, nil
		}
	}
	lock.Close()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return false, err
}

func (w *workdir) fill() error {
	for _, dir := range []string{w.path(), w.profile(), w.temp()} {
		if err := os.Mkdir(dir, dirMode); err != nil {
			return storage("make a browser's folder", err)
		}
	}
	return nil
}

func (w *workdir) path() string    { return filepath.Join(w.state, browsersDir, w.id) }
func (w *workdir) profile() string { return filepath.Join(w.path(), "p") }

// socketRoom is the longest TMPDIR that Chrome can use: a Unix socket's path holds 103 bytes on macOS and 107 on Linux,
// and Chrome puts "/org.chromium.Chromium.XXXXXX/SingletonSocket" behind the directory, symbolic links resolved. With a
// longer one it aborts.
const socketRoom = 103 - 45

// sharedTemp holds the TMPDIR of a browser whose own folder is too deep, under a name made of its id: remove and Sweep
// find it again.
const sharedTemp = "/tmp"

func (w *workdir) shortName() string { return "glass-" + w.id }

// temp is the browser's TMPDIR.
func (w *workdir) temp() string {
	if dir := filepath.Join(w.path(), "t"); len(dir) <= socketRoom {
		return dir
	}
	return filepath.Join(sharedTemp, w.shortName())
}

// environment keeps the browser's files inside the folder: temporary ones, crash dumps, and for a browser without
// windows the desktop's settings, which it would else write below HOME.
func (w *workdir) environment(headed bool) []string {
	out := []string{
		markerVariable + "=" + w.id,
		"TMPDIR=" + w.temp(),
		"PWD=" + w.path(),
		"BREAKPAD_DUMP_LOCATION=" + w.path(),
	}
	if !headed {
		out = append(out, "GSETTINGS_BACKEND=memory")
	}
	return out
}

// remove deletes the folder and then gives the lock up, its file included.
func (w *workdir) remove() error {
	err := errors.Join(removeBrowserDir(sharedTemp, w.shortName()),
		removeBrowserDir(filepath.Join(w.state, browsersDir), w.id))
	if err != nil {
		err = storage("remove a browser's folder", err)
	} else if e := os.Remove(w.lock.Path()); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = storage("remove a lock file", e)
	}
	w.lock.Close()
	return err
}

// removeBrowserDir removes one folder below parent. It works inside an opened root, so that no symbolic link leads the
// removal elsewhere, and only on a real folder of ours.
func removeBrowserDir(parent, id string) error {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Lstat(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByUs(info) {
		return &fs.PathError{Op: "remove", Path: filepath.Join(parent, id), Err: errNotOurs}
	}
	return root.RemoveAll(id)
}
