package contract

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"äb", 1, ""}, {"aä", 2, "a"}, {"😀", 3, ""}, {"x", 0, ""}, {"x", -1, ""},
	} {
		if got := Cut(c.in, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 64).Draw(t, "n")
		got := Cut(s, n)
		if len(got) > n || !utf8.ValidString(got) || s[:len(got)] != got {
			t.Fatalf("Cut(%q, %d) = %q", s, n, got)
		}
		if len(s) > n && n-len(got) >= utf8.UTFMax {
			t.Fatalf("Cut(%q, %d) = %q: more was cut than one character needs", s, n, got)
		}
	})
}

func TestParseRef(t *testing.T) {
	for in, want := range map[string]Ref{"r7:b42": {7, "b42"}, "r1:save": {1, "save"}} {
		if got, ok := ParseRef(in); !ok || got != want || got.String() != in {
			t.Errorf("ParseRef(%q) = %v, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "b42", "r0:b1", "r-1:b1", "r7:", "r:b1", "r7b1", "x7:b1", "r+7:b1", "r99999999999999999999:b1"} {
		if got, ok := ParseRef(in); ok {
			t.Errorf("ParseRef(%q) = %v, want refusal", in, got)
		}
	}
	if got := (Ref{Node: "b1"}).String(); got != "b1" {
		t.Errorf("unrevisioned reference prints %q", got)
	}
}

func TestFailure(t *testing.T) {
	f := Fail(StaleRevision, PhasePreflight, "revision %d is over\nrun: rm", 7).Because("revision").Wrap(io.EOF)
	if f.Message != "revision 7 is over run: rm" || !f.BeforeDispatch() || !errors.Is(f, io.EOF) {
		t.Errorf("unexpected failure %+v", f)
	}
	b, err := json.Marshal(f)
	want := `{"kind":"stale_revision","failureKind":"stale_revision","phase":"preflight","recoverable":true,` +
		`"suggested_tool":"observe","recovery":"report","reason":"revision","message":"revision 7 is over run: rm"}`
	if err != nil || string(b) != want {
		t.Errorf("json = %s, %v; want %s", b, err, want)
	}
	var got *Failure
	if !errors.As(fmt.Errorf("while clicking: %w", f), &got) || got.Kind != StaleRevision {
		t.Error("a wrapped failure is not found by errors.As")
	}
	if n := len(Fail(Transport, PhaseTransport, "%600d", 1).Message); n > MessageBytes {
		t.Errorf("message has %d bytes", n)
	}
}

func TestKindsAreUnique(t *testing.T) {
	seen := map[Kind]bool{}
	for _, row := range Kinds {
		if seen[row.Kind] {
			t.Errorf("%s is listed twice", row.Kind)
		}
		seen[row.Kind] = true
		if row.Kind.Info() != row {
			t.Errorf("%s: Info gives another row", row.Kind)
		}
	}
	if Kind("unheard").Info().Kind != Transport {
		t.Error("an unknown kind must be treated as transport")
	}
}
