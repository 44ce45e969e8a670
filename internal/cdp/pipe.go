package cdp

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// pipe frames messages with a NUL byte after each, as --remote-debugging-pipe does. JSON holds no raw NUL.
type pipe struct {
	r   io.ReadCloser
	w   io.WriteCloser
	in  *bufio.Reader
	out *bufio.Writer
	max int
}

func newPipe(r io.ReadCloser, w io.WriteCloser, max int) *pipe {
	return &pipe{r: r, w: w, in: bufio.NewReaderSize(r, readBuffer), out: bufio.NewWriterSize(w, readBuffer), max: max}
}

func (p *pipe) read() (frame []byte, owned bool, err error) {
	chunk, err := p.in.ReadSlice(0)
	if err == bufio.ErrBufferFull {
		frame, err = p.readLong(chunk)
		return frame, true, err
	}
	if err != nil {
		return nil, false, cutShort(err, len(chunk))
	}
	frame = chunk[:len(chunk)-1]
	if len(frame) > p.max {
		return nil, false, tooLarge(p.max)
	}
	return frame, false, nil
}

// readLong collects a frame which is longer than the buffer.
func (p *pipe) readLong(head []byte) ([]byte, error) {
	frame := append(make([]byte, 0, 4*len(head)), head...)
	for {
		chunk, err := p.in.ReadSlice(0)
		if err != nil && err != bufio.ErrBufferFull {
			return nil, cutShort(err, len(frame))
		}
		if err == nil {
			chunk = chunk[:len(chunk)-1]
		}
		if len(frame)+len(chunk) > p.max {
			return nil, tooLarge(p.max)
		}
		frame = appendDoubling(frame, chunk)
		if err == nil {
			return frame, nil
		}
	}
}

// appendDoubling grows more boldly than append: a frame of 10 MB is moved 6 times and not 17.
func appendDoubling(frame, chunk []byte) []byte {
	if cap(frame)-len(frame) < len(chunk) {
		frame = slices.Grow(frame, cap(frame)+len(chunk))
	}
	return append(frame, chunk...)
}

// cutShort tells a peer that left between frames from one that left within.
func cutShort(err error, held int) error {
	if err == io.EOF && held > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

func tooLarge(max int) error { return fmt.Errorf("%w of %d bytes", ErrFrameTooLarge, max) }

func (p *pipe) write(frame []byte, more bool) error {
	if frame != nil {
		if _, err := p.out.Write(frame); err != nil {
			return err
		}
		if err := p.out.WriteByte(0); err != nil {
			return err
		}
	}
	if more {
		return nil
	}
	return p.out.Flush()
}

// close takes both ends away, which is what makes a blocked read and write return. The errors say nothing that anybody
// could act on: the connection has ended.
func (p *pipe) close() {
	_ = p.w.Close()
	_ = p.r.Close()
}
