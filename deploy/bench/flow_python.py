#!/usr/bin/env python3
"""The pipeline's flow of records in Python, with confluent-kafka and orjson, as a measure for the pipeline: one role, as a process.

    flow_python.py ROLE --bootstrap-servers HOST:PORT --prefix NAME --sizes BYTES,… [-X NAME=VALUE]…

flow.c starts it and has the load. The stages, the journal before the effect, and the headers and sizes of the records are those of flow.c. Each record is parsed as
JSON and written anew, its type is checked and its members are not, and the coordinator keeps the state of each session in a dictionary, which is what its journal has.

As in flow.c, nothing waits for an acknowledgement but what has to: each effect for that of its journal record, and a commit for those of all that it covers."""
import signal
import time

import orjson
from confluent_kafka import Consumer, Producer, TopicPartition

from records import PHASES, TOPICS, WORKERS, Headers, arguments, check_type, event_type, size

BATCH = 500
COMMIT_SECONDS = 0.05


class Batch:
    """The messages that were read in one interval. Their offsets are committed when all that they led to is acknowledged."""

    def __init__(self):
        self.unacknowledged = 0
        self.offsets = {}


class Role:
    def __init__(self, options):
        self.prefix = options.prefix
        # None in the coordinator.
        self.phase = WORKERS.get(options.role)
        self.sizes = dict(zip(TOPICS, map(int, options.sizes.split(","))))
        self.padding = {}
        self.headers = Headers(options.role)
        self.sessions = {}
        self.batches = [Batch()]
        self.stopping = False
        own = dict(text.split("=", 1) for text in options.properties)
        both = {"bootstrap.servers": options.servers, "socket.nagle.disable": True, "log_level": 3, **own}
        self.producer = Producer({**both, "enable.idempotence": True, "linger.ms": 0.5 if self.phase else 0})
        self.consumer = Consumer({
            **both, "group.id": f"{self.prefix}.{options.role}", "auto.offset.reset": "earliest", "enable.auto.commit": False,
            "partition.assignment.strategy": "range"})

    def name(self, topic):
        return f"{self.prefix}.{topic}"

    def read(self, topic, message):
        """The event of a message, which has to be of the type that is expected."""
        event = orjson.loads(message.value())
        check_type(message.headers(), event_type(topic, event["step"]))
        return event

    def encode(self, topic, key, headers, event):
        """The event as JSON, with the padding that gives the record the size of ours. How much that is, is measured with the first one."""
        if topic not in self.padding:
            others = len(key) + size(headers) + len(orjson.dumps({**event, "padding": ""}))
            self.padding[topic] = "x" * max(0, self.sizes[topic] - others)
        event["padding"] = self.padding[topic]
        return orjson.dumps(event)

    def send(self, topic, message, headers, event, delivered):
        """Sends an event to the partition of a message, with its key."""
        value = self.encode(topic, message.key(), headers, event)
        while True:
            try:
                return self.producer.produce(self.name(topic), value, message.key(), message.partition(), on_delivery=delivered, headers=headers)
            except BufferError:
                self.producer.poll(0.01)

    def run(self):
        topics, step = ([self.phase], self.work) if self.phase else (["requests", "outcomes"], self.coordinate)
        signal.signal(signal.SIGTERM, self.stop)
        self.consumer.subscribe([self.name(topic) for topic in topics])
        next_commit = time.monotonic() + COMMIT_SECONDS
        while not self.stopping:
            batch = self.batches[-1]
            waits = batch.unacknowledged or len(self.batches) > 1
            # This returns with the first message; a read of many would wait until there are so many.
            first = self.consumer.poll(0.001 if waits else 0.01)
            for message in [first, *self.consumer.consume(BATCH, 0)] if first else []:
                if not message.error():
                    step(message, batch)
                    batch.offsets[message.topic(), message.partition()] = message.offset() + 1
            self.producer.poll(0)
            if time.monotonic() >= next_commit:
                next_commit = time.monotonic() + COMMIT_SECONDS
                self.commit()
        self.consumer.close()

    def stop(self, *_):
        self.stopping = True

    def commit(self):
        """Commits the batches that are finished, and begins a new one."""
        self.batches.append(Batch())
        offsets = {}
        while len(self.batches) > 1 and not self.batches[0].unacknowledged:
            offsets.update(self.batches.pop(0).offsets)
        if offsets:
            self.consumer.commit(offsets=[TopicPartition(*place, offset) for place, offset in offsets.items()], asynchronous=True)

    def coordinate(self, message, batch):
        source = "requests" if message.topic() == self.name("requests") else "outcomes"
        state = self.decide(message.key().decode(), self.read(source, message))
        stage, partition = state["stage"], message.partition()
        batch.unacknowledged += 1

        def journalled(error, _):
            check(error)
            # What is decided is said once it is written down.
            headers = self.headers.event(stage, state["step"], state["session"], state["id"])
            self.send(stage, message, headers, self.effect(state), delivered)

        def delivered(error, effect):
            check(error)
            self.headers.acknowledged(partition, result=effect.offset() if stage == "results" else None)
            batch.unacknowledged -= 1

        stamp = self.headers.journal(partition, source, message.offset(), message.timestamp()[1])
        self.send("sessions", message, stamp, dict(state), journalled)

    def decide(self, session, event):
        """Moves the request of an event one stage on. Returns its state."""
        step = event["step"] + 1
        requests = self.sessions.setdefault(session, {})
        if event["step"] == 0:
            requests[event["id"]] = self.request(session, event)
        state = requests[event["id"]]
        state["step"] = step
        state["stage"] = PHASES[step - 1] if step <= len(PHASES) else "results"
        if state["stage"] == "results":
            state["status"] = "success"
            del requests[event["id"]]
        return dict(state)

    def request(self, session, event):
        return {"step": 0, "id": event["id"], "session": session, "intent": event["intent"], "turns": 0}

    def effect(self, state):
        return {"step": state["step"], "id": state["id"], "session": state["session"], "intent": state["intent"]}

    def work(self, message, batch):
        event = self.read(self.phase, message)
        batch.unacknowledged += 1

        def delivered(error, _):
            check(error)
            batch.unacknowledged -= 1

        headers = self.headers.event("outcomes", event["step"], event["session"], event["id"])
        self.send("outcomes", message, headers, self.outcome(event), delivered)

    def outcome(self, event):
        return {"step": event["step"], "id": event["id"], "session": event["session"], "intent": event["intent"], "outcome": "ready"}


def check(error):
    if error:
        raise SystemExit(f"flow_python.py: {error}")


if __name__ == "__main__":
    Role(arguments(__doc__.splitlines()[0])).run()
