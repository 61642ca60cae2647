#!/usr/bin/env python3
"""The pipeline's flow of records in a stream framework, Quix Streams, as a measure for the pipeline: one role, as a process.

    flow_framework.py ROLE --bootstrap-servers HOST:PORT --prefix NAME --sizes BYTES,… [-X NAME=VALUE]…

flow.c starts it and has the load. The stages and the sizes of the records are those of flow.c. The coordinator keeps the state of each session in the framework's
state store (RocksDB), and writes each decision to the topic of sessions too, in place of the framework's changelog topic, which the development broker can't create.
The framework is at least once. It does not wait for one record to be acknowledged before it sends another, so here the effect does not wait for the journal."""
import argparse
import tempfile
import warnings

# One of its dependencies insists on warnings about another one.
warnings.showwarning = lambda *_: None

import orjson
from quixstreams import Application
from quixstreams.models import Deserializer, Serializer, TopicAdmin, TopicConfig, TopicManager

TOPICS = ["requests", "resolve", "confirm", "handle", "outcomes", "results", "sessions"]
PHASES = ["resolve", "confirm", "handle"]
WORKERS = {"resolver": "resolve", "confirmer": "confirm", "handler": "handle"}


class ToJSON(Serializer):
    """Writes JSON with the padding that gives the record the size of ours. How much that is, is measured with the first one."""

    def __init__(self, size):
        self.size = size
        self.padding = None

    def __call__(self, value, ctx):
        if self.padding is None:
            key = f"bench-session-{value['id']}"
            self.padding = "x" * max(0, self.size - len(key) - len(orjson.dumps({**value, "padding": ""})))
        return orjson.dumps({**value, "padding": self.padding})


class FromJSON(Deserializer):
    def __call__(self, value, ctx):
        event = orjson.loads(value)
        del event["padding"]
        return event


class MetadataAdmin(TopicAdmin):
    """Knows topics by their metadata alone: the development broker does not tell their settings."""

    def inspect_topics(self, topic_names, timeout=30):
        topics = self.list_topics(timeout)
        # These would be those of a changelog topic.
        kept = {"retention.ms": "604800000", "retention.bytes": "-1"}
        return {
            name: TopicConfig(len(topics[name].partitions), len(topics[name].partitions[0].replicas), kept) if name in topics else None
            for name in topic_names}


def decide(event, state):
    """Moves the request of an event one stage on. Returns its state."""
    name = f"request-{event['id']}"
    if event["step"] == 0:
        request = {"step": 0, "id": event["id"], "intent": event.get("intent", "GetRideStatus"), "turns": 0}
    else:
        request = state.get(name)
    request["step"] = event["step"] + 1
    if request["step"] > len(PHASES):
        request["status"] = "success"
        state.delete(name)
    else:
        state.set(name, request)
    return request


def effect(request):
    return {"step": request["step"], "id": request["id"], "intent": request["intent"]}


def coordinate(application, topics):
    requests = application.dataframe(topics["requests"])
    outcomes = application.dataframe(topics["outcomes"])
    decisions = requests.concat(outcomes).apply(decide, stateful=True)
    decisions = decisions.to_topic(topics["sessions"])
    for step, topic in enumerate([*PHASES, "results"], start=1):
        decisions[decisions["step"] == step].apply(effect).to_topic(topics[topic])


def work(application, topics, phase):
    events = application.dataframe(topics[phase])
    events.apply(lambda event: {**event, "outcome": "ready"}).to_topic(topics["outcomes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("role", choices=["coordinator", *WORKERS])
    parser.add_argument("--bootstrap-servers", dest="servers", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--sizes", required=True)
    parser.add_argument("-X", dest="properties", action="append", default=[])
    options = parser.parse_args()
    own = {"socket.nagle.disable": True, "log_level": 3, **dict(text.split("=", 1) for text in options.properties)}
    sizes = dict(zip(TOPICS, map(int, options.sizes.split(","))))
    with tempfile.TemporaryDirectory() as folder:
        group = f"{options.prefix}.{options.role}"
        application = Application(
            broker_address=options.servers, consumer_group=group, auto_offset_reset="earliest",
            consumer_extra_config={**own, "partition.assignment.strategy": "range"},
            producer_extra_config={**own, "enable.idempotence": True, "linger.ms": 0 if options.role == "coordinator" else 0.5},
            # With two inputs, the framework reads for this long, or until it has 10,000 messages.
            state_dir=folder, use_changelog_topics=False, loglevel="WARNING", consumer_poll_timeout=0.01,
            topic_manager=TopicManager(MetadataAdmin(options.servers), group, auto_create_topics=False))
        topics = {
            name: application.topic(
                f"{options.prefix}.{name}", value_deserializer=FromJSON(), value_serializer=ToJSON(sizes[name]), key_deserializer="bytes",
                key_serializer="bytes")
            for name in TOPICS}
        if options.role == "coordinator":
            coordinate(application, topics)
        else:
            work(application, topics, WORKERS[options.role])
        application.run()


if __name__ == "__main__":
    main()
