
// The scatter plot of `uma explore`: two objectives, or an objective against an attribute.

function drawPlot() {
  const section = document.getElementById("plot"), view = section.querySelector(".view"), tools = section.querySelector(".tools");
  const shown = [...points.keys()].filter((i) => isDone(points[i]));
  if (!shown.length) {
    make(view, "p", {class: "faint"}, "No point holds all models, so there are no objectives to draw.");
    return;
  }
  const columns = [...objectives.map((name) => ({name, get: (point) => point.objectives[name], isObjective: true})),
    // A device may have an attribute of the same name.
    ...attributes.map((a) => ({name: a.name + (objectives.includes(a.name) ? " (attribute)" : ""), get: (point) => point.attributes[a.name]}))];
  const axes = {x: {}, y: {}};
  tools.hidden = false;
  const kindNames = {log: "logarithmic", zero: "from zero", fit: "fitted", list: "list"};
  function setColumn(axis, column) {
    axis.column = columns[column];
    axis.values = shown.map((i) => axis.column.get(points[i]));
    const kinds = axisKinds(axis.values);
    axis.kind = kinds[0];
    axis.kinds.replaceChildren(...["log", "zero", "fit", "list"].filter((kind) => kinds.includes(kind)).map((kind) => new Option(kindNames[kind], kind)));
    axis.kinds.value = axis.kind;
  }
  for (const [name, axis, start] of [["Across", axes.x, objectives.length > 1 ? 1 : objectives.length], ["Up", axes.y, 0]]) {
    const group = make(tools, "span", {class: "group"});
    const select = choice(group, name, columns.map((column, i) => [i, column.name]), Math.min(start, columns.length - 1), (value) => {
      setColumn(axis, value);
      draw();
    });
    axis.kinds = make(group, "select", {"aria-label": name + ": kind of the axis"});
    axis.kinds.addEventListener("change", () => { axis.kind = axis.kinds.value; draw(); });
    setColumn(axis, select.value);
  }
  const frame = make(view, "div", {class: "frame"});
  const legend = make(view, "ul", {class: "legend"});
  const failures = points.length - shown.length;
  let dots = [], spots = [], ring = null, width = 0;

  function draw() {
    width = frame.clientWidth;
    const height = Math.round(Math.max(260, Math.min(420, width * 0.72)));
    frame.replaceChildren();
    const svg = make(frame, "svg", {class: "told", width, height, role: "group", "aria-label": "Plot of " + axes.y.column.name + " against " +
      axes.x.column.name + " with " + plural(shown.length, "point") + "; arrow keys go from one to the next, Enter chooses it"});
    const y = makeScale(axes.y.values, axes.y.kind, 6);
    ruler.font = "11px " + getComputedStyle(document.body).fontFamily;
    const left = Math.min(width / 3, Math.max(...y.ticks.map((tick) => ruler.measureText(tick.text).width)) + 12), right = 14, top = 24, bottom = 42;
    const x = makeScale(axes.x.values, axes.x.kind, Math.max(2, Math.floor((width - left - right) / 75)));
    const toX = (value) => left + x.to(value) * (width - left - right), toY = (value) => height - bottom - y.to(value) * (height - top - bottom);

    for (const tick of y.ticks) {
      make(svg, "path", {class: "grid", d: "M" + left + " " + toY(tick.at) + "H" + (width - right)});
      make(svg, "text", {x: left - 6, y: toY(tick.at) + 4, "text-anchor": "end"}, fitPart(tick.text, left - 8, 11));
    }
    let free = -Infinity;
    for (const tick of x.ticks) {
      make(svg, "path", {class: "grid", d: "M" + toX(tick.at) + " " + top + "V" + (height - bottom)});
      const half = ruler.measureText(tick.text).width / 2, middle = Math.min(toX(tick.at), width - half - 1);
      if (middle - half < free + 6) continue;
      make(svg, "text", {x: middle, y: height - bottom + 15, "text-anchor": "middle"}, tick.text);
      free = middle + half;
    }
    make(svg, "path", {class: "axis", d: "M" + left + " " + top + "V" + (height - bottom) + "H" + (width - right)});
    const title = (axis, scale) => axis.column.name + (scale.text ? " (" + scale.text + ")" : "");
    make(svg, "text", {class: "title", x: 2, y: 14}, fitMiddle("\u2191 " + title(axes.y, y), width - 4, 12));
    make(svg, "text", {class: "title", x: width - right, y: height - 6, "text-anchor": "end"}, fitMiddle(title(axes.x, x) + " \u2192", width - right - 4, 12));

    const hasSteps = drawSteps(svg, toX, toY, {left, right: width - right, top, bottom: height - bottom});
    spots = shown.map((i) => ({i, x: toX(axes.x.column.get(points[i])), y: toY(axes.y.column.get(points[i]))}));
    // The front lies over the others, and the keyboard goes from left to right.
    const elements = new Map();
    for (const isFront of [false, true])
      for (const spot of spots)
        if (Boolean(points[spot.i].front) === isFront)
          elements.set(spot, make(svg, "circle", {class: isFront ? "dot-front" : "dot", cx: spot.x.toFixed(1), cy: spot.y.toFixed(1), r: isFront ? 5 : 3.5,
            role: "img", "aria-label": pointLines(spot.i).join("; ")}));
    ring = make(svg, "circle", {class: "ring", r: 9});
    spots.sort((a, b) => a.x - b.x || b.y - a.y || a.i - b.i);
    dots = spots.map((spot) => elements.get(spot));
    dots.forEach((dot, d) => {
      dot.addEventListener("focus", () => { if (dot.matches(":focus-visible")) showTipBelow(dot, spotLines(spots[d])); });
      dot.addEventListener("blur", hideTip);
      dot.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(spots[d].i);
      });
    });
    const fronts = spots.map((spot, d) => d).filter((d) => points[spots[d].i].front);
    rove(dots, (d, key) => {
      switch (key) {
      case "ArrowRight": return d + 1 < dots.length ? d + 1 : undefined;
      case "ArrowLeft": return d > 0 ? d - 1 : undefined;
      case "ArrowDown": return fronts.find((f) => f > d);
      case "ArrowUp": return fronts.filter((f) => f < d).pop();
      case "Home": return 0;
      case "End": return dots.length - 1;
      }
    });
    const under = (event, reach) => {
      const box = svg.getBoundingClientRect();
      let best = null, least = reach;
      for (const spot of spots) {
        const distance = Math.hypot(spot.x - event.clientX + box.left, spot.y - event.clientY + box.top) - (points[spot.i].front ? 0.5 : 0);
        if (distance < least) [best, least] = [spot, distance];
      }
      return best;
    };
    svg.addEventListener("pointermove", (event) => {
      const spot = under(event, 24);
      svg.classList.toggle("over", Boolean(spot));
      if (spot) showTip(spotLines(spot), event.clientX, event.clientY);
      else hideTip();
    });
    svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hideTip(); });
    svg.addEventListener("click", (event) => {
      const spot = under(event, 30);
      if (!spot) return hideTip();
      choose(spot.i);
      showTip(spotLines(spot), event.clientX, event.clientY);
    });
    drawPlotLegend(legend, hasSteps, failures);
    showChosen();
  }

  // Stairs through the points that no other one beats in both objectives shown.
  function drawSteps(svg, toX, toY, box) {
    if (!axes.x.column.isObjective || !axes.y.column.isObjective || axes.x.column === axes.y.column) return false;
    const best = [];
    for (const i of [...shown].sort((a, b) => axes.x.column.get(points[a]) - axes.x.column.get(points[b]) || axes.y.column.get(points[a]) - axes.y.column.get(points[b])))
      if (!best.length || axes.y.column.get(points[i]) < axes.y.column.get(points[best[best.length - 1]])) best.push(i);
    let path = "";
    best.forEach((i, b) => {
      const px = toX(axes.x.column.get(points[i])).toFixed(1), py = toY(axes.y.column.get(points[i])).toFixed(1);
      path += b ? "H" + px + "V" + py : "M" + px + " " + box.top + "V" + py;
    });
    make(svg, "path", {class: "steps", d: path + "H" + box.right});
    return true;
  }

  function spotLines(spot) {
    const others = spots.filter((other) => other !== spot && Math.hypot(other.x - spot.x, other.y - spot.y) < 0.5).length;
    return pointLines(spot.i).concat(others ? [plural(others, "other point") + " at the same place"] : []);
  }

  function showChosen() {
    const spot = spots.find((other) => other.i === chosen);
    ring.style.display = spot ? "" : "none";
    if (!spot) return;
    ring.setAttribute("cx", spot.x);
    ring.setAttribute("cy", spot.y);
  }

  views.push(showChosen);
  draw();
  new ResizeObserver(() => { if (frame.clientWidth !== width) draw(); }).observe(frame);
}

function drawPlotLegend(legend, hasSteps, failures) {
  legend.replaceChildren();
  const entry = (draw, text) => {
    const item = make(legend, "li");
    draw(make(item, "svg", {width: 22, height: 12, "aria-hidden": "true"}));
    item.append(text);
  };
  const numFront = points.filter((point) => isDone(point) && point.front).length;
  const numOther = points.length - failures - numFront;
  entry((svg) => make(svg, "circle", {class: "dot-front", cx: 11, cy: 6, r: 5}), (objectives.length === 1 ? "best points" :
    "Pareto front of " + (objectives.length === 2 ? "both objectives" : "all " + objectives.length + " objectives")) + ": " + count(numFront));
  if (numOther) entry((svg) => make(svg, "circle", {class: "dot", cx: 11, cy: 6, r: 3.5}), "other points: " + count(numOther));
  if (hasSteps) entry((svg) => make(svg, "path", {class: "steps", d: "M1 2H11V10H21"}), "best for the two axes");
  entry((svg) => make(svg, "circle", {class: "ring", cx: 11, cy: 6, r: 5}), "chosen point");
  if (failures) make(legend, "li", {class: "faint"}, plural(failures, "failed point") + " not drawn");
}
