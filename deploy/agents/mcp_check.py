"""Checks 'intents mcp' with the official client, PyPI 'mcp': books rides in both eras of the protocol.

    mcp_check.py PROGRAM BOOTSTRAP_SERVERS

PROGRAM is the tool 'intents'; the pipeline at BOOTSTRAP_SERVERS serves the sample domains, as 'intents dev' does. Prints a line for each check, and ends
with 1 if one has failed.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

PROGRAM, SERVERS = sys.argv[1], sys.argv[2]
LEGACY, MODERN = "legacy", "2026-07-28"
failures = 0


def check(name: str, is_so: bool, shown: object = "") -> None:
    global failures
    failures += 0 if is_so else 1
    print(f"{'ok  ' if is_so else 'FAIL'} {name}{'' if is_so else f': {shown}'}", flush=True)


def server(*arguments: str) -> StdioServerParameters:
    return StdioServerParameters(command=PROGRAM, args=["mcp", "-b", SERVERS, "--log-level", "warning", *arguments])


def as_person(session: str, *arguments: str) -> None:
    """Answers the open prompt of the session on the person's own channel."""
    subprocess.run([PROGRAM, "reply", "--session", session, *arguments, "-b", SERVERS], check=True, capture_output=True, timeout=60)


class Person:
    """The user of a host: picks the second option, says yes, opens pages."""

    def __init__(self, action: str = "accept", opens: bool = True) -> None:
        self.asked: list[Any] = []
        self.action = action
        self.opens = opens

    async def __call__(self, _context: Any, params: Any) -> ElicitResult:
        self.asked.append(params)
        if params.mode == "url":
            session = params.url.split("/#/sessions/")[1]
            if self.opens:
                await asyncio.to_thread(as_person, session, "--yes")
            return ElicitResult(action="accept")
        schema = json.loads(params.model_dump_json(by_alias=True))["requestedSchema"]
        properties = schema.get("properties", {})
        if not properties:
            return ElicitResult(action=self.action)
        content: dict[str, Any] = {}
        for name in schema.get("required", []) or list(properties)[:1]:
            field = properties[name]
            choices = [choice["const"] for choice in field.get("oneOf", [])] or field.get("enum", [])
            content[name] = choices[1 % len(choices)] if choices else "Trinity College"
        return ElicitResult(action="accept", content=content)


def structured(result: Any) -> dict[str, Any]:
    return result.structured_content or {}


async def booked(mode: str) -> None:
    person = Person()
    told: list[str | None] = []

    async def progress(_now: float, _total: float | None, message: str | None) -> None:
        told.append(message)

    async with Client(server(), mode=mode, elicitation_callback=person, read_timeout_seconds=60) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check(f"{mode}: the intents are tools, and intent_reply and intent_status", {"RequestRide", "intent_reply", "intent_status"} <= set(tools))
        ride = tools["RequestRide"]
        check(f"{mode}: a tool has a schema", "dropOff" in ride.input_schema["properties"], ride.input_schema)
        check(f"{mode}: what is confirmed is marked as destructive", ride.annotations.destructive_hint is True)
        result = await client.call_tool("RequestRide", {"dropOff": "the airport"}, progress_callback=progress)
        check(f"{mode}: a ride is booked", structured(result).get("status") == "success" and not result.is_error, result)
        check(f"{mode}: the result has what was chosen", structured(result).get("parameters", {}).get("dropOff") is not None, result)
        check(f"{mode}: a choice and a confirmation were asked", len(person.asked) >= 2, person.asked)
        last = person.asked[-1]
        check(f"{mode}: a confirmation has no fields, and says all", "Drop-off" in last.message or "Airport" in last.message, last)
        other = await client.call_tool("RequestRide", {"dropOff": "the airport", "nonsense": 1})
        check(f"{mode}: what the intent does not have is an error that can be read", other.is_error and "nonsense" in other.content[0].text, other)
    async with Client(server(), mode=mode, elicitation_callback=Person("decline"), read_timeout_seconds=60) as client:
        result = await client.call_tool("RequestRide", {"dropOff": "Trinity College", "ride": "Comfort"})
        check(f"{mode}: a no is a no", structured(result).get("status") not in (None, "success"), result)


async def without_elicitation(mode: str) -> None:
    async with Client(server(), mode=mode, read_timeout_seconds=60) as client:
        result = await client.call_tool("RequestRide", {"dropOff": "the airport"})
        asked = structured(result)
        check(f"{mode}: a host that can't ask gets a handle", asked.get("status") == "input_required" and "handle" in asked, result)
        for _ in range(5):
            if "requestedSchema" not in asked:
                break
            field = next(iter(asked["requestedSchema"]["properties"]))
            value = asked["requestedSchema"]["properties"][field].get("oneOf", [{"const": "1"}])[0]["const"]
            result = await client.call_tool("intent_reply", {"handle": asked["handle"], "values": {field: value}})
            asked = structured(result)
        check(f"{mode}: intent_reply fills in, to the confirmation", asked.get("status") == "input_required", result)
        refused = await client.call_tool("intent_reply", {"handle": asked["handle"], "action": "accept"})
        check(f"{mode}: a model can't agree", refused.is_error and "agree" in refused.content[0].text, refused)
        forged = await client.call_tool("intent_status", {"handle": asked["handle"][:-2] + "AA"})
        check(f"{mode}: a handle that was changed is refused", forged.is_error, forged)
        waiting = asyncio.create_task(client.call_tool("intent_status", {"handle": asked["handle"]}))
        await asyncio.to_thread(as_person, asked["session"], "--yes")
        result = await waiting
        check(f"{mode}: intent_status tells that the person has agreed", structured(result).get("status") == "success", result)


async def by_the_person(mode: str) -> None:
    person = Person()
    async with Client(
        server("--agreement", "person", "--console-url", "http://127.0.0.1:1"), mode=mode, elicitation_callback=person, read_timeout_seconds=60
    ) as client:
        result = await client.call_tool("RequestRide", {"dropOff": "Trinity College", "ride": "Comfort"})
        pages = [asked for asked in person.asked if asked.mode == "url"]
        check(f"{mode}: the person is sent to the console to agree", len(pages) == 1, person.asked)
        check(f"{mode}: the call goes on when they have agreed", structured(result).get("status") == "success", result)


def raw() -> None:
    """What no client would send, and what the official one can't show."""
    process = subprocess.Popen(
        [PROGRAM, "mcp", "-b", SERVERS, "--log-level", "warning"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdin and process.stdout

    def ask(line: str) -> Any:
        assert process.stdin and process.stdout
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    def request(method: str, version: str = MODERN, **params: Any) -> str:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    for name, line, code in [
        ("what is no JSON", "{", -32700),
        ("a batch", "[]", -32600),
        ("what is too deep", "[" * 1000 + "]" * 1000, -32600),
        ("what is too long", '{"a":"' + "x" * 200_000 + '"}', -32600),
        ("a request before initialize", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', -32602),
        ("a version of the future", request("tools/list", "2099-01-01"), -32022),
        ("an unknown tool", request("tools/call", name="Nothing"), -32602),
        ("an unknown method", request("resources/list"), -32601),
        ("a forged state", request("tools/call", name="RequestRide", arguments={}, requestState="AAAA"), -32602),
        ("a task without the extension", request("tasks/get", taskId="x"), -32021),
    ]:
        reply = ask(line)
        check(f"raw: {name} is refused with {code}", reply.get("error", {}).get("code") == code, reply)
    call = {"name": "RequestRide", "arguments": {"dropOff": "the airport"}}
    asked = ask(request("tools/call", **call))["result"]
    key = next(iter(asked["inputRequests"]))
    check("raw: what is asked comes as input_required", asked["resultType"] == "input_required" and bool(asked["requestState"]), asked)
    schema = asked["inputRequests"][key]["params"]["requestedSchema"]
    field = next(iter(schema["properties"]))
    answer = {key: {"action": "accept", "content": {field: schema["properties"][field]["oneOf"][0]["const"]}}}
    again = dict(call, requestState=asked["requestState"], inputResponses=answer)
    first, copy = ask(request("tools/call", **again))["result"], ask(request("tools/call", **again))["result"]
    check("raw: a copy of an answer does no harm", list(first["inputRequests"]) == list(copy["inputRequests"]), (first, copy))
    other = ask(request("tools/call", name="RequestRide", arguments={"dropOff": "Leeds"}, requestState=asked["requestState"]))
    check("raw: a state is for the same arguments only", other.get("error", {}).get("code") == -32602, other)
    process.stdin.close()
    check("raw: it ends with its input", process.wait(timeout=20) == 0)


async def main() -> None:
    version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    check("the program has a version", re.match(r"\d+\.\d+\.\d+", version) is not None, version)
    for mode in (LEGACY, MODERN):
        await booked(mode)
        await without_elicitation(mode)
        await by_the_person(mode)
    raw()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    asyncio.run(main())
