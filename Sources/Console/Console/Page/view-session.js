// One session: the conversation, the open prompt, and each parameter's path from words to value.
import { h } from "./dom.js";
import { MASK, sourceText, spaced } from "./format.js";
import { handoffView } from "./view-handoff.js";
import { correctionView, declaredIn, hash, promptView } from "./view-prompt.js";
import { rawPanel, stepsPanel } from "./view-steps.js";
import { timelineView } from "./view-timeline.js";
import { loadSession } from "./live.js";
import { alert, button, empty, icon, notice, pill, since, skeleton, tag } from "./parts.js";
import { href } from "./router.js";
import { lost, send, waits, waitText, wrong } from "./send.js";
import { changed, draft, isOperator, isPerson, state } from "./store.js";
import { parameterPath, phaseText, replyTo, stateText, stateTone, statusText, statusTone } from "./timeline.js";

const OPEN = new Set(["working", "prompt", "handoff", "queued"]);

export function sessionView() {
  const session = state.session;
  const detail = session?.detail;
  const name = state.route.id;
  const active = detail && activeOf(detail);
  return [
    h("div", { class: "crumbs" }, h("a", { href: href("sessions") }, icon("back"), "Sessions")),
    h("div", { class: "view-head session-head" },
      h("div", { class: "grow" }, h("h1", { id: "title", tabindex: "-1" }, nameOf(active)), h("p", { class: "muted small session-name" }, h("span", { class: "mono" }, name), detail?.principal && ` · ${detail.principal}`)),
      detail && h("div", { class: "head-tags" }, pill(stateText(detail.state), stateTone(detail.state)), session.stream === "reconnecting" && pill("Reconnecting", "warn", { role: "status" }), detail && actions(detail, active))),
    session?.error && (session.error.status === 404 && !detail
      ? empty("No such session", `Nothing is known of “${name}”. It may have been forgotten.`, h("p", {}, h("a", { class: "button", href: href("sessions") }, "All sessions")))
      : alert(session.error)),
    !detail ? !session?.error && skeleton(8, "Loading the session") : [
      detail.masked && masked(session),
      h("div", { class: "session", key: "session" },
        // First, so that a phone shows what is asked before what was said.
        h("section", { class: "panel answer", id: "answer", tabindex: "-1", "aria-label": "What is asked", "data-focus-home": true }, alert(lost([detail.prompt?.prompt], name)), nowOpen(detail, active, name)),
        h("section", { class: "panel conversation", "aria-labelledby": "conversation" }, h("div", { class: "panel-head" }, h("h2", { id: "conversation" }, "Conversation")), timelineView(detail, name, session.opened)),
        h("div", { class: "side" },
          parametersPanel(session, detail, active),
          stepsPanel(session, detail.requests.find((r) => r.request === session.chosen) ?? active),
          rawPanel(session, detail))),
    ],
  ];
}

const nameOf = (request) => request?.title ?? (spaced(request?.intent) || "Session");

/** The request that the view is about: the one that asks, else the one that is worked on, else one that waits for its turn, else the last. */
function activeOf({ requests, prompt, handoff }) {
  const asks = (prompt ?? handoff)?.request;
  return requests.find((r) => r.request === asks) ?? requests.findLast((r) => OPEN.has(r.state) && r.state !== "queued") ?? requests.findLast((r) => OPEN.has(r.state)) ?? requests.at(-1);
}

function masked(session) {
  return h("div", { class: "notice info" }, icon("lock"), h("p", { class: "grow" }, "Private values are hidden."),
    isOperator() && button("Reveal values", { icon: "eye", onclick: () => { session.reveal = true; loadSession(); } }, "small"));
}

/** What waits: a prompt, a handoff, work. Else how the last request ended. */
function nowOpen(detail, active, session) {
  if (detail.prompt) return promptView(detail.prompt, { session, canAnswer: detail.canAnswer, approver: detail.approver === true, parameters: active?.parameters, talks: true, reply: replyTo(detail.events, detail.prompt.prompt) });
  if (detail.handoff) return handoffView(detail.handoff, { session, canAnswer: detail.canAnswer, claimed: detail.handoffClaimed });
  if (!active) return empty("Nothing was asked for", "This session has no request.");
  if (OPEN.has(active.state)) return working(detail, active);
  const form = draft(`undo/${active.request}`);
  const undo = active.undo && Date.parse(active.undo.expires) > state.now ? active.undo : undefined;
  return h("div", { class: "prompt ended" },
    h("div", { class: "prompt-head" }, pill(statusText(active.status), statusTone(active.status)), active.code && active.code !== active.status && tag(active.code), h("span", { class: "grow" }), since(active.ended)),
    h("h2", { class: "say" }, lastWords(detail, active) ?? `${statusText(active.status)}: ${nameOf(active)}`),
    active.error && h("p", { class: "bad" }, `Why: ${active.error}`),
    undo && isPerson() && detail.canAnswer && h("div", { class: "actions" }, button(undo.title ?? "Undo", { icon: "undo", onclick: () => waits(form) || send(form, session, "undos", { request: active.request }) })),
    alert(wrong(form)), h("p", { class: "wait", role: "status" }, waitText(form)),
    isPerson() && h("p", { class: "small" }, h("a", { href: href("intents", active.intent, { session }) }, "Ask for it again"), h("span", { class: "muted" }, " · "), h("a", { href: href("intents", undefined, { session }) }, "Ask for something else")));
}

function lastWords(detail, request) {
  const event = detail.events.findLast((e) => e.type === "intent.completed.v1" && (e.data.request ?? e.subject) === request.request);
  return event?.data.masked ? MASK : event?.data.supporting ?? event?.data.dialog;
}

function working(detail, active) {
  const last = detail.events.findLast((e) => e.type === "intent.progressed.v1" && (e.data.request ?? e.subject) === active.request)?.data;
  const queued = active.state === "queued";
  return h("div", { class: "prompt working" },
    h("div", { class: "prompt-head" }, tag(queued ? "Queued" : phaseText(active.phase)), h("span", { class: "grow" }), since(active.started)),
    h("h2", { class: "say" }, h("span", { role: "status" }, queued ? "Another request of this session goes first." : last?.dialog ?? "The pipeline is working on it.")),
    h("progress", { class: "progress", "aria-label": "Progress", max: 1, ...(last?.fraction !== undefined && { value: last.fraction }) }));
}

/** Cancelling the request, and ending the session. Both ask once more. */
function actions(detail, active) {
  const form = draft(`actions/${state.session.name}`);
  const cancel = isPerson() && detail.canAnswer && !detail.prompt && active && OPEN.has(active.state); // a prompt's form has its own button
  const end = isOperator();
  if (!cancel && !end) return null;
  const name = state.session.name;
  const set = (change) => { Object.assign(form, change); changed(); };
  if (form.ending) {
    return h("form", { class: "end-form", "data-focus-home": true, tabindex: "-1", "aria-label": "End the session", onkeydown: (e) => e.key === "Escape" && set({ ending: false }), onsubmit: (e) => {
      e.preventDefault();
      send(form, name, "end", form.values.reason?.trim() ? { reason: form.values.reason.trim() } : {}).then((sent) => sent && set({ ending: false }));
    } },
      h("input", { class: "input", "aria-label": "Why it is ended", placeholder: "Why? (optional)", value: form.values.reason ?? "", oninput: (e) => { form.values.reason = e.target.value; changed(); }, ref: (el) => el.focus() }),
      h("button", { type: "submit", class: "button danger" }, "End it"), button("Keep it", { onclick: () => set({ ending: false }) }), alert(wrong(form)));
  }
  return h("div", { class: "head-actions", "data-focus-home": true, tabindex: "-1" },
    cancel && button("Cancel request", { onclick: () => waits(form) || send(form, name, "cancellations", { request: active.request }) }, "small"),
    end && button("End session", { onclick: () => set({ ending: true }) }, "small quiet"), alert(wrong(form)), h("span", { class: "wait", role: "status" }, waitText(form)));
}

function parametersPanel(session, detail, active) {
  const chosen = detail.requests.find((r) => r.request === session.chosen) ?? active;
  if (!chosen) return null;
  const mayChange = isPerson() && detail.canAnswer && chosen.state === "prompt" && !detail.masked;
  return h("section", { class: "panel parameters", "aria-labelledby": "parameters" },
    h("div", { class: "panel-head" }, h("h2", { id: "parameters" }, "From words to values"),
      detail.requests.length > 1 && h("select", { class: "input small", "aria-label": "Request", value: chosen.request, onchange: (e) => { session.chosen = e.target.value; changed(); } },
        detail.requests.map((r, i) => h("option", { key: r.request, value: r.request }, `${i + 1}. ${nameOf(r)}`)))),
    chosen.parameters?.length
      ? h("ul", { class: "parameter-list" }, chosen.parameters.map((p) => parameterView(p, { detail, session, chosen, mayChange })))
      : h("p", { class: "muted pad" }, "No values."));
}

function parameterView(p, { detail, session, chosen, mayChange }) {
  const steps = parameterPath(p, detail.events, detail.prompt?.parameter);
  const value = steps.at(-1)?.kind === "value" ? steps.at(-1).text : undefined;
  const source = p.source && (p.reason ? `${sourceText(p.source)}: ${p.reason}` : sourceText(p.source));
  // Before a prompt has told it, the catalogue knows what it is called.
  const title = p.title ?? declaredIn(chosen.intent, p.parameter)?.title ?? spaced(p.parameter);
  const key = `edit/${chosen.request}/${p.parameter}`;
  const form = draft(key);
  return h("li", { key: p.parameter, class: "parameter" },
    h("div", { class: "parameter-head" }, h("h3", {}, title), source && tag(source), p.missing && tag("Missing"), h("span", { class: "grow" }),
      mayChange && value !== undefined && h("button", { type: "button", id: `b-${hash(key)}`, class: "icon-button small", "aria-label": `Correct ${title}`, "aria-expanded": form.open ? "true" : "false", title: "Correct it", onclick: () => { form.open = !form.open; changed(); } }, icon("edit"))),
    steps.length ? h("ol", { class: "path" }, steps.map((s, i) => h("li", { key: i, class: `path-step ${s.kind}` }, h("span", { class: "path-label" }, s.label), h("span", { class: "path-text" }, s.text, s.note && h("span", { class: "muted small" }, ` · ${s.note}`))))) : h("p", { class: "muted small" }, "Left out"),
    form.open && mayChange && correctionView(p, { id: `pc-${hash(key)}`, session: session.name, request: chosen.request, intent: chosen.intent, button: `b-${hash(key)}`, close: () => { form.open = false; } }));
}
