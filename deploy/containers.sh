#!/usr/bin/env bash
# Builds the image, and plays the pipeline of deploy/compose.dev.yml with a Docker Engine of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/containers.sh [--program FILE] [--no-install]
       deploy/containers.sh --can-run [--no-install]

Starts a Docker Engine with folders of its own, imports a Debian system as the base image, and builds the last stage of deploy/Dockerfile from a program of
this machine, twice: both images have the same files. Then starts deploy/compose.dev.yml, and checks what a container may do, health, limits and the
page; plays the ride requests; scales the handler to three, kills one, plays them again; and stops everything, each process with exit code 0.
Ends all that it started. Needs root, a Linux kernel with overlayfs, and Debian's packages.

  --program      a stripped release build of intent-pipeline (default: built as deploy/python.sh builds it)
  --can-run      say whether an engine starts here, and its containers reach Debian's packages: ends with 0 if so. Installs what is missing
  --no-install   install nothing: if something is missing, say what, and end with 2
  -h, --help     this text

Exit codes: 0 all is well, 2 wrong arguments or something must be installed first, 4 a build or a check has failed.
TEXT
}

# The bounds of the image, in bytes: what it adds to Debian, and all of it.
readonly maximum_added=115000000 maximum_size=210000000
tools=$PWD/.build/containers

has_tools() { has dockerd && has docker && has iptables-save && has mmdebstrap && [ -x "$tools/cli-plugins/docker-compose" ]; }

program='' only_engine='' setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --can-run) only_engine=yes ;;
    --no-install) no_install=yes setup_options+=("$1") ;;
    --program)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/containers.sh --help"
        program=$2
        shift
        ;;
    *) refuse "unknown argument '$1'; see deploy/containers.sh --help" ;;
    esac
    shift
done

# Debian 12 has no Compose, and that of the next release needs nothing of it.
install_compose() {
    local folder=$tools/apt options
    mkdir -p "$folder"/{lists/partial,cache/archives/partial} "$tools/cli-plugins"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main\n' >"$folder/sources"
    options=(-q -o "Dir::Etc::sourcelist=$folder/sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
    (cd "$folder" && apt-get "${options[@]}" update && apt-get "${options[@]}" download docker-compose && dpkg -x docker-compose_*.deb files) >&2 \
        && cp "$folder/files/usr/libexec/docker/cli-plugins/docker-compose" "$tools/cli-plugins/"
}

[ "$(id -u)" -eq 0 ] || refuse "An engine needs root."
if ! has_tools; then
    { [ -z "$no_install" ] && can_install; } || refuse "Missing: a Docker Engine, mmdebstrap, or Compose. Run this without --no-install."
    # So that the package starts no engine.
    policy=/usr/sbin/policy-rc.d
    if [ -e "$policy" ]; then policy=''; else printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy"; fi
    apt_install docker.io iptables mmdebstrap || true
    [ -z "$policy" ] || rm -f "$policy"
    [ -x "$tools/cli-plugins/docker-compose" ] || install_compose || true
    has_tools || refuse "A Docker Engine, mmdebstrap or Compose could not be installed: see above."
fi

scratch=$(mktemp -d)
engine=''
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
    set +e
    [ -z "$engine" ] || ! docker info >/dev/null 2>&1 || compose down --volumes --timeout 5 >/dev/null 2>&1
    if [ -n "$engine" ]; then
        kill "$engine" 2>/dev/null
        wait "$engine" 2>/dev/null
        # The namespace of the network stays mounted.
        awk -v folder="$scratch/" 'index($2, folder) == 1 {print $2}' /proc/self/mounts | sort -r | xargs -r umount
        # The engine leaves its rules for packets.
        iptables-restore <"$scratch/rules"
        cat "$scratch/forwarding" >/proc/sys/net/ipv4/ip_forward
    fi
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

fail() {
    printf '%s\n' "$@" >&2
    exit 4
}
compose() { docker compose --progress plain --file deploy/compose.dev.yml "$@"; }
# eventually SECONDS WHAT COMMAND…: waits until the command succeeds.
eventually() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || { compose logs --tail 20 >&2; fail "not in time: $what"; }
        sleep 0.2
    done
}

export DOCKER_HOST=unix://$scratch/docker.sock DOCKER_CONFIG=$scratch/config DOCKER_BUILDKIT=0
mkdir -p "$DOCKER_CONFIG" "$scratch/context"
ln -s "$tools/cli-plugins" "$DOCKER_CONFIG/cli-plugins"

say "starting an engine"
iptables-save >"$scratch/rules"
cat /proc/sys/net/ipv4/ip_forward >"$scratch/forwarding"
printf '{"data-root":"%s/data","exec-root":"%s/exec","pidfile":"%s/pid","hosts":["%s"],"bridge":"none"}\n' "$scratch" "$scratch" "$scratch" "$DOCKER_HOST" >"$scratch/daemon.json"
dockerd --config-file "$scratch/daemon.json" >"$scratch/log" 2>&1 &
engine=$!
for _ in {1..300}; do
    ! docker info >/dev/null 2>&1 || break
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.1
done
docker info >/dev/null 2>&1 || { tail -n 20 "$scratch/log" >&2; refuse "The engine does not start here: see above."; }

# As Debian's own slim image: merged, and without manuals and translations.
base=$tools/base.tar
if [ ! -e "$base" ]; then
    say "making the base image (about a minute)"
    mmdebstrap --quiet --format=tar --variant=minbase --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include=usr-is-merged \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' bookworm "$base.new" >&2 \
        || refuse "The base system could not be made: see above. It needs Debian's packages."
    mv "$base.new" "$base"
fi
docker import "$base" debian:bookworm-slim >/dev/null

docker run --rm --network host debian:bookworm-slim apt-get -q update >"$scratch/apt" 2>&1 \
    || { cat "$scratch/apt" >&2; refuse "A container does not reach Debian's packages: see above."; }
[ -z "$only_engine" ] || exit 0

if [ -z "$program" ]; then
    setup ${setup_options[@]+"${setup_options[@]}"}
    build_combined_program
    strip -o "$scratch/context/intent-pipeline" "$combined_program"
else
    cp "$program" "$scratch/context/intent-pipeline"
fi

# The last stage, with the program of this machine in place of the first stage's.
cp LICENSE /etc/ssl/certs/ca-certificates.crt "$scratch/context/"
{
    printf 'FROM debian:bookworm-slim AS build\nCOPY intent-pipeline ca-certificates.crt /out/\n'
    sed -n '/^FROM debian/,$p' deploy/Dockerfile
} >"$scratch/context/Dockerfile"
# list_files IMAGE: the files of an image, with contents, rights and times, but for those that the engine makes. The times of folders are those at which
# files were copied into them.
list_files() {
    local folder=$scratch/files container
    container=$(docker create "$1") && mkdir "$folder"
    docker export "$container" | tar -x -C "$folder" --exclude=dev --exclude=.dockerenv --exclude='etc/mtab' --exclude='etc/host*' --exclude=etc/resolv.conf
    docker rm "$container" >/dev/null
    (cd "$folder" && find . ! -type d -printf '%P %M %U %G %T@ %l\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum)
    rm -rf "$folder"
}
say "building the image, twice"
for tag in first local; do
    docker build --quiet --no-cache --network host --tag "intentpipeline:$tag" "$scratch/context" >&2 || fail "the image could not be built: see above"
done
docker history --format '{{.Size}}\t{{.CreatedBy}}' intentpipeline:local | cut -c 1-120
for tag in first local; do list_files "intentpipeline:$tag" >"$scratch/files of $tag"; done
diff "$scratch/files of first" "$scratch/files of local" >&2 || fail "two builds have different files: see above"
size=$(docker image inspect --format '{{.Size}}' intentpipeline:local)
added=$((size - $(docker image inspect --format '{{.Size}}' debian:bookworm-slim)))
printf 'the image has %d MB, of which %d MB are programs and libraries\n' $((size / 1000000)) $((added / 1000000))
{ [ "$size" -le "$maximum_size" ] && [ "$added" -le "$maximum_added" ]; } || fail "the image is too large: $maximum_size and $maximum_added bytes are allowed"

started=$SECONDS
say "starting compose.dev.yml"
compose up --detach --no-build --quiet-pull >&2 || { compose logs --tail 20 >&2; fail "it did not start: see above"; }
roles=(coordinator resolver confirmer handler app-handler console)
# all_healthy COUNT: as many containers have a health check and pass it.
all_healthy() { [ "$(docker ps --filter health=healthy --format '{{.ID}}' | wc -l)" -eq "$1" ]; }
eventually 120 "all containers are healthy" all_healthy "${#roles[@]}"
printf 'all containers are healthy after %d s\n' $((SECONDS - started))

say "what a container may do"
for role in "${roles[@]}"; do
    container=$(compose ps --quiet "$role")
    found=$(docker inspect --format '{{.HostConfig.ReadonlyRootfs}} {{.Config.User}} {{.HostConfig.CapDrop}} {{.HostConfig.PidsLimit}} {{.HostConfig.Memory}} {{.HostConfig.NanoCpus}}' "$container")
    [[ $found =~ ^'true 10001:10001 [ALL] 256 '[1-9][0-9]*' '[1-9][0-9]*$ ]] || fail "$role has $found"
    pid=$(docker inspect --format '{{.State.Pid}}' "$container")
    found=$(awk '/^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):/ {print $1 $2}' "/proc/$pid/status" | tr '\n' ' ')
    [ "$found" = 'Uid:10001 CapEff:0000000000000000 CapBnd:0000000000000000 NoNewPrivs:1 Seccomp:2 ' ] || fail "$role has $found"
done
[[ $(docker exec "$(compose ps --quiet handler)" intents health) == '{"status":"ok"'* ]] || fail "the handler does not say that it is ready"
! docker exec "$(compose ps --quiet handler)" touch /usr/local/bin/x 2>/dev/null || fail "the handler can write to the image"

say "the page"
page=$(curl --silent --show-error --fail --max-time 10 http://127.0.0.1:8233/) || fail "the page does not answer"
[[ $page == *'<title>'* ]] || fail "there is no page at http://127.0.0.1:8233/"

# play: plays the ride requests, and checks that each got exactly one completion.
play() { compose run --rm --no-TTY tool play - --quiet --timeout 60 <Examples/Rides/Resources/requests.jsonl 2>"$scratch/played" || { cat "$scratch/played" >&2; fail "not all requests were completed once"; }; }
say "playing"
play | grep 'completed once'
# An intent whose handlers write files.
compose run --rm --no-TTY tool send StartWorkout -p workoutName=run -p isOpenEnded=true -p workoutLocationType=outdoor --wait >"$scratch/workout" 2>&1 \
    || { cat "$scratch/workout" >&2; fail "the workers can't write the data of the samples"; }

say "three handlers, of which one is killed"
compose up --detach --no-build --scale handler=3 >&2
eventually 120 "three handlers are healthy" all_healthy $((${#roles[@]} + 2))
read -r killed < <(compose ps --quiet handler)
kill -KILL "$(docker inspect --format '{{.State.Pid}}' "$killed")"
restarted() { [ "$(docker inspect --format '{{.RestartCount}}' "$killed")" -gt 0 ]; }
eventually 60 "the killed handler is started again" restarted
play | grep 'completed once'
eventually 120 "it is healthy again" all_healthy $((${#roles[@]} + 2))

say "stopping"
started=$SECONDS
containers=$(compose ps --quiet)
compose stop >&2
for container in $containers; do
    found=$(docker inspect --format '{{.Name}} {{.State.ExitCode}} {{.State.OOMKilled}}' "$container")
    [[ $found == *' 0 false' ]] || fail "ended otherwise: $found"
done
printf 'stopped after %d s, each with exit code 0\n' $((SECONDS - started))
