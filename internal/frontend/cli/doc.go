// Package cli turns the operation table into commands, and adds those that are no operations: daemon, mcp, config,
// schema, completion and the like (frontends.md §2).
//
// [Run] is the whole program but for its exit. Operations run in the daemon, or in this process with --no-daemon.
// Results go to stdout: one line of JSON, or a readable form for a person at a terminal. Failures go to stderr, and
// decide the exit code by their kind.
package cli
