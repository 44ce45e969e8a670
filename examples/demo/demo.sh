#!/bin/sh
# The main job on a real page: observe, act, and the same through MCP. Everything that it starts has ended when it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
glass=${GLASS:-./glass}
state=$(mktemp -d)
export GLASS_RUNTIME_DIR="$state/run" XDG_STATE_HOME="$state/state"
if [ -n "${SANDBOX:-}" ]; then export GLASS_NO_SANDBOX=1; fi

node "$here/server.mjs" >"$state/url" &
server=$!
finish() {
	"$glass" close --all >/dev/null 2>&1 || true
	"$glass" daemon stop >/dev/null 2>&1 || true
	kill "$server" 2>/dev/null || true
	wait "$server" 2>/dev/null || true
	rm -rf "$state"
}
trap finish EXIT INT TERM
while [ ! -s "$state/url" ]; do sleep 0.1; done
url=$(cat "$state/url")

step() { printf '\n$ glass %s\n' "$*"; "$glass" "$@"; }

printf '== A script: one command each, the session stays open between them\n'
step navigate "$url"
step observe --format outline
printf '\nThree buttons have that name: Glass asks which, and presses none.\n'
step click 'name=Add to cart' || true
step find 'Add to cart' --near Saw
node=$("$glass" find 'Add to cart' --near Saw --json | sed -n 's/.*"ref":"r[0-9]*:\(b[0-9]*\)".*/\1/p' | head -n 1)
step click "node=$node"
step fill-form --fields 'label=Name=Ada' --fields 'label=Shipping=Express' --fields 'label=Gift wrap=true'
step click 'role=button;name=Place order'
step wait 'text=Thank you, Ada'
step close

printf '\n== An agent: the same over MCP (stdio)\n'
node "$here/agent.mjs" "$glass" "$url"
printf '\nDone: nothing is left running.\n'
