package chrome

import "golang.org/x/sys/unix"

// shmWanted is the room in /dev/shm below which Chrome is told to use its TMPDIR for shared memory: containers give
// 64 MiB by default, and a page that needs more crashes.
const shmWanted = 512 << 20

func smallShm() bool {
	var fs unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &fs); err != nil {
		return true
	}
	return fs.Bavail*uint64(fs.Bsize) < shmWanted
}
