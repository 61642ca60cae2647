#!/usr/bin/env python3
"""A worker in Python: resolves, confirms and handles OrderTea, as a service of its own beside those of other programs.

./worker.py -b localhost:9092
"""

from intent_pipeline import (
    IntentWorker, Outcome, Work, disambiguation, main, needs_value, option, parameter, ready, resolved, succeeded, success, unsupported,
)  # fmt: skip

TEAS = {"green": "Green tea", "mint": "Mint tea", "earl-grey": "Earl Grey"}

worker = IntentWorker("tea", "1.0.0")
worker.serve(
    "OrderTea", title="Order tea", confirmation="always", summary="${cups} × ${kind}", languages={"nl": {"title": "Thee bestellen"}},
    parameters=[
        parameter("kind", "Tea", {"enum": [*TEAS]}, options={"known": [{"id": tea, "title": title} for tea, title in TEAS.items()]}),
        parameter("cups", "Cups", {"type": "integer", "minimum": 1, "maximum": 6}, default={"value": 1, "text": "1"}),
    ])  # fmt: skip


@worker.resolve("OrderTea")
def resolve(work: Work) -> Outcome:
    return resolved({"kind": kind(work.values.get("kind")), "cups": cups(work.values.get("cups"))})


def kind(value: object) -> Outcome:
    said = str(value or "").strip().lower()
    if not said:
        return needs_value("Which tea would you like?")
    found = [said] if said in TEAS else [tea for tea, title in TEAS.items() if said in title.lower()]
    if not found:
        return unsupported("noMatch", "We don't have that tea.")
    return success(found[0]) if len(found) == 1 else disambiguation([option(tea, TEAS[tea]) for tea in found], "Which one?")


def cups(value: object) -> Outcome:
    text = "1" if value is None else str(value)
    return success(int(text)) if text in list("123456") else unsupported("range", "One to six.")


@worker.confirm("OrderTea")
def confirm(work: Work) -> Outcome:
    return ready(confirm=f"{work.values['cups']} × {TEAS[work.values['kind']]}. Shall I make it?")


@worker.handle("OrderTea")
def handle(work: Work) -> Outcome:
    # The kettle recognises a repeat by the key.
    return succeeded(f"{TEAS[work.values['kind']]} is ready.", order=work.idempotency_key)


if __name__ == "__main__":
    main(worker)
