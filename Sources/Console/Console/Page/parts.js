// Pieces that several views have in common.
import { h } from "./dom.js";
import { ago, clock, dateTime, initials, left, safeURL, valueText } from "./format.js";
import { changed, state } from "./store.js";

const ICONS = {
  now: "M2 9h3l2-5 3 9 2-4h2", sessions: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z", inbox: "M2.5 9.5l2-6h7l2 6v3.5h-11zM2.5 9.5h3.2l.8 1.6h3l.8-1.6h3.2",
  intents: "M8 2l1.6 4.4L14 8l-4.4 1.6L8 14l-1.6-4.4L2 8l4.4-1.6z", contract: "M4 2.5h5.5L12 5v8.5H4zM9.5 2.5V5H12M6 8h4M6 10.5h4",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14", sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  moon: "M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z", auto: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12", back: "M10 3L5 8l5 5", check: "M3 8.5l3.2 3L13 4.5", cross: "M4 4l8 8M12 4l-8 8",
  app: "M4.5 2h7v12h-7zM7 12h2", lock: "M4 7h8v6.5H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2", link: "M6.5 9.5l4-4M6 5l1.8-1.8a2.6 2.6 0 0 1 3.7 3.7L9.8 8.7M10 11l-1.8 1.8a2.6 2.6 0 0 1-3.7-3.7l1.7-1.8", eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  undo: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5L6 3.5M3 6.5l3 3", out: "M6.5 3h-3v10h3M7 8h6.5M11 5.5L13.5 8 11 10.5", plus: "M8 3v10M3 8h10", minus: "M3 8h10", alert: "M8 2.5l6 11H2zM8 6.5V10M8 11.6v.4", edit: "M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4z",
};

export function icon(name) {
  return h("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, h("path", { d: ICONS[name] }));
}

/** A small label with a dot of a tone: good, bad, warn, info, accent, idle. */
export const pill = (text, tone = "idle", props = {}) => h("span", { ...props, class: `pill ${tone}` }, h("span", { class: "dot", "aria-hidden": "true" }), text);

export const tag = (text, title) => h("span", { class: "tag", title }, text);

export function button(text, props = {}, kind = "") {
  const { icon: name, ...rest } = props;
  return h("button", { type: "button", ...rest, class: `button ${kind} ${props.class ?? ""}` }, name && icon(name), h("span", {}, text));
}

/** A time as how long ago it is, with the whole time as its title. */
export const since = (time) => time && h("time", { datetime: time, title: dateTime(time), class: "muted num" }, ago(time, state.now));

export const at = (time) => time && h("time", { datetime: time, title: dateTime(time), class: "muted num" }, clock(time));

/** A countdown. It is not read aloud each second. */
export function countdown(expires) {
  if (!expires) return null;
  const text = left(expires, state.now);
  const seconds = (Date.parse(expires) - state.now) / 1000;
  return h("span", { class: `countdown num ${seconds < 20 ? "bad" : seconds < 60 ? "warn" : ""}`, role: "timer", "aria-live": "off", title: `Until ${dateTime(expires)}` }, text ? `${text} left` : "Time is up");
}

/** An error beside what caused it. It is read aloud. */
export const alert = (problem, props = {}) => problem && h("div", { ...props, class: "notice bad", role: "alert" }, icon("alert"), h("p", {}, problem.message ?? String(problem)));

export const notice = (text, tone = "info", name = "alert") => h("div", { class: `notice ${tone}` }, icon(name), h("p", {}, text));

export const empty = (title, text, ...more) => h("div", { class: "empty" }, h("span", { class: "empty-icon", "aria-hidden": "true" }, icon(state.route.view)), h("p", { class: "empty-title" }, title), text && h("p", { class: "muted" }, text), more);

/** Grey bars in the place of what is being read. */
export function skeleton(rows = 5, label = "Loading") {
  return h("div", { class: "skeleton", role: "status" }, h("span", { class: "sr" }, label), Array.from({ length: rows }, (_, i) => h("div", { class: "bone", key: i, "aria-hidden": "true", style: { width: `${92 - ((i * 23) % 50)}%` } })));
}

/** A link to another site. A URL that is none is text. */
export function link(url, text) {
  const safe = safeURL(url);
  return safe ? h("a", { href: safe, target: "_blank", rel: "noopener noreferrer" }, text ?? safe) : h("span", {}, text ?? String(url ?? ""));
}

/** Initials in the place of a picture: no picture of another server is loaded. */
export const avatar = (title) => h("span", { class: "avatar", "aria-hidden": "true" }, initials(title));

/** A card that belongs to what was said. */
export function snippetCard(snippet) {
  if (!snippet) return null;
  return h("div", { class: "snippet" },
    h("div", { class: "snippet-head" }, (snippet.image || snippet.title) && avatar(snippet.title),
      h("div", { class: "grow" }, h("p", { class: "snippet-title" }, snippet.title), snippet.subtitle && h("p", { class: "muted small" }, snippet.subtitle))),
    snippet.lines?.length > 0 && h("dl", { class: "lines" }, snippet.lines.map((line, i) => h("div", { key: i }, h("dt", {}, line.title), h("dd", {}, line.text)))));
}

/** Names and values in two columns. */
export const pairList = (pairs) => pairs?.length > 0 && h("dl", { class: "lines" }, pairs.map(([name, value], i) => h("div", { key: i }, h("dt", {}, name), h("dd", {}, value))));

export const objectPairs = (object) => Object.entries(object ?? {}).map(([name, value]) => [name, valueText(value)]);

/** The heading of a view. It gets the focus when the person comes to the view. */
export const title = (text, ...more) => h("div", { class: "view-head" }, h("h1", { id: "title", tabindex: "-1" }, text), more);

export const searchField = (props) => h("div", { class: "search" }, icon("search"), h("input", { type: "search", autocomplete: "off", spellcheck: "false", ...props }));

/** A button that copies a text, or what a function returns. On plain http from another machine there is no clipboard: then it says so. */
export function copyButton(key, text, label = "Copy") {
  const say = (text) => { state.copied = { key, text }; changed(); };
  const failed = () => say("Select it, and copy it by hand");
  const copy = () => navigator.clipboard ? navigator.clipboard.writeText(text.call ? text() : text).then(() => say("Copied"), failed) : failed();
  return button(state.copied?.key === key ? state.copied.text : label, { onclick: copy }, "small quiet");
}
