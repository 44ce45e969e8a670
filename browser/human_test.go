package browser_test

import (
	"strings"
	"testing"
)

func TestResultsForAPersonAreShort(t *testing.T) {
	tb := open(t)
	info := tb.show(`<button onclick="this.disabled=true;o.textContent='Saved'">Save</button><p id=o></p>`)
	if text := info.Human(); !strings.HasPrefix(text, "Test\nhttp://") || strings.Contains(text, "executionId") {
		t.Errorf("navigate shows %q", text)
	}
	text := tb.click("name=Save").Human()
	for _, want := range []string{"click done: Save (r2:b", "~ r2:b", "[disabled", "\nSaved"} {
		if !strings.Contains(text, want) {
			t.Errorf("click shows %q, which lacks %q", text, want)
		}
	}
}
