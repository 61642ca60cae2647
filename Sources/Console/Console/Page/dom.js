// A small keyed patcher. A view is a function from state to a tree of `h(…)`, and `patch` changes only what differs, so that an update keeps
// focus, the caret, scroll positions and what a person is typing. Text is always set as text: nothing from the server is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";
// These are set as properties, after the children: a select needs its options before it has a value.
const PROPERTIES = new Set(["value", "checked", "indeterminate"]);

/** A node of the tree. `null`, `false` and `undefined` among the children keep their place, so siblings keep their identity. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children };
}

/** Children with the keys by which they are recognised: their own key, or their place. */
export function keyed(children, prefix = "", out = []) {
  children.forEach((child, index) => {
    if (child === null || child === undefined || child === false || child === true || child === "") return;
    if (Array.isArray(child)) return keyed(child, `${prefix}${index}.`, out);
    const node = typeof child === "object" ? child : { text: String(child) };
    const key = node.props?.key;
    out.push([key === undefined ? `${prefix}${index}` : `${prefix}k:${key}`, node]);
  });
  return out;
}

/** Makes the children of `root` be `children`. Focus stays where it is, if its element stays. */
export function patch(root, children) {
  const focused = document.activeElement;
  patchChildren(root, keyed([children].flat()), root.namespaceURI === SVG);
  // A node that was moved has lost the focus in browsers without moveBefore.
  if (focused && focused !== document.activeElement && focused.isConnected && root.contains(focused)) focused.focus({ preventScroll: true });
}

function patchChildren(parent, next, svg) {
  const before = parent.__children ?? new Map();
  if (!parent.__children) parent.replaceChildren();
  const after = new Map();
  for (const [key, node] of next) {
    const old = before.get(key);
    const usable = old && !after.has(key) && old.tag === node.tag;
    after.set(key, { tag: node.tag, el: usable ? old.el : create(node, svg), node, old: usable ? old.node : undefined });
  }
  for (const [key, old] of before) if (after.get(key)?.el !== old.el) old.el.remove();
  let cursor = parent.firstChild;
  for (const entry of after.values()) {
    if (entry.el === cursor) cursor = cursor.nextSibling;
    else if (entry.el.parentNode === parent && parent.moveBefore) parent.moveBefore(entry.el, cursor);
    else parent.insertBefore(entry.el, cursor);
    update(entry.el, entry.node, entry.old, svg);
  }
  for (const entry of after.values()) delete entry.old;
  parent.__children = after;
}

function create(node, svg) {
  if (node.tag === undefined) return document.createTextNode(node.text);
  return svg || node.tag === "svg" ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
}

function update(el, node, old, svg) {
  if (node.tag === undefined) {
    if (el.data !== node.text) el.data = node.text;
    return;
  }
  const props = node.props, previous = old?.props ?? {};
  for (const name in previous) if (!(name in props)) set(el, name, undefined, previous[name]);
  for (const name in props) if (!PROPERTIES.has(name)) set(el, name, props[name], previous[name], !old);
  patchChildren(el, keyed(node.children), svg || node.tag === "svg");
  for (const name of PROPERTIES) if (name in props && el[name] !== props[name]) el[name] = props[name];
  if (!old) props.ref?.(el);
}

function set(el, name, value, previous, isNew) {
  if (name === "key" || name === "ref") return;
  if (name.startsWith("on")) {
    el.__on ??= {};
    const event = name.slice(2);
    // One listener for the life of the element: it calls the newest handler.
    if (!(event in el.__on)) el.addEventListener(event, (e) => el.__on[event]?.(e));
    el.__on[event] = value;
  } else if (name === "style") {
    // Set property by property: the page's content security policy has no inline styles.
    for (const p in previous ?? {}) if (!(p in (value ?? {}))) el.style.removeProperty(p);
    for (const p in value ?? {}) if (value[p] !== previous?.[p]) el.style.setProperty(p, value[p]);
  } else if (name === "open") {
    if (isNew && value) el.setAttribute("open", ""); // afterwards the person opens and closes it
  } else if (value !== previous || isNew) {
    if (value === undefined || value === null || value === false) el.removeAttribute(name);
    else el.setAttribute(name, value === true ? "" : String(value));
  }
}
