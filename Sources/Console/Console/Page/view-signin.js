// Sign-in by token, when the server asks for one.
import { h } from "./dom.js";
import { signIn } from "./live.js";
import { alert, icon } from "./parts.js";
import { changed, draft, dropDraft, state } from "./store.js";

export function signInView() {
  const form = draft("sign-in");
  const submit = async (event) => {
    event.preventDefault();
    const token = (form.values.token ?? "").trim();
    if (!token || form.sending) return;
    form.sending = true;
    state.signInError = undefined;
    changed();
    await signIn(token);
    form.sending = false;
    if (state.me) {
      dropDraft("sign-in"); // the token is nowhere but where requests take it from
      window.dispatchEvent(new HashChangeEvent("hashchange"));
    }
    changed();
  };
  return h("form", { class: "panel sign-in", onsubmit: submit },
    h("span", { class: "empty-icon", "aria-hidden": "true" }, icon("lock")),
    h("h1", { id: "title", tabindex: "-1" }, "Sign in"),
    h("p", { class: "muted" }, "This console asks for a token. Your operator gives you one."),
    h("div", { class: "field" }, h("label", { for: "token" }, "Token"),
      h("input", { id: "token", class: "input mono", type: "password", autocomplete: "off", spellcheck: "false", value: form.values.token ?? "", "aria-describedby": "token-note", oninput: (e) => { form.values.token = e.target.value; changed(); } }),
      h("p", { class: "note", id: "token-note" }, "It is kept until you close this tab or sign out.")),
    alert(state.signInError ? { message: state.signInError } : state.failure),
    h("button", { type: "submit", class: "button primary" }, form.sending ? "Signing in…" : "Sign in"));
}
