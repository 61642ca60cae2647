// node --test Tests/ConsoleTests/page.test.mjs
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../../Sources/Console/Console/Page/", import.meta.url);
const { matching, fieldOf, readField, readFields, problemOf, stepped, offsetText, othersMissing } = await import(new URL("form.js", page));
const { EventParser, backoff, follow } = await import(new URL("stream.js", page));
const { timeline, describe, rejectionText, answerText, approversText, parameterPath, proposals, replyTo } = await import(new URL("timeline.js", page));
const { MASK, safeURL, valueText, duration, ago, left, initials, unsupportedText } = await import(new URL("format.js", page));
const { parseRoute, href } = await import(new URL("router.js", page));
const { addSample, trackProcesses, mergeSessions, fitsList, inboxCount, withEarlier } = await import(new URL("overview.js", page));
const { linePath, areaPath, niceMax, seriesText } = await import(new URL("charts.js", page));
const { channelsOf, membersOf, resolve, searchChannels } = await import(new URL("contract.js", page));
const { keyed, h } = await import(new URL("dom.js", page));
globalThis.document = { addEventListener() {}, hidden: true }; // what the modules ask for when they are read
const { parse } = await import(new URL("api.js", page));
const { state } = await import(new URL("store.js", page));
const { goneOn, lost, send, waits, waitText, wrong } = await import(new URL("send.js", page));
const { sessionView } = await import(new URL("view-session.js", page));
const { phaseTimes } = await import(new URL("view-steps.js", page));
const { sessionsView } = await import(new URL("view-sessions.js", page));
const { isUnused, nowView } = await import(new URL("view-now.js", page));

const golden = (name) => JSON.parse(readFileSync(new URL(`../IntentEventsTests/Golden/${name}.json`, import.meta.url))).value;
const parameter = (schema, more = {}) => ({ name: "p", title: "P", type: { name: "T", schema }, ...more });
const event = (type, data, more = {}) => ({ id: `${type}-${Math.random()}`, type, time: "2026-03-01T12:00:00.250Z", data, ...more });

/** Opens a session in the state of the page, with these events. */
function opened(...events) {
  state.session = { name: "kitchen", rejections: {}, detail: { events } };
  return (...more) => { state.session.detail = { events: [...state.session.detail.events, ...more] }; };
}

/** Sends by a console that takes everything. */
async function sent(form, what, body) {
  globalThis.fetch = async () => Response.json({ event: "e-1" }, { status: 202 });
  await send(form, "kitchen", what, body);
}

// Sending

test("what was sent is waited for until the pipeline says something", async () => {
  const add = opened(event("intent.progressed.v1", {}));
  const form = {};
  await sent(form, "corrections", { request: "r", parameter: "p", value: 2 });
  assert.ok(waits(form));
  assert.match(waitText(form), /Waiting/);
  add(event("parameter.corrected.v1", {}, { id: "e-1" }));
  assert.ok(waits(form), "that it was written is no answer");
  add(event("prompt.issued.v1", {}));
  assert.ok(goneOn(form));
  assert.equal(waits(form), false);
  assert.equal(waitText(form), "");
});

test("a button that has cancelled one request cancels the next one too", async () => {
  const add = opened();
  const form = {};
  await sent(form, "cancellations", { request: "first" });
  assert.ok(waits(form));
  add(event("intent.completed.v1", { request: "first" }));
  assert.equal(waits(form), false);
  await sent(form, "cancellations", { request: "second" });
  assert.ok(waits(form));
});

test("a person whose question was answered by another is told so, where the form was", async () => {
  opened();
  const form = {};
  await sent(form, "answers", { prompt: "p-1", action: "accept" });
  assert.equal(lost(["p-2"], "kitchen"), undefined);
  state.session.rejections["e-1"] = { event: "e-1", reason: "unexpected", field: "prompt", message: "the prompt 'p-1' is not open" };
  assert.match(wrong(form).message, /no longer open/);
  assert.match(lost(["p-2"], "kitchen").message, /no longer open/);
  assert.equal(lost(["p-1"], "kitchen"), undefined, "its form is there, and tells it");
  assert.equal(lost(["p-2"], "garden"), undefined);
});

test("why something was not accepted is told in the pipeline's words, but without ids of prompts", () => {
  assert.equal(rejectionText({ reason: "invalid", field: "value", message: "at most 6" }), "at most 6");
  assert.equal(rejectionText({ reason: "busy" }), "Busy");
  assert.doesNotMatch(rejectionText({ reason: "unexpected", field: "handoff", message: "the handoff '4ab25e89-cb06-4f36-8294-9c67c2e4a359.3.handoff.951a' is taken" }), /4ab/);
});

test("a whole number of many digits is shown as it was written", () => {
  const { big, small } = parse('{"big":12345678901234567890,"small":[1,0.5,"x",null]}');
  // Before Node 21 and in old browsers there is no source of a number: then it is rounded, as JSON.parse does it.
  if (typeof big === "string") assert.equal(big, "12345678901234567890");
  else assert.equal(big, 12345678901234567890);
  assert.deepEqual(small, [1, 0.5, "x", null]);
});

test("a handoff that was claimed here can be completed, one that another page has claimed can't, and what the app's workers do can't be claimed", () => {
  const words = (node) => (Array.isArray(node) ? node.map(words).join(" ") : typeof node === "object" && node ? words(node.children) : node || "");
  const handoff = { request: "r", handoff: "h-1", claimant: "console", expires: "2026-03-01T12:10:00Z" };
  const shown = (more) => {
    opened();
    Object.assign(state, { me: { roles: ["person"] }, route: { view: "sessions", id: "kitchen", query: {} } });
    Object.assign(state.session.detail, { state: "handoff", canAnswer: true, requests: [{ request: "r", state: "handoff", title: "A ride" }], handoff, handoffClaimed: true, ...more });
    return words(sessionView());
  };
  assert.match(shown(), /working on it/);
  state.claims.set("h-1", { claimant: "console", secret: "s", event: "e-1" });
  assert.match(shown(), /Complete it .*Give it back/);
  state.claims.get("h-1").event = "e-2";
  shown();
  state.session.rejections["e-2"] = { reason: "unexpected" };
  assert.doesNotMatch(words(sessionView()), /Complete it/);
  assert.match(shown({ handoff: { ...handoff, claimant: undefined, mode: "foreground" }, handoffClaimed: false }), /Claim it as/);
  assert.doesNotMatch(shown({ handoff: { ...handoff, claimant: undefined, mode: "background" }, handoffClaimed: false }), /Claim it/);
});

test("a session shows the request that asks, also if another one waits behind it", () => {
  opened();
  const request = (id, state) => ({ request: id, state, title: `Title of ${id}` });
  Object.assign(state.session.detail, { state: "prompt", canAnswer: true, requests: [request("first", "prompt"), request("second", "queued")], prompt: { prompt: "p-1", request: "first", kind: "value", dialog: "Where to?" } });
  assert.match(JSON.stringify(sessionView()), /"id":"title".*?Title of first/);
  delete state.session.detail.prompt;
  state.session.detail.requests[0].state = "ended";
  assert.match(JSON.stringify(sessionView()), /"id":"title".*?Title of second/);
});

// Forms

test("the schema of a parameter decides its control", () => {
  const kind = (schema, more) => fieldOf(parameter(schema, more)).kind;
  assert.equal(kind({ type: "integer" }), "number");
  assert.equal(kind({ type: "number" }), "number");
  assert.equal(kind({ type: "boolean" }), "boolean");
  assert.equal(kind({ type: ["string", "null"] }), "text");
  assert.equal(kind({ type: "string", format: "date" }), "date");
  assert.equal(kind({ type: "string", format: "date-time" }), "datetime");
  assert.equal(kind({ type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" }), "time");
  assert.equal(kind({ enum: ["pool", "black"] }), "enum");
  assert.equal(kind({ type: "string", oneOf: [{ const: "card", title: "Card" }] }), "enum");
  assert.equal(kind({ type: "array", items: { type: "string" } }), "list");
  assert.equal(kind({ type: "string" }, { input: { multiline: true } }), "multiline");
});

test("an object is asked for in the person's words", () => {
  const field = fieldOf(parameter({ type: "object", properties: { name: { type: "string" } } }));
  assert.equal(field.kind, "text");
  assert.equal(field.words, true);
  assert.equal(readField(field, " the airport "), "the airport");
});

test("a secret is a password field, whatever its schema is", () => {
  assert.equal(fieldOf(parameter({ type: "integer" }, { sensitivity: "secret" })).kind, "secret");
  assert.equal(readField({ kind: "secret" }, " 12 "), " 12 ");
});

test("the catalogue's known options are choices, and those of a provider are words", () => {
  const known = fieldOf(parameter({ type: "object" }, { options: { known: [{ id: "a", title: "A" }] } }));
  assert.deepEqual(known.choices.map((c) => c.title), ["A"]);
  assert.equal(fieldOf(parameter({ type: "object" }, { options: { provider: "Rides" } })).kind, "text");
});

test("a choice is read as the value of the enumeration, not as its text", () => {
  const field = fieldOf(parameter({ enum: [1, 2] }));
  assert.equal(readField(field, "2"), 2);
});

test("a default is shown in words", () => {
  assert.equal(fieldOf(parameter({ type: "integer" }, { default: { value: 1, text: "one" } })).defaultText, "one");
  assert.equal(fieldOf(parameter({ type: "boolean" }, { default: false })).defaultText, "No");
  assert.equal(fieldOf(parameter({ type: "integer" })).defaultText, undefined);
});

test("a range bounds a number, and its stepper", () => {
  const field = fieldOf(parameter({ type: "integer" }, { range: { minimum: 1, maximum: 6 } }));
  assert.equal(problemOf(field, "9"), "The most is 6.");
  assert.equal(problemOf(field, "0"), "The least is 1.");
  assert.equal(problemOf(field, "2.5"), "Enter a whole number.");
  assert.equal(problemOf(field, "3"), undefined);
  assert.equal(stepped(field, "6", 1), "6");
  assert.equal(stepped(field, "", 1), "1");
  assert.equal(stepped(field, "3", -1), "2");
});

test("what is left empty is not sent", () => {
  const fields = [fieldOf({ name: "a", type: { schema: { type: "integer" } } }), fieldOf({ name: "b", type: { schema: { type: "string" } } })];
  assert.deepEqual(readFields(fields, { a: "", b: "x" }), { b: "x" });
  assert.deepEqual(readFields(fields, { a: "0", b: "  " }), { a: 0 });
});

test("a number that JavaScript would round is sent as it was written, and a blank one is none", () => {
  const field = fieldOf(parameter({ type: "number" }));
  for (const exact of ["7", "-0.25", "1e3", "0", "0.0", " 12 ", "9007199254740991"]) assert.equal(readField(field, exact), Number(exact), exact);
  for (const rounded of ["9007199254740993", "12345678901234567890", "0.1000000000000000055", "1e400"]) assert.equal(readField(field, rounded), rounded, rounded);
  for (const blank of ["", " ", "\t"]) {
    assert.equal(readField(field, blank), undefined);
    assert.equal(problemOf(field, blank), undefined);
  }
  const list = fieldOf(parameter({ type: "array", items: { type: "integer" } }, { size: { minimum: 2 } }));
  assert.deepEqual(readField(list, ["1", " "]), [1]);
  assert.equal(problemOf(list, ["1", " "]), "At least 2.");
});

test("any field can be said in words", () => {
  assert.equal(readField(fieldOf(parameter({ type: "integer" })), { words: "a few" }), "a few");
  assert.equal(readField(fieldOf(parameter({ type: "boolean" })), { words: "" }), undefined);
});

test("a date and time carries the offset of the local zone", () => {
  const field = fieldOf(parameter({ type: "string", format: "date-time" }));
  assert.equal(readField(field, "2026-03-02T18:30", () => -60), "2026-03-02T18:30:00+01:00");
  assert.equal(readField(field, "2026-03-02T18:30", () => 0), "2026-03-02T18:30:00+00:00");
  assert.equal(offsetText(210), "-03:30");
});

test("a list is read item by item, without the empty ones", () => {
  const field = fieldOf(parameter({ type: "array", items: { type: "integer" } }, { size: { maximum: 2 } }));
  assert.deepEqual(readField(field, ["1", "", "2"]), [1, 2]);
  assert.equal(readField(field, [""]), undefined);
  assert.equal(problemOf(field, ["1", "2", "3"]), "At most 2.");
});

test("the other parameters that are missing are in the form of the prompt", () => {
  const others = othersMissing(golden("prompt.issued.v1.form"));
  assert.deepEqual(others.map((f) => [f.name, f.kind]), [["ride", "enum"]]);
});

test("a search finds the options that have each of the words, whatever their accents and case", () => {
  const options = [{ id: "a", title: "Busáras", section: "North" }, { id: "b", title: "Heuston", synonyms: ["Kingsbridge"], subtitle: "North" }];
  const found = (search) => matching(options, search).map((o) => o.id);
  assert.deepEqual(found("busaras"), ["a"]);
  assert.deepEqual(found("NORTH king"), ["b"]);
  assert.deepEqual(found(" "), ["a", "b"]);
  assert.deepEqual(found("south"), []);
});

// Server-sent events

test("events come out of a stream that is cut anywhere", () => {
  const text = "id: 2:1\nevent: a.v1\ndata: {\"x\":1}\n\n: still here\n\ndata: one\ndata: two\r\n\r\nid: 2:3\r\ndata:three\r\n\r\n";
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new EventParser();
    const events = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))];
    assert.deepEqual(events, [
      { type: "a.v1", data: '{"x":1}', id: "2:1" }, { type: "message", data: "one\ntwo", id: "2:1" }, { type: "message", data: "three", id: "2:3" },
    ], `cut at ${cut}`);
  }
});

test("a comment and an event without data are nothing", () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push(": hello\n\nevent: a\n\n"), []);
});

test("waiting grows, and has an end", () => {
  assert.equal(backoff(0, 1), 500);
  assert.equal(backoff(1, 1), 1000);
  assert.equal(backoff(50, 1), 15_000);
  assert.equal(backoff(50, 0), 7_500);
});

test("a stream that ends is opened again, after the last event that was seen", async () => {
  const asked = [];
  const bodies = ["id: 2:7\ndata: a\n\n", "id: 2:8\ndata: b\n\n"];
  const seen = [], states = [];
  await new Promise((resolve) => {
    const stream = follow(async (headers) => {
      asked.push(headers["Last-Event-ID"]);
      return new Response(bodies.shift() ?? "");
    }, {
      onEvent: (e) => {
        seen.push(e.data);
        if (seen.length === 2) stream.close();
      },
      onState: (s) => {
        states.push(s);
        if (s === "reconnecting") setImmediate(() => stream.retry());
        if (s === "closed") resolve();
      },
    });
  });
  assert.deepEqual(asked, [undefined, "2:7"]);
  assert.deepEqual(seen, ["a", "b"]);
  assert.deepEqual(states, ["connecting", "open", "reconnecting", "open", "closed"]);
});

test("a stream that is refused is not asked for again", async () => {
  let asked = 0;
  await new Promise((resolve) => follow(async () => (asked++, new Response("", { status: 401 })), { onEvent() {}, onState: (s) => s === "closed" && resolve() }));
  assert.equal(asked, 1);
});

// The timeline

test("every golden result and request has words", () => {
  for (const file of readdirSync(new URL("../IntentEventsTests/Golden/", import.meta.url)).filter((f) => f.endsWith(".json"))) {
    const { topic, headers, value } = JSON.parse(readFileSync(new URL(`../IntentEventsTests/Golden/${file}`, import.meta.url)));
    const type = file.match(/([a-z]+\.[a-zA-Z]+\.v1)/)?.[1];
    if (!type || !/results|requests|answers/.test(topic ?? "") || typeof value !== "object") continue;
    const entry = describe(event(type, value, { topic: topic.replace("intents.", "") }));
    assert.ok(entry.title || entry.text || entry.pairs, file);
    assert.notEqual(entry.text, type, `${file} has no words of its own`);
    assert.doesNotMatch(JSON.stringify([entry.title, entry.text, entry.pairs]), /undefined|\[object/, file);
  }
});

test("an answer is told by the title of its option", () => {
  const prompt = golden("prompt.issued.v1.choice");
  assert.equal(answerText({ action: "accept", option: "south" }, prompt), "Station South");
  assert.equal(answerText({ action: "decline" }, prompt), "None of these.");
});

test("an agreement is told by the words of its button", () => {
  const prompt = golden("prompt.issued.v1.confirmIntent");
  assert.equal(answerText({ action: "accept" }, prompt), "Book it");
  assert.equal(answerText({ action: "decline" }, prompt), "Not now");
});

test("an approval says who may agree and who has, and a reminder why it is told", () => {
  const { approval } = golden("prompt.issued.v1.approval");
  assert.equal(approversText(approval), "2 of the requester, bob and the role finance, and later of others");
  assert.equal(approversText({ approvers: [{ role: "finance" }, { type: "app_user", id: "bob" }], count: 1 }), "the role finance or bob");
  assert.equal(describe(event("intent.completed.v1", golden("intent.completed.v1.approved"))).agreed, "Agreed by ann and bob");
  const { title, text } = describe(event("prompt.reminded.v1", golden("prompt.reminded.v1.reminder")));
  assert.deepEqual([title, text], ["Still open", "Still open: That is outside the service area. Where else?"]);
});

test("an answer that is secret or masked shows bullets", () => {
  assert.equal(answerText({ action: "accept", value: "1234" }, { kind: "value", secret: true }), "••••••");
  assert.equal(answerText({ action: "accept", value: "1234" }, { kind: "value", declaration: { sensitivity: "secret" } }), "••••••");
  assert.equal(answerText({ action: "accept", masked: true }, undefined), "••••••");
});

test("progress replaces the progress before it, and keeps its place", () => {
  const events = [
    event("intent.progressed.v1", { request: "r", phase: "handle", code: "inProgress", fraction: 0.2 }),
    event("intent.progressed.v1", { request: "r", phase: "handle", code: "inProgress", fraction: 0.8 }),
    event("intent.progressed.v1", { request: "other", phase: "handle", code: "inProgress" }),
  ];
  const entries = timeline(events);
  assert.deepEqual(entries.map((e) => e.fraction), [0.8, undefined]);
  assert.equal(entries[0].key, events[0].id);
});

test("progress shows no bar any more once its request has completed", () => {
  const progress = event("intent.progressed.v1", { request: "r", phase: "handle", code: "inProgress", fraction: 0.5 });
  assert.equal(timeline([progress])[0].fraction, 0.5);
  assert.equal(timeline([progress, event("intent.completed.v1", { request: "r", status: "success" })])[0].fraction, undefined);
  assert.equal(timeline([progress, event("intent.completed.v1", { request: "other", status: "success" })])[0].fraction, 0.5);
});

test("a claim is the person's on a topic of answers, and the pipeline's on results", () => {
  assert.equal(describe(event("handoff.claimed.v1", { claimant: "phone" }, { topic: "answers" })).side, "person");
  assert.equal(describe(event("handoff.claimed.v1", { claimant: "phone" }, { topic: "results" })).side, "pipeline");
  const completed = { claimant: "phone", code: "success", dialog: "Verified." };
  assert.equal(describe(event("handoff.completed.v1", completed, { topic: "answers" })).side, "person");
  const told = describe(event("handoff.completed.v1", completed, { topic: "results" }));
  assert.deepEqual([told.side, told.text], ["pipeline", "phone has completed it: done: Verified."]);
});

test("a parameter's path goes from the words to the value", () => {
  const events = [
    event("prompt.issued.v1", { prompt: "p1", kind: "choice", parameter: "dropOff", dialog: "Which airport?", options: [{ id: "t1", title: "Terminal 1" }] }),
    event("prompt.answered.v1", { prompt: "p1", action: "accept", option: "t1" }),
  ];
  const path = parameterPath({ parameter: "dropOff", words: "the airport", interpreted: "Airport", confidence: 0.8, text: "Terminal 1", prompts: ["p1"] }, events);
  assert.deepEqual(path.map((s) => s.kind), ["said", "read", "asked", "chosen", "value"]);
  assert.deepEqual(path.map((s) => s.text), ["“the airport”", "Airport", "Which airport?", "Terminal 1", "Terminal 1"]);
  assert.equal(path[1].note, "80 % sure");
});

test("a masked parameter shows no value on its path", () => {
  const events = [event("prompt.issued.v1", { prompt: "p1", masked: true }), event("prompt.answered.v1", { prompt: "p1", action: "accept", value: "leaked" })];
  const path = parameterPath({ parameter: "a", masked: true, prompts: ["p1"], text: "leaked", value: "leaked" }, events);
  assert.doesNotMatch(JSON.stringify(path), /leaked/);
});

test("words of a person and how they were read are told, and never a yes that was not said", () => {
  const asked = event("prompt.issued.v1", { prompt: "p1", kind: "choice", dialog: "Which?", options: [{ id: "t1", title: "Tea" }] });
  const read = (data) => timeline([asked, event("answer.read.v1", { prompt: "p1", ...data })])[1];
  assert.equal(timeline([asked, event("prompt.answered.v1", { prompt: "p1", utterance: "the first one" })])[1].text, "the first one");
  assert.equal(timeline([asked, event("prompt.answered.v1", { prompt: "p1" })])[1].text, MASK);
  assert.equal(read({ readAs: "option", option: "t1" }).text, "Read as “Tea”");
  assert.deepEqual([read({ readAs: "unclear", dialog: "Which one?" }).title, read({ readAs: "unclear", dialog: "Which one?" }).text], ["Asks again", "Which one?"]);
  assert.equal(read({ readAs: "help", masked: true }).text, MASK);
  const events = [asked, event("answer.read.v1", { prompt: "p1", readAs: "help", dialog: "Say a name." })];
  assert.deepEqual([replyTo(events, "p1"), replyTo(events, "p2")], ["Say a name.", undefined]);
});

test("a proposed value is beside the old one", () => {
  const prompt = { proposed: { time: "18:30" }, parameters: [{ parameter: "time", title: "Time", text: "18:00" }] };
  assert.deepEqual(proposals(prompt), [{ name: "time", title: "Time", old: "18:00", new: "18:30" }]);
  assert.deepEqual(proposals(golden("prompt.issued.v1.proposed")), [{ name: "time", title: "Time", old: undefined, new: "18:30" }]);
});

// Words, links and routes

test("only http and https are links", () => {
  assert.equal(safeURL("https://rides.example.com/D-1"), "https://rides.example.com/D-1");
  assert.equal(safeURL("http://localhost:8080/"), "http://localhost:8080/");
  for (const bad of ["javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//example.com", "/a", "", undefined, 7, {}]) {
    assert.equal(safeURL(bad), undefined, String(bad));
  }
});

test("a value says its title, name or amount", () => {
  assert.equal(valueText({ id: "x", title: "Station South" }), "Station South");
  assert.equal(valueText({ name: "Airport", identifier: "a" }), "Airport");
  assert.equal(valueText({ amount: "12.00", currencyCode: "EUR" }), "12.00 EUR");
  assert.equal(valueText({ value: 5, unit: "km" }), "5 km");
  assert.equal(valueText([{ title: "A" }, "b", 3, true]), "A, b, 3, Yes");
  assert.equal(valueText(null), "–");
  assert.equal(valueText({ deep: { deeper: { x: 1 } } }), "deep: deeper: x: 1");
});

test("durations have the unit that fits", () => {
  assert.deepEqual([0, 0.05, 4.23, 59.7, 80, 3600, 7500].map(duration), ["0 s", "50 ms", "4.2 s", "1 min", "1 min 20 s", "1 h", "2 h 5 min"]);
  const now = Date.parse("2026-03-01T12:00:00Z");
  assert.equal(ago("2026-03-01T11:57:00Z", now), "3 min ago");
  assert.equal(left("2026-03-01T12:01:24Z", now), "1:24");
  assert.equal(left("2026-03-01T11:00:00Z", now), undefined);
});

test("a picture that is not loaded has initials", () => {
  assert.deepEqual(["Howth Cliff Path", "Mia", "", "éclair", "• 7"].map(initials), ["HC", "M", "?", "É", "7"]);
});

test("why a value was not accepted is a sentence", () => {
  assert.equal(unsupportedText({ reason: "aboveMaximum", value: 9 }), "9: That is more than is allowed.");
  assert.equal(unsupportedText({ reason: "outsideServiceArea" }), "Outside service area.");
});

test("a route survives its own address", () => {
  for (const name of ["cli-3f", "a/b", "a?b#c", "ü %", "..", "%"]) assert.equal(parseRoute(href("sessions", name)).id, name);
  assert.deepEqual(parseRoute("#/sessions?state=prompt&search=a%20b"), { view: "sessions", id: undefined, query: { state: "prompt", search: "a b" } });
  assert.equal(parseRoute("#/nothing").view, "now");
  assert.equal(parseRoute("#/", "sessions").view, "sessions");
  assert.equal(parseRoute("").view, "now");
  assert.equal(href("sessions", undefined, { state: "", search: "x" }), "#/sessions?search=x");
});

// The overview

test("charts begin with what the console remembers, and go on with what the page is told, one sample a second", () => {
  const at = (second, rates = {}) => ({ time: `2026-01-01T00:00:0${second}.500Z`, rates });
  const told = addSample(addSample(addSample([], at(2, { requests: 2 })), at(2, { requests: 3 })), at(3, { requests: 4 }));
  assert.deepEqual(told.map((s) => s.rates.requests), [3, 4]);
  const history = withEarlier(told, {
    times: ["2026-01-01T00:00:01.100Z", "2026-01-01T00:00:02.100Z"], rates: { requests: [1, 2] }, waits: { runMedian: [null, 0.5] },
    topics: [{ topic: "intents.requests", rate: [7, 8], lag: [null, 0] }],
  });
  assert.deepEqual(history.map((s) => s.rates.requests), [1, 2, 4]);
  assert.deepEqual(history.map((s) => s.waits?.runMedian), [undefined, 0.5, undefined]);
  assert.deepEqual(history.map((s) => s.topics["intents.requests"]?.lag), [undefined, 0, undefined]);
  assert.equal(withEarlier(told, {}).length, 2);
});

test("a worker with a newer start has restarted, and one that is missing has gone", () => {
  const w = (instance, since) => ({ instance, since });
  let known = trackProcesses([], [w("a", "2026-01-01T00:00:00Z"), w("b", "2026-01-01T00:00:00Z")], 0);
  assert.deepEqual(known.map((x) => x.mark), [undefined, undefined]);
  known = trackProcesses(known, [w("a", "2026-01-01T00:01:00Z"), w("c", "2026-01-01T00:01:00Z")], 1000);
  assert.deepEqual(known.map((x) => [x.instance, x.mark, x.goneAt]), [["a", "restarted", undefined], ["b", undefined, 1000], ["c", "new", undefined]]);
  known = trackProcesses(known, [w("a", "2026-01-01T00:01:00Z"), w("b", "2026-01-01T00:00:00Z"), w("c", "2026-01-01T00:01:00Z")], 2000);
  assert.equal(known[1].mark, "restarted");
  known = trackProcesses(known, [w("a", "2026-01-01T00:01:00Z")], 100_000);
  assert.deepEqual(known.map((x) => [x.instance, x.mark]), [["a", undefined], ["b", undefined], ["c", undefined]]);
  known = trackProcesses(known, [w("a", "2026-01-01T00:01:00Z")], 300_000);
  assert.deepEqual(known.map((x) => x.instance), ["a"]);
});

test("a worker of which the console tells that it has gone is gone at once, and comes back as restarted", () => {
  const w = (since, gone) => ({ instance: "a", since, ...(gone && { gone }) });
  const gone = "2026-01-01T00:02:00Z", at = Date.parse(gone) + 500;
  let known = trackProcesses([], [w("2026-01-01T00:00:00Z")], at - 1000);
  known = trackProcesses(known, [w("2026-01-01T00:00:00Z", gone)], at);
  assert.deepEqual(known.map((x) => x.goneAt), [Date.parse(gone)]);
  // Also for a page that is opened then.
  assert.deepEqual(trackProcesses([], [w("2026-01-01T00:00:00Z", gone)], at).map((x) => x.goneAt), [Date.parse(gone)]);
  known = trackProcesses(known, [w("2026-01-01T00:02:10Z")], at + 11_000);
  assert.deepEqual(known.map((x) => [x.mark, x.goneAt]), [["restarted", undefined]]);
});

test("before the first overview, Now shows that it loads", () => {
  state.overview = undefined;
  assert.match(JSON.stringify(nowView()), /Loading the overview/);
});

test("a pipeline of which nothing was asked shows no zeros, and one that is being read does", () => {
  const nothing = { open: { working: 0, prompts: 0 }, completions: { success: 0 }, deadLetters: 0 };
  assert.ok(isUnused(nothing));
  for (const more of [{ caughtUp: false }, { sessions: 1 }, { open: { prompts: 1 } }, { completions: { failure: 1 } }, { deadLetters: 1 }]) assert.ok(!isUnused({ ...nothing, ...more }));
});

test("a list of sessions takes in what fits, and lets go of what no longer does", () => {
  const s = (session, state, updated) => ({ session, state, updated });
  const list = [s("a", "prompt", "2026-01-01T00:00:02Z"), s("b", "prompt", "2026-01-01T00:00:01Z")];
  const merged = mergeSessions(list, [s("a", "idle", "2026-01-01T00:00:03Z"), s("c", "prompt", "2026-01-01T00:00:04Z")], (x) => fitsList(x, { state: "prompt" }));
  assert.deepEqual(merged.map((x) => x.session), ["c", "b"]);
  assert.ok(fitsList({ session: "cli-3f", title: "Request a ride" }, { search: "RIDE" }));
  assert.ok(!fitsList({ session: "cli-3f" }, { search: "ride" }));
});

test("a changed session joins a filtered list only if its summary shows that it belongs there, and stays unless it shows that it does not", () => {
  const failed = { session: "a", state: "idle", status: "failure", intent: "RequestRide", principal: "ann", error: "the fleet is away" };
  const query = { outcome: "failure", intent: "RequestRide", principal: "ann", search: "FLEET" };
  assert.ok(fitsList(failed, query));
  for (const other of [{ status: "success" }, { intent: "SendPayment" }, { principal: "bob" }, { error: undefined }]) {
    assert.ok(!fitsList({ ...failed, ...other }, query), JSON.stringify(other));
    assert.ok(fitsList({ ...failed, ...other }, query, { isListed: true }), "an earlier request may have failed");
  }
  const waiting = { session: "b", state: "prompt", waitsSince: "2026-03-01T12:00:00Z" };
  const now = Date.parse("2026-03-01T12:01:00Z");
  assert.ok(fitsList(waiting, { waits: "60" }, { now }) && !fitsList(waiting, { waits: "61" }, { now, isListed: true }));
  assert.ok(!fitsList({ session: "c", state: "idle" }, { waits: "1" }, { now }));
});

test("the list says how many sessions match, and what was not searched", () => {
  const shown = (sessions, query) => {
    Object.assign(state, { sessions, route: { view: "sessions", query }, me: { roles: ["operator"] } });
    return JSON.stringify(sessionsView());
  };
  const list = [{ session: "a", state: "idle", status: "failure", error: "the fleet is away", updated: "2026-03-01T12:00:00Z" }];
  assert.match(shown({ list, total: 1, kept: 451 }, {}), /"1 session"/);
  assert.match(shown({ list, total: 1, kept: 451 }, { outcome: "failure" }), /"1 of 451 sessions"/);
  assert.match(shown({ list, total: 1, kept: 451 }, { outcome: "failure" }), /the fleet is away/);
  assert.match(shown({ list, total: 1, kept: 9000, unsearched: 7000, next: "3" }, { search: "fleet" }), /7,000 older ones are not searched yet\..*Search older sessions/);
  assert.match(shown({ list: [], total: 0, kept: 2, masked: true }, { search: "a" }), /values are hidden from you/);
});

test("a session says why it failed, and how long each phase has taken", () => {
  const request = { request: "r", state: "ended", status: "rejected", error: "no service serves 'Fly'", started: "2026-03-01T12:00:00Z", ended: "2026-03-01T12:00:04Z", parameters: [] };
  state.session = { name: "kitchen", rejections: {}, detail: { state: "idle", requests: [request], events: [] }, steps: { r: { trace: "4bf9", steps: [
    { phase: "resolve", attempt: 1, worker: "resolver/a", duration: 120, code: "asks" }, { phase: "resolve", attempt: 2, worker: "resolver/b", duration: 80, code: "resolved" },
    { phase: "handle", attempt: 1, reason: "internal", error: "the fleet is away" }] } } };
  state.route = { view: "sessions", id: "kitchen", query: {} };
  const text = JSON.stringify(sessionView());
  assert.match(text, /Why: no service serves 'Fly'/);
  assert.doesNotMatch(text, /undefined/);
  assert.match(text, /resolver\/b/);
  assert.match(text, /attempt 2/);
  assert.match(text, /No outcome/);
  assert.deepEqual(phaseTimes(state.session.steps.r.steps), [["Understanding", "200 ms"]]);
});

test("what waits is counted", () => {
  assert.equal(inboxCount({ approvals: [1], questions: [1, 2], handoffs: [], deadLetters: [{}] }), 4);
  assert.equal(inboxCount(undefined), 0);
});

test("a line ends at the right, and has a gap where nothing is known", () => {
  const box = { width: 100, height: 10, max: 10, span: 3 };
  assert.equal(linePath([5, 10], box), "M50.0 5.0L100.0 0.0");
  assert.equal(linePath([5, null, 10], box), "M0.0 5.0M100.0 0.0");
  assert.equal(areaPath([null, 5, 10], box), "M50.0 5.0L100.0 0.0L100.0 10L50.0 10Z");
  assert.equal(areaPath([5, null, 10], box), "M0.0 5.0L0.0 10L0.0 10ZM100.0 0.0L100.0 10L100.0 10Z");
  assert.deepEqual([0, 0.1, 0.3, 0.7, 12, 99, 100, 111].map(niceMax), [1, 0.2, 0.4, 0.8, 12, 100, 100, 120]);
  assert.match(seriesText("Requests", [1, 5, 3]), /3\.0 a second now, between 1\.0 and 5\.0/);
});

// The contract

test("channels, messages and fields are found through references", () => {
  const document = {
    channels: { results: { address: "intents.results", messages: { m: { $ref: "#/components/messages/a~1b" } } } },
    components: {
      messages: { "a/b": { name: "prompt.issued.v1", payload: { schemaFormat: "application/schema+json", schema: { $ref: "#/components/schemas/P" } }, examples: [{ name: "one", payload: { prompt: "p" } }] } },
      schemas: { P: { type: "object", required: ["prompt"], properties: { prompt: { type: "string" }, options: { type: "array", items: { type: "object" } }, kind: { enum: ["value", "choice"] }, expires: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] } } } },
    },
  };
  const [channel] = channelsOf(document);
  assert.equal(channel.address, "intents.results");
  assert.deepEqual(channel.messages[0].examples, [{ name: "one", value: { prompt: "p" } }]);
  assert.deepEqual(membersOf(document, channel.messages[0].schema).map((m) => [m.name, m.type, m.required]), [["prompt", "string", true], ["options", "list of object", false], ["kind", "value | choice", false], ["expires", "string, date-time or null", false]]);
  assert.deepEqual(searchChannels([channel], "prompt results").length, 1);
  assert.deepEqual(searchChannels([channel], "handoff"), []);
});

test("a reference in a circle, or to another document, is nothing", () => {
  assert.equal(resolve({}, { $ref: "https://example.com/x" }), undefined);
  assert.equal(resolve({}, { $ref: "#/not/there" }), undefined);
  const circle = { a: { $ref: "#/a" } };
  assert.deepEqual(membersOf(circle, { $ref: "#/a" }), []);
});

test("children keep their place when one before them is left out", () => {
  const keys = (...children) => keyed(children).map(([key]) => key);
  assert.deepEqual(keys(false, h("p"), "text"), ["1", "2"]);
  assert.deepEqual(keys(h("i"), [h("p", { key: "a" }), null, h("p")]), ["0", "1.k:a", "1.2"]);
});

test("the page has no inline script, style or address of another server, and fits", () => {
  let size = 0;
  for (const file of readdirSync(page)) {
    const text = readFileSync(new URL(file, page), "utf8");
    size += Buffer.byteLength(text);
    // Bytes. A view that needs more does too much.
    assert.ok(Buffer.byteLength(text) < (file.endsWith(".css") ? 38_000 : 17_000), file);
    if (file.endsWith(".html")) assert.doesNotMatch(text, /<script(?![^>]*src=)|\sstyle=|\son[a-z]+=/i, file);
    if (file.endsWith(".js")) assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|from "https?:/, file);
    assert.doesNotMatch(text.replaceAll("http://www.w3.org/2000/svg", ""), /(?:src|href|url\(|@import)\s*=?\s*["'(]?https?:/, file);
  }
  assert.ok(size < 220_000, `${size} bytes`);
});
