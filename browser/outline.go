package browser

import (
	"fmt"
	"strings"
)

// lineReply places an outline node or a control in document order; the index that is not meant is -1.
type lineReply struct {
	Depth   int `json:"d"`
	Node    int `json:"n"`
	Control int `json:"c"`
}

// outlineText writes the observation as indented lines: `role "name" [states] b42`, the revision once on top. It is what
// costs an agent the fewest tokens; node names are for node= targets (browser.md §2, §3).
func (r *route) outlineText(reply *observeReply, pc *PageContext) string {
	var b strings.Builder
	fmt.Fprintf(&b, "r%d %s", pc.Revision, pc.Page.URL)
	if pc.Page.ReadyState != "complete" {
		fmt.Fprintf(&b, " (%s)", pc.Page.ReadyState)
	}
	for _, line := range reply.Lines {
		switch {
		case line.Control >= 0 && line.Control < len(reply.Controls):
			c := reply.Controls[line.Control]
			if n := r.rev.node(c.ID); n != 0 {
				writeLine(&b, line.Depth, controlLine(cleanLine(c.Role), cleanLine(c.Name), c.States, cleanLine(c.Value))+" "+nodeName(n))
			}
		case line.Node >= 0 && line.Node < len(reply.Outline):
			n := reply.Outline[line.Node]
			writeLine(&b, line.Depth, controlLine(cleanLine(n.Role), cleanLine(n.Name), nil, ""))
		}
	}
	if pc.OmittedCount > 0 {
		fmt.Fprintf(&b, "\n+%d controls", pc.OmittedCount)
	}
	if len(pc.Incomplete) > 0 {
		fmt.Fprintf(&b, "\nincomplete: %s", strings.Join(pc.Incomplete, " "))
	}
	return b.String()
}

func writeLine(b *strings.Builder, depth int, text string) {
	b.WriteByte('\n')
	for range min(depth, 8) {
		b.WriteByte(' ')
	}
	b.WriteString(text)
}
