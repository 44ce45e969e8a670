package chrome

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctor(t *testing.T) {
	needChromium(t)
	folders := &Folders{State: filepath.Join(t.TempDir(), "state"), Data: t.TempDir()}
	mustDo(t, os.MkdirAll(filepath.Join(folders.State, browsersDir, "leftovera2"), 0o700), os.Chmod(folders.Data, 0o755))
	owned, err := newWorkdir(folders.State)
	if err != nil {
		t.Fatal(err)
	}
	defer owned.remove()
	checks := map[string]Check{}
	for _, check := range Doctor(testContext(t), folders) {
		checks[check.Name] = check
		if !check.OK && check.Mend == "" {
			t.Errorf("%s is not well and has no mend: %s", check.Name, check.Detail)
		}
	}
	tests := []struct {
		name   string
		ok     bool
		detail string
	}{
		{"browser", true, "Chrom"},
		{"sandbox", os.Geteuid() != 0, ""},
		{"state", true, folders.State},
		{"data", false, "0755"},
		{"leftovers", true, "1 folder"},
	}
	for _, tt := range tests {
		if check := checks[tt.name]; check.OK != tt.ok || !strings.Contains(check.Detail, tt.detail) {
			t.Errorf("got %+v, want OK %v and %q", check, tt.ok, tt.detail)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(folders.State, browsersDir)); err != nil || len(entries) != 3 {
		t.Errorf("the doctor changed something: %v, %v", entries, err)
	}
}

func TestDoctorWithoutABrowser(t *testing.T) {
	_, check := checkBrowser(testContext(t), Folders{Data: t.TempDir()})
	if check.OK {
		t.Skip("the system has a browser")
	}
	if !strings.Contains(check.Mend, "install-chromium") {
		t.Errorf("got %+v", check)
	}
}
