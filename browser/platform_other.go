//go:build !darwin

package browser

// platformModifier is what Mod means in shortcuts.
const platformModifier = modifierControl
