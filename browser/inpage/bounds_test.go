package inpage

import (
	"testing"
	"time"
	"unicode/utf8"
)

// TestHostilePages: pages made to be expensive are answered within bounds.
func TestHostilePages(t *testing.T) {
	c := startChromium(t)
	for name, script := range map[string]string{
		"huge label":    `b.setAttribute('aria-label', 'é'.repeat(5e6))`,
		"huge text":     `b.textContent = 'word '.repeat(2e6)`,
		"many children": `b.innerHTML = '<i>x</i>'.repeat(50000)`,
		"deep":          `let e = b; for (let i = 0; i < 5000; i++) { const d = document.createElement('span'); d.textContent = 'x'; e.append(d); e = d }`,
		"empty deep": `let e = b; for (let i = 0; i < 3000; i++) { e.innerHTML = '<i></i><i></i><i>
			</i>'; e = e.lastChild }`,
		"label loop": `b.innerHTML = '<span id=x aria-labelledby="y">x</span>
			<span id=y aria-labelledby="x">y</span>'; b.setAttribute('aria-labelledby', 'x y b')`,
		"owns loop":  `b.innerHTML = '<span id=x aria-owns=b>x</span>'; b.setAttribute('aria-owns', 'x')`,
		"many rules": `const s = document.createElement('style'); s.textContent = '.a:nth-child(2){color:red}'.repeat(20000); document.head.append(s)`,
	} {
		t.Run(name, func(t *testing.T) {
			c.open(t, `<!doctype html><body><button id=b>B</button><p>after</p><script>`+script+`</script>`)
			var got struct {
				Name, Role, Text, Context string
				Cut, Seen                 bool
			}
			start := time.Now()
			c.eval(t, `(() => { const p = glass.newPass(), n = glass.nameOf(b, 256), v = glass.visibleText(document.body, 1024, 0, p);
				return {name: n.name, cut: n.cut, role: glass.roleOf(b), text: v.text, seen: glass.isSeen(b, p), context: glass.contextOf(b),
				states: glass.statesOf(b), outline: glass.outlineOf(document, 128, 4096)} })()`, &got)
			t.Logf("%v", time.Since(start).Round(time.Millisecond))
			if got.Role != "button" || len(got.Name) > 256 || !utf8.ValidString(got.Name) || len(got.Text) > 1024 || len(got.Context) > 2048 {
				t.Errorf("role %q, name of %d bytes, text of %d, context of %d", got.Role, len(got.Name), len(got.Text), len(got.Context))
			}
		})
	}
}

// TestForeignElements: elements of other namespaces that are named like HTML are asked for nothing that they have not, and
// no named field or image of the page stands in the way.
func TestForeignElements(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<!doctype html><body><form id=f><input name=parentNode><input name=innerText></form><script>
		const names = ['label', 'input', 'select', 'option', 'textarea', 'button', 'details', 'summary', 'table', 'td', 'tr',
			'img', 'area', 'fieldset', 'form', 'dialog', 'slot', 'progress', 'meter', 'a', 'title', 'p', 'br', 'q', 'object'];
		for (const ns of ['http://www.w3.org/2000/svg', 'http://www.w3.org/1998/Math/MathML', 'urn:x', null]) {
			const box = document.createElementNS(ns, 'svg');
			for (const name of names) {
				const el = document.createElementNS(ns, name);
				for (const a of ['href', 'tabindex', 'contenteditable', 'aria-labelledby', 'list']) el.setAttribute(a, '0');
				el.textContent = 'text';
				box.append(el, el.cloneNode(true));
			}
			document.body.append(box);
		}</script>`)
	var failures []string
	c.eval(t, `(() => { const out = [], pass = glass.newPass();
		for (const el of document.querySelectorAll('*')) for (const name of ['roleOf', 'nameOf', 'statesOf', 'valueOf',
			'isDisabled', 'isSensitive', 'isControl', 'isRendered', 'isSeen', 'isInert', 'regionOf', 'contextOf', 'outlineOf']) {
			try { name === 'isSeen' ? glass.isSeen(el, pass) : glass[name](el, 64, 64); } catch (e) { out.push(name + ' ' + el.outerHTML + e) }
		}
		try { glass.visibleText(document.body, 1e5, 0, pass); glass.visibleText(document, 100, 0) } catch (e) { out.push('text ' + e) }
		return out })()`, &failures)
	for _, f := range failures {
		t.Error(f)
	}
}

func TestLabelsAreClean(t *testing.T) {
	c := startChromium(t)
	c.open(t, "<button id=a aria-label='a\u202eb\u200bc\u0007\n d\ue0001\U000e0041'>x</button><button id=b>👩\u200d👧 ok</button>")
	for id, want := range map[string]string{"a": "abc d\ue0001", "b": "👩\u200d👧 ok"} {
		var got string
		c.eval(t, `glass.nameOf(`+id+`, 256).name`, &got)
		if got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<p>x`)
	for _, s := range []string{"abc", "é€😀x", "😀😀", "", "a\u0301"} {
		for n := range 12 {
			var got string
			c.eval(t, `glass.cutBytes(`+js(s)+`, `+number(n)+`)`, &got)
			if len(got) > n || !utf8.ValidString(got) || s[:len(got)] != got {
				t.Errorf("%q at %d: %q", s, n, got)
			}
			if len(got) < len(s) {
				if _, size := utf8.DecodeRuneInString(s[len(got):]); len(got)+size <= n {
					t.Errorf("%q at %d: %q, one more character fits", s, n, got)
				}
			}
		}
		var size int
		c.eval(t, `glass.byteLength(`+js(s)+`)`, &size)
		if size != len(s) {
			t.Errorf("byteLength of %q: %d, want %d", s, size, len(s))
		}
	}
}
