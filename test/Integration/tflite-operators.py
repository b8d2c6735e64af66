"""Operators of TensorFlow Lite on floats, integers and booleans, through the emitted C: the numbers are NumPy's."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: elementwise: all {{[0-9]+}} results equal
# CHECK-NEXT: activations: all {{[0-9]+}} results equal
# CHECK-NEXT: layers: all {{[0-9]+}} results equal
# CHECK-NEXT: reductions: all {{[0-9]+}} results equal
# CHECK-NEXT: movement: all {{[0-9]+}} results equal
# CHECK-NEXT: slices: all {{[0-9]+}} results equal
# CHECK-NEXT: generators: all {{[0-9]+}} results equal
# CHECK-NEXT: resizes: all {{[0-9]+}} results equal

import numpy as np
from tflite_group import Group

random = np.random.default_rng(3)


def floats(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


def ints(*shape: int, low: int = -9, high: int = 9) -> np.ndarray:
    return random.integers(low, high, shape, dtype=np.int32)


# Elementwise operators, with broadcast and fused activations.
group = Group("elementwise")
a, b = floats(2, 3, 4), floats(4)
group.check("ADD", [a, b], a + b)
group.check("ADD", [a, b], np.maximum(a + b, 0), "Add", fused_activation_function="RELU")
group.check("SUB", [a, b], np.clip(a - b, -1, 1), "Sub", fused_activation_function="RELU_N1_TO_1")
group.check("MUL", [a, b], np.clip(a * b, 0, 6), "Mul", fused_activation_function="RELU6")
group.check("DIV", [a, b], np.tanh(a / b), "Div", fused_activation_function="TANH")
i, j = ints(3, 5), ints(3, 5, low=1)
group.check("ADD", [i, (np.int32(7),)], i + np.int32(7))
group.check("FLOOR_DIV", [i, j], i // j)
group.check("FLOOR_DIV", [a, b], np.floor(a / b))
group.check("FLOOR_MOD", [i, j], i % j)
group.check("FLOOR_MOD", [i, -j], i % -j)
group.check("MAXIMUM", [a, b], np.maximum(a, b))
group.check("MINIMUM", [a, b], np.minimum(a, b))
group.check("POW", [np.abs(a), b], np.abs(a) ** b)
group.check("SQUARED_DIFFERENCE", [a, b], (a - b) ** 2)
group.check("ADD_N", [a, a, a], 3 * a)
for operator, function in {
    "ABS": np.abs,
    "NEG": np.negative,
    "SQUARE": np.square,
    "SIGN": np.sign,
    "EXP": np.exp,
    "SIN": np.sin,
    "COS": np.cos,
    "FLOOR": np.floor,
    "CEIL": np.ceil,
    "ROUND": np.rint,
}.items():
    group.check(operator, [a], function(a))
for operator, function in {"LOG": np.log, "SQRT": np.sqrt, "RSQRT": lambda x: 1 / np.sqrt(x)}.items():
    group.check(operator, [np.abs(a)], function(np.abs(a)))
for operator, function in {
    "EQUAL": np.equal,
    "NOT_EQUAL": np.not_equal,
    "LESS": np.less,
    "LESS_EQUAL": np.less_equal,
    "GREATER": np.greater,
    "GREATER_EQUAL": np.greater_equal,
}.items():
    group.check(operator, [i, j], function(i, j))
p, q = i > 0, j > 4
group.check("LOGICAL_AND", [p, q], p & q)
group.check("LOGICAL_OR", [p, q], p | q)
group.check("LOGICAL_NOT", [p], ~p)
group.check("SELECT", [p, i, j], np.where(p, i, j))
group.check("SELECT", [p[:, 0], i, j], np.where(p[:, :1], i, j))
group.check("SELECT_V2", [p[0], i, j], np.where(p[0], i, j))
group.check("CAST", [i], i.astype(np.float32))
group.check("CAST", [a], np.trunc(a).astype(np.int32))
group.check("CAST", [p], p.astype(np.int32))
group.check("DEQUANTIZE", [a.astype(np.float16)], a.astype(np.float16).astype(np.float32))
group.run()

group = Group("activations")
group.check("RELU", [a], np.maximum(a, 0))
group.check("RELU6", [4 * a], np.clip(4 * a, 0, 6))
group.check("RELU_N1_TO_1", [a], np.clip(a, -1, 1))
group.check("RELU_0_TO_1", [a], np.clip(a, 0, 1))
group.check("TANH", [a], np.tanh(a))
group.check("LOGISTIC", [a], 1 / (1 + np.exp(-a)))
group.check("ELU", [a], np.where(a < 0, np.expm1(a), a))
group.check("HARD_SWISH", [4 * a], 4 * a * np.clip(4 * a + 3, 0, 6) / 6)
group.check("LEAKY_RELU", [a], np.where(a < 0, np.float32(0.3) * a, a), "LeakyRelu", alpha=0.3)
group.check("PRELU", [a, (b,)], np.where(a < 0, b * a, a))
gelu = 0.5 * a * (1 + np.tanh(np.sqrt(2 / np.pi).astype(np.float32) * (a + np.float32(0.044715) * a**3)))
group.check("GELU", [a], gelu.astype(np.float32), "Gelu", approximate=True)


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


group.check("SOFTMAX", [a], softmax(a), "Softmax", beta=1.0)
group.check("SOFTMAX", [a], softmax(2 * a), "Softmax", beta=2.0)
group.check("LOG_SOFTMAX", [a], np.log(softmax(a)))
group.run()

# Convolutions, pools and products.
group = Group("layers")


def pad_same(x: np.ndarray, kernel, strides, dilations=(1, 1), value: float = 0) -> np.ndarray:
    pads = [(0, 0)]
    for size, k, s, d in zip(x.shape[1:3], kernel, strides, dilations):
        total = max((-(-size // s) - 1) * s + (k - 1) * d + 1 - size, 0)
        pads.append((total // 2, total - total // 2))
    return np.pad(x, [*pads, (0, 0)], constant_values=value)


def windows(x: np.ndarray, kernel, strides, dilations=(1, 1)):
    """Windows as [N, oh, ow, kh, kw, C]."""
    sizes = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(x.shape[1:3], kernel, strides, dilations)]
    rows = [[y * strides[0] + i * dilations[0] for i in range(kernel[0])] for y in range(sizes[0])]
    columns = [[z * strides[1] + i * dilations[1] for i in range(kernel[1])] for z in range(sizes[1])]
    return x[:, np.array(rows)[:, None, :, None], np.array(columns)[None, :, None, :], :]


def conv(x, w, bias, strides, dilations=(1, 1)) -> np.ndarray:
    groups = x.shape[3] // w.shape[3]
    taps = windows(x, w.shape[1:3], strides, dilations)
    parts = zip(np.split(taps, groups, axis=-1), np.split(w, groups))
    return np.concatenate([np.einsum("nyxijc,oijc->nyxo", t, k) for t, k in parts], -1) + bias


x, w, bias = floats(1, 7, 8, 4), floats(6, 3, 3, 4), floats(6)
same = {"padding": "SAME", "stride_w": 1, "stride_h": 1}
group.check("CONV_2D", [x, (w,), (bias,)], conv(pad_same(x, (3, 3), (1, 1)), w, bias, (1, 1)), "Conv2D", **same)
group.check("CONV_2D", [x, (w,), None], conv(pad_same(x, (3, 3), (1, 1)), w, 0, (1, 1)), "Conv2D", **same)
group.check(
    "CONV_2D",
    [x, (w,), (bias,)],
    np.maximum(conv(pad_same(x, (3, 3), (2, 3)), w, bias, (2, 3)), 0),
    "Conv2D",
    padding="SAME",
    stride_h=2,
    stride_w=3,
    fused_activation_function="RELU",
)
dilated = conv(x, w, bias, (1, 1), (2, 1))
group.check("CONV_2D", [x, (w,), (bias,)], dilated, "Conv2D", **{**same, "padding": "VALID"}, dilation_h_factor=2)
w = floats(6, 3, 3, 2)
grouped = conv(pad_same(x, (3, 3), (1, 1)), w, bias, (1, 1))
group.check("CONV_2D", [x, (w,), (bias,)], grouped, "Conv2D", **same)
w, bias = floats(1, 3, 2, 8), floats(8)
taps = windows(pad_same(x, (3, 2), (2, 2)), (3, 2), (2, 2))
depthwise = np.einsum("nyxijc,ijcm->nyxcm", taps, w[0].reshape(3, 2, 4, 2)).reshape(1, 4, 4, 8) + bias
group.check(
    "DEPTHWISE_CONV_2D",
    [x, (w,), (bias,)],
    depthwise,
    "DepthwiseConv2D",
    padding="SAME",
    stride_w=2,
    stride_h=2,
    depth_multiplier=2,
)
w = floats(5, 3, 3, 4)
for padding, size in ("VALID", (15, 17)), ("SAME", (14, 16)), ("SAME", (13, 15)), ("VALID", (16, 18)):
    full = np.zeros((1, 20, 20, 5), np.float32)
    for y in range(7):
        for z in range(8):
            full[:, 2 * y : 2 * y + 3, 2 * z : 2 * z + 3] += np.einsum("nc,oijc->nijo", x[:, y, z], w)
    begin = [max((n - 1) * 2 + 3 - s, 0) // 2 if padding == "SAME" else 0 for n, s in zip((7, 8), size)]
    result = full[:, begin[0] : begin[0] + size[0], begin[1] : begin[1] + size[1]]
    shape = np.array([1, *size, 5], np.int32)
    group.check("TRANSPOSE_CONV", [(shape,), (w,), x], result, "TransposeConv", padding=padding, stride_w=2, stride_h=2)
pool = {"padding": "SAME", "stride_w": 2, "stride_h": 2, "filter_width": 3, "filter_height": 2}
nans = windows(pad_same(x, (2, 3), (2, 2), value=np.nan), (2, 3), (2, 2))
group.check("AVERAGE_POOL_2D", [x], np.nanmean(nans, axis=(3, 4)), "Pool2D", **pool)
group.check("MAX_POOL_2D", [x], np.nanmax(nans, axis=(3, 4)), "Pool2D", **pool)
group.check("L2_POOL_2D", [x], np.sqrt(np.nanmean(nans**2, axis=(3, 4))), "Pool2D", **pool)
m, w, bias = floats(3, 4, 5), floats(7, 20), floats(7)
group.check("FULLY_CONNECTED", [m, (w,), (bias,)], m.reshape(3, 20) @ w.T + bias, "FullyConnected")
w = floats(7, 5)
group.check("FULLY_CONNECTED", [m, (w,), None], m @ w.T, "FullyConnected", keep_num_dims=True)
group.check("FULLY_CONNECTED", [m, (w,)], (m @ w.T).reshape(12, 7), "FullyConnected")
n = floats(3, 2, 5)
group.check("BATCH_MATMUL", [m, n], m @ n.transpose(0, 2, 1), "BatchMatMul", adj_y=True)
# Weights of 4 and 8 bits with scales for blocks of the last dimension.
for bits, zeros in (4, None), (8, np.int8([[1], [2], [-3]])):
    low = 2 ** (bits - 1)
    w = random.integers(-low, low, (3, 2, 4)).astype(np.int8)
    steps, scales = w.reshape(-1), random.uniform(0.1, 1, (3, 2)).astype(np.float16)
    packed = (steps[0::2] & 15) | (steps[1::2] << 4) if bits == 4 else steps
    zero = -1 if zeros is None else group.model.constant("zeros", np.repeat(zeros, 2, 1))
    details = {"scales": group.model.constant(f"scales{bits}", scales), "zero_points": zero, "block_size": 4}
    fields = {"shape": (3, 8), "dtype": "INT4" if bits == 4 else "int8",
              "quantization": {"details_type": "BlockwiseQuantization", "details": details}}
    real = ((w - (0 if zeros is None else zeros[:, :, None])) * scales[:, :, None].astype(np.float32)).reshape(3, 8)
    m = floats(5, 8)
    group.check("FULLY_CONNECTED", [m, (packed.view(np.uint8) if bits == 4 else packed, fields)], m @ real.T, "FullyConnected")
v, w = floats(1, 4, 5, 6, 2), floats(2, 2, 2, 2, 3)
volume = sum(
    np.einsum("ndhwc,co->ndhwo", v[:, i : i + 3, j : j + 4, k : k + 5], w[i, j, k])
    for i in (0, 1)
    for j in (0, 1)
    for k in (0, 1)
)
group.check("CONV_3D", [v, (w,)], volume, "Conv3D", padding="VALID", stride_d=1, stride_w=1, stride_h=1)

# The shape of the result may be known only when the model runs: the declared shape holds.
x, w = floats(1, 2, 3, 2), floats(2, 3, 3, 2)
full = np.zeros((1, 2 * 1 + 3, 2 * 2 + 3, 2), np.float32)
for row in range(2):
    for column in range(3):
        full[:, 2 * row : 2 * row + 3, 2 * column : 2 * column + 3] += np.einsum("nc,oyxc->nyxo", x[:, row, column], w)
group.check("TRANSPOSE_CONV", [np.int32(full.shape), (w,), x], full, "TransposeConv", padding="VALID", stride_h=2, stride_w=2)
# The scales of a bias belong to its only dimension, whatever the file says.
x, w, b = floats(2, 3), floats(4, 3), np.int32([100, -7, 5, 0])
scales = [0.5, 0.25, 2, 1]
bias = (b, {"scale": scales, "zero": [0] * 4, "axis": 3})
group.check("FULLY_CONNECTED", [x, (w,), bias], x @ w.T + np.float32(scales) * b.astype(np.float32), "FullyConnected")
# Integers of 32 bits, also beyond the 24 bits of f32.
x = group.operand(np.int16([0, 3, 32767, -32768]))
for scale, expected in (0.25, [0, 6, 65534, -65536]), (2.0**-13, [0, 12288, 134213632, -134217728]), (3.0, [0, 1, 5461, -5461]):
    group.model.graph["tensors"][x]["quantization"] = {"scale": [0.5], "zero_point": [0]}
    group.outputs.append(group.model.tensor(f"quantized_{scale}", (4,), "int32", scale=scale, zero=0))
    group.model.add("QUANTIZE", [x], group.outputs[-1:])
    group.expected[f"quantized_{scale}"] = np.int32(expected)
group.run()

group = Group("reductions")
for operator, function in {
    "MEAN": np.mean,
    "SUM": np.sum,
    "REDUCE_MAX": np.max,
    "REDUCE_MIN": np.min,
    "REDUCE_PROD": np.prod,
}.items():
    group.check(operator, [a, (np.array([1, -1], np.int32),)], function(a, axis=(1, 2)), "Reducer")
    group.check(operator, [a, (np.int32(0),)], function(a, axis=0, keepdims=True), "Reducer", keep_dims=True)
group.check("REDUCE_ANY", [p, (np.array([1], np.int32),)], p.any(1), "Reducer")
group.check("REDUCE_ALL", [p, (np.array([1], np.int32),)], p.all(1), "Reducer")
group.check("ARG_MAX", [a, (np.int32(-1),)], a.argmax(-1))
group.check("ARG_MIN", [a, (np.int32(1),)], a.argmin(1).astype(np.int32))
group.check("CUMSUM", [a, (np.int32(1),)], a.cumsum(1), "Cumsum")
reverse = np.flip(np.flip(a, 1).cumsum(1), 1) - a
group.check("CUMSUM", [a, (np.int32(1),)], reverse, "Cumsum", exclusive=True, reverse=True)
group.check("L2_NORMALIZATION", [a], a / np.sqrt((a**2).sum(-1, keepdims=True)), "L2Norm")
order = np.argsort(-a, axis=-1, kind="stable")[..., :2]
group.check("TOPK_V2", [a, (np.int32(2),)], [np.take_along_axis(a, order, -1), order.astype(np.int32)])
group.run()

group = Group("movement")
image = floats(2, 4, 6, 8)


def list_of(*values) -> tuple:
    return (np.array(values, np.int32),)


group.check("RESHAPE", [a, list_of(-1, 6)], a.reshape(4, 6))
group.check("RESHAPE", [a], a.reshape(12, 2), "Reshape", new_shape=[12, -1])
# A shape that is no vector does not count.
group.check("RESHAPE", [a, (np.int32([[2, 3, 4]]),)], a.reshape(12, 2), "Reshape", new_shape=[12, -1])
group.check("SQUEEZE", [a[:1, :1]], a[0, 0], "Squeeze")
group.check("SQUEEZE", [a[:1, :1]], a[0, :1], "Squeeze", squeeze_dims=[0])
group.check("EXPAND_DIMS", [a, list_of(-2)], a[:, :, None])
group.check("TRANSPOSE", [a, list_of(2, 0, 1)], a.transpose(2, 0, 1))
group.check("CONCATENATION", [a, a], np.concatenate([a, a], 1), "Concatenation", axis=-2)
group.check("SPLIT", [(np.int32(2),), a], np.split(a, 2, 2), "Split", num_splits=2)
group.check("SPLIT_V", [a, list_of(1, -1), (np.int32(2),)], np.split(a, [1], 2), "SplitV", num_splits=2)
group.check("PACK", [a, a], np.stack([a, a], -1), "Pack", values_count=2, axis=-1)
group.check("UNPACK", [a], list(a.transpose(1, 0, 2)), "Unpack", num=3, axis=1)
pads = np.array([[0, 0], [1, 2], [0, 3]], np.int32)
group.check("PAD", [a, (pads,)], np.pad(a, pads))
group.check("PADV2", [a, (pads,), (np.float32(2.5),)], np.pad(a, pads, constant_values=2.5))
group.check("MIRROR_PAD", [a, (pads,)], np.pad(a, pads, mode="reflect"), "MirrorPad", mode="REFLECT")
group.check("MIRROR_PAD", [a, (pads,)], np.pad(a, pads, mode="symmetric"), "MirrorPad", mode="SYMMETRIC")
group.check("TILE", [a, list_of(2, 1, 3)], np.tile(a, (2, 1, 3)))
group.check("BROADCAST_TO", [b, list_of(2, 3, 4)], np.broadcast_to(b, (2, 3, 4)))
group.check("REVERSE_V2", [a, list_of(0, 2)], np.flip(a, (0, 2)))
blocks = image.reshape(2, 2, 2, 3, 2, 8).transpose(0, 1, 3, 2, 4, 5).reshape(2, 2, 3, 32)
group.check("SPACE_TO_DEPTH", [image], blocks, "SpaceToDepth", block_size=2)
group.check("DEPTH_TO_SPACE", [blocks], image, "DepthToSpace", block_size=2)
padded = np.pad(image, [(0, 0), (1, 1), (0, 3), (0, 0)])
batches = padded.reshape(2, 3, 2, 3, 3, 8).transpose(2, 4, 0, 1, 3, 5).reshape(12, 3, 3, 8)
crops = np.array([[1, 1], [0, 3]], np.int32)
group.check("SPACE_TO_BATCH_ND", [image, list_of(2, 3), (crops,)], batches)
group.check("BATCH_TO_SPACE_ND", [batches, list_of(2, 3), (crops,)], image)
group.run()

group = Group("slices")
group.check("SLICE", [a, list_of(0, 1, 1), list_of(2, -1, 2)], a[:, 1:, 1:3])
ends = {"begin_mask": 1, "end_mask": 2}
group.check("STRIDED_SLICE", [a, list_of(1, 0, -1), list_of(1, 2, 0), list_of(1, 2, -2)], a[:1, ::2, -1:0:-2], "StridedSlice", **ends)
shrinks = {"shrink_axis_mask": 2, "begin_mask": 5, "end_mask": 5}
group.check("STRIDED_SLICE", [a, list_of(0, -2, 0), list_of(0, 0, 0), list_of(1, 1, 1)], a[:, -2], "StridedSlice", **shrinks)
news = {"ellipsis_mask": 1, "new_axis_mask": 2}
group.check("STRIDED_SLICE", [a, list_of(0, 0, 1), list_of(0, 0, 3), list_of(1, 1, 1)], a[..., None, 1:3], "StridedSlice", **news)
backwards = {"begin_mask": 7, "end_mask": 7}
group.check("STRIDED_SLICE", [a, list_of(0, 0, 0), list_of(0, 0, 0), list_of(-1, 1, -3)], a[::-1, :, ::-3], "StridedSlice", **backwards)
group.check("STRIDED_SLICE", [b, list_of(-3), list_of(2), list_of(1)], b[1:3], "StridedSlice", offset=True)
index = ints(2, 2, low=0, high=3)
group.check("GATHER", [a, index], a[:, index], "Gather", axis=1)
rows = random.integers(0, a.shape[1], (a.shape[0], 2), dtype=np.int32)
by_batch = np.stack([part[row] for part, row in zip(a, rows)])
group.check("GATHER", [a, (rows,)], by_batch, "Gather", axis=1, batch_dims=1)
group.check("GATHER", [a, rows], by_batch, "Gather", axis=-2, batch_dims=-1)
positions = np.array([[0, 2], [1, 0]], np.int32)
group.check("GATHER_ND", [a, positions], a[positions[:, 0], positions[:, 1]])
group.check("EMBEDDING_LOOKUP", [np.array([1, 0, 1], np.int32), a], a[[1, 0, 1]])
group.run()

group = Group("generators")
group.check("FILL", [list_of(2, 3), np.float32(1.5).reshape(())], np.full((2, 3), 1.5, np.float32))
group.check("ZEROS_LIKE", [a], np.zeros_like(a))
group.check("ONE_HOT", [np.array([1, 3], np.int32), (np.int32(4),), (np.float32(2),), (np.float32(-1),)], np.where(np.eye(4)[[1, 3]] > 0, 2, -1).astype(np.float32), "OneHot", axis=-1)
# Shapes that the model computes are known when it is compiled.
model = group.model
shape = model.tensor("shape", [3], "int32")
head = model.tensor("head", [1], "int32")
reversed_shape = model.tensor("joined", [2], "int32")
group.inputs["data"] = a
data = model.input("data", a.shape)
model.add("SHAPE", [data], [shape], "")
rank = model.tensor("rank", [], "int32")
model.add("RANK", [data], [rank])
model.add("STRIDED_SLICE", [shape, *(model.constant(f"c{k}", np.array([v], np.int32)) for k, v in enumerate((1, 2, 1)))], [head], "StridedSlice")
model.add("CONCATENATION", [head, model.constant("rest", np.array([-1], np.int32))], [reversed_shape], "Concatenation", axis=0)
steps = model.tensor("steps", [3], "int32")
model.add("RANGE", [model.constant("r0", np.int32(0)), rank, model.constant("r1", np.int32(1))], [steps])
result = model.tensor("computed", [3, 8])
model.add("RESHAPE", [data, reversed_shape], [result])
group.outputs += [result, steps]
group.expected["computed"] = a.reshape(3, 8)
group.expected["steps"] = np.arange(3, dtype=np.int32)
group.run()

group = Group("resizes")


def resize(x: np.ndarray, size, corners: bool, centers: bool, nearest: bool) -> np.ndarray:
    for axis in (1, 2):
        n, m = x.shape[axis], size[axis - 1]
        scale = np.float32((n - 1) / (m - 1)) if corners and m > 1 else np.float32(n / m)
        at = np.arange(m, dtype=np.float32)
        if nearest:
            at = (at + (0.5 if centers else 0)) * scale
            x = np.take(x, np.clip(np.floor(at + 0.5) if corners else np.floor(at), 0, n - 1).astype(int), axis)
            continue
        at = np.clip((at + np.float32(0.5)) * scale - np.float32(0.5) if centers else at * scale, 0, n - 1)
        low = np.floor(at).astype(int)
        weight = (at - low).reshape([-1 if d == axis else 1 for d in range(4)])
        x = np.take(x, low, axis) * (1 - weight) + np.take(x, np.minimum(low + 1, n - 1), axis) * weight
    return x.astype(np.float32)


for corners, centers in (False, False), (True, False), (False, True):
    flags = {"align_corners": corners, "half_pixel_centers": centers}
    for size in (7, 9), (3, 2), (1, 6):
        group.check("RESIZE_BILINEAR", [image, list_of(*size)], resize(image, size, corners, centers, False), "ResizeBilinear", **flags)
        nearest = resize(image, size, corners, centers, True)
        group.check("RESIZE_NEAREST_NEIGHBOR", [image, list_of(*size)], nearest, "ResizeNearestNeighbor", **flags)
group.run()
