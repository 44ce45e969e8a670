package chrome

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindPrefersWhatIsNamed(t *testing.T) {
	path := script(t, "echo 'Fake Chrome 1.0'")
	got, err := Find(testContext(t), path, &Folders{Data: t.TempDir(), State: t.TempDir()})
	if err != nil || got != (Executable{path, SourceExplicit}) {
		t.Errorf("got %v, %v", got, err)
	}
	notExecutable := filepath.Join(t.TempDir(), "chrome")
	mustDo(t, os.WriteFile(notExecutable, nil, 0o600))
	if _, err := Find(testContext(t), notExecutable, nil); kindOf(err) != Missing {
		t.Errorf("a file that is no program: %v", err)
	}
}

// The recorded build is data in a file: a name in it must not lead elsewhere.
func TestRecordOfTheInstalledBuildIsChecked(t *testing.T) {
	tests := []struct{ name, text string }{
		{"no JSON", "x"},
		{"a build that is a path", `{"build":"../../x","executable":"chrome"}`},
		{"an executable that climbs", `{"build":"abcdefgh22","executable":"../../bin/sh"}`},
		{"an absolute executable", `{"build":"abcdefgh22","executable":"/bin/sh"}`},
		{"a build that is gone", `{"build":"abcdefgh22","executable":"chrome"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &Folders{Data: t.TempDir(), State: t.TempDir()}
			mustDo(t, os.Mkdir(filepath.Join(f.Data, buildsDir), 0o700),
				os.WriteFile(filepath.Join(f.Data, buildsDir, installedFile), []byte(tt.text), 0o600))
			if path, ok := installed(f); ok {
				t.Errorf("found %s", path)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	got, err := Version(testContext(t), script(t, "echo 'Fake Chrome 1.0'; echo more"))
	if got != "Fake Chrome 1.0" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	_, err = Version(testContext(t), script(t, "exit 3"))
	if kindOf(err) != Missing || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("got %v", err)
	}
}
