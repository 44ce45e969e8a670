// Package inpage holds the scripts that run in the isolated world of a page: what the page says about itself. The scripts
// share the page's DOM and none of its JavaScript; they never write to the DOM, never call page code, never move focus or
// scroll.
//
// All files share one function scope. The last one publishes what callers may use as globalThis.glass.
package inpage

import (
	_ "embed"
	"strings"
	"sync"
)

var (
	//go:embed util.js
	utilJS string
	//go:embed roles.js
	rolesJS string
	//go:embed tables.js
	tablesJS string
	//go:embed names.js
	namesJS string
	//go:embed states.js
	statesJS string
	//go:embed sheets.js
	sheetsJS string
	//go:embed visible.js
	visibleJS string
	//go:embed controls.js
	controlsJS string
	//go:embed text.js
	textJS string
	//go:embed outline.js
	outlineJS string
	//go:embed context.js
	contextJS string
	//go:embed main.js
	mainJS string
)

// order is the order of the files: constants before their use at load time, main.js last.
func order() []string {
	return []string{
		utilJS, rolesJS, tablesJS, namesJS, statesJS, sheetsJS, visibleJS, controlsJS, textJS, outlineJS, contextJS, mainJS,
	}
}

// Source returns the whole script: one expression to evaluate once in an isolated world. A second evaluation in the same
// world changes nothing.
func Source() string { return source() }

var source = sync.OnceValue(func() string {
	var b strings.Builder
	// A page's element with the id "glass" is a property of the global object's prototype chain, not its own.
	b.WriteString("(() => { 'use strict'; if (Object.hasOwn(globalThis, 'glass')) return;\n")
	for _, file := range order() {
		b.WriteString(file)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String()
})
