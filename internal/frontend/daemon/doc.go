// Package daemon keeps sessions alive between calls of the CLI: one process for each user, reached over a Unix socket,
// started on first use and gone when nobody has called for a while (frontends.md §2).
//
// [Run] is the daemon, [Connect] reaches it and starts it where needed. On the socket it speaks MCP, by package mcp;
// there is no second protocol. Invariants:
//
//   - The socket lies in a folder that only the user can enter, and both ends check the other's user id.
//   - Whoever holds the lock file is the daemon; only it may remove or make the socket. The kernel frees the lock when
//     the process ends, however it ends, so a socket without a lock holder is stale and simply replaced.
//   - Those who start a daemon do so one after another, behind a second lock, and wait for the handshake, not for a
//     file.
package daemon
