package policy

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/glasskit/glass/contract"
)

// MaxDataURL is the longest data: document that may be opened, in bytes.
const MaxDataURL = 64 << 10

// CheckURL rules on the URL of a top-level or frame document (browser.md §1, Schemes; contract.md §6, host rules). It
// judges the text of the URL; the address that is really dialled is judged below the page.
func (p *Policy) CheckURL(raw string) error {
	if strings.ContainsFunc(raw, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return contract.Invalid("url", "the URL holds control characters")
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return contract.Invalid("url", "this is not a URL")
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return p.checkHost(u)
	case "about":
		if u.Opaque == "blank" || u.Opaque == "srcdoc" {
			return nil
		}
		return p.requireScheme(BrowserPage, "about:")
	case "data":
		if len(raw) > MaxDataURL {
			return contract.Invalid("url", "a data: document may have at most %d bytes", MaxDataURL)
		}
		return nil
	case "blob":
		return nil // follows the page that made it: no other origin can name it
	case "file":
		return p.requireScheme(LocalFilePage, "file:")
	case "view-source", "chrome", "devtools":
		return p.requireScheme(BrowserPage, u.Scheme+":")
	case "javascript":
		return p.requireScheme(Evaluate, "javascript:")
	case "":
		return contract.Invalid("url", "the URL has no scheme; write https://… or http://…")
	}
	return contract.Fail(contract.Denied, contract.PhasePolicy, "URLs of the scheme %q cannot be opened", contract.Cut(u.Scheme, 32))
}

func (p *Policy) requireScheme(c Capability, what string) error {
	if p.Decide(c) == Allow {
		return nil
	}
	f := contract.Fail(contract.Denied, contract.PhasePolicy, "%s URLs need the capability %s, which is denied by policy: %s", what, c, p.rules[c].Why)
	return f.WithHint("a person can start Glass with --policy-allow %s", c)
}

func (p *Policy) checkHost(u *url.URL) error {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if host == "" {
		return contract.Invalid("url", "the URL has no host")
	}
	if u.User != nil {
		return contract.Invalid("url", "a user name in a URL is refused: it can pass for a host name")
	}
	c := p.config
	if matchesAny(host, c.DenyHosts) {
		return denied("the host %s is denied by --policy-deny-host", host)
	}
	if matchesAny(host, c.AllowHosts) {
		return nil
	}
	if c.Preset == UntrustedMCP || c.Preset == Hardened && len(c.AllowHosts) > 0 {
		return denied("the host %s is not on the list of --policy-allow-host", host)
	}
	if c.Preset != Development && !c.AllowPrivate && isPrivateHost(host) {
		return denied("%s is a private or loopback address, which preset %s denies", host, c.Preset)
	}
	return nil
}

func denied(format, host string, rest ...any) error {
	args := append([]any{contract.Cut(host, 128)}, rest...)
	return contract.Fail(contract.Denied, contract.PhasePolicy, format, args...).Because("host").
		WithHint("a person can start Glass with --policy-allow-host %s", contract.Cut(host, 128))
}

// validHostRule accepts a bare host, an address or *.suffix: no scheme, path, port or user.
func validHostRule(rule string) bool {
	host := strings.TrimPrefix(rule, "*.")
	return host != "" && !strings.ContainsAny(host, "/@*?# \\") && (!strings.Contains(host, ":") || isAddress(host))
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// matchesAny compares whole labels: *.example.com matches www.example.com, not badexample.com nor example.com itself.
func matchesAny(host string, rules []string) bool {
	for _, rule := range rules {
		rule = strings.ToLower(strings.TrimSuffix(rule, "."))
		if suffix, wild := strings.CutPrefix(rule, "*"); wild && strings.HasSuffix(host, suffix) || host == rule {
			return true
		}
	}
	return false
}

func isPrivateHost(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	a = a.Unmap()
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified()
}
