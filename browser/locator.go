package browser

import (
	"strconv"
	"strings"

	"github.com/glasskit/glass/contract"
)

// A locator names exactly one element (browser.md §3). It is parsed here, so that a bad one is refused before anything
// starts, and resolved in the page.
type locator struct {
	Chain []segment `json:"chain"`
}

// segment is one form of a chain, as the in-page script reads it.
type segment struct {
	Form   string   `json:"form"`
	Value  string   `json:"value,omitzero"`
	Role   string   `json:"role,omitzero"`
	Name   string   `json:"name,omitzero"`
	N      int      `json:"n,omitzero"`
	ID     int      `json:"id,omitzero"` // the in-page id; filled in from the reference by the route
	Guard  bool     `json:"guard,omitzero"`
	Known  bool     `json:"known,omitzero"` // resolved before, in the same operation
	Within *segment `json:"within,omitzero"`

	ref contract.Ref // of the forms ref= and node=
}

// valueForms are the forms that take their value as it stands.
var valueForms = []string{"name", "text", "css", "label", "placeholder", "testid"}

// parseLocator reads the text of a locator. bare says whether a string without a form means name= (CLI only). Failures
// say what is wrong and in which segment, without repeating the text.
func parseLocator(text string, bare bool) (locator, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return locator{}, contract.Invalid("target", "the locator is empty")
	case len(text) > LocatorBytes:
		return locator{}, contract.Invalid("target", "the locator has %d bytes; the limit is %d", len(text), LocatorBytes)
	}
	parts := strings.Split(text, " | ")
	if len(parts) > contract.ChainSegments {
		return locator{}, contract.Invalid("target", "the chain has %d segments; the limit is %d", len(parts), contract.ChainSegments)
	}
	var l locator
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if len(part) > contract.ChainSegmentBytes {
			return locator{}, contract.Invalid("target", "segment %d has %d bytes; the limit is %d", i+1, len(part), contract.ChainSegmentBytes)
		}
		s, why := parseSegment(part, bare)
		if why != "" {
			return locator{}, contract.Invalid("target", "segment %d: %s", i+1, why)
		}
		l.Chain = append(l.Chain, *s)
	}
	return l, nil
}

// parseSegment reads "form within form within form"; why is empty when it is well formed. The words " within " part two
// forms only where a form follows: they may stand in a name too.
func parseSegment(text string, bare bool) (s *segment, why string) {
	for from := 0; ; {
		at := strings.Index(text[from:], " within ")
		if at < 0 {
			return parseForm(text, bare)
		}
		at += from
		from = at + len(" within ")
		scope, why := parseSegment(strings.TrimSpace(text[from:]), false)
		if why != "" {
			continue
		}
		if s, why = parseForm(strings.TrimSpace(text[:at]), bare); why != "" {
			return nil, why
		}
		s.Within = scope
		return s, ""
	}
}

func parseForm(text string, bare bool) (*segment, string) {
	if ref, ok := contract.ParseRef(text); ok {
		return refSegment(ref)
	}
	form, value, found := strings.Cut(text, "=")
	form = strings.TrimSpace(form)
	switch {
	case text == "":
		return nil, "it is empty"
	case found && form == "ref":
		ref, ok := contract.ParseRef(strings.TrimSpace(value))
		if !ok {
			return nil, "ref= takes a reference such as r7:b42"
		}
		return refSegment(ref)
	case found && form == "node":
		return refSegment(contract.Ref{Node: strings.TrimSpace(value)})
	case found && form == "role":
		return parseRole(value)
	case found && form == "ordinal":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 1 {
			return nil, "ordinal= counts from 1: ordinal=1 is the first control of the last list"
		}
		return &segment{Form: "ordinal", N: n}, ""
	case found && contains(valueForms, form):
		if value = strings.TrimSpace(value); value == "" {
			return nil, form + "= needs a value"
		}
		return &segment{Form: form, Value: value}, ""
	case bare:
		return &segment{Form: "name", Value: text}, ""
	}
	return nil, "it is none of ref=, node=, name=, role=…;name=…, text=, css=, label=, placeholder=, testid=, ordinal="
}

func refSegment(ref contract.Ref) (*segment, string) {
	digits, isNode := strings.CutPrefix(ref.Node, "b")
	if n, err := strconv.ParseInt(digits, 10, 64); !isNode || err != nil || n < 1 {
		return nil, "a node is written b42"
	}
	return &segment{Form: "node", Guard: ref.Revision == 0, ref: ref}, ""
}

func parseRole(value string) (*segment, string) {
	role, rest, named := strings.Cut(value, ";")
	role = strings.TrimSpace(role)
	key, name, isName := strings.Cut(rest, "=")
	name = strings.TrimSpace(name)
	switch {
	case role == "":
		return nil, "role= needs a role"
	case !named || !isName || strings.TrimSpace(key) != "name" || name == "":
		return nil, "a role alone names many elements: write role=" + "button;name=Save"
	case len(role) > RoleBytes:
		return nil, "the role is too long"
	}
	return &segment{Form: "role", Role: role, Name: name}, ""
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
