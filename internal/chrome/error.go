package chrome

import "fmt"

// Kind says what went wrong with a browser as a process. The set is closed.
type Kind string

const (
	// Missing: no browser executable was found.
	Missing Kind = "missing"
	// Occupied: the TCP port asked for is taken.
	Occupied Kind = "occupied"
	// Sandbox: Chrome cannot start sandboxed here.
	Sandbox Kind = "sandbox"
	// Startup: the browser ended, or said nothing, before it answered for the first time.
	Startup Kind = "startup"
	// Gone: the browser ended after it had answered.
	Gone Kind = "gone"
	// Invalid: an option, a name or an address that is not allowed.
	Invalid Kind = "invalid"
	// InUse: another owner holds the profile.
	InUse Kind = "in_use"
	// Exists: a profile of that name is there already.
	Exists Kind = "exists"
	// NotFound: no profile of that name, or no running browser to attach to.
	NotFound Kind = "not_found"
	// Checksum: an archive has another size or SHA-256 than was asked for.
	Checksum Kind = "checksum"
	// Archive: an archive is broken, too large, or tries to leave its folder.
	Archive Kind = "archive"
	// Unpinned: this build of Glass knows no verified browser download for the platform.
	Unpinned Kind = "unpinned"
	// Storage: a folder or file of ours cannot be made, read or removed.
	Storage Kind = "storage"
	// Leftover: something of the browser survived its close.
	Leftover Kind = "leftover"
)

// Error is a failure that a person can mend. Message says what happened in one sentence without a full stop; Hint, when
// not empty, says what to do about it.
type Error struct {
	Kind    Kind
	Message string
	Hint    string
	Err     error
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func errorf(kind Kind, hint, format string, args ...any) *Error {
	return &Error{Kind: kind, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// storage wraps a file error with what was being done; the path is in the cause.
func storage(doing string, err error) *Error {
	return &Error{Kind: Storage, Message: "cannot " + doing, Err: err,
		Hint: "check that the folder exists, belongs to you and has room"}
}
