"""A client and a worker for IntentPipeline, on confluent-kafka.

Ask for something, and answer what the pipeline asks back:

    with IntentClient("localhost:9092") as client:
        ride = client.ask("RequestRide", {"dropOff": "the airport"})
        completion = ride.converse(lambda prompt: Answer.typed(input(prompt.dialog + " ")))
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
import json
import logging
import os
import signal
import socket
import sys
import threading
import time
import traceback
import uuid
import zoneinfo
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Type, cast

from confluent_kafka import OFFSET_END, Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

JSON = Any
"""A value of JSON: None, bool, int, float, str, a list or a dict with text as keys."""

Outcome = Dict[str, JSON]
"""What a phase reports. The functions at the end of this file make one."""


# MARK: Errors


class IntentPipelineError(Exception):
    """What this module raises, beside errors of the arguments."""


class Unavailable(IntentPipelineError):
    """Kafka can't be reached, or refuses to let this program read. The message says why."""


class NotDelivered(IntentPipelineError):
    """Kafka has not acknowledged an event. It may be sent again with the same session and id: a session takes each id once."""


class NoResult(IntentPipelineError):
    """What was waited for did not come in time. If the pipeline runs, the request goes on without us: listen to its session again, or cancel it."""


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
        if not 0 <= after <= 86_400 * 365:
            raise ValueError(f"a retry is tried after 0 seconds to a year, and not after {after}")
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


def _time_zone() -> Optional[str]:
    """The name of this machine's time zone, such as Europe/Dublin; None if it has none, for the pipeline's default."""
    place = os.environ.get("TZ", "").lstrip(":") or os.path.realpath("/etc/localtime")
    name = place.rsplit("zoneinfo/", 1)[-1]
    try:
        return zoneinfo.ZoneInfo(name).key
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return None


def _prefix(given: Optional[str]) -> str:
    return given or os.environ.get("INTENTS_TOPIC_PREFIX") or "intents"


def _session_key(session: str) -> bytes:
    """The key of a session's records. The pipeline's rejection of another key could not reach its sender."""
    key = session.encode()
    if not 1 <= len(key) <= 128 or session[0] == "$" or any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in session):
        raise ValueError(f"a session has 1 to 128 bytes without control characters and does not begin with '$', and this is {session!r}")
    return key


_log = logging.getLogger("intent_pipeline")
"""What librdkafka says of its connections. Silent until a program handles it, because exceptions say what matters."""
_log.addHandler(logging.NullHandler())


class _Complaints:
    """Keeps librdkafka's last error of the connection: the other errors only say that there was no answer."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, error: KafkaError) -> None:
        self._last = error.str()

    def after(self, text: str) -> str:
        return f"{text}: {self._last}" if self._last else text


# Where `intents dev` has its broker, unless told otherwise.
_DEVELOPMENT = ("127.0.0.1", 8232)


def _development_servers() -> Optional[str]:
    """The address of the pipeline that `intents dev` runs, if it listens."""
    try:
        socket.create_connection(_DEVELOPMENT, timeout=1).close()
    except OSError:
        return None
    return "{}:{}".format(*_DEVELOPMENT)


def _connection(bootstrap_servers: Optional[str], properties: Optional[Mapping[str, str]]) -> Dict[str, Any]:
    own = dict(properties or {})
    named = [own.pop(name) for name in ("bootstrap.servers", "metadata.broker.list") if name in own]
    servers = bootstrap_servers or (named[0] if named else os.environ.get("KAFKA_BOOTSTRAP_SERVERS"))
    if not servers:
        # As for the tool, an empty variable means that there is no address.
        servers = _development_servers() if servers is None else None
        if not servers:
            raise ValueError(
                "there is no Kafka: pass bootstrap_servers='host:port', or set KAFKA_BOOTSTRAP_SERVERS. 'intents dev' runs a pipeline on this machine"
            )
    # Without Nagle's algorithm: the second of two small requests would wait for the acknowledgement of the first.
    return {"socket.nagle.disable": True, "logger": _log, **own, "bootstrap.servers": servers}


def _producer(connection: Mapping[str, Any]) -> Producer:
    # murmur2, because two partitioners would split a session over two owners.
    return Producer({**connection, "enable.idempotence": True, "acks": "all", "partitioner": "murmur2_random", "linger.ms": 0})


def _json(data: JSON) -> bytes:
    """JSON that every parser reads. Raises ValueError or TypeError for what JSON does not have: NaN, lone surrogates, Python objects."""
    return json.dumps(data, allow_nan=False, ensure_ascii=False).encode()


def _headers(message: Message) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for name, value in cast("Iterable[Tuple[str, Optional[bytes]]]", message.headers() or []):
        found.setdefault(name, value.decode("utf-8", "replace") if value is not None else "")
    return found


def _data(message: Message, headers: Mapping[str, str]) -> Dict[str, JSON]:
    if "intents-encryption" in headers:
        raise Encrypted(f"{message.topic()} is encrypted, which this module does not read: use a client or worker in Swift")
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
    timestamp: int = field(default=0, compare=False)
    """The record's timestamp, in milliseconds since 1970."""

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
    def is_reminder(self) -> bool:
        """Whether it is an open prompt once more: `data["reason"]` says why."""
        return self.type == "prompt.reminded.v1"

    @property
    def is_completion(self) -> bool:
        return self.type == "intent.completed.v1"

    @property
    def is_rejection(self) -> bool:
        return self.type == "request.rejected.v1"

    @property
    def is_reading(self) -> bool:
        """Whether it tells how an answer in words was read. With a dialog, they were no answer: the prompt is still open."""
        return self.type == "answer.read.v1"

    @property
    def read_as(self) -> str:
        """Of a reading: `yes`, `no`, `none`, `cancel`, `option`, `value`, `change`, `repeat`, `help` or `unclear`."""
        return str(self.data.get("readAs", ""))

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

    @property
    def options_next(self) -> str:
        """Where the next page of options starts; empty if there is none."""
        return str(self.data.get("optionsNext") or "")

    @property
    def options_total(self) -> int:
        """How many options there are in all."""
        return int(self.data.get("optionsTotal") or len(self.options))

    # Of a completion.

    @property
    def error(self) -> str:
        """Of a completion without success: why, in words; empty otherwise."""
        if not self.is_completion or self.status == "success":
            return ""
        return self.dialog or str((self.data.get("error") or {}).get("message") or "") or self.code

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


def _unavailable(connection: Mapping[str, Any], topic: str, error: KafkaError) -> str:
    if error.code() in (KafkaError._TRANSPORT, KafkaError._TIMED_OUT, KafkaError._ALL_BROKERS_DOWN):
        return f"Kafka at {connection.get('bootstrap.servers')} does not answer: is the address right, and is it running? 'intents dev' starts a pipeline"
    return f"{topic} can't be read: {error.str()}"


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
        if session is None or not isinstance(sequence, int) or not 1 <= sequence <= 1 << 53:
            return 0  # A rejection outside of any session, or no place in the order.
        followed = self._sessions.pop(session, None) or _Followed()
        if sequence == 1 and followed.last > 0 and followed.is_other(result):
            followed = _Followed()  # Its session was forgotten, and begins again.
        followed.timestamp = max(followed.timestamp, result.timestamp)
        self._sessions[session] = followed
        if len(self._sessions) > self._maximum:
            self._sessions.popitem(last=False)
        return followed.take(sequence, result)


@dataclass
class _Followed:
    last: int = 0
    first: Optional[Result] = None
    missing: List[int] = field(default_factory=list)
    timestamp: int = 0

    def is_other(self, result: Result) -> bool:
        """Whether a result with number 1 is none of this session. Without the first one to compare with, only a newer one can be another."""
        return result.timestamp > self.timestamp if self.first is None else self.first != result

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
    """Reads `intents.results` from now on: of one session, or of all. Iterate over it, or call `next`, in one thread. Copies are left out.

    Another thread may close it: the iteration ends then, once the call of `next` that waits has returned.
    """

    def __init__(self, connection: Mapping[str, Any], topic: str, session: Optional[str], timeout: float) -> None:
        self._key, self._filter, self._is_closed = None if session is None else _session_key(session), SequenceFilter(), False
        complaints = _Complaints()
        self._consumer = Consumer({
            **connection, "error_cb": complaints, "group.id": f"intent-listener-{uuid.uuid4()}", "enable.auto.commit": False, "fetch.wait.max.ms": 100,
            "auto.offset.reset": "earliest", "allow.auto.create.topics": False})  # fmt: skip
        try:
            self._start(topic, timeout)
        except KafkaException as error:
            self._consumer.poll(0)  # For complaints.
            self._consumer.close()
            raise Unavailable(complaints.after(_unavailable(connection, topic, error.args[0]))) from error
        except BaseException:
            self._consumer.close()
            raise

    def _start(self, topic: str, timeout: float) -> None:
        metadata = self._consumer.list_topics(topic, timeout=timeout).topics[topic]
        if metadata.error is not None:
            raise KafkaException(metadata.error)
        count = len(metadata.partitions)
        wanted = range(count) if self._key is None else [partition_of(self._key, count)]
        # The end as it is now, and not when the first fetch asks for it: what is written in between counts.
        places = [TopicPartition(topic, p) for p in wanted]
        for place in places:
            place.offset = self._consumer.get_watermark_offsets(place, timeout=timeout)[1]
        self._consumer.assign(places)

    def next(self, timeout: float) -> Optional[Result]:
        """The next result, or None if none comes in so many seconds. Raises Unavailable if Kafka does not let it be read."""
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            message = self._consumer.poll(left)
            if message is None:
                continue
            error = message.error()
            if error is not None:
                if error.fatal() or error.code() in (KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.UNKNOWN_TOPIC_OR_PART):
                    raise Unavailable(f"results can't be read: {error.str()}")
                continue  # librdkafka recovers from all others by itself.
            result = self._read(message)
            if result is not None:
                return result
        return None

    def _read(self, message: Message) -> Optional[Result]:
        if self._key is not None and message.key() != self._key:
            return None
        headers = _headers(message)
        try:
            data = _data(message, headers)
        except (ValueError, RecursionError) as error:
            print(f"passed over {message.topic()} {message.partition()}/{message.offset()}: {error}", file=sys.stderr)
            return None
        result = Result(
            headers.get("ce_type", str(data.get("type", ""))), data, headers.get("ce_id", ""), timestamp=message.timestamp()[1])  # fmt: skip
        missed = self._filter.missed(result)
        if missed is None:
            return None
        return replace(result, missed=missed) if missed else result

    def __iter__(self) -> Iterator[Result]:
        while not self._is_closed:
            try:
                result = self.next(1)
            except RuntimeError:  # librdkafka's client was closed between two calls.
                if self._is_closed:
                    return
                raise
            if result is not None:
                yield result

    def close(self) -> None:
        self._is_closed = True
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
    roles: Sequence[str] = ()
    """The roles of their token. An approval may be that of a role."""


@dataclass(frozen=True)
class Answer:
    """An answer to a prompt. Without anything it is a yes. `parameters` changes others, or fills them in before they are asked for."""

    value: JSON = None
    option: Optional[str] = None
    """The id of the option that was chosen."""
    action: str = "accept"
    """`accept`, `decline` (no, or none of these), `cancel` (the whole request) or `delegate` (an approval, to another principal)."""
    parameters: Optional[Mapping[str, JSON]] = None

    utterance: Optional[str] = None
    """The person's own words instead of all others, 1 to 500 characters: "the second one", "yes", "half past six"."""
    language: Optional[str] = None
    """The words' language, a BCP 47 tag. That of the request by default."""
    delegate: Optional[Principal] = None
    """With the action `delegate`: who may agree instead."""

    @classmethod
    def typed(cls, text: str) -> "Answer":
        """What a person has typed or said. The pipeline reads it in the context of the prompt; nothing is a no, and a long text is a value."""
        said = " ".join(text.split())
        if not said:
            return cls(action="decline")
        return cls(utterance=said) if len(said) <= 500 else cls(value=text.strip())

    def data(self, prompt: str) -> Dict[str, JSON]:
        if self.utterance is not None:
            if any(part is not None for part in (self.value, self.option, self.parameters, self.delegate)) or self.action != "accept":
                raise ValueError("an answer with an utterance has no action, value, option or parameters: its words are all of it")
            return {"prompt": prompt, "utterance": self.utterance, **({"language": self.language} if self.language else {})}
        delegate = {"type": self.delegate.kind, "id": self.delegate.id} if self.delegate else None
        all = {
            "prompt": prompt, "action": self.action, "value": self.value, "option": self.option, "parameters": self.parameters, "delegate": delegate,
        }  # fmt: skip
        return {name: value for name, value in all.items() if value is not None}


class IntentClient:
    """The person's side of a pipeline: requests intents and answers what they ask. May be used by several threads.

    properties are librdkafka's, such as {"security.protocol": "sasl_ssl"}; what is wrong with them is raised as confluent_kafka's KafkaException. timeout is how many
    seconds Kafka may take to answer. topic_prefix defaults to the environment's INTENTS_TOPIC_PREFIX, or "intents".
    """

    def __init__(
        self, bootstrap_servers: Optional[str] = None, *, topic_prefix: Optional[str] = None, principal: Optional[Principal] = None,
        properties: Optional[Mapping[str, str]] = None, timeout: float = 10,
    ) -> None:  # fmt: skip
        self._connection, self._complaints = _connection(bootstrap_servers, properties), _Complaints()
        self._producer = _producer({**self._connection, "error_cb": self._complaints})
        self.topic_prefix, self.principal, self.timeout = _prefix(topic_prefix), principal, timeout

    def ask(
        self, intent: str, parameters: Optional[Mapping[str, JSON]] = None, *, session: Optional[str] = None, id: Optional[str] = None,
        **members: JSON,
    ) -> "Conversation":  # fmt: skip
        """Requests an intent, and returns the conversation about it once Kafka has the request.

        session defaults to the id, or to a new one; requests of one session are done one after the other. id is the request's: the same id again in the same session
        is the same request, for a day at most, so keep both to repeat a request safely. What the pipeline said before is not said again: the conversation about a repeated
        request hears what comes from now on. Raises Unavailable if the results can't be read, and NotDelivered if the request can't be written. members are others of `intent.requested.v1`: whenBusy, deadline, locale, timeZone (of this machine, if it is left out), attributes, confidence.
        """
        session = session if session is not None else id if id is not None else str(uuid.uuid4())
        id = id or str(uuid.uuid4())
        # Before the request is written, so that none of its results is missed.
        listener = self.listen(session)
        try:
            members.setdefault("timeZone", _time_zone())
            data = {"intent": intent, "parameters": dict(parameters or {}), **{k: v for k, v in members.items() if v is not None}}
            # Of a person: with `--trust separate`, only the topic of answers says that it is them. Others may have the right to write requests alone.
            self.send(session, "intent.requested.v1", data, id=id, topic="answers" if self.principal else "requests")
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
        """Cancels a request; the active one if none is named.

        A client without a principal writes requests to another topic, and there is no order between the two: wait for the first result of a request before it is cancelled.
        """
        return self.send(session, "intent.cancelled.v1", {"request": request} if request else {})

    def send(self, session: str, type: str, data: Mapping[str, JSON], *, id: Optional[str] = None, topic: str = "answers") -> str:
        """Writes any event of the person's side, and waits until Kafka has it. Returns its id.

        Raises NotDelivered if Kafka does not take it, and ValueError or TypeError for what can't be written as JSON, and for a session that is none.
        """
        id, key, value = id or str(uuid.uuid4()), _session_key(session), _json(data)
        headers = {
            "ce_specversion": "1.0", "ce_id": id, "ce_source": "/intents/python", "ce_type": type, "ce_time": _now(), "content-type": "application/json",
        }  # fmt: skip
        if self.principal:
            headers.update(ce_authtype=self.principal.kind, ce_authid=self.principal.id)
            if self.principal.roles:
                headers.update(ce_authclaims=json.dumps({"roles": list(self.principal.roles)}))
        reports: List[Optional[KafkaError]] = []
        try:
            self._producer.produce(
                f"{self.topic_prefix}.{topic}", key=key, value=value, headers=list(headers.items()), on_delivery=lambda error, _: reports.append(error))  # fmt: skip
        except (KafkaException, BufferError) as error:
            raise NotDelivered(f"the event {id} was not sent: {error}") from error
        deadline = time.monotonic() + self.timeout
        while not reports and time.monotonic() < deadline:
            self._producer.poll(0.1)
        if not reports:
            raise NotDelivered(self._complaints.after(f"Kafka has not acknowledged the event {id} in {self.timeout:g} s, and may still do so"))
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
    """One request and what is said about it, for one thread. Close it, or use it in a with statement, when it is over. That does not cancel the request."""

    def __init__(self, client: IntentClient, session: str, request: str, listener: Listener) -> None:
        self._client, self._listener = client, listener
        self.session, self.request = session, request
        self._sent = {request}
        self._asked: Optional[Result] = None
        self._kept: Deque[Result] = deque()

    def next(self, timeout: float = 60) -> Result:
        """The next result about this request. Raises NoResult if none comes in so many seconds, and Rejected if one of our events was not accepted."""
        return self._kept.popleft() if self._kept else self._receive(timeout)

    def _receive(self, timeout: float) -> Result:
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            result = self._listener.next(left)
            if result is None:
                break
            if result.is_rejection and result.data.get("event") in self._sent:
                raise result.rejection()
            if result.request == self.request:
                return result
        raise NoResult(f"nothing about the request {self.request} in {timeout:g} s; if the pipeline runs, it goes on, and can be cancelled")

    def answer(self, prompt: Result, answer: Answer = Answer()) -> None:
        """Answers a prompt of this conversation."""
        self._asked = prompt
        self._sent.add(self._client.answer(self.session, prompt.prompt, answer))

    def options(self, prompt: Result, search: str = "", start: str = "", *, limit: int = 25, timeout: float = 60) -> Result:
        """A page of the options of an open prompt: those with all words of the search, from the start that `options_next` of the page before tells.

        The prompt has the first 25 itself. Other results that come meanwhile are left for `next`, whose errors this raises, too.
        """
        asked = {"prompt": prompt.prompt, "limit": limit, **({"search": search} if search else {}), **({"start": start} if start else {})}
        self._sent.add(self._client.send(self.session, "options.requested.v1", asked))
        deadline = time.monotonic() + timeout
        while True:
            try:
                result = self._receive(deadline - time.monotonic())
            except NoResult:
                raise NoResult(f"no options of the prompt {prompt.prompt} in {timeout:g} s") from None
            if result.type != "options.listed.v1":
                self._kept.append(result)
            elif result.prompt == prompt.prompt and result.data.get("search", "") == search:
                return result
            # The others are late pages of earlier searches.

    def correct(self, parameter: str, value: JSON) -> None:
        self._sent.add(self._client.correct(self.session, parameter, value, self.request))

    def cancel(self) -> None:
        self._sent.add(self._client.cancel(self.session, self.request))

    def converse(
        self, answer: Callable[[Result], Answer], *, timeout: float = 120, on_result: Optional[Callable[[Result], None]] = None
    ) -> Result:
        """Answers each prompt with what the function returns, and returns the completion. timeout is for each result, in seconds.

        Words that are no answer are asked about again: the function gets the prompt once more, with what the pipeline says to them as its dialog.
        Raises what `next` raises. After Rejected the prompt may still be open (its message says so or what to do): call converse again, or answer, or cancel.
        on_result is told of all others: progress, and offers to an app.
        """
        while True:
            result = self.next(timeout)
            if result.is_completion:
                return result
            asked = self._asked
            if result.is_prompt:
                self.answer(result, answer(result))
            elif result.is_reading and asked and asked.prompt == result.prompt and result.dialog:
                self.answer(asked, answer(replace(asked, data={**asked.data, "dialog": result.dialog})))
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
    _cancelled: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    @property
    def is_cancelled(self) -> bool:
        """Whether the outcome is no longer needed: the request was cancelled, or its deadline has passed. A long function checks it, and returns cancelled()."""
        return self._cancelled.is_set()

    @property
    def idempotency_key(self) -> str:
        """The same for every repeat: pass it on to every call that must not happen twice."""
        return str(self.data.get("idempotencyKey", ""))


WorkFunction = Callable[[Work], Outcome]
_OUTCOME_OF = {"resolve": ("resolver", "resolved"), "confirm": ("confirmer", "confirmed"), "handle": ("handler", "handled")}


class IntentWorker:
    """Resolves, confirms and handles intents, as a service of its own beside those of other programs.

    Work may come more than once: a crash, or another process that takes over a partition, repeats what was not committed. A record that can't be read is passed over,
    and told on standard error. concurrency is how many functions of a phase run at the same time, each in a thread; those of one session run one after the other.

    A function that has not returned some seconds after the work's deadline is abandoned: its thread can't be ended, and other work goes on without it.
    """

    def __init__(self, service: str, version: str = "1.0.0", *, concurrency: int = 16) -> None:
        if concurrency < 1:
            raise ValueError("concurrency is at least 1")
        self.service, self.version, self.concurrency = service, version, concurrency
        self._entries: Dict[str, Dict[str, JSON]] = {}
        self._functions: Dict[Tuple[str, str], WorkFunction] = {}

    def serve(self, intent: str, *, title: str, parameters: Sequence[Mapping[str, JSON]] = (), **members: JSON) -> None:
        """Declares an intent for the catalogue, which tells others how to ask for it. members are others of `intent.served.v1`, such as confirmation="always"."""
        if members.get("effect") == "atMostOnce":
            raise ValueError(f"'{intent}' must not be handled twice (effect='atMostOnce'), which this worker can't promise: serve it with a worker in Swift")
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
            outcome = function(work)
            if not isinstance(outcome, dict) or not outcome:
                print(f"{work.phase} of '{work.intent}' has returned {type(outcome).__name__}", file=sys.stderr)
                return _failure(work, "has returned no outcome: it returns what one of the functions for it makes, such as succeeded()")
            return self._described(work, outcome)
        except Retry as retry:
            return {"failure": {"disposition": "retry", "after": int(retry.after * 1_000), "reason": "busy", "message": str(retry)}}
        except KeyboardInterrupt:  # Of a test, in the main thread.
            raise
        except BaseException as error:  # sys.exit too: the same work would end the next process.
            traceback.print_exc()
            return _failure(work, f"ended with {type(error).__name__}")

    def _as_declared(self, work: Work) -> Outcome:
        def one(declared: Mapping[str, JSON]) -> Outcome:
            value = work.values.get(declared["name"])
            if value is not None:
                return success(value)
            return needs_value() if declared.get("required") else not_required()

        return self._described(work, resolved({d["name"]: one(d) for d in self._entries[work.intent]["parameters"]}))

    def _described(self, work: Work, outcome: Outcome) -> Outcome:
        """The resolutions with what is declared of their parameters: coordinators know of it only what outcomes say."""
        declared = {d["name"]: d for d in self._entries[work.intent]["parameters"]}
        for resolution in outcome.get("resolutions", []):
            declaration = declared.get(resolution["parameter"], {})
            if title := declaration.get("title"):
                resolution.setdefault("title", title)
            if "type" in declaration and not {"success", "notRequired"} & resolution.keys():
                told = {"required": True, "sensitivity": "private", **{n: declaration[n] for n in _DECLARED if n in declaration}}
                resolution.setdefault("declaration", told)
            if declaration.get("sensitivity") == "secret":
                resolution["secret"] = True
        return outcome

    def run(
        self, bootstrap_servers: Optional[str] = None, *, topic_prefix: Optional[str] = None, instance: Optional[str] = None,
        properties: Optional[Mapping[str, str]] = None, ending: Optional[threading.Event] = None,
    ) -> None:  # fmt: skip
        """Works until the event is set, then finishes what was begun. Raises what ended one of its threads; let a supervisor start the program again then."""
        self._check()
        topic_prefix = _prefix(topic_prefix)
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
        # If it ends by a fault, the lease goes on for some minutes: requests wait for the process that a supervisor starts.
        bodies.append(lambda: self._publish(connection, topic_prefix, own, ending, lambda: not failures))
        threads = [threading.Thread(target=guarded(body)) for body in bodies]
        for thread in threads:
            thread.start()
        # A signal's handler runs in the main thread, and not while that waits without a limit.
        while not ending.wait(0.2):
            pass
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def _publish(
        self, connection: Mapping[str, Any], prefix: str, source: str, ending: threading.Event, withdraws: Callable[[], bool]
    ) -> None:  # fmt: skip
        """Says in the catalogue what is served, and every five seconds that this process still does. Withdraws it at the end."""
        producer, topic = _producer(connection), f"{prefix}.catalog"
        lease_key = f"worker/{self.service}/{source.rsplit('/', 1)[1]}"
        lease = {
            "service": self.service, "instance": source.rsplit("/", 1)[1], "version": self.version, "intents": [*self._entries],
            "phases": [*_OUTCOME_OF], "validFor": 300_000, "started": _now(), "renewal": 5_000,
        }  # fmt: skip
        renewals = 0
        while not ending.is_set():
            records = [("worker.serving.v1", lease_key, lease)]
            if renewals % 17_280 == 0:  # Once a day, because the topic keeps a week.
                served = [("intent.served.v1", f"intent/{self.service}/{name}", {"service": self.service, **e}) for name, e in self._entries.items()]
                records = [*served, *records]
            for kind, key, data in records:
                _produce(producer, topic, key, data, kind, f"{key}@{_now()}", source)
            while producer.flush(1) and not ending.is_set():
                pass
            renewals += 1
            ending.wait(5)
        if withdraws():
            producer.produce(topic, key=lease_key.encode(), value=None)
            producer.flush(10)


_DECLARED = ("type", "required", "description", "range", "size", "sensitivity", "input")
"""What a prompt tells of its parameter, so that a form fits it."""


def _raise(error: Optional[KafkaError], _: Message) -> None:
    if error is not None:
        raise KafkaException(error)


def _produce(
    producer: Producer, topic: str, key: str, data: Mapping[str, JSON], kind: str, id: str, source: str, partition: int = -1,
    on_delivery: Optional[Callable[[Optional[KafkaError], Message], None]] = None, **headers: str,
) -> None:  # fmt: skip
    own = {
        "ce_specversion": "1.0", "ce_id": id, "ce_source": source, "ce_type": kind, "ce_time": _now(), "content-type": "application/json", **headers,
    }  # fmt: skip
    producer.produce(topic, key=key.encode(), value=_json(data), partition=partition, headers=list(own.items()), on_delivery=on_delivery or _raise)


def _failure(work: Work, what: str, reason: str = "internal") -> Outcome:
    return {"failure": {"disposition": "failure", "code": "failure", "reason": reason, "message": f"{work.phase} of '{work.intent}' {what}"}}


_MAXIMUM_OUTCOME = 256 * 1024
"""The bytes that coordinators take (the article Events)."""
_GRACE = 5.0
"""Seconds after its deadline until a function that runs is abandoned."""
_DRAIN = 15.0
"""Seconds that functions get to return when the process ends."""
_HANDOVER = 5.0
"""Seconds that they get when another process takes over their partitions. The whole group waits for it."""


@dataclass(eq=False)
class _Job:
    work: Work
    partition: int
    offset: int
    headers: Dict[str, str]
    deadline: float
    """In seconds since 1970; until then its outcome is of use."""
    is_running: bool = False
    is_abandoned: bool = False


class _Offsets:
    """What may be committed of one partition: everything before the first record whose outcome Kafka has not acknowledged."""

    def __init__(self) -> None:
        self._open: "OrderedDict[int, None]" = OrderedDict()
        self._next, self._committed = -1, -1
        self.ended: Set[int] = set()
        """Those that have ended behind one that has not."""

    def begin(self, offset: int) -> None:
        self._open[offset] = None
        self._next = offset + 1

    def end(self, offset: int) -> None:
        self._open.pop(offset, None)
        self.ended.add(offset)
        position = next(iter(self._open), self._next)
        if offset < position:
            self.ended = {other for other in self.ended if other > position}

    def due(self) -> Optional[int]:
        position = next(iter(self._open), self._next)
        if position <= self._committed:
            return None
        self._committed = position
        return position


class _PhaseLoop:
    """Takes the work of one phase, and commits each record once its outcome is in the log.

    The thread that polls Kafka calls no functions: the group can share the partitions again while one runs, however long that takes. Each session has a lane of its
    own, so that its jobs run one after the other, and a slow one delays no other session.
    """

    def __init__(
        self, worker: IntentWorker, phase: str, connection: Mapping[str, Any], prefix: str, source: str, ending: threading.Event
    ) -> None:
        self.worker, self.phase, self.connection, self.prefix, self.source, self.ending = worker, phase, connection, prefix, source, ending
        self._topic, (self._role, _) = f"{prefix}.{phase}", _OUTCOME_OF[phase]
        self._maximum = max(100, 4 * worker.concurrency)
        # Of the thread that polls.
        self._offsets: Dict[int, _Offsets] = {}
        self._ended_away: Set[Tuple[int, int]] = set()
        self._complaints: Dict[str, float] = {}
        self._next_commit, self._is_paused, self._is_new = 0.0, False, False
        # Of that thread and those of functions.
        self._lock = threading.Lock()
        self._lanes: Dict[str, Deque[_Job]] = {}
        self._ready: Deque[str] = deque()
        self._jobs: Dict[Tuple[int, int], _Job] = {}
        self._threads, self._abandoned = 0, 0
        self._fault: Optional[BaseException] = None

    def run(self) -> None:
        self._producer = _producer(self.connection)
        # The same assignment (range, eager) as in the other groups of a pipeline.
        consumer = Consumer({
            **self.connection, "group.id": f"{self.prefix}.{self.worker.service}.{self._role}", "enable.auto.commit": False,
            "enable.auto.offset.store": False, "auto.offset.reset": "earliest", "partition.assignment.strategy": "range", "fetch.wait.max.ms": 100,
            "queued.min.messages": 1_000, "session.timeout.ms": 10_000, "heartbeat.interval.ms": 1_000, "on_commit": self._committed})  # fmt: skip
        try:
            consumer.subscribe([self._topic], on_assign=self._assigned, on_revoke=self._revoked, on_lost=self._lost)
            while not self.ending.is_set():
                self._step(consumer)
            self._drain(consumer)
        finally:
            consumer.close()

    def _step(self, consumer: Consumer) -> None:
        # What a delivery report raises ends the process: its work is not committed, and delivered again.
        busy = bool(self._jobs)
        self._producer.poll(0)
        if self._fault is not None:
            raise self._fault
        # One by one: a batch could have records of before a rebalance that came in between, and would wait until it is full.
        wait = 0.05 if busy else 0.5
        for _ in range(100):
            message = consumer.poll(wait)
            if message is None:
                break
            error, wait = message.error(), 0
            if error is not None:
                self._complain(error)
            else:
                self._take(message)
        self._begin()
        self._enforce_deadlines()
        self._pause_or_resume(consumer)
        self._commit(consumer)

    def _complain(self, error: KafkaError) -> None:
        """librdkafka recovers from all but fatal errors by itself. Those that stay are told once a minute."""
        if error.fatal():
            raise KafkaException(error)
        if self._complaints.get(error.name(), 0) < time.monotonic() - 60:
            self._complaints[error.name()] = time.monotonic()
            print(f"the {self._role} can't read {self._topic}: {error.str()} ({error.name()})", file=sys.stderr, flush=True)

    # Partitions.

    def _assigned(self, _: Consumer, taken: List[TopicPartition]) -> None:
        self._offsets = {place.partition: _Offsets() for place in taken}
        # librdkafka keeps a partition paused that goes and comes back.
        self._is_new = True
        print(json.dumps({"role": self._role, "partitions": sorted(self._offsets)}), flush=True)

    def _revoked(self, consumer: Consumer, _: List[TopicPartition]) -> None:
        self._forget_waiting()
        deadline = time.monotonic() + _HANDOVER
        while self._jobs and time.monotonic() < deadline:
            self._producer.poll(0.02)
        self._next_commit = 0
        self._commit(consumer, asynchronous=False)
        self._lost(consumer, [])

    def _lost(self, _: Consumer, __: List[TopicPartition]) -> None:
        self._forget_waiting()
        # What has ended and can't be committed is not done again if its partition comes back.
        away = {(partition, offset) for partition, offsets in self._offsets.items() for offset in offsets.ended}
        self._ended_away = away if len(self._ended_away) > 10_000 else self._ended_away | away
        self._offsets = {}

    def _forget_waiting(self) -> None:
        """Drops the work that has not begun. It is delivered again, here or to another process."""
        with self._lock:
            for session, lane in list(self._lanes.items()):
                for job in lane:
                    if not job.is_running:
                        self._jobs.pop((job.partition, job.offset), None)
                self._lanes[session] = deque(job for job in lane if job.is_running)
                if not self._lanes[session]:
                    del self._lanes[session]
            self._ready.clear()

    def _pause_or_resume(self, consumer: Consumer) -> None:
        # While paused it still polls, as members of a group have to.
        pauses = len(self._jobs) > self._maximum // 2 if self._is_paused else len(self._jobs) >= self._maximum
        if pauses == self._is_paused and not self._is_new:
            return
        (consumer.pause if pauses else consumer.resume)(consumer.assignment())
        self._is_paused, self._is_new = pauses, False

    def _commit(self, consumer: Consumer, asynchronous: bool = True) -> None:
        if time.monotonic() < self._next_commit:
            return
        due = [(partition, offsets.due()) for partition, offsets in self._offsets.items()]
        places = [TopicPartition(self._topic, partition, offset) for partition, offset in due if offset is not None and offset >= 0]
        if not places:
            return
        self._next_commit = time.monotonic() + 0.2
        try:
            if asynchronous:
                consumer.commit(offsets=places)
            else:
                consumer.commit(offsets=places, asynchronous=False)
        except KafkaException as error:
            self._committed(error.args[0], places)

    @staticmethod
    def _committed(error: Optional[KafkaError], _: List[TopicPartition]) -> None:
        if error is not None:  # Another member has the partitions now and repeats the work, which is harmless.
            print(f"not committed: {error.str()}", file=sys.stderr)

    # Records.

    def _take(self, message: Message) -> None:
        partition, offset = message.partition() or 0, message.offset() or 0
        offsets = self._offsets.get(partition)
        if offsets is None:
            return  # Of a partition that was just revoked.
        offsets.begin(offset)
        if (partition, offset) in self._jobs:
            return  # It runs since before the partition was away.
        found = None if (partition, offset) in self._ended_away else self._read(message)
        if found is None:
            return offsets.end(offset)
        kind, work, headers = found
        if kind == "intent.cancel.v1":
            self._cancel(work)
        elif kind == f"intent.{self.phase}.v1":
            job = _Job(work, partition, offset, headers, _seconds(work.data.get("deadline")))
            if job.deadline > time.time():
                with self._lock:
                    self._jobs[partition, offset] = job
                    lane = self._lanes.setdefault(work.session, deque())
                    lane.append(job)
                    if len(lane) == 1:
                        self._ready.append(work.session)
                return
        offsets.end(offset)  # Nothing is to be done, or the coordinator does not wait for it any more.

    def _cancel(self, cancel: Work) -> None:
        # A cancel applies to the steps up to its own. The function of a job that waits is not called.
        with self._lock:
            for job in self._lanes.get(cancel.session, ()):
                if job.work.request == cancel.request and job.work.step <= cancel.step:
                    job.work._cancelled.set()

    def _read(self, message: Message) -> Optional[Tuple[str, Work, Dict[str, str]]]:
        headers = _headers(message)
        try:
            data = _data(message, headers)
            values = {name: state.get("value") for name, state in (data.get("parameters") or {}).items()}
            key, intent, request = message.key(), data["intent"], data["request"]
            if key is None or not isinstance(intent, str) or not isinstance(request, str):
                raise ValueError("it has no key, or no intent and request")
            work = Work(intent, self.phase, key.decode(), request, int(data["step"]), values, data)
        except Encrypted:
            raise
        except Exception as error:  # Whose it is can't be said: the default service makes a dead letter of it.
            print(f"passed over {message.topic()} {message.partition()}/{message.offset()}: {error!r}"[:500], file=sys.stderr)
            return None
        # The work of other services is theirs.
        return (headers.get("ce_type", ""), work, headers) if data.get("service") == self.worker.service else None

    # Functions.

    def _begin(self) -> None:
        """Starts threads for what waits. Not before a batch is read: what came with its cancel is not begun."""
        with self._lock:
            while self._ready and self._threads < self.worker.concurrency:
                self._threads += 1
                # The process does not wait for a function that never returns.
                threading.Thread(target=self._guarded, args=(self._ready.popleft(),), daemon=True).start()

    def _guarded(self, session: str) -> None:
        try:
            self._run_lane(session)
        except BaseException as error:
            self._fault = error

    def _run_lane(self, session: str) -> None:
        """Works on what waits, session by session, until nothing does."""
        while True:
            with self._lock:
                job = self._next(session)
                if job is None:
                    if not self._ready:
                        self._threads -= 1
                        return
                    session = self._ready.popleft()
                    continue
                job.is_running = True
            self._report(job, cancelled() if job.work.is_cancelled else self.worker.perform(job.work))
            with self._lock:
                if job.is_abandoned:  # Its lane, slot and offset are others' now.
                    self._abandoned -= 1
                    return
                lane = self._lanes[session]
                lane.popleft()
                if not lane:
                    del self._lanes[session]
                elif self._ready:  # Others first.
                    self._ready.append(session)
                    session = self._ready.popleft()

    def _next(self, session: str) -> Optional[_Job]:
        lane = self._lanes.get(session)
        return lane[0] if lane and not lane[0].is_running else None

    def _enforce_deadlines(self) -> None:
        now = time.time()
        late = [job for job in list(self._jobs.values()) if job.deadline < now]
        for job in late:
            job.work._cancelled.set()
            if not job.is_running or job.is_abandoned or job.deadline + _GRACE > now:
                continue
            with self._lock:
                lane = self._lanes.get(job.work.session)
                if not lane or lane[0] is not job:
                    continue  # It has just returned.
                job.is_abandoned = True
                self._abandoned += 1
                self._threads -= 1
                lane.popleft()
                if lane:
                    self._ready.append(job.work.session)
                else:
                    del self._lanes[job.work.session]
            self._ended(job)
            print(f"{self.phase} of '{job.work.intent}' does not return although its time is over, and is abandoned", file=sys.stderr, flush=True)
            if self._abandoned > self.worker.concurrency:
                raise IntentPipelineError(f"{self._abandoned} functions do not return: the process has to be restarted")

    def _report(self, job: _Job, outcome: Outcome) -> None:
        work, ticket = job.work, {"ticket": job.work.data["ticket"]} if "ticket" in job.work.data else {}
        data = {"request": work.request, "step": work.step, **ticket, **outcome}
        try:
            size = len(_json(data))
            if size > _MAXIMUM_OUTCOME:
                data = {**data, **_failure(work, f"has returned {size} bytes, and {_MAXIMUM_OUTCOME} are possible", "complex")}
        except Exception as error:  # Work whose outcome can't be written must not end each process that takes it.
            traceback.print_exc()
            data = {**data, **_failure(work, f"has returned what is no JSON: {type(error).__name__}")}
        if data.get("failure") and not outcome.get("failure"):
            data = {name: data[name] for name in ("request", "step", "ticket", "failure") if name in data}
        session = work.session.replace("%", "%25").replace("/", "%2F")
        trace = {name: job.headers[name] for name in ("traceparent", "tracestate") if name in job.headers}
        while True:
            try:
                return _produce(
                    self._producer, f"{self.prefix}.outcomes", work.session, data, f"intent.{_OUTCOME_OF[self.phase][1]}.v1",
                    f"{session}/{work.request}.{work.step}.outcome", self.source, job.partition, lambda error, message: self._delivered(job, error, message),
                    ce_subject=work.request, **trace)  # fmt: skip
            except BufferError:  # The thread that polls makes room.
                time.sleep(0.05)

    def _delivered(self, job: _Job, error: Optional[KafkaError], message: Message) -> None:
        _raise(error, message)
        self._ended(job)

    def _ended(self, job: _Job) -> None:
        place = job.partition, job.offset
        if self._jobs.get(place) is job:
            with self._lock:
                del self._jobs[place]
            offsets = self._offsets.get(job.partition)
            if offsets is None:
                self._ended_away.add(place)
            else:
                offsets.end(job.offset)

    def _drain(self, consumer: Consumer) -> None:
        """Lets what was begun return, within a bound, and commits it."""
        self._forget_waiting()
        deadline = time.monotonic() + _DRAIN
        while self._jobs and time.monotonic() < deadline:
            self._producer.poll(0.02)
            self._enforce_deadlines()
        self._next_commit = 0
        self._commit(consumer, asynchronous=False)
        self._offsets, self._jobs = {}, {}


def _seconds(time_text: JSON) -> float:
    """A time of the wire in seconds since 1970; without one, or if it can't be read, it never comes."""
    try:
        return datetime.fromisoformat(str(time_text).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return float("inf")


def _properties(lines: Iterable[str], source: str) -> Dict[str, str]:
    """librdkafka's properties, as kcat reads them: blank lines and those with # are passed over."""
    found: Dict[str, str] = {}
    for number, line in enumerate((line.strip() for line in lines), start=1):
        name, equals, value = line.partition("=")
        if line and not line.startswith("#"):
            if not equals:
                raise ValueError(f"{source} {number} is not name=value")
            found[name.strip()] = value.strip()
    return found


def _properties_file(path: Optional[str]) -> Dict[str, str]:
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return _properties(file, f"{path}, line")


def main(worker: IntentWorker, arguments: Optional[Sequence[str]] = None) -> None:
    """The command line of a worker program. SIGTERM and SIGINT end it once it has finished what it has begun."""
    parser = argparse.ArgumentParser(description=f"Serves the intents of '{worker.service}'.")
    parser.add_argument("-b", "--bootstrap-servers", help="Kafka's addresses [environment: KAFKA_BOOTSTRAP_SERVERS]")
    parser.add_argument("-X", dest="properties", action="append", default=[], metavar="NAME=VALUE", help="a property of librdkafka, but no secret; may be repeated")
    parser.add_argument("--kafka-config", metavar="FILE", help="librdkafka's properties, also secrets, one NAME=VALUE per line [environment: INTENTS_KAFKA_CONFIG]")
    parser.add_argument("--topic-prefix", help="of topics and groups [environment: INTENTS_TOPIC_PREFIX]")
    parser.add_argument("--service", default=worker.service, help="its name in the catalogue, and of its consumer groups")
    parser.add_argument("--instance", help="the name of this process; defaults to host and process id")
    options = parser.parse_args(arguments)
    try:
        own = _properties(options.properties, "-X")
        secrets = [name for name in own if name.endswith((".password", ".passphrase", ".secret", ".key.pem"))]
        if secrets:
            raise ValueError(f"{secrets[0]} is a secret, and every user of this machine can read arguments: write it to the file of --kafka-config")
        properties = {**_properties_file(options.kafka_config or os.environ.get("INTENTS_KAFKA_CONFIG")), **own}
    except (ValueError, OSError) as error:
        parser.error(str(error))
    # As for the programs in Swift, the properties do not replace an address that is named.
    servers = options.bootstrap_servers or os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    worker.service, ending = options.service, threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.set())
    try:
        worker.run(
            servers, topic_prefix=options.topic_prefix, instance=options.instance, ending=ending,
            properties=properties)  # fmt: skip
    except ValueError as error:
        parser.error(str(error))
    except (KafkaException, IntentPipelineError) as error:
        print(error, file=sys.stderr)
        sys.exit(4)


# MARK: What a worker's functions return


def parameter(name: str, title: str, schema: Mapping[str, JSON], *, required: bool = True, **members: JSON) -> Dict[str, JSON]:
    """A parameter for IntentWorker.serve. schema is the JSON Schema of its values; members are others of the catalogue, such as options, and sensitivity="secret":
    the pipeline then tells the value to nobody but the worker."""
    kind = str(schema.get("type") or "value")
    return {"name": name, "title": title, "required": required, "type": {"name": kind, "description": kind, "schema": dict(schema)}, **members}


def option(id: str, title: str, value: JSON = None, **members: JSON) -> Dict[str, JSON]:
    """An option to choose; its value defaults to its id. members: subtitle, synonyms, section, image, and comparison, such as {"price": 12.5}: with a number in
    each option, "the cheaper one" is an answer. The numbers are price, time, distance, duration and size."""
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


def ready(
    dialog: Optional[str] = None, *, confirm: Optional[str] = None, summary: Optional[str] = None, approval: Optional[Mapping[str, JSON]] = None,
) -> Outcome:  # fmt: skip
    """The outcome of a confirmer: it can be done. With confirm, the person is asked that first.

    With approval, others have to agree: {"approvers": [{"role": "finance"}], "count": 2}. The shape `approval` of the events has all of its members.
    """
    confirmation = _some(dialog=confirm, summary=summary)
    return _some(code="ready", dialog=dialog, confirmation=confirmation or None, approval=approval)


def cancelled() -> Outcome:
    """The outcome of a function that has seen that its work is cancelled, and has changed nothing."""
    return {"cancelled": True}


def succeeded(dialog: Optional[str] = None, **response: JSON) -> Outcome:
    """The outcome of a handler: it is done. response is what came of it, by name."""
    return _some(code="success", dialog=dialog, response=response or None)


def failed(dialog: Optional[str] = None, code: str = "failure", **response: JSON) -> Outcome:
    """The outcome of a confirmer or a handler: it can't be done. code begins with `failure`."""
    if not code.startswith("failure"):
        raise ValueError(f"the code of a failure begins with 'failure', and this is '{code}'")
    return _some(code=code, dialog=dialog, response=response or None)
