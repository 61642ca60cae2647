// The list of sessions.
import { h } from "./dom.js";
import { count, MASK } from "./format.js";
import { holdSessions, loadSessions } from "./live.js";
import { alert, button, countdown, empty, pill, searchField, since, skeleton, title } from "./parts.js";
import { href } from "./router.js";
import { changed, state } from "./store.js";
import { stateText, stateTone, statusText, statusTone } from "./timeline.js";

const STATES = ["", "prompt", "working", "handoff", "queued", "idle"];

let timer;
/** Asks for other sessions. The address follows, without a step in the history for each letter. */
function ask(change) {
  state.route.query = { ...state.route.query, ...change };
  history.replaceState(null, "", href("sessions", undefined, state.route.query));
  clearTimeout(timer);
  timer = setTimeout(loadSessions, "search" in change ? 200 : 0);
  changed();
}

export function sessionsView() {
  const { list, total, next, cut, error, reading, waiting } = state.sessions;
  const { search = "", state: chosen = "" } = state.route.query;
  return [
    title("Sessions", list && h("p", { class: "muted view-sub", role: "status" }, `${count(total ?? list.length)} ${(total ?? list.length) === 1 ? "session" : "sessions"}`),
      waiting?.length > 0 && h("p", { class: "muted view-sub" }, `${count(waiting.length)} changed. They move when you leave the list.`)),
    h("div", { class: "tools", role: "search" },
      searchField({ id: "session-search", "aria-label": "Search sessions", placeholder: "Search by session, intent or words", value: search, oninput: (e) => ask({ search: e.target.value }) }),
      h("fieldset", { class: "segments filter" }, h("legend", { class: "sr" }, "State"), STATES.map((name) => h("label", { key: name, class: "segment" },
        h("input", { type: "radio", name: "state", value: name, checked: chosen === name, onchange: () => ask({ state: name }) }), h("span", {}, name ? stateText(name) : "All"))))),
    alert(error),
    !list ? !error && skeleton(9, "Loading sessions") : list.length ? rows(list) : none(search || chosen),
    list && (next || cut) && h("p", { class: "more" }, button(reading ? "Loading…" : "Show more", { onclick: () => !reading && loadSessions({ more: true }) })),
  ];
}

const none = (filtered) => filtered
  ? empty("Nothing found", "No session matches. Try other words, or another state.")
  : empty("No sessions yet", "Start an intent, and its session appears here.", h("p", {}, h("a", { class: "button primary", href: href("intents") }, "Choose an intent")));

/** The rows. They keep their places while a pointer or the focus is in them, so that no one opens another than they meant. */
function rows(list) {
  return h("ul", { class: "panel session-list", "aria-label": "Sessions",
    onmouseenter: () => holdSessions(true), onmouseleave: (e) => e.currentTarget.contains(document.activeElement) || holdSessions(false),
    onfocusin: () => holdSessions(true), onfocusout: (e) => e.currentTarget.contains(e.relatedTarget) || holdSessions(false) }, list.map((s) => h("li", { key: s.session },
    h("a", { class: "session-row", href: href("sessions", s.session) },
      h("span", { class: "session-what" }, h("span", { class: "row-title cut" }, s.title || s.intent || "No request"), h("span", { class: "muted small mono cut" }, s.session)),
      h("span", { class: "session-said cut muted" }, s.dialog ?? (s.masked ? MASK : "")),
      h("span", { class: "session-state" }, s.state === "idle" && s.status ? pill(statusText(s.status), statusTone(s.status)) : pill(stateText(s.state), stateTone(s.state)), s.expires && countdown(s.expires)),
      h("span", { class: "session-when" }, since(s.updated))))));
}
