package chrome

import "strings"

// markerVariable tags every process of a browser's tree: children inherit it, helpers that leave the group too.
const markerVariable = "GLASS_BROWSER_ID"

// passed are the variables of ours that a browser gets. An allow-list, because tokens and keys live in the environment
// under any name, and because proxy variables would lead past the egress proxy.
var passed = map[string]bool{
	"PATH": true, "HOME": true, "USER": true, "LOGNAME": true, "LANG": true, "LANGUAGE": true, "TZ": true,
	"XDG_DATA_DIRS": true, "XDG_CONFIG_DIRS": true, "FONTCONFIG_FILE": true, "FONTCONFIG_PATH": true,
	"LD_LIBRARY_PATH": true, "SSL_CERT_DIR": true, "SSL_CERT_FILE": true,
}

// passedHeaded are those that only a browser with a window needs.
var passedHeaded = map[string]bool{
	"DISPLAY": true, "XAUTHORITY": true, "WAYLAND_DISPLAY": true, "XDG_RUNTIME_DIR": true, "XDG_SESSION_TYPE": true,
	"XDG_CURRENT_DESKTOP": true, "DBUS_SESSION_BUS_ADDRESS": true, "GTK_IM_MODULE": true, "XMODIFIERS": true,
}

// environment picks what a browser may know from base and adds own, which wins.
func environment(base, own []string, headed bool) []string {
	taken := map[string]bool{}
	for _, entry := range own {
		name, _, _ := strings.Cut(entry, "=")
		taken[name] = true
	}
	out := append([]string(nil), own...)
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		wanted := passed[name] || strings.HasPrefix(name, "LC_") || headed && passedHeaded[name]
		if wanted && !taken[name] {
			out = append(out, entry)
		}
	}
	return out
}
