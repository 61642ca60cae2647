"""Books a ride by an agent with a token of its own: the person confirms it in the page of the console, and the agent can't.

    agreement_check.py BIN [--executable-path CHROMIUM]

BIN is the folder with the programs. Starts a pipeline with '--trust separate' and a console that takes tokens, and uses PyPI 'mcp' for the agent, Chromium for the person,
and a Kafka producer for an agent that goes around the console. Prints a line for each check, and ends with 1 if one has failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

import httpx2 as httpx
import jwt
from confluent_kafka import Consumer, Producer
from cryptography.hazmat.primitives.asymmetric import ec
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult
from playwright.async_api import Page, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeout

ISSUER, AUDIENCE, PERSON = "https://idp.example", "intents", "ann"
DEADLINE = 120.0  # seconds
failures = 0


def check(name: str, is_so: bool, shown: object = "") -> None:
    global failures
    failures += 0 if is_so else 1
    print(f"{'ok  ' if is_so else 'FAIL'} {name}{'' if is_so else f': {shown}'}", flush=True)


class Tokens:
    """Signs tokens, as an identity provider does."""

    def __init__(self, keys: pathlib.Path) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        public = jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        keys.write_text(json.dumps({"keys": [dict(public, kid="1", alg="ES256", use="sig")]}))

    def token(self, role: str, person: str = PERSON, **claims: Any) -> str:
        known = {"iss": ISSUER, "aud": AUDIENCE, "sub": person, "exp": int(time.time()) + 600, "roles": [role]}
        return jwt.encode(known | claims, self.key, algorithm="ES256", headers={"kid": "1"})


class Programs:
    """The pipeline and its console, until the end of the check."""

    def __init__(self, programs: pathlib.Path, folder: pathlib.Path) -> None:
        self.programs, self.folder = programs, folder
        self.running: list[subprocess.Popen[str]] = []
        ready = folder / "ready.json"
        self.start("intents", "dev", "--no-console", "--port", "0", "--trust", "separate", "--ready-file", str(ready))
        deadline = time.monotonic() + DEADLINE
        while not ready.exists():
            if time.monotonic() > deadline or self.running[0].poll() is not None:
                raise SystemExit("the pipeline did not start: see above")
            time.sleep(0.1)
        self.servers: str = json.loads(ready.read_text())["bootstrapServers"]
        self.tokens = Tokens(folder / "keys.json")
        console = self.start(
            "intents-console", "-b", self.servers, "--listen", "127.0.0.1:0", "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE, "--jwt-keys", str(folder / "keys.json")
        )
        self.url = ""
        while not self.url:
            assert console.stdout
            line = console.stdout.readline()
            if not line:
                raise SystemExit("the console did not start: see above")
            self.url = json.loads(line).get("console", "").rstrip("/")

    def start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen([str(self.programs / program), *arguments], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.running.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self.running):
            process.terminate()
            process.wait(timeout=60)

    def http(self, method: str, path: str, token: str | None, body: object = None) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, json.loads(response.read() or b"{}")
        except urllib.error.HTTPError as problem:
            return problem.code, json.loads(problem.read() or b"{}")

    def rejection(self, session: str, event: str) -> dict[str, Any]:
        """Waits for the result that an event was rejected."""
        consumer = Consumer({"bootstrap.servers": self.servers, "group.id": str(uuid.uuid4()), "auto.offset.reset": "earliest"})
        consumer.subscribe(["intents.results"])
        deadline = time.monotonic() + DEADLINE
        try:
            while time.monotonic() < deadline:
                message = consumer.poll(0.2)
                if message is None or message.error() or message.key() != session.encode():
                    continue
                headers = {name: value for name, value in message.headers() or []}
                value = json.loads(message.value())
                if headers.get("ce_type") == b"request.rejected.v1" and event in (value.get("event"), value.get("causation"), (headers.get("ce_causationid") or b"").decode()):
                    return dict(value)
        finally:
            consumer.close()
        return {}


class Host:
    """The host of the agent. It picks what is offered, and says yes to whatever it is asked."""

    def __init__(self) -> None:
        self.pages: asyncio.Queue[str] = asyncio.Queue()
        self.asked: list[Any] = []

    async def __call__(self, _context: Any, params: Any) -> ElicitResult:
        self.asked.append(params)
        if params.mode == "url":
            await self.pages.put(params.url)
            return ElicitResult(action="accept")
        schema = json.loads(params.model_dump_json(by_alias=True))["requestedSchema"]
        content = {name: (schema["properties"][name].get("oneOf") or [{"const": "1"}])[0]["const"] for name in schema.get("required", [])}
        return ElicitResult(action="accept", content=content)


async def agree(page: Page, session: str) -> str:
    """Ann opens her inbox, reads what is to be done, and agrees, by keyboard. Returns what she saw."""
    await page.goto(page.url.split("#")[0] + "#/")
    await page.get_by_role("heading", name="Sessions").wait_for()
    check("the person's page begins with their sessions", await page.get_by_role("link", name="Now", exact=True).count() == 0)
    await page.goto(page.url.split("#")[0] + "#/inbox")
    link = page.locator(f"a[href='#/sessions/{session}']").first
    await link.wait_for()
    await link.focus()
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".prompt.confirmIntent")
    shown = await page.locator(".agreed").inner_text()
    await page.locator(".prompt.confirmIntent button[type=submit]").first.focus()
    await page.keyboard.press("Enter")
    try:
        await page.wait_for_selector("#answer .ended")
    except PlaywrightTimeout:
        focused = await page.evaluate("document.activeElement.outerHTML")
        check("the page shows how the request ended", False, (await page.locator("main").inner_text(), focused))
        raise
    return shown


async def signed_in(browser: Any, programs: Programs, token: str) -> Page:
    page: Page = await (await browser.new_context()).new_page()
    page.set_default_timeout(DEADLINE * 1000)
    await page.goto(programs.url)
    await page.fill("#token", token)
    await page.keyboard.press("Enter")
    await page.wait_for_selector("nav")
    return page


async def play(programs: Programs, executable: str) -> None:
    tokens = programs.tokens
    agent, person, stranger = tokens.token("agent"), tokens.token("person"), tokens.token("person", "bob")
    for name, bad in [
        ("no token", None),
        ("a token that has ended", tokens.token("person", exp=int(time.time()) - 60)),
        ("a token for something else", tokens.token("person", aud="mail")),
        ("a token of another issuer", tokens.token("person", iss="https://other.example")),
        ("a token with another signature", Tokens(programs.folder / "other.json").token("person")),
        ("a token without a signature", jwt.encode({"iss": ISSUER, "aud": AUDIENCE, "sub": PERSON, "exp": int(time.time()) + 600, "roles": ["person"]}, None, algorithm="none", headers={"kid": "1"})),
    ]:
        status, _ = programs.http("GET", "/sessions", bad)
        check(f"{name} is refused with 401", status == 401, status)

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = await signed_in(browser, programs, person)
        host = Host()
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {agent}"}, timeout=90) as http:
            async with Client(
                streamable_http_client(f"{programs.url}/mcp", http_client=http), mode="2026-07-28", elicitation_callback=host, read_timeout_seconds=90
            ) as client:
                call = asyncio.create_task(client.call_tool("RequestRide", {"dropOff": "the airport"}))
                url = await asyncio.wait_for(host.pages.get(), DEADLINE)
                session = url.split("/#/sessions/")[-1]
                check("the agent has filled in what was asked", any(asked.mode == "form" for asked in host.asked), host.asked)
                check("the agent is sent to the person's page to have it agreed to", url.startswith(programs.url), url)

                status, view = programs.http("GET", f"/sessions/{session}", agent)
                prompt = view.get("prompt", {}).get("prompt") or view.get("prompt", {}).get("id")
                check("the confirmation is open", status == 200 and prompt is not None, view)
                yes = {"prompt": prompt, "action": "accept"}
                status, problem = programs.http("POST", f"/sessions/{session}/answers", agent, yes)
                check("the same agent is refused when it agrees by HTTP", status == 403, (status, problem))
                event = str(uuid.uuid4())
                producer = Producer({"bootstrap.servers": programs.servers, "partitioner": "murmur2_random"})
                headers = {"ce_specversion": "1.0", "ce_id": event, "ce_source": "agent", "ce_type": "prompt.answered.v1", "ce_authtype": "app_user", "ce_authid": PERSON}
                producer.produce("intents.requests", json.dumps(yes), session, headers=headers)
                producer.flush(30)
                rejection = await asyncio.to_thread(programs.rejection, session, event)
                check("the same agent is refused when it agrees by Kafka", rejection.get("code") == "unauthorized" or "unauthorized" in json.dumps(rejection), rejection)
                status, _ = programs.http("POST", f"/sessions/{session}/answers", stranger, yes)
                check("another person does not see the session", programs.http("GET", f"/sessions/{session}", stranger)[0] == 404)
                check("another person can't agree", status == 404, status)
                status, _ = programs.http("POST", f"/sessions/{session}/cancellations", stranger, {})
                check("another person can't cancel", status == 404, status)
                status, problem = programs.http("POST", "/requests", stranger, {"session": session, "intent": "GetRideStatus"})
                check("another person can't ask for something in the session", status == 403 and problem.get("field") == "session", (status, problem))
                check("nothing has been done yet", not call.done())

                for name, role in [("an observer", "observer"), ("an operator", "operator")]:
                    other = await signed_in(browser, programs, tokens.token(role, role))
                    await other.goto(f"{programs.url}/#/sessions/{session}")
                    await other.wait_for_selector(".parameters")
                    await other.get_by_text("Asks for agreement").first.wait_for()
                    content = await other.content()
                    check(f"{name} sees in the page what happens, and nothing that was said", "irport" not in content and "Economy" not in content, content)
                    check(f"{name} can't agree in the page", await other.locator(".prompt.confirmIntent button[type=submit]").count() == 0)
                    await other.context.close()

                shown = await agree(page, session)
                check("the person has read what they agree to", "Airport" in shown, shown)
                result = await asyncio.wait_for(call, DEADLINE)
                check("the agent's call goes on and the ride is booked", (result.structured_content or {}).get("status") == "success", result)

                call = asyncio.create_task(client.call_tool("RequestRide", {"dropOff": "Trinity College", "ride": "Comfort"}))
                url = await asyncio.wait_for(host.pages.get(), DEADLINE)
                session = url.split("/#/sessions/")[-1]
                await page.goto(programs.url + "/#/sessions/" + session)
                await page.wait_for_selector(".prompt.confirmIntent")
                # The button beside the one that agrees.
                await page.locator(".prompt.confirmIntent .actions button[type=button]").first.click()
                result = await asyncio.wait_for(call, DEADLINE)
                check("a no of the person ends the agent's call without a ride", (result.structured_content or {}).get("status") not in (None, "success"), result)
        await browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--executable-path", default="/usr/bin/chromium", help="Chromium (%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(options.bin, pathlib.Path(folder))
        try:
            asyncio.run(play(programs, options.executable_path))
        finally:
            programs.end()
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
