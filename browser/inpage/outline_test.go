package inpage

import (
	"fmt"
	"strings"
	"testing"
)

type outlineNode struct {
	Role, Name string
	Level      int
}

func TestOutline(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<header>site<h1>Shop</h1></header><nav aria-label="Main"><ul><li><a href=#>x</a></ul></nav>
		<main><h2>Orders</h2><section aria-label="Open">o</section><div id=h></div><h2>After</h2><h3 hidden>no</h3>
		<div aria-hidden=true><h3>no</h3></div>
		<table><caption>Prices</caption><tr><td>1</table><table><tr><td>nameless</table>
		<form aria-label="Sign in">f</form><form>f</form></main>
		<div role=dialog aria-label="Delete">d</div><footer>f</footer>
		<script>h.attachShadow({mode: 'open'}).innerHTML = '<h3>In <b>shade</b></h3>'</script>`)
	var got struct {
		Nodes []outlineNode
		Cut   bool
	}
	c.eval(t, `glass.outlineOf(document, 128, 4096)`, &got)
	want := []string{"banner", "heading 1 Shop", "navigation Main", "main", "heading 2 Orders", "region Open", "heading 3 In shade",
		"heading 2 After", "table Prices", "form Sign in", "dialog Delete", "contentinfo"}
	if lines := outlineLines(got.Nodes); strings.Join(lines, "\n") != strings.Join(want, "\n") || got.Cut {
		t.Errorf("got %q, cut %t\nwant %q", lines, got.Cut, want)
	}
	c.eval(t, `glass.outlineOf(document, 3, 4096)`, &got)
	if len(got.Nodes) != 3 || !got.Cut {
		t.Errorf("three of many: %d nodes, cut %t", len(got.Nodes), got.Cut)
	}
	c.eval(t, `glass.outlineOf(document, 128, 6)`, &got)
	if !got.Cut {
		t.Error("a spent label budget is not said")
	}
}

func outlineLines(nodes []outlineNode) []string {
	var out []string
	for _, n := range nodes {
		line := n.Role
		if n.Level > 0 {
			line += fmt.Sprintf(" %d", n.Level)
		}
		if n.Name != "" {
			line += " " + n.Name
		}
		out = append(out, line)
	}
	return out
}

func TestRegion(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<button id=a>a</button><nav aria-label=Main><button id=b>b</button></nav><main>
		<form aria-label="Sign in"><fieldset><button id=c>c</button></fieldset></form>
		<section><button id=d>d</button></section><div role=dialog aria-labelledby=t><h2 id=t>Delete order</h2>
		<div id=h></div></div></main>
		<script>h.attachShadow({mode: 'open'}).innerHTML = '<button id=e>e</button>'</script>`)
	for id, want := range map[string]string{"a": "", "b": "navigation Main", "c": "form Sign in", "d": "main"} {
		var got string
		c.eval(t, `glass.regionOf(document.getElementById(`+js(id)+`))`, &got)
		if got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	var got string
	c.eval(t, `glass.regionOf(document.getElementById('h').shadowRoot.getElementById('e'))`, &got)
	if got != "dialog Delete order" {
		t.Errorf("in a shadow root: %q", got)
	}
}
