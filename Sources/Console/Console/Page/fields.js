// The controls of a form: one for each kind of field. What is entered is in a draft, so that no drawing loses it.
import { h } from "./dom.js";
import { problemOf, stepped } from "./form.js";
import { button, icon } from "./parts.js";
import { changed } from "./store.js";

/** The time zone of this browser, as people know it. */
export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "local time";

/**
 * A field with its label, its control and what is wrong with it.
 * @param values where what is entered is kept, by the field's name
 */
export function fieldView(field, values, { id, label, optional = true, autofocus } = {}) {
  const raw = values[field.name];
  const inWords = typeof raw === "object" && raw !== null && !Array.isArray(raw);
  const canBeWords = !["text", "multiline", "secret"].includes(field.kind);
  const problem = inWords ? undefined : problemOf(field, raw);
  // A function gets what is there now: two events may come before the next drawing.
  const put = (value) => {
    values[field.name] = typeof value === "function" ? value(values[field.name]) : value;
    changed();
  };
  const notes = [field.description, !inWords && field.kind === "text" && field.words ? field.hint : undefined,
    field.kind === "datetime" && !inWords ? `In ${zone()} time.` : undefined,
    field.rangeText && !inWords ? `From ${field.rangeText}.` : undefined,
    field.defaultText === undefined ? undefined : `If you leave it out: ${field.defaultText}.`].filter(Boolean);
  const describedBy = [notes.length && `${id}-note`, problem && `${id}-problem`].filter(Boolean).join(" ") || undefined;
  const title = label ?? field.title;
  const group = !inWords && (field.kind === "boolean" || field.kind === "list" || (field.kind === "enum" && field.choices.length <= 6));
  const control = inWords
    ? h("input", { key: "words", id, class: "input", type: "text", value: raw.words, autocomplete: "off", "aria-describedby": describedBy, oninput: (e) => put({ words: e.target.value }) })
    : controlView(field, raw, put, { id, describedBy, title, problem, autofocus });
  const mark = optional && h("span", { class: "mark" }, field.required ? "required" : "optional");
  const words = canBeWords && h("button", { type: "button", class: "words", "aria-pressed": inWords ? "true" : "false", "aria-label": `${title}: say it in your own words`, onclick: () => put(inWords ? undefined : { words: "" }) }, inWords ? "Use the form" : "In your words");
  const below = [notes.length > 0 && h("p", { class: "note", id: `${id}-note` }, notes.join(" ")), problem && h("p", { class: "problem", id: `${id}-problem` }, problem)];
  return group
    ? h("fieldset", { class: "field", key: `${field.name}-group` }, h("legend", {}, h("span", {}, title), mark), h("div", { class: "field-row" }, control, words), below)
    : h("div", { class: "field", key: field.name }, h("label", { for: id }, h("span", {}, title), mark), h("div", { class: "field-row" }, control, words), below);
}

function controlView(field, raw, put, { id, describedBy, title, problem, autofocus }) {
  const common = { id, class: "input", "aria-describedby": describedBy, "aria-invalid": problem ? "true" : undefined, autofocus };
  const onInput = (e) => put(e.target.value);
  switch (field.kind) {
    case "secret":
      return h("input", { ...common, key: "secret", type: "password", autocomplete: "off", value: raw ?? "", inputmode: field.input?.keyboardType === "numberPad" ? "numeric" : undefined, oninput: onInput });
    case "boolean":
      return radios(id, [{ id: "", title: "Not said" }, { id: "true", title: "Yes" }, { id: "false", title: "No" }], raw ?? "", put);
    case "enum":
      if (field.choices.length <= 6) return radios(id, [{ id: "", title: "Not said" }, ...field.choices], raw ?? "", put);
      return h("select", { ...common, key: "enum", value: raw ?? "", onchange: onInput }, h("option", { value: "" }, "Not said"), field.choices.map((c) => h("option", { key: c.id, value: c.id }, c.title)));
    case "number": {
      const step = (direction) => put((now) => stepped(field, now, direction));
      return h("div", { class: "stepper", key: "number" },
        h("button", { type: "button", class: "step", "aria-label": `${title}: less`, onclick: () => step(-1) }, icon("minus")),
        h("input", { ...common, type: "text", role: "spinbutton", inputmode: field.step === 1 ? "numeric" : "decimal", autocomplete: "off", value: raw ?? "", placeholder: bounds(field),
          "aria-valuenow": raw && !problem ? raw : undefined, "aria-valuemin": field.min, "aria-valuemax": field.max, oninput: onInput,
          onkeydown: (e) => {
            if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
            e.preventDefault();
            step(e.key === "ArrowUp" ? 1 : -1);
          } }),
        h("button", { type: "button", class: "step", "aria-label": `${title}: more`, onclick: () => step(1) }, icon("plus")));
    }
    case "date": return h("input", { ...common, key: "date", type: "date", value: raw ?? "", oninput: onInput });
    case "time": return h("input", { ...common, key: "time", type: "time", value: raw ?? "", oninput: onInput });
    case "datetime": return h("input", { ...common, key: "datetime", type: "datetime-local", value: raw ?? "", oninput: onInput });
    case "multiline": return h("textarea", { ...common, key: "multiline", rows: 3, value: raw ?? "", oninput: onInput });
    case "list": return listView(field, raw, put, { id, title });
    default:
      return h("input", { ...common, key: "text", type: field.format === "uri" ? "url" : "text", autocomplete: "off", maxlength: field.maxLength, value: raw ?? "",
        autocapitalize: field.input?.capitalizationType === "none" ? "none" : undefined, spellcheck: field.input?.autocorrect === false ? "false" : undefined, oninput: onInput });
  }
}

function bounds(field) {
  if (field.min !== undefined && field.max !== undefined) return `${field.min} – ${field.max}`;
  if (field.min !== undefined) return `from ${field.min}`;
  return field.max !== undefined ? `to ${field.max}` : undefined;
}

/** A group of native radio buttons: arrow keys move in it. */
export function radios(name, choices, chosen, put) {
  return h("div", { class: "segments", key: "radios" }, choices.map((choice) =>
    h("label", { class: "segment", key: choice.id, title: choice.subtitle },
      h("input", { type: "radio", name, value: choice.id, checked: chosen === choice.id, onchange: () => put(choice.id) }), h("span", {}, choice.title))));
}

function listView(field, raw, put, { id, title }) {
  const items = Array.isArray(raw) && raw.length ? raw : [""];
  const change = (edit) => put((now) => {
    const list = Array.isArray(now) && now.length ? [...now] : [""];
    edit(list);
    return list;
  });
  const putAt = (i) => (value) => change((list) => { list[i] = typeof value === "function" ? value(list[i]) : value; });
  // The focus goes to the field that was added, or to the one before that which was removed: its button is gone.
  const edit = (how, at) => {
    change(how);
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`${id}-${at}`)?.focus()));
  };
  const full = field.max !== undefined && items.length >= field.max;
  return h("div", { class: "list", key: "list" },
    items.map((item, i) => h("div", { class: "list-row", key: i },
      h("label", { class: "sr", for: `${id}-${i}` }, `${title}, number ${i + 1}`),
      controlView({ ...field.item, title }, item, putAt(i), { id: `${id}-${i}`, title: `${title}, number ${i + 1}` }),
      items.length > 1 && h("button", { type: "button", class: "step", "aria-label": `Remove number ${i + 1}`, onclick: () => edit((list) => list.splice(i, 1), Math.max(0, i - 1)) }, icon("cross")))),
    !full && button("Add another", { icon: "plus", onclick: () => edit((list) => list.push(""), items.length) }, "quiet small"));
}
