// What runs now.
import { lineChart, seriesText, spark, stack } from "./charts.js";
import { h } from "./dom.js";
import { ago, count, duration, rate } from "./format.js";
import { empty, icon, pill, skeleton, since, tag, title } from "./parts.js";
import { href } from "./router.js";
import { isSilent, state } from "./store.js";
import { stateText, stateTone, statusText, statusTone } from "./timeline.js";
import { noSessions } from "./view-sessions.js";

const SHORTEST = 30; // seconds that the charts show at least: more as time goes on

export function nowView() {
  const o = state.overview;
  return [
    title("Now", o && (isSilent() ? h("p", { class: "view-sub bad" }, "Not live: this is what was so ", since(new Date(state.arrived).toISOString()), ".") : h("p", { class: "muted view-sub" }, o.caughtUp === false ? "Reading what has happened so far. Numbers still grow." : "Live, once a second."))),
    o && faults([...(o.faults ?? []), ...(o.journal?.gaps ? [{ kind: "gaps", message: `${count(o.journal.gaps)} results are missing`, advice: "see what the coordinators have logged" }] : [])]),
    o ? (isUnused(o) ? beginning() : body(o)) : skeleton(8, "Loading the overview"),
  ];
}

const sum = (counts) => Object.values(counts ?? {}).reduce((all, n) => all + n, 0);

/** Whether nothing has been asked of the pipeline yet, as far as the console knows. Numbers would all be zero. */
export const isUnused = (o) => o.caughtUp !== false && !o.sessions && !sum(o.open) && !sum(o.completions) && !o.deadLetters;

function beginning() {
  return h("div", { class: "now" },
    h("section", { class: "panel wide", key: "beginning" }, noSessions("Nothing has been asked yet")),
    processPanels());
}

const processPanels = () => [
  panel("Workers", processes("Workers", state.workers, workerText, empty("No workers", "Nothing serves intents. Start a worker, or run ‘intents dev’.")), { class: "half", note: running(state.workers) }),
  panel("Coordinators", processes("Coordinators", state.coordinators, coordinatorText, empty("No coordinators", "Requests wait. Start intent-coordinator, or run ‘intents dev’.")), { class: "half", note: running(state.coordinators) }),
];

function body(o) {
  const { history } = state;
  const span = Math.max(SHORTEST, history.length);
  const of = (pick) => history.map(pick);
  return h("div", { class: "now" },
    h("div", { class: "tiles" },
      tile("Requests", rate(o.rates?.requests), "a second", of((s) => s.rates?.requests)),
      tile("Completions", rate(o.rates?.completions), "a second", of((s) => s.rates?.completions), "good"),
      tile("Median run", duration(o.waits?.runMedian), "request to completion", of((s) => s.waits?.runMedian), "info"),
      tile("Longest wait", duration(o.waits?.promptOldest), ["for a person. ", o.open?.prompts ? sessionsLink({ state: "prompt" }, waiting(o.open.prompts)) : waiting(0)], of((s) => s.waits?.promptOldest), "warn"),
      tile("Dead letters", o.deadLetters ? h("a", { href: href("inbox") }, count(o.deadLetters)) : "0", o.deadLetters ? "could not be read" : "All could be read.")),
    panel("Throughput", lineChart({
      title: "Events a second", span, unit: "a second", every: [`${duration(span)} ago`, `${duration(Math.round(span / 2))} ago`, "now"],
      series: [
        { title: "Results", values: of((s) => s.rates?.results), tone: "info" },
        { title: "Requests", values: of((s) => s.rates?.requests), tone: "accent" },
        { title: "Completions", values: of((s) => s.rates?.completions), tone: "good" },
        { title: "Prompts", values: of((s) => s.rates?.prompts), tone: "warn" },
      ],
    }), { class: "wide" }),
    openPanel(o.open ?? {}),
    resultsPanel(o.completions ?? {}),
    processPanels(),
    panel("Topics", topics(o.topics ?? [], history), { class: "wide flush" }));
}

const sessionsLink = (query, ...text) => h("a", { href: href("sessions", undefined, query) }, text);

const waiting = (n) => (n ? `${count(n)} ${n === 1 ? "waits" : "wait"}.` : "None waits.");

function panel(name, content, { note, ...props } = {}) {
  const id = `panel-${name.replace(/\W/g, "")}`;
  return h("section", { key: name, "aria-labelledby": id, ...props, class: `panel ${props.class ?? ""}` }, h("div", { class: "panel-head" }, h("h2", { id }, name), note && h("span", { class: "muted small" }, note)), content);
}

function tile(name, value, note, values, tone = "accent") {
  return h("div", { class: "tile", key: name }, h("h2", { class: "tile-name" }, name), h("p", { class: "tile-value num" }, value), h("p", { class: "tile-note" }, note),
    values && spark(values, { label: seriesText(name, values, "").replace(/ {2}/g, " "), span: Math.max(SHORTEST, values.length), tone }));
}

function openPanel(open) {
  const parts = [["working", open.working], ["prompt", open.prompts], ["handoff", open.handoffs], ["queued", open.queued]]
    .map(([name, value]) => ({ name, title: stateText(name), value: value ?? 0, tone: stateTone(name) }));
  return countsPanel("Open requests", parts, "state", "in all");
}

/** Numbers that lead to the sessions that they count. */
function countsPanel(name, parts, filter, note) {
  const links = parts.map((p) => h("li", { key: p.name }, sessionsLink({ [filter]: p.name }, pill(p.title, p.tone), h("b", { class: "num" }, count(p.value)))));
  return panel(name, [stack(parts, name), h("ul", { class: `counts ${parts.length > 4 ? "two" : ""}` }, links)], { class: "half", note: `${count(parts.reduce((all, p) => all + p.value, 0))} ${note}` });
}

function resultsPanel(completions) {
  return countsPanel("Results", Object.entries(completions).map(([name, value]) => ({ name, title: statusText(name), value, tone: statusTone(name) })), "outcome", "that the console has read");
}

const PHASES = { resolve: "resolve", confirm: "confirm", handle: "handle", "resolve-in-app": "resolve in app", "confirm-in-app": "confirm in app", "handle-in-app": "handle in app" };

const KINDS = {
  partitionsWithoutOwner: "Partitions have no coordinator", partitionStalled: "A partition makes no progress", phaseWithoutWorker: "A phase has no worker",
  gaps: "Results are missing", processLate: "A process is silent", clockApart: "A clock is wrong", partitionWithoutLeader: "A partition has no leader", brokerUnreachable: "Kafka does not answer",
};

/** What keeps requests from making progress, with what to do. The seconds tick, so that the kinds alone are read aloud. */
const faults = (list) => [h("p", { class: "sr", role: "status" }, [...new Set(list.map((f) => KINDS[f.kind] ?? f.kind))].join(". ")), list.length > 0 && h("ul", { class: "faults", "aria-label": "Problems" }, list.map((f) => h("li", { key: f.message.replace(/\d+ s\b/g, ""), class: "notice bad" }, icon("alert"), h("p", {}, h("b", {}, `${capital(f.message)}.`), ` ${capital(f.advice)}.`))))];

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const running = (list) => `${list.filter((p) => !p.goneAt && !p.late).length} running`;

function processes(label, list, describe, none) {
  if (!list.length) return none;
  return h("ul", { class: "rows", "aria-label": label }, list.map((p) => {
    const [text, tone] = p.goneAt ? [`Gone ${ago(new Date(p.goneAt).toISOString(), state.now)}`, "idle"] : p.late ? [`Last seen ${ago(p.renewed, state.now)}`, "bad"] : p.stalled?.length ? ["No progress", "bad"]
      : p.mark === "restarted" ? ["Restarted", "warn"] : p.mark === "new" ? ["New", "accent"] : ["Running", "good"];
    return h("li", { key: `${p.service ?? ""}/${p.instance}`, class: `row worker ${p.goneAt ? "gone" : ""} ${p.mark ?? ""}` },
      h("div", { class: "row-main" }, h("span", { class: "row-title mono" }, p.partitions ? p.instance.replace(/^coordinator-/, "") : p.instance), p.service && tag(p.service, "Service"), p.version && h("span", { class: "muted small" }, `v${p.version}`)),
      h("div", { class: "row-sub" }, describe(p)),
      h("div", { class: "row-end" }, pill(text, tone), h("span", { class: "muted small num" }, p.goneAt ? "" : ["started ", since(p.since)])));
  }));
}

const workerText = (w) => [(w.phases ?? []).map((p) => tag(PHASES[p] ?? p)), h("span", { class: "muted small" }, intentsText(w))];

function coordinatorText({ partitions, stalled = [] }) {
  if (!partitions) return h("span", { class: "muted small" }, "does not say what it owns");
  const owned = partitions.length === 1 ? `partition ${partitions[0]}` : `${count(partitions.length)} partitions`;
  return h("span", { class: "muted small" }, partitions.length ? owned : "owns nothing", stalled.length > 0 && `, no progress in ${stalled.slice(0, 10).join(", ")}`);
}

function intentsText(w) {
  const n = w.intents ?? 0, app = w.inApp ?? 0;
  return [n ? `${n} ${n === 1 ? "intent" : "intents"}` : "", app ? `${app} in the app` : ""].filter(Boolean).join(", ");
}

function topics(list, history) {
  const last = history.slice(-60), span = Math.max(SHORTEST, last.length);
  return h("div", { class: "table-wrap" }, h("table", {}, h("caption", { class: "sr" }, "Topics with their rate and lag"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Topic"), h("th", { scope: "col", class: "end" }, "Rate"), h("th", { scope: "col", class: "end" }, "Lag"), h("th", { scope: "col", class: "graph" }, "Lately"), h("th", { scope: "col", class: "end wide-only" }, "Records"))),
    h("tbody", {}, list.map((t) => {
      const lags = last.map((s) => s.topics[t.topic]?.lag);
      const known = t.lag !== null && t.lag !== undefined;
      return h("tr", { key: t.topic }, h("th", { scope: "row", class: "mono" }, t.topic), h("td", { class: "end num" }, `${rate(t.rate)}/s`),
        h("td", { class: `end num ${t.lag > 20 ? "warn" : ""}` }, known ? count(t.lag) : h("span", { class: "muted", title: "Not known" }, "–")),
        h("td", { class: "graph" }, known && spark(lags, { label: seriesText(`Lag of ${t.topic}`, lags, "records"), span, tone: "warn", max: Math.max(10, ...lags.filter(Number.isFinite)) })),
        h("td", { class: "end num wide-only muted" }, count(t.ends)));
    }))));
}
