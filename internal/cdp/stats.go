package cdp

import "sync/atomic"

// Stats counts what went over a connection since its start.
type Stats struct {
	Calls         int64 // commands that were queued to be sent
	Late          int64 // replies whose call had already ended
	Strays        int64 // frames that are neither a reply nor an event
	EventsSeen    int64 // all events that came
	EventsDropped int64 // events that ended a subscription because there was no room; those after it are not counted
	BytesIn       int64 // without framing
	BytesOut      int64 // without framing
}

type counters struct {
	calls, late, strays, events, dropped, bytesIn, bytesOut atomic.Int64
}

// Stats returns the counters as they are now.
func (c *Conn) Stats() Stats {
	s := &c.stats
	return Stats{
		Calls:         s.calls.Load(),
		Late:          s.late.Load(),
		Strays:        s.strays.Load(),
		EventsSeen:    s.events.Load(),
		EventsDropped: s.dropped.Load(),
		BytesIn:       s.bytesIn.Load(),
		BytesOut:      s.bytesOut.Load(),
	}
}
