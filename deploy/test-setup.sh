#!/usr/bin/env bash
# Tests how deploy/setup.sh downloads Swift: with a PATH without Swift, against a server on this machine. deploy/test.sh runs this.
# The tarballs contain links to the installed toolchain, so they are small; their signatures are by keys that are made here. Nothing is installed.
# shellcheck disable=SC2016 # test_that expands its conditions
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1-} in
'' | --can-run) ;;
-h | --help)
    sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"
    printf 'With --can-run, only looks whether what it needs is there: exit code 2 if not.\n'
    exit 0
    ;;
*)
    printf "unknown argument '%s'; see deploy/test-setup.sh --help\n" "$1" >&2
    exit 2
    ;;
esac
for program in curl flock gpg gpg-agent python3; do
    command -v "$program" >/dev/null 2>&1 || { printf '%s is missing\n' "$program" >&2; exit 2; }
done
[ "${1-}" != --can-run ] || exit 0

# The toolchain that deploy/test.sh builds with may be one that set-up downloaded.
PATH=$PATH:$(printf '%s:' "$PWD"/.build/swift/*/usr/bin)
swift=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath" *: *"\(.*\)/lib/swift".*|\1|p')
[ -x "$swift/bin/swift" ] || { printf 'the toolchain that swift belongs to was not found\n' >&2; exit 2; }

scratch=$(mktemp -d)
server='' failures=0
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    gpgconf --homedir "$scratch/gnupg" --kill gpg-agent 2>/dev/null || true
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# MARK: A machine without Swift

# All programs in PATH except Swift's. Programs that would change the machine fail.
mkdir "$scratch/programs"
IFS=: read -r -a folders <<<"$PATH"
for folder in "${folders[@]}"; do
    [ ! -d "$folder" ] || find -L "$folder" -maxdepth 1 -type f -perm -u+x ! -name 'swift*' -exec ln -s -t "$scratch/programs" {} + 2>/dev/null || true
done
for program in apt-get sudo; do
    rm -f "$scratch/programs/$program"
    printf '#!/bin/sh\necho "%s was called with $*" >&2\nexit 1\n' "$program" >"$scratch/programs/$program"
    chmod +x "$scratch/programs/$program"
done
printf 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"\n' >"$scratch/debian"
printf 'ID=ubuntu\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04"\n' >"$scratch/ubuntu"
printf 'ID=plan9\nVERSION_ID=4\nPRETTY_NAME="Plan 9"\n' >"$scratch/plan9"
rm -f "$scratch/programs/uname"
printf '#!/bin/sh\necho "${TEST_MACHINE-x86_64}"\n' >"$scratch/programs/uname"
chmod +x "$scratch/programs/uname"

# MARK: Tarballs and signatures

release=$(sed -n 's/^readonly swift_release=//p' deploy/setup.sh)
name=swift-$release-RELEASE-debian12
place=swift-$release-release/debian12/swift-$release-RELEASE
mkdir -p "$scratch/toolchain/$name/usr/bin"
ln -s "$swift"/bin/* "$scratch/toolchain/$name/usr/bin"
ln -s "$swift/lib" "$scratch/toolchain/$name/usr/lib"
tar --create --gzip --file "$scratch/swift.tar.gz" --directory "$scratch/toolchain" "$name"

mkdir -m 700 "$scratch/gnupg"
export GNUPGHOME=$scratch/gnupg
# Shows gpg's messages only if it fails.
its_gpg() {
    gpg --batch --quiet --pinentry-mode loopback --passphrase '' "$@" 2>"$scratch/gpg.log" || { cat "$scratch/gpg.log" >&2; return 1; }
}
long_ago=20200101T000000
key() { its_gpg --with-colons --list-keys "$1" | sed -n 's/^fpr:::::::::\([0-9A-F]*\):$/\1/p' | head -n 1; }
its_gpg --quick-generate-key release@test ed25519 sign never
its_gpg --quick-generate-key other@test ed25519 sign never
its_gpg --quick-generate-key revoked@test ed25519 sign never
its_gpg --faked-system-time "$long_ago" --quick-generate-key expired@test ed25519 sign 30d
its_gpg --faked-system-time "$long_ago" --quick-generate-key late@test ed25519 sign never
release_key=$(key release@test) other_key=$(key other@test) revoked_key=$(key revoked@test) expired_key=$(key expired@test) late_key=$(key late@test)

# serve NAME KEY [GPG OPTION…]: makes the server's directory NAME, with the tarball signed by KEY. For an expired key, the options set a time before
# it expired.
serve() {
    local folder=$scratch/served/$1/$place
    mkdir -p "$folder"
    cp "$scratch/swift.tar.gz" "$folder/$name.tar.gz"
    its_gpg --local-user "$2" "${@:3}" --detach-sign --output "$folder/$name.tar.gz.sig" "$folder/$name.tar.gz"
    its_gpg --armor --export >"$scratch/served/$1/keys.asc"
}
serve good "$release_key"
serve altered "$release_key"
printf 'x' >>"$scratch/served/altered/$place/$name.tar.gz"
serve other "$other_key"
serve expired "$expired_key" --faked-system-time 20200115T000000
# A signature whose key was later set to expire before the time of the signature.
serve late "$late_key" --faked-system-time 20200301T000000
its_gpg --faked-system-time 20200120T000000 --quick-set-expire "$late_key" 20200201T000000
its_gpg --armor --export >"$scratch/served/late/keys.asc"
serve unsigned "$release_key"
: >"$scratch/served/unsigned/$place/$name.tar.gz.sig"
serve keyless "$release_key"
its_gpg --armor --export "$other_key" >"$scratch/served/keyless/keys.asc"
serve cut "$release_key"
serve slow "$release_key"
serve absent "$release_key"
rm "$scratch/served/absent/$place/$name.tar.gz"
serve revoked "$revoked_key"
sed 's/^:-----/-----/' "$GNUPGHOME/openpgp-revocs.d/$revoked_key.rev" | its_gpg --import
its_gpg --armor --export >"$scratch/served/revoked/keys.asc"

cat >"$scratch/server.py" <<'PYTHON'
import functools, http.server, sys, time

class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        with open(sys.argv[2], "a") as log:
            print(self.path, file=log)
        if self.path.startswith("/cut/") and self.path.endswith(".tar.gz"):
            # The connection breaks half way.
            with open(self.translate_path(self.path), "rb") as file:
                content = file.read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[:len(content) // 2])
            return
        if self.path.startswith("/slow/") and self.path.endswith(".tar.gz"):
            time.sleep(1)
        super().do_GET()

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
: >"$scratch/requests"
python3 "$scratch/server.py" "$scratch/served" "$scratch/requests" >"$scratch/port" &
server=$!
for _ in {1..100}; do [ ! -s "$scratch/port" ] || break; sleep 0.1; done
port=$(cat "$scratch/port")

# MARK: Checks

# set_up SERVED [VARIABLE=VALUE]… [--no-install]: runs set-up in a separate repository, against a directory of the server. Its messages are in
# $output, its exit code in $code, the paths that it requested from the server in $requests. $script is the script that is run.
script=setup.sh
set_up() {
    local served=$1 variables=() options=() before
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        --*) options+=("$1") ;;
        *) variables+=("$1") ;;
        esac
        shift
    done
    before=$(wc -l <"$scratch/requests")
    code=0
    output=$(env PATH="$scratch/programs" no_proxy=127.0.0.1 INTENTS_SETUP_TEST_DOWNLOADS="http://127.0.0.1:$port/$served" \
        INTENTS_SETUP_TEST_FINGERPRINT="$release_key" INTENTS_SETUP_TEST_OS_RELEASE="$scratch/debian" ${variables[@]+"${variables[@]}"} \
        "$scratch/repository/deploy/$script" ${options[@]+"${options[@]}"} 2>&1) || code=$?
    requests=$(tail -n "+$((before + 1))" "$scratch/requests")
}

fresh_repository() {
    rm -rf "$scratch/repository"
    mkdir -p "$scratch/repository/deploy"
    cp deploy/setup.sh deploy/run.sh deploy/test.sh "$scratch/repository/deploy"
}

# test_that SENTENCE CONDITION…: each condition is a command.
test_that() {
    local condition
    for condition in "${@:2}"; do
        if ! eval "$condition"; then
            printf 'FAILED: %s\n  condition: %s\n  exit code %s, requests: %s\n' "$1" "$condition" "$code" "${requests//$'\n'/ }" >&2
            printf '%s\n' "$output" | sed 's/^/  | /' >&2
            failures=$((failures + 1))
            return
        fi
    done
    printf 'ok: %s\n' "$1"
}

# shellcheck disable=SC2317,SC2329 # conditions call these
{
    ends_with() { [ "$code" -eq "$1" ]; }
    says() { [[ $output == *"$1"* ]]; }
    asks_nothing() { [ -z "$requests" ]; }
    leaves_nothing() { [ -z "$(find "$scratch/repository/.build" -mindepth 1 ! -path '*/.build/swift' ! -name lock 2>/dev/null)" ]; }
    has_swift() { [ -x "$scratch/repository/.build/swift/$release-debian12/usr/bin/swift" ]; }
}

fresh_repository
for script in setup.sh run.sh test.sh; do
    set_up good --no-install
    test_that "$script --no-install downloads nothing and says what is missing and where it is" 'ends_with 2' 'says "Swift 6"' \
        'says "/good/$place/$name.tar.gz"' 'says .build/swift/' 'asks_nothing' 'leaves_nothing'
done
script=setup.sh

set_up good --no-install INTENTS_SETUP_TEST_OS_RELEASE="$scratch/ubuntu" TEST_MACHINE=aarch64
test_that "Ubuntu and aarch64 have separate downloads" 'ends_with 2' \
    'says "/swift-$release-release/ubuntu2404-aarch64/swift-$release-RELEASE/swift-$release-RELEASE-ubuntu24.04-aarch64.tar.gz"'

set_up good INTENTS_SETUP_TEST_OS_RELEASE="$scratch/plan9"
test_that "an unknown distribution is named" 'ends_with 2' 'says "Plan 9"' 'says swift.org/install' 'asks_nothing' 'leaves_nothing'

set_up good TEST_MACHINE=riscv64
test_that "an unknown processor is named" 'ends_with 2' 'says riscv64' 'asks_nothing' 'leaves_nothing'

for program in curl gpg; do
    mv "$scratch/programs/$program" "$scratch/"
    set_up good
    mv "$scratch/$program" "$scratch/programs/"
    test_that "a missing $program is named" 'ends_with 2' "says 'apt-get install $program'" 'asks_nothing' 'leaves_nothing'
done

set_up good INTENTS_SETUP_TEST_DOWNLOADS=http://example.com
test_that "a test's server must be on this machine" 'ends_with 2' 'says 127.0.0.1' 'asks_nothing' 'leaves_nothing'

set_up altered
test_that "an altered tarball is refused" 'ends_with 2' 'says "is wrong: the file is not the one that was signed"' 'leaves_nothing'

set_up other
test_that "a signature by a published key that is not pinned is refused" 'ends_with 2' 'says "is wrong: it is by the key $other_key"' 'leaves_nothing'

set_up unsigned
test_that "an empty signature is refused" 'ends_with 2' 'says "holds no signature"' 'leaves_nothing'

set_up keyless
test_that "published keys without the pinned one are refused, before the tarball is downloaded" 'ends_with 2' \
    'says "does not contain the key $release_key"' '! [[ $requests == *.tar.gz* ]]' 'leaves_nothing'

set_up revoked INTENTS_SETUP_TEST_FINGERPRINT="$revoked_key"
test_that "a signature by a revoked key is refused" 'ends_with 2' 'says "its key has been revoked"' 'leaves_nothing'

set_up late INTENTS_SETUP_TEST_FINGERPRINT="$late_key"
test_that "a signature that was made after its key expired is refused" 'ends_with 2' 'says "its key had already expired"' 'leaves_nothing'

set_up cut
test_that "a download that breaks off is refused" 'ends_with 2' 'says "The download of" && says "failed"' 'leaves_nothing'

set_up absent
test_that "a missing tarball is named" 'ends_with 2' 'says "$name.tar.gz failed"' 'leaves_nothing'

mkdir -p "$scratch/repository/.build/swift/incoming/unpacked/usr/bin"
set_up absent
test_that "files of a killed run are not used" 'ends_with 2' '! has_swift' 'leaves_nothing'

set_up good
test_that "Swift is announced, downloaded, checked and unpacked" 'ends_with 0' 'says "downloading Swift $release"' 'says "from http://127.0.0.1"' \
    'says "signature is by $release_key"' 'has_swift' '! compgen -G "$scratch/repository/.build/swift/incoming*"'

set_up good
test_that "a second run uses it and downloads nothing" 'ends_with 0' 'asks_nothing' '! says downloading'

set_up good --no-install
test_that "with --no-install too" 'ends_with 0' 'asks_nothing'

fresh_repository
set_up expired INTENTS_SETUP_TEST_FINGERPRINT="$expired_key"
test_that "a signature is valid if its key expired later" 'ends_with 0' 'says "expired after"' 'has_swift'

fresh_repository
earlier=$(grep -c 'tar.gz$' "$scratch/requests")
{ set_up slow; printf '%s\n' "$code" >"$scratch/beside"; } &
beside=$!
set_up slow
wait "$beside"
downloads=$(($(grep -c 'tar.gz$' "$scratch/requests") - earlier))
test_that "of two commands at once, one downloads" 'ends_with 0' '[ "$(cat "$scratch/beside")" = 0 ]' 'has_swift' \
    "[ $downloads -eq 1 ]"

# The repository of these tests has no package, so that no build succeeds.
script=run.sh
set_up good --no-install
test_that "run.sh says how long a build takes before it begins, and why it failed" 'ends_with 4' 'says "minutes on two quiet cores"' \
    'says "Package.swift"' 'says "the build of intents failed"'

if [ "$failures" -gt 0 ]; then
    printf '%s failed\n' "$failures" >&2
    exit 1
fi
