// Package policy decides what the person who started Glass allows an agent to do (contract.md §6).
//
// A [Policy] is fixed when a session opens and is never changed by a call: an injected agent holds the same tools as an
// honest one, so the guard cannot be a parameter. It rules capabilities (see [Capabilities]), URL schemes and hosts.
package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/glasskit/glass/contract"
)

// Capability is one thing that an operation may need permission for.
type Capability string

// The capabilities of contract.md §6.
const (
	Attach                  Capability = "attach"
	PersistentProfile       Capability = "persistent_profile"
	Evaluate                Capability = "evaluate"
	Upload                  Capability = "upload"
	Download                Capability = "download"
	Screenshot              Capability = "screenshot"
	RawCDP                  Capability = "raw_cdp"
	ReadFormValues          Capability = "read_form_values"
	ReadSensitiveFormValues Capability = "read_sensitive_form_values"
	CoordinateClick         Capability = "coordinate_click"
	ConsentDismissal        Capability = "consent_dismissal"
	Clipboard               Capability = "clipboard"
	Storage                 Capability = "storage"
	Emulation               Capability = "emulation"
	NetworkBody             Capability = "network_body"
	TerminalSpawn           Capability = "terminal_spawn"
	TerminalAttach          Capability = "terminal_attach"
	FeedLocalFile           Capability = "feed_local_file"
	FeedPrivateNetwork      Capability = "feed_private_network"
	LocalFilePage           Capability = "local_file_page"
	BrowserPage             Capability = "browser_page"
	ChromeFlags             Capability = "chrome_flags"
)

// Capabilities lists all of them, in the order in which they are shown.
var Capabilities = []Capability{
	Attach, PersistentProfile, Evaluate, Upload, Download, Screenshot, RawCDP, ReadFormValues, ReadSensitiveFormValues,
	CoordinateClick, ConsentDismissal, Clipboard, Storage, Emulation, NetworkBody, TerminalSpawn, TerminalAttach,
	FeedLocalFile, FeedPrivateNetwork, LocalFilePage, BrowserPage, ChromeFlags,
}

// Preset is a named starting point.
type Preset string

// The presets of contract.md §6.
const (
	Development  Preset = "development"
	CI           Preset = "ci"
	Polite       Preset = "polite"
	Hardened     Preset = "hardened"
	UntrustedMCP Preset = "untrusted-mcp"
)

// Presets lists them from the most open to the most closed.
var Presets = []Preset{Development, CI, Polite, Hardened, UntrustedMCP}

// Decision is what a policy says about a capability.
type Decision string

// The three decisions.
const (
	Allow   Decision = "allow"
	Confirm Decision = "confirm"
	Deny    Decision = "deny"
)

// Frontend is who drives: a person at the CLI or an agent over MCP. It changes the defaults of a few capabilities.
type Frontend string

// The frontends that policy tells apart.
const (
	Person Frontend = "cli"
	Agent  Frontend = "mcp"
)

// Config is what a person may say about policy. The zero value is the development preset for a person.
type Config struct {
	Preset       Preset
	Frontend     Frontend
	Allow        []Capability
	Confirm      []Capability
	AllowHosts   []string // exact host, or *.suffix
	DenyHosts    []string
	AllowPrivate bool // private, loopback and link-local addresses, where the preset asks for a word
}

// Policy is an effective set of rules. It is immutable and safe for use by several goroutines.
type Policy struct {
	config Config
	rules  map[Capability]Rule
}

// Rule is one row of the effective table, with why it is so.
type Rule struct {
	Capability Capability `json:"capability"`
	Decision   Decision   `json:"decision"`
	Why        string     `json:"why"`
}

// agentNeedsWord are the capabilities that an agent over MCP gets only when a person said so at the start, in every
// preset: with them it could leave every other rule behind.
var agentNeedsWord = []Capability{Evaluate, RawCDP, Attach, LocalFilePage, BrowserPage, ChromeFlags}

// New checks the configuration and works out the effective rules. Its errors are invalid_argument failures.
func New(config Config) (*Policy, error) {
	if config.Preset == "" {
		config.Preset = Development
	}
	if config.Frontend == "" {
		config.Frontend = Person
	}
	if !slices.Contains(Presets, config.Preset) {
		return nil, contract.Invalid("policy", "no preset %q; the presets are %s", config.Preset, join(Presets))
	}
	for _, c := range slices.Concat(config.Allow, config.Confirm) {
		if !slices.Contains(Capabilities, c) {
			return nil, contract.Invalid("policy-allow", "no capability %q; the capabilities are %s", c, join(Capabilities))
		}
	}
	for _, c := range config.Confirm {
		if slices.Contains(config.Allow, c) {
			return nil, contract.Invalid("policy-confirm", "%s is both allowed and marked for confirmation; choose one", c)
		}
	}
	for _, h := range slices.Concat(config.AllowHosts, config.DenyHosts) {
		if !validHostRule(h) {
			return nil, contract.Invalid("policy-allow-host", "%q is not a host or *.suffix", h)
		}
	}
	p := &Policy{config: config, rules: map[Capability]Rule{}}
	for _, c := range Capabilities {
		d, why := config.decide(c)
		p.rules[c] = Rule{c, d, why}
	}
	return p, nil
}

func (c Config) decide(capability Capability) (Decision, string) {
	switch {
	case slices.Contains(c.Confirm, capability):
		return Confirm, "--policy-confirm"
	case slices.Contains(c.Allow, capability):
		return Allow, "--policy-allow"
	case capability == ReadSensitiveFormValues:
		return Deny, "needs --policy-allow in every preset"
	case c.Frontend == Agent && slices.Contains(agentNeedsWord, capability):
		return Deny, "over MCP needs --policy-allow in every preset"
	}
	powerful := capability == RawCDP || capability == PersistentProfile
	switch c.Preset {
	case CI:
		if powerful {
			return Deny, "preset ci"
		}
	case Polite:
		if powerful {
			return Confirm, "preset polite"
		}
	case Hardened, UntrustedMCP:
		return Deny, fmt.Sprintf("preset %s denies what is not allowed", c.Preset)
	}
	return Allow, fmt.Sprintf("preset %s", c.Preset)
}

// Config returns what the policy was made from.
func (p *Policy) Config() Config { return p.config }

// Rules returns the effective table in the order of [Capabilities].
func (p *Policy) Rules() []Rule {
	rows := make([]Rule, 0, len(Capabilities))
	for _, c := range Capabilities {
		rows = append(rows, p.rules[c])
	}
	return rows
}

// Decide tells what the policy says about a capability.
func (p *Policy) Decide(c Capability) Decision { return p.rules[c].Decision }

// Require is nil when the capability is allowed, else a failure of kind denied or confirmation_required.
func (p *Policy) Require(c Capability) error {
	rule, known := p.rules[c]
	switch {
	case c == "" || known && rule.Decision == Allow:
		return nil
	case known && rule.Decision == Confirm:
		return contract.Fail(contract.NeedsConfirmation, contract.PhasePolicy, "%s needs a person's confirmation (%s)", c, rule.Why).
			WithHint("a person can start Glass with --policy-allow %s", c)
	}
	return contract.Fail(contract.Denied, contract.PhasePolicy, "%s is denied by policy: %s", c, rule.Why).
		WithHint("a person can start Glass with --policy-allow %s", c)
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}
