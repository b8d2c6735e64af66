
// Draws the graph and the memory plan of `uma compile --report`, and links
// them with the table of layers: what belongs to one layer is marked in all
// three. Texts of the model only become text nodes.
"use strict";
(() => {
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

// Shortens a name in the middle: both ends tell layers apart.
function shorten(text, most) {
  if (text.length <= most) return text;
  if (most < 3) return "";
  const tail = Math.ceil((most - 1) * 0.6);
  return text.slice(0, most - 1 - tail) + "\u2026" + text.slice(text.length - tail);
}

// Shortens a name to the part that tells: the end of a path, the start of a word.
function shortenPlain(text, most) {
  if (text.length <= most) return text;
  return /[/.:]/.test(text) ? "\u2026" + text.slice(text.length - most + 1) : text.slice(0, most - 1) + "\u2026";
}

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

function showTip(lines, x, y) {
  tip.replaceChildren();
  for (const line of lines) make(tip, "p", {}, line);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth - 8 ? x - 14 - box.width : x + 14;
  const top = y + 14 + box.height > innerHeight - 8 ? y - 14 - box.height : y + 14;
  tip.style.left = Math.max(8, Math.min(left, innerWidth - 8 - box.width)) + "px";
  tip.style.top = Math.max(8, top) + "px";
}

const hideTip = () => { tip.hidden = true; };

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
    if (!element.matches(":focus-visible")) return;
    const box = element.getBoundingClientRect();
    showTip(lines(i), box.left + Math.min(box.width, 200) / 2, box.bottom - 10);
  });
  element.addEventListener("blur", hideTip);
}

addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
addEventListener("pointerdown", (event) => { if (!event.target.closest(".node, .tensor, tr")) hideTip(); });
addEventListener("scroll", hideTip, {capture: true, passive: true});

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

// ---- Graph

function drawGraph() {
  const section = document.getElementById("graph");
  const view = section.querySelector(".view");
  if (!view) return () => {};
  const {width, height, node_width: w, node_height: h} = data.graph;
  const frame = make(view, "div", {class: "frame"});
  const pad = 10;
  const svg = make(frame, "svg", {viewBox: [-pad, 0, width + 2 * pad, height].join(" "), role: "group",
    "aria-label": "Graph of " + plural(data.operators.length, "operator") + "; arrow keys go from one to the next"});
  for (const edge of data.edges) {
    const p = edge.points;
    let path = "M" + p[0] + " " + p[1];
    for (let i = 2; i < p.length; i += 2) {
      const middle = (p[i - 1] + p[i + 1]) / 2;
      path += p[i] === p[i - 2] ? "V" + p[i + 1] : "C" + [p[i - 2], middle, p[i], middle, p[i], p[i + 1]].join(" ");
    }
    edges.push(make(svg, "path", {class: "edge", d: path}));
  }
  data.operators.forEach((op, i) => {
    const node = make(svg, "g", {class: "node", transform: "translate(" + op.x + " " + op.y + ")", role: "img",
      "aria-label": operatorLines(i).join("; "), style: "--color:" + colors[op.target]});
    make(node, "rect", {width: w, height: h, rx: 4});
    make(node, "rect", {class: "tint", width: w, height: h, rx: 4});
    make(node, "rect", {class: "band", width: 6, height: h, rx: 2});
    make(node, "text", {x: 12, y: 15}, shorten(op.name, 24));
    make(node, "text", {x: 12, y: 29, class: "kind"}, shorten(op.operator + " \u00b7 " + op.target, 28));
    nodes.push(node);
    describe(node, i, operatorLines, markOperator);
  });
  const byFrom = data.operators.map(() => []), byTo = data.operators.map(() => []);
  for (const edge of data.edges) {
    byFrom[edge.from].push(edge.to);
    byTo[edge.to].push(edge.from);
  }
  rove(nodes, (i, key) => {
    const row = () => data.operators.map((op, j) => j).filter((j) => data.operators[j].y === data.operators[i].y)
      .sort((a, b) => data.operators[a].x - data.operators[b].x);
    switch (key) {
    case "ArrowDown": return byFrom[i][0];
    case "ArrowUp": return byTo[i][0];
    case "ArrowLeft": return row()[row().indexOf(i) - 1];
    case "ArrowRight": return row()[row().indexOf(i) + 1];
    case "Home": return 0;
    case "End": return nodes.length - 1;
    }
  });

  let scale = 1;
  function zoom(to) {
    const x = (frame.scrollLeft + frame.clientWidth / 2) / scale, y = (frame.scrollTop + frame.clientHeight / 2) / scale;
    scale = Math.min(2, Math.max(0.05, to));
    svg.setAttribute("width", (width + 2 * pad) * scale);
    svg.setAttribute("height", height * scale);
    frame.scrollTo({left: x * scale - frame.clientWidth / 2, top: y * scale - frame.clientHeight / 2, behavior: "instant"});
  }
  const tools = section.querySelector(".tools");
  tools.hidden = false;
  button(tools, "\u2212", "Smaller", () => zoom(scale / 1.3));
  button(tools, "+", "Larger", () => zoom(scale * 1.3));
  button(tools, "Width", "Fit the width", () => zoom(frame.clientWidth / (width + 2 * pad)));
  button(tools, "All", "Fit all", () => zoom(Math.min(frame.clientWidth / (width + 2 * pad), frame.clientHeight / height)));
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 300));
  }, {passive: false});

  // Moves a node to the middle.
  function reveal(i) {
    const op = data.operators[i];
    frame.scrollTo({left: (op.x + pad + w / 2) * scale - frame.clientWidth / 2, top: (op.y + h / 2) * scale - frame.clientHeight / 2});
  }
  const find = make(tools, "input", {type: "search", placeholder: "Find a layer or operator", "aria-label": "Find a layer or operator"});
  const found = make(tools, "span", {class: "faint", role: "status"});
  let hits = [], hit = 0;
  const show = () => {
    found.textContent = find.value ? (hits.length ? hit + 1 + " of " + hits.length : "none") : "";
    if (!hits.length) return;
    reveal(hits[hit]);
    markOperator(hits[hit]);
  };
  find.addEventListener("input", () => {
    const text = find.value.toLowerCase();
    hits = text ? [...nodes.keys()].filter((i) => (data.operators[i].name + " " + data.operators[i].operator).toLowerCase().includes(text)) : [];
    hit = 0;
    show();
  });
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !hits.length) return;
    hit = (hit + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
    show();
  });

  drawOverview(view, frame);
  zoom(Math.min(1, Math.max(0.6, frame.clientWidth / (width + 2 * pad))));
  const first = data.operators[0];
  frame.scrollTo({left: (first.x + pad + w / 2) * scale - frame.clientWidth / 2, top: 0, behavior: "instant"});
  return reveal;
}

// The whole graph in a narrow strip, where a press scrolls to the place.
function drawOverview(view, frame) {
  const {width, height, node_width: w, node_height: h} = data.graph;
  const canvas = make(view, "canvas", {class: "overview", "aria-hidden": "true"});
  function draw() {
    const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    const context = canvas.getContext("2d");
    const x = canvas.width / width, y = canvas.height / height;
    for (const op of data.operators) {
      context.fillStyle = colors[op.target];
      context.fillRect(op.x * x, op.y * y, Math.max(2, w * x), Math.max(1, h * y - 0.5));
    }
    const whole = {x: canvas.width / frame.scrollWidth, y: canvas.height / frame.scrollHeight};
    context.strokeStyle = getComputedStyle(view).color;
    context.lineWidth = 2 * ratio;
    context.strokeRect(frame.scrollLeft * whole.x + ratio, frame.scrollTop * whole.y + ratio,
      frame.clientWidth * whole.x - 2 * ratio, frame.clientHeight * whole.y - 2 * ratio);
  }
  let waits = false;
  const later = () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; draw(); });
  };
  frame.addEventListener("scroll", later, {passive: true});
  new ResizeObserver(later).observe(frame);
  new ResizeObserver(later).observe(frame.firstChild);
  const go = (event) => {
    if (!(event.buttons & 1)) return;
    const box = canvas.getBoundingClientRect();
    frame.scrollTo({left: (event.clientX - box.left) / box.width * frame.scrollWidth - frame.clientWidth / 2,
      top: (event.clientY - box.top) / box.height * frame.scrollHeight - frame.clientHeight / 2, behavior: "instant"});
  };
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); go(event); });
  canvas.addEventListener("pointermove", go);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);
}

// ---- Memory plan

function drawPlan() {
  const section = document.getElementById("plan");
  const view = section.querySelector(".view");
  if (!view) return;
  const {arena, bound, peak} = data.memory;
  const top = Math.max(arena, bound, 1), numSteps = data.steps.length;
  const narrow = matchMedia("(max-width: 48em)").matches;
  const planHeight = narrow ? 150 : 220, head = 18, useHeight = 36, gap = 10, foot = 16;
  const height = head + planHeight + gap + useHeight + foot, axisWidth = 76;
  const toY = (offset) => head + planHeight * (1 - offset / top);
  const useY = (n) => head + planHeight + gap + useHeight * (1 - n / top);

  const axis = make(view, "svg", {class: "axis", width: axisWidth, height, "aria-hidden": "true"});
  let tick = 1;
  while (top / tick > 5) tick *= 2;
  const ticks = [];
  for (let at = 0; at <= top; at += tick) ticks.push(at);
  for (const at of ticks)
    if (at === 0 || Math.abs(toY(at) - toY(arena)) > 13)
      make(axis, "text", {x: axisWidth - 6, y: toY(at) + 4, "text-anchor": "end"}, at ? unit(at) : "0");
  make(axis, "text", {x: axisWidth - 6, y: toY(arena) + 4, "text-anchor": "end"}, unit(arena));
  make(axis, "text", {x: axisWidth - 6, y: useY(0) - useHeight / 2 + 4, "text-anchor": "end"}, "in use");
  make(axis, "text", {x: axisWidth - 6, y: height - 4, "text-anchor": "end"}, "layer");

  const frame = make(view, "div", {class: "frame"});
  const tools = section.querySelector(".tools");
  tools.hidden = false;
  let perStep = 0;
  let observed = 0;

  function draw() {
    frame.replaceChildren();
    rects.length = 0;
    observed = frame.clientWidth;
    const step = Math.max(perStep, (frame.clientWidth - 2) / numSteps), width = step * numSteps;
    const svg = make(frame, "svg", {width, height, role: "group",
      "aria-label": "Memory plan: " + plural(data.tensors.length, "tensor") + " in an arena of " + bytes(arena) + "; arrow keys go from one to the next"});
    const pattern = make(make(svg, "defs"), "pattern", {id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"});
    make(pattern, "rect", {width: 1.6, height: 6, style: "fill: var(--hatch)"});
    for (const at of ticks) make(svg, "line", {class: "grid", x1: 0, x2: width, y1: toY(at), y2: toY(at)});
    make(svg, "rect", {class: "peak", x: peak * step, width: step, y: head, height: planHeight + gap + useHeight});
    const cursor = make(svg, "rect", {class: "cursor", width: step, y: head, height: planHeight + gap + useHeight, visibility: "hidden"});
    const labels = [];
    data.tensors.forEach((tensor, i) => {
      const x = tensor.first * step, w = (tensor.last - tensor.first + 1) * step;
      const y = toY(tensor.offset + tensor.bytes), h = toY(tensor.offset) - y;
      const kind = h < 4 || w < 4 ? " thin" : tensor.first === tensor.last ? " scratch" : "";
      const group = make(svg, "g", {class: "tensor" + kind, role: "img",
        "aria-label": tensorLines(i).join("; "), style: "--color:" + colors[data.steps[tensor.first].target]});
      make(group, "rect", {x: x + 0.5, y, width: Math.max(1, w - 1), height: Math.max(1, h)});
      const most = Math.floor((w - 8) / 6.4);
      if (h >= 14 && most >= 4) labels.push([x + 4, y + Math.min(h / 2 + 4, 15), shortenPlain(tensor.name, most)]);
      rects.push(group);
      describe(group, i, tensorLines, markTensor);
    });
    for (const overlap of data.overlaps)
      make(svg, "rect", {class: "overlap", x: overlap.first * step, width: (overlap.last - overlap.first + 1) * step,
        y: toY(overlap.offset + overlap.bytes), height: Math.max(1, toY(overlap.offset) - toY(overlap.offset + overlap.bytes))});
    for (const [x, y, text] of labels) make(svg, "text", {class: "label", x, y}, text);
    make(svg, "line", {class: "limit", x1: 0, x2: width, y1: toY(arena), y2: toY(arena)});
    if (bound !== arena) make(svg, "line", {class: "bound", x1: 0, x2: width, y1: toY(bound), y2: toY(bound)});
    const atEnd = peak * step > width - 160;
    make(svg, "text", {class: "peak-name", x: atEnd ? (peak + 1) * step : peak * step, y: head - 6, "text-anchor": atEnd ? "end" : "start"},
      "peak " + unit(data.steps[peak].used));
    let path = "M0 " + useY(0);
    data.steps.forEach((s, i) => { path += "L" + i * step + " " + useY(s.used) + "H" + (i + 1) * step; });
    make(svg, "path", {class: "used", d: path + "V" + useY(0) + "Z"});
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((n) => n * step >= 34) || 10000;
    for (let i = 0; i < numSteps; i += 1)
      if ((i + 1) % every === 0 || (i === 0 && every > 1 && step * every >= 34))
        make(svg, "text", {x: Math.min((i + 0.5) * step, width - 1), y: height - 4,
          "text-anchor": (i + 0.5) * step > width - 14 ? "end" : (i + 0.5) * step < 14 ? "start" : "middle"}, String(i + 1));
    // Between the tensors, the layer under the pointer.
    svg.addEventListener("pointermove", (event) => {
      if (event.target.closest(".tensor")) return;
      const i = Math.min(numSteps - 1, Math.max(0, Math.floor((event.clientX - svg.getBoundingClientRect().left) / step)));
      markStep(i);
      showTip(stepLines(i), event.clientX, event.clientY);
    });
    svg.addEventListener("pointerleave", hideTip);
    rove(rects, (i, key) => {
      const next = {ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: rects.length - 1}[key];
      return rects[next] ? next : undefined;
    });
    moveCursor = (i) => {
      const shown = i !== null && i !== undefined;
      cursor.setAttribute("visibility", shown ? "visible" : "hidden");
      if (shown) cursor.setAttribute("x", i * step);
    };
  }
  function zoom(factor) {
    const fit = (frame.clientWidth - 2) / numSteps, before = Math.max(perStep, fit);
    const middle = (frame.scrollLeft + frame.clientWidth / 2) / before;
    perStep = factor ? Math.min(160, Math.max(fit, before * factor)) : 0;
    draw();
    frame.scrollTo({left: middle * Math.max(perStep, fit) - frame.clientWidth / 2, behavior: "instant"});
  }
  button(tools, "\u2212", "Narrower", () => zoom(1 / 1.5));
  button(tools, "+", "Wider", () => zoom(1.5));
  button(tools, "Width", "Fit the width", () => zoom(0));
  const legend = make(tools, "span", {class: "faint"});
  legend.textContent = "color: device that writes, dashed: only in one layer" + (data.overlaps.length ? ", hatched: in place" : "") +
    (bound !== arena ? ", dashed line: bound " + bytes(bound) : "");
  draw();
  new ResizeObserver(() => { if (frame.clientWidth !== observed) draw(); }).observe(frame);
}

// ---- Table of layers

function linkTable(reveal) {
  const table = document.querySelector(".layers");
  if (!table) return;
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const titles = heads.map((head) => head.firstChild.textContent.trim());
  for (const row of body.rows) {
    rows.push(row);
    [...row.cells].forEach((cell, c) => { if (cell.textContent && c >= 4) cell.dataset.label = titles[c] + ":"; });
  }
  rows.forEach((row, i) => {
    if (data.steps[i].layers.length > 1) row.cells[1].title = data.steps[i].layers.join(", ");
    row.addEventListener("pointerenter", () => markStep(i));
    row.addEventListener("focus", () => markStep(i));
    row.addEventListener("click", () => { if (data.steps[i].operators.length) reveal(data.steps[i].operators[0]); });
  });
  let order = [...rows];
  rove(rows, (i, key) => {
    const at = order.indexOf(rows[i]);
    const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1}[key];
    return order[next] ? rows.indexOf(order[next]) : undefined;
  });
  const value = (row, c) => {
    const cell = row.cells[c];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  function sort(c, falls) {
    order = [...rows].sort((a, b) => {
      const x = value(a, c), y = value(b, c);
      const less = typeof x === "number" ? x - y : x.localeCompare(y, "en");
      return falls ? -less : less;
    });
    body.append(...order);
    heads.forEach((head, h) => {
      if (h === c) head.setAttribute("aria-sort", falls ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }
  heads.forEach((head, c) => {
    const title = head.firstChild;
    const node = document.createElement("button");
    node.type = "button";
    node.append(title.cloneNode());
    head.replaceChild(node, title);
    // Numbers fall first, except the order of the run.
    node.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(c, now ? now === "ascending" : head.classList.contains("number") && c > 0);
    });
  });
  heads[0].setAttribute("aria-sort", "ascending");
  const tools = document.querySelector("#layers .tools");
  tools.hidden = false;
  tools.classList.add("narrow");
  const select = make(make(tools, "label", {}, "Sort by "), "select");
  titles.forEach((title, c) => make(select, "option", {value: c}, c ? title : "order of the run"));
  select.addEventListener("change", () => sort(Number(select.value), heads[select.value].classList.contains("number") && select.value > 0));
}

const reveal = drawGraph();
drawPlan();
linkTable(reveal);
})();
