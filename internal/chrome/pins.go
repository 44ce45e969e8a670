package chrome

import "runtime"

// Pin is a browser build that this version of Glass vouches for.
type Pin struct {
	Version  string // "156.0.8078.114"
	Platform string // GOOS/GOARCH
	URL      string // the zip archive
	Size     int64  // of the archive, in bytes
	SHA256   string // of the archive, in hexadecimal
}

// pins holds one Chrome for Testing archive per platform. An entry is added by someone who has downloaded the
// archive, computed Size and SHA256 from it and started the browser in it; nothing unverified stands here. The
// archives are at https://storage.googleapis.com/chrome-for-testing-public/VERSION/PLATFORM/chrome-PLATFORM.zip,
// PLATFORM being linux64, mac-arm64 or mac-x64.
var pins = []Pin{}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Pinned returns the pin for this platform, if this build of Glass has one.
func Pinned() (Pin, bool) { return pinFor(pins, platform()) }

func pinFor(pins []Pin, platform string) (Pin, bool) {
	for _, pin := range pins {
		if pin.Platform == platform {
			return pin, true
		}
	}
	return Pin{}, false
}
