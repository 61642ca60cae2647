// From the declaration of a parameter to a field of a form, and from what the person entered to the JSON of an answer. Pure.
//
// A JSON string is always the person's words to the pipeline, which converts them. So whatever has no control of its own here (a place, a sum of
// money, a duration) is a text field, and any field can be said in words instead.

/**
 * A field for a parameter.
 * @param parameter of a prompt (`parameter`, `title`, `declaration`, `options`) or of the catalogue (`name`, `title`, `type`, `range`, …)
 */
export function fieldOf(parameter) {
  const d = parameter.declaration ?? parameter;
  const type = d.type ?? {};
  const schema = type.schema ?? {};
  const field = {
    name: parameter.parameter ?? parameter.name,
    title: parameter.title ?? parameter.parameter ?? parameter.name,
    description: d.description ?? parameter.description,
    required: d.required === true && (parameter.default ?? d.default ?? null) === null,
    hint: d.options?.provider === undefined ? type.description && `Say it in your own words. ${sentence(type.description)}` : "Leave it out to choose from a list.",
    typeName: type.name,
    defaultText: defaultText(parameter.default ?? d.default),
    ask: parameter.prompts && !Array.isArray(parameter.prompts) && typeof parameter.prompts.value === "string" ? parameter.prompts.value : undefined,
  };
  const choices = choicesOf(parameter.options ?? d.options, schema);
  if (d.sensitivity === "secret") return { ...field, kind: "secret", input: d.input };
  if (choices) return { ...field, kind: "enum", choices };
  return { ...field, ...control(schema, type.name, d) };
}

/** A type's description as a sentence. That it may be an object too is nothing for a person. */
function sentence(text) {
  const t = String(text).replace(/, or an object\b.*$/, "").trim();
  return t ? `${t[0].toUpperCase()}${t.slice(1)}${/[.!?]$/.test(t) ? "" : "."}` : "";
}

/** The kind of control that a schema has, and its bounds. */
function control(schema, typeName, declaration = {}) {
  const type = Array.isArray(schema.type) ? schema.type.find((t) => t !== "null") : schema.type;
  const range = declaration.range ?? {};
  if (type === "boolean") return { kind: "boolean" };
  if (type === "integer" || type === "number") {
    return {
      kind: "number", step: type === "integer" ? 1 : schema.multipleOf ?? "any",
      min: number(range.minimum ?? schema.minimum), max: number(range.maximum ?? schema.maximum), rangeText: range.text,
    };
  }
  if (type === "array") {
    const items = schema.items ?? {};
    const size = declaration.size ?? {};
    const choices = choicesOf(undefined, items);
    const inner = choices ? { kind: "enum", choices } : control(items, itemName(typeName));
    return { kind: "list", item: inner, unique: schema.uniqueItems === true, min: number(size.minimum), max: number(size.maximum) };
  }
  if (type === "string" || type === undefined) {
    if (schema.format === "date-time") return { kind: "datetime" };
    if (schema.format === "date" || typeName === "CalendarDate") return { kind: "date" };
    if (schema.format === "time" || typeName === "TimeOfDay" || /^\^\(\[01\]\[0-9\]/.test(schema.pattern ?? "")) return { kind: "time" };
    const input = declaration.input;
    if (type === "string") return { kind: input?.multiline ? "multiline" : "text", maxLength: schema.maxLength, format: schema.format, input };
  }
  return { kind: "text", words: true };
}

function itemName(typeName) {
  return typeName?.match(/^(?:\[|Set<)(.*)[\]>]$/)?.[1];
}

/** The values to choose from, if they are known: of a list of options, of an enumeration. */
function choicesOf(options, schema) {
  const listed = Array.isArray(options) ? options : options?.known;
  if (Array.isArray(listed) && listed.length) return listed.map((o) => ({ id: String(o.id ?? o), value: o.id ?? o, title: o.title ?? String(o.id ?? o), subtitle: o.subtitle }));
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => ({ id: String(value), value, title: String(value) }));
  if (Array.isArray(schema.oneOf) && schema.oneOf.every((s) => "const" in s)) {
    return schema.oneOf.map((s) => ({ id: String(s.const), value: s.const, title: s.title ?? String(s.const) }));
  }
  return undefined;
}

function defaultText(value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") return value.text ?? (value.value === undefined ? undefined : String(value.value));
  return typeof value === "boolean" ? (value ? "Yes" : "No") : String(value);
}

function number(value) {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** An offset from UTC as ISO 8601 writes it. `minutes` is what `Date.getTimezoneOffset()` says: negative east of Greenwich. */
export function offsetText(minutes) {
  const abs = Math.abs(minutes);
  return `${minutes > 0 ? "-" : "+"}${String(Math.floor(abs / 60)).padStart(2, "0")}:${String(abs % 60).padStart(2, "0")}`;
}

/** The JSON for what was entered. Nothing entered is `undefined`. `{words}` is always text. */
export function readField(field, raw, offsetOf = (local) => new Date(local).getTimezoneOffset()) {
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object" && !Array.isArray(raw)) return raw.words?.trim() ? raw.words.trim() : undefined;
  switch (field.kind) {
    case "number": return exact(raw) ? Number(raw) : String(raw).trim() || undefined;
    case "boolean": return raw === "true" || raw === true;
    case "enum": return field.choices.find((choice) => choice.id === raw)?.value ?? raw;
    case "list": {
      const values = [].concat(raw).map((item) => readField(field.item, item, offsetOf)).filter((v) => v !== undefined);
      return values.length ? values : undefined;
    }
    case "datetime": return `${raw.length === 16 ? `${raw}:00` : raw}${offsetText(offsetOf(raw))}`;
    case "secret": return raw; // a space may belong to it
    default: return String(raw).trim() || undefined;
  }
}

/** What is wrong with what was entered, in a sentence. `undefined` if nothing is. */
export function problemOf(field, raw) {
  if (raw === undefined || raw === null || (typeof raw === "string" && !raw.trim()) || (typeof raw === "object" && !Array.isArray(raw))) return undefined;
  if (field.kind === "number") {
    const n = Number(raw);
    if (!Number.isFinite(n)) return "Enter a number.";
    if (field.step === 1 && !Number.isInteger(n)) return "Enter a whole number.";
    if (field.min !== undefined && n < field.min) return `The least is ${field.min}.`;
    if (field.max !== undefined && n > field.max) return `The most is ${field.max}.`;
  }
  if (field.kind === "list") {
    const filled = [].concat(raw).filter((item) => readField(field.item, item) !== undefined);
    if (field.max !== undefined && filled.length > field.max) return `At most ${field.max}.`;
    if (field.min !== undefined && filled.length && filled.length < field.min) return `At least ${field.min}.`;
    for (const item of filled) {
      const problem = problemOf(field.item, item);
      if (problem) return problem;
    }
  }
  return undefined;
}

/** A number moved by one step, within its bounds. */
export function stepped(field, raw, direction) {
  const step = typeof field.step === "number" ? field.step : 1;
  const current = Number(raw);
  const start = raw === "" || raw === undefined || !Number.isFinite(current) ? (field.min ?? 0) - (direction > 0 ? step : -step) : current;
  const next = start + direction * step;
  return String(Math.min(field.max ?? Infinity, Math.max(field.min ?? -Infinity, Number(next.toFixed(10)))));
}

/** Whether a JSON number says what was entered. What it would round is sent as it was written, for the pipeline to read. */
function exact(raw) {
  const n = Number(raw), digits = String(raw).trim().replace(/^[-+]|e.*$/gi, "").replace(".", "").replace(/^0+/, "");
  return digits !== "" ? Number.isFinite(n) && (Number.isInteger(n) ? Number.isSafeInteger(n) : digits.length <= 15) : n === 0 && /\d/.test(raw);
}

/** The values of several fields by name, without those that were left empty. */
export function readFields(fields, raws = {}, offsetOf) {
  const out = {};
  for (const field of fields) {
    const value = readField(field, raws[field.name], offsetOf);
    if (value !== undefined) out[field.name] = value;
  }
  return out;
}

/** The other parameters of a prompt that are missing: they can be given in the same answer. */
export function othersMissing(prompt) {
  return (prompt.parameters ?? []).filter((p) => p.missing && p.parameter !== prompt.parameter && p.declaration).map(fieldOf);
}

const plain = (text) => String(text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The options that have each of these words, as the pipeline searches them. */
export function matching(options, search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return options.filter((o) => {
    const text = plain([o.title, o.subtitle, o.section, ...(o.synonyms ?? [])].join(" "));
    return words.every((word) => text.includes(word));
  });
}
