package chrome

import (
	"fmt"
	"strings"
	"testing"
)

func TestTailKeepsTheLastLines(t *testing.T) {
	var lines []string
	for i := range stderrLines + 3 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	tests := []struct {
		name  string
		input []string
		count int
		last  string
	}{
		{"nothing", nil, 0, ""},
		{"a line in pieces", []string{"on", "e\ntw", "o\n"}, 2, "two"},
		{"an unfinished line", []string{"one\ntwo"}, 2, "two"},
		{"empty lines", []string{"one\n\n \n"}, 1, "one"},
		{"too many lines", []string{strings.Join(lines, "\n") + "\n"}, stderrLines, lines[len(lines)-1]},
		{"a long line", []string{strings.Repeat("x", 3*stderrLine), "y\nend\n"}, 2, "end"},
		{"an error before chatter", []string{"[1:1/2:ERROR:x.cc:1] it broke\nbye\n"}, 2, "[1:1/2:ERROR:x.cc:1] it broke"},
		{"a fatal error before errors", []string{"[1:FATAL:a.cc:1] end\n[1:ERROR:b.cc:1] after\n"}, 2, "[1:FATAL:a.cc:1] end"},
		{"the crash reporter", []string{"why\n[1:ERROR:third_party/crashpad/x.cc:1] no\n"}, 2,
			"[1:ERROR:third_party/crashpad/x.cc:1] no"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tail tail
			for _, piece := range tt.input {
				tail.Write([]byte(piece))
			}
			if got := tail.Lines(); len(got) != tt.count {
				t.Errorf("kept %q", got)
			}
			if got := tail.Last(); got != tt.last {
				t.Errorf("last %q, want %q", got, tt.last)
			}
		})
	}
}

func FuzzTail(f *testing.F) {
	f.Add([]byte("DevTools listening on ws://127.0.0.1:1/x\n\xff\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tail := tail{listening: make(chan string, 1)}
		tail.Write(data)
		tail.Write(data)
		lines := tail.Lines()
		if len(lines) > stderrLines+1 {
			t.Errorf("%d lines", len(lines))
		}
		for _, line := range lines {
			if len(line) > stderrLine || strings.Contains(line, "\n") {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
	})
}
