#!/usr/bin/env python3
"""Uses the page of a running `intents console` in headless Chromium, by keyboard alone, and checks it.

    python3 -m venv .build/browser && .build/browser/bin/pip install playwright
    .build/browser/bin/python deploy/console/browser.py http://127.0.0.1:8080/ --screenshots .build/screenshots

It starts a ride to the airport, answers what it is asked, agrees, and sees it done. It corrects a value, does the work of an app, and answers in three pages at once. It finds a request that failed, and with --servers deals with dead letters. With --dev it kills a worker and freezes the coordinator, and sees that. Then it audits every view in both themes (audit.js): names,
headings, ids, contrast, targets, focus, width at 360 px and at a zoom of 200 %, motion, errors of the console and of the content security policy.
Needs Playwright for Python and a Chromium, such as Debian's. Prints what is wrong and exits with 1, or prints what was checked."""
import argparse
import os
import pathlib
import re
import signal
import sys
import time
from typing import Callable

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
AUDIT = (HERE / "audit.js").read_text()
WIDTHS = {"phone": 390, "tablet": 820, "desktop": 1440}
VIEWS = {"now": "#/", "sessions": "#/sessions", "inbox": "#/inbox", "intents": "#/intents", "start": "#/intents/RequestRide", "contract": "#/contract"}
DEADLINE = 30.0  # seconds

# What has the focus: its name, and whether one sees that it has it.
FOCUSED = """() => {
  const el = document.activeElement;
  if (!el || el === document.body) return null;
  const text = (ids) => ids.split(/\\s+/).map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  const name = el.getAttribute('aria-label') ?? (el.getAttribute('aria-labelledby') ? text(el.getAttribute('aria-labelledby')) : undefined)
    ?? (el.labels?.length ? [...el.labels].map((l) => l.querySelector('.option-title')?.textContent ?? l.textContent).join(' ') : el.textContent);
  const rings = (e) => { const s = e && getComputedStyle(e); return s && s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0; };
  const order = [...document.querySelectorAll('*')].indexOf(el);
  return {name: name.trim(), tag: el.tagName, type: el.type ?? '', order, ring: rings(el) || rings(el.nextElementSibling) || rings(el.closest('label, .option')),
          fixed: !!el.closest('nav')};
}"""


class Failure(Exception):
    """The page did not do what a person needs."""


class Check:
    """One run: where what is wrong is collected."""

    def __init__(self, browser: Browser, options: argparse.Namespace) -> None:
        self.browser, self.options, self.problems, self.audits = browser, options, [], 0
        self.base: str = options.base.rstrip("/") + "/"

    def wrong(self, where: str, what: str) -> None:
        line = f"{where}: {what}"
        if line not in self.problems:
            self.problems.append(line)

    def context(self, width: int = 1440, height: int = 900, theme: str = "light", touch: bool = False, **more: object) -> BrowserContext:
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, has_touch=touch, **more)
        if self.options.token:
            # As a sign-in leaves it. The sign-in itself is checked by its own step.
            context.add_init_script(f"sessionStorage.setItem('intents-token', {self.options.token!r})")
        return context

    def page(self, context: BrowserContext, where: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong(where, f"an error in the page: {error}"))
        page.on("console", lambda message: self.heard(message, where))
        page.on("request", lambda request: None if request.url.startswith((self.base, "blob:")) else self.wrong(where, f"it asks another server: {request.url}"))
        page.add_init_script("window.violations = []; addEventListener('securitypolicyviolation', (e) => violations.push(`${e.violatedDirective} ${e.blockedURI}`))")
        return page

    def opened(self, where: str, address: str = "") -> Page:
        """A page of its own with the view at this address, once it is there."""
        page = self.page(self.context(), where)
        page.goto(self.base + address)
        settled(page)
        return page

    def heard(self, message: ConsoleMessage, where: str) -> None:
        """An error or a warning in the console is wrong, but that a session is asked for which the console has not read yet."""
        early = "404" in message.text and re.search(r"/api/v1/sessions/[^/]+$", message.location.get("url", ""))
        if message.type in ("error", "warning") and not early:
            self.wrong(where, f"the console says: {message.text}")

    def audit(self, page: Page, where: str) -> None:
        # The theme changes at once, but what is faded in is not yet there.
        wait(lambda: page.evaluate("document.getAnimations().every((a) => a.effect.getComputedTiming().iterations === Infinity || a.playState === 'finished')"), "nothing moves")
        self.audits += 1
        for problem in page.evaluate(AUDIT):
            self.wrong(where, problem)
        for violation in page.evaluate("violations"):
            self.wrong(where, f"the content security policy forbids {violation}")


def wait(condition: Callable[[], object], what: str, seconds: float = DEADLINE) -> None:
    """Waits until it is so."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise Failure(f"waited {seconds:.0f} s until {what}")
        time.sleep(0.05)


def settled(page: Page) -> None:
    """Waits until the view is there: its heading, and no skeleton."""
    page.wait_for_selector("h1", state="attached")
    wait(lambda: page.locator(".skeleton, .boot").count() == 0, f"{page.url} is loaded")


def tab_to(page: Page, name: str, key: str = "Tab", limit: int = 250) -> None:
    """Presses Tab until the control of this name (a regular expression) has the focus."""
    for _ in range(limit):
        page.keyboard.press(key)
        focused = page.evaluate(FOCUSED)
        if focused and re.search(name, focused["name"], re.IGNORECASE):
            if not focused["ring"]:
                raise Failure(f"one does not see that '{focused['name'][:40]}' has the focus")
            return
    raise Failure(f"Tab does not reach '{name}'")


def say(page: Page) -> str:
    """What the pipeline asks at present, or says last."""
    heading = page.locator("#answer .say")
    return heading.inner_text() if heading.count() else ""


def sign_in(check: Check) -> None:
    """Signs in by the token, by keyboard."""
    page = check.page(check.browser.new_context(), "sign in")
    page.goto(check.base)
    page.wait_for_selector("#token")
    check.problems.clear()  # the 401 that it begins with is in the console
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        check.audit(page, f"sign in, {theme}")
    page.reload()
    page.wait_for_selector("#token")
    tab_to(page, "^Token")
    page.keyboard.type("not-a-token")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    page.keyboard.press("Control+A")
    page.keyboard.type(check.options.token)
    page.keyboard.press("Enter")
    page.wait_for_selector("nav")
    if check.options.token in page.url:
        check.wrong("sign in", "the token is in the address")
    tab_to(page, "^Sign out")
    page.keyboard.press("Enter")
    page.wait_for_selector("#token")
    check.problems = [p for p in check.problems if "401" not in p]
    page.context.close()


def ride(check: Check) -> str:
    """Starts a ride to the airport, answers, agrees, and sees it done, by keyboard alone. Returns the session."""
    where = "a ride"
    page = check.opened(where)
    page.keyboard.press("Tab")
    if "Skip" not in (page.evaluate(FOCUSED) or {"name": ""})["name"]:
        check.wrong(where, "the first thing that Tab reaches is not the link that skips the navigation")
    page.keyboard.press("Enter")
    if page.evaluate("document.activeElement.id") != "main":
        check.wrong(where, "the link that skips the navigation does not go to the content")
    tab_to(page, "^Intents$", key="Shift+Tab")
    page.keyboard.press("Enter")
    settled(page)
    wait(lambda: page.evaluate("document.activeElement.id") == "title", "the focus is on the heading of the new view")
    tab_to(page, "^Search intents")
    page.keyboard.type("request a ride")
    tab_to(page, "^Request a ride")
    page.keyboard.press("Enter")
    page.wait_for_selector("form.start")
    tab_to(page, "^Drop-off")
    page.keyboard.type("air")
    # What is being typed has to outlive some drawings.
    page.wait_for_timeout(2500)
    page.keyboard.type("port")
    value = page.evaluate("document.activeElement.value")
    if value != "airport":
        check.wrong(where, f"'{value}' was entered, not 'airport': an update has disturbed the typing")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"#/sessions/[^/]+$"))
    session = page.url.split("#/sessions/")[1]

    wait(lambda: "airport" in say(page).lower(), "the pipeline asks which airport")
    tab_to(page, "Terminal 1")
    page.keyboard.press("Space")
    page.wait_for_timeout(1500)
    if not page.evaluate("document.activeElement.checked"):
        check.wrong(where, "an update has moved the focus from the chosen option, or has undone the choice")
    page.keyboard.press("Enter")

    wait(lambda: "which ride" in say(page).lower(), "the pipeline asks which ride")
    tab_to(page, "^Economy")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    chosen = page.evaluate(FOCUSED)["name"]
    if "Comfort" not in chosen:
        check.wrong(where, f"the arrow key went to '{chosen}', not to the next option")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")

    page.wait_for_selector(".prompt.confirmIntent")
    agreed = page.locator(".agreed").inner_text()
    for text in ("Terminal 1", "Economy"):
        if text not in agreed:
            check.wrong(where, f"'{text}' is not among what is agreed to")
    if check.options.screenshots:
        page.screenshot(path=check.options.screenshots / "confirmation-desktop-light.png")
    tab_to(page, "^Book")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer .ended")
    if "Done" not in page.locator("#answer").inner_text():
        raise Failure(f"the ride is not done, but: {page.locator('#answer').inner_text()}")
    log = page.get_by_role("log")
    for text in ("airport", "Terminal 1", "Economy", "minutes"):
        if text not in log.inner_text():
            check.wrong(where, f"'{text}' is not in the conversation")
    for text in ("Said", "Asked", "Chosen", "Value"):
        if text not in page.locator(".parameters").inner_text():
            check.wrong(where, f"the path of the parameters has no step '{text}'")
    page.context.close()

    where = "a page that is opened afterwards"
    page = check.opened(where)
    samples = "document.querySelector('.plot .line')?.getAttribute('d').split('L').length"
    wait(lambda: page.evaluate(f"{samples} > performance.now() / 1000 + 4"), "the charts show what was before the page was opened")
    page.context.close()
    return session


# Calls the HTTP interface, as another program would.
CALL = """async ([method, path, body]) => {
  const token = sessionStorage.getItem('intents-token');
  const headers = {'Content-Type': 'application/json', ...(token && {Authorization: `Bearer ${token}`})};
  return (await fetch(`api/v1/${path}`, {method, headers, body: body && JSON.stringify(body)})).json();
}"""


def started(page: Page, **parameters: str) -> str:
    """Starts a ride from outside of the page. Returns the session."""
    session: str = page.evaluate(CALL, ["POST", "requests", {"intent": "RequestRide", "parameters": parameters}])["session"]
    return session


def asked(page: Page) -> str:
    """Starts a ride to the airport from outside of the page, and answers until the pipeline asks for agreement. Returns the session."""
    session = started(page, dropOff="airport")
    answered: set[str] = set()

    def agrees() -> bool:
        prompt = page.evaluate(CALL, ["GET", f"sessions/{session}", None]).get("prompt")
        if not prompt or prompt["prompt"] in answered:
            return False
        if prompt["kind"] == "confirmIntent":
            return True
        answered.add(prompt["prompt"])
        page.evaluate(CALL, ["POST", f"sessions/{session}/answers", {"prompt": prompt["prompt"], "action": "accept", "option": prompt["options"][0]["id"]}])
        return False

    wait(agrees, "the pipeline asks for agreement")
    return session


def correction(check: Check) -> None:
    """A value is corrected while the pipeline asks for agreement: the form of the correction closes, and the focus is where it was opened."""
    where = "a correction"
    page = check.opened(where, "#/intents")
    page.goto(check.base + f"#/sessions/{asked(page)}")
    page.wait_for_selector(".prompt.confirmIntent")
    tab_to(page, "^Correct People")
    page.keyboard.press("Enter")
    tab_to(page, "^New people$")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    wait(lambda: page.locator(".correction").count() == 0, "the form of the correction closes")
    wait(lambda: "for 2" in say(page), "the pipeline asks again, with what was corrected")
    focused = page.evaluate(FOCUSED)
    if not focused or "Correct People" not in focused["name"]:
        check.wrong(where, f"afterwards the focus is on {focused}")
    page.context.close()


def handoff(check: Check) -> None:
    """A ride that only the app can go on with: it is claimed in the page, given back, claimed again and completed, by keyboard alone."""
    where = "a handoff"
    page = check.opened(where, "#/intents")
    page.goto(check.base + f"#/sessions/{started(page, pickup='Gaiety Theatre', dropOff='Dublin Castle', ride='wheelchair')}")
    page.wait_for_selector("#answer .handoff")
    for last in ("^Give it back", "^Complete it"):
        tab_to(page, "^Claim it$")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Complete it").wait_for()
        tab_to(page, last)
        page.keyboard.press("Enter")
        wait(lambda: page.get_by_role("button", name="Complete it").count() == 0, "the pipeline has taken it")
    page.wait_for_selector("#answer .ended")
    if "Done" not in page.locator("#answer").inner_text():
        check.wrong(where, f"the ride is not done, but: {page.locator('#answer').inner_text()}")
    page.context.close()


def two_pages(check: Check) -> None:
    """A question is open in a session's page and in an inbox, and is answered in a third place first: both say so, where the form was."""
    where = "a question that is answered elsewhere"
    first = check.opened(where, "#/intents")
    session = asked(first)
    held = []
    others = []
    for address, form in ((f"#/sessions/{session}", "#answer"), ("#/inbox", f".approval:has-text('{session}')")):
        page = check.page(check.context(), where)
        page.route("**/answers", lambda route: held.append(route))
        page.goto(check.base + address)
        page.locator(f"{form} button[type=submit]").click()
        others.append(page)
    wait(lambda: len(held) == 2, "both pages have sent their answers")
    first.goto(check.base + f"#/sessions/{session}")
    first.locator("#answer button[type=submit]").click()
    first.wait_for_selector("#answer .ended")
    for route in held:
        route.continue_()
    for page in others:
        page.get_by_role("alert").filter(has_text="no longer open").wait_for()
        page.context.close()
    first.context.close()


def not_known_yet(check: Check) -> None:
    """A console that has just started does not know a session yet: the page that shows it follows it again as soon as it does."""
    where = "a console that does not know the session yet"
    page = check.opened(where, "#/intents")
    session = asked(page)
    refusals = iter([True])
    page.route("**/events", lambda route: route.fulfill(status=404) if next(refusals, False) else route.continue_())
    page.goto(check.base + f"#/sessions/{session}")
    page.locator("#answer button[type=submit]").click()
    page.wait_for_selector("#answer .ended")
    check.problems = [p for p in check.problems if not (p.startswith(where) and "404" in p)]
    page.context.close()


def find_failed(check: Check, ride: str) -> None:
    """What failed is found from the number on Now, by filters whose address shows the same again, and by a word that was said; a session says why, and how it ran."""
    where = "a request that failed"
    page = check.opened(where, "#/intents")
    failed: str = page.evaluate(CALL, ["POST", "requests", {"intent": "FlyToTheMoon", "parameters": {"crew": "Ann and Bob"}}])["session"]
    page.goto(check.base + "#/")
    link = page.get_by_role("link", name=re.compile("^Not supported"))
    link.wait_for()
    wait(lambda: not link.inner_text().endswith("\n0"), "the page counts it")
    link.click()
    rows = page.locator("a.session-row")
    wait(lambda: failed in " ".join(rows.all_inner_texts()), "the number leads to it")
    page.get_by_label("Time").select_option(label="Last hour")
    page.get_by_label("Search sessions").fill("no WORKER serves")
    wait(lambda: all(part in page.evaluate("location.hash") for part in ("search=no", "from=")) and failed in " ".join(rows.all_inner_texts()), "what the pipeline has said is searched")
    if not re.search(r"\d+ of \d+ sessions", page.get_by_role("main").inner_text()):
        check.wrong(where, "the list does not say how many of the sessions match")
    check.audit(page, where)
    saved = page.url
    page.goto("about:blank")
    page.goto(saved)
    wait(lambda: failed in " ".join(rows.all_inner_texts()), "the saved address shows it again")
    rows.filter(has_text=failed).click()
    page.wait_for_selector("#answer .ended")
    if "undefined" in page.get_by_role("main").inner_text():
        check.wrong(where, "something is undefined")
    page.locator("summary", has_text="Raw events").click()
    page.locator("summary", has_text="intent.completed.v1").click()
    if '"status": "unsupported"' not in page.locator(".message pre").inner_text():
        check.wrong(where, "the raw event is not shown")

    page.goto(check.base + f"#/sessions/{ride}")
    page.get_by_role("button", name="Read it").click()
    steps = page.locator("section", has_text="How it ran").last
    wait(lambda: all(text in steps.inner_text() for text in ("Understanding", "Checking", "Doing", "handler")), "the phases are there, with their workers")
    check.audit(page, "how a request ran")
    page.context.close()


def dead_letters(check: Check) -> None:
    """Records that can't be read are looked at, and dropped together; one that would be refused again says what to do instead."""
    try:
        import confluent_kafka
    except ImportError:
        print("skipped: dead letters (confluent-kafka is not installed)")
        return
    where = "dead letters"
    producer = confluent_kafka.Producer({"bootstrap.servers": check.options.servers})
    for number in range(3):
        producer.produce("intents.requests", key=f"broken-{number}", value='{"intent": ', headers={"sender": "a bad client"})
    producer.flush(DEADLINE)
    page = check.opened(where, "#/inbox")
    rows = page.locator(".letter")
    wait(lambda: rows.count() >= 3, "the letters are there")
    rows.first.get_by_role("button", name="Show the record").click()
    page.locator(".record pre").wait_for()
    if '{"intent": ' not in page.locator(".record").inner_text() or "a bad client" not in page.locator(".record").inner_text():
        check.wrong(where, "the record is not shown")
    rows.first.get_by_role("checkbox").check()
    page.get_by_role("button", name="Replay 1").click()
    page.get_by_role("alert").filter(has_text="Have its sender send it again").wait_for()
    check.problems = [p for p in check.problems if not (p.startswith(where) and "409" in p)]  # the refusal is in the console
    check.audit(page, where)
    page.get_by_label(re.compile("chosen|Choose all")).check()
    page.get_by_role("button", name=re.compile(r"^Drop \d+…")).click()
    page.get_by_role("button", name="Drop", exact=True).click()
    wait(lambda: rows.count() == 0, "all of them are dropped")
    page.context.close()


def freeze_coordinator(check: Check) -> None:
    """The coordinator is frozen from outside. The page, which is open, says within 15 s what stands still and what to do, and stops saying so when it goes on."""
    where = "a coordinator that is frozen"
    page = check.opened(where)
    problems = page.get_by_role("list", name="Problems").get_by_role("listitem")
    wait(lambda: problems.count() == 0, "nothing is wrong before")
    coordinator = child(check.options.dev, "coordinator")
    os.kill(coordinator, signal.SIGSTOP)
    try:
        wait(lambda: problems.count() > 0, "the page says so", seconds=15)
        check.audit(page, where)
        if check.options.screenshots:
            page.screenshot(path=check.options.screenshots / "frozen-desktop-light.png")
    finally:
        os.kill(coordinator, signal.SIGCONT)
    wait(lambda: problems.count() == 0, "the page no longer says so", seconds=15)
    page.context.close()


def kill_worker(check: Check) -> None:
    """A worker is killed from outside. The page, which is open, shows that it has started again."""
    where = "a worker that is killed"
    page = check.opened(where)
    workers = page.get_by_role("list", name="Workers").get_by_role("listitem")
    workers.first.wait_for()
    # `intents dev` calls them handler, or handler-1, handler-2 and so on.
    instance = next(name for name in workers.locator(".row-title").all_inner_texts() if name.startswith("handler"))
    row = workers.filter(has=page.get_by_text(instance, exact=True))
    if "Running" not in row.inner_text():
        check.wrong(where, f"before, it is: {row.inner_text()}")
    os.kill(child(check.options.dev, instance), signal.SIGKILL)
    wait(lambda: "Restarted" in row.inner_text(), "the page shows that the worker has started again")
    check.audit(page, where)
    if check.options.screenshots:
        row.scroll_into_view_if_needed()
        page.screenshot(path=check.options.screenshots / "restarted-desktop-light.png")
    page.context.close()


def child(parent: int, instance: str) -> int:
    """The process of `intents dev` that has this name."""
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            words = (status.parent / "cmdline").read_bytes().decode().split("\0")
            if f"\nPPid:\t{parent}\n" in status.read_text() and instance in words:
                return int(status.parent.name)
        except OSError:
            continue  # it has ended
    raise Failure(f"'{instance}' is no process of {parent}")


def focus_order(check: Check, page: Page, where: str) -> None:
    """Tab goes forward through the page, always to something that one sees."""
    page.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0)")
    before, seen = -1, 0
    for _ in range(400):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if not focused or focused["order"] == before:
            break
        if focused["order"] < before:
            break  # around again
        if not focused["ring"]:
            check.wrong(where, f"one does not see that '{focused['name'][:40]}' has the focus")
        before, seen = focused["order"], seen + 1
    if seen < 7:
        check.wrong(where, f"Tab reaches {seen} controls alone")


def addresses(check: Check, session: str) -> dict[str, str]:
    """The views with sessions of the kinds that there are: the one that was made here, and the newest others."""
    views = VIEWS | {"session": f"#/sessions/{session}"}
    page = check.page(check.context(), "sessions")
    page.goto(check.base + "#/sessions")
    settled(page)
    links = page.evaluate("[...document.querySelectorAll('a.session-row')].map((a) => a.hash)")
    page.context.close()
    for index, link in enumerate(list(dict.fromkeys(links))[: check.options.sessions]):
        views[f"session-{index + 1}"] = link
    return views


def audits(check: Check, views: dict[str, str]) -> None:
    """Every view, in both themes, on a desktop and on a phone; narrow, zoomed, and without motion."""
    folder = check.options.screenshots
    for theme in ("light", "dark"):
        for device, width in WIDTHS.items():
            context = check.context(width=width, theme=theme, touch=device == "phone")
            for name, address in views.items():
                where = f"{name}, {theme}, {device}"
                page = check.page(context, where)
                page.goto(check.base + address)
                settled(page)
                check.audit(page, where)
                if device == "desktop" and theme == "light":
                    focus_order(check, page, where)
                if folder and (not name.startswith("session-") or check.options.all_screenshots):
                    page.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0)")
                    page.screenshot(path=folder / f"{name}-{device}-{theme}.png", full_page=False)
                page.close()
            context.close()
    # 360 px is the narrowest phone; a zoom of 200 % on a desktop is a window of half its size.
    for what, more in {"360 px": {"width": 360, "height": 740, "touch": True}, "zoom 200 %": {"width": 720, "height": 450}}.items():
        context = check.context(**more, reduced_motion="reduce")
        for name, address in views.items():
            where = f"{name}, {what}"
            page = check.page(context, where)
            page.goto(check.base + address)
            settled(page)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                check.wrong(where, f"the page is {wide} px wider than the window")
            moving = page.evaluate("document.getAnimations().filter((a) => a.playState === 'running').length")
            if moving:
                check.wrong(where, f"{moving} things move, although motion is to be reduced")
            page.close()
        context.close()


def theme_switch(check: Check) -> None:
    """The switch goes through the system's theme, light and dark, and is kept."""
    page = check.page(check.context(theme="dark"), "theme")
    page.goto(check.base)
    settled(page)
    schemes = []
    for _ in range(3):
        tab_to(page, "^Theme")
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
        schemes.append(page.evaluate("getComputedStyle(document.documentElement).colorScheme"))
    if schemes[:2] != ["light", "dark"]:
        check.wrong("theme", f"the switch leads to {schemes}")
    page.context.close()


def contract(check: Check) -> None:
    """An event of the contract is opened by keyboard, and shows its fields and an example."""
    for theme in ("light", "dark"):
        where = f"an event of the contract, {theme}"
        page = check.page(check.context(theme=theme), where)
        page.goto(check.base + "#/contract")
        settled(page)
        tab_to(page, "^Search events")
        page.keyboard.type("prompt.issued")
        tab_to(page, "^prompt.issued.v1")
        page.keyboard.press("Enter")
        page.wait_for_selector(".message-body pre")
        for text in ("dialog", "expires"):
            if text not in page.locator(".members").first.inner_text():
                check.wrong(where, f"'{text}' is not among the fields")
        check.audit(page, where)
        page.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the address that the console prints, such as http://127.0.0.1:8080/")
    parser.add_argument("--executable-path", default="/usr/bin/chromium", help="Chromium (%(default)s)")
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for screenshots at three widths, in both themes")
    parser.add_argument("--all-screenshots", action="store_true", help="also of the other sessions")
    parser.add_argument("--sessions", type=int, default=5, help="how many of the other sessions to audit (%(default)s)")
    parser.add_argument("--token", help="a bearer token of a person who may answer: checks the sign-in too")
    parser.add_argument("--dev", type=int, metavar="PID", help="the process of `intents dev`: kills a worker of it, and looks at what the page shows")
    parser.add_argument("--servers", help="the brokers: writes records that can't be read, and deals with them in the inbox")
    options = parser.parse_args()
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.executable_path, args=["--no-sandbox"])
        check = Check(browser, options)
        try:
            if options.token:
                sign_in(check)
            session = ride(check)
            correction(check)
            handoff(check)
            two_pages(check)
            not_known_yet(check)
            find_failed(check, session)
            if options.servers:
                dead_letters(check)
            if options.dev:
                kill_worker(check)
                freeze_coordinator(check)
            theme_switch(check)
            contract(check)
            audits(check, addresses(check, session))
        except (Failure, Error) as failure:
            check.wrong("the page", str(failure))
        finally:
            browser.close()
    for problem in check.problems:
        print(f"✗ {problem}")
    print(f"{check.audits} audits, {len(check.problems)} problems")
    return 1 if check.problems else 0


if __name__ == "__main__":
    sys.exit(main())
