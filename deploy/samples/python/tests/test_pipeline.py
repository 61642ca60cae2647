"""What is played through a pipeline of real processes."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional

import pytest

from intent_pipeline import Answer, Conversation, IntentClient, IntentWorker, NoResult, Outcome, Principal, Rejected, Result, Retry, Work, parameter, ready, succeeded
from pytest_intents import IntentPipeline, eventually

FOLDER = Path(__file__).resolve().parent.parent


def test_a_ride_is_asked_about_confirmed_and_booked(intent_pipeline: IntentPipeline) -> None:
    seen: List[str] = []
    with intent_pipeline.client() as client, client.ask("RequestRide", {"ride": "Economy"}) as ride:

        def answer(prompt: Result) -> Answer:
            seen.append(prompt.kind)
            return Answer(value="Connolly Station") if prompt.parameter == "dropOff" else Answer()

        completion = ride.converse(answer)
        assert (completion.status, completion.code) == ("success", "success")
        assert seen == ["value", "confirmIntent"] and completion.response and completion.dialog


def test_options_are_searched_and_a_request_that_fails_says_why(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client() as client, client.ask("RequestRide", {"dropOff": "Airport"}) as ride:
        prompt = ride.next()
        assert prompt.options_total == 2 and not prompt.options_next and not prompt.error
        page = ride.options(prompt, limit=1)
        assert [o.title for o in page.options] == ["Dublin Airport Terminal 1"] and page.options_total == 2
        rest = ride.options(prompt, start=page.options_next, limit=1)
        found = ride.options(prompt, "terminal 2")
        assert [o.title for o in rest.options] == [o.title for o in found.options] == ["Dublin Airport Terminal 2"]
        ride.cancel()
        assert ride.next().error == "It is cancelled."


def test_a_request_is_cancelled(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client() as client, client.ask("RequestRide") as ride:
        assert ride.next().is_prompt
        ride.cancel()
        assert ride.next().status == "cancelled"


class Noting(IntentClient):
    """Notes which topics it writes to."""

    topics: "list[str]" = []

    def send(self, session: str, type: str, data: Mapping[str, Any], *, id: Optional[str] = None, topic: str = "answers") -> str:
        self.topics = [*self.topics, topic]
        return super().send(session, type, data, id=id, topic=topic)


def test_what_a_person_asks_for_and_cancels_at_once_is_cancelled(intent_pipeline: IntentPipeline) -> None:
    # Between two topics there is no order, and only the one of answers says who asks.
    client = Noting(intent_pipeline.bootstrap_servers, principal=Principal("ann"))
    with client:
        for _ in range(10):
            with client.ask("RequestRide") as ride:
                ride.cancel()
                assert next(result for result in iter(ride.next, None) if result.is_completion).status == "cancelled"
        assert set(client.topics) == {"answers"}
    client = Noting(intent_pipeline.bootstrap_servers)
    with client, client.ask("RequestRide") as ride:
        assert ride.next().is_prompt and client.topics == ["requests"]
        ride.cancel()


def test_words_that_are_no_answer_are_asked_about_again(intent_pipeline: IntentPipeline) -> None:
    said, dialogs = iter(["what can I say?", "Connolly Station", "perhaps", "yes"]), []

    def answer(prompt: Result) -> Answer:
        dialogs.append(prompt.dialog)
        return Answer(option=prompt.options[0].id) if prompt.options else Answer.typed(next(said))

    with intent_pipeline.client() as client, client.ask("RequestRide", {"ride": "Comfort"}) as ride:
        assert ride.converse(answer).status == "success"
    assert next(said, None) is None and any("Say yes or no." in dialog for dialog in dialogs)


def test_an_answer_to_a_prompt_that_is_not_open_is_raised(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client() as client, client.ask("RequestRide") as ride:
        prompt = ride.next()
        ride.answer(Result(prompt.type, {**prompt.data, "prompt": "no such prompt"}))
        with pytest.raises(Rejected) as raised:
            ride.next()
        assert raised.value.reason == "unexpected"
        ride.cancel()
        assert ride.next().is_completion


def test_an_unknown_intent_is_unsupported_and_silence_is_named(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client() as client, client.ask("RequestRid") as ride:
        assert ride.next().status == "unsupported"
        with pytest.raises(NoResult, match=ride.request):
            ride.next(timeout=0.1)


def test_who_listens_to_all_sessions_hears_each_once(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client(principal=Principal("ann")) as client, client.listen() as everything:
        conversations = [client.ask("ListRideOptions", {"dropOff": "Connolly Station"}) for _ in range(3)]
        open = {conversation.session for conversation in conversations}
        seen: List[object] = []
        while open:
            result = everything.next(30)
            assert result is not None and result.missed == 0
            seen.append((result.session, result.sequence))
            if result.is_completion:
                open.discard(result.session or "")
        assert len(set(seen)) == len(seen)
        for conversation in conversations:
            conversation.close()


def test_a_repeated_request_is_the_same_one(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client() as client, client.ask("RequestRide", id="once-1") as ride:
        prompt = ride.next()
        # Of the session that is called after it.
        with client.ask("RequestRide", id="once-1") as again:
            assert (again.session, again.request) == (ride.session, ride.request)
            again.cancel()
            assert [again.next().status, ride.next().status] == ["cancelled", "cancelled"]
        assert prompt.session == "once-1"


def test_an_iteration_ends_when_another_thread_closes_the_listener(intent_pipeline: IntentPipeline) -> None:
    with intent_pipeline.client() as client:
        listener = client.listen()
        thread = threading.Thread(target=lambda: [None for _ in listener])
        thread.start()
        listener.close()
        thread.join(30)
        assert not thread.is_alive()


def test_an_order_is_typed_in_the_terminal(intent_pipeline: IntentPipeline, workers: None) -> None:
    command = [sys.executable, str(FOLDER / "order_tea.py"), intent_pipeline.bootstrap_servers, "tea"]
    done = subprocess.run(command, input="2\nyes\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "Mint tea is ready." in done.stdout
    done = subprocess.run(command, input="mint tea\n\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 4 and "cancelled" in done.stdout


RUBBISH: Dict[str, Outcome] = {
    "object": {"code": "success", "response": {"at": object()}}, "nan": {"code": "success", "response": {"at": float("nan")}},
    "half": {"code": "success", "dialog": "\ud800"}, "large": {"code": "success", "dialog": "x" * 2_000_000}, "code": {"code": 17}, "word": {"code": "nonsense"},
}  # fmt: skip
waiting, going_on = threading.Event(), threading.Event()


@pytest.fixture(scope="module")
def workers(intent_pipeline: IntentPipeline) -> Iterator[None]:
    """The sample, in a process of its own, and a worker with mistakes, in threads."""
    mistaken, ending = IntentWorker("mistaken"), threading.Event()
    mistaken.serve("Fail", title="Fail", parameters=[parameter("how", "How", {"type": "string"})])
    tries: List[int] = []

    @mistaken.handle("Fail")
    def handle(work: Work) -> Outcome:
        tries.append(work.data["attempt"])
        if work.values["how"] == "retry" and len(tries) < 2:
            raise Retry("not yet")
        if work.values["how"] == "raise":
            raise KeyError("a private value")
        if work.values["how"] == "wait":
            waiting.set()
            going_on.wait(60)
        if work.values["how"] == "nap":
            time.sleep(0.3)
        if work.values["how"] in RUBBISH:
            return RUBBISH[work.values["how"]]
        return succeeded(attempts=len(tries))

    mistaken.serve("Unlock", title="Unlock", parameters=[parameter("pin", "PIN", {"type": "string"}, sensitivity="secret")], confirmation="always")
    mistaken.handle("Unlock")(lambda work: succeeded(right=work.values["pin"] == "2468"))
    mistaken.serve("Spend", title="Spend", parameters=[parameter("amount", "Amount", {"type": "integer"})])
    mistaken.confirm("Spend")(lambda work: ready(confirm="Spend it?", approval={"approvers": [{"role": "finance"}]}))
    mistaken.handle("Spend")(lambda work: succeeded("It is spent."))
    sample = subprocess.Popen([sys.executable, str(FOLDER / "worker.py"), "-b", intent_pipeline.bootstrap_servers], stdout=subprocess.PIPE, text=True)
    thread = threading.Thread(target=lambda: mistaken.run(intent_pipeline.bootstrap_servers, ending=ending))
    thread.start()
    try:
        with intent_pipeline.client() as client:

            def serves(intent: str) -> bool:
                # Until the coordinator has read the catalogue, an intent is unsupported.
                with client.ask(intent) as conversation:
                    first = conversation.next()
                    if not first.is_completion:
                        conversation.cancel()
                        conversation.next()
                    return first.status != "unsupported"

            for intent in ("OrderTea", "Fail", "Unlock", "Spend"):
                eventually(f"{intent} is served", lambda: serves(intent))
        yield
    finally:
        ending.set()
        thread.join(30)
        sample.terminate()
        sample.communicate(timeout=30)
        assert sample.returncode == 0 and not thread.is_alive()


def converse(pipeline: IntentPipeline, intent: str, parameters: "dict[str, object]", *given: Answer) -> Result:
    rest = list(given)
    with pipeline.client() as client, client.ask(intent, parameters) as conversation:
        completion = conversation.converse(lambda _: rest.pop(0))
        assert not rest
        return completion


def test_a_worker_resolves_confirms_and_handles(intent_pipeline: IntentPipeline, workers: None) -> None:
    completion = converse(intent_pipeline, "OrderTea", {"kind": "tea", "cups": 2}, Answer(option="mint"), Answer())
    assert completion.status == "success" and completion.dialog == "Mint tea is ready." and completion.response["order"]
    assert converse(intent_pipeline, "OrderTea", {"kind": "green"}, Answer(action="decline")).status == "cancelled"
    again = converse(intent_pipeline, "OrderTea", {"kind": "coffee", "cups": 9}, Answer(value="green"), Answer(value=3), Answer())
    assert again.status == "success"


def test_an_error_fails_the_request_and_a_retry_is_tried_again(intent_pipeline: IntentPipeline, workers: None) -> None:
    failure = converse(intent_pipeline, "Fail", {"how": "raise"})
    assert failure.status == "failure" and failure.data["error"]["message"] == "handle of 'Fail' ended with KeyError"
    assert "private" not in str(failure.data)
    assert converse(intent_pipeline, "Fail", {}, Answer(value="retry")).status == "success"


def test_a_secret_is_in_no_result(intent_pipeline: IntentPipeline, workers: None) -> None:
    with intent_pipeline.client() as client, client.ask("Unlock") as conversation:
        results = [conversation.next()]
        assert results[0].data["secret"] is True and results[0].data["declaration"]["sensitivity"] == "secret"
        conversation.answer(results[0], Answer(value="2468"))
        while not results[-1].is_completion:
            results.append(conversation.next())
            if results[-1].is_prompt:
                conversation.answer(results[-1])
        assert results[-1].response == {"right": True}
        assert not any("2468" in str(result.data) for result in results)


def test_another_person_agrees_and_neither_the_requester_nor_a_stranger(intent_pipeline: IntentPipeline, workers: None) -> None:
    ann, bob, eve = Principal("ann"), Principal("bob", roles=["finance"]), Principal("eve", roles=["sales"])
    servers = intent_pipeline.bootstrap_servers
    with IntentClient(servers, principal=ann) as client, client.ask("Spend", {"amount": 5}) as conversation:
        prompt = conversation.next()
        assert prompt.dialog == "Spend it?" and prompt.data["approval"]["approvers"] == [{"role": "finance"}]
        with pytest.raises(Rejected, match="others have to"):
            conversation.answer(prompt)
            conversation.next()
        for principal in (eve, bob):
            with IntentClient(servers, principal=principal) as other:
                other.answer(conversation.session, prompt.prompt)
        completion = conversation.next()
        assert completion.status == "success" and completion.dialog == "It is spent."
        assert [consent["principal"] for consent in completion.data["agreement"]["by"]] == [{"type": "app_user", "id": "bob"}]


@pytest.mark.parametrize("how", RUBBISH)
def test_an_outcome_that_cannot_be_used_fails_its_request_and_no_other(intent_pipeline: IntentPipeline, workers: None, how: str) -> None:
    assert converse(intent_pipeline, "Fail", {"how": how}).status == "failure"
    assert converse(intent_pipeline, "Fail", {"how": "fine"}).status == "success"


def test_a_function_that_runs_delays_neither_other_sessions_nor_a_second_process(intent_pipeline: IntentPipeline, workers: None) -> None:
    waiting.clear()
    going_on.clear()
    second, ending = IntentWorker("mistaken"), threading.Event()
    second.serve("Fail", title="Fail", parameters=[parameter("how", "How", {"type": "string"})])
    second.handle("Fail")(lambda work: succeeded("second"))
    thread = threading.Thread(target=lambda: second.run(intent_pipeline.bootstrap_servers, instance="second", ending=ending))
    try:
        with intent_pipeline.client() as client, client.ask("Fail", {"how": "wait"}) as slow:
            assert waiting.wait(30)
            assert converse(intent_pipeline, "Fail", {"how": "fine"}).status == "success"
            thread.start()
            # It gets its share of the sessions.
            eventually("the second process works", lambda: converse(intent_pipeline, "Fail", {"how": "fine"}).dialog == "second", 30)
            going_on.set()
            results = iter(lambda: slow.next(30), None)
            assert next(r for r in results if r.is_completion).status == "success"
    finally:
        going_on.set()
        ending.set()
        thread.join(40)
        assert not thread.is_alive()


def test_a_backlog_is_worked_off_while_processes_come_and_go(intent_pipeline: IntentPipeline, workers: None) -> None:
    second, ending = IntentWorker("mistaken"), threading.Event()
    second.serve("Fail", title="Fail", parameters=[parameter("how", "How", {"type": "string"})])
    second.handle("Fail")(lambda work: succeeded("second"))
    thread = threading.Thread(target=lambda: second.run(intent_pipeline.bootstrap_servers, instance="second", ending=ending))
    with intent_pipeline.client() as client, client.listen() as everything:
        # More than a worker takes at once: it pauses its partitions.
        open = {f"backlog-{number}" for number in range(400)}
        for session in open:
            client.send(session, "intent.requested.v1", {"intent": "Fail", "parameters": {"how": "nap"}})
        try:
            deadline = time.monotonic() + 50
            while open and time.monotonic() < deadline:
                result = everything.next(1)
                if result is not None and result.is_completion:
                    assert result.status == "success"
                    open.discard(result.session or "")
                if len(open) < 370 and not thread.ident:
                    thread.start()
                if len(open) < 100:
                    ending.set()
        finally:
            ending.set()
            if thread.ident:
                thread.join(40)
    assert not open and not thread.is_alive()


def test_sessions_are_served_at_the_same_time(intent_pipeline: IntentPipeline, workers: None) -> None:
    with intent_pipeline.client() as client:
        orders: List[Conversation] = [client.ask("OrderTea", {"kind": "mint"}) for _ in range(5)]
        for order in orders:
            order.answer(order.next())
        assert [order.next().status for order in orders] == ["success"] * 5
        for order in orders:
            order.close()
