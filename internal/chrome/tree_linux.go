package chrome

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// process is one process, told apart from a later one with the same number by its start time.
type process struct {
	pid   int
	start string
}

// processes returns the living processes that carry the marker, or are in the group (0: no group). Reads that fail
// mean a process that ended meanwhile, or one of another user.
func processes(ctx context.Context, group int, id string) ([]process, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("cannot list processes: %w", err)
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("cannot list processes: %w", err)
	}
	mark := []byte(markerVariable + "=" + id)
	var out []process
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		start, itsGroup, alive := stat(pid)
		if alive && (group != 0 && itsGroup == group || marked(pid, mark)) {
			out = append(out, process{pid, start})
		}
	}
	return out, nil
}

// stat reads what proc(5) calls fields 3 (state), 5 (group) and 22 (start time). A zombie counts as ended.
func stat(pid int) (start string, group int, alive bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0, false
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", 0, false
	}
	group, _ = strconv.Atoi(fields[2])
	return fields[19], group, true
}

func marked(pid int, mark []byte) bool {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, mark) {
			return true
		}
	}
	return false
}

// kill ends p if it is still the process it was. On Linux os.Process holds a handle, not a number, so that after the
// check of the start time no other process can be hit.
func (p process) kill() {
	handle, err := os.FindProcess(p.pid)
	if err != nil {
		return
	}
	defer handle.Release() //nolint:errcheck // nothing to mend
	if start, _, alive := stat(p.pid); alive && start == p.start {
		handle.Kill() //nolint:errcheck // an error means that it has ended
	}
}
