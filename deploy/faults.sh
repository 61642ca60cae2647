#!/usr/bin/env bash
# Tries the pipeline's real processes under real faults, and prints one table of what became of the requests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/faults.sh [--quick] [--only NAME] [-b HOST:PORT] [--stop-broker COMMAND --start-broker COMMAND]

Installs what is missing (apt-get), builds, and for each fault starts coordinators and workers as processes of their own on topics of their own,
plays ride requests and the people who made them, does the fault while they are under way, and counts: requests lost, duplicated or out of order, and
the longest silence while one was open. Takes about 15 minutes; with --quick, the selection that deploy/test.sh runs, one or two.

  --quick                   fewer faults, each once
  --only                    only faults whose name contains this (and the run without a fault, which the others are compared with)
  -b, --bootstrap-servers   this Kafka instead of a development broker for each fault [environment: KAFKA_BOOTSTRAP_SERVERS]. Its topics are left
                            there; their names begin with "faults-". Errors are injected by the development broker alone.
  --stop-broker, --start-broker
                            commands that kill that Kafka and start it again; start has to return when it answers
  -h, --help                this text

The table goes to standard output, everything else to standard error. Exit codes: 0 all that must hold did, 2 wrong arguments or something to be
installed, 4 something did not.
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
    *) refuse "'$1' is not known here; see deploy/faults.sh --help" ;;
    esac
done
if [ -n "$stop$start" ] && { [ -z "$stop" ] || [ -z "$start" ] || [ -z "$servers" ]; }; then
    refuse "--stop-broker and --start-broker go together, and with --bootstrap-servers"
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

say "trying faults on ${servers:-a development broker for each}"
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
