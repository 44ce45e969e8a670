package browser

import (
	"context"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
)

// Traced makes a runtime's owned browsers tell every frame of their connection.
func Traced(o *RuntimeOptions, trace func(dir, sessionID, method string, bytes int)) *RuntimeOptions {
	o.trace = trace
	return o
}

// What only tests may ask of the parts that no page can bring to their bounds in reasonable time.

// ParseTarget reads a locator as an agent's call does.
func ParseTarget(text string) error { _, err := parseLocator(text, false); return err }

// ParseWait reads a wait condition as an agent's call does.
func ParseWait(text string) error { _, err := parseCondition(text, false); return err }

// ParseKeys reads a shortcut.
func ParseKeys(text string) error { _, _, err := parseShortcut(text); return err }

// CheckPicture judges the size of a picture.
func CheckPicture(bytes int) error { return checkPicture(bytes) }

// DefaultDeadline is the deadline of a wait that names none, in milliseconds.
func DefaultDeadline() int64 { return WaitInput{}.deadline().Milliseconds() }

// NotedEvents is how many topology events a session keeps of those noted.
func NotedEvents(noted int) int {
	s := &Session{seen: map[string]int64{}}
	for range noted {
		s.note("targetCreated", "x")
	}
	return len(s.newsFor("client"))
}

// TakesFrame reports whether a frame with an id of this length is registered.
func TakesFrame(idBytes int) bool {
	p := newPage(nil, "x", targetInfo{})
	p.attachFrame(nil, cdpFrame{ID: strings.Repeat("f", idBytes)})
	return len(p.frames) == 1
}

// BuiltText is how many bytes of text a tree keeps of one whose nodes hold so many together.
func BuiltText(bytes int) int {
	const each = domValueBytes
	var root cdpNode
	for left := bytes; left > 0; left -= each {
		root.Children = append(root.Children, cdpNode{Value: strings.Repeat("x", min(left, each))})
	}
	b := domBuilder{bytes: DOMBytes}
	kept := 0
	for _, c := range b.build(root).Children {
		kept += len(c.Value)
	}
	return kept
}

// LastState is what a timed-out wait tells of a state of this length.
func LastState(bytes int) int {
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	r := &route{}
	err := r.waitFailure(ctx, contract.Fail(contract.Timeout, contract.PhaseVerification, "x"), &condition{kind: "text"}, 0, strings.Repeat("s", bytes))
	return len(asFailure(err).LastState)
}

// Raw sends a CDP command to the page of a call, for states that no operation makes.
func Raw(ctx context.Context, rt *Runtime, call *Call, method string, params any) error {
	r, err := rt.route(ctx, call, RouteArgs{})
	if err != nil {
		return err
	}
	return r.page.cdp.Call(ctx, method, params, nil)
}

// FrameComing is a page one of whose frames has no process, until arrive is called. ask is what an operation in that frame
// waits for.
func FrameComing(ctx context.Context) (ask func() error, arrive func()) {
	p := newPage(nil, "page", targetInfo{})
	p.attachFrame(nil, cdpFrame{ID: "main"})
	p.attachFrame(nil, cdpFrame{ID: "child", ParentID: "main"})
	ask = func() error { _, err := p.driver(ctx, "child"); return err }
	arrive = func() {
		p.mu.Lock()
		p.frames["child"].session = &cdp.Session{}
		p.mu.Unlock()
		p.changes.fire()
	}
	return ask, arrive
}
