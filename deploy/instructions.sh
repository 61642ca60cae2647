#!/usr/bin/env bash
# Counts the instructions of the hot path, and compares them with the figures that are committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/instructions.sh [--write] [--only PART] [--program FILE] [--no-install]

Builds the benchmark, and runs each part of 'intents-bench hot-path' under valgrind's callgrind: a decision of the coordinator, a work item of a worker, a
replayed record of the journal, a binding. Calls of the log are left out. Prints the instructions of each, beside those in deploy/instructions.json. If a part takes over 3 % more,
says which functions have grown, and fails. Other programs on the machine don't change these counts, nor does another processor of the same
architecture. Another compiler does: with another Swift than that of the committed figures, or on another architecture, nothing is compared.

  --write        write the counts to deploy/instructions.json, after a change that is worth them, and commit them with it
  --only         only this part: decision, work, replay or binding; decision and work also with -telemetry or -traced
  --program      a release build of intents-bench, as this script makes it, instead of building it here
  --can-run      say whether valgrind and python3 are there: ends with 0 if so
  --no-install   install nothing: if something is missing, say what, and end with 2
  -h, --help     this text

Exit codes: 0 no part takes over 3 % more, and telemetry takes at most 3 %, 2 wrong arguments or something must be installed first, 4 a part takes more.
TEXT
}

can_run() { has valgrind && has python3; }

options=() parts=(decision work replay binding decision-telemetry work-telemetry decision-traced work-traced) program='' setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --can-run)
        can_run
        exit
        ;;
    --write)
        options+=(--write)
        shift
        ;;
    --no-install)
        setup_options+=("$1")
        shift
        ;;
    --only | --program)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/instructions.sh --help"
        case $1 in
        --only) parts=("$2") ;;
        --program) program=$2 ;;
        esac
        shift 2
        ;;
    *) refuse "unknown argument '$1'; see deploy/instructions.sh --help" ;;
    esac
done

setup "${setup_options[@]+"${setup_options[@]}"}"
if ! can_run && [ -z "${setup_options[*]-}" ] && can_install; then install_packages "valgrind python3"; fi
can_run || refuse "valgrind or python3 is missing. As root: apt-get install valgrind python3"
if [ -z "$program" ]; then
    say "building"
    # With the options and in the directory of the simulator that deploy/test.sh builds, whose modules it shares.
    swift build -c release --product intents-bench --static-swift-stdlib -Xswiftc -cross-module-optimization --scratch-path .build/simulator >&2
    program=.build/simulator/release/intents-bench
fi
if grep -aq newestFenceIsForgottenFirst "$program"; then refuse "$program was built from the copy of deploy/mutants.sh, which asks whether rules hold"; fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# valgrind can't read the debug information of every compiler.
strip --strip-debug -o "$scratch/intents-bench" "$program"
# What is counted, and in it what is not: callgrind starts and stops where these functions begin and end. The numbers are a part of their symbols.
toggles=(--collect-atstart=no "--toggle-collect=*11countedPart*" "--toggle-collect=*13uncountedCall*")
# glibc chooses how it copies by the processor, and the ways differ by more than what is tolerated: here it is the plainest one everywhere.
plain=-AVX,-AVX2,-AVX512BW,-AVX512F,-AVX512VL,-AVX_Fast_Unaligned_Load,-BMI2,-ERMS,-FSRM,-Fast_Copy_Backward,-Fast_Unaligned_Copy,-MOVBE,-SSE4_1,-SSE4_2,-SSSE3
for part in "${parts[@]}"; do
    # Otherwise the order of dictionaries, and with it the work, differs between runs.
    SWIFT_DETERMINISTIC_HASHING=1 GLIBC_TUNABLES=glibc.cpu.hwcaps=$plain valgrind --tool=callgrind "${toggles[@]}" \
        --callgrind-out-file="$scratch/$part.callgrind" "$scratch/intents-bench" hot-path "$part" --count 1000 >"$scratch/$part.txt" 2>"$scratch/$part.log" \
        || { cat "$scratch/$part.log" >&2; refuse "the measurement of '$part' failed (see above)"; }
done
python3 deploy/instructions.py "$scratch" "${options[@]+"${options[@]}"}"
