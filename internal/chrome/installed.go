package chrome

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
)

// installedFile names the build in use. It is replaced as a whole, so that a reader sees the old build or the new one.
const installedFile = "installed.json"

// maxInstalledFile bounds what is read of it, in bytes.
const maxInstalledFile = 64 << 10

// record is the content of installedFile.
type record struct {
	Build      string `json:"build"`      // the folder
	Executable string `json:"executable"` // inside it, with slashes
	Source     string `json:"source"`     // what it was installed from
	SHA256     string `json:"sha256"`     // of the archive
}

func readRecord(data string) (record, bool) {
	var r record
	path := filepath.Join(data, buildsDir, installedFile)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxInstalledFile {
		return r, false
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &r) != nil {
		return r, false
	}
	return r, isID(r.Build) && filepath.IsLocal(filepath.FromSlash(r.Executable))
}

func writeRecord(data string, r record) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = renameio.WriteFile(filepath.Join(data, buildsDir, installedFile), append(text, '\n'), fileMode)
	}
	if err != nil {
		return storage("record the installed browser", err)
	}
	return nil
}

func (r record) path(data string) string {
	return filepath.Join(data, buildsDir, r.Build, filepath.FromSlash(r.Executable))
}

// installed returns the build that [Install] put in place.
func installed(folders *Folders) (string, bool) {
	f, err := folders.resolve()
	if err != nil {
		return "", false
	}
	r, ok := readRecord(f.Data)
	if !ok {
		return "", false
	}
	path := r.path(f.Data)
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o100 != 0
}

// holdBuild marks an installed build as in use, so that an install does not remove it under a running browser.
func holdBuild(f Folders, executable string) (*flock.Flock, error) {
	inside, err := filepath.Rel(filepath.Join(f.Data, buildsDir), executable)
	if err != nil {
		return nil, storage("find the installed browser", err)
	}
	build, _, _ := strings.Cut(inside, string(filepath.Separator))
	lock := buildLock(f, build)
	held, err := lock.TryRLock()
	if err == nil && !held {
		err = errors.New("it is being removed")
	}
	if err != nil {
		return nil, storage("use the installed browser", err)
	}
	return lock, nil
}

func buildLock(f Folders, build string) *flock.Flock {
	return flock.New(filepath.Join(f.Data, buildsDir, build+lockSuffix), flock.SetPermissions(fileMode))
}

// removeOldBuilds removes every build but keep that no browser runs from, and what cut-short installs left. The caller
// holds the install lock. What cannot be removed now is tried again at the next install.
func removeOldBuilds(f Folders, keep string) {
	parent := filepath.Join(f.Data, buildsDir)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if build, ok := strings.CutPrefix(name, unpackPrefix); ok && isID(build) {
			removeBrowserDir(parent, name) //nolint:errcheck // see above
			continue
		}
		if _, ok := strings.CutPrefix(name, downloadPrefix); ok && entry.Type().IsRegular() {
			os.Remove(filepath.Join(parent, name)) //nolint:errcheck // see above
			continue
		}
		if isID(name) && name != keep {
			removeBuild(f, name)
		}
	}
}

func removeBuild(f Folders, build string) {
	lock := buildLock(f, build)
	held, err := lock.TryLock()
	if err != nil || !held {
		return
	}
	defer lock.Close()
	if err := removeBrowserDir(filepath.Join(f.Data, buildsDir), build); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	os.Remove(lock.Path()) //nolint:errcheck // an empty lock file does no harm
}
