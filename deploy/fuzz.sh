#!/usr/bin/env bash
# Gives made-up bytes to everything that reads bytes from outside, with libFuzzer and the address sanitizer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

readonly scratch=.build/fuzz corpus=.build/fuzz/corpus findings=.build/fuzz/findings

usage() {
    cat <<'TEXT'
Usage: deploy/fuzz.sh [--runs N | --seconds N] [--decoder NAME]… [--jobs N] [--seed N] [--fresh] [--debug] [--no-build]
                      [--no-install]
       deploy/fuzz.sh --decoder NAME --replay FILE
       deploy/fuzz.sh --list | --can-run

Builds Tests/Fuzz, an optimized program of all decoders with libFuzzer and the address sanitizer, in .build/fuzz. The first build takes a few minutes. Runs
each decoder on inputs that are made from the golden files and the samples, and prints a table: the inputs that were tried, how many a second, how much
code they reach, and the time of the slowest. An input may take 5 s of the processor, and the process 1 GiB. The first input that breaks a promise ends
the run of its decoder, and is kept.

  --seconds     how long; the decoders share the time (60)
  --runs        instead, until all decoders together have read so many inputs: rounds of 20 s for each of them
  --decoder     only this one; may be repeated
  --list        print the names of the decoders
  --jobs        how many run at the same time (all processors)
  --seed        of the mutations; the same one repeats a run that begins with the same corpus
  --fresh       forget what earlier runs have found, and begin with the seeds alone
  --replay      read one input, such as a kept finding
  --debug       build the decoders without optimization: the build takes a third of the time, and they read far fewer inputs
  --no-build    use the program as it is
  --no-install  install nothing: if the build lacks something, say what, and end with 2
  --can-run     whether this toolchain has libFuzzer: ends with 0 or 1, and does nothing else
  -h, --help    this text

Inputs that reach new code are kept in .build/fuzz/corpus for the next run, findings in .build/fuzz/findings. Nothing of it belongs into a commit: a
finding becomes a test of what it broke.

The table goes to standard output, everything else to standard error. Exit codes: 0 no finding, 2 wrong arguments or something must be installed first, 4 a
finding, or the build failed.
TEXT
}

# Whether Swift's compiler has libFuzzer for this system.
can_run() {
    find_swift
    has swift || return 1
    local resources
    resources=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib
    compgen -G "$resources/clang/*/lib/*/libclang_rt.fuzzer-*.a" >/dev/null || compgen -G "$resources/clang/*/lib/*/libclang_rt.fuzzer.a" >/dev/null
}

runs='' seconds='' jobs='' seed='' fresh='' replay='' list='' kind=release build=yes chosen=() setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --can-run)
        if can_run; then exit 0; else exit 1; fi
        ;;
    --list) list=yes ;;
    --fresh) fresh=yes ;;
    --debug) kind=debug ;;
    --no-build) build='' ;;
    --no-install) setup_options+=("$1") ;;
    --runs | --seconds | --decoder | --jobs | --seed | --replay)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/fuzz.sh --help"
        case $1 in
        --runs) runs=$2 ;;
        --seconds) seconds=$2 ;;
        --decoder) chosen+=("$2") ;;
        --jobs) jobs=$2 ;;
        --seed) seed=$2 ;;
        --replay) replay=$2 ;;
        esac
        shift
        ;;
    *) refuse "unknown argument '$1'; see deploy/fuzz.sh --help" ;;
    esac
    shift
done
for number in "$runs" "$seconds" "$jobs" "$seed"; do
    case $number in *[!0-9]*) refuse "'$number' is not a whole number; see deploy/fuzz.sh --help" ;; esac
done
if [ -n "$runs" ] && [ -n "$seconds" ]; then refuse "--runs and --seconds can't be used together"; fi
seconds=${seconds:-60}
jobs=${jobs:-$(nproc)}
fuzzer=$scratch/$kind/intents-fuzz
[ "$jobs" -gt 0 ] || refuse "--jobs has to be 1 or more"

if [ -n "$build" ]; then
    setup ${setup_options[@]+"${setup_options[@]}"}
    can_run || refuse "This Swift has no libFuzzer for this system. The toolchains of swift.org for Linux have it."
    say "building the fuzzer"
    # Of two -sanitize, Swift's compiler takes the last. The linker warns of symbols of the sanitizer that no one needs.
    INTENTS_FUZZER=1 swift build -c "$kind" --product intents-fuzz --sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address \
        --scratch-path "$scratch" 2>&1 | sed '/Cannot export local symbol/d' >&2 \
        || { say "the build failed: see above"; exit 4; }
fi
[ -x "$fuzzer" ] || refuse "there is no $fuzzer: leave out --no-build"
# Swift's own report of a crash would take minutes with the sanitizer, and says no more than the sanitizer's. What a finding needs of freed memory, it finds in a
# few MB.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=2:detect_leaks=0
if [ -n "$list" ]; then exec "$fuzzer" --list; fi
all=()
while read -r name; do all+=("$name"); done < <("$fuzzer" --list)
for name in ${chosen[@]+"${chosen[@]}"}; do
    case " ${all[*]} " in *" $name "*) ;; *) refuse "there is no decoder '$name'. There are: ${all[*]}" ;; esac
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${all[@]}")
if [ -n "$replay" ]; then
    [ ${#chosen[@]} -eq 1 ] || refuse "--replay needs one --decoder"
    exec "$fuzzer" "--decoder=${chosen[0]}" -timeout=300 -rss_limit_mb=1024 "$replay"
fi

[ -z "$fresh" ] || rm -rf "$corpus"
rm -rf "$scratch/seeds" "$scratch/logs"
mkdir -p "$corpus" "$findings" "$scratch/logs"
"$fuzzer" "--seeds=$scratch/seeds"

declare -A tried=()
total=0 code=0

# fuzz NAME SECONDS: runs one decoder, and writes libFuzzer's report to its log.
fuzz() {
    local options=("-max_total_time=$2" -timeout=300 -rss_limit_mb=1024 -max_len=4096 -print_final_stats=1 -report_slow_units=300)
    mkdir -p "$corpus/$1"
    [ -z "$seed" ] || options+=("-seed=$seed")
    "$fuzzer" "--decoder=$1" "${options[@]}" "-dict=$scratch/seeds/words" "-artifact_prefix=$findings/$1-" "$corpus/$1" "$scratch/seeds/$1" \
        >"$scratch/logs/$1" 2>&1
}

# figure NAME PATTERN: the last number that a report has there.
figure() { sed -n "s/.*$2\([0-9][0-9]*\).*/\1/p" "$scratch/logs/$1" | tail -n 1; }

# run_all SECONDS: runs each decoder for so long, and counts its inputs.
run_all() {
    local name running=0 count
    for name in "${chosen[@]}"; do
        if [ "$running" -ge "$jobs" ]; then
            wait -n || code=4
            running=$((running - 1))
        fi
        fuzz "$name" "$1" &
        running=$((running + 1))
    done
    for (( ; running > 0; running--)); do wait -n || code=4; done
    for name in "${chosen[@]}"; do
        count=$(figure "$name" 'number_of_executed_units: *')
        tried[$name]=$((${tried[$name]:-0} + ${count:-0}))
        total=$((total + ${count:-0}))
    done
}

say "fuzzing ${#chosen[@]} decoders, $jobs at a time (the reports are in $scratch/logs)"
if [ -n "$runs" ]; then
    while [ "$code" -eq 0 ] && [ "$total" -lt "$runs" ]; do
        run_all 20
        say "$total inputs"
    done
else
    waves=$(((${#chosen[@]} + jobs - 1) / jobs))
    run_all $((seconds > waves ? seconds / waves : 1))
fi

printf '%-14s %12s %10s %8s %8s %9s %9s\n' decoder inputs 'a second' code corpus slowest memory
for name in "${chosen[@]}"; do
    printf '%-14s %12s %10s %8s %8s %7s s %6s MB\n' "$name" "${tried[$name]}" "$(figure "$name" 'average_exec_per_sec: *')" \
        "$(figure "$name" ' cov: ')" "$(figure "$name" ' corp: ')" "$(figure "$name" 'slowest_unit_time_sec: *')" "$(figure "$name" 'peak_rss_mb: *')"
done
printf '%-14s %12s   in %d s\n' all "$total" "$SECONDS"
[ "$code" -eq 0 ] || for name in "${chosen[@]}"; do
    file=$(sed -n 's/.*Test unit written to \(.*\)/\1/p' "$scratch/logs/$name" | sed '/slow-unit/d' | tail -n 1)
    [ -n "$file" ] || continue
    printf '\nFINDING in %s: %s\n' "$name" "$(grep -m 1 -E '^== broken promise|Fatal error|^SUMMARY|ERROR: ' "$scratch/logs/$name" || true)"
    printf '  repeat it:  deploy/fuzz.sh --no-build --decoder %s --replay %s\n' "$name" "${file#./}"
    # A machine of CI is gone when this is read.
    printf '  its bytes, in Base64:  %s\n' "$(base64 -w 0 "$file" | cut -c 1-800)"
done
exit "$code"
