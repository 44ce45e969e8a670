package chrome

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxLink bounds a symbolic link's target, in bytes.
const maxLink = 1024

// unpack writes a zip archive below dir and returns the browser's executable in it, with slashes. Everything goes
// through an opened root: no name and no link leads out of dir. Owners and set-id bits of the archive mean nothing
// here.
func unpack(ctx context.Context, archive io.ReaderAt, size int64, dir string) (string, error) {
	reader, err := zip.NewReader(archive, size)
	if err != nil {
		return "", broken(err)
	}
	if len(reader.File) > maxEntries {
		return "", errorf(Archive, "name a zip of Chrome or Chromium", "the archive has %d entries, more than %d",
			len(reader.File), maxEntries)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", storage("unpack the archive", err)
	}
	defer root.Close()
	u := &unpacker{root: root, left: maxUnpacked}
	for _, entry := range reader.File {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if err := u.entry(ctx, entry); err != nil {
			return "", err
		}
	}
	return findExecutable(u.programs)
}

func broken(err error) error {
	return &Error{Kind: Archive, Message: "cannot unpack the archive", Err: err, Hint: "name a zip of Chrome or Chromium"}
}

func escapes(name string) error {
	return errorf(Archive, "do not use this archive", "the archive tries to leave its folder: %q", cutFlag(name))
}

type unpacker struct {
	root     *os.Root
	left     int64    // bytes that may still be written
	programs []string // executable files
}

func (u *unpacker) entry(ctx context.Context, entry *zip.File) error {
	name := strings.TrimSuffix(entry.Name, "/")
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\x00") {
		return escapes(entry.Name)
	}
	name = path.Clean(name)
	mode := entry.Mode()
	if mode.IsDir() {
		return u.failed(u.root.MkdirAll(name, dirMode), name)
	}
	if err := u.root.MkdirAll(path.Dir(name), dirMode); err != nil {
		return u.failed(err, name)
	}
	switch mode.Type() {
	case 0:
		return u.file(ctx, entry, name)
	case fs.ModeSymlink:
		return u.link(entry, name)
	}
	return errorf(Archive, "do not use this archive", "the archive holds a special file: %q", cutFlag(name))
}

func (u *unpacker) file(ctx context.Context, entry *zip.File, name string) error {
	from, err := entry.Open()
	if err != nil {
		return broken(err)
	}
	defer from.Close()
	perm := fileMode | entry.Mode().Perm()&0o111
	// O_EXCL: an entry given twice, or one that another entry's link leads to, is refused.
	to, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return u.failed(err, name)
	}
	n, err := io.Copy(to, io.LimitReader(contextReader{ctx.Err, from}, u.left+1))
	err = errors.Join(err, to.Close())
	u.left -= n
	switch {
	case u.left < 0:
		return tooLarge(maxUnpacked)
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return broken(err)
	}
	if perm&0o100 != 0 {
		u.programs = append(u.programs, name)
	}
	return nil
}

// link makes a symbolic link, as the app bundles of macOS hold them, whose target lies inside the archive.
func (u *unpacker) link(entry *zip.File, name string) error {
	from, err := entry.Open()
	if err != nil {
		return broken(err)
	}
	defer from.Close()
	target, err := io.ReadAll(io.LimitReader(from, maxLink+1))
	if err != nil {
		return broken(err)
	}
	to := string(target)
	if len(to) > maxLink || path.IsAbs(to) || !filepath.IsLocal(path.Join(path.Dir(name), to)) {
		return escapes(name + " -> " + to)
	}
	return u.failed(u.root.Symlink(to, name), name)
}

// failed tells an archive that misbehaves from a disk that does.
func (u *unpacker) failed(err error, name string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return errorf(Archive, "do not use this archive", "the archive holds %q twice", cutFlag(name))
	case strings.Contains(err.Error(), "escapes from parent"): // os.Root has no error value for it
		return escapes(name)
	}
	return storage("unpack the archive", err)
}

// executableNames are the programs looked for, best first. The headless shell is none of them: it is no full browser.
var executableNames = []string{
	"chrome",
	"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
	"Google Chrome.app/Contents/MacOS/Google Chrome",
	"Chromium.app/Contents/MacOS/Chromium",
	"chromium",
}

// findExecutable picks the browser among the executable files of an archive: the one that lies least deep.
func findExecutable(programs []string) (string, error) {
	slices.SortStableFunc(programs, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	for _, wanted := range executableNames {
		for _, program := range programs {
			if program == wanted || strings.HasSuffix(program, "/"+wanted) {
				return program, nil
			}
		}
	}
	return "", errorf(Archive, "name a zip of Chrome or Chromium, not of the headless shell",
		"the archive holds no executable of Chrome or Chromium")
}
