"""Compares counts of callgrind with those in deploy/instructions.json. deploy/instructions.sh calls it.

Arguments: a directory with PART.callgrind and PART.txt for each part, and --write to keep the counts.
"""

import json
import platform
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

FIGURES = Path("deploy/instructions.json")
# How much more instructions a part may take.
TOLERANCE = 0.03
# How much more a part may take with metrics, and with traces that are passed on and not recorded.
TELEMETRY = 0.03
# How many functions of each part are kept, those that take most, and how many are shown if the part has grown.
KEPT, SHOWN = 150, 12


def self_counts(path):
    """The instructions of each function, without those of the functions that it calls."""
    names, counts = {}, Counter()
    function, is_call = None, False
    for line in path.read_text().splitlines():
        if found := re.match(r"fn=\((\d+)\)(?: (.*))?$", line):
            number, name = found.groups()
            if name is not None:
                names[number] = name
            function = names[number]
        elif found := re.match(r"cfn=\((\d+)\) (.*)$", line):
            names[found[1]] = found[2]
        elif line.startswith("calls="):
            # The next line has what the call costs.
            is_call = True
        elif re.match(r"[-+*\d]", line):
            if not is_call:
                counts[function] += int(line.split()[1])
            is_call = False
    return counts


def demangled(names):
    """Names as people write them. The suffixes that callgrind adds to functions that call themselves are left out."""
    names = list(names)
    plain = [re.sub(r"'\d+$", "", name) for name in names]
    output = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], input="\n".join(plain), capture_output=True, text=True, check=True
    ).stdout
    return dict(zip(names, output.splitlines()))


def measured(directory):
    parts = {}
    for path in sorted(directory.glob("*.callgrind")):
        operations = int(re.search(r"(\d+) operations", (directory / f"{path.stem}.txt").read_text())[1])
        counts = self_counts(path)
        names, functions = demangled(counts), Counter()
        for name, count in counts.items():
            functions[names[name]] += count
        parts[path.stem] = {
            "instructions": round(sum(counts.values()) / operations),
            "functions": {name: round(count / operations) for name, count in functions.most_common(KEPT)},
        }
    return parts


def compiler():
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return "Swift {}, {}".format(re.search(r"Swift version (\S+)", version)[1], platform.machine())


def grown(before, after):
    """The functions that take more, most first."""
    change = {name: after["functions"].get(name, 0) - before["functions"].get(name, 0) for name in {**before["functions"], **after["functions"]}}
    return [(name, more) for name, more in sorted(change.items(), key=lambda item: -item[1]) if more > 0][:SHOWN]


def main():
    directory, write = Path(sys.argv[1]), "--write" in sys.argv[2:]
    parts, made_by = measured(directory), compiler()
    committed = json.loads(FIGURES.read_text()) if FIGURES.exists() else {"compiler": made_by, "parts": {}}
    is_comparable = committed["compiler"] == made_by
    failed = False
    print(f"{'instructions':14}{'now':>10}{'committed':>12}")
    for part, now in parts.items():
        before = committed["parts"].get(part)
        if before is None or not is_comparable:
            print(f"{part:14}{now['instructions']:>10}{'none':>12}")
            continue
        change = now["instructions"] / before["instructions"] - 1
        print(f"{part:14}{now['instructions']:>10}{before['instructions']:>12}  {change:+.1%}")
        if change > TOLERANCE and not write:
            failed = True
            print("  these functions take more:")
            for name, more in grown(before, now):
                print(f"  {more:>+8}  {name[:160]}")
        elif change < -TOLERANCE and not write:
            print("  it takes less: deploy/instructions.sh --write keeps it so")
    for part in ("decision", "work"):
        for kind in ("telemetry", "traced"):
            if part in parts and f"{part}-{kind}" in parts:
                share = parts[f"{part}-{kind}"]["instructions"] / parts[part]["instructions"] - 1
                print(f"{part} with {'metrics' if kind == 'telemetry' else 'metrics and spans'}: {share:+.1%}")
                # To a tenth of a percent, as it is printed.
                if kind == "telemetry" and round(share, 3) > TELEMETRY:
                    failed = True
                    print(f"  telemetry may take {TELEMETRY:.0%}; these functions take it:")
                    for name, more in grown(parts[part], parts[f"{part}-{kind}"]):
                        print(f"  {more:>+8}  {name[:160]}")
    if not is_comparable:
        print(f"not compared: the committed figures are of {committed['compiler']}, and this is {made_by}")
    if write:
        kept = committed["parts"] if is_comparable else {}
        FIGURES.write_text(json.dumps({"compiler": made_by, "parts": {**kept, **parts}}, indent=1, ensure_ascii=False) + "\n")
    if failed:
        print("If the change is worth it, keep the new counts: deploy/instructions.sh --write")
    sys.exit(4 if failed else 0)


main()
