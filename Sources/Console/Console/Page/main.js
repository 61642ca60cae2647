// Starts the page: routes, the frame around the views, the clock.
import { patch, h } from "./dom.js";
import { count } from "./format.js";
import { closeSession, openSession, loadCatalog, loadContract, loadInbox, loadSessions, retryNow, signOut, start } from "./live.js";
import { inboxCount } from "./overview.js";
import { alert, button, icon } from "./parts.js";
import { href, parseRoute } from "./router.js";
import { changed, firstView, isOperator, isSilent, setDraw, state } from "./store.js";
import { contractView } from "./view-contract.js";
import { inboxView } from "./view-inbox.js";
import { intentsView } from "./view-intents.js";
import { nowView } from "./view-now.js";
import { sessionView } from "./view-session.js";
import { sessionsView } from "./view-sessions.js";
import { signInView } from "./view-signin.js";

const NAV = [["now", "Now"], ["sessions", "Sessions"], ["inbox", "Inbox"], ["intents", "Intents"], ["contract", "Contract"]];
const THEMES = { auto: ["auto", "Theme: as in the system"], light: ["sun", "Theme: light"], dark: ["moon", "Theme: dark"] };

function view() {
  const { view: name, id } = state.route;
  if (name === "sessions") return id === undefined ? sessionsView() : sessionView();
  return { now: nowView, inbox: inboxView, intents: intentsView, contract: contractView }[name]();
}

/** Draws. If the element that had the focus is gone, because its form has done its work, the focus goes to the part of the page that it was in. */
function draw() {
  const home = document.activeElement?.closest("[data-focus-home]");
  render(document.getElementById("app"));
  for (const el of document.querySelectorAll("[data-stick]")) stick(el);
  if (home && document.activeElement === document.body) (home.isConnected ? home : document.getElementById("title"))?.focus({ preventScroll: true });
}

/** Keeps what scrolls at its end, unless the person has scrolled up. */
function stick(el) {
  if (!el.__sticks) {
    el.__sticks = { atEnd: true };
    el.addEventListener("scroll", () => { el.__sticks.atEnd = el.scrollHeight - el.scrollTop - el.clientHeight < 40; }, { passive: true });
  }
  if (el.__sticks.atEnd && el.scrollHeight !== el.__sticks.height) {
    el.__sticks.height = el.scrollHeight;
    el.scrollTop = el.scrollHeight;
  }
}

function render(root) {
  const waiting = inboxCount(state.inbox);
  document.title = pageTitle(waiting);
  if (state.signIn) return patch(root, [h("main", { key: "sign-in", id: "main", class: "main alone", tabindex: "-1" }, signInView())]);
  if (!state.me) return patch(root, [h("main", { key: "sign-in", id: "main", class: "main alone", tabindex: "-1" }, h("h1", { class: "sr" }, "Intents console"), state.failure ? [alert(state.failure), button("Try again", { onclick: start }, "primary")] : h("p", { class: "boot" }, "Loading…"))]);
  patch(root, [
    h("header", { key: "header", class: "header" }, brand(), h("div", { class: "header-end" }, connection(), identity(), theme())),
    h("nav", { key: "nav", class: "nav", "aria-label": "Views" }, h("ul", {}, NAV.filter(([name]) => name !== "now" || firstView() === "now").map(([name, text]) => h("li", { key: name },
      h("a", { href: href(name), "aria-current": state.route.view === name ? "page" : undefined }, icon(name), h("span", {}, text),
        name === "inbox" && waiting > 0 && h("span", { class: "badge num" }, count(waiting), h("span", { class: "sr" }, " waiting"))))))),
    h("main", { key: "main", id: "main", class: `main view-${state.route.view}`, tabindex: "-1" }, h("div", { key: `${state.route.view}/${state.route.id ?? ""}`, class: "view" }, view())),
  ]);
}

function pageTitle(waiting) {
  const { view: name, id } = state.route;
  const where = id ?? NAV.find(([n]) => n === name)?.[1];
  return `${waiting && !state.signIn ? `(${waiting}) ` : ""}${state.signIn ? "Sign in" : where} · Intents console`;
}

const brand = () => h("a", { class: "brand", href: "#/" }, h("svg", { class: "logo", viewBox: "0 0 32 32", "aria-hidden": "true" }, h("rect", { width: 32, height: 32, rx: 8 }), h("path", { d: "M8 11h7a5 5 0 0 1 5 5v0a5 5 0 0 0 5 5M8 21h5" }), h("circle", { cx: 24, cy: 11, r: 2.4 })),
  h("span", { class: "brand-name" }, "Intents"), h("span", { class: "muted small brand-prefix mono" }, state.me?.topicPrefix && state.me.topicPrefix !== "intents" ? state.me.topicPrefix : "console"));

function connection() {
  const open = state.connection === "open", silent = open && isSilent();
  const faults = open && !silent ? state.overview?.faults?.length ?? 0 : 0;
  const [text, tone] = silent ? ["No news", "bad"] : faults ? [`${count(faults)} ${faults === 1 ? "problem" : "problems"}`, "bad"]
    : { open: ["Live", "good"], connecting: ["Connecting", "idle"], reconnecting: ["Reconnecting", "warn"], closed: ["Not connected", "bad"] }[state.connection];
  return h("span", { class: `connection pill ${tone}`, role: "status" }, h("span", { class: "dot", "aria-hidden": "true" }), faults ? h("a", { href: href("now") }, text) : h("span", {}, text),
    state.connection === "reconnecting" && h("button", { type: "button", class: "link", onclick: retryNow }, "Try now"));
}

function identity() {
  const { principal, roles, authentication } = state.me;
  const role = isOperator() ? "operator" : ["person", "agent"].find((r) => roles.includes(r)) ?? "observer";
  const name = principal ? principal.id : "This machine";
  return h("div", { class: "identity" }, h("span", { class: "who", title: `Roles: ${roles.join(", ")}` }, h("b", { class: "cut" }, name), h("span", { class: "muted small" }, role)),
    authentication === "bearer" && h("button", { type: "button", class: "icon-button", "aria-label": "Sign out", title: "Sign out", onclick: signOut }, icon("out")));
}

function theme() {
  const order = Object.keys(THEMES), current = state.theme ?? "auto";
  const [name, label] = THEMES[current];
  return h("button", { type: "button", class: "icon-button", "aria-label": `${label}. Change it`, title: label, onclick: () => setTheme(order[(order.indexOf(current) + 1) % order.length]) }, icon(name));
}

function setTheme(name) {
  state.theme = name;
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("intents-theme", name);
  } catch {
    // Then it is for this page alone.
  }
  changed();
}

/** Goes to what the address says. The focus goes to the heading, so that a screen reader says where one is, unless the person has moved it meanwhile. */
function go(first = false) {
  const focused = document.activeElement;
  const before = state.route;
  const route = parseRoute(location.hash, firstView());
  state.route = route;
  state.last = undefined;
  const same = before.view === route.view && before.id === route.id;
  if (!(route.view === "sessions" && route.id)) {
    closeSession();
    state.session = undefined;
  }
  if (state.me || first) {
    if (route.view === "sessions" && route.id === undefined) {
      if (!same || first) state.sessions = { list: undefined };
      loadSessions();
      loadCatalog();
    }
    if (route.view === "sessions" && route.id !== undefined && state.session?.name !== route.id) openSession(route.id);
    if (route.view === "inbox") loadInbox();
    if (route.view === "intents") loadCatalog(true);
    if (route.view === "contract") loadContract();
  }
  changed();
  if (!first && !same) requestAnimationFrame(() => requestAnimationFrame(() => {
    if (document.activeElement !== focused && document.activeElement !== document.body) return;
    window.scrollTo(0, 0);
    document.getElementById("title")?.focus({ preventScroll: true });
  }));
}

document.getElementById("skip").addEventListener("click", (event) => {
  // The hash is the route: the link must not change it.
  event.preventDefault();
  document.getElementById("main").focus();
});

let stored;
try {
  stored = localStorage.getItem("intents-theme") ?? undefined;
} catch {
  stored = undefined;
}
setTheme(THEMES[stored] ? stored : "auto");
setDraw(draw);
window.addEventListener("hashchange", () => go());
window.addEventListener("online", retryNow);
setInterval(() => {
  state.now = Date.now();
  if (!document.hidden) changed();
}, 1000);
state.route = parseRoute(location.hash);
start().then(() => state.me && go(true));
changed();
