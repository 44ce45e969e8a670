// Package textsafe makes foreign text harmless to show: control characters and characters that nobody can see, with
// which text can lie about its order, its length or its end, are dropped or made blanks (frontends.md §3).
package textsafe

import "strings"

// Line cleans text that must stay on one line: line breaks and controls become blanks, runs of blanks one blank.
func Line(s string) string {
	if clean(s, false) {
		return s
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029:
			return ' '
		case Invisible(r):
			return -1
		}
		return r
	}, s)), " ")
}

// Block cleans text that may hold line breaks and tabs.
func Block(s string) string {
	if clean(s, true) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == 0x2028 || r == 0x2029:
			return '\n'
		case r < ' ' || r >= 0x7f && r < 0xa0 || Invisible(r):
			return -1
		}
		return r
	}, s)
}

// clean is the usual case: nothing to do, no copy.
func clean(s string, breaks bool) bool {
	for _, r := range s {
		switch {
		case breaks && (r == '\n' || r == '\t'):
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || Invisible(r):
			return false
		}
	}
	return true
}

// Invisible reports characters that show nothing and change how their neighbours are read: bidi controls, zero-width
// characters (the joiners that emoji and some scripts need excepted), tags, fillers and byte-order marks.
func Invisible(r rune) bool {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c: // bidi
		return true
	case r == 0x200b, r >= 0x2060 && r <= 0x2064, r >= 0x206a && r <= 0x206f, r == 0xfeff: // zero width
		return true
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r >= 0xfff9 && r <= 0xfffb: // fillers, annotations
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}
