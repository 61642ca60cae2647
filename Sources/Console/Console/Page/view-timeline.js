// The conversation: the person's words at the right, the pipeline's at the left.
import { h } from "./dom.js";
import { spaced, valueText } from "./format.js";
import { at, avatar, empty, link, objectPairs, pairList, pill, snippetCard, tag } from "./parts.js";
import { state } from "./store.js";
import { statusText, timeline } from "./timeline.js";

/** @param opened when the person came here: what is newer comes in with a small movement, what was there does not */
export function timelineView(detail, name, opened) {
  const declared = (state.catalog ?? []).filter((i) => detail.requests.some((r) => r.intent === i.intent)).flatMap((i) => i.parameters ?? []);
  const entries = timeline(detail.events, detail.requests, declared).map((e) => ({ ...e, fresh: Date.parse(e.time) > opened }));
  if (!entries.length) return empty("Nothing was said yet", "What is said appears here at once.");
  // Additions are read aloud, changes of what is there are not. It scrolls by itself, so it can have the focus.
  return h("div", { class: "timeline", role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-label": `Conversation of ${name}`, tabindex: "0", "data-stick": true },
    detail.earlier && h("p", { class: "entry quiet", key: "earlier" }, "There were events before these."),
    entries.map((e) => (VIEW[e.kind] ?? VIEW.quiet)(e)));
}

const frame = (e, ...content) => h("article", { key: e.key, class: `entry ${e.side} is-${e.kind}${e.fresh ? " new" : ""}`, "aria-label": e.side === "person" ? "The person" : "The pipeline" }, content, h("p", { class: "entry-time" }, at(e.time)));

const bubble = (e, ...content) => frame(e, h("div", { class: "bubble" }, content));

const card = (e, ...content) => frame(e, h("div", { class: "card" }, content));

const VIEW = {
  quiet: (e) => h("p", { key: e.key, class: `entry quiet ${e.side}` }, h("span", {}, e.text), " ", at(e.time)),
  said: (e) => bubble(e, e.title && h("p", { class: "bubble-title" }, e.title), e.text && h("p", {}, e.text), e.pairs?.length > 0 && h("p", { class: "said-pairs" }, e.pairs.map(([name, value]) => h("span", { key: name, class: "said-pair" }, h("span", { class: "said-name" }, name), ` ${value}`)))),
  prompt: (e) => bubble(e, e.note && h("p", { class: "small warn-text" }, e.note), h("p", {}, e.text), snippetCard(e.snippet), e.count > 0 && h("p", { class: "muted small" }, `${e.title} · ${e.count} ${e.count === 1 ? "option" : "options"}`)),
  progress: (e) => card(e, h("div", { class: "card-head" }, pill(e.title, e.tone), h("span", {}, e.text)), e.fraction !== undefined && h("progress", { class: "progress", "aria-label": e.text ?? "Progress", max: 1, value: e.fraction })),
  handoff: (e) => card(e, h("div", { class: "card-head" }, pill(e.title, e.tone)), h("p", {}, e.text)),
  rejection: (e) => card(e, h("div", { class: "card-head" }, pill(e.title, e.tone), e.field && tag(e.field)), h("p", {}, e.text)),
  update: (e) => card(e, h("div", { class: "card-head" }, tag("Live"), h("b", {}, e.title)), e.text && h("p", {}, e.text), pairList(e.pairs)),
  completion: (e) => card(e,
    h("div", { class: "card-head" }, pill(e.title, e.tone), e.code && tag(e.code)),
    e.text && h("p", { class: "card-text" }, e.text),
    e.note && h("p", { class: "muted small" }, e.note),
    e.agreed && h("p", { class: "muted small" }, e.agreed),
    e.error && h("p", { class: "error-text" }, e.error.message ?? spaced(e.error.reason)),
    snippetCard(e.snippet),
    e.results?.length > 0 && h("ul", { class: "results" }, e.results.map((r) => h("li", { key: r.id }, h("span", { class: "grow" }, r.title, r.dialog && h("span", { class: "muted small" }, ` ${r.dialog}`)), pill(r.code === "success" ? "Done" : statusText(r.code), r.code === "success" ? "good" : "bad")))),
    e.items?.length > 0 && h("ul", { class: "items" }, e.items.map((item) => h("li", { key: item.id, class: item.id === e.chosen ? "chosen" : "" }, avatar(item.title), h("span", { class: "grow" }, h("span", { class: "option-title" }, item.title ?? valueText(item.value)), item.subtitle && h("span", { class: "muted small" }, ` ${item.subtitle}`)), item.id === e.chosen && pill("Chosen", "accent")))),
    e.response && h("details", { class: "more-details" }, h("summary", {}, "Response"), pairList(objectPairs(e.response).map(([n, v]) => [spaced(n), v]))),
    e.activity?.webpageURL && h("p", {}, link(e.activity.webpageURL, e.activity.title ?? "Open its page")),
    e.opens && h("p", { class: "muted small" }, `Goes on with ${spaced(e.opens.intent).toLowerCase()}.`)),
};
