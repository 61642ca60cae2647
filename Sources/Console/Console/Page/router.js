// Routes are in the hash, because the server serves the page at / alone: #/sessions/cli-3f?…

export const VIEWS = ["now", "sessions", "inbox", "intents", "contract"];

/** What a hash means: a view, perhaps the id of what it shows, and a query. An unknown one is the first view, which depends on who looks. */
export function parseRoute(hash, first = "now") {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").filter(Boolean).map(decode);
  const view = VIEWS.includes(parts[0]) && parts[0] !== "now" ? parts[0] : first;
  const id = view === "sessions" || view === "intents" ? parts[1] : undefined;
  return { view, id, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The hash of a view. Empty members of the query are left out. */
export function href(view, id, query = {}) {
  const path = view === "now" ? "#/" : `#/${view}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== "")).toString();
  return text ? `${path}?${text}` : path;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray % is no reason to show nothing
  }
}
