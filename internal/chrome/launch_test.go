package chrome

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLaunchAnswersOnThePipeAndLeavesNothing(t *testing.T) {
	tests := []struct {
		name   string
		polite bool
	}{
		{"closed by Browser.close", true},
		{"closed by the end of the pipe", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t)
			b, w := launch(t, o)
			var version struct{ Product string }
			if err := w.call("", "Browser.getVersion", nil, &version); err != nil {
				t.Fatal(why(b, err))
			}
			if !strings.Contains(version.Product, "Chrome/") {
				t.Errorf("product %q is no full browser", version.Product)
			}
			if _, err := w.open("data:text/html,<p>hello"); err != nil {
				t.Fatal(err)
			}
			var polite func(context.Context) error
			if tt.polite {
				polite = w.polite
			}
			if err := b.Close(testContext(t), polite); err != nil {
				t.Fatal(err)
			}
			if err := b.Close(testContext(t), nil); err != nil {
				t.Errorf("second close: %v", err)
			}
			assertNothingLeft(t, b, o)
		})
	}
}

func assertNothingLeft(t *testing.T, b *Browser, o *LaunchOptions) {
	t.Helper()
	left, err := processes(t.Context(), b.PID(), b.ID())
	if err != nil || len(left) != 0 {
		t.Errorf("processes left: %v, %v", left, err)
	}
	entries, err := os.ReadDir(filepath.Join(o.Folders.State, browsersDir))
	if err != nil || len(entries) != 0 {
		t.Errorf("folders left: %v, %v", entries, err)
	}
}
