// What a page breaks of the rules of accessibility that a script can check. Evaluated in the page by browser.py; returns a list of sentences.
(() => {
  const problems = [];
  const say = (rule, el) => problems.push(`${rule}: ${describe(el)}`);
  const describe = (el) => `<${el.tagName.toLowerCase()}${el.id ? ` id="${el.id}"` : ""}${typeof el.className === "string" && el.className ? ` class="${el.className.trim()}"` : ""}> ${(el.textContent || "").trim().slice(0, 50)}`;
  const shown = (el) => el.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) && el.getClientRects().length > 0;

  const textOf = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  function nameOf(el) {
    const labelled = el.getAttribute("aria-labelledby");
    if (labelled) return textOf(labelled);
    if (el.getAttribute("aria-label")) return el.getAttribute("aria-label").trim();
    if (el.labels?.length) return [...el.labels].map((l) => l.textContent).join(" ").trim();
    if (el.tagName === "FIELDSET") return el.querySelector("legend")?.textContent.trim() ?? "";
    if (["INPUT", "SELECT", "TEXTAREA", "PROGRESS"].includes(el.tagName)) return el.title.trim();
    return (el.textContent || el.title || "").trim();
  }

  for (const el of document.querySelectorAll("a[href], button, input, select, textarea, summary, fieldset, progress, [tabindex='0'], [role=img], [role=log], [role=radiogroup], nav, form[aria-labelledby], table")) {
    if (!shown(el)) continue;
    const name = el.tagName === "TABLE" ? el.caption?.textContent ?? el.getAttribute("aria-label") ?? el.closest("[aria-label]")?.getAttribute("aria-label") : nameOf(el);
    if (!name) say("it has no name", el);
  }

  const ids = new Map();
  for (const el of document.querySelectorAll("[id]")) ids.set(el.id, (ids.get(el.id) ?? 0) + 1);
  for (const [id, n] of ids) if (n > 1) problems.push(`the id '${id}' is there ${n} times`);
  for (const attribute of ["aria-labelledby", "aria-describedby", "for", "list"]) {
    for (const el of document.querySelectorAll(`[${attribute}]`)) for (const id of el.getAttribute(attribute).split(/\s+/)) if (!ids.has(id)) say(`${attribute} names '${id}', which is not there`, el);
  }

  let before = 0;
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((el) => el.checkVisibility());
  for (const el of headings) {
    const level = Number(el.tagName[1]);
    if (level > before + 1) say(`a heading of level ${level} follows one of level ${before}`, el);
    before = level;
  }
  const first = headings.filter((el) => el.tagName === "H1").length;
  if (first !== 1) problems.push(`there are ${first} headings of level 1`);
  if (document.querySelectorAll("main").length !== 1) problems.push("there is not one main landmark");
  if (!document.title) problems.push("the page has no title");
  if (!document.documentElement.lang) problems.push("the page has no language");
  for (const el of document.querySelectorAll("[style]")) if (el.getAttribute("style") && !el.style.length) say("it has a style that does nothing", el);
  for (const el of document.querySelectorAll("[tabindex]")) if (el.tabIndex > 0) say("it has a tabindex above 0", el);
  for (const el of document.querySelectorAll("a[target=_blank]")) if (!/noopener/.test(el.rel)) say("it opens a page that can reach back", el);
  for (const el of document.querySelectorAll("a[href]")) if (!["http:", "https:"].includes(el.protocol)) say("its address is no web address", el);
  for (const el of document.querySelectorAll("button button, a button, button a, a a, label label")) say("a control is within a control", el);

  // Contrast. A canvas turns any CSS colour into numbers.
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const cache = new Map();
  function rgba(color) {
    if (!cache.has(color)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      cache.set(color, [r, g, b, a / 255]);
    }
    return cache.get(color);
  }
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  function background(el) {
    const layers = [];
    for (let at = el; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), rgba(getComputedStyle(document.body).backgroundColor));
  }
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const hidden = (el) => el.closest(".sr, [aria-hidden=true]:not(.avatar)");
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const el = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(el) || !shown(el) || hidden(el) || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(el.tagName)) continue;
    seen.add(el);
    const style = getComputedStyle(el), behind = background(el), size = parseFloat(style.fontSize);
    const needs = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = contrast(over(rgba(style.color), behind), behind);
    if (ratio < needs) say(`the contrast is ${ratio.toFixed(2)}, and has to be ${needs}`, el);
  }
  for (const el of document.querySelectorAll("input:not([type=radio], [type=checkbox]), select, textarea")) {
    if (!shown(el)) continue;
    const style = getComputedStyle(el), behind = background(el.parentElement);
    const ratio = contrast(over(rgba(style.borderTopColor), behind), behind);
    if (ratio < 3) say(`the contrast of its border is ${ratio.toFixed(2)}, and has to be 3`, el);
    const text = contrast(over(rgba(style.color), background(el)), background(el));
    if (text < 4.5) say(`the contrast of what is entered is ${text.toFixed(2)}`, el);
  }

  // Targets: 44 px where there is touch, but for links within a sentence.
  if (matchMedia("(pointer: coarse), (max-width: 760px)").matches) {
    for (const el of document.querySelectorAll("button, select, input, summary, nav a, a.button, a.row-link, a.session-row")) {
      if (!shown(el) || el.matches(".link")) continue;
      const box = (el.matches("input[type=radio], input[type=checkbox]") ? el.closest("label") ?? el : el).getBoundingClientRect();
      if (box.height < 43.5 || box.width < 43.5) say(`it is ${Math.round(box.width)} by ${Math.round(box.height)} px, and has to be 44 by 44`, el);
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) problems.push(`the page is ${wide} px wider than the window`);
  return problems;
})()
