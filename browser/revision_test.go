package browser

import "testing"

func TestNumbersOfEarlierDocumentsAreNeverReused(t *testing.T) {
	var r revisions
	r.notice("A", "h")
	r.learn(1, 42)
	r.learn(2, 43)
	if got := r.ref(1); got != "r1:b42" {
		t.Errorf("first reference is %s", got)
	}
	r.notice("B", "h")
	r.learn(1, 42) // the next document's renderer counts from the start again
	r.learn(2, 44)
	if got := r.node(1); got == 42 || got == 43 {
		t.Errorf("number %d of the earlier document is used again", got)
	}
	if _, known := r.byNode[42]; known {
		t.Error("b42 still names a node")
	}
	if got := r.node(2); got == r.node(1) || got == 42 || got == 43 {
		t.Errorf("number %d is not free", got)
	}
	if r.now() != 2 {
		t.Errorf("revision %d after one replacement", r.now())
	}
}

func TestNotice(t *testing.T) {
	var r revisions
	for i, c := range []struct {
		doc, hash string
		advanced  bool
	}{{"A", "1", true}, {"A", "1", false}, {"A", "2", true}, {"B", "2", true}, {"B", "2", false}} {
		if got := r.notice(c.doc, c.hash); got != c.advanced {
			t.Errorf("step %d: advanced %v", i, got)
		}
	}
	if r.now() != 3 {
		t.Errorf("revision is %d", r.now())
	}
}
