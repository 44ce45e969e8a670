#!/bin/bash
# The MCP Inspector's CLI against glass mcp over stdio, on the demo's page: each answer is checked for what it must hold.
set -eu
cd "$(dirname "$0")/.."
. scripts/tools.sh @modelcontextprotocol/inspector
inspector="$cache/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js"
CGO_ENABLED=0 go build -o "$work/glass" ./cmd/glass
export GLASS_RUNTIME_DIR="$work/run" XDG_STATE_HOME="$work/state"
if [ "$(id -u)" = 0 ]; then export GLASS_NO_SANDBOX=1; fi
node examples/demo/server.mjs >"$work/url" &
pids="$pids $!"
await "$work/url" http
url=$(cat "$work/url")

# check WORD ARGS…: the answer holds WORD. The session is the daemon's, since each call is a process of its own.
check() {
	word=$1
	shift
	node "$inspector" --cli "$work/glass" mcp --session inspector "$@" >"$work/answer"
	if ! grep -qF -- "$word" "$work/answer"; then
		echo "inspector $*: no $word in" >&2
		cat "$work/answer" >&2
		exit 1
	fi
	echo "ok: $* holds $word"
}
check '"name": "observe"' --method tools/list
check 'Tool shed' --method tools/call --tool-name navigate --tool-arg "url=$url"
check 'button \"Place order\"' --method tools/call --tool-name observe --tool-arg format=outline
check 'Thank you' --method tools/call --tool-name click --tool-arg 'target=role=button;name=Place order'
check 'hit_test_blocked' --method resources/read --uri glass://contract/errors
check 'retry_safe' --method prompts/get --prompt-name recovery --prompt-args failure=x
"$work/glass" close --all >/dev/null
"$work/glass" daemon stop >/dev/null
