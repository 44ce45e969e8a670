package chrome

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// preferences are what no switch turns off: offers to save passwords and cards, translation, checks of addresses and
// passwords with the vendor, sign-in.
const preferences = `{
"alternate_error_pages":{"enabled":false},
"autofill":{"credit_card_enabled":false,"profile_enabled":false},
"browser":{"has_seen_welcome_page":true},
"credentials_enable_autosignin":false,
"credentials_enable_service":false,
"profile":{"password_manager_leak_detection":false},
"safebrowsing":{"enabled":false},
"search":{"suggest_enabled":false},
"signin":{"allowed":false,"allowed_on_next_startup":false},
"translate":{"enabled":false}
}
`

// writePreferences gives a new profile its first settings. What a person changed in a persistent one is left alone.
func writePreferences(userData string) error {
	dir := filepath.Join(userData, "Default")
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return storage("make a profile", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, "Preferences"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return storage("write a profile's settings", err)
	}
	_, err = file.WriteString(preferences)
	if err = errors.Join(err, file.Close()); err != nil {
		return storage("write a profile's settings", err)
	}
	return nil
}
