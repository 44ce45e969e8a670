package contract

import (
	"fmt"
	"strings"
)

// Kind says what went wrong. The set is closed: [Kinds] lists it with everything that follows from a kind.
type Kind string

// The kinds of contract.md §4.
const (
	NotFound           Kind = "not_found"
	Ambiguous          Kind = "ambiguous"
	StaleReference     Kind = "stale_reference"
	StaleRevision      Kind = "stale_revision"
	Disabled           Kind = "disabled"
	HitTestBlocked     Kind = "hit_test_blocked"
	OutsideViewport    Kind = "outside_viewport"
	Detached           Kind = "detached"
	NotVisible         Kind = "not_visible"
	UnstableGeometry   Kind = "unstable_geometry"
	GeometryChanged    Kind = "geometry_changed"
	NodeUnavailable    Kind = "node_unavailable"
	Denied             Kind = "denied"
	NeedsConfirmation  Kind = "confirmation_required"
	Timeout            Kind = "timeout"
	VerificationFailed Kind = "verification_failed"
	Transport          Kind = "transport"
	InvalidArgument    Kind = "invalid_argument"
	Unavailable        Kind = "unavailable"
	Canceled           Kind = "canceled"
)

// Phase says how far an operation had come. A failure in a phase before [PhaseDispatch] proves that nothing was sent.
type Phase string

// The phases of contract.md §4.
const (
	PhasePolicy        Phase = "policy"
	PhasePreflight     Phase = "preflight"
	PhaseResolution    Phase = "target_resolution"
	PhaseDispatch      Phase = "dispatch"
	PhaseBrowserEffect Phase = "browser_effect"
	PhaseSurfaceEffect Phase = "surface_effect"
	PhaseVerification  Phase = "verification"
	PhaseTransport     Phase = "transport"
)

// Recovery says whether repeating the same call is safe.
type Recovery string

// The recoveries of contract.md §4. RetrySafe is given only where dispatch provably did not happen.
const (
	RecoveryNone   Recovery = "none"
	RecoveryReport Recovery = "report"
	RetrySafe      Recovery = "retry_safe"
)

// Tools that a failure may suggest, by their names on the page surface. Other surfaces translate [ToolObserve].
const (
	ToolNone          = "none"
	ToolObserve       = "observe"
	ToolScroll        = "scroll"
	ToolDismissDialog = "dismissDialog"
)

// KindInfo is everything that follows from a kind alone.
type KindInfo struct {
	Kind        Kind
	FailureKind string
	Recoverable bool
	Suggested   string
	Exit        int // exit code of the CLI (frontends.md §2)
	HTTPStatus  int
}

// Kinds is the failure table of contract.md §4, in its order. Documents are generated from it.
var Kinds = []KindInfo{
	{NotFound, "target_not_found", true, ToolObserve, 1, 404},
	{Ambiguous, "ambiguous_target", false, ToolNone, 1, 409},
	{StaleReference, "stale_revision", true, ToolObserve, 1, 409},
	{StaleRevision, "stale_revision", true, ToolObserve, 1, 409},
	{Disabled, "verification_failed", false, ToolNone, 1, 409},
	{HitTestBlocked, "verification_failed", true, ToolNone, 1, 409},
	{OutsideViewport, "verification_failed", true, ToolScroll, 1, 409},
	{Detached, "verification_failed", true, ToolObserve, 1, 409},
	{NotVisible, "verification_failed", true, ToolObserve, 1, 409},
	{UnstableGeometry, "verification_failed", true, ToolObserve, 1, 409},
	{GeometryChanged, "verification_failed", true, ToolObserve, 1, 409},
	{NodeUnavailable, "verification_failed", true, ToolObserve, 1, 409},
	{Denied, "denied", false, ToolNone, 3, 403},
	{NeedsConfirmation, "confirmation_required", false, ToolNone, 3, 403},
	{Timeout, "timeout", true, ToolNone, 5, 504},
	{VerificationFailed, "verification_failed", false, ToolObserve, 1, 422},
	{Transport, "transport", false, ToolNone, 4, 502},
	{InvalidArgument, "invalid_argument", false, ToolNone, 2, 400},
	{Unavailable, "unavailable", true, ToolNone, 4, 503},
	{Canceled, "canceled", true, ToolNone, 130, 499},
}

// Info returns the table's row for k. An unknown kind is a programming error and gets the row of [Transport].
func (k Kind) Info() KindInfo {
	for _, row := range Kinds {
		if row.Kind == k {
			return row
		}
	}
	return Transport.Info()
}

// Failure is the typed result of an operation that did not succeed (contract.md §4). It is the one error type that
// callers branch on. Its message is for people, names what is wrong and what to do, is at most [MessageBytes] long and
// never holds typed text, secrets or page source.
type Failure struct {
	Kind            Kind        `json:"kind"`
	FailureKind     string      `json:"failureKind"`
	Phase           Phase       `json:"phase"`
	Recoverable     bool        `json:"recoverable"`
	SuggestedTool   string      `json:"suggested_tool"`
	Recovery        Recovery    `json:"recovery"`
	Reason          string      `json:"reason,omitzero"`
	Message         string      `json:"message"`
	Hint            string      `json:"hint,omitzero"`
	Argument        string      `json:"argument,omitzero"`
	ExecutionID     string      `json:"executionId,omitzero"`
	CurrentRevision Revision    `json:"currentRevision,omitzero"`
	TargetID        string      `json:"targetId,omitzero"`
	FrameID         string      `json:"frameId,omitzero"`
	ApprovalID      string      `json:"approvalId,omitzero"`
	Condition       string      `json:"condition,omitzero"`
	DeadlineMs      int64       `json:"deadlineMs,omitzero"`
	LastState       string      `json:"lastState,omitzero"`
	Candidates      []Candidate `json:"candidates,omitzero"`
	Dialog          *Dialog     `json:"dialog,omitzero"`

	cause error
}

// Candidate is one of the elements that an ambiguous locator matched, with a reference that names it alone.
type Candidate struct {
	Reference string `json:"reference,omitzero"`
	Role      string `json:"role,omitzero"`
	Name      string `json:"name,omitzero"`
	Text      string `json:"text,omitzero"`
	Region    string `json:"region,omitzero"`
	Nearby    string `json:"nearby,omitzero"`
}

// Dialog is a JavaScript dialog that waits for an answer. Texts are cut to [DialogBytes].
type Dialog struct {
	Type         string `json:"type"`
	Message      string `json:"message,omitzero"`
	DefaultValue string `json:"defaultValue,omitzero"`
}

// Fail makes a failure of the kind in the phase, with everything that follows from the kind filled in. Before dispatch
// a recoverable failure is marked safe to repeat only by its maker (see [Failure.Safe]).
func Fail(kind Kind, phase Phase, format string, args ...any) *Failure {
	row := kind.Info()
	f := &Failure{
		Kind: row.Kind, FailureKind: row.FailureKind, Phase: phase, Recoverable: row.Recoverable,
		SuggestedTool: row.Suggested, Recovery: RecoveryNone,
		Message: Cut(OneLine(fmt.Sprintf(format, args...)), MessageBytes),
	}
	if row.Recoverable {
		f.Recovery = RecoveryReport
	}
	return f
}

// Invalid is the failure for a bad argument: nothing was started.
func Invalid(argument, format string, args ...any) *Failure {
	f := Fail(InvalidArgument, PhasePreflight, "%s: %s", argument, fmt.Sprintf(format, args...))
	f.Argument = argument
	return f
}

// Safe marks f as provably not dispatched, so that the same call may be repeated.
func (f *Failure) Safe() *Failure { f.Recovery = RetrySafe; return f }

// Because adds the machine-readable word that says more than the kind.
func (f *Failure) Because(reason string) *Failure { f.Reason = reason; return f }

// WithHint adds what a person can do about it, on a line of its own.
func (f *Failure) WithHint(format string, args ...any) *Failure {
	f.Hint = Cut(OneLine(fmt.Sprintf(format, args...)), MessageBytes)
	return f
}

// Wrap keeps the cause for logs and errors.Is; it is not part of the result.
func (f *Failure) Wrap(cause error) *Failure { f.cause = cause; return f }

// Suggest names the tool that helps next.
func (f *Failure) Suggest(tool string) *Failure { f.SuggestedTool = tool; return f }

// Error is the message, and the hint when there is one.
func (f *Failure) Error() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + " (" + f.Hint + ")"
}

// Unwrap gives the cause, which never leaves the process.
func (f *Failure) Unwrap() error { return f.cause }

// BeforeDispatch reports whether f proves that nothing was sent to the surface.
func (f *Failure) BeforeDispatch() bool {
	return f.Phase == PhasePolicy || f.Phase == PhasePreflight || f.Phase == PhaseResolution
}

// OneLine turns line breaks and control characters into single blanks, so that foreign text cannot forge lines.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == ' ' }), " ")
}
