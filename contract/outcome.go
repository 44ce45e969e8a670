package contract

// Status of an action that ran.
type Status string

// An action either did what it set out to do, or ran and found on reading back that the surface shows something else.
const (
	Succeeded                 Status = "succeeded"
	CompletedWithVerification Status = "completed_with_verification_failure"
)

// Outcome is the typed result of an action (contract.md §3), in its full form. Surfaces embed it in their results.
type Outcome struct {
	Status           Status        `json:"status"`
	Action           string        `json:"action"`
	ExecutionID      string        `json:"executionId"`
	Target           *TargetLabel  `json:"target,omitzero"`
	Revision         Revision      `json:"revision"`
	PreviousRevision Revision      `json:"previousRevision"`
	CurrentRevision  Revision      `json:"currentRevision"`
	Verification     *Verification `json:"verification,omitzero"`
	Delta            *Delta        `json:"delta,omitzero"`
	Evidence         *Evidence     `json:"evidence,omitzero"`
}

// TargetLabel is the element that an action used, as it was resolved.
type TargetLabel struct {
	Label     string `json:"label,omitzero"`
	Reference string `json:"reference,omitzero"`
}

// Verification is what the action observed of its own effect.
type Verification struct {
	RevisionDelta     int64              `json:"revisionDelta"`
	URLChanged        bool               `json:"urlChanged"`
	TitleChanged      bool               `json:"titleChanged"`
	TargetChanged     bool               `json:"targetChanged"`
	FrameChanged      bool               `json:"frameChanged"`
	PopupOpened       string             `json:"popupOpened,omitzero"`
	DialogOpen        *Dialog            `json:"dialogOpen,omitzero"`
	DownloadStarted   bool               `json:"downloadStarted,omitzero"`
	NavigationPending bool               `json:"navigationPending,omitzero"`
	AccessibilityDiff *AccessibilityDiff `json:"accessibilityDiff,omitzero"`
}

// AccessibilityDiff counts the controls that an action added, removed and changed.
type AccessibilityDiff struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
}

// Delta is what an agent needs in order to go on without observing again. Added, Removed and Changed hold at most
// [DeltaEntries] entries together; Omitted counts the rest. References of kept controls are valid at the current
// revision with the same node id.
type Delta struct {
	Added   []DeltaEntry `json:"added,omitzero"`
	Removed []DeltaEntry `json:"removed,omitzero"`
	Changed []DeltaEntry `json:"changed,omitzero"`
	Kept    int          `json:"kept"`
	Omitted *Omitted     `json:"omitted,omitzero"`
	Text    string       `json:"text,omitzero"` // the first [DeltaTextBytes] of visible text that is new
	Full    bool         `json:"newDocument,omitzero"`
}

// Omitted counts what a delta left out, by kind.
type Omitted struct {
	Added   int `json:"added,omitzero"`
	Removed int `json:"removed,omitzero"`
	Changed int `json:"changed,omitzero"`
}

// DeltaEntry is one control that was added, removed or changed.
type DeltaEntry struct {
	Ref    string   `json:"ref"`
	Role   string   `json:"role,omitzero"`
	Name   string   `json:"name,omitzero"`
	States []string `json:"states,omitzero"`
	Value  string   `json:"value,omitzero"`
	Was    string   `json:"was,omitzero"`
}

// Evidence holds what an action itself can prove.
type Evidence struct {
	FileCount    int      `json:"fileCount,omitzero"`
	Chosen       []string `json:"chosen,omitzero"`
	Checked      *bool    `json:"checked,omitzero"`
	KeptLength   *int     `json:"keptLength,omitzero"`  // characters that the field holds after typing, when not what was typed
	TypedLength  *int     `json:"typedLength,omitzero"` // characters that were typed
	Reason       string   `json:"reason,omitzero"`      // why the field holds something else
	AlreadySo    bool     `json:"alreadySo,omitzero"`   // the state was as asked for; nothing was pressed
	ScrolledBy   *Point   `json:"scrolledBy,omitzero"`
	Position     *Point   `json:"position,omitzero"`
	Occurrences  int      `json:"occurrences,omitzero"`
	DialogAnswer string   `json:"dialogAnswer,omitzero"`
}

// Point is a position or distance in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}
