"""A client and a worker for IntentPipeline, on confluent-kafka.

Ask for something, and answer what the pipeline asks back:

    with IntentClient("localhost:9092") as client:
        ride = client.ask("RequestRide", {"dropOff": "the airport"})
        completion = ride.converse(lambda prompt: Answer(value=input(prompt.dialog + " ")))
        print(completion.status, completion.dialog)

Serve an intent:

    worker = IntentWorker("tea", "1.0.0")
    worker.serve("OrderTea", title="Order tea", parameters=[parameter("kind", "Tea", {"type": "string"})])

    @worker.handle("OrderTea")
    def handle(work: Work) -> Outcome:
        return succeeded(f"Your {work.values['kind']} is ready.")

    if __name__ == "__main__":
        main(worker)

The settings of producers and consumers are those that the pipeline needs: what they are for is in the documentation's article Events.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
import uuid
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, cast

from confluent_kafka import OFFSET_END, Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

JSON = Any
"""A value of JSON: None, bool, int, float, str, a list or a dict with text as keys."""

Outcome = Dict[str, JSON]
"""What a phase reports. The functions at the end of this file make one."""


# MARK: Errors


class IntentPipelineError(Exception):
    """What this module raises, beside errors of the arguments."""


class NotDelivered(IntentPipelineError):
    """Kafka has not taken an event. It may be sent again with the same id: the pipeline takes each id once."""


class NoResult(IntentPipelineError):
    """What was waited for did not come in time. The request goes on without us; listen to its session again, or cancel it."""


class Encrypted(IntentPipelineError):
    """The pipeline encrypts its records, which this module does not read: give this program rights to a pipeline that does not, or use the Swift client."""


class Rejected(IntentPipelineError):
    """The pipeline has not accepted an event. The message says what is wrong and what to do."""

    def __init__(self, reason: str, message: str, field: Optional[str] = None, retry_after: Optional[float] = None) -> None:
        super().__init__(f"{reason}: {message}" + (f" (field {field})" if field else ""))
        self.reason, self.message, self.field = reason, message, field
        self.retry_after = retry_after
        """With the reason `busy`: in how many seconds the event may be sent again."""


class Retry(Exception):
    """Raised in a worker's function: what it needs is away for a moment. The coordinator tries again, a limited number of times.

    after is in seconds; the intent's own policy may wait longer.
    """

    def __init__(self, message: str, after: float = 0) -> None:
        super().__init__(message)
        self.after = after


# MARK: What both sides need


def partition_of(key: bytes, count: int) -> int:
    """The partition of a key: murmur2, as Kafka's Java clients choose it, and librdkafka with `partitioner=murmur2_random`."""
    mask, m = 0xFFFFFFFF, 0x5BD1E995
    h = 0x9747B28C ^ len(key)
    rest = len(key) & ~3
    for index in range(0, rest, 4):
        k = int.from_bytes(key[index : index + 4], "little") * m & mask
        h = (h * m & mask) ^ ((k ^ k >> 24) * m & mask)
    if len(key) > rest:
        h = (h ^ int.from_bytes(key[rest:], "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return ((h ^ h >> 15) & 0x7FFFFFFF) % count


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _connection(bootstrap_servers: Optional[str], properties: Optional[Mapping[str, str]]) -> Dict[str, Any]:
    servers = bootstrap_servers or os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    own = dict(properties or {})
    if not servers and "bootstrap.servers" not in own:
        raise ValueError("there is no Kafka: pass bootstrap_servers='host:port', or set KAFKA_BOOTSTRAP_SERVERS")
    # Without Nagle's algorithm: the second of two small requests would wait for the acknowledgement of the first.
    return {**({"bootstrap.servers": servers} if servers else {}), "socket.nagle.disable": True, **own}


def _producer(connection: Mapping[str, Any]) -> Producer:
    # murmur2, because two partitioners would split a session over two owners.
    return Producer({**connection, "enable.idempotence": True, "acks": "all", "partitioner": "murmur2_random", "linger.ms": 0})


def _headers(message: Message) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for name, value in cast("Iterable[Tuple[str, Optional[bytes]]]", message.headers() or []):
        found.setdefault(name, value.decode("utf-8", "replace") if value is not None else "")
    return found


def _data(message: Message, headers: Mapping[str, str]) -> Dict[str, JSON]:
    if "intents-encryption" in headers:
        raise Encrypted(f"{message.topic()} is encrypted")
    data = json.loads(message.value() or b"null")
    if not isinstance(data, dict):
        raise ValueError("the value is no JSON object")
    return data


# MARK: Results


@dataclass(frozen=True)
class Option:
    """One of the options of a prompt."""

    id: str
    title: str
    subtitle: Optional[str] = None
    data: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """An event of `intents.results`. `data` has all of it; members that this module does not know are kept there."""

    type: str
    data: Mapping[str, JSON]
    id: str = ""
    missed: int = 0
    """How many results of the session were not seen before this one. They may still come."""

    @property
    def session(self) -> Optional[str]:
        return self.data.get("session")

    @property
    def request(self) -> Optional[str]:
        return self.data.get("request")

    @property
    def sequence(self) -> Optional[int]:
        return self.data.get("sequence")

    @property
    def dialog(self) -> str:
        """What the person is told or asked; empty if there is nothing to say."""
        return str(self.data.get("dialog") or "")

    @property
    def is_prompt(self) -> bool:
        return self.type == "prompt.issued.v1"

    @property
    def is_completion(self) -> bool:
        return self.type == "intent.completed.v1"

    @property
    def is_rejection(self) -> bool:
        return self.type == "request.rejected.v1"

    # Of a prompt.

    @property
    def prompt(self) -> str:
        """The prompt's id, which its answer names."""
        return str(self.data.get("prompt", ""))

    @property
    def kind(self) -> str:
        """Of a prompt: `value`, `choice`, `confirmValue`, `confirmIntent` or `signIn`."""
        return str(self.data.get("kind", ""))

    @property
    def parameter(self) -> Optional[str]:
        return self.data.get("parameter")

    @property
    def options(self) -> List[Option]:
        return [Option(str(o.get("id", "")), str(o.get("title", "")), o.get("subtitle"), o) for o in self.data.get("options", [])]

    # Of a completion.

    @property
    def status(self) -> str:
        """Of a completion: `success`, `failure`, `cancelled`, `timedOut`, `unsupported` or `deferredToApp`."""
        return str(self.data.get("status", ""))

    @property
    def code(self) -> str:
        return str(self.data.get("code", ""))

    @property
    def response(self) -> Mapping[str, JSON]:
        """Of a completion: what the intent resulted in, by name."""
        return self.data.get("response") or {}

    def rejection(self) -> Rejected:
        """What to raise for a rejection."""
        wait = self.data.get("retryAfter")
        return Rejected(
            str(self.data.get("reason", "unexpected")), str(self.data.get("message", "")), self.data.get("field"),
            wait / 1_000 if isinstance(wait, (int, float)) else None)  # fmt: skip


class SequenceFilter:
    """Tells results that were not seen from copies of those that were. A coordinator that was paused may send a result again.

    maximum_sessions is how many sessions are followed; the ones that were silent for the longest are dropped first.
    """

    def __init__(self, maximum_sessions: int = 10_000) -> None:
        self._sessions: "OrderedDict[str, _Followed]" = OrderedDict()
        self._maximum = maximum_sessions

    def missed(self, result: Result) -> Optional[int]:
        """None for a copy. Otherwise the result is new: how many are missing between it and the one before."""
        session, sequence = result.session, result.sequence
        if session is None or not isinstance(sequence, int) or sequence < 1:
            return 0  # A rejection outside of any session.
        followed = self._sessions.pop(session, None) or _Followed()
        # Its session was forgotten, and begins again.
        if sequence == 1 and followed.last > 0 and followed.first not in (None, result):
            followed = _Followed()
        self._sessions[session] = followed
        if len(self._sessions) > self._maximum:
            self._sessions.popitem(last=False)
        return followed.take(sequence, result)


@dataclass
class _Followed:
    last: int = 0
    first: Optional[Result] = None
    missing: List[int] = field(default_factory=list)

    def take(self, sequence: int, result: Result) -> Optional[int]:
        if sequence == 1:
            self.first = self.first or result
        if sequence in self.missing:
            self.missing.remove(sequence)
            return 0
        if sequence <= self.last:
            return None
        # The first one that is seen may have any number.
        skipped = range(self.last + 1, sequence) if self.last else range(0)
        # What is missing is waited for within reason: of a large gap the newest part.
        self.missing = [*self.missing, *skipped[-64:]][-64:]
        self.last = sequence
        return len(skipped)


class Listener:
    """Reads `intents.results` from now on: of one session, or of all. Iterate over it, or call `next`. Copies are left out."""

    def __init__(self, connection: Mapping[str, Any], topic: str, session: Optional[str], timeout: float) -> None:
        self._session, self._filter = session, SequenceFilter()
        self._consumer = Consumer({
            **connection, "group.id": f"intent-listener-{uuid.uuid4()}", "enable.auto.commit": False, "fetch.wait.max.ms": 100,
            "auto.offset.reset": "earliest", "allow.auto.create.topics": False})  # fmt: skip
        try:
            self._start(topic, session, timeout)
        except BaseException:
            self._consumer.close()
            raise

    def _start(self, topic: str, session: Optional[str], timeout: float) -> None:
        metadata = self._consumer.list_topics(topic, timeout=timeout).topics[topic]
        if metadata.error is not None:
            raise KafkaException(metadata.error)
        count = len(metadata.partitions)
        wanted = range(count) if session is None else [partition_of(session.encode(), count)]
        # The end as it is now, and not when the first fetch asks for it: what is written in between counts.
        places = [TopicPartition(topic, p) for p in wanted]
        for place in places:
            place.offset = self._consumer.get_watermark_offsets(place, timeout=timeout)[1]
        self._consumer.assign(places)

    def next(self, timeout: float) -> Optional[Result]:
        """The next result, or None if none comes in so many seconds."""
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            message = self._consumer.poll(left)
            if message is None:
                continue
            error = message.error()
            if error is not None:
                if error.fatal():
                    raise KafkaException(error)
                continue  # librdkafka recovers from all others by itself.
            result = self._read(message)
            if result is not None:
                return result
        return None

    def _read(self, message: Message) -> Optional[Result]:
        if self._session is not None and message.key() != self._session.encode():
            return None
        headers = _headers(message)
        try:
            data = _data(message, headers)
        except ValueError as error:
            print(f"passed over {message.topic()} {message.partition()}/{message.offset()}: {error}", file=sys.stderr)
            return None
        result = Result(headers.get("ce_type", str(data.get("type", ""))), data, headers.get("ce_id", ""))
        missed = self._filter.missed(result)
        if missed is None:
            return None
        return Result(result.type, data, result.id, missed) if missed else result

    def __iter__(self) -> Iterator[Result]:
        while True:
            result = self.next(1)
            if result is not None:
                yield result

    def close(self) -> None:
        self._consumer.close()

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


# MARK: The client


@dataclass(frozen=True)
class Principal:
    """Who sends an event, as your channel has authenticated them: CloudEvents' auth context."""

    id: str
    kind: str = "app_user"
    """`app_user`, `user`, `service_account` or `api_key`."""


@dataclass(frozen=True)
class Answer:
    """An answer to a prompt. Without anything it is a yes. `parameters` changes others, or fills them in before they are asked for."""

    value: JSON = None
    option: Optional[str] = None
    """The id of the option that was chosen."""
    action: str = "accept"
    """`accept`, `decline` (no, or none of these) or `cancel` (the whole request)."""
    parameters: Optional[Mapping[str, JSON]] = None

    def data(self, prompt: str) -> Dict[str, JSON]:
        all = {"prompt": prompt, "action": self.action, "value": self.value, "option": self.option, "parameters": self.parameters}
        return {name: value for name, value in all.items() if value is not None}


class IntentClient:
    """The person's side of a pipeline: requests intents and answers what they ask. May be used by several threads.

    properties are librdkafka's, such as {"security.protocol": "sasl_ssl"}. timeout is how many seconds Kafka may take to answer.
    """

    def __init__(
        self, bootstrap_servers: Optional[str] = None, *, topic_prefix: str = "intents", principal: Optional[Principal] = None,
        properties: Optional[Mapping[str, str]] = None, timeout: float = 10,
    ) -> None:  # fmt: skip
        self._connection = _connection(bootstrap_servers, properties)
        self._producer = _producer(self._connection)
        self.topic_prefix, self.principal, self.timeout = topic_prefix, principal, timeout

    def ask(
        self, intent: str, parameters: Optional[Mapping[str, JSON]] = None, *, session: Optional[str] = None, id: Optional[str] = None,
        **members: JSON,
    ) -> "Conversation":  # fmt: skip
        """Requests an intent, and returns the conversation about it once Kafka has the request.

        session defaults to a new one; requests of one session are done one after the other. id is the request's: the same id again is the same request,
        so keep it to repeat a request safely. members are others of `intent.requested.v1`: whenBusy, deadline, locale, timeZone, attributes, confidence.
        """
        session, id = session or str(uuid.uuid4()), id or str(uuid.uuid4())
        # Before the request is written, so that none of its results is missed.
        listener = self.listen(session)
        try:
            data = {"intent": intent, "parameters": dict(parameters or {}), **{k: v for k, v in members.items() if v is not None}}
            self.send(session, "intent.requested.v1", data, id=id, topic="requests")
        except BaseException:
            listener.close()
            raise
        return Conversation(self, session, id, listener)

    def listen(self, session: Optional[str] = None) -> Listener:
        """Reads results from now on: of one session, or of all sessions."""
        return Listener(self._connection, f"{self.topic_prefix}.results", session, self.timeout)

    def answer(self, session: str, prompt: str, answer: Answer = Answer()) -> str:
        """Answers a prompt. Returns the event's id, which a rejection names."""
        return self.send(session, "prompt.answered.v1", answer.data(prompt))

    def correct(self, session: str, parameter: str, value: JSON, request: Optional[str] = None) -> str:
        """Changes a parameter of a request before it is handled."""
        data = {"parameter": parameter, "value": value, **({"request": request} if request else {})}
        return self.send(session, "parameter.corrected.v1", data)

    def cancel(self, session: str, request: Optional[str] = None) -> str:
        """Cancels a request; the active one if none is named."""
        return self.send(session, "intent.cancelled.v1", {"request": request} if request else {})

    def send(self, session: str, type: str, data: Mapping[str, JSON], *, id: Optional[str] = None, topic: str = "answers") -> str:
        """Writes any event of the person's side, and waits until Kafka has it. Returns its id.

        Raises NotDelivered if Kafka does not take it.
        """
        id = id or str(uuid.uuid4())
        headers = {
            "ce_specversion": "1.0", "ce_id": id, "ce_source": "/intents/python", "ce_type": type, "ce_time": _now(), "content-type": "application/json",
        }  # fmt: skip
        if self.principal:
            headers.update(ce_authtype=self.principal.kind, ce_authid=self.principal.id)
        reports: List[Optional[KafkaError]] = []
        self._producer.produce(
            f"{self.topic_prefix}.{topic}", key=session.encode(), value=json.dumps(data).encode(), headers=list(headers.items()),
            on_delivery=lambda error, _: reports.append(error))  # fmt: skip
        deadline = time.monotonic() + self.timeout
        while not reports and time.monotonic() < deadline:
            self._producer.poll(0.1)
        if not reports:
            raise NotDelivered(f"Kafka has not acknowledged the event {id} in {self.timeout:g} s; it may still do so")
        if reports[0] is not None:
            raise NotDelivered(f"Kafka has refused the event {id}: {reports[0].str()}")
        return id

    def close(self) -> None:
        self._producer.flush(self.timeout)

    def __enter__(self) -> "IntentClient":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


class Conversation:
    """One request and what is said about it. Close it, or use it in a with statement, when it is over."""

    def __init__(self, client: IntentClient, session: str, request: str, listener: Listener) -> None:
        self._client, self._listener = client, listener
        self.session, self.request = session, request
        self._sent = {request}

    def next(self, timeout: float = 60) -> Result:
        """The next result about this request. Raises NoResult if none comes in so many seconds, and Rejected if one of our events was not accepted."""
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            result = self._listener.next(left)
            if result is None:
                break
            if result.is_rejection and result.data.get("event") in self._sent:
                raise result.rejection()
            if result.request == self.request:
                return result
        raise NoResult(f"nothing about the request {self.request} in {timeout:g} s; it goes on, and can be cancelled")

    def answer(self, prompt: Result, answer: Answer = Answer()) -> None:
        """Answers a prompt of this conversation."""
        self._sent.add(self._client.answer(self.session, prompt.prompt, answer))

    def correct(self, parameter: str, value: JSON) -> None:
        self._sent.add(self._client.correct(self.session, parameter, value, self.request))

    def cancel(self) -> None:
        self._sent.add(self._client.cancel(self.session, self.request))

    def converse(
        self, answer: Callable[[Result], Answer], *, timeout: float = 120, on_result: Optional[Callable[[Result], None]] = None
    ) -> Result:
        """Answers each prompt with what the function returns, and returns the completion. timeout is for each result, in seconds.

        on_result is told of all others: progress, and offers to an app.
        """
        while True:
            result = self.next(timeout)
            if result.is_completion:
                return result
            if result.is_prompt:
                self.answer(result, answer(result))
            elif on_result:
                on_result(result)

    def close(self) -> None:
        self._listener.close()

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


# MARK: The worker


@dataclass(frozen=True)
class Work:
    """One phase of one request, given to a function."""

    intent: str
    phase: str
    session: str
    request: str
    step: int
    values: Mapping[str, JSON]
    """The parameters' values by name; None for those without one."""
    data: Mapping[str, JSON]
    """All of the work: `locale`, `attributes`, `attempt`, `principal`, `parameters` with their states, and others."""

    @property
    def idempotency_key(self) -> str:
        """The same for every repeat: pass it on to every call that must not happen twice."""
        return str(self.data.get("idempotencyKey", ""))


WorkFunction = Callable[[Work], Outcome]
_OUTCOME_OF = {"resolve": ("resolver", "resolved"), "confirm": ("confirmer", "confirmed"), "handle": ("handler", "handled")}


class IntentWorker:
    """Resolves, confirms and handles intents, as a service of its own beside those of other programs.

    Work may come more than once: a crash repeats what was not committed. A record that can't be read is passed over, and told on standard error. concurrency is
    how many functions of a phase run at the same time, each in a thread; those of one session run one after the other.
    """

    def __init__(self, service: str, version: str = "1.0.0", *, concurrency: int = 16) -> None:
        self.service, self.version, self.concurrency = service, version, concurrency
        self._entries: Dict[str, Dict[str, JSON]] = {}
        self._functions: Dict[Tuple[str, str], WorkFunction] = {}

    def serve(self, intent: str, *, title: str, parameters: Sequence[Mapping[str, JSON]] = (), **members: JSON) -> None:
        """Declares an intent for the catalogue, which tells others how to ask for it. members are others of `intent.served.v1`, such as confirmation="always"."""
        self._entries[intent] = {"intent": intent, "title": title, "version": self.version, "parameters": list(parameters), **members}

    def resolve(self, intent: str) -> Callable[[WorkFunction], WorkFunction]:
        """Decorates what resolves an intent's parameters. Without it each value is taken as it is, and one that is required and missing is asked for."""
        return self._decorator(intent, "resolve")

    def confirm(self, intent: str) -> Callable[[WorkFunction], WorkFunction]:
        """Decorates what says whether an intent can be handled. Without it, it can."""
        return self._decorator(intent, "confirm")

    def handle(self, intent: str) -> Callable[[WorkFunction], WorkFunction]:
        """Decorates what handles an intent. Every intent needs one."""
        return self._decorator(intent, "handle")

    def _decorator(self, intent: str, phase: str) -> Callable[[WorkFunction], WorkFunction]:
        def note(function: WorkFunction) -> WorkFunction:
            self._functions[intent, phase] = function
            return function

        return note

    def _check(self) -> None:
        for intent, phase in self._functions:
            if intent not in self._entries:
                raise ValueError(f"'{intent}' has a function for {phase} and is not declared: call serve('{intent}', title=…)")
        for intent in self._entries:
            if (intent, "handle") not in self._functions:
                raise ValueError(f"'{intent}' is declared and nothing handles it: decorate a function with @worker.handle('{intent}')")
        if not self._entries:
            raise ValueError("there is nothing to serve: call serve(…), and decorate functions")

    def perform(self, work: Work) -> Outcome:
        """Calls the function of a phase. An error becomes a failure that the person is told of; its text stays in the log, since it may have what they said."""
        if work.intent not in self._entries:
            message = f"the service '{self.service}' does not serve '{work.intent}'"
            return {"failure": {"disposition": "reject", "reason": "unsupported", "message": message}}
        function = self._functions.get((work.intent, work.phase))
        try:
            if function is None:
                return ready() if work.phase == "confirm" else self._as_declared(work)
            return self._titled(work, function(work))
        except Retry as retry:
            return {"failure": {"disposition": "retry", "after": int(retry.after * 1_000), "reason": "busy", "message": str(retry)}}
        except Exception as error:
            traceback.print_exc()
            message = f"{work.phase} of '{work.intent}' ended with {type(error).__name__}"
            return {"failure": {"disposition": "failure", "code": "failure", "reason": "internal", "message": message}}

    def _as_declared(self, work: Work) -> Outcome:
        def one(declared: Mapping[str, JSON]) -> Outcome:
            value = work.values.get(declared["name"])
            if value is not None:
                return success(value)
            return needs_value() if declared.get("required") else not_required()

        return self._titled(work, resolved({d["name"]: one(d) for d in self._entries[work.intent]["parameters"]}))

    def _titled(self, work: Work, outcome: Outcome) -> Outcome:
        titles = {d["name"]: d.get("title") for d in self._entries[work.intent]["parameters"]}
        for resolution in outcome.get("resolutions", []):
            if title := titles.get(resolution["parameter"]):
                resolution.setdefault("title", title)
        return outcome

    def run(
        self, bootstrap_servers: Optional[str] = None, *, topic_prefix: str = "intents", instance: Optional[str] = None,
        properties: Optional[Mapping[str, str]] = None, ending: Optional[threading.Event] = None,
    ) -> None:  # fmt: skip
        """Works until the event is set, then finishes what was begun. Raises what ended one of its threads; let a supervisor start the program again then."""
        self._check()
        connection = _connection(bootstrap_servers, properties)
        own, ending = f"/intents/{self.service}/{instance or f'{socket.gethostname()}-{os.getpid()}'}", ending or threading.Event()
        failures: List[BaseException] = []

        def guarded(body: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                try:
                    body()
                except BaseException as error:
                    failures.append(error)
                ending.set()

            return run

        bodies = [_PhaseLoop(self, phase, connection, topic_prefix, own, ending).run for phase in _OUTCOME_OF]
        threads = [threading.Thread(target=guarded(body)) for body in [*bodies, lambda: self._publish(connection, topic_prefix, own, ending)]]
        for thread in threads:
            thread.start()
        # A signal's handler runs in the main thread, and not while that waits without a limit.
        while not ending.wait(0.2):
            pass
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def _publish(self, connection: Mapping[str, Any], prefix: str, source: str, ending: threading.Event) -> None:
        """Says in the catalogue what is served, and every minute that this process still does. Withdraws it at the end."""
        producer, topic = _producer(connection), f"{prefix}.catalog"
        lease_key = f"worker/{self.service}/{source.rsplit('/', 1)[1]}"
        lease = {
            "service": self.service, "instance": source.rsplit("/", 1)[1], "version": self.version, "intents": [*self._entries],
            "phases": [*_OUTCOME_OF], "validFor": 300_000, "started": _now(),
        }  # fmt: skip
        minutes = 0
        while not ending.is_set():
            records = [("worker.serving.v1", lease_key, lease)]
            if minutes % 1_440 == 0:  # Once a day, because the topic keeps a week.
                served = [("intent.served.v1", f"intent/{self.service}/{name}", {"service": self.service, **e}) for name, e in self._entries.items()]
                records = [*served, *records]
            for kind, key, data in records:
                _produce(producer, topic, key, data, kind, f"{key}@{_now()}", source)
            _flush(producer)
            minutes += 1
            ending.wait(60)
        producer.produce(topic, key=lease_key.encode(), value=None)
        producer.flush(10)


def _raise(error: Optional[KafkaError], _: Message) -> None:
    if error is not None:
        raise KafkaException(error)


def _produce(
    producer: Producer, topic: str, key: str, data: Mapping[str, JSON], kind: str, id: str, source: str, partition: int = -1, **headers: str
) -> None:
    own = {
        "ce_specversion": "1.0", "ce_id": id, "ce_source": source, "ce_type": kind, "ce_time": _now(), "content-type": "application/json", **headers,
    }  # fmt: skip
    producer.produce(topic, key=key.encode(), value=json.dumps(data).encode(), partition=partition, headers=list(own.items()), on_delivery=_raise)


def _flush(producer: Producer) -> None:
    """Waits until Kafka has everything. Raises if it refuses something: nothing is committed then, and the work is delivered again."""
    while producer.flush(10):
        print("Kafka does not acknowledge; waiting", file=sys.stderr)


class _PhaseLoop:
    """Takes the work of one phase, a batch at a time, and commits it once its outcomes are in the log."""

    def __init__(
        self, worker: IntentWorker, phase: str, connection: Mapping[str, Any], prefix: str, source: str, ending: threading.Event
    ) -> None:
        self.worker, self.phase, self.connection, self.prefix, self.source, self.ending = worker, phase, connection, prefix, source, ending

    def run(self) -> None:
        role, _ = _OUTCOME_OF[self.phase]
        producer = _producer(self.connection)
        # The same assignment (range, eager) as in the other groups of a pipeline.
        consumer = Consumer({
            **self.connection, "group.id": f"{self.prefix}.{self.worker.service}.{role}", "enable.auto.commit": False, "auto.offset.reset": "earliest",
            "partition.assignment.strategy": "range", "fetch.wait.max.ms": 100, "queued.min.messages": 1_000, "session.timeout.ms": 10_000,
            "heartbeat.interval.ms": 1_000})  # fmt: skip
        consumer.subscribe([f"{self.prefix}.{self.phase}"], on_assign=lambda _, taken: self._announce(role, taken))
        try:
            with ThreadPoolExecutor(self.worker.concurrency) as pool:
                while not self.ending.is_set():
                    self._step(consumer, producer, pool)
        finally:
            consumer.close()

    @staticmethod
    def _announce(role: str, taken: Iterable[TopicPartition]) -> None:
        print(json.dumps({"role": role, "partitions": sorted(place.partition for place in taken)}), flush=True)

    def _step(self, consumer: Consumer, producer: Producer, pool: ThreadPoolExecutor) -> None:
        first = consumer.poll(1)  # consume(100, 1) would wait for a hundred.
        messages = [m for m in ([first, *consumer.consume(99, 0)] if first is not None else []) if m.error() is None]
        if not messages:
            return
        taken = [work for work in map(self._read, messages) if work is not None]
        cancelled = {(work.session, work.request, work.step) for kind, work, _, _ in taken if kind == "intent.cancel.v1"}
        by_session: Dict[str, List[Tuple[Work, Message, Dict[str, str]]]] = {}
        for kind, work, message, headers in taken:
            if kind == f"intent.{self.phase}.v1":
                by_session.setdefault(work.session, []).append((work, message, headers))

        def in_order(items: List[Tuple[Work, Message, Dict[str, str]]]) -> List[Tuple[Work, Message, Dict[str, str], Outcome]]:
            done = []
            for work, message, headers in items:
                if str(work.data.get("deadline", "9")) <= _now():
                    continue  # The coordinator no longer waits for it.
                # A cancel applies to the steps up to its own.
                is_off = any(s == work.session and r == work.request and work.step <= step for s, r, step in cancelled)
                done.append((work, message, headers, {"cancelled": True} if is_off else self.worker.perform(work)))
            return done

        for results in pool.map(in_order, by_session.values()):
            for work, message, headers, outcome in results:
                self._report(producer, work, message, headers, outcome)
        _flush(producer)
        try:
            consumer.commit(asynchronous=False)
        except KafkaException as error:  # Another member has the partitions now and repeats the work, which is harmless.
            print(f"not committed: {error}", file=sys.stderr)

    def _read(self, message: Message) -> Optional[Tuple[str, Work, Message, Dict[str, str]]]:
        headers = _headers(message)
        try:
            data = _data(message, headers)
            values = {name: state.get("value") for name, state in (data.get("parameters") or {}).items()}
            key = message.key()
            if key is None:
                raise ValueError("it has no key")
            work = Work(data["intent"], self.phase, key.decode(), data["request"], int(data["step"]), values, data)
        except (ValueError, KeyError, AttributeError, TypeError) as error:  # Whose it is can't be said: the default service makes a dead letter of it.
            print(f"passed over {message.topic()} {message.partition()}/{message.offset()}: {error!r}", file=sys.stderr)
            return None
        # The work of other services is theirs.
        return (headers.get("ce_type", ""), work, message, headers) if data.get("service") == self.worker.service else None

    def _report(self, producer: Producer, work: Work, message: Message, headers: Mapping[str, str], outcome: Outcome) -> None:
        ticket = {"ticket": work.data["ticket"]} if "ticket" in work.data else {}
        data = {"request": work.request, "step": work.step, **ticket, **outcome}
        session = work.session.replace("%", "%25").replace("/", "%2F")
        trace = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        _produce(
            producer, f"{self.prefix}.outcomes", work.session, data, f"intent.{_OUTCOME_OF[self.phase][1]}.v1",
            f"{session}/{work.request}.{work.step}.outcome", self.source, message.partition() or 0, ce_subject=work.request, **trace)  # fmt: skip


def main(worker: IntentWorker, arguments: Optional[Sequence[str]] = None) -> None:
    """The command line of a worker program. SIGTERM and SIGINT end it once it has finished what it has begun."""
    parser = argparse.ArgumentParser(description=f"Serves the intents of '{worker.service}'.")
    parser.add_argument("-b", "--bootstrap-servers", help="Kafka's addresses [environment: KAFKA_BOOTSTRAP_SERVERS]")
    parser.add_argument("-X", dest="properties", action="append", default=[], metavar="NAME=VALUE", help="a property of librdkafka; may be repeated")
    parser.add_argument("--topic-prefix", default=os.environ.get("INTENTS_TOPIC_PREFIX") or "intents")
    parser.add_argument("--service", default=worker.service, help="its name in the catalogue, and of its consumer groups")
    parser.add_argument("--instance", help="the name of this process; defaults to host and process id")
    options = parser.parse_args(arguments)
    wrong = [text for text in options.properties if "=" not in text]
    if wrong:
        parser.error(f"-X takes name=value, and got {wrong[0]}")
    worker.service, ending = options.service, threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.set())
    try:
        worker.run(
            options.bootstrap_servers, topic_prefix=options.topic_prefix, instance=options.instance, ending=ending,
            properties=dict(text.split("=", 1) for text in options.properties))  # fmt: skip
    except ValueError as error:
        parser.error(str(error))
    except KafkaException as error:
        print(error, file=sys.stderr)
        sys.exit(4)


# MARK: What a worker's functions return


def parameter(name: str, title: str, schema: Mapping[str, JSON], *, required: bool = True, **members: JSON) -> Dict[str, JSON]:
    """A parameter for IntentWorker.serve. schema is the JSON Schema of its values; members are others of the catalogue, such as options."""
    kind = str(schema.get("type") or "value")
    return {"name": name, "title": title, "required": required, "type": {"name": kind, "description": kind, "schema": dict(schema)}, **members}


def option(id: str, title: str, value: JSON = None, **members: JSON) -> Dict[str, JSON]:
    """An option to choose; its value defaults to its id. members: subtitle, synonyms, section, image."""
    return {"id": id, "title": title, "value": id if value is None else value, **members}


def resolved(resolutions: Mapping[str, Outcome]) -> Outcome:
    """The outcome of a resolver: one resolution for each parameter, in the order in which they are asked for."""
    return {"resolutions": [{"parameter": name, **resolution} for name, resolution in resolutions.items()]}


def _some(**members: JSON) -> Dict[str, JSON]:
    return {name: value for name, value in members.items() if value is not None}


def success(value: JSON) -> Outcome:
    """The value is right."""
    return {"success": {"value": value}}


def not_required() -> Outcome:
    """The intent can do without it."""
    return {"notRequired": {}}


def needs_value(dialog: Optional[str] = None) -> Outcome:
    """The person is asked for it."""
    return {"needsValue": _some(dialog=dialog)}


def disambiguation(options: Sequence[Mapping[str, JSON]], dialog: Optional[str] = None) -> Outcome:
    """The person is asked which of these they mean."""
    return {"disambiguation": _some(options=list(options), dialog=dialog)}


def confirmation_required(value: JSON, dialog: Optional[str] = None) -> Outcome:
    """The person is asked whether this is what they mean."""
    return {"confirmationRequired": _some(value=value, dialog=dialog)}


def unsupported(reason: str, dialog: Optional[str] = None) -> Outcome:
    """The value can't be used; the person is asked for another. reason is a word for programs, such as `noMatch`."""
    return {"unsupported": _some(reason=reason, dialog=dialog)}


def ready(dialog: Optional[str] = None, *, confirm: Optional[str] = None, summary: Optional[str] = None) -> Outcome:
    """The outcome of a confirmer: it can be done. With confirm, the person is asked that first."""
    confirmation = _some(dialog=confirm, summary=summary)
    return _some(code="ready", dialog=dialog, confirmation=confirmation or None)


def succeeded(dialog: Optional[str] = None, **response: JSON) -> Outcome:
    """The outcome of a handler: it is done. response is what came of it, by name."""
    return _some(code="success", dialog=dialog, response=response or None)


def failed(dialog: Optional[str] = None, code: str = "failure", **response: JSON) -> Outcome:
    """The outcome of a confirmer or a handler: it can't be done. code begins with `failure`."""
    if not code.startswith("failure"):
        raise ValueError(f"the code of a failure begins with 'failure', and this is '{code}'")
    return _some(code=code, dialog=dialog, response=response or None)
