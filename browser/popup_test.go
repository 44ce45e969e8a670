package browser_test

import (
	"testing"

	"github.com/glasskit/glass/browser"
)

func TestPopupsAreReportedRegisteredAndNeverSelected(t *testing.T) {
	tb := open(t)
	for name, html := range map[string]string{
		"window.open": `<button onclick="window.open('/page?p')">Go</button>`,
		"link":        `<a href="/page?p" target=_blank>Go</a>`,
	} {
		t.Run(name, func(t *testing.T) {
			tb := tb.in(t)
			info := tb.show(html)
			r := tb.click("name=Go")
			if r.Verification.PopupOpened == "" {
				t.Fatalf("no popup in %+v", r.Verification)
			}
			list, err := tb.rt.ListTargets(tb.ctx, tb.call, browser.TargetsInput{})
			if err != nil || len(list.Targets) != 2 || !list.Targets[0].Selected || list.Targets[1].Selected || list.Targets[1].Opener != info.TargetID {
				t.Errorf("targets %+v, %v", list, err)
			}
			if _, err := tb.rt.CloseTarget(tb.ctx, tb.call, browser.TargetInput{TargetID: r.Verification.PopupOpened}); err != nil {
				t.Error(err)
			}
		})
	}
}
