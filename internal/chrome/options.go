package chrome

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// The viewport of a browser that names none, in CSS pixels (browser.md §1).
const (
	DefaultWidth  = 1280
	DefaultHeight = 720
	maxViewport   = 16384
)

// LaunchOptions says which browser to start and how. The zero value, and nil, start the found browser headless and
// sandboxed with a temporary profile.
type LaunchOptions struct {
	// Executable is an explicit path; empty means [Find].
	Executable string
	// Folders holds profiles and state; nil means the defaults.
	Folders *Folders
	// Profile names a persistent profile, made when it is missing; empty means a temporary one.
	Profile string
	// Incognito asks for a temporary profile by name: it cannot be combined with Profile.
	Incognito bool
	// Headed opens windows.
	Headed bool
	// NoSandbox starts Chrome without its sandbox. Never set it unasked.
	NoSandbox bool
	// Port, when not zero, opens DevTools on 127.0.0.1 too. The pipe stays, and with it the end of the browser
	// when this process dies.
	Port int
	// Width and Height are the size of windows, and of the screen of a headless browser, in CSS pixels; zero means the
	// default. A window has a frame even when it is headless (87 pixels in Chrome 156), so a page is that much lower:
	// whoever wants an exact viewport sets it per page with Emulation.setDeviceMetricsOverride.
	Width, Height int
	// ProxyServer is the proxy that all traffic goes through, loopback included: "http://127.0.0.1:8080".
	ProxyServer string
	// ExtraFlags are switches from the allow-list of [AllowedFlags], such as "--lang=de".
	ExtraFlags []string
}

func (o *LaunchOptions) check() (LaunchOptions, error) {
	var out LaunchOptions
	if o != nil {
		out = *o
	}
	if out.Width == 0 && out.Height == 0 {
		out.Width, out.Height = DefaultWidth, DefaultHeight
	}
	switch {
	case out.Width < 1 || out.Height < 1 || out.Width > maxViewport || out.Height > maxViewport:
		return out, errorf(Invalid, fmt.Sprintf("name a viewport from 1x1 to %dx%d", maxViewport, maxViewport),
			"cannot use a viewport of %dx%d", out.Width, out.Height)
	case out.Port < 0 || out.Port > 65535:
		return out, errorf(Invalid, "name a port from 1 to 65535", "cannot use port %d", out.Port)
	case out.Incognito && out.Profile != "":
		return out, errorf(Invalid, "leave one of the two out", "cannot use profile %q in an incognito browser", out.Profile)
	}
	if out.Profile != "" {
		if err := checkProfileName(out.Profile); err != nil {
			return out, err
		}
	}
	if err := checkProxy(out.ProxyServer); err != nil {
		return out, err
	}
	return out, checkExtraFlags(out.ExtraFlags)
}

// checkProxy refuses what Chrome would read as more than one proxy: rule lists, "direct://", credentials.
func checkProxy(server string) error {
	if server == "" {
		return nil
	}
	u, err := url.Parse(server)
	bad := err != nil || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Port() == ""
	if !bad {
		switch u.Scheme {
		case "http", "https", "socks5":
		default:
			bad = true
		}
		if _, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || strings.ContainsAny(u.Host, ",;= ") {
			bad = true
		}
		if _, _, err := net.SplitHostPort(u.Host); err != nil {
			bad = true
		}
	}
	if bad {
		return errorf(Invalid, "name it as http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT",
			"cannot use the proxy address %q", server)
	}
	return nil
}
