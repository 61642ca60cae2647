#!/usr/bin/env bash
# Runs the pipeline's real processes under real faults, and prints one table of what happened to the requests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/faults.sh [--quick] [--only NAME] [-b HOST:PORT] [--stop-broker COMMAND --start-broker COMMAND]

Installs what is missing (apt-get) and builds. For each fault: starts coordinators and workers as separate processes on new topics, plays ride
requests and the people who made them, injects the fault meanwhile, and counts requests that were lost, duplicated or out of order, and the longest
silence while a request was open. Takes about 15 minutes; with --quick, which deploy/test.sh runs, one or two minutes.

  --quick                   fewer faults, each once
  --only                    only faults whose name contains this, and the run without a fault for comparison
  -b, --bootstrap-servers   use this Kafka instead of a development broker for each fault [environment: KAFKA_BOOTSTRAP_SERVERS]. The
                            topics are not deleted; their names begin with "faults-". Only the development broker can inject broker errors.
  --stop-broker, --start-broker
                            commands that kill that Kafka and start it again; the second must return once Kafka responds
  -h, --help                this text

The table goes to standard output, everything else to standard error. Exit codes: 0 no guarantee was broken, 2 wrong arguments or something must be
installed first, 4 a guarantee was broken.
TEXT
}

size=full only='' servers=${KAFKA_BOOTSTRAP_SERVERS-} stop=${FAULTS_STOP_BROKER-} start=${FAULTS_START_BROKER-}
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
    --only | -b | --bootstrap-servers | --stop-broker | --start-broker)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/faults.sh --help"
        case $1 in
        --only) only=$2 ;;
        --stop-broker) stop=$2 ;;
        --start-broker) start=$2 ;;
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

setup
say "building (the first time takes several minutes)"
swift build --build-tests >&2 || { say "the build failed: see above"; exit 4; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export FAULTS=$size FAULTS_ONLY=$only FAULTS_TABLE=$scratch/table
unset KAFKA_BOOTSTRAP_SERVERS FAULTS_STOP_BROKER FAULTS_START_BROKER
[ -z "$servers" ] || export KAFKA_BOOTSTRAP_SERVERS=$servers
[ -z "$stop" ] || export FAULTS_STOP_BROKER=$stop FAULTS_START_BROKER=$start

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
