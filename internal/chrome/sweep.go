package chrome

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gofrs/flock"
)

var idPattern = regexp.MustCompile(`^[a-z2-7]{10}$`)

func isID(name string) bool { return idPattern.MatchString(name) }

// Sweep removes the folders that browsers of dead owners left and returns how many. A folder whose lock is held, that
// is not ours, or that is a symbolic link is left alone. Processes of such a browser that still run are ended first:
// a folder removed under a living Chrome would come back.
func Sweep(ctx context.Context, folders *Folders) (int, error) {
	f, err := folders.resolve()
	if err != nil {
		return 0, err
	}
	names, err := leftoverNames(f.State)
	if err != nil {
		return 0, err
	}
	removed := 0
	var errs []error
	for _, id := range names {
		if err := ctx.Err(); err != nil {
			return removed, errors.Join(append(errs, err)...)
		}
		done, err := sweepOne(ctx, f.State, id)
		errs = append(errs, err)
		if done {
			removed++
		}
	}
	return removed, errors.Join(errs...)
}

// leftoverNames lists the ids of which a folder or a lock file is there. Those in use are among them.
func leftoverNames(state string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(state, browsersDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, storage("look for leftovers", err)
	}
	var out []string
	seen := map[string]bool{}
	for _, entry := range entries {
		id := strings.TrimSuffix(entry.Name(), lockSuffix)
		if isID(id) && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out, nil
}

// sweepOne reports whether it removed something.
func sweepOne(ctx context.Context, state, id string) (bool, error) {
	w := &workdir{id: id, state: state}
	info, err := os.Lstat(w.path())
	there := err == nil
	if there && (!info.IsDir() || !ownedByUs(info)) {
		return false, nil
	}
	// An owner takes the lock before it makes the folder, so a free lock is proof that the owner is dead.
	w.lock = flock.New(w.path()+lockSuffix, flock.SetPermissions(fileMode))
	held, err := holdNew(w.lock)
	if err != nil {
		return false, storage("lock a leftover", err)
	}
	if !held {
		return false, nil
	}
	if err := awaitTree(ctx, 0, id, treeGrace); err != nil {
		w.lock.Close()
		return false, err
	}
	return there, w.remove()
}

// isLeftover reports whether a folder has no owner, without changing anything.
func isLeftover(state, id string) bool {
	w := &workdir{id: id, state: state}
	if info, err := os.Lstat(w.path()); err != nil || !info.IsDir() || !ownedByUs(info) {
		return false
	}
	lock := flock.New(w.path()+lockSuffix, flock.SetFlag(os.O_RDONLY))
	held, err := lock.TryRLock()
	if held {
		lock.Close()
	}
	return held || errors.Is(err, fs.ErrNotExist)
}
