package chrome

// systemCandidates lists the system's browsers, best first: programs before the scripts that start them.
func systemCandidates() []string {
	return []string{
		"/opt/google/chrome/chrome",
		"google-chrome-stable",
		"google-chrome",
		"/usr/lib/chromium/chromium",
		"chromium",
		"chromium-browser",
		"/snap/bin/chromium",
		"/opt/google/chrome-beta/chrome",
		"/opt/google/chrome-unstable/chrome",
		"chrome",
	}
}
