package browser

import (
	"encoding/json/v2"
	"errors"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/cdp"
	"github.com/glasskit/glass/internal/textsafe"
)

// errDialog ends an in-page call because a dialog opened; errReplaced because the document was replaced.
var (
	errDialog   = errors.New("a dialog is open")
	errReplaced = errors.New("the document was replaced")
)

// pageEvents are the events that keep a page's state. They are handled on the connection's reader, in order, before any
// later reply is delivered: an operation that has its reply has also seen everything that happened before it.
var pageEvents = []string{
	"Page.frameAttached", "Page.frameDetached", "Page.frameNavigated", "Page.navigatedWithinDocument",
	"Page.frameRequestedNavigation", "Page.frameStartedNavigating", "Page.frameStoppedLoading", "Page.lifecycleEvent",
	"Page.javascriptDialogOpening", "Page.javascriptDialogClosed", "Page.windowOpen",
	"Inspector.targetCrashed",
}

// frameEvent is the union of the parameters of the events above that Glass reads.
type frameEvent struct {
	FrameID        string    `json:"frameId"`
	ParentFrameID  string    `json:"parentFrameId"`
	Reason         string    `json:"reason"`
	Disposition    string    `json:"disposition"`
	NavigationType string    `json:"navigationType"`
	LoaderID       string    `json:"loaderId"`
	Name           string    `json:"name"`
	URL            string    `json:"url"`
	Type           string    `json:"type"`
	Message        string    `json:"message"`
	DefaultPrompt  string    `json:"defaultPrompt"`
	Frame          *cdpFrame `json:"frame"`
}

// cdpFrame is Page.Frame, as far as Glass reads it.
type cdpFrame struct {
	ID          string `json:"id"`
	ParentID    string `json:"parentId"`
	LoaderID    string `json:"loaderId"`
	Name        string `json:"name"`
	URL         string `json:"url"`
	URLFragment string `json:"urlFragment"`
	Unreachable string `json:"unreachableUrl"`
}

type frameTree struct {
	Frame  cdpFrame    `json:"frame"`
	Childs []frameTree `json:"childFrames"`
}

func (p *page) handle(from *cdp.Session, method string, params []byte) {
	var e frameEvent
	if err := json.Unmarshal(params, &e); err != nil {
		return // an event that cannot be read tells nothing
	}
	if method == "Page.windowOpen" {
		p.session.noteWindow(p.id) // the session's lock comes before a page's
	}
	p.mu.Lock()
	p.apply(from, method, e)
	p.mu.Unlock()
	p.changes.fire()
	p.session.changes.fire()
}

func (p *page) apply(from *cdp.Session, method string, e frameEvent) {
	f := p.frames[e.FrameID]
	switch method {
	case "Page.frameAttached":
		p.attachFrame(from, cdpFrame{ID: e.FrameID, ParentID: e.ParentFrameID})
	case "Page.frameDetached":
		if e.Reason == "swap" {
			p.releaseFrame(from, e.FrameID)
		} else {
			p.removeFrame(e.FrameID)
		}
	case "Page.frameNavigated":
		p.frameNavigated(from, *e.Frame)
	case "Page.navigatedWithinDocument":
		if f != nil {
			f.url = cutURL(e.URL)
			f.sameDocument++
			f.leaving = false
		}
	case "Page.frameRequestedNavigation":
		if f != nil && e.Disposition == "currentTab" {
			f.leaving = true
			f.starts++
		}
	case "Page.frameStartedNavigating":
		if f != nil && e.NavigationType != "sameDocument" && e.NavigationType != "historySameDocument" {
			f.leaving = true
			f.starts++
		}
	case "Page.frameStoppedLoading":
		if f != nil {
			f.leaving = false
		}
	case "Page.lifecycleEvent":
		p.lifecycle(f, e)
	case "Page.javascriptDialogOpening":
		p.dialog = &contract.Dialog{
			Type: e.Type, Message: contract.Cut(textsafe.Line(e.Message), contract.DialogBytes),
			DefaultValue: contract.Cut(textsafe.Line(e.DefaultPrompt), contract.DialogBytes),
		}
		p.dialogs++
		p.breakRuns(errDialog)
	case "Page.javascriptDialogClosed":
		p.dialog = nil
	case "Inspector.targetCrashed":
		if from == p.cdp { // else a frame's process has gone, and the page lives on
			p.crash(&p.ownCrashes)
		}
	}
}

// crash notes one of the two reports of a crash: the page's own, and that of the browser, which may come when the page is
// already being loaded again and must not end that.
func (p *page) crash(report *int) {
	*report++
	if report == &p.ownCrashes || p.rootCrashes > p.ownCrashes {
		p.crashed, p.dialog = true, nil
	}
}

func (p *page) attachFrame(from *cdp.Session, c cdpFrame) {
	if f := p.frames[c.ID]; f != nil { // it comes back from another process
		p.takeOver(f, from)
		return
	}
	if len(c.ID) > IDBytes || len(p.frames) >= FrameCount {
		return
	}
	f := &frame{id: c.ID, parent: c.ParentID, name: c.Name, url: cutURL(c.URL), loader: c.LoaderID}
	p.takeOver(f, from)
	if c.ParentID == "" {
		p.mainFrame = c.ID
	} else {
		p.frameNumber++
		f.number = p.frameNumber
	}
	p.frames[c.ID] = f
	p.frameOrder = append(p.frameOrder, c.ID)
}

func (p *page) removeFrame(id string) {
	f := p.frames[id]
	if f == nil {
		return
	}
	for child, c := range p.frames {
		if c.parent == id {
			p.removeFrame(child)
		}
	}
	delete(p.frames, id)
	delete(p.routes, id)
	for i, known := range p.frameOrder {
		if known == id {
			p.frameOrder = append(p.frameOrder[:i:i], p.frameOrder[i+1:]...)
			break
		}
	}
	p.loseFrame(id)
}

// loseFrame ends the selection of a frame that has gone or shows another document (browser.md §6).
func (p *page) loseFrame(id string) {
	if p.selectedFrame == id {
		p.selectedFrame, p.lostFrame = "", true
	}
}

func (p *page) frameNavigated(from *cdp.Session, c cdpFrame) {
	f := p.frames[c.ID]
	if f == nil {
		if c.ParentID == "" { // the first document, or a main frame that moved to another process
			p.mainFrame = c.ID
		}
		p.attachFrame(from, c)
		if f = p.frames[c.ID]; f == nil {
			return
		}
	}
	if f.loader != c.LoaderID {
		f.lifecycle = 0
		if c.ParentID != "" {
			p.loseFrame(c.ID)
		}
	}
	f.parent, f.name, f.url, f.loader = c.ParentID, c.Name, cutURL(c.URL+c.URLFragment), c.LoaderID
	f.leaving = false
	p.takeOver(f, from)
	if c.ParentID == "" {
		p.dialog = nil // its document has gone; the browser does not always say that it closed
		p.info.URL = f.url
		p.crashed = false
	}
}

func (p *page) lifecycle(f *frame, e frameEvent) {
	if f == nil {
		return
	}
	if e.LoaderID != f.loader {
		if e.Name != "init" && e.Name != "commit" {
			return
		}
		if f.parent != "" && f.loader != "" { // this may come before frameNavigated
			p.loseFrame(f.id)
		}
		f.loader, f.lifecycle = e.LoaderID, 0
	}
	f.lifecycle.add(e.Name)
}

func cutURL(u string) string { return contract.Cut(textsafe.Line(u), URLBytes) }
