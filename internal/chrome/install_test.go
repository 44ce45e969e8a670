package chrome

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// zipEntry is one entry of a test archive.
type zipEntry struct {
	name, content string
	mode          fs.FileMode
}

func zipOf(t testing.TB, entries ...zipEntry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, entry := range entries {
		header := &zip.FileHeader{Name: entry.name, Method: zip.Deflate}
		header.SetMode(entry.mode)
		to, err := w.CreateHeader(header)
		if err == nil {
			_, err = to.Write([]byte(entry.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fakeBrowser is an archive of Chrome for Testing's shape whose program says its version and nothing else.
func fakeBrowser(t testing.TB, version string) []byte {
	return zipOf(t,
		zipEntry{"chrome-linux64/", "", fs.ModeDir | 0o755},
		zipEntry{"chrome-linux64/ABOUT", "fake", 0o644},
		zipEntry{"chrome-linux64/locales/en-US.pak", "x", 0o600},
		zipEntry{"chrome-linux64/chrome", "#!/bin/sh\necho 'Fake Chrome " + version + "'\n", 0o755},
		zipEntry{"chrome-linux64/link", "locales", fs.ModeSymlink | 0o777},
	)
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// serve answers every request with the archive, cut after some bytes when cut is not zero.
func serve(t *testing.T, archive []byte, cut int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(archive)))
		if cut == 0 {
			cut = len(archive)
		}
		w.Write(archive[:cut])
	}))
	t.Cleanup(server.Close)
	return server.URL + "/chrome.zip"
}

func TestInstallReplacesTheBuild(t *testing.T) {
	ctx, folders := testContext(t), &Folders{State: t.TempDir(), Data: t.TempDir()}
	first := fakeBrowser(t, "1.0")
	file := filepath.Join(t.TempDir(), "chrome.zip")
	mustDo(t, os.WriteFile(file, first, 0o600))
	var told int64
	for _, step := range []struct{ version, from string }{
		{"1.0", file},
		{"2.0", serve(t, fakeBrowser(t, "2.0"), 0)},
	} {
		got, err := Install(ctx, &InstallOptions{From: step.from, Folders: folders, Progress: func(done, _ int64) { told = done }})
		if err != nil {
			t.Fatal(err)
		}
		found, err := Find(ctx, "", folders)
		if err != nil || found != got || got.Source != SourceInstalled {
			t.Errorf("found %v, %v; installed %v", found, err, got)
		}
		if version, err := Version(ctx, found.Path); version != "Fake Chrome "+step.version || err != nil {
			t.Errorf("version %q, %v", version, err)
		}
	}
	if told == 0 {
		t.Error("no progress was told")
	}
	if builds := buildsLeft(t, folders); len(builds) != 1 {
		t.Errorf("builds left: %v", builds)
	}
}

func buildsLeft(t *testing.T, folders *Folders) (builds []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(folders.Data, buildsDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != installedFile && !strings.HasSuffix(name, lockSuffix) {
			builds = append(builds, name)
		}
	}
	return builds
}

func TestInstallKeepsABuildThatIsInUse(t *testing.T) {
	ctx, folders := testContext(t), &Folders{State: t.TempDir(), Data: t.TempDir()}
	old, err := Install(ctx, &InstallOptions{From: serve(t, fakeBrowser(t, "1.0"), 0), Folders: folders})
	if err != nil {
		t.Fatal(err)
	}
	held, err := holdBuild(*folders, old.Path)
	if err != nil {
		t.Fatal(err)
	}
	install := func() {
		if _, err := Install(ctx, &InstallOptions{From: serve(t, fakeBrowser(t, "2.0"), 0), Folders: folders}); err != nil {
			t.Fatal(err)
		}
	}
	install()
	if _, err := os.Stat(old.Path); err != nil {
		t.Errorf("the build in use was removed: %v", err)
	}
	held.Close()
	install()
	if builds := buildsLeft(t, folders); len(builds) != 1 {
		t.Errorf("builds left: %v", builds)
	}
}

func TestInstallRefuses(t *testing.T) {
	good := fakeBrowser(t, "2.0")
	program := zipEntry{"chrome-linux64/chrome", "x", 0o755}
	tests := []struct {
		name    string
		archive []byte
		cut     int
		sha256  string
		want    Kind
	}{
		{"a download that is cut", good, len(good) / 2, "", Archive},
		{"another checksum", good, 0, sum([]byte("x")), Checksum},
		{"a checksum that is none", good, 0, "abc", Invalid},
		{"no zip", []byte("<html>"), 0, "", Archive},
		{"no browser in it", zipOf(t, zipEntry{"readme", "x", 0o644}), 0, "", Archive},
		{"the headless shell", zipOf(t, zipEntry{"chrome-headless-shell", "x", 0o755}), 0, "", Archive},
		{"a name that climbs", zipOf(t, program, zipEntry{"../escaped", "x", 0o644}), 0, "", Archive},
		{"an absolute name", zipOf(t, program, zipEntry{"/tmp/escaped", "x", 0o644}), 0, "", Archive},
		{"a name with a backslash", zipOf(t, program, zipEntry{`..\escaped`, "x", 0o644}), 0, "", Archive},
		{"a link that climbs", zipOf(t, program, zipEntry{"up", "../..", fs.ModeSymlink | 0o777}), 0, "", Archive},
		{"an absolute link", zipOf(t, program, zipEntry{"up", "/etc", fs.ModeSymlink | 0o777}), 0, "", Archive},
		{"links that climb together", zipOf(t, program, zipEntry{"a/b/c", "../..", fs.ModeSymlink | 0o777},
			zipEntry{"a/b/d", "c/../..", fs.ModeSymlink | 0o777}, zipEntry{"a/b/d/escaped", "x", 0o644}), 0, "", Archive},
		{"a file over a link", zipOf(t, program, zipEntry{"l", "chrome-linux64/chrome", fs.ModeSymlink | 0o777},
			zipEntry{"l", "x", 0o755}), 0, "", Archive},
		{"an entry given twice", zipOf(t, program, program), 0, "", Archive},
		{"a device", zipOf(t, program, zipEntry{"dev", "", fs.ModeDevice | 0o666}), 0, "", Archive},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, folders := testContext(t), &Folders{State: t.TempDir(), Data: t.TempDir()}
			old, err := Install(ctx, &InstallOptions{From: serve(t, fakeBrowser(t, "1.0"), 0), Folders: folders})
			if err != nil {
				t.Fatal(err)
			}
			o := &InstallOptions{From: serve(t, tt.archive, tt.cut), SHA256: tt.sha256, Folders: folders}
			if _, err := Install(ctx, o); kindOf(err) != tt.want {
				t.Errorf("got %v, want kind %s", err, tt.want)
			}
			if found, err := Find(ctx, "", folders); found != old || err != nil {
				t.Errorf("the old build is gone: %v, %v", found, err)
			}
			if builds := buildsLeft(t, folders); len(builds) != 1 {
				t.Errorf("left: %v", builds)
			}
			if _, err := os.Lstat(filepath.Join(folders.Data, "escaped")); err == nil {
				t.Error("a file escaped")
			}
		})
	}
}

func TestUnpackedSizeIsLimited(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	archive := zipOf(t, zipEntry{"bomb", strings.Repeat("0", 1<<20), 0o644})
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	u := &unpacker{root: root, left: 1000}
	if err := u.entry(t.Context(), reader.File[0]); kindOf(err) != Archive {
		t.Errorf("got %v", err)
	}
	if info, err := root.Stat("bomb"); err != nil || info.Size() > 1001 {
		t.Errorf("written: %v, %v", info.Size(), err)
	}
}

func TestDownloadThatAnnouncesTooMuchIsRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(int64(maxArchive)+1))
		w.WriteHeader(http.StatusOK)
	}))
	defer server.Close()
	o := &InstallOptions{From: server.URL, Folders: &Folders{State: t.TempDir(), Data: t.TempDir()}}
	if _, err := Install(testContext(t), o); kindOf(err) != Archive || !strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}

func TestCancelledDownloadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(testContext(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("PK"))
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	folders := &Folders{State: t.TempDir(), Data: t.TempDir()}
	if _, err := Install(ctx, &InstallOptions{From: server.URL, Folders: folders}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if builds := buildsLeft(t, folders); len(builds) != 0 {
		t.Errorf("left: %v", builds)
	}
}

func TestPinnedInstall(t *testing.T) {
	archive := fakeBrowser(t, "3.0")
	pin := func(size int64, sum string) []Pin {
		return []Pin{{Version: "3.0", Platform: platform(), URL: serve(t, archive, 0), Size: size, SHA256: sum}}
	}
	tests := []struct {
		name string
		pins []Pin
		sum  string // named by the caller
		want Kind   // "" for success
	}{
		{"as pinned", pin(int64(len(archive)), sum(archive)), "", ""},
		{"another size", pin(int64(len(archive))+1, sum(archive)), "", Checksum},
		{"another content", pin(int64(len(archive)), sum(nil)), "", Checksum},
		{"another sum named", pin(int64(len(archive)), sum(archive)), sum(nil), Checksum},
		{"no pin for the platform", []Pin{{Platform: "plan9/mips"}}, "", Unpinned},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &InstallOptions{SHA256: tt.sum, Folders: &Folders{State: t.TempDir(), Data: t.TempDir()}}
			if _, err := install(testContext(t), o, tt.pins); kindOf(err) != tt.want || tt.want == "" && err != nil {
				t.Errorf("got %v, want kind %q", err, tt.want)
			}
		})
	}
}

func TestPinsAreComplete(t *testing.T) {
	for _, pin := range pins {
		if pin.Version == "" || !strings.HasPrefix(pin.URL, "https://") || pin.Size <= 0 || !sha256Pattern.MatchString(pin.SHA256) {
			t.Errorf("incomplete pin: %+v", pin)
		}
	}
	if _, ok := Pinned(); ok {
		return
	}
	_, err := Install(testContext(t), &InstallOptions{Folders: &Folders{State: t.TempDir(), Data: t.TempDir()}})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Unpinned || !strings.Contains(e.Hint, "--from") || !strings.Contains(e.Hint, "--sha256") {
		t.Errorf("got %v", err)
	}
}

func TestPlainHTTPFromElsewhereNeedsAChecksum(t *testing.T) {
	o := &InstallOptions{From: "http://mirror.test/chrome.zip", Folders: &Folders{State: t.TempDir(), Data: t.TempDir()}}
	if _, err := Install(testContext(t), o); kindOf(err) != Invalid {
		t.Errorf("got %v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(fakeBrowser(f, "1.0"))
	f.Add(zipOf(f, zipEntry{"../x", "x", 0o644}))
	f.Add(zipOf(f, zipEntry{"a", "..", fs.ModeSymlink | 0o777}, zipEntry{"a/x", "x", 0o644}))
	f.Fuzz(func(t *testing.T, data []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "in")
		mustDo(t, os.Mkdir(dir, 0o700))
		unpack(t.Context(), bytes.NewReader(data), int64(len(data)), dir) //nolint:errcheck // only what it writes counts
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("escaped: %v, %v", entries, err)
		}
	})
}
