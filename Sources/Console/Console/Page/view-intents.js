// The catalogue, and a form to start each intent.
import { post } from "./api.js";
import { h } from "./dom.js";
import { fieldView } from "./fields.js";
import { fieldOf, matching, problemOf, readFields } from "./form.js";
import { count, spaced } from "./format.js";
import { alert, button, empty, icon, pill, searchField, skeleton, tag, title } from "./parts.js";
import { href } from "./router.js";
import { randomName } from "./send.js";
import { changed, draft, dropDraft, isPerson, setQuery, state } from "./store.js";

export function intentsView() {
  const { id, query } = state.route;
  if (id !== undefined) return intentView(id, query);
  const list = state.catalog;
  if (!list) return [title("Intents"), alert(state.catalogError), !state.catalogError && skeleton(9, "Loading the catalogue")];
  const shown = matching([...list].sort((a, b) => titleOf(a).localeCompare(titleOf(b))).map((i) => ({ ...i, subtitle: i.description, section: i.intent, synonyms: [i.service ?? ""] })), query.search ?? "");
  return [
    title("Intents", h("p", { class: "muted view-sub", role: "status" }, `${count(shown.length)} ${shown.length === 1 ? "intent" : "intents"} served`)),
    list.length > 0 && h("div", { class: "tools", role: "search" }, searchField({ id: "intent-search", "aria-label": "Search intents", placeholder: "Search by name or description", value: query.search ?? "", oninput: (e) => setQuery({ search: e.target.value }) })),
    !list.length ? empty("Nothing is served", "Workers say here what they serve as soon as they run.") : !shown.length ? empty("Nothing found", "No intent matches. Try other words.")
      : [...new Set(shown.map((i) => i.service ?? ""))].sort().map((service, n, all) => h("section", { key: service, "aria-label": service || "Intents" },
        all.length > 1 && h("div", { class: "section-head" }, h("h2", {}, service ? `Service ${service}` : "Default service")),
        h("ul", { class: "intent-grid", "aria-label": "Intents" }, shown.filter((i) => (i.service ?? "") === service).map((i) => h("li", { key: i.intent }, h("a", { class: "panel intent-card", href: href("intents", i.intent, { session: query.session }) },
          h("span", { class: "row-title" }, titleOf(i)),
          i.description && h("span", { class: "small muted" }, i.description),
          !i.workers && !i.inApp && pill("No worker at present", "warn"))))))),
  ];
}

const titleOf = (i) => i.title ?? spaced(i.intent);

function workersText(i) {
  if (!i.workers && !i.inApp) return "No worker at present";
  return [i.workers ? `${i.workers} ${i.workers === 1 ? "worker" : "workers"}` : "", i.inApp ? "in the app" : ""].filter(Boolean).join(", ");
}

const CONFIRMATION = { always: "Asks for agreement", never: "Needs no agreement", depends: "May ask for agreement" };
const AUTHENTICATION = { requiresAuthentication: "For people who are signed in", requiresLocalDeviceAuthentication: "For people who are signed in on the device" };

function intentView(name, query) {
  const intent = state.catalog?.find((i) => i.intent === name);
  const crumbs = h("div", { class: "crumbs" }, h("a", { href: href("intents") }, icon("back"), "Intents"));
  if (!state.catalog) return [crumbs, title(spaced(name)), alert(state.catalogError), !state.catalogError && skeleton(6, "Loading the intent")];
  if (!intent) return [crumbs, title(spaced(name)), empty("Not served", `No worker serves “${name}” at present.`)];
  return [
    crumbs,
    title(titleOf(intent), h("div", { class: "head-tags" }, h("span", { class: "mono small muted" }, name), CONFIRMATION[intent.confirmation] && tag(CONFIRMATION[intent.confirmation]), AUTHENTICATION[intent.authentication] && tag(AUTHENTICATION[intent.authentication]), intent.effect === "atMostOnce" && tag("Never done twice"))),
    h("div", { class: "intent" },
      isPerson() ? startForm(intent, query) : h("section", { class: "panel pad" }, h("p", { class: "muted" }, "Your role does not allow you to start it.")),
      h("aside", { class: "panel pad about", "aria-label": "About this intent" },
        h("h2", {}, "About"),
        intent.description && h("p", {}, intent.description),
        h("p", { class: "small" }, intent.workers || intent.inApp ? pill(workersText(intent), "good") : pill("No worker at present", "warn")),
        h("dl", { class: "lines" }, [["Service", intent.service], ["Version", intent.version]].filter(([, v]) => v).map(([n, v]) => h("div", { key: n }, h("dt", {}, n), h("dd", {}, v)))))),
  ];
}

const WHEN_BUSY = [["", "It waits for its turn"], ["interrupt", "It goes first"], ["replace", "It replaces the one that is active"], ["reject", "It is rejected"]];

function startForm(intent, query) {
  const form = draft(`start/${intent.intent}`);
  form.session ??= query.session ?? "";
  form.whenBusy ??= "";
  const fields = (intent.parameters ?? []).map(fieldOf);
  const put = (change) => { Object.assign(form, change); changed(); };
  const submit = async (event) => {
    event.preventDefault();
    const bad = fields.find((f) => problemOf(f, form.values[f.name]));
    if (form.sending || bad) return bad && document.getElementById(`p-${bad.name}`)?.focus();
    // The same key until it has succeeded: sent twice, it is done once.
    form.key ??= randomName();
    put({ sending: true, error: undefined });
    try {
      const session = form.session.trim();
      const answer = await post("requests", {
        ...(session ? { session } : {}), intent: intent.intent, parameters: readFields(fields, form.values), ...(form.whenBusy ? { whenBusy: form.whenBusy } : {}),
        locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }, { "Idempotency-Key": form.key });
      dropDraft(`start/${intent.intent}`);
      state.started = { session: answer.session, at: Date.now() };
      location.hash = href("sessions", answer.session);
    } catch (problem) {
      // What was refused was not done: what is corrected is another request.
      put({ sending: false, error: problem, key: problem.status >= 400 && problem.status < 500 ? undefined : form.key });
    }
  };
  return h("form", { class: "panel start", "aria-labelledby": "start-title", novalidate: true, onsubmit: submit },
    h("div", { class: "panel-head" }, h("h2", { id: "start-title" }, "Start it"), h("span", { class: "muted small" }, fields.length ? "Leave out what you like. The pipeline asks for what is missing." : "It has no parameters.")),
    h("div", { class: "pad fields" },
      fields.map((field) => fieldView(field, form.values, { id: `p-${field.name}` })),
      h("details", { class: "others", open: Boolean(query.session) }, h("summary", {}, "Session and turn"),
        h("div", { class: "field" }, h("label", { for: "start-session" }, h("span", {}, "Session"), h("span", { class: "mark" }, "optional")),
          h("input", { id: "start-session", class: "input mono", autocomplete: "off", spellcheck: "false", value: form.session, "aria-describedby": "start-session-note", oninput: (e) => put({ session: e.target.value }) }),
          h("p", { class: "note", id: "start-session-note" }, "A new name makes a new session. Without a name it gets one.")),
        h("div", { class: "field" }, h("label", { for: "start-busy" }, "If another request of the session is active"),
          h("select", { id: "start-busy", class: "input", value: form.whenBusy, onchange: (e) => put({ whenBusy: e.target.value }) }, WHEN_BUSY.map(([v, t]) => h("option", { key: v, value: v }, t))))),
      alert(form.error),
      h("div", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, form.sending ? "Starting…" : "Start"),
        button("Clear", { onclick: () => { dropDraft(`start/${intent.intent}`); changed(); } }, "quiet"))));
}
