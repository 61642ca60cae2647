#!/usr/bin/env bash
# Builds the pipeline, runs it as separate processes, and plays a day of ride requests through it.
set -euo pipefail
started_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

# What the first build took on two quiet cores. Later builds compile what has changed.
readonly pipeline_time='about 8 minutes' console_time='about 4 minutes more'

usage() {
    cat <<'TEXT'
Usage: deploy/run.sh [--bootstrap-servers HOST:PORT,…] [-X NAME=VALUE]… [--kafka-config FILE] [--topic-prefix NAME] [--partitions COUNT]
                     [--console] [--no-install]
       deploy/run.sh --build PROGRAM [--build PROGRAM]… [--no-install]

Installs what is missing (packages with apt-get, Swift under .build) and builds. Each step says before it begins what it does and how long that
takes. Starts nine processes: the development broker, a coordinator, two resolvers, two confirmers, two handlers, and a handler for the app.
Sends the requests of Examples/Rides/Resources/requests.jsonl, answers their prompts as the people who made them would, prints the results as
they come and a table at the end, and stops everything.

  -b, --bootstrap-servers   use this Kafka instead of the development broker [environment: KAFKA_BOOTSTRAP_SERVERS]
  -X                        a librdkafka property, such as security.protocol=ssl; may be repeated
  --kafka-config            a file of librdkafka properties, one name=value on each line [environment: INTENTS_KAFKA_CONFIG]
  --topic-prefix            the first part of the names of topics and groups [environment: INTENTS_TOPIC_PREFIX]
  --console                 build the console too, start the pipeline with it, print its address, and leave it running until Ctrl-C; nothing is played
  --partitions              partitions of every topic (default 4)
  --build                   build a program, such as intent-http-worker, as this script builds its own, and start nothing; may be repeated
  --no-install              install nothing: if something is missing, say what and how to get it, and end with 2
  -h, --help                this text

Results and table go to standard output, everything else to standard error. Exit codes: 0 every request got exactly one completion and no result
is missing, 2 wrong arguments or something must be installed first, 4 failure, 5 the pipeline did not start in time, 130 Ctrl-C.
TEXT
}

kafka=() pipeline=() programs=() setup_options=() console=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --no-install)
        setup_options+=("$1")
        shift
        ;;
    --console)
        console=yes
        shift
        ;;
    -b | --bootstrap-servers | -X | --kafka-config | --topic-prefix | --partitions | --build)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/run.sh --help"
        case $1 in
        -b | --bootstrap-servers) pipeline+=(--bootstrap-servers "$2") ;;
        --partitions) pipeline+=(--partitions "$2") ;;
        --build) programs+=("$2") ;;
        *) kafka+=("$1" "$2") ;;
        esac
        shift 2
        ;;
    *) refuse "unknown argument '$1'; see deploy/run.sh --help" ;;
    esac
done

setup ${setup_options[@]+"${setup_options[@]}"}

setup_release
scratch=$(mktemp -d)
# The sample domains keep their data in a folder of this run, so that rides cancelled in an earlier run don't disturb it.
export INTENTS_SAMPLE_DATA=$scratch/sample-data
dev='' play=''

stop_pipeline() {
    [ -n "$dev" ] && kill "$dev" 2>/dev/null || return 0
    say "stopping the pipeline"
    # `intents dev` gives its processes 20 seconds to finish, and the broker 5.
    for _ in {1..300}; do
        kill -0 "$dev" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$dev" 2>/dev/null || true
    wait "$dev" 2>/dev/null || true
    dev=''
}

# Runs on every exit, so that no process or file is left.
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
    trap - EXIT INT TERM HUP
    # The terminal may be gone.
    set +e
    if [ -n "$play" ]; then kill "$play" 2>/dev/null || true; fi
    stop_pipeline
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# duration SECONDS: prints a length of time.
duration() { if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); fi; }

# show_progress NAME LOG: copies what `swift build` prints into LOG, and shows its last step: in one line on a terminal, in a line every 30 seconds elsewhere.
show_progress() {
    local line='' part step='starting' began=$SECONDS shown=$SECONDS code
    while true; do
        code=0
        IFS= read -r -t 1 part || code=$?
        line+=$part
        if [ "$code" -eq 0 ]; then
            printf '%s\n' "$line" >>"$2"
            [ -z "$line" ] || step=$line
            line=''
        elif [ "$code" -le 128 ]; then
            break
        fi
        if [ -t 2 ]; then
            printf '\r\033[K   %.70s' "$1, $(duration $((SECONDS - began))): $step" >&2
        elif [ $((SECONDS - shown)) -ge 30 ]; then
            shown=$SECONDS
            printf '   %s, %s: %s\n' "$1" "$(duration $((SECONDS - began)))" "$step" >&2
        fi
    done
    [ -z "$line" ] || printf '%s\n' "$line" >>"$2"
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build WHAT TIME PROGRAM…: builds programs, and says before how long that takes the first time.
build() {
    local what=$1 time=$2 program began=$SECONDS log=$scratch/build.log
    shift 2
    if [ -x ".build/release/${!#}" ]; then time='a moment, unless sources have changed'; else time="$time on two quiet cores"; fi
    say "building $what ($*): $time"
    for program; do
        : >"$log"
        if ! swift build -c release --product "$program" ${release_options[@]+"${release_options[@]}"} 2>&1 | show_progress "$program" "$log"; then
            grep -v '^\[[0-9]*/[0-9]*\]' "$log" >&2 || true
            say "the build of $program failed: see above"
            exit 4
        fi
    done
    say "built $what in $(duration $((SECONDS - began)))"
}

for program in ${programs[@]+"${programs[@]}"}; do build "a program" 'some minutes' "$program"; done
[ ${#programs[@]} -eq 0 ] || exit 0

# Only the programs that the play needs: not the worker for HTTP services and not the replay of recorded conversations.
if [ -n "$console" ] && [ ! -x .build/release/intents-console ]; then
    say "two builds follow: the pipeline, $pipeline_time on two quiet cores, and the console with its HTTP server, $console_time"
fi
build "the pipeline" "$pipeline_time" intents intent-coordinator sample-worker
[ -z "$console" ] || build "the console" "$console_time" intents-console
# The repository for commands that can be pasted where this script was called.
if [ "$started_in" = "$PWD" ]; then here=''; else here=$PWD/; fi
bin=${here}.build/release
printf -v here_quoted %q "$here"

if [ -n "$console" ]; then
    say "starting the pipeline and its console. Ctrl-C ends both"
    "$bin/intents" dev --console --resolvers 2 --confirmers 2 --handlers 2 "${kafka[@]}" "${pipeline[@]}" &
    dev=$!
    code=0
    wait "$dev" || code=$?
    dev=''
    exit "$code"
fi

say "starting the pipeline, a few seconds: a coordinator, two resolvers, confirmers and handlers, one handler for the app"
"$bin/intents" dev --no-console --resolvers 2 --confirmers 2 --handlers 2 --ready-file "$scratch/ready.json" "${kafka[@]}" "${pipeline[@]}" >/dev/null &
dev=$!
for _ in {1..1200}; do
    [ ! -e "$scratch/ready.json" ] || break
    kill -0 "$dev" 2>/dev/null || { say "the pipeline did not start: see above"; exit 4; }
    sleep 0.1
done
[ -e "$scratch/ready.json" ] || { say "the pipeline was not ready after 120 seconds: see above"; exit 5; }
servers=$(sed -n 's/.*"bootstrapServers":"\([^"]*\)".*/\1/p' "$scratch/ready.json")

say "playing $(wc -l <Examples/Rides/Resources/requests.jsonl) ride requests and the people who made them, at $servers: a few seconds"
# In the background, so that a signal ends it at once.
"$bin/intents" play Examples/Rides/Resources/requests.jsonl --bootstrap-servers "$servers" "${kafka[@]}" &
play=$!
code=0
wait -n "$dev" "$play" || code=$?
if kill -0 "$play" 2>/dev/null; then
    say "the pipeline ended before the requests did: see above"
    exit 4
fi
play=''
stop_pipeline
if [ "$code" -eq 0 ]; then
    say "everything took $(duration "$SECONDS"). To talk to the pipeline yourself:"
    cat >&2 <<TEXT
  ${here_quoted#\'\'}.build/release/intents dev                                          # leave it running
  ${here_quoted#\'\'}.build/release/intents chat RequestRide -p "dropOff=the airport"    # in another terminal
In the browser: ${here_quoted#\'\'}deploy/run.sh --console    # $console_time to build
TEXT
fi
exit "$code"
