#!/usr/bin/env bash
# Installs what IntentPipeline needs to be built and run on Debian 12 or Ubuntu, and nothing that is there already.
# deploy/run.sh and deploy/test.sh source it and call `setup`; run by itself it does just that.
set -euo pipefail

# The oldest Swift that this is built and tested with.
readonly swift_needed=6.3

say() { printf '== %s\n' "$*" >&2; }

# Ends the script: 2, something has to be put right first.
refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

has() { command -v "$1" >/dev/null 2>&1; }

check_swift() {
    local where="https://www.swift.org/install/linux/ (swiftly, or the tarball for this system: unpack it and put its usr/bin into PATH)"
    has swift || refuse "There is no 'swift' in PATH. Get Swift $swift_needed from $where, then run this again."
    local missing
    missing=$(missing_packages)
    # Without its libraries swift can't even say its version: those come first.
    [ -z "$missing" ] || install_packages "$missing"
    local found
    found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
    [ -n "$found" ] || refuse "'swift --version' does not work: run it to see why. A working one is at $where."
    if [ "$(printf '%s\n' "$swift_needed" "$found" | sort -V | head -n 1)" != "$swift_needed" ]; then
        refuse "Swift $found is installed, and $swift_needed or newer is needed. Get it from $where."
    fi
}

# Names of Debian packages whose contents can't be found, on one line. It asks for the thing and not for the package, so that a librdkafka
# or kcat of one's own counts too.
missing_packages() {
    local missing=() swift_programs
    has git || missing+=(git)
    has kcat || missing+=(kcat)
    has pkg-config || missing+=(pkg-config)
    { has pkg-config && pkg-config --exists 'rdkafka >= 2.0.2'; } || missing+=(librdkafka-dev)
    # What the HTTP client is linked with.
    [ -e /usr/include/zlib.h ] || missing+=(zlib1g-dev)
    # What Swift links every program with.
    if ! compgen -G '/usr/include/c++/*/vector' >/dev/null || ! compgen -G '/usr/lib/gcc/*/*/crtbeginS.o' >/dev/null; then missing+=(g++); fi
    [ -e /etc/ssl/certs/ca-certificates.crt ] || missing+=(ca-certificates)
    [ -e /usr/share/zoneinfo/UTC ] || missing+=(tzdata)
    # What the programs of the toolchain themselves need; the packages that swift.org lists.
    swift_programs=$(dirname "$(readlink -f "$(command -v swift)")")
    if ldd "$swift_programs"/swift-frontend "$swift_programs"/swift-build 2>/dev/null | grep -q 'not found'; then
        missing+=(binutils libcurl4-openssl-dev libedit-dev libncurses-dev libpython3-dev libsqlite3-dev libxml2-dev libz3-dev zlib1g-dev)
    fi
    printf '%s' "${missing[*]}"
}

install_packages() {
    local packages=() as_root=() log
    read -r -a packages <<<"$1"
    has apt-get || refuse "Missing: ${packages[*]} (Debian's names). There is no apt-get here: install them, then run this again."
    if [ "$(id -u)" -ne 0 ]; then
        has sudo || refuse "Missing: ${packages[*]}. As root: apt-get install ${packages[*]}"
        as_root=(sudo)
    fi
    say "installing ${packages[*]}"
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get -q update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${packages[@]}"; } \
        >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        refuse "The packages could not be installed (see above). By hand: apt-get update && apt-get install ${packages[*]}"
    fi
    rm -f "$log"
}

# What the samples in Python, and the checks of deploy/openapi.yaml, need: in a virtual environment of its own, .build/python. Without it the tests of
# those are skipped and say so, so nothing here ends the script.
setup_python() {
    local python=.build/python/bin/python3 packages=(confluent-kafka openapi-spec-validator pyyaml)
    if [ -x "$python" ] && "$python" -c 'import confluent_kafka, openapi_spec_validator, yaml' 2>/dev/null; then return; fi
    has python3 || { say "there is no python3: tests of the samples in Python will be skipped"; return; }
    say "installing ${packages[*]} into .build/python"
    if ! { python3 -m venv .build/python && "$python" -m pip install -q --disable-pip-version-check "${packages[@]}"; } >&2; then
        say "that did not work (python3 with venv and pip, and PyPI, are needed): tests of the samples in Python will be skipped"
    fi
}

setup() {
    check_swift
    local missing
    missing=$(missing_packages)
    [ -z "$missing" ] || refuse "Still missing after the installation: $missing. librdkafka has to be 2.0.2 or newer, as in Debian 12."
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then setup; fi
