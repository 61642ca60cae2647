// The console's HTTP interface. The token is in memory and in sessionStorage, never in a URL.

const BASE = "api/v1/";
const TOKEN = "intents-token";

let token;
try {
  token = sessionStorage.getItem(TOKEN) ?? undefined;
} catch {
  token = undefined; // storage may be forbidden: memory is enough
}

/** What the server answered instead of doing it, in words for the person. */
export class Problem extends Error {
  constructor({ status = 0, detail, reason, field, title } = {}) {
    super(detail ?? title ?? "Something went wrong.");
    Object.assign(this, { status, reason, field });
  }
}

export const hasToken = () => token !== undefined;

export function setToken(text) {
  token = text;
  try {
    if (text === undefined) sessionStorage.removeItem(TOKEN);
    else sessionStorage.setItem(TOKEN, text);
  } catch {
    // as above
  }
}

/** Called when the server asks for a token, or no longer takes the one that we have. */
export const onUnauthorized = { call: () => {} };

function headers(more) {
  return { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...more };
}

async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  return new Problem({ title: `The server answered with status ${response.status}.`, ...body, status: response.status });
}

/** JSON, in which a whole number that JavaScript would round is text, as it was written. */
export const parse = (text) => JSON.parse(text, (_, value, context) => (Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source ?? value : value));

async function send(method, path, { body, headers: more = {}, signal } = {}) {
  let response;
  try {
    response = await fetch(BASE + path, {
      method, signal, cache: "no-store",
      headers: headers({ Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...more }),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "The console does not answer. Check that it runs, then try again." });
  }
  if (response.status === 401) onUnauthorized.call();
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? {} : parse(await response.text());
}

export const get = (path, options) => send("GET", path, options);
export const post = (path, body, more = {}) => send("POST", path, { body, headers: more });

/** A POST to a session: `act("cli-3f", "answers", {…})`. */
export const act = (session, what, body) => post(`sessions/${encodeURIComponent(session)}/${what}`, body);

/** Opens a stream: for `follow`. */
export async function connect(path, more, signal) {
  const response = await fetch(BASE + path, { headers: headers({ Accept: "text/event-stream", ...more }), signal, cache: "no-store" });
  if (response.status === 401) onUnauthorized.call();
  return response;
}

/** Where a document of the server is, for a link. */
export const address = (path) => BASE + path;
