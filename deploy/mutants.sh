#!/usr/bin/env bash
# Breaks the pipeline's rules one after the other in a copy of the sources, and lets the simulator detect it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/setup.sh
source deploy/setup.sh

# The build directory is the copy's own: in another one, SwiftPM could take the copy's modules for those of the sources.
readonly copy=.build/mutants scratch=.build/mutants/.build simulator=.build/mutants/.build/debug/intents-simulator

usage() {
    cat <<'TEXT'
Usage: deploy/mutants.sh [--no-install] [ARGUMENT…]
       deploy/mutants.sh [--no-install] --build | --note
       deploy/mutants.sh --check | --can-run

Makes a copy of the sources in .build/mutants, in which each rule of Tests/Mutants/rules.txt can be broken, builds intents-simulator there, and runs it:
with --mutants, or with the ARGUMENTs. Where no rule is broken, the copy does what the sources do, so its histories and its exploration are those of the
sources. It is a debug build, because most rules need one history only. The first build takes some minutes; files of the copy that stay the same are not
written again.

  --breaking NAME  an argument of intents-simulator: break the rules that match NAME, and print the histories that notice
  --build          build .build/mutants/.build/debug/intents-simulator, and run nothing, whatever the ARGUMENTs
  --note           break all rules, and note in Tests/Mutants/rules.txt which history notices each: the next run begins with that one
  --check          build nothing: check that each marked line of the sources has its entry in Tests/Mutants/rules.txt, and each entry its line
  --can-run        say whether python3 is there: ends with 0 if so
  --no-install     install nothing: if something is missing, say what, and end with 2
  -h, --help       this text

Exit codes: 0 each broken rule was noticed, 2 wrong arguments or something must be installed first, 4 a rule can be broken unnoticed, marks and entries
differ, or the build failed.
TEXT
}

arguments=() is_build='' is_note='' setup_options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --can-run)
        has python3
        exit
        ;;
    --check)
        has python3 || refuse "python3 is missing. As root: apt-get install python3"
        exec python3 deploy/mutants.py --check
        ;;
    --build) is_build=yes ;;
    --note) is_note=yes ;;
    --no-install) setup_options+=("$1") ;;
    *) arguments+=("$1") ;;
    esac
    shift
done
[ ${#arguments[@]} -gt 0 ] || arguments=(--mutants)

setup ${setup_options[@]+"${setup_options[@]}"}
if ! has python3 && [ -z "${setup_options[*]-}" ] && can_install; then install_packages "python3"; fi
has python3 || refuse "python3 is missing. As root: apt-get install python3"
python3 deploy/mutants.py "$copy"
say "building the copy of the sources"
swift build --product intents-simulator --package-path "$copy" --scratch-path "$scratch" >&2 || { say "the build failed: see above"; exit 4; }
[ -z "$is_build" ] || exit 0
[ -n "$is_note" ] || exec "$simulator" "${arguments[@]}"
"$simulator" --mutants | tee .build/mutants.txt
python3 deploy/mutants.py --note .build/mutants.txt
