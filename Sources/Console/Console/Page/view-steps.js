// How a request was worked on, and the events of its session as they are.
import { get } from "./api.js";
import { h } from "./dom.js";
import { duration } from "./format.js";
import { alert, at, button, copyButton, pairList, pill, skeleton, tag } from "./parts.js";
import { changed, seesFigures } from "./store.js";
import { phaseText } from "./timeline.js";

/** The steps of a request: they are read from Kafka when the person wants to see them. */
export function stepsPanel(session, request) {
  if (!request || !seesFigures()) return null;
  const known = (session.steps ??= {})[request.request];
  const load = async () => {
    session.steps[request.request] = { loading: true };
    changed();
    const path = `sessions/${encodeURIComponent(session.name)}/requests/${encodeURIComponent(request.request)}/steps${session.reveal ? "?reveal=true" : ""}`;
    session.steps[request.request] = await get(path).catch((error) => ({ error }));
    changed();
  };
  // The clock of the coordinator may be behind that of the console.
  const took = request.ended && Math.max(0, Date.parse(request.ended) - Date.parse(request.started));
  return h("section", { class: "panel", key: "steps", "aria-labelledby": "steps" },
    h("div", { class: "panel-head" }, h("h2", { id: "steps" }, "How it ran"), button(known?.steps ? "Read again" : "Read it", { onclick: load }, "small quiet")),
    h("p", { class: "muted small pad" }, request.ended ? `Took ${duration(took / 1000)}${request.waited ? `, of which ${duration(request.waited / 1000)} waiting for the person` : ""}.` : "It is not over."),
    alert(known?.error), known?.loading && skeleton(3, "Reading the work topics"),
    known?.steps && (known.steps.length ? stepTable(known) : h("p", { class: "muted small pad" }, "No work of it was found.")),
    known?.cut && h("p", { class: "muted small pad" }, "Much has happened meanwhile: not everything was read."),
    known?.trace && h("p", { class: "small pad" }, "Trace ", h("span", { class: "mono" }, known.trace), copyButton(`trace/${request.request}`, known.trace)));
}

/** @returns `[[phase, "1.2 s"], …]`: what each phase has taken in all */
export function phaseTimes(steps) {
  const times = new Map();
  for (const s of steps) if (s.duration !== undefined) times.set(s.phase, (times.get(s.phase) ?? 0) + s.duration);
  return [...times].map(([phase, ms]) => [phaseText(phase), duration(ms / 1000)]);
}

function stepTable({ steps, cut }) {
  const all = phaseTimes(steps);
  return [
    all.length < steps.length && h("div", { class: "pad" }, pairList(all)),
    h("div", { class: "table-wrap" }, h("table", {}, h("caption", { class: "sr" }, "Work that was dispatched"),
      h("thead", {}, h("tr", {}, ["Phase", "Worker", "Took"].map((name) => h("th", { scope: "col", key: name, class: name === "Took" ? "end" : "" }, name)))),
      h("tbody", {}, steps.map((s, i) => h("tr", { key: i },
        h("th", { scope: "row" }, phaseText(s.phase), s.inApp && " in the app", s.attempt > 1 && [" ", tag(`attempt ${s.attempt}`)]),
        h("td", {}, h("span", { class: "mono" }, s.worker ?? "–"), (s.error ?? s.reason) && h("p", { class: "bad" }, s.error ?? s.reason)),
        h("td", { class: "end num" }, s.duration === undefined ? cut ? "–" : pill("No outcome", "warn") : duration(s.duration / 1000))))))),
  ];
}

/** The events as Kafka has them, but for what viewers may not see. */
export function rawPanel(session, detail) {
  const open = (session.raw ??= new Set());
  const toggle = (id, isOpen) => { if (open.has(id) !== isOpen) { isOpen ? open.add(id) : open.delete(id); changed(); } };
  const text = (event) => JSON.stringify(event, null, 2);
  return h("details", { class: "panel", key: "raw", ontoggle: (e) => e.target === e.currentTarget && toggle("", e.target.open) },
    h("summary", { class: "panel-head" }, h("h2", {}, "Raw events"), h("span", { class: "muted small" }, detail.events.length)),
    open.has("") && [
      h("p", { class: "pad" }, copyButton(`raw/${session.name}`, () => detail.events.map((e) => JSON.stringify(e)).join("\n"), "Copy all, a line each")),
      detail.events.map((e) => h("details", { key: e.id, class: "message", ontoggle: (x) => toggle(e.id, x.target.open) },
        h("summary", {}, h("span", { class: "mono small cut grow" }, e.type), at(e.time)),
        open.has(e.id) && h("div", { class: "pad" }, copyButton(e.id, () => text(e)), h("pre", { tabindex: "0" }, text(e))))),
    ]);
}
