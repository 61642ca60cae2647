// What the overview means over time. Pure.

const KEPT = 120; // samples, one a second
const GONE_FOR = 120_000, MARKED_FOR = 60_000; // ms

const second = (time) => Math.floor(Date.parse(time) / 1000);

/** The samples for the charts, with this overview added. */
export function addSample(history, overview) {
  const sample = { time: overview.time, rates: overview.rates, topics: Object.fromEntries((overview.topics ?? []).map((t) => [t.topic, t])), waits: overview.waits };
  // The first overview of a stream comes at once, and may be of the same second as the one before.
  const before = history.length && second(history.at(-1).time) === second(sample.time) ? history.slice(0, -1) : history;
  return [...before, sample].slice(-KEPT);
}

/** The samples of `GET overview/history`, followed by those that the page has got since. */
export function withEarlier(history, { times = [], rates = {}, waits = {}, topics = [] }) {
  const row = (columns, i) => Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i] ?? undefined]));
  const earlier = times.map((time, i) => ({ time, rates: row(rates, i), waits: row(waits, i), topics: Object.fromEntries(topics.map(({ topic, ...columns }) => [topic, row(columns, i)])) }));
  const last = times.length ? second(times.at(-1)) : -Infinity;
  return [...earlier, ...history.filter((s) => second(s.time) > last)].slice(-KEPT);
}

/**
 * The processes with what has become of them since the page was opened: `new`, `restarted` (its `since` is newer than before) or gone.
 * One that has gone is kept for a while, because that is what an operator looks for.
 */
export function trackProcesses(before, all, now) {
  const workers = all.filter((w) => !w.gone);
  const known = new Map(before.map((w) => [key(w), w]));
  const first = before.length === 0;
  const next = workers.map((w) => {
    const old = known.get(key(w));
    known.delete(key(w));
    let mark = old?.mark, markedAt = old?.markedAt;
    if (!old) [mark, markedAt] = first ? [] : ["new", now];
    else if (old.goneAt !== undefined || Date.parse(w.since) > Date.parse(old.since)) [mark, markedAt] = ["restarted", now];
    if (markedAt !== undefined && now - markedAt > MARKED_FOR) mark = markedAt = undefined;
    return { ...w, mark, markedAt };
  });
  // The console tells of those that have gone before the page was opened, too.
  for (const w of all) if (w.gone && !workers.some((x) => key(x) === key(w))) known.set(key(w), { ...w, goneAt: Date.parse(w.gone) });
  for (const old of known.values()) {
    const goneAt = old.goneAt ?? now;
    if (now - goneAt <= GONE_FOR) next.push({ ...old, mark: undefined, markedAt: undefined, goneAt });
  }
  return next.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const key = (w) => `${w.service ?? ""}/${w.instance}`;

/** A list of sessions after some have changed: those that fit are put in, those that no longer fit are taken out. */
export function mergeSessions(list, sessions, fits) {
  const names = new Map(sessions.map((s) => [s.session, s]));
  const kept = list.filter((s) => !names.has(s.session) || fits(names.get(s.session), true)).map((s) => names.get(s.session) ?? s);
  const had = new Set(list.map((s) => s.session));
  return [...sessions.filter((s) => !had.has(s.session) && fits(s)), ...kept].sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated));
}

/** The members of a query that choose sessions. */
export const FILTERS = ["search", "state", "outcome", "intent", "principal", "from", "until", "waits"];

/**
 * Whether a session that has changed is one that the list asks for, as far as its summary tells. The server also knows its earlier requests and words.
 * @param isListed whether it was in the list: it stays unless its state shows that it no longer belongs there
 */
export function fitsList(session, { search = "", state, outcome, intent, principal, until, waits }, { now = Date.now(), isListed = false } = {}) {
  if (state && session.state !== state) return false;
  if (waits && !(now - Date.parse(session.waitsSince) >= waits * 1000)) return false;
  if (isListed) return true;
  if ((outcome && session.status !== outcome) || (intent && session.intent !== intent) || (principal && session.principal !== principal) || until) return false;
  const words = search.trim().toLowerCase();
  return !words || [session.session, session.intent, session.title, session.dialog, session.principal, session.error].some((t) => String(t ?? "").toLowerCase().includes(words));
}

/** What waits for the person who looks at the page: the number in the navigation and the title. */
export function inboxCount(inbox) {
  if (!inbox) return 0;
  return inbox.approvals.length + inbox.questions.length + inbox.handoffs.length + inbox.deadLetters.length;
}
