// Package inpage holds the scripts that run in the isolated world of a page: what the page says about itself. The scripts
// share the page's DOM and none of its JavaScript; they never write to the DOM, never call page code, never move focus or
// scroll.
//
// All files share one function scope. The last one publishes what callers may use as globalThis.glass.
package inpage

import (
	"embed"
	"strings"
	"sync"
)

//go:embed *.js
var files embed.FS

// order is the order of the files: constants before their use at load time, main.js last.
var order = []string{
	"util.js", "handlers.js", "roles.js", "tables.js", "names.js", "states.js", "sheets.js", "visible.js", "controls.js", "text.js", "outline.js",
	"context.js", "index.js", "pointer.js", "publish.js", "tree.js", "box.js", "frames.js", "motion.js", "locate.js", "locatename.js", "select.js", "locatetext.js",
	"candidate.js", "field.js", "choose.js", "owner.js", "describe.js", "hit.js", "scroll.js", "conditions.js", "wait.js", "observe.js", "find.js", "settle.js", "act.js", "main.js",
}

// Source returns the whole script: one expression to evaluate once in an isolated world. A second evaluation in the same
// world changes nothing.
func Source() string { return source() }

var source = sync.OnceValue(func() string {
	var b strings.Builder
	// A page's element with the id "glass" is a property of the global object's prototype chain, not its own.
	b.WriteString("(() => { 'use strict'; if (Object.hasOwn(globalThis, 'glass')) return;\n")
	for _, name := range order {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // a name in the list above without its file
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String()
})
