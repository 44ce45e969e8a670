package chrome

import (
	"context"
	"os"
	"testing"
)

// BenchmarkLaunch measures from exec to the first answer, and to the first loaded page.
func BenchmarkLaunch(b *testing.B) {
	for _, loaded := range []bool{false, true} {
		name := map[bool]string{false: "answer", true: "page"}[loaded]
		b.Run(name, func(b *testing.B) {
			o := &LaunchOptions{Folders: &Folders{State: b.TempDir(), Data: b.TempDir()}, NoSandbox: os.Geteuid() == 0}
			for b.Loop() {
				browser, err := Launch(b.Context(), o)
				if err != nil {
					b.Fatal(err)
				}
				w := newWire(browser)
				if loaded {
					_, err = w.open("data:text/html,<p>hello")
				} else {
					err = w.call("", "Browser.getVersion", nil, nil)
				}
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := browser.Close(context.Background(), w.polite); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}
