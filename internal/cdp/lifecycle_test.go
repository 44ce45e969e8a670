package cdp

import (
	"errors"
	"fmt"
	"testing"

	"github.com/glasskit/glass/internal/testkit/fakecdp"
)

// wellAfter says whether a call of the session is answered, and what it fails with if not.
func wellAfter(t *testing.T, s *Session) error { return s.Call(patient(t), "Any.call", nil, nil) }

// goneAs checks that err is the end of the session for the reason.
func goneAs(err error, s *Session, reason GoneReason) bool {
	var gone *SessionGoneError
	return errors.As(err, &gone) && gone.Session == s.ID() && gone.Reason == reason
}

// What ends a session while a call is pending on it: the call fails at once, and others go on.
func TestSessionEndsDuringCall(t *testing.T) {
	const attach = ` Target.attachedToTarget {"sessionId":"S","targetInfo":{"targetId":"T"}}`
	tests := []struct {
		name   string
		events string
		reason GoneReason
	}{
		{"detached, told to the root", ` Target.detachedFromTarget {"sessionId":"S"}`, Detached},
		{"detached, told to the parent", `P Target.detachedFromTarget {"sessionId":"S"}`, Detached},
		{"the parent was detached", "P" + attach + "\n" + ` Target.detachedFromTarget {"sessionId":"P"}`, Detached},
		{"the grandparent was detached", "P" + attach +
			"\nG Target.attachedToTarget {\"sessionId\":\"P\",\"targetInfo\":{\"targetId\":\"U\"}}" +
			"\n Target.detachedFromTarget {\"sessionId\":\"G\"}", Detached},
		{"crashed, told to itself", `S Inspector.targetCrashed {}`, Crashed},
		{"crashed, told to the root", attach + "\n" + ` Target.targetCrashed {"targetId":"T","status":"killed"}`, Crashed},
		{"crashed and then detached",
			"S Inspector.targetCrashed {}\n Target.detachedFromTarget {\"sessionId\":\"S\"}", Crashed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, _ := connect(t, fakecdp.Routes{"Never.answered": fakecdp.Silent, "Do.it": events(test.events)}.Script, nil)
			s, other := c.Session("S"), c.Session("O")
			sub := s.SubscribeAll(1, "A.x")
			ctx := patient(t)
			pending, otherPending := s.Go(ctx, "Never.answered", nil), other.Go(ctx, "Never.answered", nil)
			if err := other.Call(ctx, "Do.it", nil, nil); err != nil {
				t.Fatal(err)
			}
			if err := pending.Wait(ctx, nil); !goneAs(err, s, test.reason) {
				t.Fatalf("the pending call got %v, want %s", err, test.reason)
			}
			select {
			case <-otherPending.done:
				t.Fatalf("the other session's call ended: %v", otherPending.err)
			default:
			}
			if err := wellAfter(t, other); err != nil {
				t.Fatalf("the other session: %v", err)
			}
			checkAfterEnd(t, c, s, sub, test.reason == Detached || test.name == "crashed and then detached")
		})
	}
}

// checkAfterEnd checks a session that was just detached for good, or has crashed and can come back.
func checkAfterEnd(t *testing.T, c *Conn, s *Session, sub *Subscription, final bool) {
	t.Helper()
	if c.Session("S") != s {
		t.Fatal("the session lost its identity")
	}
	if err := wellAfter(t, s); !goneAs(err, s, Detached) && !goneAs(err, s, Crashed) {
		t.Fatalf("a later call got %v", err)
	}
	s.Revive()
	err := wellAfter(t, s)
	if !final {
		if err != nil || sub.Err() != nil {
			t.Fatalf("after Revive: call %v, subscription %v", err, sub.Err())
		}
		sub.Close()
		return
	}
	for what, err := range map[string]error{
		"call": err, "subscription": sub.Err(), "later subscription": s.SubscribeAll(1, "A.x").Err(),
	} {
		if !goneAs(err, s, Detached) {
			t.Fatalf("%s after the end: %v", what, err)
		}
	}
	if _, open := <-sub.Events(); open {
		t.Fatal("the subscription's channel is open")
	}
	s.Handle(func(string, []byte) {}, "A.x")()
	assertNothingWanted(t, c)
}

// The root's report of a crash may follow the session's own by so much that the caller has revived the session
// meanwhile.
func TestSecondReportOfACrash(t *testing.T) {
	c, _ := connect(t, fakecdp.Routes{
		"Crash.own": events(` Target.attachedToTarget {"sessionId":"S","targetInfo":{"targetId":"T"}}
S Inspector.targetCrashed {}`),
		"Crash.root": events(` Target.targetCrashed {"targetId":"T"}`),
	}.Script, nil)
	s := c.Session("S")
	for _, step := range []struct {
		report  string
		crashed bool
	}{{"Crash.own", true}, {"Crash.root", false}, {"Crash.own", true}, {"Crash.root", false}, {"Crash.root", true}} {
		if err := c.Browser().Call(patient(t), step.report, nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := wellAfter(t, s); goneAs(err, s, Crashed) != step.crashed {
			t.Fatalf("%s: a call got %v", step.report, err)
		}
		s.Revive()
	}
}

// The handler of a detach event sees the session gone already.
func TestDetachIsTrueBeforeItIsTold(t *testing.T) {
	c, _ := connect(t, events(` Target.detachedFromTarget {"sessionId":"S"}`), nil)
	s := c.Session("S")
	var told error
	c.Browser().Handle(func(string, []byte) { told = s.Go(t.Context(), "A.b", nil).err }, detachedFromTarget)
	if err := c.Session("O").Call(patient(t), "Do.it", nil, nil); err != nil || !goneAs(told, s, Detached) {
		t.Fatalf("got %v, %v", told, err)
	}
}

func TestFail(t *testing.T) {
	mine := errors.New("target hung")
	tests := []struct {
		name    string
		err     error
		want    error // nil: detached
		revives bool
	}{
		{"an error of the caller's", mine, mine, false},
		{"nil stands for detached", nil, nil, false},
		{"a crash", &SessionGoneError{Session: "S", Reason: Crashed}, nil, true},
		{"a wrapped crash", fmt.Errorf("seen elsewhere: %w", &SessionGoneError{Session: "S", Reason: Crashed}), nil, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, _ := connect(t, fakecdp.Routes{"Never.answered": fakecdp.Silent}.Script, nil)
			s := c.Session("S")
			p := s.Go(patient(t), "Never.answered", nil)
			s.Fail(test.err)
			for _, err := range []error{p.Wait(t.Context(), nil), wellAfter(t, s)} {
				if test.want != nil && !errors.Is(err, test.want) || test.want == nil && !errors.As(err, new(*SessionGoneError)) {
					t.Fatalf("got %v, want %v", err, test.want)
				}
			}
			s.Revive()
			if err := wellAfter(t, s); (err == nil) != test.revives {
				t.Fatalf("after Revive: %v", err)
			}
			if err := wellAfter(t, c.Browser()); err != nil {
				t.Fatalf("the root: %v", err)
			}
		})
	}
}

func TestDetachedSessionsAreForgottenInTime(t *testing.T) {
	const n = goneKept + 10
	c, _ := connect(t, func(b *fakecdp.Browser, q fakecdp.Request) {
		for i := range n {
			id := fmt.Sprintf("S%d", i)
			b.Emit("", attachedToTarget, map[string]any{"sessionId": id, "targetInfo": map[string]any{"targetId": "T"}})
			b.Emit("", detachedFromTarget, map[string]any{"sessionId": id})
		}
		b.Emit("", detachedFromTarget, map[string]any{"sessionId": ""}) // the root cannot be detached
		b.Answer(q, struct{}{})
	}, nil)
	if err := wellAfter(t, c.Browser()); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sessions) != goneKept+1 || len(c.gone) != goneKept {
		t.Fatalf("%d sessions are kept, %d of them gone; want %d and the root", len(c.sessions), len(c.gone), goneKept)
	}
}

// Events in another shape than the protocol's change nothing.
func TestOddLifecycleEvents(t *testing.T) {
	c, _ := connect(t, events(` Target.detachedFromTarget []
 Target.detachedFromTarget {"sessionId":7}
 Target.attachedToTarget {"sessionId":"S"}
 Target.attachedToTarget {"sessionId":""}
 Target.attachedToTarget {"sessionId":"O","targetInfo":null}
S Target.attachedToTarget {"sessionId":"S"}
 Target.targetCrashed {"targetId":""}
 Target.targetCrashed {}
 Inspector.targetCrashed {}`), nil)
	for _, s := range []*Session{c.Session("S"), c.Session("O"), c.Browser()} {
		if err := wellAfter(t, s); err != nil {
			t.Fatalf("session %q: %v", s.ID(), err)
		}
	}
}
