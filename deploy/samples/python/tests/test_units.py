"""What needs no pipeline."""

from typing import Any, Dict, Optional

import pytest

from intent_pipeline import (
    Answer, IntentWorker, Outcome, Rejected, Result, Retry, SequenceFilter, Work, failed, needs_value, not_required, parameter, partition_of, ready,
    resolved, succeeded, success,
)  # fmt: skip


def result(sequence: int, session: str = "s", id: Optional[str] = None, **data: Any) -> Result:
    return Result("intent.progressed.v1", {"session": session, "sequence": sequence, **data}, id or f"{session}/{sequence}")


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
    assert worker.perform(work("resolve")) == resolved({"beer": {**needs_value(), "title": "Beer"}, "note": {**not_required(), "title": "Note"}})
    assert worker.perform(work("resolve", {"beer": "ale"}))["resolutions"][0] == {"parameter": "beer", "title": "Beer", **success("ale")}
    assert worker.perform(work("confirm")) == ready()


def test_errors_become_failures_that_say_nothing_of_values(capsys: pytest.CaptureFixture[str]) -> None:
    worker = brewing()
    assert worker.perform(work("handle", {"beer": "busy"}))["failure"] == {
        "disposition": "retry", "after": 2_000, "reason": "busy", "message": "the kettle is in use",
    }  # fmt: skip
    failure = worker.perform(work("handle", {"secret": "1234"}))["failure"]
    assert failure["disposition"] == "failure" and failure["message"] == "handle of 'Brew' ended with KeyError"
    assert "KeyError" in capsys.readouterr().err
    assert worker.perform(work("handle", intent="Other"))["failure"]["reason"] == "unsupported"


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
    with pytest.raises(ValueError, match="begins with 'failure'"):
        failed(code="broken")
