package cdp

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrClosed is the cause of a ClosedError after Conn.Close.
	ErrClosed = errors.New("closed by this side")
	// ErrGarbage is the cause of a ClosedError when the peer sent a frame that is not a protocol message.
	ErrGarbage = errors.New("peer sent a frame that is not a protocol message")
	// ErrFrameTooLarge is the cause of a ClosedError when the peer sent a frame above Options.MaxFrame.
	ErrFrameTooLarge = errors.New("peer sent a frame above the size limit")
	// ErrPeerSilent is the cause of a ClosedError when a WebSocket peer stopped answering pings.
	ErrPeerSilent = errors.New("peer does not answer pings")
	// ErrOverflow ends a subscription whose reader was too slow.
	ErrOverflow = errors.New("subscription overflowed: its reader is too slow")
	// ErrRequestTooLarge is returned for a request above MaxRequest; nothing was sent.
	ErrRequestTooLarge = errors.New("request is above the size limit")
)

// RemoteError is the browser's own answer that a command did not work.
type RemoteError struct {
	Method  string
	Code    int64  // JSON-RPC code; -32000 for most errors of a domain
	Message string // the browser's words, cut at MaxRemoteText bytes
	Detail  string // the browser's "data" when it is a string, cut likewise; it may quote the page, so it is not in Error
}

func (e *RemoteError) Error() string {
	return fmt.Sprintf("browser refused %s: %s (code %d)", e.Method, e.Message, e.Code)
}

// ClosedError says that the connection has ended, and why.
type ClosedError struct {
	Cause error // never nil
}

func (e *ClosedError) Error() string { return "browser connection ended: " + e.Cause.Error() }

// Unwrap returns the cause, so that errors.Is finds io.EOF, ErrClosed or ErrGarbage.
func (e *ClosedError) Unwrap() error { return e.Cause }

// GoneReason says why a session no longer answers.
type GoneReason string

// The reasons of a SessionGoneError.
const (
	Detached GoneReason = "detached" // for good
	Crashed  GoneReason = "crashed"  // until Session.Revive
)

// SessionGoneError says that a session was detached or that its target crashed.
type SessionGoneError struct {
	Session string
	Reason  GoneReason
}

func (e *SessionGoneError) Error() string {
	return fmt.Sprintf("session %s is gone: %s", e.Session, e.Reason)
}

// UnansweredError is every way in which a call ends without the browser's answer: its context, CallCeiling, a session
// that is gone, a connection that ended. Unwrap gives which.
type UnansweredError struct {
	Method string
	// Sent is false when the browser cannot have seen the command, so that repeating it is safe.
	Sent  bool
	Cause error
}

func (e *UnansweredError) Error() string {
	sent := "not sent"
	if e.Sent {
		sent = "sent"
	}
	return fmt.Sprintf("no answer to %s (%s): %v", e.Method, sent, e.Cause)
}

// Unwrap returns the cause: a *ClosedError, a *SessionGoneError, or the error of a context.
func (e *UnansweredError) Unwrap() error { return e.Cause }

// ceilingError is the end of a call whose own deadline passed while nobody needed to be waiting for it.
type ceilingError struct{}

func (ceilingError) Error() string        { return "deadline of the call passed" }
func (ceilingError) Is(target error) bool { return target == context.DeadlineExceeded }
func (ceilingError) Timeout() bool        { return true }
