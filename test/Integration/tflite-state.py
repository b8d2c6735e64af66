"""Layers of TensorFlow Lite with states; resource variables; sparse constants; MediaPipe's transposed convolution. The numbers are NumPy's."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: recurrent: all 48 results equal
# CHECK-NEXT: start: all 6 results equal
# CHECK-NEXT: variables: all 10 results equal
# CHECK-NEXT: initialized: all 7 results equal
# CHECK-NEXT: metadata: bytes -128, open 7, floats [0.5, -2, 1]
# CHECK-NEXT: bytes: input bytes, i8, 1x2; a state: all elements are -128 in the first run
# CHECK-NEXT: floats: input floats, f32, 3; a state: metadata.json has its elements in the first run
# CHECK-NEXT: sparse: all 5 results equal
# CHECK-NEXT: custom: all 4 results equal

import json
import pathlib
import struct
import subprocess
import sys

import numpy as np
from tflite_group import Group, Variable

random = np.random.default_rng(8)


def floats(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


ACTIVATIONS = {"TANH": np.tanh, "RELU": lambda x: np.maximum(x, 0), "NONE": lambda x: x}

group = Group("recurrent")


def rnn(x, w, r, b, h, activation):
    """x is [T, B, I]."""
    outputs = []
    for step in x:
        h = ACTIVATIONS[activation](step @ w.T + h @ r.T + b)
        outputs.append(h)
    return np.stack(outputs).astype(np.float32), h.astype(np.float32)


for activation in ACTIVATIONS:
    w, r, b, h = floats(5, 4), floats(5, 5), floats(5), floats(2, 5)
    x = floats(2, 4)
    y, last = rnn(x[None], w, r, b, h, activation)
    group.check("RNN", [x, (w,), (r,), (b,), Variable(h, last)], y[0], "RNN", fused_activation_function=activation)
    for major in False, True:
        x = floats(3, 2, 4)
        y, last = rnn(x, w, r * np.float32(0.5), b, h, activation)
        if not major:
            x, y = x.swapaxes(0, 1), y.swapaxes(0, 1)
        operands = [np.ascontiguousarray(x), (w,), (r * np.float32(0.5),), (b,), Variable(h, last)]
        group.check("UNIDIRECTIONAL_SEQUENCE_RNN", operands, y, "SequenceRNN", fused_activation_function=activation, time_major=major)


def lstm(x, weights, recurrences, peepholes, biases, h, c, clip):
    """Gates are in the order input, forget, cell, output; the first may be missing. x is [T, B, I]."""
    outputs = []
    for step in x:
        gate = [None if w is None else step @ w.T + h @ r.T + b for w, r, b in zip(weights, recurrences, biases)]
        peep = [np.float32(0) if p is None else p for p in peepholes]
        forget = sigmoid(gate[1] + peep[1] * c)
        update = 1 - forget if gate[0] is None else sigmoid(gate[0] + peep[0] * c)
        c = forget * c + update * np.tanh(gate[2])
        if clip:
            c = np.clip(c, -clip, clip)
        h = sigmoid(gate[3] + peep[2] * c) * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs).astype(np.float32), h.astype(np.float32), c.astype(np.float32)


for coupled in False, True:
    for peeps in False, True:
        for clip in 0, 0.4:
            weights, recurrences, biases = ([floats(*shape) for _ in range(4)] for shape in ((5, 4), (5, 5), (5,)))
            peepholes = [floats(5) if peeps else None for _ in range(3)]
            if coupled:
                weights[0] = recurrences[0] = biases[0] = peepholes[0] = None
            h, c, x = floats(2, 5), floats(2, 5), floats(3, 2, 4)
            isStep = clip != 0 and peeps
            if isStep:
                x = x[:1]
            y, lastH, lastC = lstm(x, weights, recurrences, peepholes, biases, h, c, clip)
            constants = [None if value is None else (value,) for value in weights + recurrences + peepholes + biases]
            operands = [x[0] if isStep else np.ascontiguousarray(x.swapaxes(0, 1)), *constants, None, None]
            operands += [Variable(h, lastH), Variable(c, lastC)]
            options = {"fused_activation_function": "TANH", "cell_clip": clip}
            if isStep:
                group.check("LSTM", operands, y[0], "LSTM", **options)
            else:
                group.check("UNIDIRECTIONAL_SEQUENCE_LSTM", operands, y.swapaxes(0, 1), "UnidirectionalSequenceLSTM", **options)
for rank, steps in (1, 3), (2, 4), (2, 1):
    units = 3
    feature, time, bias = floats(units * rank, 4), floats(units * rank, steps), floats(units)
    state, x = floats(2, units * rank, steps), floats(2, 4)
    state[:, :, -1] = 0
    full = state.copy()
    full[:, :, -1] = x @ feature.T
    y = (full * time).sum(-1).reshape(2, units, rank).sum(-1) + bias
    following = np.concatenate([full[:, :, 1:], np.zeros_like(full[:, :, :1])], -1)
    variable = Variable(state.reshape(2, -1), following.reshape(2, -1))
    operands = [x, (feature,), (time,), (bias,), variable]
    group.check("SVDF", operands, np.maximum(y, 0), "SVDF", rank=rank, fused_activation_function="RELU")
group.run()

# States that are not given start with 0, which is the zero point of quantized ones.
group = Group("start")
for dtype, fields in (np.float32, {}), (np.int8, {"scale": 1 / 64, "zero": 7}), (np.uint8, {"scale": 1 / 64, "zero": 130}):
    w, r, b, x = floats(5, 4), floats(5, 5), floats(5), floats(2, 4)
    y, last = rnn(x[None], w, r, b, np.zeros((2, 5), np.float32), "TANH")
    if fields:
        limits = np.iinfo(dtype)
        last = np.clip(np.rint(last / np.float32(fields["scale"])) + fields["zero"], limits.min, limits.max)
    group.check("RNN", [x, (w,), (r,), (b,), Variable(None, last.astype(dtype), fields)], y[0], "RNN", fused_activation_function="TANH")
group.run()


class VariableGroup(Group):
    """Resource variables, which are inputs and outputs of the network."""

    def handle(self, name: str) -> int:
        handle = self.model.tensor(f"h{len(self.model.graph['tensors'])}", (), "RESOURCE")
        self.model.add("VAR_HANDLE", [], [handle], "VarHandle", container="", shared_name=name)
        return handle

    def read(self, handle: int, shape, dtype: str = "float32", **fields) -> int:
        result = self.model.tensor(f"r{len(self.model.graph['tensors'])}", shape, dtype, **fields)
        self.model.add("READ_VARIABLE", [handle], [result])
        return result

    def assign(self, name: str, value: int) -> None:
        self.model.add("ASSIGN_VARIABLE", [self.handle(name), value], [])

    def add(self, operator: str, operands, shape, options: str = "", dtype: str = "float32", **values) -> int:
        result = self.model.tensor(f"t{len(self.model.graph['tensors'])}", shape, dtype)
        self.model.add(operator, operands, [result], options, **values)
        return result

    def expect(self, result: int, value: np.ndarray) -> None:
        self.outputs.append(result)
        self.expected[self.model.graph["tensors"][result]["name"]] = value


group = VariableGroup("variables")
model = group.model
gain, x, frames = floats(1, 2), floats(1, 3), floats(1, 2)
with model.body() as start:
    group.assign("frames", model.constant("zeros", np.zeros((1, 2), np.float32)))
    group.assign("gain", model.constant("gain", gain))
model.add("CALL_ONCE", [], [], "CallOnce", init_subgraph_index=start)
# A window over the inputs of several runs, whose values are read before and after they are assigned.
begin, size = model.constant("begin", np.int32([0, 3])), model.constant("size", np.int32([1, 2]))
joined = group.add("CONCATENATION", [group.read(group.handle("frames"), (1, 2)), group.operand(x)], (1, 5), "Concatenation", axis=1)
group.assign("frames", group.add("SLICE", [joined, begin, size], (1, 2)))
group.expect(joined, np.concatenate([frames, x], 1))
last = group.read(group.handle("frames"), (1, 2))
# A variable that is never assigned is a constant.
group.expect(group.add("MUL", [last, group.read(group.handle("gain"), (1, 2))], (1, 2), "Mul"), x[:, 1:] * gain)
group.inputs["frames"], group.expected["frames_next"] = frames, x[:, 1:]
# One that is assigned first is no input.
group.assign("scratch", last)
group.expect(group.add("NEG", [group.read(group.handle("scratch"), (1, 2))], (1, 2)), -x[:, 1:])
# Quantized numbers keep their integers.
noise = random.integers(-128, 128, (1, 4), np.int8)
counts = group.read(group.handle("counts"), (1, 4), "int8", scale=0.5, zero=3)
reverse = model.tensor("reverse", (1, 4), "int8", scale=0.5, zero=3)
model.add("REVERSE_V2", [counts, model.constant("axis", np.int32([1]))], [reverse])
group.assign("counts", reverse)
group.inputs["counts"], group.expected["counts_next"] = noise, noise[:, ::-1]
# Assignments in a branch that is chosen when the model runs, and in a loop; handles are operands, too.
for name, condition in ("yes", True), ("no", False):
    value, total = floats(2), floats(2)
    handle, flag = group.handle(name), group.operand(np.array([condition]))
    with model.body() as then:
        inner = model.input("handle", (), "RESOURCE")
        sums = group.add("ADD", [group.read(inner, (2,)), model.constant("step", value)], (2,), "Add")
        model.add("ASSIGN_VARIABLE", [inner, sums], [])
        model.graph["outputs"] = [sums]
    with model.body() as otherwise:
        inner = model.input("handle", (), "RESOURCE")
        model.graph["outputs"] = [group.add("NEG", [group.read(inner, (2,))], (2,))]
    result = group.add("IF", [flag, handle], (2,), "If", then_subgraph_index=then, else_subgraph_index=otherwise)
    group.expect(result, total + value if condition else -total)
    group.inputs[name], group.expected[name + "_next"] = total, total + value if condition else total
with model.body() as condition:
    counter = model.input("counter", (), "int32")
    model.graph["outputs"] = [group.add("LESS", [counter, model.constant("limit", np.int32(3))], (), dtype="bool")]
with model.body() as body:
    counter = model.input("counter", (), "int32")
    group.assign("loop", group.add("SQUARE", [group.read(group.handle("loop"), (2,))], (2,)))
    model.graph["outputs"] = [group.add("ADD", [counter, model.constant("one", np.int32(1))], (), "Add", "int32")]
group.add("WHILE", [model.constant("zero", np.int32(0))], (), "While", "int32", cond_subgraph_index=condition, body_subgraph_index=body)
group.inputs["loop"], group.expected["loop_next"] = np.float32([1.5, -0.5]), np.float32([1.5, -0.5]) ** 8
group.run()

# Variables start with what the initializer assigns, and with their zero point if it assigns nothing. All are read, added to and assigned.
group = VariableGroup("initialized")
model = group.model
low, numbers = np.full((1, 2), -128, np.int8), np.float32([0.5, -2, 1])
quantized = {"scale": 0.5, "zero": 7}
with model.body() as start:
    group.assign("bytes", model.constant("low", low, scale=1, zero=0))
    group.assign("floats", model.constant("numbers", numbers))
model.add("CALL_ONCE", [], [], "CallOnce", init_subgraph_index=start)
lows = group.read(group.handle("bytes"), (1, 2), "int8", scale=1, zero=0)
opens = group.read(group.handle("open"), (2,), "int8", **quantized)
floating = group.read(group.handle("floats"), (3,))
step = np.float32([1, 2, 3])
group.assign("floats", group.add("ADD", [floating, group.operand(step)], (3,), "Add"))
group.expected["floats_next"] = numbers + step
for name, result, value, fields in ("bytes", lows, low, {"scale": 1, "zero": 0}), ("open", opens, np.int8([7, 7]), quantized):
    largest = group.model.tensor(f"{name}_max", value.shape, "int8", **fields)
    model.add("MAXIMUM", [result, model.constant(f"{name}_floor", np.full_like(value, 9), **fields)], [largest])
    group.expect(largest, np.full_like(value, 9))
    group.assign(name, largest)
    group.expected[f"{name}_next"] = np.full_like(value, 9)
    group.expect(result, value)
group.run()
package = pathlib.Path(sys.argv[1]) / "initialized_c"
subprocess.run(["uma", "compile", f"{sys.argv[1]}/initialized.tflite", "-o", package], check=True, stdout=subprocess.DEVNULL)
inputs = json.loads((package / "metadata.json").read_text())["inputs"]
print("metadata: " + ", ".join(f"{entry['name']} {entry['start']}" for entry in inputs if "start" in entry))
header = (package / "initialized.h").read_text().splitlines()
print("\n".join(sorted(line[3:] for line in header if line.startswith((" * bytes: ", " * floats: ")))))


def sparsify(dense: np.ndarray, order, blocks: dict[int, int], compressed):
    """Stores `dense` by a tree of its dimensions. `blocks` gives sizes for dimensions, `compressed` the levels of CSR."""
    rank = dense.ndim
    shape, axes = [], []
    for dim, size in enumerate(dense.shape):
        axes.append(len(shape))
        shape += [size // blocks.get(dim, 1), blocks.get(dim, 1)]
    expanded = dense.reshape(shape)
    names = {dim: 2 * dim for dim in range(rank)} | {rank + at: 2 * dim + 1 for at, dim in enumerate(blocks)}
    ones = [axis for axis in range(2 * rank) if axis not in names.values()]
    tree = expanded.squeeze(tuple(ones)) if ones else expanded
    left = sorted(names.values())
    tree = tree.transpose([left.index(names[dim]) for dim in order])
    metadata, nodes = [], [tree]
    for level, dim in enumerate(order):
        if level not in compressed:
            metadata.append({"format": "DENSE", "dense_size": tree.shape[level]})
            nodes = [child for node in nodes for child in node]
            continue
        segments, indices, children = [0], [], []
        for node in nodes:
            kept = [at for at in range(len(node)) if np.any(node[at])]
            indices += kept
            children += [node[at] for at in kept]
            segments.append(len(indices))
        kind = ["Int32Vector", "Uint16Vector", "Uint8Vector"][len(order) % 3]
        metadata.append({"format": "SPARSE_CSR", "array_segments_type": kind, "array_segments": {"values": segments},
                         "array_indices_type": kind, "array_indices": {"values": indices}})
        nodes = children
    return np.array(nodes, dense.dtype), {"traversal_order": list(order), "block_map": list(blocks), "dim_metadata": metadata}


group = Group("sparse")
for shape, order, blocks, compressed in (
    ((6, 8), (0, 1), {}, {1}),
    ((6, 8), (1, 0), {}, {0, 1}),
    ((8, 12), (0, 1, 2), {1: 4}, {1}),
    ((8, 12), (0, 1, 2, 3), {0: 4, 1: 2}, {1}),
    ((4, 3, 3, 8), (0, 1, 2, 3, 4), {3: 4}, {3}),
):
    dense = floats(*shape)
    # Whole blocks of zeros.
    keep = random.random([size // blocks.get(dim, 1) for dim, size in enumerate(shape)]) < 0.4
    for dim, size in blocks.items():
        keep = keep.repeat(size, dim)
    dense *= keep
    values, sparsity = sparsify(dense, order, blocks, compressed)
    tensor = {"shape": shape, "sparsity": sparsity}
    x = floats(*shape)
    model = group.model
    weights = model.tensor(f"dense{len(group.outputs)}", shape)
    model.add("DENSIFY", [model.constant(f"sparse{len(group.outputs)}", values, **tensor)], [weights])
    data, result = group.operand(x), model.tensor(f"sum{len(group.outputs)}", shape)
    model.add("ADD", [data, weights], [result])
    group.expected[f"sum{len(group.outputs)}"] = x + dense
    group.outputs.append(result)
group.run()

group = Group("custom")
for same in True, False:
    for strides in (2, 2), (2, 1):
        x, w, b = floats(1, 4, 5, 3), floats(2, 3, 3, 3), floats(2)
        full = np.zeros((1, strides[0] * 3 + 3, strides[1] * 4 + 3, 2), np.float32)
        for i in range(4):
            for j in range(5):
                part = np.einsum("nc,oyxc->nyxo", x[:, i, j], w)
                full[:, strides[0] * i : strides[0] * i + 3, strides[1] * j : strides[1] * j + 3] += part
        totals = [max(0, 3 - (size - 1) % stride - 1) if same else 0 for size, stride in zip((4, 5), strides)]
        cut = [slice(total // 2, size - (total - total // 2)) for total, size in zip(totals, full.shape[1:3])]
        options = struct.pack("<iii", 1 if same else 2, strides[1], strides[0])
        group.check("CUSTOM", [x, (w,), (b,)], full[:, cut[0], cut[1]] + b, custom="Convolution2DTransposeBias", custom_options=options)
group.run()
