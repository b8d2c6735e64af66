
// Helpers of the pages with scripts: numbers, elements, the tooltip, the keyboard, and sorted tables. A page starts with
// this file; texts of models only become text nodes.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
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

// ---- Tooltip

const tip = document.getElementById("tip");
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
addEventListener("pointerdown", (event) => { if (!event.target.closest(".told, tr")) hideTip(); });
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

// ---- Tables

// Sorts a table by its column heads, or by a list in `tools` on phones, where rows are cards without heads. Columns of
// numbers fall first, except `rising` ones. Returns a function that lists the rows as they stand.
function makeSortable(table, tools, rising = []) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const titles = heads.map((head) => head.firstChild.textContent.trim());
  let order = [...body.rows];
  const value = (row, c) => {
    const cell = row.cells[c];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  function sort(c, falls) {
    order = [...body.rows].sort((a, b) => {
      const x = value(a, c), y = value(b, c);
      const less = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en");
      return falls ? -less : less;
    });
    body.append(...order);
    heads.forEach((head, h) => {
      if (h === c) head.setAttribute("aria-sort", falls ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }
  const fallsFirst = (c) => heads[c].classList.contains("number") && !rising.includes(c);
  heads.forEach((head, c) => {
    const title = head.firstChild;
    const node = document.createElement("button");
    node.type = "button";
    node.append(title.cloneNode());
    head.replaceChild(node, title);
    node.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(c, now ? now === "ascending" : fallsFirst(c));
    });
  });
  heads[0].setAttribute("aria-sort", "ascending");
  tools.hidden = false;
  tools.classList.add("narrow");
  const select = make(make(tools, "label", {}, "Sort by "), "select");
  titles.forEach((title, c) => make(select, "option", {value: c}, title));
  select.addEventListener("change", () => sort(Number(select.value), fallsFirst(Number(select.value))));
  return () => order;
}
