package chrome

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// profileName is a strict token: it becomes a folder's name, and must never be read as an option or a path.
var profileName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$`)

func checkProfileName(name string) error {
	if !profileName.MatchString(name) {
		return errorf(Invalid, "use 1 to 64 letters, digits, dots, dashes and underscores, with no dot or dash in front",
			"cannot use %q as a profile name", cutFlag(name))
	}
	return nil
}

// Profile is a persistent profile on disk.
type Profile struct {
	Name  string
	Dir   string
	InUse bool
}

// ListProfiles returns the persistent profiles by name.
func ListProfiles(ctx context.Context, folders *Folders) ([]Profile, error) {
	f, err := folders.resolve()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(f.Data, profilesDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, storage("list profiles", err)
	}
	var out []Profile
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !entry.IsDir() || checkProfileName(entry.Name()) != nil {
			continue
		}
		profile := Profile{Name: entry.Name(), Dir: filepath.Join(f.Data, profilesDir, entry.Name())}
		lock, err := lockProfile(ctx, f, entry.Name(), 0)
		profile.InUse = lock == nil
		var known *Error
		if err != nil && !(errors.As(err, &known) && known.Kind == InUse) {
			return nil, err
		}
		if lock != nil {
			lock.Close()
		}
		out = append(out, profile)
	}
	slices.SortFunc(out, func(a, b Profile) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// CreateProfile makes an empty persistent profile. A launch that names a missing one makes it too.
func CreateProfile(ctx context.Context, name string, folders *Folders) (Profile, error) {
	if err := errors.Join(ctx.Err(), checkProfileName(name)); err != nil {
		return Profile{}, err
	}
	f, err := folders.resolve()
	if err != nil {
		return Profile{}, err
	}
	if err := makeProfileDirs(f); err != nil {
		return Profile{}, err
	}
	dir := filepath.Join(f.Data, profilesDir, name)
	if err := os.Mkdir(dir, dirMode); errors.Is(err, fs.ErrExist) {
		return Profile{}, errorf(Exists, "choose another name, or delete it first",
			"cannot create profile %q: it exists", name)
	} else if err != nil {
		return Profile{}, storage("create a profile", err)
	}
	return Profile{Name: name, Dir: dir}, nil
}

// DeleteProfile removes a persistent profile with all that it holds. It refuses while a browser has it.
func DeleteProfile(ctx context.Context, name string, folders *Folders) error {
	if err := errors.Join(ctx.Err(), checkProfileName(name)); err != nil {
		return err
	}
	f, err := folders.resolve()
	if err != nil {
		return err
	}
	parent := filepath.Join(f.Data, profilesDir)
	if _, err := os.Lstat(filepath.Join(parent, name)); errors.Is(err, fs.ErrNotExist) {
		return errorf(NotFound, "`glass profiles list` shows those there are", "cannot find profile %q", name)
	}
	held, err := holdProfile(ctx, f, name, "")
	if err != nil {
		return err
	}
	defer held.release()
	if err := removeBrowserDir(parent, name); err != nil {
		return storage("delete a profile", err)
	}
	return nil
}

func makeProfileDirs(f Folders) error {
	for _, dir := range []string{f.Data, filepath.Join(f.Data, profilesDir), filepath.Join(f.Data, locksDir)} {
		if err := privateDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// lockWait is how long an owner-to-be waits for a lock: a listing in another process holds each one for a moment.
const (
	lockWait = 250 * time.Millisecond
	lockPoll = 10 * time.Millisecond
)

// lockProfile takes the lock of a profile. Lock files stand in a folder of their own and are never removed, so that a
// lock always means the same file.
func lockProfile(ctx context.Context, f Folders, name string, wait time.Duration) (*flock.Flock, error) {
	if err := makeProfileDirs(f); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(f.Data, locksDir, name+lockSuffix), flock.SetPermissions(fileMode))
	held, err := lock.TryLock()
	if err == nil && !held && wait > 0 {
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if held, err = lock.TryLockContext(waiting, lockPoll); waiting.Err() != nil && ctx.Err() == nil {
			err = nil
		}
	}
	if err != nil {
		return nil, storage("lock a profile", err)
	}
	if !held {
		return nil, errorf(InUse, "close the browser that has it, or use another profile",
			"cannot use profile %q: it is in use", name)
	}
	return lock, nil
}

// heldProfile is a persistent profile whose lock we hold.
type heldProfile struct {
	dir  string
	lock *flock.Flock
}

func (h *heldProfile) release() { h.lock.Close() }

// holdProfile takes a profile for the browser with this id ("": for no browser) and makes it ready: what a killed owner
// left running is ended first, and Chrome's own lock, which may name a process of another boot or container, is
// removed.
func holdProfile(ctx context.Context, f Folders, name, id string) (*heldProfile, error) {
	lock, err := lockProfile(ctx, f, name, lockWait)
	if err != nil {
		return nil, err
	}
	h := &heldProfile{dir: filepath.Join(f.Data, profilesDir, name), lock: lock}
	if err := h.takeOver(ctx, id); err != nil {
		h.release()
		return nil, err
	}
	return h, nil
}

func (h *heldProfile) takeOver(ctx context.Context, id string) error {
	before, err := os.ReadFile(h.lock.Path())
	if err != nil {
		return storage("read a profile's lock", err)
	}
	if isID(string(before)) {
		if err := awaitTree(ctx, 0, string(before), treeGrace); err != nil {
			return err
		}
	}
	if err := os.WriteFile(h.lock.Path(), []byte(id), fileMode); err != nil {
		return storage("write a profile's lock", err)
	}
	if id == "" {
		return nil
	}
	if err := privateDir(h.dir); err != nil {
		return err
	}
	for _, name := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		if err := os.Remove(filepath.Join(h.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storage("remove a stale lock of Chrome's", err)
		}
	}
	return nil
}
