#!/usr/bin/env bash
# Runs the pipeline's real processes under real faults, and prints one table of what happened to the requests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/faults.sh [--quick] [--only NAME] [--soak MINUTES [--rate N]] [--seed N] [-b HOST:PORT] [--stop-broker COMMAND --start-broker COMMAND]
                        [--fill-disk COMMAND --free-disk COMMAND] [--librdkafka DIRECTORY | --newest-librdkafka] [--other-build DIRECTORY]
                        [--no-install]

Installs what is missing (apt-get) and builds. For each fault: starts coordinators and workers as separate processes on new topics, plays ride
requests and the people who made them, injects the fault meanwhile, and counts requests that were lost, duplicated or out of order, and the longest
silence while a request was open. A process may end only with code 0 or by the signals 9 and 15, unless the fault has to end it. Takes about 20
minutes; with --quick, which deploy/test.sh runs, about two. A fault that needs something that is not there is skipped, and the table says why.

  --quick                   fewer faults, each once
  --only                    only faults whose name contains this, and the run without a fault for comparison
  --soak                    instead of the faults one by one: random kill -9, SIGTERM, SIGSTOP and broker restarts under load for so long
  --rate                    of a soak: requests a second (80)
  --seed                    the seed of an earlier run: a soak, or the choice of hostile records, makes the same choices again
  -b, --bootstrap-servers   use this Kafka instead of a development broker for each fault [environment: KAFKA_BOOTSTRAP_SERVERS]. The
                            topics are not deleted; their names begin with "faults-". Only the development broker can inject broker errors, and only
                            a Kafka can change and delete topics.
  --stop-broker, --start-broker
                            commands that kill that Kafka and start it again; the second must return once Kafka responds
  --fill-disk, --free-disk  commands that fill the disk of that Kafka and make room again; after the second it is started again
  --librdkafka              a directory with another librdkafka.so.1, which all processes use, and the development broker too
  --newest-librdkafka       the one that confluent-kafka brings; it is installed into .build/python
  --other-build             a directory with another build of the programs: the processes begin with it, are replaced by this build one at a time under
                            load, and go back. Without it they are only restarted
  --no-install              install nothing: if the build lacks something, say what, and end with 2
  -h, --help                this text

The table goes to standard output, everything else to standard error. Exit codes: 0 no guarantee was broken, 2 wrong arguments or something must be
installed first, 4 a guarantee was broken.
TEXT
}

size=full only='' servers=${KAFKA_BOOTSTRAP_SERVERS-} stop=${FAULTS_STOP_BROKER-} start=${FAULTS_START_BROKER-}
fill=${FAULTS_FILL_DISK-} free=${FAULTS_FREE_DISK-} soak='' rate='' seed='' library='' newest='' other=${FAULTS_OTHER_PROGRAMS-}
setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --quick)
        size=quick
        shift
        ;;
    --newest-librdkafka)
        newest=yes
        shift
        ;;
    --no-install)
        setup_options+=("$1")
        shift
        ;;
    --only | --soak | --rate | --seed | -b | --bootstrap-servers | --stop-broker | --start-broker | --fill-disk | --free-disk | --librdkafka | --other-build)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/faults.sh --help"
        case $1 in
        --only) only=$2 ;;
        --soak) soak=$2 ;;
        --rate) rate=$2 ;;
        --seed) seed=$2 ;;
        --stop-broker) stop=$2 ;;
        --start-broker) start=$2 ;;
        --fill-disk) fill=$2 ;;
        --free-disk) free=$2 ;;
        --librdkafka) library=$2 ;;
        --other-build) other=$2 ;;
        *) servers=$2 ;;
        esac
        shift 2
        ;;
    *) refuse "unknown argument '$1'; see deploy/faults.sh --help" ;;
    esac
done
if [ -n "$stop$start" ] && { [ -z "$stop" ] || [ -z "$start" ] || [ -z "$servers" ]; }; then
    refuse "--stop-broker and --start-broker must be used together, and require --bootstrap-servers"
fi
if [ -n "$fill$free" ] && { [ -z "$fill" ] || [ -z "$free" ] || [ -z "$start" ]; }; then
    refuse "--fill-disk and --free-disk must be used together, and require --stop-broker and --start-broker"
fi
for number in "$soak" "$rate" "$seed"; do
    case $number in *[!0-9]*) refuse "'$number' is not a whole number; see deploy/faults.sh --help" ;; esac
done
if [ -z "$soak" ] && [ -n "$rate" ]; then refuse "--rate is for --soak"; fi
if [ -n "$library" ]; then
    [ -z "$newest" ] || refuse "--librdkafka and --newest-librdkafka can't be used together"
    [ -e "$library/librdkafka.so.1" ] || refuse "there is no librdkafka.so.1 in $library"
    library=$(cd "$library" && pwd)
fi
if [ -n "$other" ]; then
    [ -x "$other/intent-coordinator" ] || refuse "there is no intent-coordinator in $other"
    other=$(cd "$other" && pwd)
fi

setup ${setup_options[@]+"${setup_options[@]}"}
say "building (the first time takes several minutes)"
# Package.swift leaves the fault tables out of other builds.
export INTENTS_FAULTS=1
swift build --build-tests >&2 || { say "the build failed: see above"; exit 4; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "$newest" ]; then
    setup_python
    library=$(newest_librdkafka "$scratch/librdkafka") || refuse "there is no librdkafka in .build/python: see above"
fi
export FAULTS=$size FAULTS_ONLY=$only FAULTS_TABLE=$scratch/table FAULTS_SOAK=$soak FAULTS_RATE=$rate FAULTS_SEED=$seed FAULTS_OTHER_PROGRAMS=$other
unset KAFKA_BOOTSTRAP_SERVERS FAULTS_STOP_BROKER FAULTS_START_BROKER FAULTS_FILL_DISK FAULTS_FREE_DISK
[ -z "$servers" ] || export KAFKA_BOOTSTRAP_SERVERS=$servers
[ -z "$stop" ] || export FAULTS_STOP_BROKER=$stop FAULTS_START_BROKER=$start
[ -z "$fill" ] || export FAULTS_FILL_DISK=$fill FAULTS_FREE_DISK=$free
[ -z "$library" ] || export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

say "injecting faults on ${servers:-a development broker for each fault}"
code=0
swift test --skip-build --filter FaultTests.UnderFaults 2>&1 | tee "$scratch/log" | sed -nu 's/^fault: //p' >&2 || code=4
if [ ! -e "$scratch/table" ]; then
    cat "$scratch/log" >&2
    say "there is no table: see above"
    exit 4
fi
[ "$code" -eq 0 ] || cat "$scratch/log" >&2
cat "$scratch/table"
exit "$code"
