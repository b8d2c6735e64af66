
// The script of `uma explore`, in four files that follow HTMLPage.js and make one: a scatter plot of the objectives, the
// chosen point with a slider for each attribute, and what bounds each model. All three show the chosen point, and choose
// another one. Texts of the results only become text nodes.
//
// This part: numbers, axes, colors, texts of the tooltip, and the choice of a point.

const points = data.points;
const objectives = data.objectives;
const attributes = data.attributes;
const isNumber = (value) => typeof value === "number";
const isDone = (point) => point.status === "done";
const byId = new Map(points.map((point, i) => [point.id, i]));

// A member of an object by a name of the user, which may be that of a member of all objects.
const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

// ---- Numbers

// All digits of an integer, six of another number.
const exact = (n) => (!isNumber(n) ? String(n) : Number.isInteger(n) ? (n < 0 ? "\u2212" : "") + count(Math.abs(n)) : String(Number(n.toPrecision(6))));

// A number for an axis whose ticks are `step` apart, or with three digits: "1.2 M".
function short(n, step = 0) {
  if (!isNumber(n)) return String(n);
  const size = Math.max(Math.abs(n), step);
  const [divisor, letter] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e4 ? [1e3, "k"] : [1, ""];
  const scaled = n / divisor;
  let digits = step ? Math.max(0, -Math.floor(Math.log10(step / divisor) + 1e-9)) : Math.abs(scaled) < 10 ? 2 : Math.abs(scaled) < 100 ? 1 : 0;
  if (!step && Number.isInteger(n) && divisor === 1) digits = 0;
  let text = scaled.toFixed(Math.min(digits, 8));
  if (text.includes(".")) text = text.replace(/0+$/, "").replace(/\.$/, "");
  return text.replace(/\B(?=(\d{3})+$)/g, text.includes(".") ? "" : "\u00a0").replace("-", "\u2212") + (letter && n !== 0 ? "\u00a0" + letter : "");
}

const share = (part, whole) => (100 * part / whole).toFixed(part / whole < 0.0995 ? 1 : 0) + "\u00a0%";

// ---- Axes

function niceTicks(low, high, most) {
  const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) * power;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + step * 1e-6; ++i) ticks.push({at: i * step, text: short(i * step, step)});
  return ticks;
}

function logTicks(low, high, most) {
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
      for (const factor of factors) {
        const at = factor * 10 ** power;
        if (at >= low * 0.999 && at <= high * 1.001) ticks.push({at, text: short(at)});
      }
    if (ticks.length < 2) break;
    if (ticks.length <= most + 1) return ticks;
  }
  return niceTicks(low, high, most);
}

// What an axis shows: a list for values that are no numbers, a logarithm where values differ by a lot, else from zero
// unless all values lie close to each other.
function axisKinds(values) {
  if (!values.every(isNumber)) return ["list"];
  const low = Math.min(...values), high = Math.max(...values);
  const linear = low > 0 && low > 0.25 * high ? ["fit", "zero"] : ["zero", "fit"];
  if (low <= 0) return linear;
  return high / low >= 8 ? ["log", ...linear] : [...linear, "log"];
}

// A scale from values to 0..1. `text` says what is not a plain axis from zero.
function makeScale(values, kind, most) {
  if (kind === "list") {
    const list = [...new Set(values)];
    const at = new Map(list.map((value, i) => [value, (i + 0.5) / list.length]));
    return {to: (value) => at.get(value), ticks: list.map((value) => ({at: value, text: String(value)})), text: ""};
  }
  let low = Math.min(...values), high = Math.max(...values);
  if (kind === "log") {
    const pad = low === high ? 2 : (high / low) ** 0.05;
    low /= pad;
    high *= pad;
    const width = Math.log(high / low);
    return {to: (value) => Math.log(value / low) / width, ticks: logTicks(low, high, most), text: "logarithmic"};
  }
  if (kind === "zero") {
    low = Math.min(0, low);
    high = Math.max(0, high);
  }
  const pad = low === high ? Math.max(1, Math.abs(low)) / 10 : (high - low) * 0.05;
  if (low !== 0) low -= pad;
  if (high !== 0 || low === 0) high += pad;
  const ticks = niceTicks(low, high, most);
  return {to: (value) => (value - low) / (high - low), ticks, text: low > 0 || high < 0 ? "does not start at zero" : ""};
}

// ---- Engines

// Colors by Okabe and Ito as for accelerators; gray where no engine is busy, or the CPU.
const engineColors = (() => {
  const colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b7a800", "#7b4fa3"];
  const grays = {latency: "#a8a8a8", cpu: "#6e6e6e", other: "#c8c8c8"};
  const names = new Set();
  for (const point of points) for (const model of point.models) for (const name of Object.keys(model.bound_cycles || {})) names.add(name);
  const engines = [...names].filter((name) => !own(grays, name)).sort();
  const result = new Map(engines.map((name, i) => [name, colors[i % colors.length]]));
  for (const name in grays) if (names.has(name) || name === "other") result.set(name, grays[name]);
  return result;
})();

// The cycles of a model by engine; those that nothing tells about are "other".
function parts(model) {
  const result = [...engineColors.keys()].map((engine) => ({engine, cycles: own(model.bound_cycles, engine) || 0}));
  const known = result.reduce((sum, part) => sum + part.cycles, 0);
  if (model.cycles > known) result.find((part) => part.engine === "other").cycles += model.cycles - known;
  return result.filter((part) => part.cycles > 0);
}

// A bar of the parts of a model, `width` of its place.
function drawBar(parent, model, width) {
  const bar = make(parent, "span", {class: "parts", style: "width:" + (100 * width).toFixed(2) + "%", "aria-hidden": "true"});
  const all = parts(model), total = all.reduce((sum, part) => sum + part.cycles, 0);
  for (const part of all)
    make(bar, "span", {style: "width:" + (100 * part.cycles / total).toFixed(2) + "%;background:" + engineColors.get(part.engine)});
  return bar;
}

function drawLegend(parent, models) {
  const meanings = {latency: ": no engine is busy for 80\u00a0% of the time", cpu: ": layers on the CPU", other: ": not told"};
  const used = new Set(models.flatMap((model) => parts(model).map((part) => part.engine)));
  const legend = make(parent, "ul", {class: "legend"});
  for (const [engine, color] of engineColors)
    if (used.has(engine)) make(make(legend, "li"), "span", {class: "dot", style: "background:" + color}).after(
      engine + (own(meanings, engine) || ""));
}

// ---- Points

const valueText = (attribute, value) => attribute.name + "\u00a0" + exact(value);
const attributeText = (point, without = []) =>
  attributes.filter((a) => !without.includes(a)).map((a) => valueText(a, point.attributes[a.name])).join(", ");

function pointLines(i) {
  const point = points[i];
  const lines = ["Point " + count(point.id) + (point.front ? ", on the Pareto front" : ""), attributeText(point)];
  if (!isDone(point)) return lines.concat("failed: " + point.reason);
  for (const objective of objectives) lines.push(objective + ": " + exact(point.objectives[objective]));
  return lines;
}

function modelLines(point, model) {
  const lines = [model.model + ", point " + count(point.id), attributeText(point)];
  if (model.status !== "done") return lines.concat("failed: " + model.reason);
  lines.push(exact(model.cycles) + " cycles");
  for (const part of parts(model)) lines.push(part.engine + ": " + exact(part.cycles) + " (" + share(part.cycles, model.cycles) + ")");
  return lines;
}

// The positions of the objectives' least values, and the start of the page: the first objective's.
const least = new Map(objectives.map((objective) => [objective, points.reduce((best, point, i) =>
  (isDone(point) && (best < 0 || point.objectives[objective] < points[best].objectives[objective]) ? i : best), -1)]));

let chosen = -1;
const views = [];    // functions that show the chosen point

function choose(i) {
  chosen = i;
  for (const view of views) view();
  for (const row of document.querySelectorAll("tr[data-point]")) {
    // A row of failures stands for all points with its reason.
    const why = row.querySelector(".why");
    const isIt = why ? !isDone(points[i]) && why.textContent === points[i].reason : Number(row.dataset.point) === points[i].id;
    row.classList.toggle("on", isIt);
    row.setAttribute("aria-current", isIt);
  }
}

// Where each attribute of a point stands in its list, from 0 to 1.
const place = points.map((point) => attributes.map((a) => a.values.indexOf(point.attributes[a.name]) / Math.max(1, a.values.length - 1)));

// The point nearest to `wanted`, places of the attributes; with the value of the attribute `fixed` if any point has it.
function nearest(wanted, fixed = -1) {
  let best = -1, least = Infinity;
  place.forEach((at, i) => {
    let distance = 0;
    at.forEach((x, a) => { distance += (x - wanted[a]) ** 2 * (a === fixed ? 1e6 : 1); });
    if (distance < least - 1e-12) [best, least] = [i, distance];
  });
  return best;
}

// Rows of a table choose their point, by the pointer and by the keyboard.
function linkRows(table, order) {
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  for (const row of rows) {
    const go = () => choose(byId.get(Number(row.dataset.point)));
    row.addEventListener("click", go);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); } });
  }
  rove(rows, (i, key) => {
    const now = order(), at = now.indexOf(rows[i]);
    const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: now.length - 1}[key];
    return now[next] ? rows.indexOf(now[next]) : undefined;
  });
}

// A list of choices with a name. Returns the element.
function choice(parent, name, options, value, changed) {
  const label = make(parent, "label", {class: "choice"});
  make(label, "span", {}, name);
  const select = make(label, "select");
  for (const [key, text] of options) make(select, "option", {value: key}, text);
  select.value = value;
  select.addEventListener("change", () => changed(select.value));
  return select;
}
