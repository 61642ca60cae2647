// The options of a choice: native radio buttons, with search and pages.
import { h } from "./dom.js";
import { matching } from "./form.js";
import { count, valueText } from "./format.js";
import { act } from "./api.js";
import { avatar, button, searchField } from "./parts.js";
import { changed } from "./store.js";

/** The choice of something that is not among the options. No option has such an id. */
export const OTHER = "\u0000other";

const PAGE = 25;

/** Asks the pipeline for options: those that have the words, or the next page. They come as an event. */
async function ask(session, prompt, form, start) {
  const search = (form.search ?? "").trim();
  form.asking = { search, start };
  form.error = undefined;
  changed();
  try {
    await act(session, "option-requests", { prompt: prompt.prompt, limit: PAGE, ...(search ? { search } : {}), ...(start ? { start } : {}) });
  } catch (problem) {
    form.asking = undefined;
    form.error = problem;
    changed();
  }
}

export function optionsView(prompt, form, { id, mayAnswer, session }) {
  const all = form.listed ? form.options : prompt.options ?? [];
  const total = form.listed ? form.total : prompt.optionsTotal;
  const next = form.listed ? form.next : prompt.optionsNext;
  const omitted = form.listed ? form.omitted : prompt.optionsOmitted;
  const remote = prompt.optionsNext !== undefined || prompt.optionsOmitted || (prompt.optionsTotal ?? 0) > (prompt.options ?? []).length;
  const shown = remote ? all : matching(all, form.search ?? "");
  const pictures = shown.some((o) => o.image);
  const search = (event) => {
    form.search = event.target.value;
    clearTimeout(form.timer);
    if (remote && !form.search.trim()) Object.assign(form, { listed: false, options: undefined, asking: undefined });
    else if (remote) form.timer = setTimeout(() => ask(session, prompt, form), 250);
    changed();
  };
  const more = () => {
    if (form.asking) return;
    if (!form.listed) form.options = [...(prompt.options ?? [])];
    ask(session, prompt, form, next);
  };
  const choose = (option, title) => {
    Object.assign(form, { option, chosenTitle: title, error: undefined });
    changed();
  };
  const hiddenChoice = form.option !== undefined && form.option !== OTHER && !shown.some((o) => o.id === form.option);
  let section;
  return h("div", { class: "choice" },
    mayAnswer && (remote || all.length > 7) && searchField({ id: `${id}-search`, "aria-label": "Search the options", placeholder: "Search", value: form.search ?? "", oninput: search,
      onkeydown: (e) => {
        if (e.key === "Enter") e.preventDefault(); // it searches as one types; Enter must not answer
        if (e.key === "Escape" && form.search) {
          e.preventDefault();
          search({ target: { value: "" } });
        }
      } }),
    h("fieldset", { class: "options-box", role: "radiogroup" }, h("legend", { class: "sr" }, prompt.title ?? "Options"),
      h("div", { class: "options" }, shown.map((o) => {
        const heading = o.section !== undefined && o.section !== section && o.section;
        section = o.section;
        return [heading && h("p", { key: `s/${heading}`, class: "section" }, heading), optionView(o, { id, chosen: form.option === o.id, choose, mayAnswer, pictures })];
      }),
      !shown.length && !form.asking && h("p", { class: "muted none", key: "none" }, form.search ? "Nothing found." : "There are no options.")),
      mayAnswer && !prompt.items && !prompt.intents && h("div", { class: "option other", key: "other" },
        h("label", {}, h("input", { type: "radio", name: `${id}-option`, checked: form.option === OTHER, onchange: () => choose(OTHER) }), h("span", { class: "option-title" }, "Something else")),
        form.option === OTHER && h("input", { class: "input", type: "text", autocomplete: "off", "aria-label": "In your own words", placeholder: "In your own words", value: form.words ?? "", oninput: (e) => { form.words = e.target.value; changed(); } }))),
    h("div", { class: "choice-foot" },
      h("p", { class: "note", role: "status" }, form.asking ? "Looking…" : [total !== undefined && total > shown.length && `${count(shown.length)} of ${count(total)}. `, omitted && "There are more than can be listed: search, or say it in your own words. ", hiddenChoice && `Chosen: ${form.chosenTitle}.`].filter(Boolean).join("")),
      mayAnswer && next !== undefined && button("Show more", { onclick: more }, "small")));
}

function optionView(o, { id, chosen, choose, mayAnswer, pictures }) {
  const text = [h("span", { class: "option-text" }, h("span", { class: "option-title" }, o.title ?? valueText(o.value)), o.subtitle && h("span", { class: "muted small" }, o.subtitle))];
  return mayAnswer
    ? h("label", { class: "option", key: `o/${o.id}` }, h("input", { type: "radio", name: `${id}-option`, value: o.id, checked: chosen, onchange: () => choose(o.id, o.title) }), pictures && avatar(o.title), text)
    : h("div", { class: "option still", key: `o/${o.id}` }, pictures && avatar(o.title), text);
}
