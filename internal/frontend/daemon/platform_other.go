//go:build !unix

package daemon

import (
	"errors"
	"io/fs"
	"net"
	"os/exec"
)

var errPlatform = errors.New("the daemon needs Unix sockets that tell the peer's user; use --no-daemon")

func ownedByUs(fs.FileInfo) bool { return true }

func detach(*exec.Cmd) {}

func checkPeer(*net.UnixConn) error { return errPlatform }
