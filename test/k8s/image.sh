#!/usr/bin/env bash
# Builds the image without a container engine: executes the Dockerfile's instructions on clean Debian roots.
#   image.sh OUT.tar [ROOT]   OUT.tar: an archive that `ctr images import` and `docker load` accept; ROOT: keep its files there
# Needs root, Debian's package mirror and the package registry. The Debian root is kept in the cache folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:?usage: image.sh OUT.tar [ROOT]}")
[ "$(id -u)" = 0 ] || { echo "image.sh: needs root, for chroot" >&2; exit 3; }
suite=bookworm
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fieldstone/debian
base=$cache/$suite-$(date -u +%Y-%m)
mkdir -p "$cache"

if [ ! -e "$base/.complete" ]; then
  work=$(mktemp -d -p "$cache")
  (cd "$work" && apt-get download -qq debootstrap 2>/dev/null && dpkg -x debootstrap_*.deb tool)
  DEBOOTSTRAP_DIR=$work/tool/usr/share/debootstrap "$work/tool/usr/sbin/debootstrap" --variant=minbase "$suite" "$work/root" >&2
  rm -rf "$base" && mv "$work/root" "$base" && touch "$base/.complete" && rm -rf "$work"
fi

node=$here/../../node_modules/.bin/node
exec "$node" "$here/build-image.ts" "$base" "$out" ${2:+"$2"}
