package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/glasskit/glass/internal/textsafe"
)

const barWidth = 24

// progress shows how far a long operation is, to a person at a terminal.
type progress struct {
	w     io.Writer
	mu    sync.Mutex
	shown bool
}

func newProgress(w io.Writer) *progress { return &progress{w: w} }

// report is nil where nobody looks, so that the daemon is not asked for notifications.
func (p *progress) report() func(done, total float64, message string) {
	if !terminal(p.w) {
		return nil
	}
	return func(done, total float64, message string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.shown = true
		fmt.Fprintf(p.w, "\r\x1b[K%s%s", bar(done, total), textsafe.Line(message))
	}
}

func bar(done, total float64) string {
	if total <= 0 {
		return ""
	}
	full := int(barWidth * min(1, max(0, done/total)))
	return "[" + strings.Repeat("#", full) + strings.Repeat(" ", barWidth-full) + "] "
}

// clear removes the bar before a result is shown.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
