package daemon

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// logBytes bounds the log file; one older file of the same size is kept beside it.
const logBytes = 1 << 20

// boundedLog is an append-only file that starts anew when it is full.
type boundedLog struct {
	path string
	max  int64

	mu   sync.Mutex
	file *os.File
	size int64
}

func openLog(path string, limit int64) (*boundedLog, error) {
	l := &boundedLog{path: path, max: limit}
	return l, l.open()
}

func (l *boundedLog) open() error {
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("cannot open the log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return fmt.Errorf("cannot open the log: %w", err)
	}
	l.file, l.size = f, info.Size()
	return nil
}

// Write implements io.Writer.
func (l *boundedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(len(p)) > l.max {
		p = p[:l.max]
	}
	if l.size+int64(len(p)) > l.max {
		l.file.Close()
		if err := os.Rename(l.path, l.path+".1"); err != nil {
			return 0, err
		}
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

// Close closes the file.
func (l *boundedLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// CopyLog writes the daemon's log to w, the older part first. There may be none.
func CopyLog(w io.Writer, dir string) error {
	path := filepath.Join(dir, logName)
	for _, name := range []string{path + ".1", path} {
		f, err := os.Open(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot read the log: %w", err)
		}
		_, err = io.Copy(w, io.LimitReader(f, 2*logBytes))
		f.Close()
		if err != nil {
			return fmt.Errorf("cannot read the log: %w", err)
		}
	}
	return nil
}
