package browser

import (
	"strconv"
	"strings"

	"github.com/glasskit/glass/contract"
)

// condition is what a wait waits for (browser.md §5).
type condition struct {
	kind    string
	value   string
	number  int
	locator *locator
	text    string // as it was given, for the failure
}

// conditionKinds are the words before the = with what they take: "" nothing, "text" any text, "locator", "number".
var conditionKinds = map[string]string{
	"lifecycle": "text", "url": "text", "url-prefix": "text", "target-attached": "locator", "target-visible": "locator",
	"target-hidden": "locator", "target-enabled": "locator", "target-stable": "locator", "text": "text", "text-gone": "text",
	"js": "text", "network-quiet": "number",
}

// conditionNames lists them in the order in which they are explained.
const conditionNames = "lifecycle=load|domcontentloaded|complete, url=, url-prefix=, target-attached=, target-visible=, target-hidden=, " +
	"target-enabled=, target-stable=, text=, text-gone=, network-quiet=MS, js="

const maxQuietMs = 60_000

// parseCondition reads the text of a wait condition.
func parseCondition(text string, bare bool) (*condition, error) {
	if len(text) > ConditionBytes {
		return nil, contract.Invalid("condition", "the condition has %d bytes; the limit is %d", len(text), ConditionBytes)
	}
	kind, value, found := strings.Cut(text, "=")
	kind = strings.TrimSpace(kind)
	takes, known := conditionKinds[kind]
	if !known || !found {
		return nil, contract.Invalid("condition", "it is none of %s", conditionNames)
	}
	c := &condition{kind: kind, value: value, text: text}
	if strings.TrimSpace(value) == "" {
		return nil, contract.Invalid("condition", "%s= needs a value", kind)
	}
	switch takes {
	case "locator":
		l, err := parseLocator(value, bare)
		if err != nil {
			return nil, contract.Invalid("condition", "%s= takes a locator: %s", kind, err.Error())
		}
		c.locator = &l
	case "number":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 1 || n > maxQuietMs {
			return nil, contract.Invalid("condition", "%s= takes milliseconds from 1 to %d", kind, maxQuietMs)
		}
		c.number = n
	}
	if kind == "lifecycle" && !contains([]string{"load", "domcontentloaded", "complete"}, value) {
		return nil, contract.Invalid("condition", "lifecycle= takes load, domcontentloaded or complete")
	}
	return c, nil
}
