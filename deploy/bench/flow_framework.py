#!/usr/bin/env python3
"""The pipeline's flow of records in a stream framework, Quix Streams, as a measure for the pipeline: one role, as a process.

    flow_framework.py ROLE --bootstrap-servers HOST:PORT --prefix NAME --sizes BYTES,… [-X NAME=VALUE]…

flow.c starts it and has the load. The stages, headers and sizes of the records are those of flow.c. The coordinator keeps the state of each session in the framework's
state store (RocksDB), and writes each decision to the topic of sessions too, in place of the framework's changelog topic, which the development broker can't create.
The framework is at least once. It does not wait for one record to be acknowledged before it sends another, so here the effect does not wait for the journal."""
import tempfile
import warnings

# One of its dependencies insists on warnings about another one.
warnings.showwarning = lambda *_: None

import orjson
from quixstreams import Application, message_context
from quixstreams.models import Deserializer, Serializer, TopicAdmin, TopicConfig, TopicManager

from records import PHASES, TOPICS, WORKERS, Headers, arguments, check_type, event_type, size


class ToJSON(Serializer):
    """Writes JSON with the padding that gives the record the size of ours. How much that is, is measured with the first one."""

    def __init__(self, size):
        self.size = size
        self.padding = None

    def __call__(self, value, ctx):
        if self.padding is None:
            key = f"bench-session-{value['id']}"
            others = len(key) + size(ctx.headers) + len(orjson.dumps({**value, "padding": ""}))
            self.padding = "x" * max(0, self.size - others)
        return orjson.dumps({**value, "padding": self.padding})


class FromJSON(Deserializer):
    def __call__(self, value, ctx):
        event = orjson.loads(value)
        topic = ctx.topic.rsplit(".", 1)[-1]
        check_type(ctx.headers, event_type(topic, event["step"]))
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


def event_headers(headers, topic):
    """A function that gives an event on a topic its headers."""
    return lambda event, key, timestamp, _: headers.event(topic, event["step"], key.decode(), event["id"])


def coordinate(application, topics, headers):
    def stamp(state, key, timestamp, _):
        input = message_context()
        # The framework does not tell which effects are acknowledged.
        return headers.journal(input.partition, "requests" if state["step"] == 1 else "outcomes", input.offset, timestamp)

    requests = application.dataframe(topics["requests"])
    outcomes = application.dataframe(topics["outcomes"])
    decisions = requests.concat(outcomes).apply(decide, stateful=True).set_headers(stamp)
    decisions = decisions.to_topic(topics["sessions"])
    for step, topic in enumerate([*PHASES, "results"], start=1):
        decisions[decisions["step"] == step].apply(effect).set_headers(event_headers(headers, topic)).to_topic(topics[topic])


def work(application, topics, headers, phase):
    events = application.dataframe(topics[phase])
    events = events.apply(lambda event: {**event, "outcome": "ready"})
    events.set_headers(event_headers(headers, "outcomes")).to_topic(topics["outcomes"])


def main():
    options = arguments(__doc__.splitlines()[0])
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
        headers = Headers(options.role)
        if options.role == "coordinator":
            coordinate(application, topics, headers)
        else:
            work(application, topics, headers, WORKERS[options.role])
        application.run()


if __name__ == "__main__":
    main()
