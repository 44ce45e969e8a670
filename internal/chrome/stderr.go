package chrome

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
)

// Bounds of what is kept of a browser's standard error.
const (
	stderrLines = 32
	stderrLine  = 512 // bytes
)

// tail keeps the last lines of a stream. It is a writer that never fails and never grows.
type tail struct {
	mu    sync.Mutex
	lines []string
	part  []byte

	// listening gets the first DevTools address that the stream reports, or "" when the endpoint cannot be opened; nil
	// when nobody waits for it.
	listening chan string
}

// How Chrome says that its TCP endpoint is open, or cannot be.
const (
	listeningPrefix = "DevTools listening on "
	notListening    = "Cannot start http server for devtools"
)

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if room := stderrLine - len(t.part); len(line) > room {
			line = line[:room]
		}
		t.part = append(t.part, line...)
		if ended {
			t.push()
		}
		rest = after
	}
	return len(p), nil
}

func (t *tail) push() {
	if line := strings.TrimSpace(strings.ToValidUTF8(string(t.part), "")); line != "" {
		if len(t.lines) == stderrLines {
			t.lines = append(t.lines[:0], t.lines[1:]...)
		}
		t.lines = append(t.lines, line)
		address, ok := strings.CutPrefix(line, listeningPrefix)
		if t.listening != nil && (ok || strings.Contains(line, notListening)) {
			if !ok {
				address = ""
			}
			select {
			case t.listening <- address:
			default: // the first one counts
			}
		}
	}
	t.part = t.part[:0]
}

// Lines returns the kept lines, oldest first, an unfinished one last.
func (t *tail) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := append([]string(nil), t.lines...)
	if line := strings.TrimSpace(strings.ToValidUTF8(string(t.part), "")); line != "" {
		out = append(out, line)
	}
	return out
}

// telling marks the lines that say most about an end, best mark first.
var telling = []string{":FATAL:", "error while loading", ":ERROR:"}

// Last returns the last line with the best mark there is, else the last line.
func (t *tail) Last() string {
	lines := t.Lines()
	slices.Reverse(lines)
	for _, mark := range telling {
		for _, line := range lines {
			// The crash reporter complains about the machine after every crash.
			if strings.Contains(line, mark) && !strings.Contains(line, "/crashpad/") {
				return line
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// follow copies r to the tail until r ends or is closed.
func (t *tail) follow(r io.Reader) {
	io.Copy(t, r) //nolint:errcheck // the end of a browser's stderr is no failure, however it comes
}
