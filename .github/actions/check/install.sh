#!/usr/bin/env bash
# Downloads the archive of a version, checks its checksum, and puts the binaries on the path of later steps.
#
# Environment: $VERSION (with or without `v`), $RELEASES (the address below which each version has a folder of
# archives), $SHA256 (of the archive; empty: the one beside it), and $RUNNER_OS, $RUNNER_ARCH, $RUNNER_TEMP and
# $GITHUB_PATH of the runner.
set -euo pipefail

# shellcheck disable=SC2153 # The environment has it.
version="${VERSION#v}"
if ! [[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+ ]]; then
    echo "::error::\`$VERSION\` is not a version: use the action by a tag such as v0.1.0, or set \`version\`"
    exit 2
fi
case "$RUNNER_OS-$RUNNER_ARCH" in
    Linux-X64) target=x86_64-unknown-linux-musl ;;
    Linux-ARM64) target=aarch64-unknown-linux-musl ;;
    macOS-X64) target=x86_64-apple-darwin ;;
    macOS-ARM64) target=aarch64-apple-darwin ;;
    Windows-X64) target=x86_64-pc-windows-msvc ;;
    *)
        echo "::error::there is no archive for $RUNNER_OS on $RUNNER_ARCH: install with \`cargo install fencepost\`"
        exit 2
        ;;
esac

name="fencepost-$version-$target"
folder="$RUNNER_TEMP/fencepost-$version"
mkdir -p "$folder"
cd "$folder"
fetch() {
    curl --fail --silent --show-error --location --retry 3 --output "$1" "$RELEASES/v$version/$1"
}
fetch "$name.tar.gz"
if [ -n "${SHA256:-}" ]; then
    echo "$SHA256  $name.tar.gz" >"$name.tar.gz.sha256"
else
    fetch "$name.tar.gz.sha256"
fi
if command -v sha256sum >/dev/null; then
    sha256sum --check "$name.tar.gz.sha256"
else
    shasum -a 256 --check "$name.tar.gz.sha256"
fi
tar -xzf "$name.tar.gz"
echo "$folder/$name" >>"$GITHUB_PATH"
