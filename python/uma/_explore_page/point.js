
// The chosen point of `uma explore`: a slider for each attribute, its numbers, and a bar for each model.

function drawPoint() {
  const section = document.getElementById("point"), view = section.querySelector(".view"), tools = section.querySelector(".tools");
  const title = section.querySelector("h2");
  const defaults = attributes.map((a) => a.values.indexOf(a.default));
  const goals = objectives.filter((objective) => least.get(objective) >= 0).map((objective) => ["least " + objective, () => least.get(objective)]);
  if (attributes.length && defaults.every((at) => at >= 0))
    goals.push(["the description's values", () => nearest(defaults.map((at, a) => at / Math.max(1, attributes[a].values.length - 1)))]);
  if (goals.length) {
    tools.hidden = false;
    const select = choice(tools, "Go to", [["", "\u2026"], ...goals.map(([name], i) => [i, name])], "", (value) => {
      if (value !== "") go(goals[value][1]());
      select.value = "";
    });
  }

  // What the reader asked for; the sliders show the point that is nearest to it.
  let wanted = attributes.map(() => 0);
  const go = (i) => choose(i);
  const sliders = attributes.map((attribute, a) => {
    const last = attribute.values.length - 1;
    const box = make(view, "div", {class: "slider"});
    const label = make(box, "label", {for: "slider" + a}, attribute.name);
    const value = make(box, "output", {for: "slider" + a});
    const input = make(box, "input", {type: "range", id: "slider" + a, min: 0, max: last, step: 1});
    input.disabled = last === 0;
    const ticks = make(box, "div", {class: "ticks", "aria-hidden": "true"});
    // As many values as fit; the first and the last one always.
    const every = Math.ceil(attribute.values.length / 8);
    attribute.values.forEach((text, i) => {
      if (i !== last && (i % every || (i > 0 && last - i < every))) return;
      make(ticks, "span", {style: "--at:" + (last ? i / last : 0)}, fitPart(short(text), 60, 11));
    });
    label.title = attribute.name + ": " + attribute.values.map(exact).join(", ") + "; " + exact(attribute.default) + " in the description";
    input.addEventListener("input", () => {
      wanted[a] = Number(input.value) / Math.max(1, last);
      const before = wanted.slice();
      choose(nearest(wanted, a));
      wanted = before;
      note.textContent = moved(a);
    });
    return {input, value};
  });
  const note = make(view, "p", {class: "faint note", role: "status"});

  // Names what the nearest point changed beside the attribute that was moved.
  function moved(a) {
    const others = attributes.filter((_, b) => Math.abs(place[chosen][b] - wanted[b]) > 1e-9);
    if (!others.length) return "";
    const found = others.map((attribute) => valueText(attribute, points[chosen].attributes[attribute.name])).join(", ");
    return "The nearest point that was evaluated has " + found + ".";
  }

  const numbers = make(view, "div");
  const bars = make(view, "div", {class: "bars"});
  let isShare = false;
  views.push(() => {
    const point = points[chosen];
    title.textContent = "Point " + count(point.id) + (point.front ? ", on the Pareto front" : isDone(point) ? "" : ", failed");
    wanted = place[chosen].slice();
    note.textContent = "";
    sliders.forEach(({input, value}, a) => {
      const now = point.attributes[attributes[a].name];
      input.value = attributes[a].values.indexOf(now);
      input.setAttribute("aria-valuetext", exact(now));
      value.textContent = exact(now);
    });
    showNumbers(point);
    showBars(point);
  });

  function showNumbers(point) {
    numbers.replaceChildren();
    if (!isDone(point)) {
      make(numbers, "p", {class: "failure"}, point.reason || "The point failed.");
      return;
    }
    const table = make(numbers, "table", {class: "numbers"});
    for (const objective of objectives) {
      const row = make(table, "tr");
      const value = point.objectives[objective], best = points[least.get(objective)].objectives[objective];
      make(row, "th", {scope: "row"}, objective);
      make(row, "td", {class: "number"}, exact(value));
      make(row, "td", {class: "faint"}, value === best ? "the least" : best > 0 ? (value / best).toFixed(2) + " times the least" : "least " + exact(best));
    }
  }

  function showBars(point) {
    bars.replaceChildren();
    const most = Math.max(0, ...point.models.map((model) => model.cycles || 0));
    if (most > 0) {
      const line = make(bars, "div", {class: "tools"});
      make(line, "h3", {}, "What bounds each model");
      choice(line, "Bars", [["cycles", "cycles"], ["share", "share"]], isShare ? "share" : "cycles", (value) => {
        isShare = value === "share";
        showBars(point);
        bars.querySelector("select").focus();
      });
    }
    for (const model of point.models) {
      const box = make(bars, "div", {class: "model"});
      make(box, "b", {}, model.model);
      if (model.status !== "done") make(box, "span", {class: "failure"}, point.reason.includes(model.reason) ? "fails" : model.reason);
      make(box, "span", {class: "faint"}, modelFacts(model).join(" \u00b7 "));
      if (!model.cycles) continue;
      const bar = drawBar(box, model, isShare ? 1 : model.cycles / most);
      bar.classList.add("told");
      bar.removeAttribute("aria-hidden");
      bar.setAttribute("role", "img");
      bar.setAttribute("aria-label", modelLines(point, model).slice(2).join("; "));
      describe(bar, model, (m) => modelLines(point, m), () => {});
      parts(model).forEach((part, i) => {
        const room = bar.clientWidth * part.cycles / model.cycles - 8;
        const text = share(part.cycles, model.cycles);
        if (fit(text, room, 11, () => "") === text) bar.children[i].textContent = text;
      });
    }
    if (most === 0) return;
    const axis = make(bars, "div", {class: "scale", "aria-hidden": "true"});
    const ticks = isShare ? [0, 25, 50, 75, 100].map((at) => ({at, text: at + "\u00a0%"})) : niceTicks(0, most, Math.max(2, Math.floor(bars.clientWidth / 90)));
    const top = isShare ? 100 : most;
    // The last label would leave the bar's place if it were in the middle of its tick.
    for (const tick of ticks)
      make(axis, "span", {class: tick.at === 0 ? "first" : tick.at / top > 0.94 ? "last" : "", style: "left:" + (100 * tick.at / top).toFixed(2) + "%"},
        tick.text + (tick.at === 0 && !isShare ? " cycles" : ""));
    drawLegend(bars, point.models);
  }

  function modelFacts(model) {
    const facts = [];
    if (isNumber(model.cycles)) facts.push(exact(model.cycles) + " cycles");
    if (isNumber(model.dma_bytes)) facts.push(exact(model.dma_bytes) + " bytes by DMA");
    if (isNumber(model.offloaded)) facts.push(model.offloaded + " of " + plural(model.layers, "layer") + " on the device");
    if (model.simulated) {
      // The device's model has no cycles of the CPU.
      const predicted = isNumber(model.device_cycles) ? model.device_cycles : model.cycles;
      const differs = model.simulated.cycles !== predicted;
      facts.push("simulated: " + (differs ? exact(model.simulated.cycles) + " cycles" : "as predicted") +
        (model.simulated.equal ? ", results equal" : ", RESULTS DIFFER"));
    }
    return facts;
  }
}
