package chrome

import (
	"context"
	"time"
)

// How the end of a browser's processes is awaited.
const (
	treePoll  = 5 * time.Millisecond   // between two looks at the process table
	treeGrace = 300 * time.Millisecond // what helpers get to end by themselves once the browser has
	treeBound = 5 * time.Second        // what the kernel gets to end killed processes
)

// awaitTree returns when no process of the group or with the marker is left. Those that outlive the grace are killed. A
// group without members is not asked about again: its number may by then belong to someone else.
func awaitTree(ctx context.Context, group int, id string, grace time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, grace+treeBound)
	defer cancel()
	started := time.Now()
	ticker := time.NewTicker(treePoll)
	defer ticker.Stop()
	for {
		left, err := processes(ctx, group, id)
		if err != nil && ctx.Err() == nil {
			return &Error{Kind: Leftover, Message: "cannot tell whether the browser's processes have ended", Err: err}
		}
		if err == nil && len(left) == 0 {
			return nil
		}
		if time.Since(started) >= grace {
			for _, p := range left {
				p.kill()
			}
		}
		select {
		case <-ctx.Done():
			return errorf(Leftover, "look for processes in whose environment "+markerVariable+" is "+id,
				"cannot end %d processes of the browser", len(left))
		case <-ticker.C:
		}
	}
}
