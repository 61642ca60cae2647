#!/usr/bin/env python3
"""A whole worker in Python (pip install confluent-kafka): resolves, confirms and handles OrderTea, and says in the catalogue that it does.

It is a service of its own, with consumer groups of its own, so it runs beside the workers of other services, in Swift or anything else."""
import argparse, json, os, signal, socket, sys, threading, time
from datetime import datetime, timezone
from confluent_kafka import Consumer, KafkaException, Producer

VERSION = "1.0.0"
TEAS = {"green": "Green tea", "mint": "Mint tea", "earl-grey": "Earl Grey"}
CATALOGUE_ENTRY = {  # what programs have to know to ask for it
    "intent": "OrderTea", "title": "Order tea", "version": VERSION, "confirmation": "always", "summary": "${cups} × ${kind}",
    "parameters": [
        {"name": "kind", "title": "Tea", "required": True, "type": {"name": "Tea", "description": "a kind of tea", "schema": {"enum": [*TEAS]}},
         "options": {"known": [{"id": tea, "title": title} for tea, title in TEAS.items()]}},
        {"name": "cups", "title": "Cups", "required": True, "default": {"value": 1, "text": "1"},
         "type": {"name": "Int", "description": "a whole number", "schema": {"type": "integer", "minimum": 1, "maximum": 6}}}],
    "languages": {"nl": {"title": "Thee bestellen"}},
}


# What the service does. Each function gets the values of the parameters by name.
def resolve(values, work):
    return {"resolutions": [{"parameter": "kind", "title": "Tea", **kind(values.get("kind"))}, {"parameter": "cups", "title": "Cups", **cups(values.get("cups"))}]}


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


def confirm(values, work):
    return {"code": "ready", "confirmation": {"dialog": f"{values['cups']} × {TEAS[values['kind']]}. Shall I make it?"}}


def handle(values, work):  # the kettle recognises a repeat by the key
    return {"code": "success", "dialog": f"{TEAS[values['kind']]} is ready.", "response": {"order": work["idempotencyKey"]}}


PHASES = {"resolve": ("resolver", "resolved", resolve), "confirm": ("confirmer", "confirmed", confirm), "handle": ("handler", "handled", handle)}


# From here on it is the same for any service.
def event(kind, data, key, **headers):
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    own = {"ce_specversion": "1.0", "ce_id": f"{key}@{now}", "ce_type": kind, "ce_time": now, "content-type": "application/json", **headers}
    return {"key": key, "value": json.dumps(data), "headers": [*own.items()], "on_delivery": on_delivery}


def answer(work, do):
    if work["intent"] != CATALOGUE_ENTRY["intent"]:
        return {"failure": {"disposition": "reject", "reason": "unsupported", "message": f"this service does not know {work['intent']!r}"}}
    return do({name: state.get("value") for name, state in work.get("parameters", {}).items()}, work)


def read(message):
    headers = {name: value.decode() for name, value in message.headers() or []}
    work = {**json.loads(message.value()), "session": message.key().decode()}
    return headers["ce_type"], {**work, "request": work["request"], "step": int(work["step"]), "intent": work["intent"], "ticket": work.get("ticket")}, headers


def respond(producer, options, phase, message, taken, cancelled):
    kind, work, headers = taken
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if kind != f"intent.{phase}.v1" or work.get("deadline", "9") <= now:  # the coordinator no longer waits for it
        return
    is_off = any(work["request"] == request and work["step"] <= step for request, step in cancelled)
    _, done, do = PHASES[phase]
    data = {"request": work["request"], "step": work["step"], "ticket": work["ticket"], **({"cancelled": True} if is_off else answer(work, do))}
    session = work["session"].replace("%", "%25").replace("/", "%2F")
    trace = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
    producer.produce(f"{options.topic_prefix}.outcomes", partition=message.partition(), **event(
        f"intent.{done}.v1", data, work["session"], ce_id=f"{session}/{work['request']}.{work['step']}.outcome",
        ce_source=f"/intents/{options.service}/{options.instance}", ce_subject=work["request"], **trace))


def on_delivery(error, _):
    if error:
        raise KafkaException(error)  # raised by flush: nothing is committed, so the work is delivered again


def work_on(phase, options, kafka, ending):
    # The same assignment (range, eager) as in other groups of the pipeline, and the partitioner that all producers must use.
    role = PHASES[phase][0]
    consumer = Consumer({**kafka, "group.id": f"{options.topic_prefix}.{options.service}.{role}", "enable.auto.commit": False, "fetch.wait.max.ms": 100,
                         "auto.offset.reset": "earliest", "partition.assignment.strategy": "range"})
    producer = Producer({**kafka, "enable.idempotence": True, "partitioner": "murmur2_random", "linger.ms": 0})
    consumer.subscribe([f"{options.topic_prefix}.{phase}"], on_assign=lambda _, taken: print(json.dumps({"role": role, "partitions": len(taken)}), flush=True))
    while not ending.is_set():
        first = consumer.poll(1)  # consume(100, 1) would wait for a hundred
        messages, events = [message for message in [first, *consumer.consume(99, 0)] if message and not message.error()], []
        for message in messages:
            try:
                taken = read(message)
            except Exception as error:  # whose it is can't be said: the default service makes a dead letter of it
                print(f"passed over {message.topic()} {message.partition()}/{message.offset()}: {error!r}", file=sys.stderr)
                continue
            if taken[1].get("service") == options.service:  # the work of other services is theirs
                events.append((message, taken))
        cancelled = [(work["request"], work["step"]) for _, (kind, work, _) in events if kind == "intent.cancel.v1"]
        for message, taken in events:  # a cancel applies to work that came before it in the same batch
            respond(producer, options, phase, message, taken, cancelled)
        producer.flush()
        try:
            if messages:
                consumer.commit(asynchronous=False)  # only now that the outcomes are in the log
        except KafkaException as error:  # another member owns the partitions now and repeats the work, which is harmless
            print(error, file=sys.stderr)
    consumer.close()


def publish(options, kafka, ending):
    """What the service serves, and again and again that this process still does. An intent is in the catalogue while any lease names it."""
    producer = Producer({**kafka, "enable.idempotence": True, "partitioner": "murmur2_random"})
    topic, source = f"{options.topic_prefix}.catalog", f"/intents/{options.service}/{options.instance}"
    name, lease_key = CATALOGUE_ENTRY["intent"], f"worker/{options.service}/{options.instance}"
    lease = {"service": options.service, "instance": options.instance, "version": VERSION, "intents": [name], "phases": [*PHASES], "validFor": 300_000}
    minutes = 0
    while not ending.is_set():
        if minutes % 1_440 == 0:  # once a day, because the topic keeps a week
            producer.produce(topic, **event("intent.served.v1", {"service": options.service, **CATALOGUE_ENTRY}, f"intent/{options.service}/{name}", ce_source=source))
        producer.produce(topic, **event("worker.serving.v1", lease, lease_key, ce_source=source))
        producer.flush()
        minutes += 1
        ending.wait(60)
    producer.produce(topic, key=lease_key, value=None)  # withdrawn
    producer.flush(10)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-b", "--bootstrap-servers", default=os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092"))
    parser.add_argument("--topic-prefix", default=os.environ.get("INTENTS_TOPIC_PREFIX", "intents"))
    parser.add_argument("--service", default="tea")
    parser.add_argument("--instance", default=f"{socket.gethostname()}-{os.getpid()}")
    options, ending = parser.parse_args(), threading.Event()
    kafka = {"bootstrap.servers": options.bootstrap_servers, "socket.nagle.disable": True}
    tasks = [threading.Thread(target=work_on, args=(phase, options, kafka, ending)) for phase in PHASES]
    tasks.append(threading.Thread(target=publish, args=(options, kafka, ending)))
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: ending.set())
    for task in tasks:
        task.start()
    while all(task.is_alive() for task in tasks):
        time.sleep(0.2)
    has_failed = not ending.is_set()
    ending.set()
    for task in tasks:
        task.join()
    sys.exit(has_failed)  # its supervisor starts it again
