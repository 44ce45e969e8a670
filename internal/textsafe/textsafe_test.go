package textsafe

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"Save":                        "Save",
		"a\nb\r\n c\td":               "a b c d",
		"evil\u202etxt":               "eviltxt",
		"a\x1b[31mb":                  "a [31mb",
		"zero\u200bwidth":             "zerowidth",
		"tag\U000e0041s":              "tags",
		"\u0085next":                  "next",
		"👩\u200d💻":                    "👩\u200d💻",
		"two  blanks stay when clean": "two  blanks stay when clean",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestBlock(t *testing.T) {
	if got := Block("a\r\nb\tc\x00d\u2066e"); got != "a\n\nb\tcde" {
		t.Errorf("Block = %q", got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\nb")
	f.Add("\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := Line(s)
		if strings.ContainsAny(got, "\n\r\x1b\x00") || utf8.ValidString(s) && !utf8.ValidString(got) || Line(got) != got {
			t.Errorf("Line(%q) = %q", s, got)
		}
	})
}
