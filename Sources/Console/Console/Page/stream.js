// Server-sent events by fetch(), because EventSource can't send an Authorization header.

/** Reads the text/event-stream format piece by piece. */
export class EventParser {
  #rest = "";
  #event = {};
  lastId = "";

  /** The events that are complete with this text: `{type, data, id}`. */
  push(text) {
    const out = [];
    let rest = this.#rest + text;
    // A CR at the very end may be half of a CRLF: it waits for the next piece.
    let held = "";
    if (rest.endsWith("\r")) [held, rest] = ["\r", rest.slice(0, -1)];
    const lines = rest.split(/\r\n|\n|\r/);
    this.#rest = lines.pop() + held;
    for (const line of lines) {
      if (line === "") {
        if (this.#event.data !== undefined) out.push({ type: this.#event.type ?? "message", data: this.#event.data, id: this.lastId });
        this.#event = {};
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue; // a comment, which only keeps the connection open
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") this.#event.data = this.#event.data === undefined ? value : `${this.#event.data}\n${value}`;
      else if (field === "event") this.#event.type = value;
      else if (field === "id" && !value.includes("\0")) this.lastId = value;
    }
    return out;
  }
}

/** How long to wait before try number `attempt` (from 0), in ms. `jitter` is from 0 to 1: many pages must not come back in one instant. */
export function backoff(attempt, jitter) {
  const longest = Math.min(15_000, 500 * 2 ** attempt);
  return longest / 2 + (longest / 2) * jitter;
}

const SILENCE = 40_000; // the server says something every 15 s

/**
 * Follows a stream until it is closed, and connects again whenever it ends.
 * @param connect `(headers, signal) => Promise<Response>`
 * @param onEvent called with `{type, data, id}`
 * @param onState called with `connecting`, `open`, `reconnecting` or `closed`
 */
export function follow(connect, { onEvent, onState = () => {}, lastId = "" }) {
  let closed = false, attempt = 0, abort, timer, wake;

  async function once() {
    abort = new AbortController();
    const parser = new EventParser();
    parser.lastId = lastId;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), SILENCE);
    };
    watch();
    const response = await connect(lastId ? { "Last-Event-ID": lastId } : {}, abort.signal);
    if (response.status === 401 || response.status === 403 || response.status === 404) {
      closed = true; // it will not get better by asking again
      return;
    }
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    onState("open");
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      watch();
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        attempt = 0;
        lastId = event.id;
        if (!closed) onEvent(event);
      }
    }
  }

  async function run() {
    onState("connecting");
    while (!closed) {
      try {
        await once();
      } catch {
        // The network, the server or our own watch ended it. The next try tells.
      }
      clearTimeout(timer);
      if (closed) break;
      onState("reconnecting");
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, backoff(attempt++, Math.random()));
      });
    }
    onState("closed");
  }

  run();
  return {
    get lastId() { return lastId; },
    /** Tries again now, if it waits for the next try. */
    retry() { wake?.(); },
    close() {
      closed = true;
      clearTimeout(timer);
      abort?.abort();
      wake?.();
    },
  };
}
