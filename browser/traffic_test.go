package browser_test

import "sync"

// traffic counts what goes over the connection of the shared browser.
var traffic counter

// counter counts frames, bytes and sequential round trips. Commands that are sent together, before any reply, are one
// round trip. What nobody waits for counts in bytes only.
type counter struct {
	mu      sync.Mutex
	bytes   int
	rounds  int
	replied bool
	open    map[string]int // commands without a reply yet, by method
	sent    map[string]int // commands by method
}

// unawaited are commands that are sent on the way and waited for by nobody.
var unawaited = map[string]bool{"Runtime.releaseObjectGroup": true}

func (c *counter) note(dir, _, method string, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += bytes
	switch {
	case c.open == nil || unawaited[method]:
	case dir == "out":
		c.sent[method]++
		c.open[method]++
		if c.replied {
			c.rounds++
			c.replied = false
		}
	case c.open[method] > 0:
		c.open[method]--
		c.replied = true
	}
}

// of counts what do causes.
func (c *counter) of(do func()) (rounds, bytes int, sent map[string]int) {
	c.mu.Lock()
	c.bytes, c.rounds, c.replied, c.open, c.sent = 0, 0, true, map[string]int{}, map[string]int{}
	c.mu.Unlock()
	do()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rounds, c.bytes, c.sent
}
