"""Checks the A2A door of a running console with the official client, PyPI 'a2a-sdk' (with its extra 'http-server', or httpx installed).

    a2a_check.py URL [BEARER_TOKEN]

URL is that of the console, which serves /.well-known/agent-card.json; the pipeline behind it serves the sample domains. With the console's '--agreement person' the
last step is that the task waits for the person. Prints a line for each check, and ends with 1 if one has failed.
"""

from __future__ import annotations

import asyncio
import sys
import uuid
from typing import Any

import httpx
from a2a.client import ClientConfig, create_client
from a2a.types import a2a_pb2 as a2a
from google.protobuf.json_format import MessageToDict, ParseDict

URL = sys.argv[1].rstrip("/")
HEADERS = {"Authorization": f"Bearer {sys.argv[2]}"} if len(sys.argv) > 2 else {}
failures = 0


def check(name: str, is_so: bool, shown: object = "") -> None:
    global failures
    failures += 0 if is_so else 1
    print(f"{'ok  ' if is_so else 'FAIL'} {name}{'' if is_so else f': {shown}'}", flush=True)


def message(part: dict[str, Any], task: a2a.Task | None = None) -> a2a.SendMessageRequest:
    said: dict[str, Any] = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [part]}
    if task is not None:
        said |= {"taskId": task.id, "contextId": task.context_id}
    return ParseDict({"message": said}, a2a.SendMessageRequest())


async def said(client: Any, request: a2a.SendMessageRequest) -> a2a.Task:
    """Sends a message, and returns the task as it is after that."""
    task: a2a.Task | None = None
    async for event in client.send_message(request):
        if event.HasField("task"):
            task = event.task
    assert task is not None
    return await client.get_task(a2a.GetTaskRequest(id=task.id))


def state(task: a2a.Task) -> str:
    return a2a.TaskState.Name(task.status.state)


def options(task: a2a.Task) -> list[dict[str, Any]]:
    for part in task.status.message.parts:
        if part.HasField("data"):
            return MessageToDict(part.data).get("options", [])
    return []


async def check_binding(binding: str, streaming: bool, http: httpx.AsyncClient) -> None:
    label = f"{binding}, {'streaming' if streaming else 'one reply'}"
    config = ClientConfig(
        streaming=streaming, httpx_client=http, supported_protocol_bindings=[binding], use_client_preference=True
    )
    client = await create_client(URL, config)
    ride = {"data": {"intent": "RequestRide", "parameters": {"dropOff": "the airport"}}}
    task = await said(client, message(ride))
    check(f"{label}: what is ambiguous is asked", state(task) == "TASK_STATE_INPUT_REQUIRED" and bool(options(task)), task)
    for _ in range(5):
        if not options(task):
            break
        task = await said(client, message({"data": {"option": options(task)[0]["id"]}}, task))
    check(f"{label}: options are chosen, to the confirmation", state(task) == "TASK_STATE_INPUT_REQUIRED", task)
    if any(part.url for part in task.status.message.parts):
        check(f"{label}: the person has to agree on their page", True)
        task = await client.cancel_task(a2a.CancelTaskRequest(id=task.id))
        check(f"{label}: the task is cancelled", state(task) == "TASK_STATE_CANCELED", task)
    else:
        task = await said(client, message({"data": {"action": "accept"}}, task))
        check(f"{label}: a ride is booked", state(task) == "TASK_STATE_COMPLETED" and bool(task.artifacts), task)
    listed = await client.list_tasks(a2a.ListTasksRequest(context_id=task.context_id))
    check(f"{label}: the context lists its task", [each.id for each in listed.tasks] == [task.id], listed)
    try:
        await client.get_task(a2a.GetTaskRequest(id="nothing"))
        check(f"{label}: an unknown task is not found", False)
    except Exception as error:  # noqa: BLE001 - the client has a type for each error
        check(f"{label}: an unknown task is not found", type(error).__name__ == "TaskNotFoundError", repr(error))


async def main() -> None:
    async with httpx.AsyncClient(headers=HEADERS, timeout=60) as http:
        card = ParseDict((await http.get(f"{URL}/.well-known/agent-card.json")).json(), a2a.AgentCard())
        check("the agent card has the intents as skills", "RequestRide" in [skill.id for skill in card.skills], card)
        for binding in ("JSONRPC", "HTTP+JSON"):
            for streaming in (False, True):
                await check_binding(binding, streaming, http)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    asyncio.run(main())
