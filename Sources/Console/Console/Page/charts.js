// Small charts as SVG, drawn by hand. Each has a text alternative: what it shows, in a sentence.
import { h } from "./dom.js";
import { rate } from "./format.js";

/** A round upper end of an axis, so that the scale does not jump with each value. Its half is written with one decimal at most. */
export function niceMax(value) {
  if (!(value > 0.2)) return value > 0 ? 0.2 : 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factors = power < 1 ? [2, 4, 6, 8] : [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8];
  for (const factor of factors) if (value <= factor * power) return Number((factor * power).toPrecision(2));
  return 10 * power;
}

/** The points of a line through `values`, the newest at the right end. `span` values fill the width. Gaps (null) interrupt it: each part is an array. */
function parts(values, { width, height, max, span = values.length }) {
  const step = span > 1 ? width / (span - 1) : 0;
  const start = width - (values.length - 1) * step;
  const all = [];
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const point = [(start + i * step).toFixed(1), (height - (Math.min(value, max) / max) * height).toFixed(1)];
    if (i > 0 && Number.isFinite(values[i - 1])) all.at(-1).push(point);
    else all.push([point]);
  });
  return all;
}

const path = (points) => `M${points.map((point) => point.join(" ")).join("L")}`;

/** The path of such a line. */
export const linePath = (values, box) => parts(values, box).map(path).join("");

/** The area under such a line. */
export const areaPath = (values, box) => parts(values, box).map((points) => `${path(points)}L${points.at(-1)[0]} ${box.height}L${points[0][0]} ${box.height}Z`).join("");

/** A series in a sentence. */
export function seriesText(title, values, unit = "a second") {
  const known = values.filter(Number.isFinite);
  if (!known.length) return `${title}: nothing yet.`;
  const end = known[known.length - 1];
  return `${title}: ${rate(end)} ${unit} now, between ${rate(Math.min(...known))} and ${rate(Math.max(...known))} in the time that is shown.`;
}

/** A line without axes. */
export function spark(values, { label, span = 60, max, tone = "" } = {}) {
  const box = { width: 100, height: 24, span, max: max ?? niceMax(Math.max(0, ...values.filter(Number.isFinite))) };
  return h("svg", { class: `spark ${tone}`, viewBox: "0 -1 100 26", preserveAspectRatio: "none", role: "img", "aria-label": label },
    h("path", { class: "spark-area", d: areaPath(values, box) }),
    h("path", { class: "spark-line", d: linePath(values, box) }));
}

/** Lines on one scale, with a grid, the scale's numbers and a legend. `series`: `[{title, values, tone}]`. */
export function lineChart({ title, series, span, unit, every }) {
  const all = series.flatMap((s) => s.values).filter(Number.isFinite);
  const max = niceMax(Math.max(0, ...all));
  const box = { width: 600, height: 160, span, max };
  const lines = [0, 0.5, 1];
  return h("figure", { class: "chart" },
    h("figcaption", { class: "chart-head" },
      h("span", { class: "chart-title" }, title),
      h("span", { class: "legend" }, series.map((s) => h("span", { class: `legend-item ${s.tone}` },
        h("span", { class: "swatch", "aria-hidden": "true" }), `${s.title} `, h("b", {}, rate(s.values.at(-1))))))),
    h("div", { class: "plot" },
      h("svg", { viewBox: "0 0 600 160", preserveAspectRatio: "none", role: "img", "aria-label": series.map((s) => seriesText(s.title, s.values, unit)).join(" ") },
        lines.map((l) => h("line", { class: "grid", x1: 0, x2: 600, y1: 160 * l, y2: 160 * l })),
        series.map((s, i) => i === 0 && h("path", { key: "area", class: `area ${s.tone}`, d: areaPath(s.values, box) })),
        series.map((s) => h("path", { key: s.title, class: `line ${s.tone}`, d: linePath(s.values, box) }))),
      h("div", { class: "scale", "aria-hidden": "true" }, [1, 0.5, 0].map((l) => h("span", {}, rate(max * l))))),
    h("div", { class: "axis", "aria-hidden": "true" }, every.map((text) => h("span", {}, text))));
}

/** One bar that is divided. `parts`: `[{title, value, tone}]`. */
export function stack(parts, label) {
  const total = parts.reduce((sum, p) => sum + p.value, 0);
  const text = total ? parts.filter((p) => p.value).map((p) => `${p.title} ${p.value}`).join(", ") : "none";
  return h("div", { class: "stack", role: "img", "aria-label": `${label}: ${text}` },
    parts.map((p) => p.value > 0 && h("span", { key: p.title, class: `stack-part ${p.tone}`, style: { "flex-grow": String(p.value) } })));
}
