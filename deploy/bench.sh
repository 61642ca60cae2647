#!/usr/bin/env bash
# Measures the pipeline beside the same flow of records in C and in Python, in one run, and prints a table.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/bench.sh [--quick] [--only NAME,…] [--runs COUNT] [--intents COUNT] [--window COUNT] [--rates COUNT,…] [--seconds SECONDS]
                       [--partitions COUNT] [--sessions COUNT] [-b HOST:PORT,…] [--json FILE] [--svg FILE] [--no-build] [--no-install]

Installs what is missing (packages with apt-get, Swift and a Python environment under .build) and builds everything for release. Then measures, in turn and several
times, so that a busy machine slows all of them:

  ours           intents-bench: the happy path
  c              deploy/bench/flow.c: the same hops and processes on librdkafka, and no decisions
  python         deploy/bench/flow_python.py: the same with confluent-kafka and orjson, and a dictionary of sessions
  python-validated
                 deploy/bench/flow_validated.py: the same with all members of the events, each validated by our JSON Schemas with jsonschema-rs
  framework      deploy/bench/flow_framework.py: the same as python in Quix Streams, with its state store
  conversations  intents-bench with one prompt, with a prompt and a confirmation, and with a list

The programs in Python, and the one in C, have the load of flow.c. Their records have the headers of ours, and our mean sizes, which are measured first. Each run has new
topics, and on the development broker a broker of its own. Each prints its throughput in a closed loop, which promises no latency, and its latencies at fixed rates,
from when each request was due. The table has medians, with the lowest and the highest in parentheses.

  --quick                   one run of each, with few intents and two rates: whether it works
  --only                    only these, by the names above
  --runs                    runs of each (5)
  --intents, --window       intents in the closed loop, and how many are open at a time (20000, 1000)
  --rates, --seconds        the fixed rates, and how long each is measured (200,500,1000; 5)
  --partitions, --sessions  partitions of each topic, and sessions that take turns (4, 1000)
  -b, --bootstrap-servers   use this Kafka instead of development brokers [environment: KAFKA_BOOTSTRAP_SERVERS]. The topics are not deleted; their
                            names begin with "bench-"
  --json, --svg             also write all figures, and a plot, to these files
  --no-build                use what an earlier run has built
  --no-install              install nothing: if something is missing, say what, and end with 2
  -h, --help                this text

The table goes to standard output, everything else to standard error. Compare figures of one table only: they are of one machine and one hour. Exit codes: 0 done,
2 wrong arguments or something must be installed first, 4 a run failed.
TEXT
}

only='' runs=5 intents=20000 window=1000 rates=200,500,1000 seconds=5 partitions=4 sessions=1000
servers=${KAFKA_BOOTSTRAP_SERVERS-} json='' svg='' build=yes setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --quick)
        runs=1 intents=2000 window=500 rates=100,300 seconds=2
        shift
        ;;
    --no-build)
        build=''
        shift
        ;;
    --no-install)
        setup_options+=("$1")
        shift
        ;;
    --only | --runs | --intents | --window | --rates | --seconds | --partitions | --sessions | -b | --bootstrap-servers | --json | --svg)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/bench.sh --help"
        case $1 in
        --only) only=$2 ;;
        --runs) runs=$2 ;;
        --intents) intents=$2 ;;
        --window) window=$2 ;;
        --rates) rates=$2 ;;
        --seconds) seconds=$2 ;;
        --partitions) partitions=$2 ;;
        --sessions) sessions=$2 ;;
        --json) json=$2 ;;
        --svg) svg=$2 ;;
        *) servers=$2 ;;
        esac
        shift 2
        ;;
    *) refuse "unknown argument '$1'; see deploy/bench.sh --help" ;;
    esac
done
for number in "$runs" "$intents" "$window" "$seconds" "$partitions" "$sessions" "${rates//,/}"; do
    case $number in '' | 0 | *[!0-9]*) refuse "'$number' is not a positive whole number; see deploy/bench.sh --help" ;; esac
done
contenders=()
for name in ours c python python-validated framework conversations; do
    [[ -z $only || ",$only," == *",$name,"* ]] || continue
    if [ "$name" = conversations ]; then contenders+=(ours-prompt ours-prompt-and-confirmation ours-list); else contenders+=("$name"); fi
done
for name in ${only//,/ }; do
    case $name in ours | c | python | python-validated | framework | conversations) ;; *) refuse "--only: '$name' is none of ours, c, python, python-validated, framework and conversations" ;; esac
done
measures() { [[ " ${contenders[*]} " == *" $1 "* ]]; }
measures_python() { measures python || measures python-validated || measures framework; }

# MARK: Installing and building

python=.build/python-bench/bin/python3

install_python() {
    local packages=(confluent-kafka jsonschema-rs orjson quixstreams)
    if ! measures_python; then return; fi
    if [ -x "$python" ] && "$python" -c 'import confluent_kafka, jsonschema_rs, orjson, quixstreams' 2>/dev/null; then return; fi
    [ -z "$no_install" ] || refuse "Missing in .build/python-bench: ${packages[*]} (PyPI), and not installed because of --no-install." \
        "Leave them out with --only ours,c,conversations."
    say "installing ${packages[*]} into .build/python-bench"
    { python3 -m venv .build/python-bench && "$python" -m pip install -q --disable-pip-version-check "${packages[@]}"; } >&2 \
        || refuse "That failed: it needs python3 with venv and pip, and PyPI. Leave them out with --only ours,c,conversations."
}

bin=.build/bench/release
build() {
    local product libraries=()
    setup_release
    say "building (the first time takes several minutes)"
    for product in intents intents-bench intent-coordinator sample-worker; do
        # As the Dockerfile builds them. A directory of its own, so that builds with other settings stay as they are.
        swift build -c release --product "$product" --static-swift-stdlib -Xswiftc -cross-module-optimization ${release_options[@]+"${release_options[@]}"} \
            --scratch-path .build/bench >&2 \
            || { say "the build failed: see above"; exit 4; }
    done
    read -r -a libraries <<<"$(pkg-config --cflags --libs rdkafka)"
    cc -O2 -Wall -o .build/bench/flow deploy/bench/flow.c "${libraries[@]}" || { say "the build of flow.c failed: see above"; exit 4; }
}

setup ${setup_options[@]+"${setup_options[@]}"}
if ! { has python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; }; then
    [ -z "$no_install" ] || refuse "Missing, and not installed because of --no-install: python3 and python3-venv (Debian's names)"
    install_packages "python3 python3-venv"
fi
install_python
if [ -n "$build" ]; then build; fi
for program in "$bin/intents" "$bin/intents-bench" .build/bench/flow; do
    [ -x "$program" ] || refuse "--no-build: there is no $program"
done

# MARK: Measuring

scratch=$(mktemp -d)
broker='' failed='' run_id=$$-$(date +%s)
# shellcheck disable=SC2317 # the traps call it
clean_up() {
    trap - EXIT
    if [ -n "$broker" ]; then kill "$broker" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
# What they measure on is said with the options alone.
unset KAFKA_BOOTSTRAP_SERVERS
mkdir "$scratch/runs" "$scratch/sample-data"
export INTENTS_SAMPLE_DATA=$scratch/sample-data

# ours CONVERSATION PREFIX OPTION…: prints the figures of `intents-bench`.
ours() {
    local options=(--conversation "$1" --partitions "$partitions" --sessions "$sessions" --json)
    [ -z "$servers" ] || options+=(--bootstrap-servers "$servers" --topic-prefix "$2")
    timeout 600 "$bin/intents-bench" "${options[@]}" "${@:3}"
}

# flow PREFIX PROGRAM…: prints the figures of flow.c, with the roles of a program if there is one.
flow() {
    local prefix=$1 address=$servers code=0
    shift
    if [ -n "$servers" ]; then
        "$bin/intents" topics apply --bootstrap-servers "$servers" --topic-prefix "$prefix" --partitions "$partitions" >&2 || return 1
    else
        : >"$scratch/broker"
        "$bin/intents" broker --topic-prefix "$prefix" --partitions "$partitions" >"$scratch/broker" &
        broker=$!
        for _ in {1..100}; do
            [ ! -s "$scratch/broker" ] || break
            sleep 0.1
        done
        address=$(sed -n 's/.*"bootstrapServers":"\([^"]*\)".*/\1/p' "$scratch/broker")
    fi
    timeout 600 .build/bench/flow --bootstrap-servers "$address" --prefix "$prefix" --sizes "$sizes" --sessions "$sessions" --intents "$intents" \
        --window "$window" --rates "$rates" --seconds "$seconds" "$@" || code=$?
    if [ -n "$broker" ]; then
        kill "$broker" 2>/dev/null || true
        wait "$broker" 2>/dev/null || true
        broker=''
    fi
    return "$code"
}

# measure CONTENDER PREFIX: one run.
measure() {
    local load=(--intents "$intents" --window "$window" --seconds "$seconds")
    case $1 in
    ours) ours happy-path "$2" "${load[@]}" --rate "$rates" ;;
    # Of the conversations, one rate is enough for the table.
    ours-*) ours "${1#ours-}" "$2" "${load[@]}" --rate "${rates%%,*}" ;;
    c) flow "$2" ;;
    python) flow "$2" "$python" deploy/bench/flow_python.py ;;
    python-validated) flow "$2" "$python" deploy/bench/flow_validated.py deploy/contract/schemas ;;
    framework) flow "$2" "$python" deploy/bench/flow_framework.py ;;
    esac
}

say "measuring the sizes of our records"
ours happy-path "bench-$run_id-sizes" --intents "$intents" --window "$window" --rate 0 >"$scratch/sizes" || { say "that failed: see above"; exit 4; }
# Those of the topics that flow.c has, in its order.
sizes=$(python3 - "$scratch/sizes" <<'PYTHON'
import json, sys
records = json.load(open(sys.argv[1], encoding="utf-8"))["closed"]["records"]
topics = ["requests", "resolve", "confirm", "handle", "outcomes", "results", "sessions"]
print(",".join(str(round(records[topic]["bytes"])) for topic in topics))
PYTHON
)

for ((run = 1; run <= runs; run++)); do
    for contender in "${contenders[@]}"; do
        say "run $run of $runs: $contender"
        if ! measure "$contender" "bench-$run_id-$contender-$run" >"$scratch/figures"; then
            say "that run failed: see above"
            failed=yes
            continue
        fi
        mv "$scratch/figures" "$scratch/runs/$contender.$run.json"
    done
done

# MARK: The table

clients="librdkafka $(pkg-config --modversion rdkafka)"
case $(ldd "$bin/sample-worker" 2>/dev/null) in *libjemalloc*) clients+=", ours with jemalloc" ;; esac
if measures_python; then
    clients+=", $("$python" -c '
import confluent_kafka, importlib.metadata as metadata
versions = ", ".join(name + " " + metadata.version(name) for name in ["confluent-kafka", "jsonschema-rs", "orjson", "quixstreams"])
print(versions + " (with librdkafka " + confluent_kafka.libversion()[0] + ")")')"
fi
python3 - "$scratch/runs/machine.json" "$clients" "${servers:-development broker}" "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)" \
    "$runs runs; closed loop: $intents intents, $window open; fixed rates: $seconds s each; $partitions partitions, $sessions sessions; records of $sizes bytes" <<'PYTHON'
import datetime, json, os, platform, sys
path, clients, broker, commit, load = sys.argv[1:]
with open("/proc/cpuinfo", encoding="utf-8") as file:
    models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
machine = {
    "date": datetime.date.today().isoformat(), "commit": commit, "machine": f"{models[0] if models else platform.machine()}, {platform.system()} {platform.release()}",
    "cores": len(os.sched_getaffinity(0)), "broker": broker, "clients": clients, "load": load}
with open(path, "w", encoding="utf-8") as file:
    json.dump(machine, file)
PYTHON
output=()
[ -z "$json" ] || output+=(--json "$json")
[ -z "$svg" ] || output+=(--svg "$svg")
python3 deploy/bench/report.py "$scratch/runs" ${output[@]+"${output[@]}"} || exit 4
[ -z "$failed" ] || exit 4
