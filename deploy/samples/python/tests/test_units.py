"""What needs no pipeline."""

import os
import socket
import threading
from pathlib import Path
from typing import Any, Dict, Optional

import pytest
from confluent_kafka import TopicPartition

import intent_pipeline
import intent_pipeline_program
from intent_pipeline import (
    Answer, IntentClient, IntentWorker, NoResult, NotDelivered, Outcome, Principal, Rejected, Result, Retry, SequenceFilter, Unavailable, Work, _Offsets, _PhaseLoop, _time_zone, failed, needs_value, not_required, parameter, partition_of, ready,
    resolved, succeeded, success,
)  # fmt: skip


def result(sequence: int, session: str = "s", id: Optional[str] = None, at: int = 0, **data: Any) -> Result:
    return Result("intent.progressed.v1", {"session": session, "sequence": sequence, **data}, id or f"{session}/{sequence}", timestamp=at)


def test_the_pipeline_of_intents_dev_is_found_unless_another_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAFKA_BOOTSTRAP_SERVERS", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as broker:
        host, port = broker.getsockname()
        monkeypatch.setattr(intent_pipeline, "_DEVELOPMENT", (host, port))
        assert intent_pipeline._connection(None, None)["bootstrap.servers"] == f"{host}:{port}"
        assert intent_pipeline._connection("kafka:1", None)["bootstrap.servers"] == "kafka:1"
        for name in ("bootstrap.servers", "metadata.broker.list"):
            assert intent_pipeline._connection(None, {name: "kafka:2"})["bootstrap.servers"] == "kafka:2"
            connection = intent_pipeline._connection("kafka:1", {name: "kafka:2"})
            assert connection["bootstrap.servers"] == "kafka:1" and "metadata.broker.list" not in connection
        monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", "")
        with pytest.raises(ValueError, match="there is no Kafka"):
            intent_pipeline._connection(None, None)
    monkeypatch.delenv("KAFKA_BOOTSTRAP_SERVERS")
    with pytest.raises(ValueError, match="intents dev"):
        intent_pipeline._connection(None, None)


@pytest.mark.parametrize(
    "key, hash",
    # Those of Kafka's own tests of its Java client.
    [("21", -973932308), ("foobar", -790332482), ("a-little-bit-long-string", -985981536), ("a-little-bit-longer-string", -1486304829),
     ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971), ("abc", 479470107)],
)  # fmt: skip
def test_a_key_belongs_to_the_partition_that_java_chooses(key: str, hash: int) -> None:
    for count in (1, 4, 12, 1_000):
        assert partition_of(key.encode(), count) == (hash & 0x7FFFFFFF) % count


def test_copies_are_left_out_and_gaps_are_told() -> None:
    filter = SequenceFilter()
    assert [filter.missed(result(n)) for n in (1, 2, 2, 1)] == [0, 0, None, None]
    assert filter.missed(result(5)) == 2
    # What was missing comes late, once.
    assert [filter.missed(result(n)) for n in (4, 4, 3, 6)] == [0, None, 0, 0]
    # The first result that is seen of a session may have any number.
    assert filter.missed(result(7, "other")) == 0


def test_a_forgotten_session_begins_again() -> None:
    filter = SequenceFilter()
    assert [filter.missed(result(n)) for n in (1, 2)] == [0, 0]
    assert filter.missed(result(1, id="another")) == 0
    assert [filter.missed(result(n, id="later")) for n in (2, 2)] == [0, None]


def test_a_session_that_begins_again_is_followed_though_its_first_result_was_not_seen() -> None:
    filter = SequenceFilter()
    assert filter.missed(result(5, at=1_000)) == 0
    # A copy of the first, which is older.
    assert filter.missed(result(1, at=900)) is None
    assert [filter.missed(result(n, id=f"later/{n}", at=2_000 + n)) for n in (1, 2)] == [0, 0]


def test_a_number_that_no_session_counts_to_is_no_place_in_the_order() -> None:
    filter = SequenceFilter()
    assert [filter.missed(result(n)) for n in (1, 1 << 60, 2)] == [0, 0, 0]


def test_the_sessions_that_were_silent_longest_are_dropped() -> None:
    filter = SequenceFilter(maximum_sessions=2)
    for session in ("a", "b", "a", "c"):
        filter.missed(result(1, session))
    assert filter.missed(result(1, "a")) is None
    assert filter.missed(result(1, "b")) == 0


def test_rejections_outside_of_sessions_are_new() -> None:
    filter = SequenceFilter()
    rejection = Result("request.rejected.v1", {"reason": "busy", "message": "later", "retryAfter": 1500})
    assert [filter.missed(rejection), filter.missed(rejection)] == [0, 0]
    raised = rejection.rejection()
    assert isinstance(raised, Rejected) and raised.reason == "busy" and raised.retry_after == 1.5


def test_an_answer_has_only_what_it_says() -> None:
    assert Answer().data("p") == {"prompt": "p", "action": "accept"}
    assert Answer(value=0).data("p") == {"prompt": "p", "action": "accept", "value": 0}


def test_what_a_person_types_is_sent_in_their_words() -> None:
    assert Answer.typed(" the second one ").data("p") == {"prompt": "p", "utterance": "the second one"}
    assert Answer.typed("").data("p") == {"prompt": "p", "action": "decline"}
    assert Answer(action="delegate", delegate=Principal("cem")).data("p") == {
        "prompt": "p", "action": "delegate", "delegate": {"type": "app_user", "id": "cem"}}  # fmt: skip
    assert Answer(utterance="oui", language="fr").data("p") == {"prompt": "p", "utterance": "oui", "language": "fr"}
    with pytest.raises(ValueError, match="utterance"):
        Answer(utterance="yes", value=1).data("p")


@pytest.mark.parametrize("session", ["", "$x", "é" * 65, "a\nb", "\ud800"])
def test_what_is_no_session_is_told_before_anything_is_sent(session: str) -> None:
    with pytest.raises(ValueError):
        IntentClient("localhost:1", timeout=0.1).send(session, "intent.requested.v1", {"intent": "Brew"})


def test_a_kafka_that_is_not_there_is_named() -> None:
    client = IntentClient("localhost:1", timeout=1)
    with pytest.raises(Unavailable, match="localhost:1"):
        client.ask("Brew")
    with pytest.raises(NotDelivered, match="localhost:1"):
        client.cancel("s")
    with pytest.raises(NotDelivered, match="too large"):
        client.correct("s", "beer", "x" * 2_000_000)
    with pytest.raises(ValueError):
        client.correct("s", "beer", float("nan"))


def work(phase: str, values: Optional[Dict[str, Any]] = None, intent: str = "Brew") -> Work:
    return Work(intent, phase, "s", "r", 1, values or {}, {})


def brewing() -> IntentWorker:
    worker = IntentWorker("brewery")
    worker.serve("Brew", title="Brew", parameters=[parameter("beer", "Beer", {"type": "string"}), parameter("note", "Note", {"type": "string"}, required=False)])

    @worker.handle("Brew")
    def handle(work: Work) -> Outcome:
        if work.values.get("beer") == "busy":
            raise Retry("the kettle is in use", after=2)
        return succeeded("Done.", beer=work.values["beer"])

    return worker


def test_without_functions_a_worker_does_what_is_declared() -> None:
    worker = brewing()
    asked = {**needs_value(), "title": "Beer", "declaration": {"type": {"name": "string", "description": "string", "schema": {"type": "string"}}, "required": True, "sensitivity": "private"}}
    assert worker.perform(work("resolve")) == resolved({"beer": asked, "note": {**not_required(), "title": "Note"}})
    assert worker.perform(work("resolve", {"beer": "ale"}))["resolutions"][0] == {"parameter": "beer", "title": "Beer", **success("ale")}
    assert worker.perform(work("confirm")) == ready()


def test_a_secret_is_marked_in_every_outcome() -> None:
    worker = IntentWorker("locks")
    worker.serve("Unlock", title="Unlock", parameters=[parameter("pin", "PIN", {"type": "string"}, sensitivity="secret")])
    asked, told = (worker.perform(work("resolve", values, "Unlock"))["resolutions"][0] for values in ({}, {"pin": "1234"}))
    assert asked["secret"] is True and asked["declaration"]["sensitivity"] == "secret"
    assert told == {"parameter": "pin", "title": "PIN", "secret": True, **success("1234")}


def test_errors_become_failures_that_say_nothing_of_values(capsys: pytest.CaptureFixture[str]) -> None:
    worker = brewing()
    assert worker.perform(work("handle", {"beer": "busy"}))["failure"] == {
        "disposition": "retry", "after": 2_000, "reason": "busy", "message": "the kettle is in use",
    }  # fmt: skip
    failure = worker.perform(work("handle", {"secret": "1234"}))["failure"]
    assert failure["disposition"] == "failure" and failure["message"] == "handle of 'Brew' ended with KeyError"
    assert "KeyError" in capsys.readouterr().err
    assert worker.perform(work("handle", intent="Other"))["failure"]["reason"] == "unsupported"


@pytest.mark.parametrize("outcome", [None, {}, "done", 3])
def test_what_is_no_outcome_becomes_a_failure_that_says_so(outcome: Any) -> None:
    worker = brewing()
    worker.handle("Brew")(lambda work: outcome)
    failure = worker.perform(work("handle"))["failure"]
    assert failure["disposition"] == "failure" and "no outcome" in failure["message"]


@pytest.mark.parametrize("after", [-1, float("inf"), float("nan")])
def test_a_retry_with_a_time_that_is_none_fails_the_request_and_not_the_worker(after: float) -> None:
    worker = brewing()

    @worker.handle("Brew")
    def handle(work: Work) -> Outcome:
        raise Retry("later", after=after)

    assert worker.perform(work("handle"))["failure"]["message"] == "handle of 'Brew' ended with ValueError"


def test_a_function_that_ends_the_program_fails_the_request() -> None:
    worker = brewing()
    worker.handle("Brew")(lambda work: exit(3))
    assert worker.perform(work("handle"))["failure"]["message"] == "handle of 'Brew' ended with SystemExit"


class Record:
    """A message as confluent-kafka has it."""

    def __init__(self, value: bytes, key: Optional[bytes] = b"s") -> None:
        self._value, self._key = value, key

    def value(self) -> bytes:
        return self._value

    def key(self) -> Optional[bytes]:
        return self._key

    def headers(self) -> "list[tuple[str, bytes]]":
        return [("ce_type", b"intent.handle.v1")]

    def topic(self) -> str:
        return "intents.handle"

    def partition(self) -> int:
        return 0

    def offset(self) -> int:
        return 7


@pytest.mark.parametrize(
    "value",
    [b"", b"{", b"[]", b"null", b"\xff", b'{"intent":"Brew","request":"r","step":1e999,"service":"brewery"}', b"[" * 100_000,
     b'{"intent":["Brew"],"request":"r","step":1,"service":"brewery"}', b'{"intent":"Brew","request":"r","step":1,"service":"brewery","parameters":{"beer":3}}'],
)  # fmt: skip
def test_work_that_cannot_be_read_is_passed_over(value: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    loop = _PhaseLoop(brewing(), "handle", {}, "intents", "/intents/test", threading.Event())
    message: Any = Record(value)
    assert loop._read(message) is None and "passed over intents.handle 0/7" in capsys.readouterr().err
    fine: Any = Record(b'{"intent":"Brew","request":"r","step":1,"service":"brewery","unknown":{"member":[1]},"parameters":{"beer":{"value":"ale"}}}')
    read = loop._read(fine)
    assert read is not None and read[1].values == {"beer": "ale"}


def test_a_commit_is_never_past_a_record_whose_outcome_is_not_acknowledged() -> None:
    offsets = _Offsets()
    assert offsets.due() is None
    for offset in (5, 6, 7):
        offsets.begin(offset)
    offsets.end(6)
    assert (offsets.due(), offsets.ended) == (5, {6})
    offsets.end(5)
    assert (offsets.due(), offsets.ended) == (7, set())
    assert offsets.due() is None
    offsets.end(7)
    assert (offsets.due(), offsets.ended) == (8, set())


def test_what_has_ended_is_not_done_again_when_its_partition_comes_back() -> None:
    loop = _PhaseLoop(brewing(), "handle", {}, "intents", "/intents/test", threading.Event())
    consumer: Any = None
    message: Any = Record(b'{"intent":"Brew","request":"r","step":1,"service":"brewery"}')
    for again in (False, True):
        loop._assigned(consumer, [TopicPartition("intents.handle", 0)])
        loop._offsets[0].begin(6)  # It runs, and holds what may be committed.
        loop._take(message)
        assert bool(loop._jobs) is not again
        for job in list(loop._jobs.values()):
            loop._ended(job)
        for _ in range(2):  # Away twice.
            loop._lost(consumer, [])
        assert loop._ended_away == {(0, 7)}


def test_a_worker_says_what_is_missing_before_it_starts() -> None:
    worker = IntentWorker("w")
    with pytest.raises(ValueError, match="nothing to serve"):
        worker.run("localhost:1")
    worker.serve("Brew", title="Brew")
    with pytest.raises(ValueError, match="nothing handles it"):
        worker.run("localhost:1")
    worker.resolve("Other")(lambda work: {})
    with pytest.raises(ValueError, match="not declared"):
        worker.run("localhost:1")
    with pytest.raises(ValueError, match="handled twice"):
        worker.serve("Pay", title="Pay", effect="atMostOnce")
    with pytest.raises(ValueError, match="begins with 'failure'"):
        failed(code="broken")


@pytest.mark.parametrize(("zone", "found"), [("Europe/Dublin", "Europe/Dublin"), (":America/Lima", "America/Lima"), ("Nowhere/Else", None), ("../etc/passwd", None)])
def test_the_machines_time_zone_is_a_name_or_none(monkeypatch: pytest.MonkeyPatch, zone: str, found: Optional[str]) -> None:
    monkeypatch.setenv("TZ", zone)
    assert _time_zone() == found


def test_a_wrong_broker_is_told_in_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    client = IntentClient("127.0.0.1:1", timeout=1)
    with pytest.raises(Unavailable, match="Kafka at 127.0.0.1:1 does not answer: is the address right"):
        client.ask("RequestRide")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("folder", "name"), [("", "intents"), ("elsewhere", "{}/elsewhere/intents")])
def test_a_command_is_the_program_under_the_name_that_was_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str, name: str) -> None:
    command = tmp_path / folder / "intents"
    command.parent.mkdir(exist_ok=True)
    command.touch(mode=0o700)
    started = []
    monkeypatch.setattr(intent_pipeline_program, "carried_program", lambda: "/program")
    monkeypatch.setattr(os, "execv", lambda *arguments: started.append(arguments))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", [str(command), "dev"])
    intent_pipeline_program.main()
    assert started == [("/program", [name.format(tmp_path), "dev"])]


def test_the_sources_carry_no_program() -> None:
    with pytest.raises(SystemExit, match="install a wheel"):
        intent_pipeline_program.main()


class Heard:
    """A listener that has these results."""

    def __init__(self, *results: Result) -> None:
        self._results = list(results)

    def next(self, timeout: float) -> Optional[Result]:
        return self._results.pop(0) if self._results and timeout > 0 else None


def test_what_comes_while_options_are_listed_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    client = IntentClient("localhost:1", timeout=0.1)
    monkeypatch.setattr(client, "send", lambda *_: "asked")

    def heard(type: str, **data: Any) -> Result:
        return Result(type, {"session": "s", "request": "r", **data}, type)

    prompt, progress = heard("prompt.issued.v1", prompt="p"), heard("intent.progressed.v1")
    page, completion = heard("options.listed.v1", prompt="p"), heard("intent.completed.v1", status="cancelled")
    listener: Any = Heard(progress, page, completion)
    conversation = intent_pipeline.Conversation(client, "s", "r", listener)
    assert conversation.options(prompt) is page
    with pytest.raises(NoResult):
        conversation.options(prompt, timeout=0.1)
    assert [conversation.next(1), conversation.next(1)] == [progress, completion]


def test_options_are_those_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    client = IntentClient("localhost:1", timeout=0.1)
    monkeypatch.setattr(client, "send", lambda *_: "asked")

    def page(**data: Any) -> Result:
        return Result("options.listed.v1", {"session": "s", "request": "r", "prompt": "p", **data}, "page")

    prompt, late, found = page(), page(search="line 2"), page(search="line 9")
    listener: Any = Heard(late, page(prompt="other", search="line 9"), found)
    conversation = intent_pipeline.Conversation(client, "s", "r", listener)
    assert conversation.options(prompt, "line 9") is found
    with pytest.raises(NoResult, match="no options of the prompt p in 0.1 s"):
        conversation.options(prompt, "line 9", timeout=0.1)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Dict[str, Any]:
    """What main runs a worker with."""
    found: Dict[str, Any] = {}
    worker = brewing()
    monkeypatch.setattr(worker, "run", lambda servers, **options: found.update(options, servers=servers))
    intent_pipeline.main(worker, arguments)
    return found


def test_an_address_that_is_named_counts_before_that_of_the_properties(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.delenv("KAFKA_BOOTSTRAP_SERVERS", raising=False)
    file = tmp_path / "kafka.properties"
    file.write_text("bootstrap.servers=file:1\n")
    monkeypatch.setenv("INTENTS_KAFKA_CONFIG", str(file))

    def reached(*arguments: str) -> str:
        found = run(monkeypatch, *arguments)
        return str(intent_pipeline._connection(found["servers"], found["properties"])["bootstrap.servers"])

    assert [reached(), reached("-b", "argument:1")] == ["file:1", "argument:1"]
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", "environment:1")
    assert [reached(), reached("-b", "argument:1")] == ["environment:1", "argument:1"]


def test_a_worker_reads_secrets_from_a_file_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.delenv("INTENTS_KAFKA_CONFIG", raising=False)
    file = tmp_path / "kafka.properties"
    file.write_text("# Kafka\n\nsasl.password = a=b\nclient.id=file\n")
    assert run(monkeypatch, "--kafka-config", str(file), "-X", "client.id=me")["properties"] == {"sasl.password": "a=b", "client.id": "me"}
    monkeypatch.setenv("INTENTS_KAFKA_CONFIG", str(file))
    assert run(monkeypatch)["properties"] == {"sasl.password": "a=b", "client.id": "file"}
    file.write_text("client.id=me\nsasl.password\n")
    for arguments, message in [
        (["-X", "sasl.password=1234"], "sasl.password is a secret"), (["-X", "client.id"], "-X 1 is not name=value"),
        ([], "kafka.properties, line 2 is not name=value"), (["--kafka-config", "missing"], "No such file or directory: 'missing'"),
    ]:  # fmt: skip
        with pytest.raises(SystemExit):
            run(monkeypatch, *arguments)
        errors = capsys.readouterr().err
        assert message in errors and "1234" not in errors
