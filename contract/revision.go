package contract

import (
	"strconv"
	"strings"
)

// Revision names a state that an observation showed: positive, only growing, never reused within a session and route
// (contract.md §1). Zero means none.
type Revision int64

// Ref is a reference: one element at one revision, or, with Revision zero, the same element for as long as nothing
// about it has changed. Node is the surface's own name for the element, such as "b42".
type Ref struct {
	Revision Revision
	Node     string
}

// String writes the reference as locators read it: "r7:b42", or "b42" without a revision.
func (r Ref) String() string {
	if r.Revision == 0 {
		return r.Node
	}
	return "r" + strconv.FormatInt(int64(r.Revision), 10) + ":" + r.Node
}

// ParseRef reads "r7:b42". It reports false for anything else.
func ParseRef(s string) (Ref, bool) {
	head, node, found := strings.Cut(s, ":")
	digits, isRef := strings.CutPrefix(head, "r")
	if !found || !isRef || node == "" || !isDecimal(digits) {
		return Ref{}, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 {
		return Ref{}, false
	}
	return Ref{Revision: Revision(n), Node: node}, true
}

func isDecimal(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
