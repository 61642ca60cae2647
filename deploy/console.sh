#!/usr/bin/env bash
# Checks the console and the door for agents from outside: in a browser, with made-up requests, and with the official client of MCP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'TEXT'
Usage: deploy/console.sh [--bin FOLDER] [--screenshots FOLDER]

Starts 'intents dev' with the console out of FOLDER (default .build/debug) and checks it: the OpenAPI document, made-up requests (schemathesis),
the page in headless Chromium (deploy/console/browser.py), the official Python client of the Model Context Protocol (deploy/agents/mcp_check.py)
and, with tokens, an agent whose ride the person confirms in the page (deploy/agents/agreement_check.py). What needs a program
or a Python package that is missing is skipped and named. deploy/test.sh installs these into .build/python.

Exit codes: 0 all checks that ran have passed, 2 wrong arguments, 4 a check failed.
TEXT
}

bin=.build/debug screenshots='' python=.build/python/bin/python3
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --bin | --screenshots)
        [ $# -ge 2 ] || { printf '%s needs a value; see deploy/console.sh --help\n' "$1" >&2; exit 2; }
        if [ "$1" = --bin ]; then bin=$2; else screenshots=$2; fi
        shift 2
        ;;
    *)
        printf "unknown argument '%s'; see deploy/console.sh --help\n" "$1" >&2
        exit 2
        ;;
    esac
done
for program in intents intents-console intent-coordinator sample-worker; do
    [ -x "$bin/$program" ] || { printf '%s is missing: build it with swift build --product %s\n' "$bin/$program" "$program" >&2; exit 2; }
done

scratch=$(mktemp -d)
dev=''
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
    [ -z "$dev" ] || { kill "$dev" 2>/dev/null && wait "$dev" 2>/dev/null; } || true
    rm -rf "$scratch"
}
trap clean_up EXIT

# Made-up requests are not for the Kafka that the environment may name.
unset KAFKA_BOOTSTRAP_SERVERS
"$bin/intents" dev --console --port 0 --ready-file "$scratch/ready.json" >/dev/null &
dev=$!
for _ in {1..900}; do
    [ ! -e "$scratch/ready.json" ] || break
    kill -0 "$dev" 2>/dev/null || { printf 'the pipeline did not start: see above\n' >&2; exit 4; }
    sleep 0.1
done
servers=$(sed -n 's/.*"bootstrapServers":"\([^"]*\)".*/\1/p' "$scratch/ready.json")
url=$(sed -n 's/.*"console":"\([^"]*\)".*/\1/p' "$scratch/ready.json")

failed=0
# check NAME COMMAND…
check() {
    local name=$1
    shift
    printf '== %s\n' "$name" >&2
    if ! "$@" >"$scratch/output" 2>&1; then
        tail -n 80 "$scratch/output" >&2
        printf 'FAILED: %s\n' "$name" >&2
        failed=1
    fi
}
has_python() { [ -x "$python" ] && "$python" -c "import $1" 2>/dev/null; }
skip() { printf 'skipped: %s (%s)\n' "$1" "$2" >&2; }

curl -sS --fail "$url/api/v1/openapi.json" >"$scratch/openapi.json"
if has_python openapi_spec_validator; then
    check "OpenAPI" "$python" -c 'import json, sys; from openapi_spec_validator import validate; validate(json.load(open(sys.argv[1])))' "$scratch/openapi.json"
else
    skip "OpenAPI" "openapi-spec-validator is not installed in .build/python"
fi
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -n "$browser" ] && has_python playwright; then
    check "page in a browser" "$python" deploy/console/browser.py "$url" --executable-path "$browser" --sessions 3 --dev "$dev" --servers "$servers" ${screenshots:+--screenshots "$screenshots"}
else
    skip "page in a browser" "chromium, or playwright in .build/python, is not installed"
fi
if [ -n "$browser" ] && has_python playwright && has_python mcp && has_python jwt && has_python confluent_kafka; then
    check "an agent asks and the person agrees" "$python" deploy/agents/agreement_check.py "$bin" --executable-path "$browser"
else
    skip "an agent asks and the person agrees" "chromium, or playwright, mcp, pyjwt or confluent-kafka in .build/python, is not installed"
fi
if has_python mcp; then check "MCP" "$python" deploy/agents/mcp_check.py "$bin/intents" "$servers"; else skip "MCP" "mcp is not installed in .build/python"; fi
# Last, since it fills the sessions. Bounds in bytes, and numbers such as 2.0 for 2, are beyond what a schema can say: valid by the schema is not all that is accepted.
if [ -x .build/python/bin/schemathesis ]; then
    # In the scratch folder, because it leaves files where it runs.
    check "made-up requests" env --chdir "$scratch" "$PWD/.build/python/bin/schemathesis" run "$scratch/openapi.json" --url "$url/api/v1" --checks all \
        --exclude-checks positive_data_acceptance --exclude-path-regex 'events$' --max-examples 30 --seed 1 --no-color
else
    skip "made-up requests" "schemathesis is not installed in .build/python"
fi
[ "$failed" -eq 0 ] || exit 4
