// What waits for a person: approvals, questions, handoffs, dead letters.
import { get, post } from "./api.js";
import { h } from "./dom.js";
import { count, spaced } from "./format.js";
import { loadInbox } from "./live.js";
import { alert, button, copyButton, countdown, empty, pairList, since, skeleton, tag, title } from "./parts.js";
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
      section("Dead letters", letters, "Records that could not be read. Replay them when their cause is gone.", letter, "rows", letterTools(letters))),
  ];
}

function section(name, items, note, view, kind = "cards", tools) {
  if (!items.length) return null;
  const id = `inbox-${name.replace(/\W/g, "")}`;
  const list = h("ul", { class: kind === "rows" ? "panel rows" : "cards", "aria-labelledby": id }, items.map(view));
  return h("section", { key: name, "aria-labelledby": id, "data-focus-home": true, tabindex: "-1" }, h("div", { class: "section-head" }, h("h2", { id }, name), h("span", { class: "badge quiet num" }, items.length >= 200 ? "200+" : count(items.length)), note && h("p", { class: "muted small" }, note)), tools, list);
}

function approval(item) {
  return h("li", { key: item.prompt.prompt, class: "panel approval" },
    h("div", { class: "approval-head" }, h("h3", { class: "row-title" }, item.title || item.intent), item.approver ? h("span", { class: "mono small cut" }, item.session) : h("a", { class: "mono small cut", href: href("sessions", item.session) }, item.session), h("span", { class: "grow" }), since(item.time)),
    promptView({ request: item.request, intent: item.intent, ...item.prompt }, { session: item.session, canAnswer: true, approver: item.approver === true, rejected: item.rejected }));
}

function row(item, kind, text, expires, action) {
  return h("li", { key: item.prompt?.prompt ?? item.handoff.handoff, class: "row" }, h("a", { class: "row-link", href: href("sessions", item.session) },
    h("span", { class: "inbox-what" }, h("span", { class: "row-main" }, h("span", { class: "row-title" }, text ?? item.title ?? spaced(item.intent)), tag(kind)), h("span", { class: "muted small cut" }, text && `${item.title || spaced(item.intent)} · `, h("span", { class: "mono" }, item.session))),
    h("span", { class: "row-end" }, expires ? countdown(expires) : since(item.time), h("span", { class: "go", "aria-hidden": "true" }, action))));
}

const chosen = () => draft("letters").chosen ??= new Set();

/** Replays or drops letters, one after the other. What is refused says why at its letter. */
async function act(what, letters) {
  const batch = draft("letters");
  if (batch.left) return;
  Object.assign(batch, { left: letters.length, sure: undefined });
  const { me } = state;
  for (const { position } of letters) {
    if (state.me !== me) return; // someone else has signed in
    const form = draft(`letter/${position}`);
    form.error = undefined;
    changed();
    await post(`dead-letters/${encodeURIComponent(position)}/${what}`, {}).then(() => chosen().delete(position), (problem) => { form.error = problem; });
    batch.left--;
  }
  await loadInbox();
}

/** What can be done with the letters that are chosen. Dropping asks once more. */
function letterTools(letters) {
  if (!isOperator()) return null;
  const batch = draft("letters");
  const picked = letters.filter((d) => chosen().has(d.position));
  const replayable = picked.filter((d) => d.replayable);
  const set = (change) => { Object.assign(batch, change); changed(); };
  const all = picked.length === letters.length;
  return h("div", { class: "row letter-tools", "data-focus-home": true, tabindex: "-1", "aria-label": "Chosen dead letters" },
    h("label", { class: "check grow" }, h("input", { type: "checkbox", checked: all, indeterminate: picked.length > 0 && !all, onchange: () => set({ chosen: new Set(all ? [] : letters.map((d) => d.position)), sure: undefined }) }),
      h("span", { role: "status" }, batch.left ? `${count(batch.left)} to go…` : picked.length ? `${count(picked.length)} chosen` : "Choose all")),
    picked.length > 0 && !batch.left && (batch.sure
      ? [h("span", { key: "ask", class: "small" }, `Drop ${picked.length === 1 ? "it" : "them"} for good?`), button("Drop", { key: "drop", onclick: () => act("drop", picked) }, "small danger"), button("Keep", { key: "keep", onclick: () => set({ sure: undefined }), ref: (el) => el.focus() }, "small quiet")]
      : [replayable.length > 0 && button(`Replay ${count(replayable.length)}`, { key: "replay", onclick: () => act("replay", replayable) }, "small"), button(`Drop ${count(picked.length)}…`, { key: "sure", onclick: () => set({ sure: true }) }, "small quiet")]));
}

function letter(d) {
  const form = draft(`letter/${d.position}`);
  const show = async () => {
    form.open = !form.open;
    changed();
    if (!form.open || (form.record && !form.record.error)) return;
    form.record = await get(`dead-letters/${encodeURIComponent(d.position)}?reveal=true`).catch((error) => ({ error }));
    changed();
  };
  return h("li", { key: d.position, class: "row letter" },
    isOperator() && h("input", { type: "checkbox", "aria-label": `Choose ${d.position}`, checked: chosen().has(d.position), onchange: (e) => { e.target.checked ? chosen().add(d.position) : chosen().delete(d.position); changed(); } }),
    h("div", { class: "inbox-what" },
      h("p", { class: "row-main" }, h("span", { class: "row-title" }, d.message ?? d.reason), tag(d.reason), !d.replayable && tag("Only the tool can replay it")),
      h("p", { class: "muted small letter-facts" }, h("span", { class: "mono" }, `${d.topic} ${d.place}`), " · ", d.stage, d.type && [" · ", h("span", { class: "mono" }, d.type)], d.session && [" · ", h("a", { href: href("sessions", d.session) }, d.session)], " · ", since(d.time)),
      alert(form.error),
      form.open && form.record && recordView(form.record, d.position)),
    isOperator() && button(form.open ? "Hide the record" : "Show the record", { "aria-label": `${form.open ? "Hide" : "Show"} the record of ${d.position}`, "aria-expanded": form.open ? "true" : "false", onclick: show }, "small quiet"));
}

/** The record as Kafka has it: nothing of it is hidden, because nothing could be read. */
function recordView(record, position) {
  if (record.error) return alert(record.error);
  const text = (value) => value?.hex ?? value ?? "null";
  const cut = record.excerptOf?.bytes ?? record.valueBytes;
  return h("div", { class: "record" },
    pairList([["Key", text(record.key)], ...(record.headers ?? []).map((x) => [x.name, text(x.value)])]),
    record.rangeOf ? h("p", { class: "note" }, `It stands for ${count(record.rangeOf.records)} records up to offset ${record.rangeOf.lastOffset}.`)
      : record.value === undefined ? h("p", { class: "note" }, "It has no value.") : h("pre", { tabindex: "0" }, text(record.value)),
    cut && h("p", { class: "note" }, `The beginning of ${count(cut)} bytes.`),
    record.value !== undefined && copyButton(`letter/${position}`, text(record.value)));
}
