// The list of sessions.
import { h } from "./dom.js";
import { clock, count, dateTime, MASK, spaced } from "./format.js";
import { holdSessions, loadSessions } from "./live.js";
import { FILTERS } from "./overview.js";
import { alert, button, countdown, empty, pill, searchField, since, skeleton, title } from "./parts.js";
import { href } from "./router.js";
import { seesFigures, setQuery, state } from "./store.js";
import { stateText, stateTone, statusText, statusTone } from "./timeline.js";

const STATES = ["prompt", "working", "handoff", "queued", "idle"];
const OUTCOMES = ["success", "failure", "cancelled", "timedOut", "unsupported", "deferredToApp", "rejected"];
const WITHIN = [[900, "Last 15 minutes"], [3600, "Last hour"], [86_400, "Last 24 hours"]];
const WAITS = [[10, "For 10 s or more"], [60, "For a minute or more"], [600, "For 10 minutes or more"], [3600, "For an hour or more"]];

let timer;
/** Asks for other sessions. */
function ask(change, delay = 0) {
  setQuery(change);
  clearTimeout(timer);
  timer = setTimeout(loadSessions, delay);
}

export function sessionsView() {
  const { list, unsearched, next, cut, error, reading, waiting } = state.sessions;
  const { query } = state.route;
  return [
    title("Sessions", list && h("p", { class: "muted view-sub", role: "status" }, found(state.sessions, query)),
      waiting?.length > 0 && h("p", { class: "muted view-sub" }, `${count(waiting.length)} changed. They move when you leave the list.`)),
    filters(query),
    alert(error),
    !list ? !error && skeleton(9, "Loading sessions") : list.length ? rows(list) : none(isFiltered(query)),
    list && (next || cut) && h("p", { class: "more" }, button(reading ? "Loading…" : unsearched ? "Search older sessions" : "Show more", { onclick: () => !reading && loadSessions({ more: true }) })),
  ];
}

const isFiltered = (query) => FILTERS.some((name) => query[name]);

const sessions = (n) => `${count(n)} ${n === 1 ? "session" : "sessions"}`;

/** How many there are, and what was not searched. */
function found({ list, total = list.length, kept = total, unsearched }, query) {
  const text = isFiltered(query) ? `${count(total)} of ${sessions(kept)}` : sessions(total);
  const masked = query.search && state.sessions.masked ? " Only names are searched, because values are hidden from you." : "";
  return `${text}${unsearched ? `. ${count(unsearched)} older ones are not searched yet.` : masked && "."}${masked}`;
}

function filters(query) {
  const set = (name) => (e) => ask({ [name]: e.target.value });
  const titles = new Map((state.catalog ?? []).map((i) => [i.intent, i.title ?? spaced(i.intent)]));
  if (query.intent && !titles.has(query.intent)) titles.set(query.intent, spaced(query.intent));
  // One choice is in the address by its time, so that a saved link shows the same.
  const short = (t) => (Math.abs(state.now - Date.parse(t)) < 43_200_000 ? clock(t).slice(0, 5) : dateTime(t));
  const span = [query.from && `Since ${short(query.from)}`, query.until && `until ${short(query.until)}`].filter(Boolean).join(", ");
  const time = [["", "Any time"], ...(span ? [["span", span]] : [])];
  return h("div", { class: "tools", role: "search" },
    searchField({ id: "session-search", "aria-label": "Search sessions", placeholder: "Search by name, intent, words or values", value: query.search ?? "", oninput: (e) => ask({ search: e.target.value }, 200) }),
    h("div", { class: "filters", "data-focus-home": true, tabindex: "-1" },
      choice("Status", query.state ? `state:${query.state}` : query.outcome ? `outcome:${query.outcome}` : "", (e) => { const [kind, value] = e.target.value.split(":"); ask({ state: undefined, outcome: undefined, ...(kind && { [kind]: value }) }); },
        [["", "Any status"]], ["Now", STATES.map((s) => [`state:${s}`, stateText(s)])], ["Ended", OUTCOMES.map((s) => [`outcome:${s}`, statusText(s)])]),
      choice("Intent", query.intent ?? "", set("intent"), [["", "Any intent"], ...[...titles].sort((a, b) => a[1].localeCompare(b[1]))]),
      choice("Time", span && "span", (e) => ask({ until: undefined, from: e.target.value && new Date(Date.now() - e.target.value * 1000).toISOString() }), [...time, ...WITHIN]),
      choice("Waiting", query.waits ?? "", set("waits"), [["", "Waiting or not"], ...WAITS, ...(query.waits && !WAITS.some(([s]) => s === Number(query.waits)) ? [[query.waits, `For ${query.waits} s or more`]] : [])]),
      seesFigures() && h("input", { class: "input", "aria-label": "Person", placeholder: "Any person", autocomplete: "off", spellcheck: "false", value: query.principal ?? "", oninput: (e) => ask({ principal: e.target.value }, 400) }),
      isFiltered(query) && button("Clear", { onclick: () => ask(Object.fromEntries(FILTERS.map((name) => [name, undefined]))) }, "quiet")));
}

/** A menu of plain choices, followed by groups of them. */
function choice(label, value, onchange, plain, ...groups) {
  const options = (list) => list.map(([v, text]) => h("option", { key: v, value: v }, text));
  return h("select", { class: "input", "aria-label": label, value, onchange }, options(plain), groups.map(([name, list]) => h("optgroup", { key: name, label: name }, options(list))));
}

export const noSessions = (title = "No sessions yet") => empty(title, "Start an intent, or send a request from elsewhere: its session appears here.", h("p", {}, h("a", { class: "button primary", href: href("intents") }, "Choose an intent")));

const none = (filtered) => filtered ? empty("Nothing found", "No session that this console keeps matches. Try other words, or fewer filters.") : noSessions();

/** The rows. They keep their places while a pointer or the focus is in them, so that no one opens another than they meant. */
function rows(list) {
  const persons = seesFigures() && list.some((s) => s.principal);
  return h("ul", { class: `panel session-list ${persons ? "with-person" : ""}`, "aria-label": "Sessions",
    onmouseenter: () => holdSessions(true), onmouseleave: (e) => e.currentTarget.contains(document.activeElement) || holdSessions(false),
    onfocusin: () => holdSessions(true), onfocusout: (e) => e.currentTarget.contains(e.relatedTarget) || holdSessions(false) },
    h("li", { key: "heads", class: "session-row heads", "aria-hidden": "true" }, ["Request", "Last words", persons && "Person", "Status", "Since"].filter(Boolean).map((name) => h("span", { key: name }, name))),
    list.map((s) => h("li", { key: s.session },
      h("a", { class: "session-row", href: href("sessions", s.session) },
        h("span", { class: "session-what" }, h("span", { class: "row-title cut" }, s.title || spaced(s.intent) || "No request"), h("span", { class: "muted small mono cut" }, s.session)),
        h("span", { class: "session-said cut muted" }, s.error ?? s.dialog ?? (s.masked ? MASK : "")),
        persons && h("span", { class: "session-person cut small" }, s.principal ?? ""),
        h("span", { class: "session-state" }, statusPill(s), s.expires && countdown(s.expires)),
        h("span", { class: "session-when" }, s.waitsSince ? h("span", { title: "Waits" }, since(s.waitsSince)) : since(s.updated))))));
}

export const statusPill = (s) => s.state === "idle" && s.status ? pill(statusText(s.status), statusTone(s.status)) : pill(stateText(s.state), stateTone(s.state));
