// A session's events as the entries of a conversation. Pure: the words that are shown are decided here, and tested.
import { MASK, spaced, unsupportedText, valueText } from "./format.js";

const PERSON = new Set([
  "intent.requested.v1", "prompt.answered.v1", "options.requested.v1", "parameter.corrected.v1", "intent.cancelled.v1",
  "handoff.returned.v1", "undo.requested.v1", "session.ended.v1", "updates.started.v1", "updates.stopped.v1", "session.forgotten.v1",
]);

const STATUS = {
  success: ["Done", "good"], failure: ["Failed", "bad"], cancelled: ["Cancelled", "idle"], timedOut: ["Timed out", "warn"],
  unsupported: ["Not supported", "warn"], deferredToApp: ["Goes on in the app", "info"], rejected: ["Not accepted", "bad"],
};
const PHASES = { resolve: "Understanding", confirm: "Checking", handle: "Doing" };
const KINDS = { value: "Asks", choice: "Asks to choose", confirmValue: "Asks if it is right", confirmIntent: "Asks for agreement", signIn: "Asks to sign in" };

export const statusText = (status) => STATUS[status]?.[0] ?? spaced(status);
export const statusTone = (status) => STATUS[status]?.[1] ?? "idle";
export const phaseText = (phase) => PHASES[phase] ?? spaced(phase);
export const kindText = (kind) => KINDS[kind] ?? "Asks";

const STATES = { working: ["Working", "info"], prompt: ["Waits for an answer", "accent"], handoff: ["Waits for an app", "warn"], queued: ["Queued", "idle"], idle: ["Idle", "idle"] };
export const stateText = (state) => STATES[state]?.[0] ?? spaced(state);
export const stateTone = (state) => STATES[state]?.[1] ?? "idle";

/** What the prompts of these events are, by their id, with all options that were listed for them. */
export function promptsOf(events) {
  const prompts = new Map();
  for (const event of events) {
    const d = event.data ?? {};
    if (event.type === "prompt.issued.v1" || event.type === "prompt.reminded.v1") prompts.set(d.prompt, { ...d, options: prompts.get(d.prompt)?.options ?? d.options ?? [] });
    if (event.type === "options.listed.v1" && prompts.has(d.prompt)) prompts.get(d.prompt).options = [...prompts.get(d.prompt).options, ...(d.options ?? [])];
  }
  return prompts;
}

/** What a person has answered, in words. */
export function answerText(answer, prompt) {
  if (answer.masked) return MASK;
  if (answer.utterance !== undefined) return isSecret(prompt) ? MASK : answer.utterance;
  if (answer.action === undefined) return MASK; // its words are not kept
  if (answer.action === "cancel") return "Cancel it.";
  if (answer.action === "delegate") return `Let ${answer.delegate?.id ?? "another person"} decide.`;
  if (answer.action === "decline") {
    if (prompt?.kind === "confirmIntent") return prompt.action?.deny ?? "No.";
    if (prompt?.kind === "choice") return "None of these.";
    return prompt?.kind === "value" ? "I do without it." : "No.";
  }
  if (answer.option !== undefined) return prompt?.options?.find((o) => o.id === answer.option)?.title ?? answer.option;
  if (isSecret(prompt)) return MASK;
  if (prompt?.kind === "confirmIntent") return prompt.action?.accept ?? "Yes.";
  if (prompt?.kind === "signIn") return "Signed in.";
  if (answer.value === undefined || answer.value === null || (prompt?.kind === "confirmValue" && answer.value === true)) return "Yes.";
  return valueText(answer.value);
}

export function isSecret(prompt) {
  return prompt?.secret === true || prompt?.declaration?.sensitivity === "secret";
}

/** "dropOff" → its title, as a prompt or the catalogue calls it. */
function titleOf(name, titles) {
  return titles[name] ?? spaced(name);
}

function pairs(parameters, titles) {
  return Object.entries(parameters ?? {}).map(([name, value]) => [titleOf(name, titles), valueText(value)]);
}

/** Titles of parameters that the events have told, else those of the catalogue. */
export function titlesOf(events, requests = [], declared = []) {
  const titles = Object.fromEntries(declared.map((p) => [p.name, p.title]));
  for (const request of requests) for (const p of request.parameters ?? []) if (p.title) titles[p.parameter] = p.title;
  for (const { data } of events) {
    if (data?.parameter && data.title) titles[data.parameter] = data.title;
    for (const p of Array.isArray(data?.parameters) ? data.parameters : []) if (p.title) titles[p.parameter] = p.title;
  }
  return titles;
}

/**
 * The entries of the timeline: `{key, side, kind, time, title, text, pairs, tone, …}`. Progress that follows progress of the same request replaces
 * it, because only the last one is of interest.
 */
export function timeline(events, requests = [], declared = []) {
  const prompts = promptsOf(events);
  const titles = titlesOf(events, requests, declared);
  const names = Object.fromEntries(requests.map((r) => [r.request, r.title]));
  const out = [];
  for (const event of events) {
    const entry = { key: event.id, time: event.time, request: event.data?.request ?? event.subject, type: event.type, masked: event.data?.masked === true, ...describe(event, { prompts, titles, names }) };
    const last = out.at(-1);
    if (entry.kind === "progress" && last?.kind === "progress" && last.request === entry.request) {
      out[out.length - 1] = { ...entry, key: last.key };
    } else out.push(entry);
  }
  // A bar that stays at half says that it still goes on.
  const over = new Set(out.filter((e) => e.kind === "completion").map((e) => e.request));
  return out.map((e) => (e.kind === "progress" && over.has(e.request) ? { ...e, fraction: undefined, tone: "idle" } : e));
}

/** Whether an event is of a person or an app, and not of the pipeline. */
export const isPersons = (event) => PERSON.has(event.type) || ((event.type === "handoff.claimed.v1" || event.type === "handoff.completed.v1") && event.topic !== undefined && event.topic !== "results");

/** Why the pipeline has not accepted an event, in words for a person: without ids of prompts and handoffs. */
export const rejectionText = (d) => d.field === "prompt" && / is not open/.test(d.message)
  ? "This question is no longer open: it was answered elsewhere, or it was withdrawn."
  : d.message?.replace(/ '[0-9a-f]{8}-[^']*'/g, "") ?? spaced(d.reason);

/** One event in words. */
export function describe(event, { prompts = new Map(), titles = {}, names = {} } = {}) {
  const d = event.data ?? {};
  const person = isPersons(event);
  const side = person ? "person" : "pipeline";
  switch (event.type) {
    case "intent.requested.v1": {
      const intent = d.intent ?? d.candidates?.[0]?.intent;
      const candidates = d.candidates?.length > 1 ? `One of ${d.candidates.map((c) => c.title ?? spaced(c.intent)).join(", ")}` : undefined;
      return { side, kind: "said", title: candidates ?? names[event.subject] ?? spaced(intent), pairs: pairs(d.parameters ?? d.candidates?.[0]?.parameters, titles) };
    }
    case "prompt.answered.v1": {
      const prompt = prompts.get(d.prompt);
      return { side, kind: "said", text: answerText(d, prompt), pairs: pairs(d.parameters, titles) };
    }
    case "parameter.corrected.v1":
      return { side, kind: "said", title: "A correction", pairs: d.masked ? [[titleOf(d.parameter, titles), MASK]] : [[titleOf(d.parameter, titles), valueText(d.value)]] };
    case "options.requested.v1": return { side, kind: "quiet", text: d.search ? `Looks for “${d.search}”` : "Asks for more options" };
    case "options.listed.v1": return { side, kind: "quiet", text: listedText(d) };
    case "intent.cancelled.v1": return { side, kind: "said", text: "Cancel it." };
    case "undo.requested.v1": return { side, kind: "said", text: "Undo it." };
    case "session.ended.v1": return { side, kind: "quiet", text: d.reason ? `An operator ended the session: ${d.reason}` : "An operator ended the session" };
    case "updates.started.v1": return { side, kind: "quiet", text: "Asks for live updates" };
    case "updates.stopped.v1": return { side, kind: "quiet", text: "Stops the live updates" };
    case "session.forgotten.v1": return { side, kind: "quiet", text: "Asks to forget what is remembered" };
    case "handoff.completed.v1": return { side, kind: "quiet", text: `${d.claimant ?? "The app"} ${person ? "reports" : "has completed it"}: ${d.code === "success" ? "done" : spaced(d.code)}${d.dialog ? `: ${d.dialog}` : ""}` };
    case "handoff.returned.v1": return { side, kind: "quiet", text: `${d.claimant ?? "The app"} gives it back` };
    case "prompt.issued.v1":
      return {
        side, kind: "prompt", title: kindText(d.kind), text: d.masked ? MASK : d.dialog ?? d.title, note: unsupportedText(d.unsupported),
        snippet: d.snippet, count: d.optionsTotal ?? d.options?.length, prompt: d.prompt,
      };
    case "prompt.reminded.v1": return { side, kind: "prompt", title: REMINDED[d.reason] ?? spaced(d.reason), text: d.masked ? MASK : d.reason === "agreed" ? d.dialog : `${REMINDED[d.reason] ?? spaced(d.reason)}: ${d.dialog ?? d.title}`, prompt: d.prompt };
    case "answer.read.v1":
      return d.dialog !== undefined || (d.masked && !READ[d.readAs]) ? { side, kind: "prompt", title: "Asks again", text: d.masked ? MASK : d.dialog, prompt: d.prompt } : { side, kind: "quiet", text: readText(d, prompts.get(d.prompt)) };
    case "intent.progressed.v1":
      return d.code === "queued"
        ? { side, kind: "progress", title: "Queued", text: "Another request of this session goes first.", tone: "idle" }
        : { side, kind: "progress", title: phaseText(d.phase), text: d.dialog ?? "This takes a while.", fraction: d.fraction, tone: "info" };
    case "handoff.offered.v1":
      return { side, kind: "handoff", title: d.mode === "background" ? "For an app, in the background" : "Goes on in an app", text: d.dialog ?? d.activity?.title ?? MASK, tone: "warn" };
    case "handoff.claimed.v1": return { side, kind: "quiet", text: person ? `${d.claimant ?? "An app"} claims it` : `${d.claimant ?? "An app"} has claimed it` };
    case "intent.completed.v1":
      return {
        side, kind: "completion", title: statusText(d.status), tone: statusTone(d.status), code: d.code === d.status ? undefined : d.code,
        text: d.supporting ?? d.dialog, error: d.error, snippet: d.snippet, items: d.items, chosen: d.chosen, results: d.results, response: d.response,
        undo: d.undo, opens: d.opens, activity: d.activity, agreed: d.agreement && agreedText(d.agreement.by),
      };
    case "intent.answeredLate.v1": return { side, kind: "completion", title: "Answered late", tone: "warn", text: d.dialog, response: d.response, note: "It succeeded after the request had timed out." };
    case "intent.updated.v1":
      return { side, kind: "update", title: d.phase === "completed" ? spaced(d.completionStatus ?? "completed") : spaced(d.phase), text: d.dialog, pairs: pairs(d.values, {}) };
    case "updates.ended.v1": return { side, kind: "quiet", text: endedText(d) };
    case "memory.forgotten.v1": return { side, kind: "quiet", text: "What was remembered is forgotten" };
    case "request.rejected.v1": return { side, kind: "rejection", title: "Not accepted", text: rejectionText(d), tone: "bad", field: ["prompt", "handoff", "authid", "delegate"].includes(d.field) ? undefined : d.field, rejects: d.event };
    default: return { side, kind: "quiet", text: event.type };
  }
}

const REMINDED = { reminder: "Still open", escalated: "Others may agree now as well", delegated: "Another one may agree instead", agreed: "One has agreed" };

/** Who may agree, in words. */
export function approversText(approval) {
  const who = approval.approvers.map((a) => (a.role !== undefined ? `the role ${a.role}` : a.id));
  if (approval.includesRequester) who.unshift("the requester");
  const later = approval.escalates ? ", and later of others" : "";
  return `${approval.count > 1 ? `${approval.count} of ` : ""}${list(who, approval.count > 1 ? "and" : "or")}${later}`;
}

/** Who has agreed, in words; empty if nobody has. */
export const agreedText = (consents) => (consents?.length ? `Agreed by ${list(consents.map((c) => c.principal?.id ?? "the requester"), "and")}` : "");

const list = (words, last) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}` : words.join(""));

const READ = { yes: "a yes", no: "a no", none: "none of these", cancel: "a cancellation", option: "one of the options", value: "a value in words", change: "a change in words", skip: "do without" };

function readText(d, prompt) {
  const option = d.option !== undefined && prompt?.options?.find((o) => o.id === d.option)?.title;
  return `Read as ${option ? `“${option}”` : READ[d.readAs] ?? spaced(d.readAs)}`;
}

/** What the pipeline says to the last words that were no answer to this prompt. */
export const replyTo = (events, prompt) => events.findLast((e) => e.type === "answer.read.v1" && e.data?.prompt === prompt)?.data.dialog;

function listedText(d) {
  const n = d.options?.length ?? 0;
  if (!n) return d.search ? `Nothing found for “${d.search}”` : "No more options";
  return `${n === 1 ? "1 option" : `${n} options`}${d.search ? ` for “${d.search}”` : ""}`;
}

function endedText(d) {
  const why = { stopped: "They were stopped.", completed: "It is over.", silent: "No worker went on.", expired: "They lasted as long as they may.", invalid: d.error?.message ?? "The handler failed." };
  return `No more updates. ${why[d.reason] ?? ""}`.trim();
}

/**
 * A parameter's path from the person's words to the value, as steps `{kind, label, text, note, prompt}`: said, read, asked, chosen, value.
 */
export function parameterPath(parameter, events, asked) {
  const prompts = promptsOf(events);
  const steps = [];
  const hidden = parameter.masked;
  if (parameter.words !== undefined) steps.push({ kind: "said", label: "Said", text: `“${parameter.words}”` });
  else if (hidden && parameter.source === undefined && !parameter.missing) steps.push({ kind: "said", label: "Said", text: MASK });
  if (parameter.interpreted !== undefined || parameter.confidence !== undefined) {
    steps.push({
      kind: "read", label: "Read as", text: parameter.interpreted ?? parameter.words ?? "",
      note: parameter.confidence === undefined ? undefined : `${Math.round(parameter.confidence * 100)} % sure`,
    });
  }
  for (const id of parameter.prompts ?? []) {
    const prompt = prompts.get(id);
    steps.push({ kind: "asked", label: "Asked", text: prompt?.dialog ?? (hidden ? MASK : "a question"), prompt: id });
    const answer = events.findLast?.((e) => e.type === "prompt.answered.v1" && e.data?.prompt === id);
    if (answer) steps.push({ kind: "chosen", label: answer.data.option !== undefined ? "Chosen" : "Answered", text: hidden ? MASK : answerText(answer.data, prompt) });
  }
  if (parameter.missing) steps.push({ kind: "missing", label: "Missing", text: asked === parameter.parameter ? "It is asked for now." : "It will be asked for." });
  else if (hidden) steps.push({ kind: "value", label: "Value", text: MASK });
  else if (parameter.text !== undefined || parameter.value !== undefined) steps.push({ kind: "value", label: "Value", text: parameter.text ?? valueText(parameter.value) });
  return steps;
}

/** The values that are proposed instead of the person's: `[{name, title, old, new}]`. */
export function proposals(prompt) {
  return Object.entries(prompt.proposed ?? {}).map(([name, value]) => {
    const known = prompt.parameters?.find((p) => p.parameter === name);
    return { name, title: known?.title ?? spaced(name), old: known ? known.text ?? valueText(known.value) : undefined, new: valueText(value) };
  });
}
