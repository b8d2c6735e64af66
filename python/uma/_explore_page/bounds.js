
// What bounds each model of `uma explore` over two attributes: a table for each model, with a bar in each cell. The last part,
// which starts all.

function drawBounds() {
  const section = document.getElementById("bounds"), view = section.querySelector(".view"), tools = section.querySelector(".tools");
  if (!attributes.length) {
    section.hidden = true;
    return;
  }
  // Attributes of several values first.
  const several = [...attributes.keys()].filter((a) => attributes[a].values.length > 1);
  const start = several.length ? several : [0];
  let across = start[0], down = start.length > 1 ? start[1] : -1;
  let others = data.search.kind === "grid" ? "same" : "best";
  tools.hidden = false;
  const names = attributes.map((attribute, a) => [a, attribute.name]);
  // Two attributes differ: the other list takes the old value.
  const selects = [choice(tools, "Across", names, across, (value) => {
    if (Number(value) === down) selects[1].value = down = across;
    across = Number(value);
    draw();
  })];
  if (attributes.length > 1)
    selects.push(choice(tools, "Down", names, down >= 0 ? down : (down = across ? 0 : 1), (value) => {
      if (Number(value) === across) selects[0].value = across = down;
      down = Number(value);
      draw();
    }));
  if (attributes.length > 2)
    choice(tools, "Others", [["same", "as in the chosen point"], ["best", "the fastest of all"]], others, (value) => {
      others = value;
      draw();
    });
  const note = make(view, "p", {class: "faint note"});
  const grids = make(view, "div", {class: "grids"});
  let cells = [];

  // The point of a cell for a model, or undefined.
  function lookUp(column, row, m) {
    let best;
    points.forEach((point, i) => {
      for (let a = 0; a < attributes.length; ++a) {
        const value = a === across ? column : a === down ? row : others === "same" ? points[chosen].attributes[attributes[a].name] : undefined;
        if (value !== undefined && point.attributes[attributes[a].name] !== value) return;
      }
      if (best === undefined || rank(point, m) < rank(points[best], m)) best = i;
    });
    return best;
  }
  const rank = (point, m) => (point.models[m].status === "done" ? point.models[m].cycles : Infinity);

  function draw() {
    grids.replaceChildren();
    const rest = attributes.filter((_, a) => a !== across && a !== down);
    note.textContent = "The length of a bar is the cycles of the model, from zero to the most in its table. " + (!rest.length ? "" : others === "same" ?
      "Other attributes as in the chosen point: " + rest.map((a) => valueText(a, points[chosen].attributes[a.name])).join(", ") + "." :
      "Other attributes: those of the point with the fewest cycles of the model.");
    cells = [];
    const rows = down >= 0 ? attributes[down].values : [undefined];
    data.models.forEach((model, m) => drawGrid(model, m, rows));
    drawLegend(grids, points.flatMap((point) => point.models));
  }

  function drawGrid(model, m, rows) {
    const columns = attributes[across].values;
    const found = rows.map((row) => columns.map((column) => lookUp(column, row, m)));
    const most = Math.max(0, ...found.flat().map((i) => (i === undefined || points[i].models[m].status !== "done" ? 0 : points[i].models[m].cycles)));
    // Tables of many columns take the whole width, and scroll on phones.
    const figure = make(grids, "figure", {class: columns.length > 8 ? "whole" : ""});
    make(figure, "figcaption", {}, model.name);
    const table = make(make(figure, "div", {class: "wide"}), "table", {class: "grid", style: "--columns:" + columns.length});
    const top = make(make(table, "thead"), "tr");
    if (down >= 0) make(top, "th", {class: "corner", rowspan: 2, scope: "col"}, attributes[down].name + "\u00a0\u2193");
    make(top, "th", {colspan: columns.length, scope: "colgroup"}, attributes[across].name + "\u00a0\u2192");
    const head = make(table.tHead, "tr");
    for (const column of columns) make(head, "th", {scope: "col"}, exact(column));
    const body = make(table, "tbody"), own = [];
    rows.forEach((row, r) => {
      const line = make(body, "tr");
      if (down >= 0) make(line, "th", {scope: "row"}, exact(row));
      columns.forEach((column, c) => own.push(drawCell(make(line, "td"), found[r][c], m, most)));
    });
    rove(own.map(({node}) => node), (i, key) => {
      const r = Math.floor(i / columns.length), c = i % columns.length;
      switch (key) {
      case "ArrowRight": return c + 1 < columns.length ? i + 1 : undefined;
      case "ArrowLeft": return c > 0 ? i - 1 : undefined;
      case "ArrowDown": return r + 1 < rows.length ? i + columns.length : undefined;
      case "ArrowUp": return r > 0 ? i - columns.length : undefined;
      }
    });
  }

  function drawCell(node, i, m, most) {
    const point = points[i], model = point && point.models[m];
    const cell = {node, i};
    cells.push(cell);
    node.className = "told cell";
    if (!point) {
      node.textContent = "\u2013";
      describe(node, 0, () => ["not evaluated"], () => {});
      return cell;
    }
    const isFine = model.status === "done";
    if (!isFine) node.classList.add("fails");
    make(node, "span", {}, isFine ? short(model.cycles) : "fails");
    if (isFine && most > 0) drawBar(node, model, model.cycles / most);
    node.classList.toggle("on", i === chosen);
    describe(node, i, () => modelLines(point, model), () => {});
    const go = () => {
      const at = cells.indexOf(cell);
      choose(i);
      // The tables are drawn anew if another point changes the attributes that they do not show.
      if (cells[at] && document.activeElement !== cells[at].node) cells[at].node.focus({preventScroll: true});
    };
    node.addEventListener("click", go);
    node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); } });
    return cell;
  }

  let fixed = "";
  views.push(() => {
    // Only other values of the attributes that are not shown change the tables.
    const now = others === "same" ? attributes.map((a, i) => (i === across || i === down ? "" : String(points[chosen].attributes[a.name]))).join("\n") : "all";
    if (now !== fixed || !cells.length) draw();
    fixed = now;
    for (const cell of cells) cell.node.classList.toggle("on", cell.i === chosen);
  });
}

if (points.length) {
  drawPlot();
  drawPoint();
  drawBounds();
  const table = document.querySelector(".front");
  if (table) {
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, c) => { if (c) cell.dataset.label = heads[c] + ":"; });
    const order = makeSortable(table, document.querySelector("#table .tools"), [...heads.keys()]);
    linkRows(table, order);
  }
  const reasons = document.querySelector(".reasons");
  linkRows(reasons, () => [...reasons.tBodies[0].rows]);
  const first = objectives.length ? least.get(objectives[0]) : -1;
  choose(first >= 0 ? first : 0);
}
