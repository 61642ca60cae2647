// What waits for a person: approvals, questions, handoffs, dead letters.
import { post } from "./api.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { loadInbox } from "./live.js";
import { alert, button, countdown, empty, pill, since, skeleton, tag, title } from "./parts.js";
import { href } from "./router.js";
import { lost } from "./send.js";
import { changed, draft, isOperator, isPerson, state } from "./store.js";
import { kindText } from "./timeline.js";
import { promptView } from "./view-prompt.js";

export function inboxView() {
  const inbox = state.inbox;
  if (!inbox) return [title("Inbox"), alert(state.inboxError), !state.inboxError && skeleton(7, "Loading the inbox")];
  const letters = inbox.deadLetters;
  const all = inbox.approvals.length + inbox.questions.length + inbox.handoffs.length + letters.length;
  return [
    title("Inbox", h("p", { class: "muted view-sub" }, all ? "Oldest first." : "")),
    alert(state.inboxError),
    alert(lost(inbox.approvals.map((item) => item.prompt.prompt))),
    !all && empty("Nothing is waiting", "Approvals, questions, handoffs and dead letters appear here."),
    h("div", { class: "inbox" },
      section("Approvals", inbox.approvals, "Nothing is done before a person agrees.", (item) => approval(item)),
      section("Questions", inbox.questions, "", (item) => row(item, item.prompt.kind === "signIn" ? "Sign in" : kindText(item.prompt.kind), item.prompt.supporting ?? item.prompt.dialog, item.prompt.expires, isPerson() ? "Answer" : "Look"), "rows"),
      section("Handoffs", inbox.handoffs, "", (item) => row(item, "For an app", item.handoff.dialog ?? item.handoff.activity?.title, item.handoff.expires, "Open"), "rows"),
      section("Dead letters", letters, "Records that could not be read. Replay one after its cause is gone.", letter, "rows")),
  ];
}

function section(name, items, note, view, kind = "cards") {
  if (!items.length) return null;
  const id = `inbox-${name.replace(/\W/g, "")}`;
  const list = h("ul", { class: kind === "rows" ? "panel rows" : "cards", "aria-labelledby": id }, items.map(view));
  return h("section", { key: name, "aria-labelledby": id, "data-focus-home": true, tabindex: "-1" }, h("div", { class: "section-head" }, h("h2", { id }, name), h("span", { class: "badge quiet num" }, items.length >= 200 ? "200+" : count(items.length)), note && h("p", { class: "muted small" }, note)), list);
}

function approval(item) {
  return h("li", { key: item.prompt.prompt, class: "panel approval" },
    h("div", { class: "approval-head" }, h("h3", { class: "row-title" }, item.title || item.intent), item.approver ? h("span", { class: "mono small cut" }, item.session) : h("a", { class: "mono small cut", href: href("sessions", item.session) }, item.session), h("span", { class: "grow" }), since(item.time)),
    promptView({ request: item.request, intent: item.intent, ...item.prompt }, { session: item.session, canAnswer: true, approver: item.approver === true, rejected: item.rejected }));
}

function row(item, kind, text, expires, action) {
  return h("li", { key: item.prompt?.prompt ?? item.handoff.handoff, class: "row" }, h("a", { class: "row-link", href: href("sessions", item.session) },
    h("span", { class: "inbox-what" }, h("span", { class: "row-main" }, h("span", { class: "row-title" }, text ?? "Values are hidden"), tag(kind)), h("span", { class: "muted small cut" }, `${item.title || item.intent} · `, h("span", { class: "mono" }, item.session))),
    h("span", { class: "row-end" }, expires ? countdown(expires) : since(item.time), h("span", { class: "go", "aria-hidden": "true" }, action))));
}

function letter(d) {
  const form = draft(`letter/${d.position}`);
  const act = async (what) => {
    if (form.sending) return;
    Object.assign(form, { sending: true, error: undefined });
    changed();
    try {
      await post(`dead-letters/${encodeURIComponent(d.position)}/${what}`, {});
      form.sure = false;
    } catch (problem) {
      form.error = problem;
    }
    form.sending = false;
    await loadInbox();
  };
  const set = (sure) => { form.sure = sure; changed(); };
  return h("li", { key: d.position, class: `row letter ${d.mark ? "gone" : ""}` },
    h("div", { class: "inbox-what" },
      h("p", { class: "row-main" }, h("span", { class: "row-title" }, d.message ?? d.reason), tag(d.reason), d.mark && pill(d.mark === "replayed" ? "Replayed" : "Dropped", "idle")),
      h("p", { class: "muted small letter-facts" }, h("span", { class: "mono" }, `${d.topic} ${d.place}`), " · ", d.stage, d.type && [" · ", h("span", { class: "mono" }, d.type)], d.session && [" · ", h("a", { href: href("sessions", d.session) }, d.session)], " · ", since(d.time)),
      alert(form.error)),
    isOperator() && !d.mark && h("div", { class: "row-end", "data-focus-home": true, tabindex: "-1" }, form.sure
      ? [h("span", { key: "ask", class: "small" }, "Drop it for good?"), button("Drop", { key: "drop", onclick: () => act("drop"), ref: (el) => el.focus() }, "small danger"), button("Keep", { key: "keep", onclick: () => set(false) }, "small quiet")]
      : [d.replayable && button("Replay", { key: "replay", "aria-label": `Replay ${d.position}`, onclick: () => act("replay") }, "small"), button("Drop…", { key: "sure", "aria-label": `Drop ${d.position}`, onclick: () => set(true) }, "small quiet")]));
}
