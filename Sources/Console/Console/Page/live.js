// What the page knows from the server, kept up to date: the overview, the lists, the open session.
import { connect, get, hasToken, onUnauthorized, parse, setToken } from "./api.js";
import { addSample, FILTERS, fitsList, mergeSessions, trackProcesses, withEarlier } from "./overview.js";
import { changed, firstView, isOperator, seesFigures, state } from "./store.js";
import { follow } from "./stream.js";

const STARTING = 15_000; // ms in which a session that was started has to be known

let overviewStream, sessionStream;

/** Reads who is there, and follows the overview. Asks for a token if the server wants one. */
export async function start() {
  onUnauthorized.call = () => {
    state.signIn = true;
    state.signInError = hasToken() ? "This token is not accepted. It may have expired." : undefined;
    stop();
    changed();
  };
  state.failure = undefined;
  try {
    const me = await get("me");
    // Someone else has signed in where a token had expired.
    if (state.me && identity(state.me) !== identity(me)) forget();
    state.me = me;
    state.signIn = false;
  } catch (problem) {
    if (problem.status !== 401) state.failure = problem;
    changed();
    return;
  }
  if (state.route.view === "now") state.route = { ...state.route, view: firstView() };
  overviewStream?.close();
  overviewStream = follow((headers, signal) => connect("overview/events", headers, signal), {
    onEvent: (event) => event.type === "overview" && takeOverview(event.data),
    onState: (connection) => {
      if (state.connection === "reconnecting" && connection === "open") refresh(); // what was missed meanwhile
      if (connection === "open") loadHistory();
      if (connection === "open" && state.arrived) state.arrived = Date.now(); // the first overview is on its way
      state.connection = connection;
      changed();
    },
  });
  refresh();
  changed();
}

function stop() {
  overviewStream?.close();
  closeSession();
}

export function signIn(token) {
  setToken(token);
  return start();
}

export function signOut() {
  setToken(undefined);
  stop();
  forget();
  Object.assign(state, { signIn: true, signInError: undefined });
  changed();
}

const identity = (me) => JSON.stringify([me.principal, me.roles]);

/** Nothing that was read with a token is kept for another one. */
function forget() {
  Object.assign(state, { me: undefined, overview: undefined, history: [], workers: [], coordinators: [], arrived: undefined, sessions: { list: undefined }, session: undefined, inbox: undefined, catalog: undefined, contract: undefined, drafts: {}, claims: new Map(), last: undefined, copied: undefined });
}

/** Reads what the charts show of the time before, or of that in which the stream was broken. */
async function loadHistory() {
  if (!seesFigures()) return;
  const { me } = state;
  const history = await get("overview/history").catch(() => undefined); // without it, the charts begin now
  if (!history || state.me !== me) return;
  state.history = withEarlier(state.history, history);
  changed();
}

export function retryNow() {
  overviewStream?.retry();
  sessionStream?.retry();
}

/** Reads again what the view that is open shows. */
export function refresh() {
  loadInbox();
  const { view, id } = state.route;
  if (view === "sessions" && !id) loadSessions();
  if (view === "sessions" && id && state.session?.name === id) loadSession().then(() => followSession(id));
  if (view === "intents" || view === "sessions") loadCatalog(view === "intents");
  if (view === "contract" && !state.contract) loadContract();
}

function takeOverview(text) {
  let overview;
  try {
    overview = JSON.parse(text);
  } catch {
    return; // half an object is none
  }
  const before = state.overview;
  state.overview = overview;
  state.history = addSample(state.history, overview);
  state.arrived = Date.now();
  for (const role of ["workers", "coordinators"]) state[role] = trackProcesses(state[role], overview[role] ?? [], state.arrived);
  const moved = overview.changed ?? [];
  if (moved.length) takeSessions(moved);
  const waits = (o) => o && `${o.open?.prompts}/${o.open?.handoffs}/${o.deadLetters}`;
  if (waits(before) !== waits(overview) || moved.some((s) => s.state === "prompt" || s.state === "handoff") || (moved.length && state.route.view === "inbox")) soonInbox();
  changed();
}

const PAGE = 50;

/** Puts sessions that have changed into the list. While a person points at it or is in it, no row moves: what would move waits. */
function takeSessions(moved) {
  const list = state.sessions;
  if (!list.list) return;
  if (list.held) {
    const now = new Map(moved.map((s) => [s.session, s]));
    list.list = list.list.map((s) => now.get(s.session) ?? s);
    list.waiting = mergeSessions(list.waiting ?? [], moved, () => true).slice(0, 4 * PAGE);
    return;
  }
  const merged = mergeSessions(list.list, moved, (s, isListed) => fitsList(s, list.query ?? {}, { isListed }));
  // A busy pipeline would fill the page: what was not asked for is cut off at the end.
  list.cut = list.cut || merged.length > list.size;
  list.total += merged.length - list.list.length;
  list.list = merged.slice(0, list.size);
}

// Nothing tells that a session has waited longer.
setInterval(() => {
  const { view, id, query } = state.route;
  if (!document.hidden && view === "sessions" && id === undefined && query.waits && !state.sessions.held) loadSessions();
}, 5000)?.unref?.();

/** Whether the rows of the list keep their places. */
export function holdSessions(held) {
  const list = state.sessions;
  if (list.held === held) return;
  list.held = held;
  if (!held && list.waiting) takeSessions(list.waiting);
  if (!held) list.waiting = undefined;
  changed();
}

// Approvals of others' requests are in no overview of a person, so the inbox is read now and then.
setInterval(() => {
  if (!document.hidden && !state.signIn && state.me?.principal && state.me.roles.includes("person")) loadInbox();
}, 20_000)?.unref?.();

let inboxTimer;
function soonInbox() {
  inboxTimer ??= setTimeout(() => {
    inboxTimer = undefined;
    loadInbox();
  }, state.route.view === "inbox" ? 700 : 2500);
}

export async function loadInbox() {
  try {
    state.inbox = await get("inbox");
    state.inboxError = undefined;
  } catch (problem) {
    state.inboxError = problem;
  }
  changed();
}

/** Reads the list of sessions for a query, or more of it. */
export async function loadSessions({ more = false } = {}) {
  const list = state.sessions;
  const query = state.route.query;
  const mine = (list.reading = {});
  // Where the end was cut off, the place to go on from is gone with it: all of it is read again.
  let after = more && !list.cut ? list.next : undefined;
  const before = after === undefined ? [] : list.list;
  const wanted = more ? list.list.length + PAGE : PAGE;
  const rows = [...before];
  const had = new Set(rows.map((s) => s.session));
  try {
    let answer, total;
    do {
      const parameters = new URLSearchParams([...FILTERS.map((name) => [name, query[name]]), ["limit", PAGE], ["after", after]].filter(([, v]) => v));
      answer = await get(`sessions?${parameters}`);
      if (list.reading !== mine) return; // the person has typed on meanwhile
      for (const s of answer.sessions) if (!had.has(s.session)) had.add(s.session), rows.push(s);
      total ??= before.length + answer.total; // of this page and those after it
      after = answer.next;
      // A search through more than the server does at once goes on when the person asks for it.
    } while (after && rows.length < wanted && !answer.unsearched);
    Object.assign(list, { list: rows, size: Math.max(PAGE, rows.length), next: after, cut: false, total, kept: answer.kept, masked: answer.masked, unsearched: answer.unsearched, query: { ...query }, error: undefined });
  } catch (problem) {
    if (list.reading === mine) list.error = problem;
  }
  if (list.reading === mine) list.reading = undefined;
  changed();
}

export async function loadCatalog(again = false) {
  if (state.catalog && !again) return;
  try {
    state.catalog = (await get("catalog")).intents;
    state.catalogError = undefined;
  } catch (problem) {
    state.catalogError = problem;
  }
  changed();
}

export async function loadContract() {
  try {
    state.contract = await get("asyncapi.json");
    state.contractError = undefined;
  } catch (problem) {
    state.contractError = problem;
  }
  changed();
}

// The open session

export function openSession(name) {
  closeSession();
  state.session = { name, opened: Date.now(), detail: undefined, error: undefined, seen: new Set(), rejections: {}, stream: "connecting" };
  loadCatalog();
  loadSession().then(() => followSession(name));
  changed();
}

export function closeSession() {
  sessionStream?.close();
  sessionStream = undefined;
  clearTimeout(sessionTimer);
  sessionTimer = undefined;
}

function followSession(name) {
  const session = state.session;
  if (session?.name !== name || !session.detail || document.hidden || sessionStream) return;
  const path = `sessions/${encodeURIComponent(name)}/events`;
  const mine = follow((headers, signal) => connect(path, headers, signal), {
    lastId: session.lastId ?? session.detail?.position ?? "",
    onEvent: (event) => {
      if (state.session !== session) return;
      session.lastId = event.id;
      try {
        take(session, [parse(event.data)]);
      } catch {
        // The state is read again below in any case.
      }
      soonSession();
    },
    onState: (stream) => {
      if (state.session !== session) return;
      if (stream === "open" && session.stream === "reconnecting") loadSession();
      session.stream = stream;
      if (stream === "closed" && sessionStream === mine) {
        sessionStream = undefined;
        later(session, 1000);
      }
      changed();
    },
  });
  sessionStream = mine;
}

// A browser opens six connections to a server. Pages in the background give theirs back, and go on after the last event that they have seen.
document.addEventListener("visibilitychange", () => {
  if (!state.session || state.route.view !== "sessions") return;
  if (document.hidden) {
    sessionStream?.close();
    sessionStream = undefined;
  } else loadSession().then(() => followSession(state.session?.name));
});

let sessionTimer;
function soonSession() {
  sessionTimer ??= setTimeout(() => {
    sessionTimer = undefined;
    loadSession();
  }, 120);
}

/** Reads a session again after some time, and follows it. */
function later(session, wait) {
  clearTimeout(sessionTimer);
  sessionTimer = setTimeout(() => {
    sessionTimer = undefined;
    if (state.session === session) loadSession().then(() => followSession(session.name));
  }, wait);
}

export async function loadSession() {
  const session = state.session;
  if (!session) return;
  try {
    const reveal = session.reveal && isOperator() ? "?reveal=true" : "";
    const detail = await get(`sessions/${encodeURIComponent(session.name)}${reveal}`);
    if (state.session !== session) return;
    session.detail = detail;
    session.error = undefined;
    take(session, detail.events, true);
  } catch (problem) {
    if (state.session !== session) return;
    // What has just been started is known here as soon as the console has read it.
    const early = problem.status === 404 && state.started?.session === session.name && Date.now() - state.started.at < STARTING;
    // Tries again after a failure of network or server. A console that has just started may not know the session yet.
    if (early || problem.status === 0 || problem.status >= 500 || (problem.status === 404 && session.detail)) later(session, early ? 400 : 3000);
    if (early) return;
    session.error = problem;
  }
  changed();
}

/** Takes events in that were not seen yet: rejections of what we have sent, options that we have asked for. */
function take(session, events, read = false) {
  for (const event of events) {
    if (session.seen.has(event.id)) continue;
    session.seen.add(event.id);
    if (event.type === "request.rejected.v1" && event.data?.event) session.rejections[event.data.event] = event.data;
    if (event.type === "options.listed.v1" && event.data) takeOptions(event.data);
    if (!read && session.detail && !session.detail.masked && !session.detail.events.some((e) => e.id === event.id)) {
      session.detail = { ...session.detail, events: [...session.detail.events, event] };
    }
  }
  changed();
}

/** Options that were listed belong to the prompt's form, if it waits for them. */
function takeOptions(data) {
  const form = state.drafts[`prompt/${data.prompt}`];
  if (!form?.asking || (data.search ?? "") !== form.asking.search) return;
  const before = form.asking.start ? form.options ?? [] : [];
  const had = new Set(before.map((o) => o.id));
  form.options = [...before, ...data.options.filter((o) => !had.has(o.id))];
  Object.assign(form, { total: data.optionsTotal, next: data.optionsNext, omitted: data.optionsOmitted, listed: true, asking: undefined });
}

const RETRIES = [600, 1500, 4000];

/**
 * The rejection of an answer to an approval, if there is one within some seconds. The inbox tells it, because who may agree does not see the session.
 * @returns the data of request.rejected.v1, or undefined
 */
export async function approvalOf(prompt, event) {
  for (const wait of RETRIES) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    await loadInbox();
    const rejected = state.inbox?.approvals.find((i) => i.prompt.prompt === prompt)?.rejected; // the item is away while the answer is decided on
    if (rejected?.event === event) return rejected;
  }
  return undefined;
}

/**
 * The rejection of an event that was sent, if there is one within some seconds: where no stream of the session is open, as in the inbox.
 * @returns the data of request.rejected.v1, or undefined
 */
export async function rejectionOf(name, event) {
  for (const wait of RETRIES) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const detail = await get(`sessions/${encodeURIComponent(name)}`).catch(() => undefined);
    const rejected = detail?.events.find((e) => e.type === "request.rejected.v1" && e.data?.event === event);
    if (rejected) return rejected.data;
  }
  return undefined;
}
