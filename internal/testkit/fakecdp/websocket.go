package fakecdp

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// The opcodes of RFC 6455 §5.2 that the fake knows.
const (
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// acceptGUID is the constant of RFC 6455 §1.3.
const acceptGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// Server is a browser's DevTools endpoint on loopback. Each connection gets a Browser of its own.
type Server struct {
	listener net.Listener
	script   Script
	deaf     bool
	wg       sync.WaitGroup

	mu       sync.Mutex
	browsers []*Browser
	closed   bool
}

// Listen starts an endpoint. A deaf one never answers a ping, as a half-open connection does.
func Listen(script Script, deaf bool) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: l, script: script, deaf: deaf}
	s.wg.Go(s.accept)
	return s, nil
}

// URL is what a client dials.
func (s *Server) URL() string { return "ws://" + s.listener.Addr().String() + "/devtools/browser/fake" }

// Addr is the address to put a proxy before.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close ends the endpoint and every browser behind it.
func (s *Server) Close() {
	_ = s.listener.Close()
	s.mu.Lock()
	s.closed = true
	browsers := s.browsers
	s.mu.Unlock()
	for _, b := range browsers {
		b.Close()
	}
	s.wg.Wait()
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		in := bufio.NewReader(c)
		if err := upgrade(c, in); err != nil {
			_ = c.Close()
			continue
		}
		s.mu.Lock()
		if s.closed {
			_ = c.Close()
		} else {
			s.browsers = append(s.browsers, start(&socketLink{c: c, in: in, deaf: s.deaf}, s.script))
		}
		s.mu.Unlock()
	}
}

func upgrade(c net.Conn, in *bufio.Reader) error {
	r, err := http.ReadRequest(in)
	if err != nil {
		return err
	}
	key := r.Header.Get("Sec-WebSocket-Key")
	if key == "" {
		return errors.New("not a WebSocket handshake")
	}
	sum := sha1.Sum([]byte(key + acceptGUID))
	_, err = fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	return err
}

type socketLink struct {
	c    net.Conn
	in   *bufio.Reader
	deaf bool
}

// read returns the next text message, and answers pings on the way. Clients do not fragment what the tests send.
func (l *socketLink) read(control func([]byte)) ([]byte, error) {
	for {
		op, payload, err := l.readFrame()
		if err != nil {
			return nil, err
		}
		switch {
		case op == opText:
			return payload, nil
		case op == opClose:
			return nil, io.EOF
		case op == opPing && !l.deaf:
			control(encodeFrame(opPong, payload))
		}
	}
}

func (l *socketLink) readFrame() (op byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(l.in, head[:]); err != nil {
		return 0, nil, err
	}
	size := uint64(head[1] & 0x7f)
	switch size {
	case 126:
		var n [2]byte
		_, err = io.ReadFull(l.in, n[:])
		size = uint64(binary.BigEndian.Uint16(n[:]))
	case 127:
		var n [8]byte
		_, err = io.ReadFull(l.in, n[:])
		size = binary.BigEndian.Uint64(n[:])
	}
	if err != nil {
		return 0, nil, err
	}
	var mask [4]byte
	if _, err := io.ReadFull(l.in, mask[:]); err != nil {
		return 0, nil, err
	}
	payload = make([]byte, size)
	if _, err := io.ReadFull(l.in, payload); err != nil {
		return 0, nil, err
	}
	for i := range payload {
		payload[i] ^= mask[i%4]
	}
	return head[0] & 0x0f, payload, nil
}

func (l *socketLink) frame(payload []byte) []byte { return encodeFrame(opText, payload) }

func encodeFrame(op byte, payload []byte) []byte {
	f := []byte{0x80 | op}
	switch n := len(payload); {
	case n < 126:
		f = append(f, byte(n))
	case n <= 0xffff:
		f = binary.BigEndian.AppendUint16(append(f, 126), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, 127), uint64(n))
	}
	return append(f, payload...)
}

func (l *socketLink) Write(p []byte) (int, error) { return l.c.Write(p) }

func (l *socketLink) closeWrite() { _ = l.c.(*net.TCPConn).CloseWrite() }

func (l *socketLink) close() { _ = l.c.Close() }
