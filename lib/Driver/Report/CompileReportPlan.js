
// The memory plan of `uma compile --report`: layers against offsets.

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
      const group = make(svg, "g", {class: "told tensor" + kind, role: "img",
        "aria-label": tensorLines(i).join("; "), style: "--color:" + colors[data.steps[tensor.first].target]});
      make(group, "rect", {x: x + 0.5, y, width: Math.max(1, w - 1), height: Math.max(1, h)});
      const label = h >= 14 && w >= 30 ? fitPart(tensor.name, w - 8, 11) : "";
      if (label) labels.push([x + 4, y + Math.min(h / 2 + 4, 15), label]);
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
  const legend = make(tools, "span", {class: "faint legend-text"});
  legend.textContent = "color: device that writes, dashed: only in one layer" + (data.overlaps.length ? ", hatched: in place" : "") +
    (bound !== arena ? ", dashed line: bound " + bytes(bound) : "");
  draw();
  new ResizeObserver(() => { if (frame.clientWidth !== observed) draw(); }).observe(frame);
}
