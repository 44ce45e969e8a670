// Package chrome owns browsers as processes: it finds or installs an executable, launches it on a pipe that no other
// user can reach, and ends it so that nothing survives: no process of its tree, no folder (browser.md §1).
//
// Start with [Launch]. The [Browser] it returns has a Reader and a Writer: NUL-delimited DevTools messages go over
// them, spoken by whoever uses the browser; this package knows nothing of the protocol. The browser opens no window
// of its own: the caller creates its first target. When a call on the pipe fails, [Browser.Exited] and
// [Browser.ExitError] say what happened to the process, and [Browser.Close] ends it in order.
//
// The pipe is also the protection against orphans: when this process dies, even by SIGKILL, Chrome reads the end of the
// pipe and exits (reliability.md F6). What it leaves on disk is removed by [Sweep], which every Launch starts.
//
// Errors that a person can mend are [*Error], with a kind to branch on and a hint that says how.
package chrome
