package chrome

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize is the most that the kernel gives an ordinary user: a large reply then needs few turns between the two
// processes.
const pipeSize = 1 << 20

func widen(pipe *os.File) {
	if conn, err := pipe.SyscallConn(); err == nil {
		conn.Control(func(fd uintptr) { //nolint:errcheck // a small pipe works too
			unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) //nolint:errcheck // the same
		})
	}
}
