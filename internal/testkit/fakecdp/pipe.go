package fakecdp

import (
	"bufio"
	"io"
	"os"
)

type pipeLink struct {
	in *bufio.Reader
	r  io.Closer
	w  io.WriteCloser
}

// Pipe starts a browser behind a pair of operating system pipes, and returns the client's ends, which the client
// closes.
func Pipe(script Script) (r *os.File, w *os.File, b *Browser, err error) {
	requests, w, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	r, answers, err := os.Pipe()
	if err != nil {
		_ = requests.Close()
		_ = w.Close()
		return nil, nil, nil, err
	}
	return r, w, On(requests, answers, script), nil
}

// On starts a browser on the browser's own ends of a pipe: in a stub process, file descriptors 3 and 4.
func On(r io.ReadCloser, w io.WriteCloser, script Script) *Browser {
	return start(&pipeLink{in: bufio.NewReader(r), r: r, w: w}, script)
}

func (l *pipeLink) read(func([]byte)) ([]byte, error) {
	p, err := l.in.ReadBytes(0)
	if err != nil {
		return nil, err
	}
	return p[:len(p)-1], nil
}

func (l *pipeLink) frame(payload []byte) []byte {
	return append(payload[:len(payload):len(payload)], 0)
}

func (l *pipeLink) Write(p []byte) (int, error) { return l.w.Write(p) }

func (l *pipeLink) closeWrite() { _ = l.w.Close() }

func (l *pipeLink) close() {
	_ = l.w.Close()
	_ = l.r.Close()
}
