package cdp

import "encoding/json/v2"

// The events that end sessions or say whose they are. A killed renderer never answers (reliability.md F5), so these are
// watched on every connection, beside whatever else listens.
const (
	attachedToTarget   = "Target.attachedToTarget"
	detachedFromTarget = "Target.detachedFromTarget"
	targetCrashed      = "Target.targetCrashed"
	inspectorCrashed   = "Inspector.targetCrashed"
)

var ownEvents = []string{attachedToTarget, detachedFromTarget, targetCrashed, inspectorCrashed}

// wantOwn makes the connection itself a listener to those events, for ever.
func (c *Conn) wantOwn() {
	for _, name := range ownEvents {
		c.wanted[name] = &wanted{name: name, count: 1}
	}
}

// observe acts on an event that ends sessions. It comes before the listeners, so that what they see is already true.
func (c *Conn) observe(method, session string, params []byte) {
	switch method {
	case attachedToTarget, detachedFromTarget, targetCrashed:
	case inspectorCrashed:
		c.crash(func(s *Session) bool { return s.id == session })
		return
	default:
		return
	}
	var p struct {
		SessionID  string `json:"sessionId"`
		TargetID   string `json:"targetId"`
		TargetInfo struct {
			TargetID string `json:"targetId"`
		} `json:"targetInfo"`
	}
	if json.Unmarshal(params, &p, lenient) != nil {
		return // an event in another shape than the protocol's says nothing about any session
	}
	switch method {
	case attachedToTarget:
		c.attach(session, p.SessionID, p.TargetInfo.TargetID)
	case detachedFromTarget:
		c.detach(p.SessionID)
	case targetCrashed:
		c.crash(func(s *Session) bool { return s.target != "" && s.target == p.TargetID })
	}
}

func (c *Conn) attach(parent, id, target string) {
	if id == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessionLocked(id)
	s.parent, s.target = c.sessionLocked(parent), target
}

// detach ends a session for good, and with it those that were attached through it: the browser need not tell of them.
func (c *Conn) detach(id string) {
	if id == "" {
		return
	}
	c.mu.Lock()
	ends := make(map[listener]error)
	for _, s := range c.treeLocked(c.sessionLocked(id)) {
		err := &SessionGoneError{Session: s.id, Reason: Detached}
		for _, l := range c.failLocked(s, err, false) {
			ends[l] = err
		}
		c.buryLocked(s.id)
	}
	c.mu.Unlock()
	for l, err := range ends {
		l.end(err)
	}
}

// treeLocked returns the session and all that were attached through it.
func (c *Conn) treeLocked(root *Session) []*Session {
	tree := []*Session{root}
	in := map[*Session]bool{root: true}
	for i := 0; i < len(tree); i++ {
		for _, s := range c.sessions {
			if s.parent == tree[i] && !in[s] && s != c.root {
				in[s] = true
				tree = append(tree, s)
			}
		}
	}
	return tree
}

// buryLocked remembers a detached session, and forgets the oldest one beyond goneKept.
func (c *Conn) buryLocked(id string) {
	if c.sessions[id].buried {
		return
	}
	c.sessions[id].buried = true
	c.sessions[id].parent = nil
	c.gone = append(c.gone, id)
	if len(c.gone) > goneKept {
		delete(c.sessions, c.gone[0])
		c.gone = c.gone[1:]
	}
}

// crash fails the calls of the sessions that match; the sessions stay, for Revive.
func (c *Conn) crash(match func(*Session) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sessions {
		if s != c.root && match(s) {
			c.failLocked(s, &SessionGoneError{Session: s.id, Reason: Crashed}, true)
		}
	}
}
