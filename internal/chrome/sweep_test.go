package chrome

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
)

func TestSweepTakesOnlyWhatHasNoOwner(t *testing.T) {
	folders := &Folders{State: t.TempDir(), Data: t.TempDir()}
	parent := filepath.Join(folders.State, browsersDir)
	owned, err := newWorkdir(folders.State)
	if err != nil {
		t.Fatal(err)
	}
	defer owned.remove()
	outside := filepath.Join(t.TempDir(), "precious")
	mustDo(t,
		os.WriteFile(outside, []byte("x"), 0o600),
		os.MkdirAll(filepath.Join(parent, "leftovera2", "p", "Default"), 0o700),
		os.WriteFile(filepath.Join(parent, "leftovera2"+lockSuffix), nil, 0o600),
		os.Symlink(outside, filepath.Join(parent, "leftovera2", "p", "link")),
		os.Mkdir(filepath.Join(parent, "nolockfile"), 0o700),
		os.WriteFile(filepath.Join(parent, "lockonlya2"+lockSuffix), nil, 0o600),
		os.Symlink(filepath.Dir(outside), filepath.Join(parent, "symlinka22")),
		os.Mkdir(filepath.Join(parent, "Not-An-Id"), 0o700),
		os.WriteFile(filepath.Join(parent, "filenamea2"), nil, 0o600),
	)
	if n, err := Sweep(testContext(t), folders); n != 2 || err != nil {
		t.Errorf("removed %d, %v; want the folder with a free lock and the one without", n, err)
	}
	want := map[string]bool{owned.id: true, owned.id + lockSuffix: true, "symlinka22": true, "Not-An-Id": true, "filenamea2": true}
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !want[entry.Name()] {
			t.Errorf("left: %s", entry.Name())
		}
		delete(want, entry.Name())
	}
	if len(want) != 0 {
		t.Errorf("gone: %v", want)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("a link was followed: %v", err)
	}
}

// A process that carries the marker of a dead owner's browser is ended, even when it is in a session of its own.
func TestSweepEndsWhatStillRuns(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("environments of other processes cannot be read here")
	}
	folders := &Folders{State: t.TempDir(), Data: t.TempDir()}
	const id = "strayproca"
	mustDo(t, os.MkdirAll(filepath.Join(folders.State, browsersDir, id), 0o700))
	stray := exec.Command("sleep", "600")
	stray.Env = []string{"PATH=" + os.Getenv("PATH"), markerVariable + "=" + id}
	stray.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	mustDo(t, stray.Start())
	ended := make(chan error, 1)
	go func() { ended <- stray.Wait() }()
	if n, err := Sweep(testContext(t), folders); n != 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	select {
	case <-ended:
	case <-testContext(t).Done():
		t.Error("the stray process lives")
		stray.Process.Kill()
		<-ended
	}
}

// Between an owner's open and its lock a sweep may remove the lock file: the owner must not take the removed one for
// its own.
func TestLockOnARemovedFileDoesNotCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x"+lockSuffix)
	lock := flock.New(path)
	if held, err := lock.TryLock(); !held || err != nil {
		t.Fatal(held, err)
	}
	mustDo(t, os.Remove(path), os.WriteFile(path, nil, 0o600))
	if held, err := holdNew(lock); held || err != nil {
		t.Errorf("held %v, %v", held, err)
	}
}

func TestFoldersArePrivate(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	mustDo(t, os.Mkdir(state, 0o755), os.Chmod(state, 0o755))
	w, err := newWorkdir(state)
	if err != nil {
		t.Fatal(err)
	}
	defer w.remove()
	for _, dir := range []string{state, filepath.Dir(w.path()), w.path(), w.profile(), w.temp()} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	mustDo(t, os.Symlink(state, link))
	var e *Error
	if err := privateDir(link); !errors.As(err, &e) || e.Kind != Storage {
		t.Errorf("a symbolic link was taken for our folder: %v", err)
	}
}

func mustDo(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
