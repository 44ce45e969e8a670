package inpage

import "testing"

func TestContext(t *testing.T) {
	c := startChromium(t)
	c.open(t, `
		<table><tr id=row><td>INV-7 <a href=#>Details</a></td><td>12.50</td><td><button id=pay>Pay</button> <select>
		<option>a<option>b</select><input value=typed></td></tr></table>
		<ul><li>Tea <b>2.00</b> <button id=buy>Buy</button><span hidden>secret</span></li></ul>
		<form><p>Sign in to go on</p><label>User <input id=user value=ada></label><button id=go>Go</button>
		<a href=#>Help</a></form>
		<div><div><span><button id=lone>Lone</button></span></div><p>Words nearby</p><button>Other</button></div>
		<div role=dialog><h2>Delete order 7?</h2><button id=del>Delete</button><div contenteditable>draft</div></div>
		<article><h3>Card</h3><a href=# id=more>More</a><a href=#>Share</a></article><div id=h><b>slotted</b></div>
		<script>h.attachShadow({mode: 'open'}).innerHTML =
			'<section>In shade <slot></slot><button id=s>S</button></section>'</script>`)
	for id, want := range map[string]string{
		"pay": "INV-7 Details 12.50", "buy": "Tea 2.00", "user": "Sign in to go on User", "go": "Sign in to go on User",
		"lone": "Words nearby", "del": "Delete order 7?", "more": "Card Share",
	} {
		var got string
		c.eval(t, `glass.contextOf(document.getElementById(`+js(id)+`))`, &got)
		if got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	var got string
	c.eval(t, `glass.contextOf(h.shadowRoot.getElementById('s'))`, &got)
	if got != "In shade slotted" {
		t.Errorf("in a shadow root: %q", got)
	}
}

func TestContextIsBounded(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<body><div id=big></div><section id=s></section><script>
		big.innerHTML = '<p>' + 'word '.repeat(1000) + '</p><button id=b>B</button>';
		s.innerHTML = '<p>' + 'é'.repeat(5000) + '</p><button id=c>C</button>'</script>`)
	var got string
	c.eval(t, `glass.contextOf(b)`, &got)
	if got != "" {
		t.Errorf("a large neighbourhood counts: %d bytes", len(got))
	}
	c.eval(t, `glass.contextOf(c)`, &got)
	if len(got) == 0 || len(got) > 2048 {
		t.Errorf("a large section: %d bytes", len(got))
	}
}

func TestHash(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<p>x`)
	var hashes []string
	c.eval(t, `[glass.hashText('a', 's'), glass.hashText('a', 's'), glass.hashText('b', 's'), glass.hashText('a', 't'), glass.hashText('', 'sa')]`, &hashes)
	if hashes[0] != hashes[1] {
		t.Error("one text has two hashes")
	}
	seen := map[string]bool{}
	for _, h := range hashes[1:] {
		if seen[h] {
			t.Errorf("%q stands for two texts", h)
		}
		seen[h] = true
	}
}
