package contract

import "time"

// Bounds shared by all surfaces (contract.md §7).
const (
	MessageBytes      = 512
	CandidateCount    = 8
	CandidateBytes    = 160
	ChainSegments     = 8
	ChainSegmentBytes = 1024
	LastStateBytes    = 512
	DialogBytes       = 512
	DeltaEntries      = 16
	DeltaTextBytes    = 512
	ContextBytes      = 2048
	RequestBytes      = 4 << 20
	ResponseBytes     = 1 << 20
	RequestsInFlight  = 16
	WaitDefault       = 10 * time.Second
	WaitMaximum       = 300 * time.Second
)

// Limit is one named bound, for documents and for the tests that try every bound from both sides.
type Limit struct {
	Surface string
	Name    string
	Value   int64
	Unit    string
	Source  string // the section of the specification that states it
}

// Limits lists the bounds that all surfaces share; each surface has a list of its own.
func Limits() []Limit {
	const all, c7 = "all", "contract.md §7"
	return []Limit{
		{all, "MessageBytes", MessageBytes, "bytes", c7},
		{all, "CandidateCount", CandidateCount, "candidates", c7},
		{all, "CandidateBytes", CandidateBytes, "bytes", c7},
		{all, "ChainSegments", ChainSegments, "segments", c7},
		{all, "ChainSegmentBytes", ChainSegmentBytes, "bytes", c7},
		{all, "LastStateBytes", LastStateBytes, "bytes", "contract.md §4"},
		{all, "DialogBytes", DialogBytes, "bytes", "browser.md §7"},
		{all, "DeltaEntries", DeltaEntries, "entries", "contract.md §3"},
		{all, "DeltaTextBytes", DeltaTextBytes, "bytes", "contract.md §3"},
		{all, "ContextBytes", ContextBytes, "bytes", "contract.md §1"},
		{all, "RequestBytes", RequestBytes, "bytes", c7},
		{all, "ResponseBytes", ResponseBytes, "bytes", c7},
		{all, "RequestsInFlight", RequestsInFlight, "requests", c7},
		{all, "WaitDefault", WaitDefault.Milliseconds(), "ms", c7},
		{all, "WaitMaximum", WaitMaximum.Milliseconds(), "ms", c7},
	}
}
