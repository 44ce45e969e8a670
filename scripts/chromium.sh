#!/bin/sh
# Makes sure that a Chrome or Chromium is there: Debian's package where apt-get can install it, else says what to do.
set -eu
for name in chromium chromium-browser google-chrome google-chrome-stable; do
	if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ -n "${GLASS_CHROME_PATH:-}" ] && [ -x "$GLASS_CHROME_PATH" ]; then exit 0; fi
if [ -d "/Applications/Google Chrome.app" ]; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
	echo "no Chrome or Chromium found: install one, or name it with GLASS_CHROME_PATH" >&2
	exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
echo "installing Debian's chromium"
$as_root apt-get update -q
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core
