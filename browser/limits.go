package browser

import (
	"time"

	"github.com/glasskit/glass/contract"
)

// Bounds of the page surface (browser.md §2, §5, §6, §7).
const (
	TextBytes          = 16 << 10 // visible text of one observation
	OutlineNodes       = 128
	ControlCount       = 32
	LabelBytes         = 4 << 10 // names of all controls of one observation together
	NameBytes          = 256     // name of one control as shown; locators match up to a segment's length
	RoleBytes          = 64
	RegionBytes        = 64
	ValueBytes         = 256 // value of one control that shows one
	TitleBytes         = 512
	URLBytes           = 2048
	TopologyEvents     = 64
	TargetCount        = 32
	FrameCount         = 128
	IDBytes            = 256
	FormControls       = 16
	FormValueBytes     = 256
	FormLabelBytes     = 128
	FillFields         = 32
	TypeBytes          = 64 << 10
	ShortcutBytes      = 64
	LocatorBytes       = contract.ChainSegments*contract.ChainSegmentBytes + 64
	ConditionBytes     = 2048
	FindMatches        = 32
	FindQueryBytes     = 256
	ClosedRoots        = 64
	DOMNodes           = 10_000
	DOMDepth           = 256
	DOMBytes           = 1 << 20
	ScriptBytes        = 64 << 10
	ScriptResultBytes  = 256 << 10
	ScreenshotBytes    = 16 << 20
	ClickCount         = 3
	SessionCount       = 32
	ObserveDeadline    = 2 * time.Second // one attempt; in-page scripts stop themselves at 700 ms
	FirstLayoutGrace   = 5 * time.Second // for the first layout of a document, before the attempts are timed
	QuietAfterAction   = 50 * time.Millisecond
	LeaveAfterAction   = 500 * time.Millisecond // for a navigation that a press announced to begin
	NavigationAfter    = 5 * time.Second        // for a navigation that a press began to show its document
	PopupWait          = 2 * time.Second        // for a window that a press opened to be registered
	DialogWait         = 500 * time.Millisecond
	FrameMoveWait      = 2 * time.Second // for a frame between two processes to arrive
	ActionDeadline     = 30 * time.Second
	NavigationDeadline = 30 * time.Second
	UnresponsiveAfter  = 5 * time.Second // a page that answers nothing for this long has its script ended
)

// Limits lists the bounds of the page surface, for documents and for the test that tries each from both sides.
func Limits() []contract.Limit {
	const b = "browser"
	ms := func(d time.Duration) int64 { return d.Milliseconds() }
	return []contract.Limit{
		{Surface: b, Name: "TextBytes", Value: TextBytes, Unit: "bytes", Source: "browser.md §2"},
		{Surface: b, Name: "OutlineNodes", Value: OutlineNodes, Unit: "nodes", Source: "browser.md §2"},
		{Surface: b, Name: "ControlCount", Value: ControlCount, Unit: "controls", Source: "browser.md §2"},
		{Surface: b, Name: "LabelBytes", Value: LabelBytes, Unit: "bytes", Source: "browser.md §2"},
		{Surface: b, Name: "NameBytes", Value: NameBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "RoleBytes", Value: RoleBytes, Unit: "bytes", Source: "browser.md §2"},
		{Surface: b, Name: "RegionBytes", Value: RegionBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "ValueBytes", Value: ValueBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "TitleBytes", Value: TitleBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "URLBytes", Value: URLBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "TopologyEvents", Value: TopologyEvents, Unit: "events", Source: "browser.md §6"},
		{Surface: b, Name: "TargetCount", Value: TargetCount, Unit: "targets", Source: "browser.md §6"},
		{Surface: b, Name: "FrameCount", Value: FrameCount, Unit: "frames", Source: "browser.md §6"},
		{Surface: b, Name: "IDBytes", Value: IDBytes, Unit: "bytes", Source: "browser.md §6"},
		{Surface: b, Name: "FormControls", Value: FormControls, Unit: "controls", Source: "browser.md §2"},
		{Surface: b, Name: "FormValueBytes", Value: FormValueBytes, Unit: "bytes", Source: "browser.md §2"},
		{Surface: b, Name: "FormLabelBytes", Value: FormLabelBytes, Unit: "bytes", Source: "browser.md §2"},
		{Surface: b, Name: "FillFields", Value: FillFields, Unit: "fields", Source: "browser.md §4"},
		{Surface: b, Name: "TypeBytes", Value: TypeBytes, Unit: "bytes", Source: "browser.md §3"},
		{Surface: b, Name: "ShortcutBytes", Value: ShortcutBytes, Unit: "bytes", Source: "browser.md §3"},
		{Surface: b, Name: "LocatorBytes", Value: LocatorBytes, Unit: "bytes", Source: "contract.md §7"},
		{Surface: b, Name: "ConditionBytes", Value: ConditionBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "FindMatches", Value: FindMatches, Unit: "matches", Source: "this project"},
		{Surface: b, Name: "FindQueryBytes", Value: FindQueryBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "ClosedRoots", Value: ClosedRoots, Unit: "roots", Source: "browser.md §2"},
		{Surface: b, Name: "DOMNodes", Value: DOMNodes, Unit: "nodes", Source: "this project"},
		{Surface: b, Name: "DOMDepth", Value: DOMDepth, Unit: "levels", Source: "this project"},
		{Surface: b, Name: "DOMBytes", Value: DOMBytes, Unit: "bytes", Source: "browser.md §2"},
		{Surface: b, Name: "ScriptBytes", Value: ScriptBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "ScriptResultBytes", Value: ScriptResultBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "ScreenshotBytes", Value: ScreenshotBytes, Unit: "bytes", Source: "this project"},
		{Surface: b, Name: "ClickCount", Value: ClickCount, Unit: "clicks", Source: "this project"},
		{Surface: b, Name: "SessionCount", Value: SessionCount, Unit: "sessions", Source: "this project"},
		{Surface: b, Name: "ObserveDeadline", Value: ms(ObserveDeadline), Unit: "ms", Source: "browser.md §2"},
		{Surface: b, Name: "FirstLayoutGrace", Value: ms(FirstLayoutGrace), Unit: "ms", Source: "browser.md §2"},
		{Surface: b, Name: "QuietAfterAction", Value: ms(QuietAfterAction), Unit: "ms", Source: "browser.md §4"},
		{Surface: b, Name: "LeaveAfterAction", Value: ms(LeaveAfterAction), Unit: "ms", Source: "this project"},
		{Surface: b, Name: "NavigationAfter", Value: ms(NavigationAfter), Unit: "ms", Source: "browser.md §4"},
		{Surface: b, Name: "PopupWait", Value: ms(PopupWait), Unit: "ms", Source: "this project"},
		{Surface: b, Name: "DialogWait", Value: ms(DialogWait), Unit: "ms", Source: "browser.md §7"},
		{Surface: b, Name: "FrameMoveWait", Value: ms(FrameMoveWait), Unit: "ms", Source: "this project"},
		{Surface: b, Name: "ActionDeadline", Value: ms(ActionDeadline), Unit: "ms", Source: "this project"},
		{Surface: b, Name: "NavigationDeadline", Value: ms(NavigationDeadline), Unit: "ms", Source: "this project"},
		{Surface: b, Name: "UnresponsiveAfter", Value: ms(UnresponsiveAfter), Unit: "ms", Source: "this project"},
	}
}
