package chrome

import (
	"slices"
	"strings"
)

// maxFlag bounds one extra flag with its value, in bytes.
const maxFlag = 512

// allowedFlags are the switches that a caller may add: how pages look, sound and are drawn. Everything else is refused,
// because one switch is enough to leave containment: another debugging endpoint, another profile, a command put before
// each renderer, an extension, a proxy, a disabled sandbox (reliability.md §1.1).
var allowedFlags = []string{
	"accept-lang",
	"autoplay-policy",
	"disable-gpu",
	"disable-lcd-text",
	"disable-smooth-scrolling",
	"enable-unsafe-swiftshader",
	"font-render-hinting",
	"force-color-profile",
	"force-dark-mode",
	"force-device-scale-factor",
	"force-prefers-no-reduced-motion",
	"force-prefers-reduced-motion",
	"hide-scrollbars",
	"high-dpi-support",
	"ignore-gpu-blocklist",
	"lang",
	"mute-audio",
	"start-fullscreen",
	"start-maximized",
	"touch-events",
	"use-angle",
	"use-fake-device-for-media-stream",
	"use-gl",
	"user-agent",
	"window-position",
}

// AllowedFlags returns the names that ExtraFlags may hold, sorted, without dashes.
func AllowedFlags() []string { return slices.Clone(allowedFlags) }

func checkExtraFlags(flags []string) error {
	for _, flag := range flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		// An exact match: Chrome itself lower-cases nothing on Linux and macOS, and trims blanks we would not see.
		allowed := strings.HasPrefix(flag, "--") && slices.Contains(allowedFlags, name)
		if !allowed || len(flag) > maxFlag || strings.ContainsFunc(flag, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return errorf(Invalid, "allowed are --"+strings.Join(allowedFlags, ", --"),
				"cannot pass %q to the browser", cutFlag(flag))
		}
	}
	return nil
}

func cutFlag(flag string) string {
	const shown = 64
	if len(flag) <= shown {
		return flag
	}
	return strings.ToValidUTF8(flag[:shown], "") + "…"
}
