package inpage

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain ends the browser that the tests share, then looks for what is left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(withBrowser{m}) }

type withBrowser struct{ *testing.M }

func (m withBrowser) Run() int {
	code := m.M.Run()
	if shared != nil {
		if err := shared.close(); err != nil {
			println("cannot end the browser: " + err.Error())
			return 1
		}
	}
	return code
}
