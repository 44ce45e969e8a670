//go:build !linux

package chrome

import (
	"context"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// process is one process, told apart from a later one with the same number by its start time.
type process struct {
	pid   int
	start string
}

const zombie = 5 // SZOMB of sys/proc.h

// processes returns the living processes of the group. Environments of other processes are not looked at here: on
// macOS Chrome's helpers stay in the group. The marker only matters for leftovers of dead owners, which end by the
// pipe.
func processes(ctx context.Context, group int, id string) ([]process, error) {
	if group == 0 {
		return nil, ctx.Err()
	}
	found, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", group)
	if err != nil {
		return nil, fmt.Errorf("cannot list processes: %w", err)
	}
	var out []process
	for _, p := range found {
		if p.Proc.P_stat != zombie {
			out = append(out, process{int(p.Proc.P_pid), startOf(p)})
		}
	}
	return out, ctx.Err()
}

func startOf(p unix.KinfoProc) string {
	return strconv.FormatInt(p.Proc.P_starttime.Sec, 10) + "." + strconv.FormatInt(int64(p.Proc.P_starttime.Usec), 10)
}

func (p process) kill() {
	now, err := unix.SysctlKinfoProc("kern.proc.pid", p.pid)
	if err == nil && startOf(*now) == p.start {
		unix.Kill(p.pid, unix.SIGKILL) //nolint:errcheck // an error means that it has ended
	}
}
