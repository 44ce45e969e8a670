package chrome

import (
	"fmt"
	"strings"
)

// quiet keeps a browser from doing anything that no page asked for: a fresh one makes no request of its own
// (browser.md §1, reliability.md F17; TestFreshBrowserIsSilent counts).
var quiet = []string{
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-component-extensions-with-background-pages",
	"--disable-default-apps",
	"--disable-extensions",
	"--disable-sync",
	"--disable-field-trial-config",
	"--disable-domain-reliability",
	"--disable-search-engine-choice-screen",
	"--disable-breakpad",
	"--metrics-recording-only",
	// Safe Browsing, which Debian's Chromium is built without: the settings turn it off, these keep its lists old.
	"--disable-client-side-phishing-detection",
	"--safebrowsing-disable-auto-update",
	// No keyring is asked for: on Linux, on macOS.
	"--password-store=basic",
	"--use-mock-keychain",
	"--allow-browser-signin=false",
	// Whatever still wants to talk to the vendor is pointed at port 9 of this machine, one of those that Chrome refuses
	// to connect to: nothing is sent, not even to the proxy. The component updater needs it because it fetches a list of
	// language models on demand even when it is off.
	"--component-updater=url-source=http://127.0.0.1:9/",
	"--gaia-url=http://127.0.0.1:9/",
	"--google-apis-url=http://127.0.0.1:9/",
	"--variations-server-url=http://127.0.0.1:9/",
}

// steady keeps pages running at full speed when no one looks at them. Nothing here disables the popup blocker
// (reliability.md F15).
var steady = []string{
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",
	"--disable-ipc-flooding-protection",
	"--disable-hang-monitor",
	"--disable-prompt-on-repost",
	"--disable-infobars",
}

// featuresOff are the parts of Chrome that call home, change what pages see from run to run, or put interface of
// their own over pages.
var featuresOff = []string{
	"AutofillServerCommunication",
	"DestroyProfileOnBrowserClose",
	"GlobalMediaControls",
	"LensOverlay",
	"MediaRouter",
	"NetworkTimeServiceQuerying",
	"OptimizationGuideModelDownloading",
	"OptimizationHints",
	"OptimizationTargetPrediction",
	"Translate",
	"DialMediaRouteProvider",
	"IntranetRedirectDetector",
}

// arguments is the whole command line after the program. Extra flags come first: of a switch given twice Chrome takes
// the last.
func arguments(o LaunchOptions, userData string, smallShm bool) []string {
	args := append([]string(nil), o.ExtraFlags...)
	args = append(args, quiet...)
	args = append(args, steady...)
	args = append(args,
		"--disable-features="+strings.Join(featuresOff, ","),
		"--user-data-dir="+userData,
		"--remote-debugging-pipe",
		fmt.Sprintf("--window-size=%d,%d", o.Width, o.Height),
		// No page is opened at start: the caller creates the one it wants, and a persistent profile brings none back.
		"--no-startup-window",
	)
	if o.Port != 0 {
		args = append(args, fmt.Sprintf("--remote-debugging-port=%d", o.Port)) // on 127.0.0.1; there is no switch for more
	}
	if !o.Headed {
		args = append(args, "--headless", "--hide-scrollbars", "--mute-audio",
			fmt.Sprintf("--screen-info={%dx%d}", o.Width, o.Height))
	}
	if o.NoSandbox {
		args = append(args, "--no-sandbox")
	}
	if smallShm {
		args = append(args, "--disable-dev-shm-usage")
	}
	if o.ProxyServer != "" {
		// "<-loopback>" takes away the rule that addresses of this machine bypass the proxy, and WebRTC must not
		// reach around it over UDP. That switch was renamed: Chrome 156 ignores the old name that most drivers pass.
		args = append(args, "--proxy-server="+o.ProxyServer, "--proxy-bypass-list=<-loopback>", "--disable-quic",
			"--webrtc-ip-handling-policy=disable_non_proxied_udp",
			"--force-webrtc-ip-handling-policy=disable_non_proxied_udp")
	}
	return args
}
