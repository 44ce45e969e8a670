#!/bin/bash
# The public MCP conformance suite: all active scenarios against the test fixture (internal/frontend/mcp), and what applies to
# any server against glass mcp --http itself.
set -eu
cd "$(dirname "$0")/.."
. scripts/tools.sh @modelcontextprotocol/conformance
suite="$cache/node_modules/@modelcontextprotocol/conformance/dist/index.js"

go test -c -o "$work/mcp.test" ./internal/frontend/mcp
GLASS_CONFORMANCE=127.0.0.1:17400 "$work/mcp.test" -test.run TestConformanceFixture -test.timeout 0 >"$work/fixture.log" 2>&1 &
pids="$pids $!"
CGO_ENABLED=0 go build -o "$work/glass" ./cmd/glass
token=conformance-$$-token-0123456789
GLASS_HTTP_TOKEN=$token "$work/glass" mcp --http 127.0.0.1:17401 --tools all >"$work/glass.log" 2>&1 &
pids="$pids $!"
node scripts/token-proxy.mjs 17402 17401 "$token" >"$work/proxy.log" 2>&1 &
pids="$pids $!"
await "$work/proxy.log" ready
sleep 1

echo "== the fixture, all active scenarios"
(cd "$work" && "$node22" "$suite" server --url http://127.0.0.1:17400/mcp --suite active) >"$work/suite.log" 2>&1 || { cat "$work/suite.log"; exit 1; }
grep -E '^(✓|✗|Total)' "$work/suite.log"
for scenario in server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection; do
	echo "== glass mcp --http: $scenario"
	(cd "$work" && "$node22" "$suite" server --url http://127.0.0.1:17402/mcp --scenario "$scenario") >"$work/one.log" 2>&1 || { cat "$work/one.log"; exit 1; }
	grep -E '^Passed' "$work/one.log"
done
