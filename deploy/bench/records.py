"""What flow_python.py and flow_framework.py have in common: the topics, the command line, and the headers, which are those of flow.c."""
import argparse
import time

TOPICS = ["requests", "resolve", "confirm", "handle", "outcomes", "results", "sessions"]
PHASES = ["resolve", "confirm", "handle"]
WORKERS = {"resolver": "resolve", "confirmer": "confirm", "handler": "handle"}

TYPES = {
    "requests": "intent.requested.v1", "resolve": "intent.resolve.v1", "confirm": "intent.confirm.v1", "handle": "intent.handle.v1",
    "results": "intent.completed.v1"}
OUTCOMES = ["intent.resolved.v1", "intent.confirmed.v1", "intent.handled.v1"]


def arguments(description, *, schemas=False):
    """The arguments of a role."""
    parser = argparse.ArgumentParser(description=description)
    if schemas:
        parser.add_argument("schemas", metavar="SCHEMAS", help="the folder of the contract's schemas")
    parser.add_argument("role", choices=["coordinator", *WORKERS])
    parser.add_argument("--bootstrap-servers", dest="servers", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--sizes", required=True)
    parser.add_argument("-X", dest="properties", action="append", default=[])
    return parser.parse_args()


def event_type(topic, step):
    return OUTCOMES[step - 1] if topic == "outcomes" else TYPES[topic]


def check_type(headers, expected):
    """Ends the role if the event with these headers is not of the expected type."""
    found = dict(headers or []).get("ce_type", b"").decode()
    if found != expected:
        raise SystemExit(f"an event is of the type '{found}' instead of '{expected}'")


def size(headers):
    return sum(len(name) + len(value) for name, value in headers)


class Headers:
    """Makes the headers of a role's records."""

    def __init__(self, role):
        self.source = f"/intents/{role}"
        self.millisecond = 0
        self.time = ""
        self.positions = {}

    def now(self):
        """The time of now in RFC 3339, which is written once a millisecond."""
        millisecond = time.time_ns() // 1_000_000
        if millisecond != self.millisecond:
            self.millisecond = millisecond
            self.time = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(millisecond // 1000))}.{millisecond % 1000:03}Z"
        return self.time

    def event(self, topic, step, session, request):
        """Those of an event: a CloudEvent in binary mode."""
        suffix = "" if topic == "results" else ".outcome" if topic == "outcomes" else f".{topic}"
        return [
            ("ce_specversion", "1.0"), ("ce_id", f"{session}/{request}.{step}{suffix}"), ("ce_source", self.source),
            ("ce_type", event_type(topic, step)), ("ce_time", self.now()), ("ce_subject", request), ("content-type", "application/json")]

    def acknowledged(self, partition, *, result=None):
        """An effect was acknowledged. A result has an offset."""
        positions = self.positions[partition]
        positions["settled"] += 1
        if result is not None:
            positions["results"] = result + 1

    def journal(self, partition, source, offset, timestamp):
        """The stamp of a record of the journal. The record's input is at an offset of a source: "requests" or "outcomes"."""
        positions = self.positions.get(partition)
        if positions is None:
            positions = self.positions[partition] = {
                "number": 0, "requests": 0, "outcomes": 0, "settled": 0, "results": 0, "lastRequest": 0, "lastOutcome": 0}
        positions["number"] += 1
        positions[source] = offset + 1
        positions["lastRequest" if source == "requests" else "lastOutcome"] = timestamp
        parts = " ".join([f"{name}={value}" for name, value in positions.items()])
        return [("intents-journal", f"epoch=1 owner=coordinator {parts} format=1")]
