#!/usr/bin/env python3
"""A resolver in Python (pip install confluent-kafka): takes work from intents.resolve and reports outcomes on intents.outcomes.

It serves OrderTea. All members of its consumer group must serve the same intents, so run it instead of intent-worker --phase resolve."""
import argparse, json, os, signal, sys
from datetime import datetime, timezone
from confluent_kafka import Consumer, KafkaException, Producer

TEAS = {"green": "Green tea", "mint": "Mint tea", "earl-grey": "Earl Grey"}


def kind(value):
    said = str(value or "").strip().lower()
    found = [tea for tea, title in TEAS.items() if said == tea] or [tea for tea, title in TEAS.items() if said in title.lower()]
    if not said:
        return {"needsValue": {"dialog": "Which tea would you like?"}}
    if len(found) > 1:
        return {"disambiguation": {"options": [{"id": tea, "title": TEAS[tea], "value": tea} for tea in found], "dialog": "Which one?"}}
    return {"success": {"value": found[0]}} if found else {"unsupported": {"reason": "noMatch", "dialog": "We don't have that tea."}}


def cups(value):
    return {"success": {"value": int(value or 1)}} if str(value or 1) in list("123456") else {"unsupported": {"reason": "range", "dialog": "One to six."}}


INTENTS = {"OrderTea": [("kind", "Tea", kind), ("cups", "Cups", cups)]}  # parameters in the order in which the person is asked


def answer(work):
    if work["intent"] not in INTENTS:
        return {"failure": {"disposition": "reject", "reason": "unsupported", "message": f"no resolver here knows {work['intent']!r}"}}
    given = {name: state.get("value") for name, state in work.get("parameters", {}).items()}
    return {"resolutions": [{"parameter": name, "title": title, **resolve(given.get(name))} for name, title, resolve in INTENTS[work["intent"]]]}


def read(message):
    headers = {name: value.decode() for name, value in message.headers() or []}
    work = {**json.loads(message.value()), "session": message.key().decode()}
    return headers["ce_type"], {**work, "request": work["request"], "step": int(work["step"]), "intent": work["intent"], "ticket": work.get("ticket")}, headers


def respond(producer, prefix, message, event, cancelled):
    kind, work, headers = event
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if kind != "intent.resolve.v1" or work.get("deadline", "9") <= now:  # the coordinator no longer waits for it
        return
    is_off = any(work["request"] == request and work["step"] <= step for request, step in cancelled)
    data = {"request": work["request"], "step": work["step"], "ticket": work["ticket"], **({"cancelled": True} if is_off else answer(work))}
    session = work["session"].replace("%", "%25").replace("/", "%2F")
    own = {"ce_specversion": "1.0", "ce_id": f"{session}/{work['request']}.{work['step']}.outcome", "ce_source": "/intents/resolver/python",
           "ce_type": "intent.resolved.v1", "ce_time": now, "ce_subject": work["request"], "content-type": "application/json",
           **{name: headers[name] for name in ("traceparent", "tracestate") if name in headers}}
    producer.produce(f"{prefix}.outcomes", json.dumps(data), message.key(), message.partition(), on_delivery, headers=list(own.items()))


def bury(producer, prefix, message, error):
    place = dict(topic=message.topic(), partition=message.partition(), offset=message.offset(), stage="resolver", attempt=1,
                 reason="unparseable", message=repr(error))
    headers = (message.headers() or []) + [(f"intents-error-{name}", str(value)) for name, value in place.items()]
    producer.produce(f"{prefix}.dead-letters", message.value(), message.key(), message.partition(), on_delivery, headers=headers)


def on_delivery(error, _):
    if error:
        raise KafkaException(error)  # raised by flush: nothing is committed, so the work is delivered again


def run(bootstrap_servers, topic_prefix):
    # The same assignment (range, eager) as the other members of the group, and the partitioner that all producers must use.
    both = {"bootstrap.servers": bootstrap_servers, "socket.nagle.disable": True}
    consumer = Consumer({**both, "group.id": f"{topic_prefix}.resolver", "enable.auto.commit": False, "fetch.wait.max.ms": 100,
                         "auto.offset.reset": "earliest", "partition.assignment.strategy": "range"})
    producer = Producer({**both, "enable.idempotence": True, "partitioner": "murmur2_random", "linger.ms": 0})
    consumer.subscribe([f"{topic_prefix}.resolve"], on_assign=lambda _, taken: print(json.dumps({"partitions": len(taken)}), flush=True))
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    while not ending:
        first = consumer.poll(1)  # consume(100, 1) would wait for a hundred
        messages, events = [message for message in [first, *consumer.consume(99, 0)] if message and not message.error()], []
        for message in messages:
            try:
                events.append((message, read(message)))
            except Exception as error:
                bury(producer, topic_prefix, message, error)
        cancelled = [(work["request"], work["step"]) for _, (kind, work, _) in events if kind == "intent.cancel.v1"]
        for message, event in events:  # a cancel applies to work that came before it in the same batch
            respond(producer, topic_prefix, message, event, cancelled)
        producer.flush()
        try:
            if messages:
                consumer.commit(asynchronous=False)  # only now that the outcomes are in the log
        except KafkaException as error:  # another member owns the partitions now and repeats the work, which is harmless
            print(error, file=sys.stderr)
    consumer.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("-b", "--bootstrap-servers", default=os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092"))
    options.add_argument("--topic-prefix", default=os.environ.get("INTENTS_TOPIC_PREFIX", "intents"))
    run(**vars(options.parse_args()))
