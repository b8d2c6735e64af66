
// The graph of `uma compile --report`: nodes and edges where the data has them,
// zoom, search, and an overview.

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
    const node = make(svg, "g", {class: "told node", transform: "translate(" + op.x + " " + op.y + ")", role: "img",
      "aria-label": operatorLines(i).join("; "), style: "--color:" + colors[op.target]});
    make(node, "rect", {width: w, height: h, rx: 4});
    make(node, "rect", {class: "tint", width: w, height: h, rx: 4});
    make(node, "rect", {class: "band", width: 6, height: h, rx: 2});
    make(node, "text", {x: 12, y: 15}, fitMiddle(op.name, w - 18, 12));
    make(node, "text", {x: 12, y: 29, class: "kind"}, fitMiddle(op.operator + " \u00b7 " + op.target, w - 18, 10.5));
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
    view.classList.toggle("whole", frame.scrollHeight <= frame.clientHeight && frame.scrollWidth <= frame.clientWidth);
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

  view.style.setProperty("--graph", height + 4 + "px");
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
