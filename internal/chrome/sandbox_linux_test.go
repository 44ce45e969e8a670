package chrome

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNamespaceSettings(t *testing.T) {
	tests := []struct {
		name       string
		settings   map[string]string
		executable string
		want       string // part of the reason, "" for usable
	}{
		{"no such settings", nil, "/x/chrome", ""},
		{"namespaces allowed", map[string]string{"user/max_user_namespaces": "96365\n", "kernel/unprivileged_userns_clone": "1\n"},
			"/x/chrome", ""},
		{"no namespaces at all", map[string]string{"user/max_user_namespaces": "0\n"}, "/x/chrome", "max_user_namespaces"},
		{"not for ordinary users", map[string]string{"kernel/unprivileged_userns_clone": "0\n"}, "/x/chrome",
			"unprivileged_userns_clone"},
		{"restricted by AppArmor", map[string]string{"kernel/apparmor_restrict_unprivileged_userns": "1\n"}, "/x/chrome",
			"AppArmor"},
		{"AppArmor knows the packaged browser", map[string]string{"kernel/apparmor_restrict_unprivileged_userns": "1\n"},
			"/opt/google/chrome/chrome", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, value := range tt.settings {
				path := filepath.Join(root, name)
				mustDo(t, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(value), 0o600))
			}
			got := noNamespacesBecause(root, tt.executable)
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want something about %q", got, tt.want)
			}
		})
	}
}

func TestRootIsToldBothWaysOut(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	needChromium(t)
	o := options(t)
	o.NoSandbox = false
	_, err := Launch(testContext(t), o)
	if kindOf(err) != Sandbox {
		t.Fatalf("got %v, want kind %s", err, Sandbox)
	}
	for _, way := range []string{"--no-sandbox", "another user"} {
		if !strings.Contains(err.Error(), way) {
			t.Errorf("%q does not name %s", err, way)
		}
	}
}
