
// The table of layers of `uma compile --report`, linked with the graph and the plan. The last part, which starts all.

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
  const order = makeSortable(table, document.querySelector("#layers .tools"), [0]);
  document.querySelector("#layers option").textContent = "order of the run";
  rove(rows, (i, key) => {
    const at = order().indexOf(rows[i]);
    const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1}[key];
    return order()[next] ? rows.indexOf(order()[next]) : undefined;
  });
}

const reveal = drawGraph();
drawPlan();
linkTable(reveal);
