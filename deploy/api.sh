#!/usr/bin/env bash
# Finds what breaks the sources of those who use the libraries: compares their public API with that of an earlier commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'TEXT'
Usage: deploy/api.sh [--since REF] [PRODUCT…]

Compares the public API of the library products (or of those that are named) with the API at REF: a tag, branch or commit, by default the newest
release tag. Prints each change that breaks sources which use the API. Changes that are listed in api-breakages.txt are allowed: one message a line, as it
is printed here, beginning with "API breakage: ". Products that REF does not have are skipped, and products that are gone are not reported.

It builds the package at REF and as it is now, which takes as long as two cold builds. So deploy/test.sh does not run it.

Exit codes: 0 nothing breaks, 2 wrong arguments or no release to compare with, 4 something breaks or does not build.
TEXT
}

refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

since='' products=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --since)
        [ $# -ge 2 ] || refuse "--since needs a tag, branch or commit."
        since=$2
        shift
        ;;
    -*) refuse "'$1' is not known here; see deploy/api.sh --help" ;;
    *) products+=("$1") ;;
    esac
    shift
done

if [ -z "$since" ]; then
    since=$(git describe --tags --abbrev=0 --match '[0-9]*' 2>/dev/null) || refuse "There is no release tag to compare with: name a commit with --since."
fi
git rev-parse --verify --quiet "$since^{commit}" >/dev/null || refuse "There is no commit '$since' here."

# The API at an earlier commit does not change: it is kept.
arguments=("$since" --breakage-allowlist-path api-breakages.txt --baseline-dir .build/api)
[ ${#products[@]} -eq 0 ] || arguments+=(--products "${products[@]}")
swift package diagnose-api-breaking-changes "${arguments[@]}" || exit 4
