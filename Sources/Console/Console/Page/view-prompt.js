// The open prompt as a form, as its kind and its schema say.
import { h } from "./dom.js";
import { fieldView } from "./fields.js";
import { fieldOf, othersMissing, problemOf, readField, readFields } from "./form.js";
import { MASK, sourceText, spaced, unsupportedText, valueText } from "./format.js";
import { optionsView, OTHER } from "./view-options.js";
import { alert, button, copyButton, countdown, link, notice, pairList, snippetCard, tag } from "./parts.js";
import { goneOn, send, waits, waitText, wrong } from "./send.js";
import { changed, draft, isPerson, state } from "./store.js";
import { agreedText, approversText, isSecret, kindText, proposals, rejectionText } from "./timeline.js";

/**
 * @param context `{session, request, canAnswer, masked, parameters}`: `parameters` is what is known of the request where the prompt does not say it
 */
export function promptView(prompt, context) {
  const key = `prompt/${prompt.prompt}`;
  const form = draft(key);
  form.others ??= {};
  const id = `f-${hash(prompt.prompt)}`;
  const mayAnswer = isPerson() && context.canAnswer && !prompt.masked;
  const others = mayAnswer && prompt.kind !== "confirmIntent" ? othersMissing(prompt) : [];
  const answer = (body) => {
    if (waits(form)) return;
    const parameters = body.action === "accept" ? readFields(others, form.others) : {};
    send(form, context.session, "answers", { prompt: prompt.prompt, ...body, ...(Object.keys(parameters).length ? { parameters } : {}) }, context.approver).then((sent) => {
      if (sent && prompt.kind !== "choice") Object.assign(form, { values: {}, others: {} }); // what may be secret is not kept once it is said
    });
  };
  const kind = KINDS[prompt.kind] ?? KINDS.value;
  const parts = kind(prompt, { form, id, answer, mayAnswer, context });
  const say = prompt.masked ? MASK : prompt.supporting ?? prompt.dialog ?? prompt.title;
  return h("form", {
    key, class: `prompt ${prompt.kind}`, "aria-labelledby": `${id}-say`, novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      if (mayAnswer) parts.submit?.();
    },
  },
    h("div", { class: "prompt-head" }, tag(prompt.secret ? "Secret" : kindText(prompt.kind)), prompt.element !== undefined && tag(`Number ${prompt.element + 1} of the list`), h("span", { class: "grow" }), countdown(prompt.expires)),
    h("h2", { id: `${id}-say`, class: "say" }, say),
    prompt.unsupported && notice(unsupportedText(prompt.unsupported), "warn"),
    context.reply && !wrong(form) && h("div", { role: "status" }, notice(context.reply, "info")),
    prompt.kind !== "confirmIntent" && snippetCard(prompt.snippet),
    !prompt.masked && parts.body,
    others.length > 0 && h("details", { class: "others", open: others.length <= 3 }, h("summary", {}, `Also needed (${others.length})`),
      h("p", { class: "note" }, "You can say it now. Else you are asked."),
      others.map((field) => fieldView(field, form.others, { id: `${id}-o-${field.name}` }))),
    alert(wrong(form) ?? (context.rejected && !waits(form) && { ...context.rejected, message: rejectionText(context.rejected) })),
    form.counted && !context.rejected && h("p", { class: "note", role: "status" }, "Your answer was sent."),
    !mayAnswer && h("p", { class: "note" }, prompt.masked ? "The values are hidden, so this can't be answered here." : "You may look at this, but not answer it."),
    mayAnswer && h("div", { class: "actions" }, parts.buttons,
      // A no to the whole ends it as well.
      !context.approver && prompt.kind !== "confirmIntent" && button("Cancel the request", { onclick: () => answer({ action: "cancel" }) }, "quiet")),
    mayAnswer && context.talks && !prompt.secret && !context.approver && talkView(form, id, (words) => send(form, context.session, "answers", { prompt: prompt.prompt, utterance: words })),
    h("p", { class: "wait", role: "status" }, waitText(form)));
}

/** A line for an answer in the person's own words. Its Enter says these, and does not send the form. */
function talkView(form, id, say) {
  const go = () => {
    const words = (form.talk ?? "").trim();
    if (!words || waits(form)) return;
    say(words).then((sent) => {
      if (!sent || form.talk?.trim() !== words) return;
      form.talk = "";
      changed();
    });
  };
  return h("div", { class: "talk" },
    h("input", { class: "input", id: `${id}-talk`, type: "text", maxlength: 500, autocomplete: "off", "aria-label": "Answer in your own words", placeholder: "Or in your own words", value: form.talk ?? "", oninput: (e) => { form.talk = e.target.value; changed(); },
      onkeydown: (e) => {
        if (e.key !== "Enter" || e.isComposing) return;
        e.preventDefault();
        go();
      } }),
    button("Say it", { onclick: go }, "small"));
}

const submit = (text, kind = "primary") => h("button", { type: "submit", class: `button ${kind}` }, text);

const KINDS = {
  value(prompt, { form, id, answer, mayAnswer, context }) {
    const declaration = prompt.declaration ?? declaredIn(prompt.intent ?? context.intent, prompt.parameter);
    const field = { ...fieldOf({ ...prompt, options: prompt.options, declaration: declaration ?? {} }), name: "value", defaultText: undefined };
    if (prompt.secret) field.kind = "secret";
    return {
      body: mayAnswer && fieldView(field, form.values, { id: `${id}-value`, label: prompt.title ?? "Your answer", optional: prompt.declaration?.required === false }),
      submit() {
        const value = readField(field, form.values.value); // Enter may come before the next drawing
        if (value === undefined) form.error = { message: "Enter a value first." };
        else if (!problemOf(field, form.values.value)) answer({ action: "accept", value });
        changed();
      },
      buttons: [submit("Answer"), prompt.declaration?.required === false && button("Do without it", { onclick: () => answer({ action: "decline" }) })],
    };
  },

  choice(prompt, { form, id, answer, mayAnswer, context }) {
    return {
      body: optionsView(prompt, form, { id, mayAnswer, session: context.session }),
      submit() {
        const words = (form.words ?? "").trim();
        if (form.option === OTHER && words) answer({ action: "accept", value: words });
        else if (form.option !== undefined && form.option !== OTHER) answer({ action: "accept", option: form.option });
        else form.error = { message: form.option === OTHER ? "Enter it in your own words first." : "Choose one first." };
        changed();
      },
      buttons: [submit("Answer"), button(prompt.items ? "None, thanks" : "None of these", { onclick: () => answer({ action: "decline" }) })],
    };
  },

  confirmValue(prompt, { answer }) {
    const p = prompt.provenance ?? {};
    return {
      body: h("div", { class: "agree" },
        h("p", { class: "big-value" }, isSecret(prompt) || prompt.masked ? MASK : valueText(prompt.value)),
        pairList([p.original !== undefined && ["You said", `“${p.original}”`], p.interpreted !== undefined && ["Read as", p.interpreted], p.confidence !== undefined && ["How sure", `${Math.round(p.confidence * 100)} %`]].filter(Boolean))),
      submit: () => answer({ action: "accept" }),
      buttons: [submit("Yes, that is right"), button("No", { onclick: () => answer({ action: "decline" }) })],
    };
  },

  confirmIntent(prompt, { form, id, answer, mayAnswer, context }) {
    const action = prompt.action ?? {};
    const needsOthers = prompt.approval && !context.approver && (!prompt.approval.includesRequester || prompt.approval.agreed?.some((c) => c.requester));
    return {
      body: [
        prompt.approval && approvalView(prompt.approval, needsOthers),
        prompt.supporting && prompt.dialog && h("p", { class: "muted" }, prompt.dialog),
        h("div", { class: "agree" }, prompt.summary && !(prompt.supporting ?? prompt.dialog)?.includes(prompt.summary) && h("p", { class: "summary" }, prompt.summary), snippetCard(prompt.snippet), agreedTable(prompt, { form, id, mayAnswer: mayAnswer && !context.approver, context })),
        action.destructive && notice("This can't be taken back easily. Check it first.", "bad"),
        mayAnswer && context.approver && delegateView(form, id, (who) => answer({ action: "delegate", delegate: { type: state.me?.principal?.kind ?? "app_user", id: who } })),
      ],
      submit: () => needsOthers || answer({ action: "accept" }),
      buttons: [!needsOthers && submit(action.accept ?? "Yes, do it", action.destructive ? "danger" : "primary"), button(action.deny ?? "No", { onclick: () => answer({ action: "decline" }) })],
    };
  },

  signIn(prompt, { form, id, answer, mayAnswer }) {
    const s = prompt.signIn ?? {};
    if (s.requires) {
      const device = s.requires === "localDevice";
      const who = state.me?.principal;
      return {
        body: [h("p", {}, device ? "This needs a person who is signed in, on the device that the request comes from." : "This needs a person who is signed in."),
          h("p", { class: "note" }, who ? `You answer as ${who.id}. Your answer says so.` : "You are not signed in to this console, so the pipeline may refuse your answer."),
          mayAnswer && device && h("label", { class: "check" }, h("input", { type: "checkbox", checked: form.here === true, onchange: (e) => { form.here = e.target.checked; changed(); } }), h("span", {}, "I am on that device."))],
        submit() {
          if (device && !form.here) form.error = { message: "Confirm first that you are on that device." };
          else answer(device ? { action: "accept", value: "localDevice" } : { action: "accept" });
          changed();
        },
        buttons: [submit("It is me"), button("No", { onclick: () => answer({ action: "decline" }) })],
      };
    }
    const field = { name: "code", title: "Code that you got there", kind: "text", required: false };
    return {
      body: [h("ol", { class: "steps" },
        s.url && h("li", {}, "Open ", link(s.url, s.title ?? s.url), h("span", { class: "note mono" }, hostOf(s.url))),
        s.code && h("li", {}, "Enter this code there: ", h("b", { class: "code" }, s.code), " ", copyButton(prompt.prompt, s.code)),
        h("li", {}, "Come back, and say that it is done.")),
        mayAnswer && fieldView(field, form.values, { id: `${id}-code` })],
      submit() {
        const code = readField(field, form.values.code);
        answer(code === undefined ? { action: "accept" } : { action: "accept", value: code });
      },
      buttons: [submit("I have signed in"), button("No", { onclick: () => answer({ action: "decline" }) })],
    };
  },
};

/** Who has to agree, and who has. */
function approvalView(approval, needsOthers) {
  const agreed = agreedText(approval.agreed);
  return h("p", { class: "note" }, needsOthers ? "You can't agree to this yourself. It waits for " : "It needs the agreement of ", approversText(approval), ".", agreed && ` ${agreed}.`);
}

/** Lets another person agree. */
function delegateView(form, id, send) {
  const go = () => {
    const who = (form.delegate ?? "").trim();
    if (who) send(who);
  };
  return h("details", { class: "others" }, h("summary", {}, "Let another person decide"),
    h("div", { class: "talk" },
      h("input", { class: "input", id: `${id}-delegate`, type: "text", maxlength: 256, autocomplete: "off", "aria-label": "Who decides instead", placeholder: "Their user name", value: form.delegate ?? "", oninput: (e) => { form.delegate = e.target.value; changed(); },
        onkeydown: (e) => e.key === "Enter" && e.preventDefault() }), // Enter would be too easy for what can't be taken back
      button("Hand it over", { onclick: go }, "small")));
}

function hostOf(url) {
  try {
    return ` ${new URL(url).host}`;
  } catch {
    return "";
  }
}

/** Everything that is agreed to: each value with where it comes from, what is proposed instead, and a way to correct it. */
function agreedTable(prompt, { form, id, mayAnswer, context }) {
  const proposed = new Map(proposals(prompt).map((p) => [p.name, p]));
  const known = prompt.parameters ?? context.parameters ?? [];
  const rows = known.filter((p) => p.missing || p.text !== undefined || p.value !== undefined || p.masked || proposed.has(p.parameter));
  for (const [name, p] of proposed) if (!rows.some((r) => r.parameter === name)) rows.push({ parameter: name, title: p.title });
  if (!rows.length) return null;
  return h("table", { class: "agreed" }, h("caption", { class: "sr" }, "What you agree to"),
    h("thead", { class: "sr" }, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "Value"), mayAnswer && h("th", { scope: "col" }, "Correction"))),
    h("tbody", {}, rows.map((p) => {
      const change = proposed.get(p.parameter);
      const secret = p.text === undefined && p.value === undefined && !change;
      const value = p.masked || prompt.masked || secret ? MASK : p.text ?? valueText(p.value);
      const editing = form.editing === p.parameter;
      const buttonId = `${id}-b-${hash(p.parameter)}`;
      return [
        h("tr", { key: p.parameter, class: change ? "proposed" : "" },
          h("th", { scope: "row" }, p.title ?? spaced(p.parameter)),
          h("td", {}, change ? [change.old !== undefined && h("del", {}, change.old), " ", h("ins", {}, change.new), " ", tag("Proposed")] : [h("span", { class: "agreed-value" }, value), p.source && [" ", tag(p.reason ? `${sourceText(p.source)}: ${p.reason}` : sourceText(p.source))]]),
          mayAnswer && h("td", { class: "end" }, button(editing ? "Close" : "Change", { id: buttonId, "aria-expanded": editing ? "true" : "false", "aria-label": `${editing ? "Close the correction of" : "Change"} ${p.title ?? p.parameter}`, onclick: () => { form.editing = editing ? undefined : p.parameter; changed(); } }, "quiet small"))),
        editing && mayAnswer && h("tr", { key: `${p.parameter}/edit`, class: "edit" }, h("td", { colspan: 3 }, correctionView(p, { id: `${id}-c-${hash(p.parameter)}`, session: context.session, request: prompt.request, intent: prompt.intent, button: buttonId, close: () => { form.editing = undefined; } }))),
      ];
    })));
}

/** A correction of one parameter. It is no form element, because it may be within the form of a prompt. */
export function correctionView(parameter, { id, session, request, intent, button: opener, close }) {
  const form = draft(`correction/${session}/${request}/${parameter.parameter}`);
  const declared = declaredIn(intent, parameter.parameter);
  const leave = () => {
    if (document.activeElement?.closest(".correction")) document.getElementById(opener)?.focus();
    close();
    changed();
  };
  if (goneOn(form) && !wrong(form)) {
    form.sent = undefined;
    queueMicrotask(leave); // after this drawing
  }
  const field = { ...fieldOf(declared ?? { name: parameter.parameter, title: parameter.title }), name: "value", title: `New ${(parameter.title ?? parameter.parameter).toLowerCase()}`, defaultText: undefined };
  const save = () => {
    const value = readField(field, form.values.value);
    if (value === undefined) form.error = { message: "Enter the new value first." };
    else if (!problemOf(field, form.values.value)) {
      send(form, session, "corrections", { request, parameter: parameter.parameter, value }).then((sent) => {
        if (sent) form.values = {};
      });
    }
    changed();
  };
  return h("div", { class: "correction", key: id, onkeydown: (event) => {
    if (event.key === "Escape") leave();
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault(); // Enter corrects; it must not agree to the whole
    save();
  } }, fieldView(field, form.values, { id, optional: false }), alert(wrong(form)),
    h("div", { class: "actions" }, button("Correct it", { onclick: save }, "primary small"), h("span", { class: "wait", role: "status" }, waitText(form))));
}

/** What the catalogue says of a parameter. */
export const declaredIn = (intent, name) => state.catalog?.find((i) => i.intent === intent)?.parameters?.find((p) => p.name === name);

/** A short id for elements, from an id that may have any character. */
export function hash(text) {
  let n = 5381;
  for (const c of String(text)) n = ((n * 33) ^ c.codePointAt(0)) >>> 0;
  return n.toString(36);
}
