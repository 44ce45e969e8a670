package browser_test

import (
	"testing"

	"github.com/glasskit/glass/browser"
	"github.com/glasskit/glass/contract"
)

// An agent that joins a person's session keeps an agent's rights.
func TestAgentInAPersonsSession(t *testing.T) {
	tb := open(t)
	tb.show(`<p>Hello</p>`)
	tb.eval("1")
	agent := *tb.call
	agent.Agent = true
	_, err := tb.rt.Evaluate(tb.ctx, &agent, browser.EvaluateInput{Expression: "1"})
	failure(t, err, contract.Denied)
	_, err = tb.rt.Wait(tb.ctx, &agent, browser.WaitInput{Condition: "js=true"})
	failure(t, err, contract.Denied)
	for _, url := range []string{"file:///etc/passwd", "javascript:1", "chrome://version", "view-source:http://127.0.0.1/"} {
		_, err = tb.rt.Navigate(tb.ctx, &agent, browser.NavigateInput{URL: url})
		failure(t, err, contract.Denied)
	}
	_, err = tb.rt.Observe(tb.ctx, &browser.Call{Client: "agent", Session: "agent", Agent: true, Options: []byte(`{"attach":"9222"}`)}, browser.ObserveInput{})
	failure(t, err, contract.Denied)
}
