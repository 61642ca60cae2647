// The open handoff: claim it, complete it, give it back.
import { h } from "./dom.js";
import { fieldView, radios } from "./fields.js";
import { spaced } from "./format.js";
import { alert, button, countdown, link, objectPairs, pairList, tag } from "./parts.js";
import { randomName, send, waits, waitText, wrong } from "./send.js";
import { changed, draft, isPerson, state } from "./store.js";
import { hash } from "./view-prompt.js";

export function handoffView(handoff, { session, canAnswer, claimed }) {
  const form = draft(`handoff/${handoff.handoff}`);
  const id = `h-${hash(handoff.handoff)}`;
  const activity = handoff.activity ?? {};
  const mine = state.claims.get(handoff.handoff);
  const said = { handoff: handoff.handoff, claimant: mine?.claimant, secret: mine?.secret };
  const background = handoff.mode === "background";
  const may = isPerson() && canAnswer;
  const holds = mine && claimed && handoff.claimant === mine.claimant && !state.session?.rejections[mine.event]; // another page may have claimed it by the same name
  form.values.claimant ??= state.me?.principal?.id ?? "console";
  form.code ??= "success";
  form.response ??= [{ name: "", value: "" }];

  async function claim() {
    if (waits(form)) return;
    const claimant = form.values.claimant.trim() || "console";
    const secret = randomName();
    const claim = { claimant, secret };
    state.claims.set(handoff.handoff, claim);
    claim.event = (await send(form, session, "claims", { handoff: handoff.handoff, ...claim }))?.event;
  }
  const done = (event) => {
    event.preventDefault();
    if (!holds || waits(form)) return;
    const response = Object.fromEntries(form.response.filter((r) => r.name.trim()).map((r) => [r.name.trim(), r.value]));
    const dialog = form.values.dialog?.trim();
    send(form, session, "handoff-completions", { ...said, code: form.code, ...(Object.keys(response).length ? { response } : {}), ...(dialog ? { dialog } : {}) });
  };
  const giveBack = async () => {
    if (await send(form, session, "handoff-returns", said)) state.claims.delete(handoff.handoff);
  };
  // What the parameters are called is in the catalogue.
  const declared = state.catalog?.find((i) => i.intent === activity.interaction?.intent)?.parameters ?? [];
  const titleOf = (name) => declared.find((p) => p.name === name)?.title ?? spaced(name);
  return h("form", { key: `handoff/${handoff.handoff}`, class: "prompt handoff", "aria-labelledby": `${id}-say`, onsubmit: done },
    h("div", { class: "prompt-head" }, tag(background ? "App, in the background" : "App"), claimed && tag(`Claimed by ${handoff.claimant ?? "an app"}`), h("span", { class: "grow" }), countdown(handoff.expires)),
    h("h2", { id: `${id}-say`, class: "say" }, handoff.dialog ?? activity.title ?? "This goes on in an app"),
    h("p", { class: "muted" }, background ? "A worker of the app does it, where the person is. Nobody else can claim it." : "The person goes on in the app."),
    activity.webpageURL && h("p", {}, link(activity.webpageURL, "Open its page")),
    pairList(objectPairs({ ...activity.userInfo, ...activity.interaction?.parameters }).map(([n, v]) => [titleOf(n), v])),
    may && !background && !claimed && [
      fieldView({ name: "claimant", kind: "text", title: "Claim it as", description: "Such as the name of a device." }, form.values, { id: `${id}-claimant`, optional: false }),
      h("div", { class: "actions" }, button("Claim it", { onclick: claim }, "primary"), h("span", { class: "note" }, "Do this if you do the work of the app.")),
    ],
    claimed && !holds && h("p", { class: "note" }, `${handoff.claimant ?? "An app"} is working on it. Only the app that has claimed it can complete it or give it back.`),
    holds && [
      h("fieldset", { class: "field", key: "code" }, h("legend", {}, "How it ended"), radios(`${id}-code`, [{ id: "success", title: "Done" }, { id: "failure", title: "Failed" }], form.code, (code) => { form.code = code; changed(); })),
      fieldView({ name: "dialog", kind: "text", title: "What the person is told" }, form.values, { id: `${id}-dialog`, optional: true }),
      h("fieldset", { class: "field", key: "response" }, h("legend", {}, h("span", {}, "Response"), h("span", { class: "mark" }, "optional")), h("div", { class: "list" }, form.response.map((r, i) => h("div", { class: "list-row", key: i },
        h("input", { class: "input", "aria-label": `Name ${i + 1}`, placeholder: "Name", value: r.name, oninput: (e) => { r.name = e.target.value; changed(); } }),
        h("input", { class: "input", "aria-label": `Value ${i + 1}`, placeholder: "Value", value: r.value, oninput: (e) => { r.value = e.target.value; changed(); } }))),
        button("Add another", { icon: "plus", onclick: () => { form.response.push({ name: "", value: "" }); changed(); } }, "quiet small"))),
      h("div", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Complete it"), button("Give it back", { onclick: giveBack })),
    ],
    !may && !background && h("p", { class: "note" }, "You may look at this, but not claim it."),
    alert(wrong(form)),
    h("p", { class: "wait", role: "status" }, waitText(form)));
}
