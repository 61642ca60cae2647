#!/usr/bin/env bash
# Builds everything and runs every check. CI runs this too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/test.sh [--no-install]

Installs what is missing (packages with apt-get, Swift and a Python environment under .build), builds everything, runs all tests, tries fuzzed
inputs for half a minute (deploy/fuzz.sh), tests the macro @Intent (deploy/macros.sh), the Python package (deploy/samples/python) and the console
from outside (deploy/console.sh), validates the published contract (deploy/contract.py), compares the instructions of the hot path with the
committed figures (deploy/instructions.sh), and checks the format of the sources, docker-compose.yml, the scripts and set-up itself. A check whose tool is missing is skipped and named. With --no-install,
nothing is installed: if the build lacks something, the script says what and how to get it, and ends with 2. With CI set in the environment,
compiler warnings are errors. With KAFKA_BOOTSTRAP_SERVERS set, the conformance suite also runs against that Kafka, and the faults are injected on
it (deploy/faults.sh injects more of them). With KAFKA_SASL_BOOTSTRAP_SERVERS and KAFKA_SASL_FOLDER set, each role is played with its own rights on
that Kafka (Tests/ProcessTests/SecuredKafka.swift).

Exit codes: 0 all checks that ran have passed, 2 wrong arguments or something must be installed first, 4 a check failed.
TEXT
}

setup_options=(--for-tests)
case ${1-} in
'') ;;
--no-install) setup_options+=("$1") ;;
-h | --help)
    usage
    exit 0
    ;;
*) refuse "unknown argument '$1'; see deploy/test.sh --help" ;;
esac

passed=() failed=() skipped=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# check NAME COMMAND…: runs the command, notes whether it passed, and continues. What it prints is kept until the end.
check() {
    local name=$1 started=$SECONDS
    shift
    say "$name"
    # Not a pipe: its reader would wait for processes that a failed test leaves behind.
    if "$@" > >(tee "$scratch/output of ${name//\//-}") 2>&1; then passed+=("$name ($((SECONDS - started)) s)"); else failed+=("$name"); fi
}

skip() { skipped+=("$1 ($2)"); }

# docker compose checks the file without an engine; a YAML parser checks at least the syntax.
check_compose_file() {
    local python=.build/python/bin/python3
    [ -x "$python" ] || python=python3
    if docker compose version >/dev/null 2>&1; then
        check "docker-compose.yml" docker compose --file docker-compose.yml config --quiet
    elif "$python" -c 'import yaml' >/dev/null 2>&1; then
        check "docker-compose.yml, as YAML" "$python" -c 'import yaml; yaml.safe_load(open("docker-compose.yml", encoding="utf-8"))["services"]'
    else
        skip "docker-compose.yml" "neither docker compose nor a YAML parser is installed"
    fi
}

# The types of the Python package, and its tests against the programs that were just built.
check_python() {
    local python=$PWD/.build/python/bin/python3
    (cd deploy/samples/python && "$python" -m mypy --cache-dir "$scratch/mypy" && PYTHONDONTWRITEBYTECODE=1 INTENTS_PROGRAM=$1 "$python" -m pytest -q)
}

setup "${setup_options[@]}"
setup_python
check "build" swift build --build-tests
if [ ${#failed[@]} -eq 0 ]; then
    # Checks that use the whole machine or have time limits run alone, so that none fails because another one was busy.
    check "tests" swift test --skip-build --skip '^(LogTests|HTTPFulfilmentTests|ProcessTests|SimulationTests)\.|FaultTests\.UnderFaults'
    check "logs" swift test --skip-build --filter '^LogTests\.'
    check "callbacks" swift test --skip-build --filter '^HTTPFulfilmentTests\.'
    check "processes" swift test --skip-build --filter '^ProcessTests\.'
    if .build/python/bin/python3 -c 'import confluent_kafka, mypy, pytest' 2>/dev/null; then check "Python package" check_python "$(swift build --show-bin-path)/intents"; else skip "Python package" "pytest or mypy is not installed in .build/python"; fi
    if has node; then check "the console's page" node --test Tests/ConsoleTests/page.test.mjs; else skip "the console's page" "node is not installed"; fi
    check "the console from outside" deploy/console.sh --bin "$(swift build --show-bin-path)"
    check "simulation" swift test --skip-build --filter '^SimulationTests\.'
    # In a release build, where histories are ten times faster, optimized across modules, which is a quarter faster again; and in a directory of its own, since
    # its rules can be broken.
    check "simulator" swift build -c release --product intents-simulator --static-swift-stdlib -Xswiftc -cross-module-optimization -Xswiftc -DBREAKABLE_RULES \
        --scratch-path .build/simulator
    check "5,000 histories" .build/simulator/release/intents-simulator --histories 5000 --coverage
    check "every order of owners" .build/simulator/release/intents-simulator --explore
    check "broken rules" .build/simulator/release/intents-simulator --mutants
    if deploy/instructions.sh --can-run; then
        check "instructions" deploy/instructions.sh --no-install
    else
        skip "instructions" "valgrind or python3 is not installed"
    fi
    # Alone, because other tests would lengthen the silences in its table.
    check "faults" swift test --skip-build --filter 'FaultTests\.UnderFaults'
    if library=$(newest_librdkafka "$scratch/librdkafka"); then
        check "faults, newest librdkafka" env LD_LIBRARY_PATH="$library" swift test --skip-build --filter 'FaultTests\.UnderFaults'
    else
        skip "faults, newest librdkafka" "confluent-kafka is not installed in .build/python"
    fi
else
    for name in tests logs callbacks processes "Python package" "the console's page" "the console from outside" simulation simulator "5,000 histories" "every order of owners" "broken rules" instructions faults "faults, newest librdkafka"; do skip "$name" "the build failed"; done
fi
# The schemas of the published contract, with a validator that is not ours.
if .build/python/bin/python3 -c 'import jsonschema, referencing' 2>/dev/null; then
    check "published contract" .build/python/bin/python3 deploy/contract.py
else
    skip "published contract" "jsonschema is not installed in .build/python"
fi
# A package of its own, since no other part needs swift-syntax.
check "macros" deploy/macros.sh --no-install
# In a directory of its own too, since all that it links is instrumented.
if deploy/fuzz.sh --can-run; then
    # With one seed, so that the same tree is given the same inputs.
    check "fuzzed inputs" deploy/fuzz.sh --seconds 30 --seed 1 --no-install
else
    skip "fuzzed inputs" "this toolchain has no libFuzzer"
fi
check "format" swift format lint --strict --recursive Sources Examples Benchmarks Tests Plugins Package.swift
check_compose_file
if has shellcheck; then
    check "scripts" shellcheck --external-sources deploy/*.sh .ci/run
else
    skip "scripts" "shellcheck is not installed"
fi
if deploy/test-setup.sh --can-run; then check "set-up" deploy/test-setup.sh; else skip "set-up" "it needs curl, flock, gpg, gpg-agent and python3"; fi

printf '\n'
for name in ${passed[@]+"${passed[@]}"}; do printf '  passed   %s\n' "$name"; done
for name in ${skipped[@]+"${skipped[@]}"}; do printf '  skipped  %s\n' "$name"; done
# Repeated here, because some places show only the end of a log.
for name in ${failed[@]+"${failed[@]}"}; do
    printf '  FAILED   %s, which ended with:\n' "$name"
    tail -n 12 "$scratch/output of ${name//\//-}" | cut -c 1-1000 | sed 's/^/    /'
done
printf '  in %d s\n' "$SECONDS"
printf 'checks: %d passed, %d failed, %d skipped\n' "${#passed[@]}" "${#failed[@]}" "${#skipped[@]}"
[ ${#failed[@]} -eq 0 ] || exit 4
