package chrome

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gofrs/flock"
)

// Bounds of an archive. A Chrome for Testing zip has 160 to 200 MB with about 400 files, 600 MB unpacked.
const (
	maxArchive  = 1 << 30 // bytes
	maxUnpacked = 4 << 30 // bytes
	maxEntries  = 20_000
)

// Names below the builds folder while an install runs.
const (
	unpackPrefix   = "new-"
	downloadPrefix = "download-"
	installLock    = "install.lock"
)

// InstallOptions says what to install. The zero value, and nil, install the pinned build.
type InstallOptions struct {
	// From is a zip archive: a file, or an http or https address. Empty means the pinned build.
	From string
	// SHA256 is the archive's checksum in hexadecimal. Optional, except for an address without encryption that is
	// not on this machine.
	SHA256 string
	// Folders says where to; nil means the defaults.
	Folders *Folders
	// Progress is told how many bytes have come of how many (-1: unknown). It may be nil.
	Progress func(done, total int64)
}

// source is an archive with what is known of it.
type source struct {
	from   string
	sha256 string // "" when nothing is known
	size   int64  // 0 when nothing is known
}

// Install puts a browser in place for [Find] (browser.md §1): the archive is checked, unpacked beside the build in use,
// and then takes its place in one step. When anything fails the old build stays.
func Install(ctx context.Context, options *InstallOptions) (Executable, error) {
	return install(ctx, options, pins)
}

func install(ctx context.Context, options *InstallOptions, pins []Pin) (Executable, error) {
	var o InstallOptions
	if options != nil {
		o = *options
	}
	from, err := o.source(pins)
	if err != nil {
		return Executable{}, err
	}
	f, err := o.Folders.resolve()
	if err != nil {
		return Executable{}, err
	}
	builds := filepath.Join(f.Data, buildsDir)
	if err := errors.Join(privateDir(f.Data), privateDir(builds)); err != nil {
		return Executable{}, err
	}
	lock := flock.New(filepath.Join(builds, installLock), flock.SetPermissions(fileMode))
	held, err := lock.TryLock()
	if err != nil {
		return Executable{}, storage("lock the installed browsers", err)
	}
	if !held {
		return Executable{}, errorf(InUse, "wait for it to end", "cannot install: another install is under way")
	}
	defer lock.Close()
	current, _ := readRecord(f.Data)
	removeOldBuilds(f, current.Build)
	now, err := installFrom(ctx, f, from, o.Progress)
	if err != nil {
		removeOldBuilds(f, current.Build)
		return Executable{}, err
	}
	removeOldBuilds(f, now.Build)
	return Executable{now.path(f.Data), SourceInstalled}, nil
}

var sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (o InstallOptions) source(pins []Pin) (source, error) {
	sum := strings.ToLower(strings.TrimSpace(o.SHA256))
	if sum != "" && !sha256Pattern.MatchString(sum) {
		return source{}, errorf(Invalid, "name it as 64 hexadecimal digits",
			"cannot read %q as a SHA-256", cutFlag(o.SHA256))
	}
	if o.From != "" {
		return source{from: o.From, sha256: sum}, nil
	}
	pin, ok := pinFor(pins, platform())
	if !ok {
		return source{}, errorf(Unpinned,
			"download a Chrome for Testing zip and run `glass install-chromium --from FILE|URL --sha256 SUM`, "+
				"or install Chrome or Chromium with the system's packages",
			"this build of Glass carries no verified pin for %s", platform())
	}
	if sum != "" && sum != pin.SHA256 {
		return source{}, errorf(Checksum, "leave --sha256 out, or name the archive with --from",
			"the pinned build has another SHA-256 than the one named")
	}
	return source{from: pin.URL, sha256: pin.SHA256, size: pin.Size}, nil
}

func installFrom(ctx context.Context, f Folders, from source, progress func(done, total int64)) (record, error) {
	builds := filepath.Join(f.Data, buildsDir)
	archive, err := from.open(ctx, builds, progress)
	if err != nil {
		return record{}, err
	}
	defer archive.close()
	sum, size, err := archive.hash(ctx)
	if err != nil {
		return record{}, err
	}
	if from.size != 0 && size != from.size || from.sha256 != "" && hex.EncodeToString(sum) != from.sha256 {
		return record{}, errorf(Checksum, "fetch the archive again, or check where it comes from",
			"the archive is not the one asked for: it has %d bytes and the SHA-256 %x", size, sum)
	}
	build := newID()
	unpacking := unpackPrefix + build
	if err := os.Mkdir(filepath.Join(builds, unpacking), dirMode); err != nil {
		return record{}, storage("make a folder", err)
	}
	executable, err := unpack(ctx, archive.file, size, filepath.Join(builds, unpacking))
	if err != nil {
		return record{}, err
	}
	if err := os.Rename(filepath.Join(builds, unpacking), filepath.Join(builds, build)); err != nil {
		return record{}, storage("put the browser in place", err)
	}
	r := record{Build: build, Executable: executable, Source: from.from, SHA256: hex.EncodeToString(sum)}
	return r, writeRecord(f.Data, r)
}

// contextReader ends a copy when its context does.
type contextReader struct {
	err func() error
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

func tooLarge(limit int64) error {
	return errorf(Archive, "name a zip of Chrome or Chromium", "the archive is too large: more than %s", megabytes(limit))
}

func megabytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
