
// The table of layers of `uma compile --report`: sorting, and links to the graph
// and the plan. The last part, which starts all.

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
