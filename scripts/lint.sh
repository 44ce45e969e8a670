#!/bin/sh
# Formatting, vet, and golangci-lint where it is at hand; the built linter is cached.
set -eu
version=v2.15.0
cache="${XDG_CACHE_HOME:-$HOME/.cache}/glass-lint"
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "not formatted:" >&2
	echo "$unformatted" >&2
	exit 1
fi
go vet ./...
for f in browser/inpage/*.js; do node --check "$f"; done
linter="$cache/golangci-lint-$version"
if [ ! -x "$linter" ]; then
	mkdir -p "$cache"
	echo "building golangci-lint $version"
	GOBIN="$cache/bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
	mv "$cache/bin/golangci-lint" "$linter"
fi
"$linter" run ./...
