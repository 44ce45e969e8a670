package chrome

// SandboxUsable says whether the browser at this path can start sandboxed for this user. Chrome itself only says so by
// dying; asking before gives the person both ways out in one sentence (browser.md §1).
func SandboxUsable(executable string) error {
	if reason := noSandboxBecause(executable); reason != "" {
		return errorf(Sandbox, "pass --no-sandbox if you trust the pages, or run Glass as another user",
			"cannot start Chrome in its sandbox: %s; pass --no-sandbox or run as another user", reason)
	}
	return nil
}
