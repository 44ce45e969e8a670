package chrome

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Check is one thing that a browser needs, and how it is here.
type Check struct {
	Name   string // "browser", "sandbox", "fonts", "display", "state", "data", "shm", "leftovers"
	OK     bool   // false: browsers will not work, or not well, until it is mended
	Detail string // what was found
	Mend   string // what to do about it; empty when there is nothing to do
}

// doctorBound is how long one check may take.
const doctorBound = 15 * time.Second

// Doctor looks at everything that a browser needs on this machine. It changes nothing: leftovers are counted, not
// removed.
func Doctor(ctx context.Context, folders *Folders) []Check {
	f, err := folders.resolve()
	if err != nil {
		return []Check{{Name: "state", Detail: err.Error(), Mend: hintOf(err)}}
	}
	var out []Check
	executable, browser := checkBrowser(ctx, f)
	out = append(out, browser)
	if browser.OK {
		out = append(out, checkSandbox(executable.Path))
	}
	out = append(out, checkFonts(ctx), checkDisplay(), checkFolder("state", f.State), checkFolder("data", f.Data))
	if runtime.GOOS == "linux" {
		out = append(out, checkShm())
	}
	return append(out, checkLeftovers(f))
}

func hintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

func failed(name string, err error) Check {
	return Check{Name: name, Detail: err.Error(), Mend: hintOf(err)}
}

func checkBrowser(ctx context.Context, f Folders) (Executable, Check) {
	executable, err := Find(ctx, "", &f)
	if err != nil {
		return executable, failed("browser", err)
	}
	version, err := Version(ctx, executable.Path)
	if err != nil {
		return executable, failed("browser", err)
	}
	return executable, Check{Name: "browser", OK: true,
		Detail: fmt.Sprintf("%s at %s (%s)", version, executable.Path, executable.Source)}
}

func checkSandbox(executable string) Check {
	if err := SandboxUsable(executable); err != nil {
		return failed("sandbox", err)
	}
	return Check{Name: "sandbox", OK: true, Detail: "Chrome can start in its sandbox"}
}

// fontDirs are looked at when there is no fc-list to ask.
var fontDirs = []string{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts"}

func checkFonts(ctx context.Context) Check {
	ctx, cancel := context.WithTimeout(ctx, doctorBound)
	defer cancel()
	count := 0
	command := exec.CommandContext(ctx, "fc-list", "--format", "%{file}\n")
	command.WaitDelay = time.Second
	if output, err := command.Output(); err == nil {
		count = strings.Count(string(output), "\n")
	} else {
		count = fontFiles(ctx)
	}
	if count == 0 {
		return Check{Name: "fonts", Detail: "no fonts: pages have no text that can be seen or measured",
			Mend: "install some, such as the package fonts-liberation or fonts-dejavu"}
	}
	return Check{Name: "fonts", OK: true, Detail: fmt.Sprintf("%d fonts", count)}
}

// maxFontFiles ends the count: it only matters whether there are any.
const maxFontFiles = 1000

func fontFiles(ctx context.Context) (count int) {
	for _, dir := range fontDirs {
		filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error { //nolint:errcheck // a count
			if ctx.Err() != nil || count >= maxFontFiles {
				return fs.SkipAll
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".pfb":
				count++
			}
			return nil
		})
	}
	return count
}

func checkDisplay() Check {
	for _, name := range []string{"WAYLAND_DISPLAY", "DISPLAY"} {
		if value := os.Getenv(name); value != "" {
			return Check{Name: "display", OK: true, Detail: name + " is " + value}
		}
	}
	if runtime.GOOS == "darwin" {
		return Check{Name: "display", OK: true, Detail: "the system's own"}
	}
	return Check{Name: "display", OK: true, Detail: "none: browsers run headless, --headed will not work",
		Mend: "set DISPLAY or WAYLAND_DISPLAY, or run under xvfb-run, for windows"}
}

// checkFolder looks at a root folder without making it.
func checkFolder(name, dir string) Check {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Check{Name: name, OK: true, Detail: dir + " is made when it is needed"}
	}
	mend := "make it a folder of yours with mode 0700, or name another place with XDG_" + strings.ToUpper(name) + "_HOME"
	switch {
	case err != nil:
		return Check{Name: name, Detail: err.Error(), Mend: mend}
	case !info.IsDir() || !ownedByUs(info):
		return Check{Name: name, Detail: dir + " is " + errNotOurs.Error(), Mend: mend}
	case info.Mode().Perm() != dirMode:
		return Check{Name: name, Detail: fmt.Sprintf("%s has the mode %04o", dir, info.Mode().Perm()), Mend: mend}
	}
	return Check{Name: name, OK: true, Detail: dir}
}

func checkShm() Check {
	if smallShm() {
		return Check{Name: "shm", OK: true, Detail: "/dev/shm is small: Chrome uses files instead, which is slower",
			Mend: "give the container more, as with --shm-size=1g"}
	}
	return Check{Name: "shm", OK: true, Detail: "/dev/shm is large enough"}
}

func checkLeftovers(f Folders) Check {
	names, err := leftoverNames(f.State)
	if err != nil {
		return failed("leftovers", err)
	}
	count := 0
	for _, id := range names {
		if isLeftover(f.State, id) {
			count++
		}
	}
	if count == 0 {
		return Check{Name: "leftovers", OK: true, Detail: "none"}
	}
	return Check{Name: "leftovers", OK: true, Detail: fmt.Sprintf("%d folders of browsers whose owner died", count),
		Mend: "the next browser that starts removes them"}
}
