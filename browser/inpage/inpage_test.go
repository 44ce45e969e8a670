package inpage

import (
	"slices"
	"testing"
)

// published are the names that other scripts and the Go side call.
var published = []string{
	"roleOf", "nameOf", "statesOf", "valueOf", "isDisabled", "isSensitive", "CONTROL_SELECTOR", "isControl", "newPass",
	"isRendered", "isSeen", "visibleText", "textIncludes", "outlineOf", "regionOf", "contextOf", "hashText",
}

func TestSourcePublishes(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<p id=glass>An element of the same name is no script.</p>`)
	var names []string
	c.eval(t, `Object.keys(glass)`, &names)
	for _, name := range published {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not published", name)
		}
	}
	var same bool
	c.eval(t, `{ const before = glass; `+Source()+`; before === glass }`, &same)
	if !same {
		t.Error("a second evaluation replaced the first")
	}
	c.eval(t, `glass.visibleText(document.body, 1000, 0).text === document.body.innerText`, &same)
	if !same {
		t.Error("visibleText differs from innerText")
	}
}
