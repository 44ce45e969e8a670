//go:build unix

package daemon

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"syscall"
)

func ownedByUs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

// detach gives the child a session of its own, so that closing the terminal or an interrupt there does not reach it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// checkPeer refuses a connection whose other end runs as another user.
func checkPeer(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return fmt.Errorf("cannot ask who is at the other end: %w", err)
	}
	var uid int
	var peerErr error
	if err := raw.Control(func(fd uintptr) { uid, peerErr = peerUID(int(fd)) }); err != nil {
		return fmt.Errorf("cannot ask who is at the other end: %w", err)
	}
	if peerErr != nil {
		return fmt.Errorf("cannot ask who is at the other end: %w", peerErr)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("the other end of the socket belongs to user %d", uid)
	}
	return nil
}
