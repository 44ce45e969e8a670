package chrome

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// noSandboxBecause returns why Chrome's sandbox cannot work here, or "". Chrome needs user namespaces, or a helper
// beside it that is owned by root and has the set-user-id bit; it refuses root in either case.
func noSandboxBecause(executable string) string {
	if os.Geteuid() == 0 {
		return "this is root"
	}
	if suidHelper(filepath.Dir(executable)) {
		return ""
	}
	if reason := noNamespacesBecause("/proc/sys", executable); reason != "" {
		return reason
	}
	return ""
}

func suidHelper(dir string) bool {
	for _, name := range []string{"chrome-sandbox", "chrome_sandbox"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode()&fs.ModeSetuid == 0 || info.Mode().Perm()&0o001 == 0 {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid == 0 {
			return true
		}
	}
	return false
}

// noNamespacesBecause reads the three settings with which systems forbid user namespaces to ordinary users. A missing
// file means that this kernel has no such setting.
func noNamespacesBecause(sysctls, executable string) string {
	setting := func(name string) string {
		data, err := os.ReadFile(filepath.Join(sysctls, name))
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(data))
	}
	switch {
	case setting("user/max_user_namespaces") == "0":
		return "this kernel gives no user namespaces (user.max_user_namespaces is 0)"
	case setting("kernel/unprivileged_userns_clone") == "0":
		return "this kernel gives ordinary users no user namespaces (kernel.unprivileged_userns_clone is 0)"
	case setting("kernel/apparmor_restrict_unprivileged_userns") == "1" && !profiledByAppArmor(executable):
		return "AppArmor gives this program no user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)"
	}
	return ""
}

// appArmorNames are the places for which distributions ship a profile that allows the namespaces.
var appArmorNames = []string{
	"/opt/google/chrome", "/usr/lib/chromium", "/snap/", "/opt/brave.com", "/opt/microsoft/msedge",
}

func profiledByAppArmor(executable string) bool {
	for _, prefix := range appArmorNames {
		if strings.HasPrefix(executable, prefix) {
			return true
		}
	}
	return false
}
