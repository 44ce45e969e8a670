// Package contractdocs writes the documents of the contract that all surfaces share, from the tables and constants of the
// code, so that they cannot drift from it (frontends.md §3, Resources).
package contractdocs

import (
	"context"
	"fmt"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/policy"
)

// MIME is the type of every document here.
const MIME = "text/markdown"

// Documents are the shared documents; limits are those of all surfaces together.
func Documents(limits []contract.Limit) []operation.Document {
	return []operation.Document{
		Static("glass://contract/errors", "errors", "Kinds of failure and what follows from each", Errors()),
		Static("glass://contract/limits", "limits", "Every bound, with its value and unit", Limits(limits)),
		Static("glass://contract/policy", "policy", "Capabilities, presets and what needs a person's word", Policy()),
	}
}

// Static is a document that never changes.
func Static(uri, name, description, text string) operation.Document {
	return operation.Document{
		URI: uri, Name: name, Description: description, MIME: MIME,
		Read: func(context.Context, *operation.Call) ([]byte, error) { return []byte(text), nil },
	}
}

// Errors is the failure table.
func Errors() string {
	var b strings.Builder
	b.WriteString("# Failures\n\nBranch on `kind`, `phase` and `recovery`, never on `message`. A failure in the phase policy, preflight or " +
		"target_resolution proves that nothing was sent. `recovery: retry_safe` means that the same call may be repeated. " +
		"`reason` says more than the kind. `candidates` each carry a reference.\n\n" +
		"| kind | failureKind | recoverable | suggested_tool | exit code |\n|---|---|---|---|---|\n")
	for _, k := range contract.Kinds {
		fmt.Fprintf(&b, "| %s | %s | %v | %s | %d |\n", k.Kind, k.FailureKind, k.Recoverable, k.Suggested, k.Exit)
	}
	return b.String()
}

// Limits is the table of all bounds.
func Limits(limits []contract.Limit) string {
	var b strings.Builder
	b.WriteString("# Limits\n\n| surface | name | value | unit |\n|---|---|---:|---|\n")
	for _, l := range limits {
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", l.Surface, l.Name, l.Value, l.Unit)
	}
	return b.String()
}

// Policy is what each preset says about each capability, for a person and for an agent.
func Policy() string {
	var b strings.Builder
	b.WriteString("# Policy\n\nA person fixes the policy when Glass starts; no tool argument changes it. Each cell says what a person at " +
		"the CLI gets, and after the slash what an agent over MCP gets where that differs.\n\n| capability |")
	for _, p := range policy.Presets {
		fmt.Fprintf(&b, " %s |", p)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(policy.Presets)) + "\n")
	for _, c := range policy.Capabilities {
		fmt.Fprintf(&b, "| %s |", c)
		for _, p := range policy.Presets {
			fmt.Fprintf(&b, " %s |", decisions(p, c))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func decisions(p policy.Preset, c policy.Capability) string {
	person, errPerson := policy.New(policy.Config{Preset: p, Frontend: policy.Person})
	agent, errAgent := policy.New(policy.Config{Preset: p, Frontend: policy.Agent})
	if errPerson != nil || errAgent != nil {
		panic("a preset without words of its own is always valid")
	}
	if a, b := person.Decide(c), agent.Decide(c); a != b {
		return string(a) + " / " + string(b)
	}
	return string(person.Decide(c))
}
