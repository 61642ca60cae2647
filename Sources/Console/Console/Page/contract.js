// What an AsyncAPI document says, as lists to show. Pure.

/** What a reference within the document refers to. Anything else is itself. */
export function resolve(document, value) {
  let at = value;
  for (let depth = 0; depth < 16 && at && typeof at === "object" && typeof at.$ref === "string"; depth++) {
    if (!at.$ref.startsWith("#/")) return undefined;
    at = at.$ref.slice(2).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).reduce((o, part) => o?.[part], document);
  }
  return at;
}

/** The channels with their messages: `[{id, address, description, messages: [{id, name, summary, schema, examples}]}]`. */
export function channelsOf(document) {
  return Object.entries(document.channels ?? {}).map(([id, value]) => {
    const channel = resolve(document, value) ?? {};
    const messages = Object.entries(channel.messages ?? {}).map(([key, m]) => {
      const message = resolve(document, m) ?? {};
      const payload = resolve(document, message.payload);
      // A payload may be a schema, or say in which format it is one.
      const schema = payload?.schemaFormat ? resolve(document, payload.schema) : payload;
      return { id: key, name: message.name ?? key, title: message.title, summary: message.summary ?? message.description, schema, examples: (message.examples ?? []).map((e) => ({ name: e.name ?? e.summary, value: e.payload ?? e })) };
    });
    return { id, address: channel.address ?? id, description: channel.description ?? channel.summary, messages };
  });
}

/** The members of an object schema: `[{name, type, required, description}]`. */
export function membersOf(document, schema) {
  const s = resolve(document, schema) ?? {};
  const required = new Set(s.required ?? []);
  return Object.entries(s.properties ?? {}).map(([name, value]) => {
    const member = resolve(document, value) ?? {};
    return { name, type: typeText(document, member), required: required.has(name), description: member.description };
  });
}

function typeText(document, value) {
  const schema = merged(document, value);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(String).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map((part) => typeText(document, part)))].join(" or ");
  const type = Array.isArray(schema.type) ? schema.type.join(" | ") : schema.type;
  if (type === "array") {
    return `list of ${typeText(document, schema.items)}`;
  }
  return [type ?? "any", schema.format].filter(Boolean).join(", ");
}

/** A schema with what its own references and parts say of it. */
function merged(document, value, depth = 0) {
  const schema = resolve(document, value) ?? {};
  const parts = depth < 8 ? (schema.allOf ?? []).map((part) => merged(document, part, depth + 1)) : [];
  return Object.assign({}, ...parts, schema);
}

/** Channels and messages that have each of these words. */
export function searchChannels(channels, search) {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return channels;
  return channels.map((c) => ({ ...c, messages: c.messages.filter((m) => words.every((w) => `${c.address} ${m.name} ${m.title ?? ""} ${m.summary ?? ""}`.toLowerCase().includes(w))) })).filter((c) => c.messages.length);
}
