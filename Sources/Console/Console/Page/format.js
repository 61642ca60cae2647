// Words for numbers, times and values. Pure functions: the time is given.

export const MASK = "••••••";

/** A URL that may be a link: http and https alone, and absolute. Else undefined. */
export function safeURL(text) {
  if (typeof text !== "string") return undefined;
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

export function count(n) {
  return Number.isFinite(n) ? n.toLocaleString("en-GB", { maximumFractionDigits: 0 }) : "–";
}

/** A rate, with one decimal while it is small. */
export function rate(n) {
  if (!Number.isFinite(n)) return "–";
  return n.toLocaleString("en-GB", { minimumFractionDigits: n < 100 && n > 0 ? 1 : 0, maximumFractionDigits: n < 100 ? 1 : 0 });
}

/** A duration in seconds, with the unit that fits: "50 ms", "4.2 s", "1 min 20 s", "2 h 5 min". */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 0.0005) return "0 s";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${(Math.round(seconds * 10) / 10).toString()} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return s % 60 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${s / 60} min`;
  const minutes = Math.floor(s / 60);
  if (minutes < 48 * 60) return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
  return `${Math.floor(minutes / 1440)} days`;
}

/** "now", "12 s ago", "3 min ago", "5 h ago", "2 days ago". */
export function ago(time, now) {
  const s = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (Number.isNaN(s)) return "";
  if (s < 3) return "now";
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 48 * 3600) return `${Math.floor(s / 3600)} h ago`;
  return `${Math.floor(s / 86400)} days ago`;
}

/** What is left until a time: "1:24", "12:00", "2 h 5 min". Nothing is left: undefined. */
export function left(time, now) {
  const s = Math.ceil((Date.parse(time) - now) / 1000);
  if (!(s > 0)) return undefined;
  return s < 3600 ? `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}` : duration(s);
}

export function clock(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString("en-GB");
}

export function dateTime(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time ?? "");
  return date.toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** "RequestRide" → "Request ride", "outsideServiceArea" → "Outside service area". */
export function spaced(name) {
  const words = String(name ?? "").replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[-_.]+/g, " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1).toLowerCase() : "";
}

/** Two letters for a picture that we don't load: "Howth Cliff Path" → "HC". */
export function initials(title) {
  const words = String(title ?? "").split(/[\s\-–/]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const pick = words.length > 1 ? [words[0], words[1]] : words;
  return pick.map((word) => [...word][0].toUpperCase()).join("") || "?";
}

/** A value as a person reads it. Entities say their title or name. */
export function valueText(value) {
  if (value === undefined || value === null) return "–";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? dateTime(value) : value;
  if (Array.isArray(value)) return value.length ? value.map(valueText).join(", ") : "none";
  const currency = value.currencyCode ?? value.currency;
  if (value.amount !== undefined && currency) return `${value.amount} ${currency}`;
  if (value.value !== undefined && value.unit) return `${value.value} ${value.unit}`;
  for (const member of ["title", "name", "text", "handle", "id"]) if (value[member] !== undefined && typeof value[member] !== "object") return String(value[member]);
  return Object.entries(value).map(([name, v]) => `${name}: ${valueText(v)}`).join(", ") || "–";
}

const SOURCES = {
  default: "Default", attribute: "From the request", remembered: "Remembered",
  resolver: "Chosen by the service", proposed: "Proposed by the service",
};

/** Where a value came from that the person did not give. */
export function sourceText(source) {
  return source ? SOURCES[source] ?? spaced(source) : undefined;
}

const UNSUPPORTED = { invalidValue: "That can't be read as a value.", aboveMaximum: "That is more than is allowed.", belowMinimum: "That is less than is allowed." };

/** Why the last value was not accepted. */
export function unsupportedText(unsupported) {
  if (!unsupported) return undefined;
  const why = UNSUPPORTED[unsupported.reason] ?? `${spaced(unsupported.reason)}.`;
  return unsupported.value === undefined ? why : `${valueText(unsupported.value)}: ${why}`;
}
