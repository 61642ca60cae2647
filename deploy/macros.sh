#!/usr/bin/env bash
# Tests the macro @Intent in a package that uses it as others do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/macros.sh [--no-install]

Builds Tests/MacroClient, a package that depends on this one with the trait Macros, and runs its tests. Then builds its target Mistakes, which has to fail with
the macro's messages. It takes some minutes the first time, because the macro needs swift-syntax.

  --no-install   install nothing: if something is missing, say what, and end with 2
  -h, --help     this text

Exit codes: 0 all is well, 2 wrong arguments or something must be installed first, 4 a test has failed.
TEXT
}

setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    --no-install) setup_options+=("$1") ;;
    -h | --help) usage; exit 0 ;;
    *) say "unknown argument '$1'"; usage >&2; exit 2 ;;
    esac
    shift
done

setup ${setup_options[@]+"${setup_options[@]}"}
in_client() { swift "$1" --package-path Tests/MacroClient --scratch-path .build/macros "${@:2}"; }

in_client build --target Garden || { say "the package that uses @Intent does not build: see above"; exit 4; }
in_client test || exit 4

if output=$(INTENTS_MACRO_MISTAKES=1 in_client build --target Mistakes 2>&1); then
    say "the target Mistakes has built: @Intent has accepted what it should refuse"
    exit 4
fi
message='@Intent is for a struct: intents are values'
grep -qF -- "$message" <<<"$output" || { say "the target Mistakes does not fail with: $message"; printf '%s\n' "$output" >&2; exit 4; }
say "@Intent writes what it should, and refuses what it should"
