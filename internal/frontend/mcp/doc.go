// Package mcp turns the operation table into an MCP server and is the only package that imports the MCP SDK.
//
// [New] makes a server of a table. [Server.ServeStream] speaks newline-delimited JSON over any pair of streams: stdin
// and stdout for glass mcp, a connection of the private socket for the daemon. [Server.ServeHTTP] speaks streamable
// HTTP. [Dial] is the client side that the CLI, the cockpit and glass mcp --session use: it implements
// operation.Executor.
//
// What the SDK does not do is done here, in front of it: lines are bounded and checked before it sees them (one bad
// line never ends a connection), requests in flight are counted, end of input cancels what runs, and HTTP requests pass
// Host, Origin and token checks (frontends.md §3, reliability.md F11 and F12).
package mcp
