package inpage

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the golden files of unseen text anew")

// seen is what visibleText answers.
type seen struct {
	Text  string
	Cut   bool
	Total *int
}

// TestTextEqualsInnerText: on a page without unseen text, visibleText is what innerText gives.
func TestTextEqualsInnerText(t *testing.T) {
	c := startChromium(t)
	pages, err := filepath.Glob("testdata/text/*.html")
	check(t, err)
	if len(pages) < 20 {
		t.Fatalf("%d pages, want at least 20", len(pages))
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			html, err := os.ReadFile(page)
			check(t, err)
			c.open(t, string(html))
			var want string
			var got seen
			c.eval(t, "document.body.innerText", &want)
			c.eval(t, "glass.visibleText(document.body, 1e6, 0)", &got)
			if got.Text != want {
				t.Errorf("text differs\n got %q\nwant %q", got.Text, want)
			}
			if got.Cut || got.Total == nil || *got.Total != len(got.Text) {
				t.Errorf("cut %t, total %v of %d bytes", got.Cut, got.Total, len(got.Text))
			}
		})
	}
}

// TestTextIsCut: the pieces of a text that is read in parts make the whole; no cut splits a character.
func TestTextIsCut(t *testing.T) {
	c := startChromium(t)
	for _, page := range []string{"emoji", "tables", "blocks", "inline", "pre"} {
		html, err := os.ReadFile("testdata/text/" + page + ".html")
		check(t, err)
		c.open(t, string(html))
		var whole seen
		c.eval(t, "glass.visibleText(document.body, 1e6, 0)", &whole)
		for _, size := range []int{5, 7, 16, 33} {
			var joined strings.Builder
			for {
				var part seen
				c.eval(t, "glass.visibleText(document.body, "+number(size)+", "+number(joined.Len())+")", &part)
				if len(part.Text) > size || !utf8.ValidString(part.Text) || strings.ContainsRune(part.Text, utf8.RuneError) {
					t.Fatalf("%s: part of %d bytes is %q", page, size, part.Text)
				}
				joined.WriteString(part.Text)
				if !part.Cut {
					break
				}
				if part.Text == "" {
					t.Fatalf("%s: an empty part of %d bytes at %d", page, size, joined.Len())
				}
			}
			if joined.String() != whole.Text {
				t.Errorf("%s in parts of %d: %q, want %q", page, size, joined.String(), whole.Text)
			}
		}
	}
}

// TestUnseenTextIsLeftOut holds each kind of text that a person cannot see against what should remain.
func TestUnseenTextIsLeftOut(t *testing.T) {
	c := startChromium(t)
	pages, err := filepath.Glob("testdata/unseen/*.html")
	check(t, err)
	if len(pages) == 0 {
		t.Fatal("no pages")
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			html, err := os.ReadFile(page)
			check(t, err)
			c.open(t, string(html))
			var got seen
			c.eval(t, "glass.visibleText(document.body, 1e6, 0)", &got)
			golden := strings.TrimSuffix(page, ".html") + ".txt"
			if *update {
				check(t, os.WriteFile(golden, []byte(got.Text+"\n"), 0o644))
			}
			want, err := os.ReadFile(golden)
			check(t, err)
			if got.Text+"\n" != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got.Text, want)
			}
			if strings.Contains(got.Text, "UNSEEN") {
				t.Errorf("unseen text is shown: %q", got.Text)
			}
			if n, m := strings.Count(string(html), "SEEN"), strings.Count(string(html), "UNSEEN"); strings.Count(got.Text, "SEEN") != n-m {
				t.Errorf("%d of %d pieces that are seen are shown", strings.Count(got.Text, "SEEN"), n-m)
			}
		})
	}
}

func TestTextIncludes(t *testing.T) {
	c := startChromium(t)
	c.open(t, `<body><p>Order <b>71</b>:  <i>pack</i>ed</p><p style="text-transform:uppercase">ready now</p>
		<table><tr><td>a<td>b</table>
		<p hidden>secret word</p><p style="opacity:0">clear word</p><div id=h></div>
		<script>h.attachShadow({mode: 'open'}).innerHTML = '<p>in the shade</p>'</script>`+strings.Repeat("<p>filler text</p>", 3000)+`<p>the very last</p>`)
	for needle, want := range map[string]bool{
		"Order 71: packed": true, "Order  71:\npacked": true, "READY NOW": true, "a b": true, "secret": false, "clear word": false,
		"in the shade": true, "the very last": true, "filler text filler text": true, "nowhere": false, "": true, "packed READY": true,
	} {
		var got bool
		c.eval(t, "glass.textIncludes(document.body, "+js(needle)+")", &got)
		if got != want {
			t.Errorf("%q: %t, want %t", needle, got, want)
		}
	}
}

func number(n int) string {
	data, _ := json.Marshal(n)
	return string(data)
}
