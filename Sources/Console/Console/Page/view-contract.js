// The events as they are published: channels, messages, schemas, examples.
import { address } from "./api.js";
import { channelsOf, membersOf, searchChannels } from "./contract.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { alert, empty, searchField, skeleton, tag, title } from "./parts.js";
import { changed, setQuery, state } from "./store.js";

export function contractView() {
  const doc = state.contract;
  const links = h("p", { class: "view-links" }, h("a", { href: address("openapi.json") }, "OpenAPI of the HTTP interface"), h("a", { href: address("asyncapi.json") }, "AsyncAPI of the events"));
  if (!doc) return [title("Contract"), links, alert(state.contractError), !state.contractError && skeleton(9, "Loading the contract")];
  const search = state.route.query.search ?? "";
  const channels = searchChannels(channelsOf(doc), search);
  return [
    title("Contract", h("p", { class: "muted view-sub" }, `${doc.info?.title ?? "Events"} ${doc.info?.version ?? ""}, AsyncAPI ${doc.asyncapi ?? ""}`)),
    links,
    alert(state.contractError),
    h("div", { class: "tools", role: "search" }, searchField({ id: "contract-search", "aria-label": "Search events", placeholder: "Search events", value: search, oninput: (e) => setQuery({ search: e.target.value }) })),
    !channels.length && empty("Nothing found", "No event has these words."),
    channels.map((c) => h("section", { class: "channel", key: c.id, "aria-labelledby": `c-${c.id}` },
      h("div", { class: "section-head" }, h("h2", { id: `c-${c.id}`, class: "mono" }, c.address), h("span", { class: "badge quiet num" }, count(c.messages.length)), c.description && h("p", { class: "muted small" }, c.description)),
      c.messages.length > 0 ? h("div", { class: "panel messages" }, c.messages.map((m) => message(doc, c, m))) : h("p", { class: "muted small" }, "No events are published for it."))),
  ];
}

function message(doc, channel, m) {
  const key = `${channel.id}/${m.id}`;
  const shown = (state.contractOpen ??= new Set());
  // What is closed is not drawn: there are many, and each is long.
  const toggle = (event) => {
    if (event.target.open) shown.add(key);
    else shown.delete(key);
    changed();
  };
  return h("details", { class: "message", key, ontoggle: toggle }, h("summary", {}, h("span", { class: "mono message-name" }, m.name), m.summary && h("span", { class: "muted small cut" }, m.summary)),
    shown.has(key) && h("div", { class: "message-body" }, members(doc, m.schema), m.examples.map((e, i) => json(e.value, `Example${e.name && e.name !== m.name ? `: ${e.name}` : ""}`, i)), m.schema && h("details", { class: "more-details" }, h("summary", {}, "JSON Schema"), json(m.schema, `JSON Schema of ${m.name}`))));
}

// It scrolls by itself, so the keyboard has to reach it.
const json = (value, title, key) => h("figure", { key, class: "example" }, h("figcaption", { class: "small muted" }, title), h("pre", { tabindex: "0", role: "region", "aria-label": title }, h("code", {}, JSON.stringify(value, null, 2))));

function members(doc, schema) {
  const list = membersOf(doc, schema);
  if (!list.length) return null;
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Fields" }, h("table", { class: "members" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Field"), h("th", { scope: "col" }, "Type"), h("th", { scope: "col" }, "Meaning"))),
    h("tbody", {}, list.map((m) => h("tr", { key: m.name }, h("th", { scope: "row", class: "mono" }, m.name, m.required && [" ", tag("required")]), h("td", { class: "mono small" }, m.type), h("td", { class: "small" }, m.description ?? ""))))));
}
