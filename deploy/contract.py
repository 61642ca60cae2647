#!/usr/bin/env python3
"""Checks the published contract (deploy/contract) with a JSON Schema validator (PyPI: jsonschema, referencing).

- Each schema is a valid JSON Schema 2020-12, and all of its references lead somewhere.
- Each golden file is valid, and so is what readers take of Tests/IntentEventsTests/MalformedEvents.json. What readers refuse there, the schema of the
  event refuses too, for a reason in the member that the reader names; except where the file says that no schema can say it.
- The AsyncAPI document: its structure and references, its schemas as drafts 07, and its examples by them. With --asyncapi-schema FILE, also against the
  official JSON Schema of AsyncAPI 3.0.0 (asyncapi/spec-json-schemas, schemas/3.0.0.json), which no package of PyPI carries.

Prints what is wrong, one line each. Exit codes: 0 nothing is, 2 a file or module is missing, 4 something is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from jsonschema import Draft7Validator, Draft202012Validator
    from jsonschema.exceptions import SchemaError, ValidationError
    from referencing import Registry
    from referencing.jsonschema import DRAFT7
except ImportError as error:
    print(f"{error}. Install it: python3 -m pip install jsonschema referencing", file=sys.stderr)
    sys.exit(2)

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "Tests" / "IntentEventsTests"
CONTRACT = ROOT / "deploy" / "contract"
SIDES = {"requests": "requests", "answers": "requests", "results": "results", "outcomes": "outcomes"}

problems: list[str] = []


def read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"{path} can't be read: {error}", file=sys.stderr)
        sys.exit(2)


def wrong(problem: str) -> None:
    problems.append(problem)
    print(f"wrong: {problem}")


def leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The error and all that it consists of."""
    yield error
    for part in error.context or []:
        yield from leaves(part)


def named(error: ValidationError) -> set[str]:
    """The members that an error is about: those on the way to it, and those that are missing."""
    names: set[str] = set()
    for each in leaves(error):
        names |= {str(part) for part in each.absolute_path}
        names |= set(re.findall(r"'([A-Za-z]+)' is a required property", each.message))
        if each.validator == "oneOf":
            names |= {name for choice in each.validator_value for name in choice.get("required", [])}
    return names


class Schemas:
    """The schemas of events, by name."""

    def __init__(self) -> None:
        self.all: dict[str, Draft202012Validator] = {}
        for path in sorted((CONTRACT / "schemas").glob("*.json")):
            schema = read(path)
            try:
                Draft202012Validator.check_schema(schema)
            except SchemaError as error:
                wrong(f"{path.name} is no JSON Schema: {error.message}")
            if schema.get("$schema") != Draft202012Validator.META_SCHEMA["$id"]:
                wrong(f"{path.name} is of another draft than 2020-12")
            self.all[path.stem] = Draft202012Validator(schema)

    def of(self, event: str, topic: str) -> Draft202012Validator | None:
        """That of an event on a topic (without prefix): an event that is on two sides of the pipeline has two."""
        return self.all.get(event) or self.all.get(f"{SIDES.get(topic, '')}.{event}")


def check_goldens(schemas: Schemas) -> int:
    count = 0
    for path in sorted((TESTS / "Golden").glob("*.json")):
        record = read(path)
        event, value, topic = record["headers"].get("ce_type"), record["value"], record["topic"].split(".", 1)[1]
        if topic == "dead-letters":
            continue
        # Other forms of the same: the event as a member of a CloudEvent, and one that says its type and id itself.
        if "data" in value and "specversion" in value:
            event, value = value["type"], value["data"]
        event = event or value.get("type") or "intent.requested.v1"
        schema = schemas.of(event, topic)
        if schema is None:
            wrong(f"there is no schema for {path.name}")
            continue
        count += 1
        for error in schema.iter_errors(value):
            wrong(f"{path.name}: {error.json_path}: {error.message[:300]}")
    return count


def check_malformed(schemas: Schemas) -> int:
    count = 0
    for rule in read(TESTS / "MalformedEvents.json"):
        for case in rule["cases"]:
            event = case["type"]
            schema = schemas.all.get(event) or schemas.all.get(f"requests.{event}")
            text = f"{event} {json.dumps(case['value'])[:200]}"
            if schema is None and case["read"].startswith("unsupported"):
                continue
            if schema is None:
                wrong(f"there is no schema for {event}")
                continue
            count += 1
            errors = list(schema.iter_errors(case["value"]))
            if case["read"] == "fine":
                for error in errors:
                    wrong(f"readers take {text}, and its schema does not: {error.json_path}: {error.message[:200]}")
            elif "beyondSchema" in case:
                for error in errors:
                    wrong(f"{text} is said to be beyond schemas ({case['beyondSchema']}), and is refused: {error.message[:200]}")
            elif not errors:
                wrong(f"readers refuse {text}, and its schema takes it ({case['read']})")
            else:
                # The reader's "unparseable ask.kind, dead letter", unless that names one of several.
                field = case.get("member") or case["read"].split(", ")[0].split(" ", 1)[1].split(".")[0]
                if not any(field in named(error) for error in errors):
                    wrong(f"{text} is refused for something else than '{field}': {errors[0].message[:200]}")
    return count


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            if name == "$ref" and isinstance(part, str):
                yield part
            else:
                yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def follow(document: Any, reference: str) -> Any:
    """What a reference leads to; None if that is nothing."""
    if not reference.startswith("#/"):
        return None
    for step in reference[2:].split("/"):
        document = document.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(document, dict) else None
    return document


def check_asyncapi(official: Path | None) -> int:
    document = read(CONTRACT / "asyncapi.json")
    if not str(document.get("asyncapi")).startswith("3.0."):
        wrong("asyncapi.json is no document of AsyncAPI 3.0")
    for name in ["info", "channels", "operations", "components"]:
        if not isinstance(document.get(name), dict):
            wrong(f"asyncapi.json has no '{name}'")
            return 0
    for reference in set(references(document)):
        if follow(document, reference) is None:
            wrong(f"asyncapi.json: {reference} leads nowhere")
    for name, channel in document["channels"].items():
        if channel["bindings"]["kafka"]["topic"] != channel["address"]:
            wrong(f"asyncapi.json: channel {name} has two names")
    for name, operation in document["operations"].items():
        if operation["action"] not in ("send", "receive"):
            wrong(f"asyncapi.json: operation {name} neither sends nor receives")
        for message in operation.get("messages", []):
            if not message["$ref"].startswith(operation["channel"]["$ref"] + "/messages/"):
                wrong(f"asyncapi.json: operation {name} has a message of another channel")
    examples = check_examples(document)
    if official is not None:
        check_official(document, read(official))
    return examples


def check_examples(document: Any) -> int:
    count = 0
    registry = Registry().with_resource("urn:document", DRAFT7.create_resource(document))

    def schema(part: Any) -> Draft7Validator:
        """A part of the document as a schema, with its references into the document."""
        text = json.dumps(part).replace('"$ref": "#/', '"$ref": "urn:document#/')
        return Draft7Validator(json.loads(text), registry=registry)

    for name, part in document["components"]["schemas"].items():
        try:
            Draft7Validator.check_schema(part)
        except SchemaError as error:
            wrong(f"asyncapi.json: {name} is no schema of draft 07: {error.message}")
    for name, message in document["components"]["messages"].items():
        for example in message.get("examples", []):
            count += 1
            for what in ["payload", "headers"]:
                for error in schema(message[what]).iter_errors(example[what]):
                    wrong(f"asyncapi.json: {example['name']} is no example of {name}: {what} {error.json_path}: {error.message[:200]}")
    return count


def check_official(document: Any, specification: Any) -> None:
    for error in Draft7Validator(specification).iter_errors(document):
        deepest = max(leaves(error), key=lambda each: len(each.absolute_path))
        wrong(f"asyncapi.json by the official schema: {deepest.json_path}: {deepest.message[:300]}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks the published contract with a JSON Schema validator.")
    parser.add_argument("--asyncapi-schema", type=Path, metavar="FILE", help="the official JSON Schema of AsyncAPI 3.0.0")
    official: Path | None = parser.parse_args().asyncapi_schema
    schemas = Schemas()
    goldens, malformed = check_goldens(schemas), check_malformed(schemas)
    examples = check_asyncapi(official)
    if not (schemas.all and goldens and malformed and examples):
        wrong("there is nothing to check")
    by = "the official schema" if official else "its structure and references alone: the official schema was not given"
    print(
        f"{len(schemas.all)} schemas, {goldens} golden files, {malformed} well-formed and malformed events, {examples} examples of the AsyncAPI document, "
        f"which is checked by {by}: {len(problems)} problems"
    )
    return 4 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
