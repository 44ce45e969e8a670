package inpage

import "testing"

// TestSheetsAreReadAnew: what the page's sheets may do is remembered per sheet, and found again when a sheet changes.
func TestSheetsAreReadAnew(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<!doctype html><style id=s>p{margin:0}</style><p id=a>one</p><p id=b class=x>two</p><button id=n class=x>Go</button>`)
	ask := func() (text, name string) {
		c.eval(t, `glass.visibleText(document.body, 1000, 0).text`, &text)
		c.eval(t, `glass.nameOf(n, 100).name`, &name)
		return text, name
	}
	for _, step := range []struct{ change, text, name string }{
		{``, "one\n\ntwo\n\nGo", "Go"},
		{`s.sheet.insertRule('.x::before{content:"so "}', 1)`, "one\n\ntwo\n\nGo", "so Go"},
		{`s.sheet.insertRule('p.x{opacity:0}', 2)`, "one\n\nGo", "so Go"},
		{`s.sheet.deleteRule(2); s.sheet.insertRule('p{text-transform:uppercase}', 2)`, "ONE\n\nTWO\n\nGo", "so Go"},
		{`s.textContent = '#a{position:absolute;left:-9000px}'`, "two\n\nGo", "Go"},
		{`{ const sheet = new CSSStyleSheet(); sheet.replaceSync('#b{font-size:0}'); document.adoptedStyleSheets = [sheet] }`, "Go", "Go"},
	} {
		if step.change != "" {
			c.eval(t, step.change+`; 0`, nil)
		}
		if text, name := ask(); text != step.text || name != step.name {
			t.Errorf("after %q: text %q and name %q, want %q and %q", step.change, text, name, step.text, step.name)
		}
	}
}
