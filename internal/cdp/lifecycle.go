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
		c.crashSession(session)
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
		c.crashTarget(p.TargetID)
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

// crashReports counts the two events that tell of a crash: the session's own comes first, and the root's, if targets
// are discovered, may come when the page is already being brought back. Such a second report must not crash it again.
type crashReports struct{ own, root int }

// crashSession acts on Inspector.targetCrashed.
func (c *Conn) crashSession(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[id]; s != nil && s != c.root {
		s.reports.own++
		c.crashLocked(s)
	}
}

// crashTarget acts on Target.targetCrashed.
func (c *Conn) crashTarget(target string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sessions {
		if s == c.root || s.target == "" || s.target != target {
			continue
		}
		if s.reports.root++; s.reports.root > s.reports.own {
			c.crashLocked(s)
		}
	}
}

// crashLocked fails the session's calls; its listeners stay, for Revive.
func (c *Conn) crashLocked(s *Session) {
	c.failLocked(s, &SessionGoneError{Session: s.id, Reason: Crashed}, true)
}
