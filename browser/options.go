package browser

import (
	"strconv"
	"strings"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/policy"
)

// Options say how a session's browser is opened. They are fixed when the session opens; a later call that names another
// value is refused (browser.md §1). The zero value is a headless browser with a temporary profile.
type Options struct {
	Headed          bool     `json:"headed,omitzero" doc:"show the browser's window"`
	Viewport        string   `json:"viewport,omitzero" doc:"size of the page area, WIDTHxHEIGHT (default 1280x720)"`
	Profile         string   `json:"profile,omitzero" doc:"use the named persistent profile" glass:"user-only"`
	Incognito       bool     `json:"incognito,omitzero" doc:"a browser of its own with a temporary profile"`
	ChromePath      string   `json:"chromePath,omitzero" doc:"the Chrome or Chromium to run" glass:"user-only,path"`
	NoSandbox       bool     `json:"noSandbox,omitzero" doc:"run Chrome without its sandbox (needed as root)" glass:"user-only"`
	Port            int      `json:"port,omitzero" doc:"open a DevTools port on 127.0.0.1 instead of a private pipe" glass:"min=1,max=65535,user-only"`
	Proxy           string   `json:"proxy,omitzero" doc:"send the browser's traffic through this proxy" glass:"user-only"`
	ChromeFlags     []string `json:"chromeFlags,omitzero" doc:"further Chrome flags (needs chrome_flags over MCP)" glass:"user-only"`
	Attach          string   `json:"attach,omitzero" doc:"attach to a running browser: a ws or http URL, a port, or auto" glass:"user-only,optional-value=auto"`
	Target          string   `json:"target,omitzero" doc:"with --attach: the page target to use"`
	Interaction     string   `json:"interaction,omitzero" doc:"how the pointer moves (default: human with --headed, else fast)" glass:"enum=fast|human"`
	Workspace       string   `json:"workspace,omitzero" doc:"root folder for files (default: the working directory)" glass:"user-only,path"`
	Policy          string   `json:"policy,omitzero" doc:"policy preset" glass:"enum=development|ci|polite|hardened|untrusted-mcp,user-only"`
	PolicyAllow     []string `json:"policyAllow,omitzero" doc:"allow a capability" glass:"user-only"`
	PolicyConfirm   []string `json:"policyConfirm,omitzero" doc:"ask a person before a capability is used" glass:"user-only"`
	PolicyAllowHost []string `json:"policyAllowHost,omitzero" doc:"allow a host, or *.suffix" glass:"user-only"`
	PolicyDenyHost  []string `json:"policyDenyHost,omitzero" doc:"deny a host, or *.suffix" glass:"user-only"`
}

const (
	defaultWidth, defaultHeight = 1280, 720
	maxViewport                 = 8192
)

// check refuses combinations that contradict each other, before anything starts.
func (o Options) check() error {
	if _, _, err := o.viewport(); err != nil {
		return err
	}
	if o.Profile != "" && o.Incognito {
		return contract.Invalid("incognito", "a session is either incognito or has a named profile")
	}
	if o.Attach == "" {
		if o.Target != "" {
			return contract.Invalid("target", "--target goes with --attach")
		}
		return nil
	}
	for name, given := range map[string]bool{
		"incognito": o.Incognito, "headed": o.Headed, "chromePath": o.ChromePath != "", "port": o.Port != 0,
		"profile": o.Profile != "" && o.Profile != "default", "chromeFlags": len(o.ChromeFlags) > 0, "proxy": o.Proxy != "",
	} {
		if given {
			return contract.Invalid(name, "it belongs to a browser that Glass starts; with --attach the browser runs already")
		}
	}
	return nil
}

func (o Options) viewport() (width, height int, err error) {
	if o.Viewport == "" {
		return defaultWidth, defaultHeight, nil
	}
	w, h, ok := strings.Cut(strings.ToLower(o.Viewport), "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || width < 1 || height < 1 || width > maxViewport || height > maxViewport {
		return 0, 0, contract.Invalid("viewport", "write WIDTHxHEIGHT, each from 1 to %d", maxViewport)
	}
	return width, height, nil
}

func (o Options) human() bool { return o.Interaction == "human" || o.Interaction == "" && o.Headed }

func (o Options) policy(frontend policy.Frontend) (*policy.Policy, error) {
	return policy.New(policy.Config{
		Preset: policy.Preset(o.Policy), Frontend: frontend,
		Allow: capabilities(o.PolicyAllow), Confirm: capabilities(o.PolicyConfirm),
		AllowHosts: o.PolicyAllowHost, DenyHosts: o.PolicyDenyHost,
	})
}

func capabilities(names []string) []policy.Capability {
	list := make([]policy.Capability, len(names))
	for i, n := range names {
		list[i] = policy.Capability(n)
	}
	return list
}
