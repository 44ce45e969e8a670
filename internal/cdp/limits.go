package cdp

import "time"

// Limits of a connection. Sizes are in bytes.
const (
	// DefaultMaxFrame is the largest incoming frame. The largest honest replies (a DOM snapshot of 100,000 nodes, a 10 MB
	// attribute that is escaped six-fold) are below 64 MiB; 128 MiB leaves room for twice that, is half of what Chrome
	// can send in one message, and stops the 200 MB frame of reliability.md §3.2.
	DefaultMaxFrame = 128 << 20

	// MaxRequest is the largest frame that a call sends. Chrome's own WebSocket server takes at most 100 MB.
	MaxRequest = 32 << 20

	// CallCeiling is how long a call may take when its context has no deadline.
	CallCeiling = 60 * time.Second

	// MaxRemoteText is how much of the browser's error text is kept.
	MaxRemoteText = 1024

	// MaxQueuedBytes is how many bytes of parameters wait in one subscription, besides its bound in events: page script
	// chooses how large an event is.
	MaxQueuedBytes = 32 << 20

	// DefaultQueue is how many events wait in a subscription which did not state a size.
	DefaultQueue = 256

	// sendQueue is how many requests wait for the writer; when they do, the next call waits until its own deadline.
	sendQueue = 256

	// readBuffer holds a whole frame in the common case; a longer one gets memory of its own.
	readBuffer = 64 << 10

	// goneKept is how many detached sessions keep their identity, so that a late Session(id) finds the dead one.
	goneKept = 1024

	// pingEvery and pingTimeout find a half-open WebSocket within 25 s.
	pingEvery   = 15 * time.Second
	pingTimeout = 10 * time.Second
)
