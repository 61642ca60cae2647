#!/usr/bin/env bash
# Builds the package and runs its checks: those of a change, or all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/test.sh [--all] [--no-install]

Installs what is missing (packages with apt-get, Swift under .build), builds the package, and runs its tests: units, pipelines in memory, the log
on the development broker, processes, and 1,000 simulated histories. It also checks the format of the sources, and that each line that applies a rule
has its entry in Tests/Mutants/rules.txt. On two cores this takes about 15
minutes from a fresh clone, and 6 when everything is built.

--all is what CI runs. It adds the Python package, the console's page and the console from outside, 5,000 histories in a release build, every
order of owners, all broken rules (deploy/mutants.sh), the instructions of the hot path (deploy/instructions.sh), both fault tables
(deploy/faults.sh has more), the published contract (deploy/contract.py), the macro @Intent (deploy/macros.sh), half a minute of fuzzed inputs
(deploy/fuzz.sh), docker-compose.yml, the scripts, and set-up itself. It installs their tools as well. A check whose tool is missing is skipped and named.

With --no-install, nothing is installed: if the build lacks something, the script says what and how to get it, and ends with 2. With CI set in
the environment, compiler warnings are errors. With KAFKA_BOOTSTRAP_SERVERS set, the conformance suite also runs against that Kafka, and the
faults are injected on it. With KAFKA_SASL_BOOTSTRAP_SERVERS and KAFKA_SASL_FOLDER set, each role is played with its own rights on that Kafka
(Tests/ProcessTests/BrokerClients.swift).

Exit codes: 0 all checks that ran have passed, 2 wrong arguments or something must be installed first, 4 a check failed.
TEXT
}

all='' built='' setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    --all) all=yes ;;
    --no-install) setup_options+=("$1") ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) refuse "unknown argument '$1'; see deploy/test.sh --help" ;;
    esac
    shift
done

passed=() failed=() skipped=() begun_process=''
scratch=$(mktemp -d)

# Ends the check in the background if the script ends first. `swift test` ends its tests on SIGINT, and on no other signal.
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
    [ -z "$begun_process" ] || kill -INT "$begun_process" 2>/dev/null || true
    rm -rf "$scratch"
}
trap clean_up EXIT

# check NAME COMMAND…: runs the command, notes whether it passed, and continues. What it prints is kept until the end.
check() {
    local name=$1 started=$SECONDS
    shift
    say "$name"
    # Not a pipe: its reader would wait for processes that a failed test leaves behind.
    if "$@" > >(tee "$scratch/output of ${name//\//-}") 2>&1; then passed+=("$name ($((SECONDS - started)) s)"); else failed+=("$name"); fi
}

# begin NAME COMMAND…: starts a check that has no time limits, with the lowest priority; `end_begun` waits for it.
begin() {
    begun=$1
    shift
    say "$begun, in the background"
    nice -n 19 "$@" >"$scratch/output of $begun" 2>&1 &
    begun_process=$!
}

end_begun() {
    local started=$SECONDS
    if wait "$begun_process"; then passed+=("$begun ($((SECONDS - started)) s more)"); else failed+=("$begun"); fi
    begun_process=''
    cat "$scratch/output of $begun"
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

# compare_histories PROGRAM PROGRAM: two simulators play the same histories, move by move and record by record.
compare_histories() {
    local seed
    for seed in {1..40}; do
        "$1" --seed "$seed" --verbose >"$scratch/first history" && "$2" --seed "$seed" --verbose >"$scratch/second history" \
            && cmp "$scratch/first history" "$scratch/second history" || return
    done
}

check_format() { swift format lint --strict --recursive Sources Examples Benchmarks Tests Plugins Package.swift; }

# The tests of servers and their clients, which wait for each other more than they work.
servers='(ConsoleTests|HTTPFulfilmentTests|MCPServerTests|PipelineServiceTests)'

# The tests of a change.
run_tests() {
    check "build" swift build --build-tests
    if [ ${#failed[@]} -gt 0 ]; then
        skip "all tests" "the build failed"
        return
    fi
    built=yes
    check "tests" swift test --skip-build --skip "^(LogTests|$servers|ProcessTests|SimulationTests)\.|FaultTests\.UnderFaults"
    # The processes of the next checks mostly wait. Their tests have time limits, so the histories get only what they leave of the processors.
    # Without --ignore-lock, a check would wait for the histories if they had locked .build first.
    begin "1,000 histories" swift test --skip-build --ignore-lock --filter '^SimulationTests\.'
    check "logs" swift test --skip-build --ignore-lock --filter '^LogTests\.'
    check "servers" swift test --skip-build --ignore-lock --filter "^$servers\."
    check "processes" swift test --skip-build --ignore-lock --filter '^ProcessTests\.'
    end_begun
}

# What else there is, with what was built for the tests.
run_the_rest() {
    local programs library
    programs=$(swift build --show-bin-path)
    if .build/python/bin/python3 -c 'import confluent_kafka, mypy, pytest' 2>/dev/null; then check "Python package" check_python "$programs/intents"; else skip "Python package" "pytest or mypy is not installed in .build/python"; fi
    if has node; then check "the console's page" node --test Tests/ConsoleTests/page.test.mjs; else skip "the console's page" "node is not installed"; fi
    check "the console from outside" deploy/console.sh --bin "$programs"
    # A release build of a copy of the sources whose rules can be broken. Without a broken rule, it plays what the sources play: the next check compares both.
    if deploy/mutants.sh --can-run; then
        check "simulator" deploy/mutants.sh --build --no-install
        if [[ " ${failed[*]-} " == *" simulator "* ]]; then
            skip "the simulator's checks" "its build failed"
        else
            check "the copy's histories" compare_histories "$programs/intents-simulator" .build/simulator/release/intents-simulator
            check "5,000 histories" .build/simulator/release/intents-simulator --histories 5000 --coverage
            check "every order of owners" .build/simulator/release/intents-simulator --explore
            check "broken rules" .build/simulator/release/intents-simulator --mutants
        fi
    else
        skip "simulator" "python3 is not installed"
    fi
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
}

# Checks that need no build of the package, or one of their own.
run_separate_checks() {
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
    check_compose_file
    if has shellcheck; then
        check "scripts" shellcheck --external-sources deploy/*.sh .ci/run
    else
        skip "scripts" "shellcheck is not installed"
    fi
    if deploy/test-setup.sh --can-run; then check "set-up" deploy/test-setup.sh; else skip "set-up" "it needs curl, flock, gpg, gpg-agent and python3"; fi
}

if [ -n "$all" ]; then
    setup --for-tests ${setup_options[@]+"${setup_options[@]}"}
    setup_python
    # Package.swift leaves out what only these checks need.
    export INTENTS_FAULTS=1
else
    setup ${setup_options[@]+"${setup_options[@]}"}
fi
run_tests
check "format" check_format
if deploy/mutants.sh --can-run; then check "marked rules" deploy/mutants.sh --check; else skip "marked rules" "python3 is not installed"; fi
if [ -n "$all" ]; then
    if [ -n "$built" ]; then run_the_rest; else skip "all that uses the build" "the build failed"; fi
    run_separate_checks
fi

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
