// The state of the page, in one place, and when it is drawn. Views read it; what the person does and what the server says change it.
import { href } from "./router.js";

export const state = {
  me: undefined, // what GET /me says
  signIn: false, // whether a token is asked for
  route: { view: "now", query: {} },
  now: Date.now(),
  connection: "connecting",
  overview: undefined,
  history: [], // overviews of the last minutes, for the charts
  arrived: undefined, // when the last overview came
  workers: [], // as `trackProcesses` knows them
  coordinators: [],
  sessions: { list: undefined },
  session: undefined, // the open session
  started: undefined, // the session that was started last, which the console may not know yet
  inbox: undefined,
  catalog: undefined,
  contract: undefined,
  drafts: {}, // what is being entered, by form
  claims: new Map(), // the secrets of the handoffs that were claimed here: in memory alone
  last: undefined, // the form that was sent last
  theme: undefined,
};

/** Changes the query of the address, without a step in the history for each letter. */
export function setQuery(change) {
  const { route } = state;
  route.query = { ...route.query, ...change };
  history.replaceState(null, "", href(route.view, route.id, route.query));
  changed();
}

let draw = () => {};
let planned = false;

export function setDraw(f) { draw = f; }

/** Draws soon. Many changes within a frame are one drawing. */
export function changed() {
  if (planned) return;
  planned = true;
  const go = () => {
    planned = false;
    draw();
  };
  // A hidden page gets no frames, but its title must still tell the count of the inbox.
  if (document.hidden) setTimeout(go, 250);
  else requestAnimationFrame(go);
}

/** What is being entered in a form. It outlives drawings, and goes with the form. */
export function draft(id) {
  return state.drafts[id] ??= { values: {} };
}

export function dropDraft(id) {
  delete state.drafts[id];
}

export const roles = () => state.me?.roles ?? [];
export const isPerson = () => roles().includes("person");
export const isOperator = () => roles().includes("operator");
/** Those who see their own sessions alone have no figures of the pipeline. */
export const seesFigures = () => isOperator() || roles().includes("observer");
const SILENCE = 5000; // ms: whoever sees the figures gets them each second

/** Whether the figures have stopped, whatever the connection says. */
export const isSilent = () => seesFigures() && state.arrived !== undefined && (state.connection !== "open" || state.now - state.arrived > SILENCE);
/** The view at #/. */
export const firstView = () => (state.me && !seesFigures() ? "sessions" : "now");
