
// The script of `uma compile --report`, in four files that follow HTMLPage.js and make one. The graph and the memory
// plan are drawn and linked with the table of layers: what belongs to one layer is marked in all three.
//
// This part: the texts of the tooltip, and marks.
const colors = JSON.parse(document.getElementById("colors").textContent);

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

// ---- Marks

let marks = [];
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
