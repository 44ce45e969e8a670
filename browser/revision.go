package browser

import (
	"fmt"
	"sync/atomic"

	"github.com/glasskit/glass/contract"
)

// revisions is the state of one route: the frame's current document, the revision that names its state, and the numbers
// under which its nodes are known outside (contract.md §1). The page's queue serialises its use.
type revisions struct {
	counter atomic.Int64 // read without the queue too
	doc     string       // the in-page script's name of the document
	hash    string       // of the set of controls, as last noticed
	byNode  map[int64]int
	byLocal map[int]int64
	backing map[int]int64  // backend node ids by in-page id
	retired map[int64]bool // numbers that named nodes of earlier documents
	highest int64
	cache   *cachedObservation
	resync  bool // a reply was lost: the page must tell node ids again
}

// retiredMax bounds the numbers remembered of earlier documents; beyond it all numbers up to the highest are retired.
const retiredMax = 1 << 16

// now is the current revision; zero before the first look.
func (r *revisions) now() contract.Revision { return contract.Revision(r.counter.Load()) }

// unread is the hash of a document whose controls nobody has looked at yet: the first look is no change.
const unread = "unread"

// notice compares what the page says now with what was known and advances the revision when they differ.
func (r *revisions) notice(doc, hash string) (advanced bool) {
	if r.doc == doc && (r.hash == hash || r.hash == unread) {
		r.hash = hash
		return false
	}
	r.adopt(doc, hash)
	r.counter.Add(1)
	return true
}

// acted advances the revision once for a dispatched action, whatever it changed.
func (r *revisions) acted(doc, hash string) {
	if doc != "" {
		r.adopt(doc, hash)
	}
	r.counter.Add(1)
}

// adopt takes over what the page says without advancing the revision. It reports false: nothing is stale by it.
func (r *revisions) adopt(doc, hash string) bool {
	if r.doc != doc {
		r.replaceDocument()
	}
	r.doc, r.hash = doc, hash
	return false
}

// enter is for node numbers of a document that nobody has noticed yet: they must go to it, not to the old one. The state
// is left open, so that the next notice still advances the revision.
func (r *revisions) enter(doc string) {
	r.replaceDocument()
	r.doc, r.hash = doc, ""
}

// replaceDocument retires all numbers: the browser may give the same ones to nodes of the next document, and a
// reference of this document must never press those.
func (r *revisions) replaceDocument() {
	if r.retired == nil {
		r.retired = map[int64]bool{}
	}
	for n := range r.byNode {
		if len(r.retired) < retiredMax {
			r.retired[n] = true
		}
	}
	r.byNode, r.byLocal, r.backing, r.cache = map[int64]int{}, map[int]int64{}, map[int]int64{}, nil
}

// learn records the browser's backend node id for an in-page id. Its number is the backend id itself, unless an earlier
// document's node was shown under it.
func (r *revisions) learn(local int, backend int64) {
	if r.byNode == nil {
		r.byNode, r.byLocal, r.backing = map[int64]int{}, map[int]int64{}, map[int]int64{}
	}
	if _, known := r.byLocal[local]; known {
		return
	}
	number := backend
	_, taken := r.byNode[number]
	if taken || r.retired[number] || len(r.retired) >= retiredMax && number <= r.highest {
		number = r.highest + 1
	}
	r.highest = max(r.highest, number)
	r.byNode[number], r.byLocal[local], r.backing[local] = local, number, backend
}

// node is the number of an in-page id; it is zero when the browser has not told it.
func (r *revisions) node(local int) int64 { return r.byLocal[local] }

// backend is the browser's own id of an in-page id; zero when it has not been told.
func (r *revisions) backend(local int) int64 { return r.backing[local] }

func (r *revisions) ref(local int) string {
	n := r.node(local)
	if n == 0 {
		return ""
	}
	return contract.Ref{Revision: r.now(), Node: nodeName(n)}.String()
}

func nodeName(n int64) string { return fmt.Sprintf("b%d", n) }
