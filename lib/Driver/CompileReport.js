
// The script of `uma compile --report`, in four files that make one. The graph
// and the memory plan are drawn and linked with the table of layers: what
// belongs to one layer is marked in all three. Texts of the model only become
// text nodes.
//
// This part: helpers, the texts of the tooltip, marks, and the keyboard.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const colors = JSON.parse(document.getElementById("colors").textContent);
const SVG = "http://www.w3.org/2000/svg";

// ---- Helpers

const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
const bytes = (n) => count(n) + (n === 1 ? " byte" : " bytes");
const plural = (n, word) => count(n) + " " + word + (n === 1 ? "" : "s");

function unit(n) {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let i = 0;
  for (; n >= 1024 && i + 1 < units.length; ++i) n /= 1024;
  return (Number.isInteger(n) ? n : n.toFixed(1)) + "\u00a0" + units[i];
}

function make(parent, name, attributes = {}, text = "") {
  const svg = parent instanceof SVGElement || name === "svg";
  const node = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text) node.textContent = text;
  parent.appendChild(node);
  return node;
}

function button(parent, text, label, action) {
  const node = make(parent, "button", {type: "button", "aria-label": label, title: label}, text);
  node.addEventListener("click", action);
  return node;
}

const ruler = document.createElement("canvas").getContext("2d");

// Shortens a text to a width in pixels: `cut(n)` leaves n characters.
function fit(text, width, size, cut) {
  ruler.font = size + "px " + getComputedStyle(document.body).fontFamily;
  const isFine = (shown) => ruler.measureText(shown).width <= width;
  if (isFine(text)) return text;
  let least = 0, most = text.length;
  while (least + 1 < most) {
    const middle = (least + most) >> 1;
    if (isFine(cut(middle))) least = middle;
    else most = middle;
  }
  return least < 3 ? "" : cut(least);
}

// Shortens a name in the middle: both ends tell layers apart.
const fitMiddle = (text, width, size) => fit(text, width, size, (n) => {
  const tail = Math.ceil(n * 0.6);
  return text.slice(0, n - tail) + "\u2026" + text.slice(text.length - tail);
});

// Shortens a name to the part that tells: the end of a path, the start of a word.
const fitPart = (text, width, size) => fit(text, width, size, (n) =>
  /[/.:]/.test(text) ? "\u2026" + text.slice(text.length - n) : text.slice(0, n) + "\u2026");

const stepName = (i) => count(i + 1) + " (" + data.steps[i].name + ")";

// ---- Texts of the tooltip

function operatorLines(i) {
  const op = data.operators[i];
  const lines = [op.name, op.operator + (op.operands.length ? ": " + op.operands.join(", ") : "") + " \u2192 " + op.results];
  if (op.macs) lines.push(count(op.macs) + " MACs");
  lines.push("runs on " + op.target + (op.pattern ? " by pattern " + op.pattern : ""));
  lines.push(op.step === null ? "needs no code" : "layer " + stepName(op.step) + " of the run");
  return lines.concat(op.reasons);
}

function tensorLines(i) {
  const tensor = data.tensors[i];
  const lines = [tensor.name, count(tensor.elements) + " x " + tensor.element + ", " + bytes(tensor.bytes),
    "offset " + count(tensor.offset) + " to " + count(tensor.offset + tensor.bytes)];
  if (tensor.first === tensor.last) lines.push("only in layer " + stepName(tensor.first));
  else lines.push("live from layer " + stepName(tensor.first) + " to " + stepName(tensor.last));
  for (const overlap of data.overlaps)
    if (overlap.tensors.includes(i)) {
      const other = overlap.tensors[0] === i ? overlap.tensors[1] : overlap.tensors[0];
      lines.push("shares " + bytes(overlap.bytes) + " with " + data.tensors[other].name + " in layer " + stepName(overlap.first));
    }
  return lines;
}

function stepLines(i) {
  const step = data.steps[i];
  const lines = ["layer " + stepName(i), "runs on " + step.target];
  if (step.layers.length > 1) lines.push("computes " + step.layers.join(", "));
  lines.push(bytes(step.used) + " of the arena in use");
  if (step.live !== step.used) lines.push(bytes(step.live) + " in live tensors, which overlap");
  return lines;
}

// ---- Tooltip and marks

const tip = document.getElementById("tip");
let marks = [];
// With the focus, the text follows its element when that scrolls into view.
let described = null;

function showTip(lines, x, y) {
  described = null;
  tip.replaceChildren();
  for (const line of lines) make(tip, "p", {}, line);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth - 8 ? x - 14 - box.width : x + 14;
  const top = y + 14 + box.height > innerHeight - 8 ? y - 14 - box.height : y + 14;
  tip.style.left = Math.max(8, Math.min(left, innerWidth - 8 - box.width)) + "px";
  tip.style.top = Math.max(8, top) + "px";
}

const hideTip = () => { tip.hidden = true; described = null; };

function showTipBelow(element, lines) {
  const box = element.getBoundingClientRect();
  showTip(lines, box.left + Math.min(box.width, 200) / 2, box.bottom - 10);
  described = () => showTipBelow(element, lines);
}

const nodes = [];    // of operators
const edges = [];    // of data.edges
const rects = [];    // of tensors
const rows = [];     // of steps
let moveCursor = () => {};

function mark(elements, step) {
  for (const node of marks) node.classList.remove("on");
  marks = elements.filter(Boolean);
  for (const node of marks) node.classList.add("on");
  moveCursor(step);
}

// What belongs to a step.
function markStep(i) {
  mark([rows[i], ...data.steps[i].operators.map((op) => nodes[op]), ...data.steps[i].tensors.map((t) => rects[t])], i);
}

function markOperator(i) {
  const step = data.operators[i].step;
  const near = edges.filter((edge, e) => data.edges[e].from === i || data.edges[e].to === i);
  mark([nodes[i], ...near].concat(step === null ? [] : [rows[step], ...data.steps[step].tensors.map((t) => rects[t])]), step);
}

function markTensor(i) {
  const tensor = data.tensors[i];
  mark([rects[i], rows[tensor.first], rows[tensor.last], ...data.steps[tensor.first].operators.map((op) => nodes[op])], null);
}

// Marks an element and shows its text under the pointer and with the focus.
function describe(element, i, lines, marker) {
  element.addEventListener("pointerenter", (event) => {
    marker(i);
    showTip(lines(i), event.clientX, event.clientY);
  });
  element.addEventListener("pointermove", (event) => showTip(lines(i), event.clientX, event.clientY));
  element.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hideTip(); });
  element.addEventListener("focus", () => {
    marker(i);
    if (element.matches(":focus-visible")) showTipBelow(element, lines(i));
  });
  element.addEventListener("blur", hideTip);
}

addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
addEventListener("pointerdown", (event) => { if (!event.target.closest(".node, .tensor, tr")) hideTip(); });
addEventListener("scroll", () => { if (described) described(); else hideTip(); }, {capture: true, passive: true});

// One stop of the Tab key for many elements, with arrow keys among them.
// `neighbor(i, key)` returns the next one or undefined.
function rove(elements, neighbor) {
  if (elements.length === 0) return;
  let current = 0;
  elements.forEach((element, i) => {
    element.setAttribute("tabindex", i ? -1 : 0);
    element.addEventListener("focus", () => {
      elements[current].setAttribute("tabindex", -1);
      element.setAttribute("tabindex", 0);
      current = i;
    });
    element.addEventListener("keydown", (event) => {
      const next = neighbor(i, event.key);
      if (next === undefined) return;
      event.preventDefault();
      elements[next].focus();
    });
  });
}
