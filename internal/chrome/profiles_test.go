package chrome

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func kindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

func TestProfileNames(t *testing.T) {
	tests := []struct {
		name string
		good bool
	}{
		{"work", true}, {"a.b-c_D9", true}, {"_x", true}, {strings.Repeat("a", 64), true},
		{"", false}, {strings.Repeat("a", 65), false}, {".hidden", false}, {"..", false}, {"-option", false},
		{"a/b", false}, {"a b", false}, {"a\n", false}, {"ü", false}, {"a=b", false}, {"a\x00b", false},
	}
	for _, tt := range tests {
		if err := checkProfileName(tt.name); (err == nil) != tt.good {
			t.Errorf("%q: %v", tt.name, err)
		}
	}
}

func TestProfilesAreListedCreatedAndDeleted(t *testing.T) {
	ctx, folders := testContext(t), &Folders{State: t.TempDir(), Data: t.TempDir()}
	if list, err := ListProfiles(ctx, folders); len(list) != 0 || err != nil {
		t.Errorf("at first: %v, %v", list, err)
	}
	for _, name := range []string{"work", "home"} {
		if _, err := CreateProfile(ctx, name, folders); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := CreateProfile(ctx, "work", folders); kindOf(err) != Exists {
		t.Errorf("created twice: %v", err)
	}
	list, err := ListProfiles(ctx, folders)
	if err != nil || len(list) != 2 || list[0].Name != "home" || list[1].Name != "work" || list[0].InUse {
		t.Errorf("listed %v, %v", list, err)
	}
	if err := DeleteProfile(ctx, "work", folders); err != nil {
		t.Error(err)
	}
	if err := DeleteProfile(ctx, "work", folders); kindOf(err) != NotFound {
		t.Errorf("deleted twice: %v", err)
	}
	if err := DeleteProfile(ctx, "../home", folders); kindOf(err) != Invalid {
		t.Errorf("a path was deleted: %v", err)
	}
}

func TestProfileHasOneOwnerAtATime(t *testing.T) {
	o := options(t)
	o.Profile = "work"
	b, w := launch(t, o)
	if err := w.call("", "Browser.getVersion", nil, nil); err != nil {
		t.Fatal(why(b, err))
	}
	if _, err := Launch(testContext(t), o); kindOf(err) != InUse {
		t.Errorf("a second owner: %v", err)
	}
	if err := DeleteProfile(testContext(t), "work", o.Folders); kindOf(err) != InUse {
		t.Errorf("deleted in use: %v", err)
	}
	if list, err := ListProfiles(testContext(t), o.Folders); err != nil || len(list) != 1 || !list[0].InUse {
		t.Errorf("listed %v, %v", list, err)
	}
	if err := b.Close(testContext(t), w.polite); err != nil {
		t.Fatal(err)
	}
	assertNothingLeft(t, b, o)
	if _, err := os.Stat(filepath.Join(b.UserData(), "Default", "Preferences")); err != nil {
		t.Errorf("the profile did not stay: %v", err)
	}
	if err := DeleteProfile(testContext(t), "work", o.Folders); err != nil {
		t.Error(err)
	}
}

// Chrome's own lock names a host and a process. One left by a dead owner on another host (a container, say) would make
// Chrome refuse the profile for ever.
func TestStaleLockOfChromeDoesNotBlock(t *testing.T) {
	o := options(t)
	o.Profile = "work"
	profile, err := CreateProfile(testContext(t), "work", o.Folders)
	if err != nil {
		t.Fatal(err)
	}
	mustDo(t,
		os.Symlink("otherhost-1", filepath.Join(profile.Dir, "SingletonLock")),
		os.Symlink("/nowhere/SingletonSocket", filepath.Join(profile.Dir, "SingletonSocket")))
	b, w := launch(t, o)
	if err := w.call("", "Browser.getVersion", nil, nil); err != nil {
		t.Fatal(why(b, err))
	}
}

// A profile whose owner was killed is free at once: what still runs of the old browser is ended first.
func TestProfileOfAKilledOwnerIsFree(t *testing.T) {
	needChromium(t)
	o := options(t)
	o.Profile = "work"
	owner, _, _ := startOwner(t, ownerTask{Options: *o, Report: "loaded"})
	mustDo(t, owner.Process.Kill())
	owner.Wait()
	b, w := launch(t, o)
	if err := w.call("", "Browser.getVersion", nil, nil); err != nil {
		t.Fatal(why(b, err))
	}
}
