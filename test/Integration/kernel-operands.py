"""Each kernel on operands of random ranks, with broadcasts, sizes of 1, constants and transposes, against NumPy: kernels may take only
operands that fit what they assume. All operators are one network, which runs with vectors, without vectors, and in plain loops.
`kernel-operands.py FOLDER SEED [COUNT]` tries other operands, COUNT for each kind."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t && %python -B %s %t 1 | FileCheck %s
# CHECK: vectors: [[COUNT:[0-9]+]] of [[COUNT]] operators equal
# CHECK-NEXT: scalars: [[COUNT]] of [[COUNT]] operators equal
# CHECK-NEXT: loops: [[COUNT]] of [[COUNT]] operators equal

import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(int(sys.argv[2]))
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 0
TYPES = {"f4": TensorProto.FLOAT, "i4": TensorProto.INT32, "i8": TensorProto.INT64, "u1": TensorProto.UINT8, "b1": TensorProto.BOOL}


def pick(*choices):
    return choices[random.integers(len(choices))]


def chance(share: float = 0.5) -> bool:
    return random.random() < share


class Network:
    """A graph of operators with numbers for its inputs and expected numbers for its outputs."""

    def __init__(self) -> None:
        self.nodes, self.inputs, self.constants, self.expected, self.texts = [], {}, [], {}, {}
        self.values, self.count = {}, 0

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def tensor(self, shape, is_constant=None, dtype="f4", low=-1.0, high=1.0) -> str:
        """An input, or a constant, of random numbers."""
        numbers = random.uniform(low, high, shape)
        numbers = np.asarray(numbers if dtype == "f4" else np.floor(numbers), dtype)
        is_constant = chance(0.4) if is_constant is None else is_constant
        name = self.name("c" if is_constant else "x")
        self.values[name] = numbers
        if is_constant:
            self.constants.append(numpy_helper.from_array(numbers, name))
        else:
            self.inputs[name] = numbers
        return name

    def integers(self, numbers) -> str:
        name = self.name("n")
        self.constants.append(numpy_helper.from_array(np.array(numbers, np.int64), name))
        return name

    def op(self, kind: str, operands, numbers, **attributes) -> str:
        """An operator whose result is known."""
        name = self.name("t")
        self.nodes.append(helper.make_node(kind, list(operands), [name], **attributes))
        self.values[name] = np.asarray(numbers)
        return name

    def transposed(self, name: str) -> str:
        """The matrices of a tensor, transposed by an operator."""
        value = self.values[name]
        axes = list(range(value.ndim))
        axes[-2:] = axes[:-3:-1]
        return self.op("Transpose", [name], value.transpose(axes), perm=axes)

    def epilogue(self, name: str) -> str:
        """Elementwise operators on the result of a kernel, with operands that broadcast to it."""
        for _ in range(random.integers(0, 3)):
            value = self.values[name]
            if chance(0.3):
                name = self.op("Relu", [name], np.maximum(value, 0))
                continue
            other = self.tensor(broadcast(value.shape))
            kind, function = pick(("Add", np.add), ("Mul", np.multiply), ("Sub", np.subtract))
            operands = [name, other] if chance(0.8) else [other, name]
            name = self.op(kind, operands, function(*(self.values[operand] for operand in operands)))
        return name

    def output(self, name: str, text: str) -> None:
        self.expected[name], self.texts[name] = self.values[name], text

    def build(self) -> onnx.ModelProto:
        def info(name, value):
            return helper.make_tensor_value_info(name, TYPES[value.dtype.str[1:]], value.shape)

        graph = helper.make_graph(self.nodes, "g", [info(*item) for item in self.inputs.items()],
                                  [info(*item) for item in self.expected.items()], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def broadcast(shape) -> list[int]:
    """A shape that broadcasts to another one: with sizes of 1, or of a lower rank."""
    shape = [1 if chance(0.35) else size for size in shape]
    return shape[random.integers(0, len(shape) + 1):] if chance(0.3) else shape


def sizes(rank: int, *choices) -> list[int]:
    return [int(pick(*(choices or (1, 2, 3, 4, 5, 8, 17)))) for _ in range(rank)]


#===-- Products ------------------------------------------------------------===#


def matmul(net: Network) -> str:
    batch = sizes(random.integers(0, 4), 1, 2, 3)
    rows, depth, columns = pick(1, 1, 2, 5, 17), pick(1, 3, 4, 8, 19), pick(1, 2, 4, 7, 16, 33, 260)
    shapes = []
    for matrix in ([rows, depth], [depth, columns]):
        own = broadcast(batch)
        shapes.append(own + matrix)
    if rows == 1 and chance(0.3):
        shapes[0] = [depth]
    if columns == 1 and chance(0.3):
        shapes[1] = [depth]
    operands = []
    for shape in shapes:
        if len(shape) > 1 and chance(0.3):
            shape[-2:] = shape[:-3:-1]
            operands.append(net.transposed(net.tensor(shape)))
        else:
            operands.append(net.tensor(shape))
    return net.op("MatMul", operands, np.matmul(*(net.values[name] for name in operands)))


def gemm(net: Network) -> str:
    rows, depth, columns = pick(1, 3, 16), pick(1, 4, 9), pick(1, 4, 18)
    flags = [int(chance()), int(chance())]
    left, right = [depth, rows] if flags[0] else [rows, depth], [columns, depth] if flags[1] else [depth, columns]
    a, b, c = net.tensor(left), net.tensor(right), net.tensor(broadcast([rows, columns]))
    x, y = net.values[a].T if flags[0] else net.values[a], net.values[b].T if flags[1] else net.values[b]
    return net.op("Gemm", [a, b, c], 0.5 * (x @ y) + 2 * net.values[c], alpha=0.5, beta=2.0, transA=flags[0], transB=flags[1])


def einsum(net: Network) -> str:
    extents = dict(zip("abijk", sizes(5, 1, 2, 4, 9)))
    equation = pick("ij,jk->ik", "aij,ajk->aik", "aij,jk->aik", "aij,akj->aik", "abij,abkj->abik", "abi,bij->abj", "ij,ij->i", "ai,aj->aij", "aij,aj->ia",
                    "bija,bkja->bik", "ijk->ki")
    operands = [net.tensor([extents[c] for c in term]) for term in equation.split("->")[0].split(",")]
    return net.op("Einsum", operands, np.einsum(equation, *(net.values[name] for name in operands)), equation=equation)


#===-- Windows -------------------------------------------------------------===#


def get_windows(x, kernel, strides, dilations, pads, fill, ends=(0, 0)):
    """The elements of each window, as [..., taps, height, width]; `ends` are further elements of padding behind the data."""
    top, left, bottom, right = pads
    x = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(top, bottom + ends[0]), (left, right + ends[1])], constant_values=fill)
    extents = [(size - ((k - 1) * d + 1)) // s + 1 for size, k, d, s in zip(x.shape[-2:], kernel, dilations, strides)]
    taps = []
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            y, z = i * dilations[0], j * dilations[1]
            taps.append(x[..., y:y + (extents[0] - 1) * strides[0] + 1:strides[0], z:z + (extents[1] - 1) * strides[1] + 1:strides[1]])
    return np.stack(taps, -3)


def window():
    kernel, strides, dilations = sizes(2, 1, 2, 3), sizes(2, 1, 1, 2), sizes(2, 1, 1, 2)
    return kernel, strides, dilations, [int(random.integers(0, 2)) for _ in range(4)]


def conv(net: Network) -> str:
    kernel, strides, dilations, pads = window()
    groups = pick(1, 1, 1, 2, 3)
    inputs, outputs = groups * pick(1, 2, 4, 5), groups * pick(1, 3, 4, 8)
    if chance(0.3):
        groups = inputs = pick(3, 4, 16, 20)
        outputs = inputs * pick(1, 1, 2)
    x = net.tensor([pick(1, 1, 2), inputs, *sizes(2, 5, 7, 12)], is_constant=False)
    w = net.tensor([outputs, inputs // groups, *kernel], is_constant=chance(0.8))
    data, weights = net.values[x], net.values[w]
    windows = get_windows(data, kernel, strides, dilations, pads, 0)
    results = []
    for group in range(groups):
        own = windows[:, group * inputs // groups:(group + 1) * inputs // groups]
        filters = weights[group * outputs // groups:(group + 1) * outputs // groups].reshape(outputs // groups, inputs // groups, -1)
        results.append(np.einsum("nctyx,oct->noyx", own, filters))
    return net.op("Conv", [x, w], np.concatenate(results, 1), kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads, group=groups)


def conv_transpose(net: Network) -> str:
    kernel, strides = sizes(2, 1, 2, 3), sizes(2, 1, 2, 3)
    pads = [int(random.integers(0, min(2, size))) for size in kernel * 2]
    groups, batch = pick(1, 1, 2), pick(1, 2)
    inputs, outputs = groups * pick(1, 3, 4), groups * pick(1, 4, 5)
    x = net.tensor([batch, inputs, *sizes(2, 3, 5)], is_constant=False)
    w = net.tensor([inputs, outputs // groups, *kernel], is_constant=chance(0.8))
    data, weights = net.values[x], net.values[w]
    height, width = ((size - 1) * s + k for size, s, k in zip(data.shape[2:], strides, kernel))
    result = np.zeros([batch, outputs, height, width])
    for group in range(groups):
        own = slice(group * inputs // groups, (group + 1) * inputs // groups)
        to = slice(group * outputs // groups, (group + 1) * outputs // groups)
        for i in range(kernel[0]):
            for j in range(kernel[1]):
                part = np.einsum("ncyx,co->noyx", data[:, own], weights[own, :, i, j])
                result[:, to, i:i + part.shape[2] * strides[0]:strides[0], j:j + part.shape[3] * strides[1]:strides[1]] += part
    result = result[:, :, pads[0]:height - pads[2], pads[1]:width - pads[3]]
    if 0 in result.shape:
        return conv_transpose(net)
    return net.op("ConvTranspose", [x, w], result, kernel_shape=kernel, strides=strides, pads=pads, group=groups)


def pool(net: Network, x: str = "") -> str:
    kind = pick("MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool")
    x = x or net.tensor([pick(1, 2), pick(1, 3, 4, 16, 20), *sizes(2, 4, 7, 9)], is_constant=False)
    data = net.values[x]
    shape = list(data.shape)
    if kind.startswith("Global"):
        return net.op(kind, [x], (data.max if "Max" in kind else data.mean)((2, 3), keepdims=True))
    kernel, strides, dilations, pads = window()
    if chance(0.2):  # Whole images.
        kernel, strides, dilations, pads = shape[2:], [1, 1], [1, 1], [0] * 4
    pads = [min(pad, size - 1) for pad, size in zip(pads, kernel * 2)]
    if any((k - 1) * d >= size for k, d, size in zip(kernel, dilations, shape[2:])):
        return pool(net, x)
    if kind == "MaxPool":
        values = get_windows(data, kernel, strides, dilations, pads, -np.inf).max(-3)
        return net.op(kind, [x], values, kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads)
    includes = int(chance())
    values, ones = (get_windows(numbers, kernel, strides, [1, 1], pads, 0).sum(-3) for numbers in (data, np.ones_like(data)))
    return net.op(kind, [x], values / (np.prod(kernel) if includes else ones), kernel_shape=kernel, strides=strides, pads=pads, count_include_pad=includes)


def after_conv(net: Network) -> str:
    """An operator on the result of a convolution, which may lie in blocks of channels."""
    x = net.epilogue(conv(net))
    data = net.values[x]
    kind = pick(pool, reduction, along_axis, "join", "rows", "product")
    if kind == "join":
        other = net.op("Relu", [x], np.maximum(data, 0))
        return net.op("Concat", [x, other], np.concatenate([data, net.values[other]], 1), axis=1)
    if kind == "rows":
        axes = [int(axis) for axis in random.permutation(4)]
        x = net.op("Transpose", [x], data.transpose(axes), perm=axes)
        return net.op("Flatten", [x], net.values[x].reshape(len(net.values[x]), -1), axis=1)
    if kind == "product":
        other = net.tensor(broadcast(data.shape[:2]) + [data.shape[3], pick(1, 4, 9)])
        return net.op("MatMul", [x, other], np.matmul(data, net.values[other]))
    return kind(net, x)


#===-- Axes ----------------------------------------------------------------===#


REDUCTIONS = {
    "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod, "ReduceSum": np.sum,
    "ReduceL1": lambda x, axes, keepdims: np.abs(x).sum(axes, keepdims=keepdims),
    "ReduceL2": lambda x, axes, keepdims: np.sqrt((x * x).sum(axes, keepdims=keepdims)),
    "ReduceSumSquare": lambda x, axes, keepdims: (x * x).sum(axes, keepdims=keepdims),
    "ReduceLogSumExp": lambda x, axes, keepdims: np.log(np.exp(x).sum(axes, keepdims=keepdims)),
}


def reduction(net: Network, x: str = "") -> str:
    kind = pick(*REDUCTIONS)
    x = x or net.tensor(sizes(random.integers(1, 6), 1, 2, 3, 4, 5, 9), is_constant=False)
    rank = net.values[x].ndim
    axes = sorted(int(axis) for axis in random.permutation(rank)[:random.integers(1, rank + 1)])
    if chance(0.3):
        x = net.op("Relu", [x], np.maximum(net.values[x], 0))
    keepdims = chance()
    numbers = REDUCTIONS[kind](net.values[x].astype("f8"), tuple(axes), keepdims=keepdims)
    written = [axis - rank if chance(0.3) else axis for axis in axes]
    if kind == "ReduceSum":
        return net.op(kind, [x, net.integers(written)], numbers, keepdims=int(keepdims))
    return net.op(kind, [x], numbers, axes=written, keepdims=int(keepdims))


def byte_sum(net: Network) -> str:
    rank = int(random.integers(1, 5))
    x = net.tensor(sizes(rank, 1, 3, 4, 8), is_constant=False, dtype="u1", low=0, high=256)
    wide = net.op("Cast", [x], net.values[x].astype("i4"), to=TensorProto.INT32)
    axes = sorted(int(axis) for axis in random.permutation(rank)[:random.integers(1, rank + 1)])
    return net.op("ReduceSum", [wide, net.integers(axes)], net.values[wide].sum(tuple(axes), keepdims=True, dtype="i4"))


def along_axis(net: Network, x: str = "") -> str:
    x = x or net.tensor(sizes(random.integers(1, 5), 1, 2, 4, 5, 11), is_constant=False)
    data = net.values[x].astype("f8")
    shape, rank = list(data.shape), data.ndim
    axis = int(random.integers(rank))
    written = axis - rank if chance(0.4) else axis
    kind = pick("Softmax", "LogSoftmax", "CumSum", "ArgMax", "ArgMin", "TopK", "LayerNormalization")
    if kind in ("Softmax", "LogSoftmax"):
        powers = np.exp(data - data.max(axis, keepdims=True))
        numbers = powers / powers.sum(axis, keepdims=True)
        return net.op(kind, [x], np.log(numbers) if kind == "LogSoftmax" else numbers, axis=written)
    if kind == "CumSum":
        exclusive, reverse = int(chance()), int(chance())
        data = np.flip(data, axis) if reverse else data
        sums = np.cumsum(data, axis) - (data if exclusive else 0)
        return net.op(kind, [x, net.integers(written)], np.flip(sums, axis) if reverse else sums, exclusive=exclusive, reverse=reverse)
    if kind in ("ArgMax", "ArgMin"):
        keepdims = chance()
        numbers = (np.argmax if kind == "ArgMax" else np.argmin)(data, axis, keepdims=keepdims)
        return net.op(kind, [x], numbers.astype("i8"), axis=written, keepdims=int(keepdims))
    if kind == "TopK":
        k, largest = int(random.integers(1, shape[axis] + 1)), chance()
        numbers = np.take(np.sort(data, axis), range(k), axis) if not largest else -np.take(np.sort(-data, axis), range(k), axis)
        name, other = net.name("t"), net.name("t")
        net.nodes.append(helper.make_node(kind, [x, net.integers([k])], [name, other], axis=written, largest=int(largest)))
        net.values[name] = numbers
        return name
    axes = tuple(range(axis, rank))
    scale = net.tensor(shape[axis:])
    centred = data - data.mean(axes, keepdims=True)
    numbers = centred / np.sqrt((centred * centred).mean(axes, keepdims=True) + 1e-5) * net.values[scale]
    operands = [x, scale]
    if chance():
        operands.append(net.tensor(shape[axis:]))
        numbers = numbers + net.values[operands[-1]]
    return net.op(kind, operands, numbers, axis=written)


def norm(net: Network) -> str:
    shape = [pick(1, 2), pick(1, 3, 4, 8), *sizes(random.integers(1, 4), 2, 3, 6)]
    x = net.tensor(shape, is_constant=False)
    data = net.values[x].astype("f8")
    scale, bias = net.tensor([shape[1]]), net.tensor([shape[1]])
    column = [shape[1]] + [1] * (len(shape) - 2)
    if chance():
        axes = tuple(range(2, len(shape)))
        mean, variance = data.mean(axes, keepdims=True), data.var(axes, keepdims=True)
        kind, operands = "InstanceNormalization", [x, scale, bias]
    else:
        operands = [x, scale, bias, net.tensor([shape[1]]), net.tensor([shape[1]], low=0.5, high=1.5)]
        mean, variance = (net.values[name].reshape(column) for name in operands[3:])
        kind = "BatchNormalization"
    numbers = (data - mean) / np.sqrt(variance + 1e-5) * net.values[scale].reshape(column) + net.values[bias].reshape(column)
    return net.op(kind, operands, numbers)


def attention(net: Network) -> str:
    batch, heads, rows, keys, size, width = pick(1, 2), pick(1, 3), pick(1, 2, 5), pick(1, 4, 9), pick(1, 4, 6), pick(1, 4, 5)
    shared = pick(heads, 1)
    query = net.tensor([batch, heads, rows, size], is_constant=False)
    key = net.tensor([batch, shared, size, keys], is_constant=chance(0.2))
    value = net.tensor([pick(batch, 1), heads, keys, width], is_constant=chance(0.2))
    scores = net.op("MatMul", [query, key], np.matmul(net.values[query], net.values[key]))
    mask = net.tensor(broadcast([batch, heads, rows, keys]))
    scores = net.op("Add", [scores, mask], net.values[scores] + net.values[mask])
    powers = np.exp(net.values[scores] - net.values[scores].max(-1, keepdims=True))
    weights = net.op("Softmax", [scores], powers / powers.sum(-1, keepdims=True), axis=-1)
    return net.op("MatMul", [weights, value], np.matmul(net.values[weights], net.values[value]))


#===-- Elements ------------------------------------------------------------===#


def elementwise(net: Network) -> str:
    shape = sizes(random.integers(0, 5), 1, 2, 3, 4, 9, 17)
    operands = [net.tensor(broadcast(shape)), net.tensor(broadcast(shape))]
    kind, function = pick(("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply), ("Max", np.maximum), ("Min", np.minimum),
                          ("PRelu", lambda x, slope: np.where(x < 0, slope * x, x)))
    if kind == "PRelu":
        operands = [net.tensor(shape), net.tensor(broadcast(shape))]
    name = net.op(kind, operands, function(*(net.values[operand] for operand in operands)))
    if chance(0.3):
        condition = net.tensor(broadcast(shape), dtype="b1", low=0, high=2)
        other = net.tensor(broadcast(shape))
        name = net.op("Where", [condition, name, other], np.where(net.values[condition], net.values[name], net.values[other]))
    return name


def move(net: Network) -> str:
    rank = int(random.integers(1, 6))
    shape = sizes(rank, 1, 2, 3, 4, 8, 9)
    axis = int(random.integers(rank))
    kind = pick("Transpose", "Concat", "Slice", "Expand", "Gather", "Pad", "Tile", "Resize")
    if kind == "Resize":
        shape = [pick(1, 2), pick(1, 4, 8), *sizes(2, 2, 3, 5)]
    x = net.tensor(shape, is_constant=False)
    data = net.values[x]
    if kind == "Transpose":
        axes = [int(axis) for axis in random.permutation(rank)]
        return net.op(kind, [x], data.transpose(axes), perm=axes)
    if kind == "Concat":
        other = list(shape)
        other[axis] = pick(1, 3, 4)
        operands = [x, net.tensor(other), x][:pick(2, 3)]
        return net.op(kind, operands, np.concatenate([net.values[name] for name in operands], axis), axis=axis)
    if kind == "Slice":
        first, step = int(random.integers(shape[axis])), pick(1, 1, 2, -1)
        end = pick(shape[axis], 100) if step > 0 else -100
        numbers = data[(slice(None),) * axis + (slice(first, None if step < 0 else end, step),)]
        return net.op(kind, [x, *(net.integers([number]) for number in (first, end, axis, step))], numbers)
    if kind == "Expand":
        small = net.tensor(broadcast(shape), is_constant=False)
        return net.op(kind, [small, net.integers(shape)], np.broadcast_to(net.values[small], shape))
    if kind == "Gather":
        indices = random.integers(-shape[axis], shape[axis], sizes(random.integers(0, 3), 1, 2, 5))
        return net.op(kind, [x, net.integers(indices)], np.take(data, indices, axis), axis=axis)
    if kind == "Pad":
        pads = [int(random.integers(0, 3)) for _ in range(2 * rank)]
        return net.op(kind, [x, net.integers(pads)], np.pad(data, list(zip(pads[:rank], pads[rank:]))))
    if kind == "Tile":
        counts = sizes(rank, 1, 2, 3)
        return net.op(kind, [x, net.integers(counts)], np.tile(data, counts))
    scales = [1, 1, *sizes(2, 1, 2, 3)]
    name = net.name("c")
    net.constants.append(numpy_helper.from_array(np.array(scales, "f4"), name))
    if chance():
        numbers = data.repeat(scales[2], 2).repeat(scales[3], 3)
        return net.op(kind, [x, "", name], numbers, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    for dim in (2, 3):
        places = np.clip((np.arange(shape[dim] * scales[dim]) + 0.5) / scales[dim] - 0.5, 0, shape[dim] - 1)
        below = np.floor(places).astype(int)
        share = (places - below).reshape([-1] + [1] * (3 - dim))
        above = np.minimum(below + 1, shape[dim] - 1)
        data = np.take(data, below, dim) * (1 - share) + np.take(data, above, dim) * share
    return net.op(kind, [x, "", name], data, mode="linear", coordinate_transformation_mode="half_pixel")


KINDS = {matmul: 16, gemm: 4, einsum: 5, conv: 6, conv_transpose: 3, pool: 6, after_conv: 12, reduction: 10, byte_sum: 3, along_axis: 14, norm: 4,
         attention: 3, elementwise: 8, move: 10}
net = Network()
for kind, count in KINDS.items():
    for _ in range(COUNT or count):
        start = len(net.nodes)
        result = kind(net)
        if net.values[result].dtype.kind == "f" and net.values[result].ndim:
            result = net.epilogue(result)
        shapes = [f"{node.op_type}({', '.join('x'.join(map(str, net.values[n].shape)) if n in net.values else '-' for n in node.input)})"
                  + "".join(f" {a.name}={helper.get_attribute_value(a)}" for a in node.attribute) for node in net.nodes[start:]]
        net.output(result, "; ".join(shapes))
# A vector, and several matrices.
for shape in ([4], [1, 4], [1, 1, 4]):
    operands = [net.tensor(shape, is_constant=False), net.tensor([2, 4, 3], is_constant=False)]
    net.output(net.op("MatMul", operands, np.matmul(*(net.values[name] for name in operands))), f"MatMul of {shape}")
for name, value in net.expected.items():
    if value.dtype.kind == "f":
        net.expected[name] = value.astype("f4")
onnx.save(net.build(), str(folder / "net.onnx"))
arguments = []
for name, value in net.inputs.items():
    np.save(folder / f"{name}.npy", value)
    arguments += ["--input", f"{name}={folder / name}.npy"]

is_right = True
for label, options, flags in (("vectors", [], "-O1 -march=native"), ("scalars", [], "-O1 -DUMA_LANES=1"), ("loops", ["--kernels=loops"], "-O1")):
    found = folder / label
    command = ["uma", "run", str(folder / "net.onnx"), *options, "--output-dir", str(found), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CFLAGS": flags})
    if ran.returncode:
        sys.exit(f"{label}: {ran.stderr}")
    equal = 0
    for name, expected in net.expected.items():
        numbers = np.load(found / f"{name}.npy")
        largest = np.abs(expected).max() if expected.dtype.kind == "f" and expected.size else 0
        if numbers.shape == expected.shape and np.allclose(numbers, expected, rtol=1e-5, atol=3e-6 * largest + 1e-7):
            equal += 1
            continue
        print(f"{label}: {net.texts[name]}: {numbers.shape} {numbers.ravel()[:5]}, expected {expected.shape} {expected.ravel()[:5]}")
    print(f"{label}: {equal} of {len(net.expected)} operators equal")
    is_right = is_right and equal == len(net.expected)
sys.exit(not is_right)
