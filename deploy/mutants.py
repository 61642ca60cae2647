"""Makes a copy of the sources in which each rule of Tests/Mutants/rules.txt can be broken. deploy/mutants.sh calls it.

Argument: the copy's directory, in which files that stay the same are not written again; or --check, which only compares
the rules with the marked lines of Sources and ends with 4 if they don't fit; or --note and the file of a simulator's
report.
"""

import re
import shutil
import sys
from pathlib import Path

TABLE = Path("Tests/Mutants/rules.txt")
# All that Package.swift names.
PACKAGE = ["Package.swift", "Package.resolved", "Sources", "Plugins", "Examples", "Benchmarks", "Tests"]
# Files of the copy alone, and where they are in the copy.
ADDED = {
    "Rule+Breaking.swift": "Sources/Authoring/IntentModel/Rule+Breaking.swift",
    "SimulationMutant+All.swift": "Sources/Testing/PipelineSimulation/SimulationMutant+All.swift",
}
RULE = re.compile(r"(?P<name>\w+)(?: \((?:history (?P<history>\d+)|exploration '(?P<exploration>[^']+)')\))?: (?P<description>\S.*)$")
MARK = re.compile(r"^(?P<code>.*?)\s*// rule: *(?P<names>.*?)\s*$")


class Rule:
    def __init__(self, name, history, exploration, description, line):
        self.name, self.description, self.line = name, description, line
        # Which history, or which part of the exploration, notices that the rule is broken.
        self.history, self.exploration = history, exploration
        # The texts in the sources and in the copy, and the line of the table; each is removed when its line was found.
        self.entries = []


def words(text):
    return set(re.findall(r"\w+", text))


def read_table(problems):
    """The rules by their names."""
    rules, rule, original = {}, None, None
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        place = f"{TABLE}:{number}"
        if original is not None and not line.startswith("+ "):
            problems.append(f"{place}: a text after '-' needs one after '+' on the next line")
            original = None
        if found := RULE.match(line):
            rule = Rule(found["name"], found["history"], found["exploration"], found["description"], number)
            if rule.name in rules:
                problems.append(f"{place}: there is a rule '{rule.name}' already")
            rules[rule.name] = rule
        elif rule and line.startswith("- "):
            original = line[2:]
        elif rule and original is not None and line.startswith("+ "):
            if f"Rule.{rule.name}.holds" not in line:
                problems.append(f"{place}: the text does not ask whether Rule.{rule.name}.holds")
            if missing := words(original) - words(line):
                problems.append(f"{place}: the text leaves out what applies the rule: {', '.join(sorted(missing))}")
            rule.entries.append((original, line[2:], number))
            original = None
        elif line and not line.startswith("#"):
            problems.append(f"{place}: neither a rule nor an entry of one: {line}")
    if original is not None:
        problems.append(f"{TABLE}: the last text after '-' needs one after '+'")
    for rule in rules.values():
        if not rule.entries:
            problems.append(f"{TABLE}:{rule.line}: the rule '{rule.name}' has no entry")
    return rules


def replacement(rule, code, place, problems):
    """Where the one entry for a line replaces which text, and by what."""
    fitting = {entry[:2] for entry in rule.entries if code.count(entry[0]) == 1}
    if len(fitting) != 1:
        what = "no entry fits" if not fitting else "several entries fit"
        problems.append(f"{place}: {what} this line of the rule '{rule.name}' in {TABLE}: {code.strip()}")
        return None
    entry = next(entry for entry in rule.entries if entry[:2] in fitting)
    rule.entries.remove(entry)
    start = code.index(entry[0])
    return start, start + len(entry[0]), entry[1]


def mutated(path, text, rules, problems):
    """The text of a file in which the rules can be broken. No line moves to another number."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        found = MARK.match(line)
        if not found:
            continue
        place = f"{path}:{index + 1}"
        is_above = not found["code"].strip()
        target = index + 1 if is_above else index
        code = lines[target] if is_above else found["code"]
        replacements = []
        for name in found["names"].split(", "):
            if name not in rules:
                problems.append(f"{place}: there is no rule '{name}' in {TABLE}")
            elif made := replacement(rules[name], code, place, problems):
                replacements.append(made)
        for start, end, new in sorted(replacements, reverse=True):
            code = code[:start] + new + code[end:]
        lines[target] = code
    changed = "\n".join(lines)
    if changed != text and not re.search(r"^(\w+ )?import IntentModel$", changed, re.MULTILINE):
        changed = re.sub(r"^(?=(\w+ )?import )", "import IntentModel; ", changed, count=1, flags=re.MULTILINE)
    return changed


def rule_type(rules):
    cases = "".join(f"    /// {rule.description}\n    case {rule.name}\n" for rule in rules)
    histories = ", ".join(f".{rule.name}: {rule.history}" for rule in rules if rule.history)
    explorations = ", ".join(f'.{rule.name}: "{rule.exploration}"' for rule in rules if rule.exploration)
    return f"""/// A rule that the pipeline's promises rest on.
package enum Rule: CaseIterable, Sendable {{
{cases}
    /// The seeds of histories that detect a broken rule.
    package static let histories: [Rule: UInt64] = [{histories}]
    /// The parts of the exploration that detect a broken rule. Histories don't.
    package static let explorations: [Rule: String] = [{explorations}]
}}
"""


def note(report):
    """Writes to the table what has detected the broken rules, as a report of `intents-simulator --mutants` says. The first histories need no note."""
    found = dict(re.findall(r"^(\w+): found by (history \d+|the exploration '[^']+')", report, re.MULTILINE))
    lines = TABLE.read_text().splitlines(keepends=True)
    for index, line in enumerate(lines):
        if (rule := RULE.match(line)) and rule["name"] in found:
            text = found[rule["name"]].removeprefix("the ")
            is_early = text.startswith("history") and int(text.split()[1]) <= 50
            lines[index] = f"{rule['name']}{'' if is_early else f' ({text})'}: {rule['description']}\n"
    TABLE.write_text("".join(lines))


def copied_files():
    for path in map(Path, PACKAGE):
        if path.is_dir():
            yield from (file for file in sorted(path.rglob("*")) if file.is_file() and ".build" not in file.parts)
        elif path.exists():
            yield path


def make_copy(folder, changed):
    """Writes the files that differ, and removes those that are gone."""
    wanted = {path: None for path in copied_files()} | changed
    for path, text in wanted.items():
        copy = folder / path
        data = path.read_bytes() if text is None else text.encode()
        if copy.exists() and copy.read_bytes() == data:
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
        if text is None:
            shutil.copymode(path, copy)
    for name in PACKAGE:
        for copy in [folder / name, *(folder / name).rglob("*")]:
            if copy.is_file() and copy.relative_to(folder) not in wanted:
                copy.unlink()


def main():
    is_check = sys.argv[1:] == ["--check"]
    if len(sys.argv) == 3 and sys.argv[1] == "--note":
        return note(Path(sys.argv[2]).read_text())
    if not is_check and not (len(sys.argv) == 2 and Path(".build").resolve() in Path(sys.argv[1]).resolve().parents):
        print("the argument is --check, or a directory in .build: anything else could overwrite the sources", file=sys.stderr)
        sys.exit(2)
    problems = []
    rules = read_table(problems)
    count, marked = sum(len(rule.entries) for rule in rules.values()), {}
    for path in sorted(Path("Sources").rglob("*.swift")):
        text = path.read_text()
        if "// rule:" in text:
            marked[path] = mutated(path, text, rules, problems)
    for rule in rules.values():
        for original, _, number in rule.entries:
            problems.append(f"{TABLE}:{number}: no line that is marked with '// rule: {rule.name}' has this text once: {original}")
    if problems:
        print("\n".join(problems))
        sys.exit(4)
    if is_check:
        print(f"{len(rules)} rules, {count} lines that apply them")
        return
    added = {Path(place): (TABLE.parent / name).read_text() for name, place in ADDED.items()}
    make_copy(Path(sys.argv[1]), marked | added | {Path("Sources/Authoring/IntentModel/Rule.swift"): rule_type(rules.values())})


main()
