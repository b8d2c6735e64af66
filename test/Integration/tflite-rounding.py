"""Quantized operators of random scales and zero points with --rounding=tflite, on vectors and in loops: the numbers are those of
TensorFlow Lite's fixed-point formulas, computed here in NumPy's integers."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: vector: 194 of 194 results equal
# CHECK: loops: 194 of 194 results equal

import math
import subprocess
import sys

import numpy as np
from fixed_point import factor, hard_swish, logistic, multiply, saturating, scale, softmax, tanh
from tflite import Model
from tflite_int16 import scale_wide

folder = sys.argv[1]
random = np.random.default_rng(9)
model = Model()
inputs: dict[str, np.ndarray] = {}
expected: dict[str, np.ndarray] = {}
outputs: list[int] = []


def finish(number: np.ndarray, zero: int, y_scale: float, activation: str) -> np.ndarray:
    bounds = {"NONE": (-np.inf, np.inf), "RELU": (0, np.inf), "RELU6": (0, 6)}[activation]
    low, high = (float(b) if math.isinf(b) else zero + math.floor(np.float32(b) / np.float32(y_scale) + 0.5) for b in bounds)
    return np.clip(np.clip(number + zero, low, high), -128, 127).astype(np.int8)


def pick(*shape: int) -> np.ndarray:
    return random.integers(-128, 128, shape, dtype=np.int8)


def pick_scale(low: float = 0.001, high: float = 0.1) -> float:
    return float(np.float32(random.uniform(low, high)))


def add_input(shape) -> tuple[int, np.ndarray, float, int]:
    name = f"x{len(inputs)}"
    inputs[name] = pick(*shape)
    s, z = pick_scale(), int(random.integers(-128, 128))
    return model.input(name, shape, "int8", scale=s, zero=z), inputs[name].astype(np.int64) - z, s, z


def add(operator: str, operands, result: np.ndarray, s: float, z: int, options: str, **values) -> None:
    name = f"y{len(expected)}"
    expected[name] = result.astype(np.int8)
    outputs.append(model.tensor(name, result.shape, "int8", scale=s, zero=z))
    model.add(operator, operands, [outputs[-1]], options, **values)


for i in range(8):
    activation = ["NONE", "RELU", "RELU6"][i % 3]
    fused = {"fused_activation_function": activation}
    y_scale, y_zero = pick_scale(0.01, 0.1), int(random.integers(-128, 128))

    # A pointwise convolution, whose factors are products of doubles, one for each channel.
    x, steps, x_scale, _ = add_input((1, 4, 4, 12))
    w, w_scales = pick(6, 1, 1, 12), np.float32(random.uniform(0.001, 0.02, 6))
    bias = random.integers(-5000, 5000, 6, dtype=np.int32) * (1000 if i == 7 else 1)
    sums = steps @ w[:, 0, 0].astype(np.int64).T + bias
    scaled = [scale(sums[..., o], x_scale * float(w_scales[o]) / y_scale) for o in range(6)]
    operands = [
        x,
        model.constant(f"w{i}", w, scale=w_scales, zero=[0] * 6),
        model.constant(f"b{i}", bias, scale=np.float64(w_scales) * x_scale, zero=[0] * 6),
    ]
    result = finish(np.stack(scaled, -1), y_zero, y_scale, activation)
    add("CONV_2D", operands, result, y_scale, y_zero, "Conv2D", padding="VALID", stride_w=1, stride_h=1, **fused)

    # A fully connected layer, whose product of scales is rounded to f32.
    x, steps, x_scale, _ = add_input((3, 20))
    w, w_scale = pick(5, 20), pick_scale(0.001, 0.02)
    sums = steps @ w.astype(np.int64).T
    result = finish(scale(sums, float(np.float32(x_scale) * np.float32(w_scale)) / y_scale), y_zero, y_scale, activation)
    add("FULLY_CONNECTED", [x, model.constant(f"v{i}", w, scale=w_scale)], result, y_scale, y_zero, "FullyConnected", **fused)

    # A sum and a difference, with broadcast.
    for operator, sign in ("ADD", 1), ("SUB", -1):
        a, a_steps, a_scale, _ = add_input((2, 3, 7))
        b, b_steps, b_scale, _ = add_input((7,))
        widest = 2 * max(a_scale, b_scale)
        total = scale(a_steps << 20, a_scale / widest) + sign * scale(b_steps << 20, b_scale / widest)
        result = finish(scale(total, widest / (2**20 * y_scale)), y_zero, y_scale, activation)
        add(operator, [a, b], result, y_scale, y_zero, operator.title(), **fused)

    # A mean of stored integers; the scale stays.
    x, steps, x_scale, x_zero = add_input((1, 6, 6, 5))
    kernel = (2, 3) if i % 2 else (3, 3)
    stored = (steps + x_zero).reshape(1, 6 // kernel[0], kernel[0], 6 // kernel[1], kernel[1], 5)
    sums, count = stored.sum((2, 4)), kernel[0] * kernel[1]
    means = np.sign(sums) * ((np.abs(sums) + count // 2) // count)
    result = finish(means - x_zero, x_zero, x_scale, activation)
    window = {"filter_height": kernel[0], "filter_width": kernel[1], "stride_h": kernel[0], "stride_w": kernel[1]}
    add("AVERAGE_POOL_2D", [x], result, x_scale, x_zero, "Pool2D", padding="VALID", **window, **fused)

    # With padding, windows at the border have fewer elements.
    x, steps, x_scale, x_zero = add_input((1, 5, 5, 3))
    means = np.zeros((1, 5, 5, 3), np.int64)
    for row in range(5):
        for column in range(5):
            part = (steps + x_zero)[:, max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            count = part.shape[1] * part.shape[2]
            sums = part.sum((1, 2))
            means[:, row, column] = np.sign(sums) * ((np.abs(sums) + count // 2) // count)
    result = finish(means - x_zero, x_zero, x_scale, activation)
    window = {"filter_height": 3, "filter_width": 3, "stride_h": 1, "stride_w": 1}
    add("AVERAGE_POOL_2D", [x], result, x_scale, x_zero, "Pool2D", padding="SAME", **window, **fused)

    # A mean and a sum of slices, whose sums are rescaled.
    x, steps, x_scale, _ = add_input((2, 5, 7, 3))
    axes = model.constant(f"axes{i}", np.int32([1, 2] if i % 2 else [-1]))
    keep, sums = bool(i & 2), steps.sum((1, 2) if i % 2 else -1, keepdims=bool(i & 2))
    fixed, exponent = factor(x_scale / y_scale)
    count = 35 if i % 2 else 3
    bits = min(count.bit_length() - 1, 31 + exponent)
    add("MEAN", [x, axes], finish(multiply(sums, (fixed << bits) // count, exponent - bits), y_zero, y_scale, "NONE"), y_scale, y_zero,
        "Reducer", keep_dims=keep)
    add("SUM", [x, axes], finish(multiply(sums, fixed, exponent), y_zero, y_scale, "NONE"), y_scale, y_zero, "Reducer", keep_dims=keep)

    # Products of slices, each rescaled by a factor of 15 bits.
    x, steps, x_scale, _ = add_input((2, 5, 3 + i))
    p_scale = float(np.float32(x_scale**5 * 2**24))
    root, product = x_scale / p_scale**0.2, steps[:, 0]
    for j in range(1, 5):
        product = scale_wide(product * steps[:, j], root)
    add("REDUCE_PROD", [x, model.constant(f"axis{i}", np.int32([1]))], finish(scale_wide(product, root), y_zero, p_scale, "NONE"), p_scale,
        y_zero, "Reducer")

    # A product, with broadcast, whose factor is computed in f32.
    a, a_steps, a_scale, _ = add_input((2, 3, 7))
    b, b_steps, b_scale, _ = add_input((3, 1))
    by = float(np.float32(a_scale) * np.float32(b_scale) / np.float32(y_scale))
    add("MUL", [a, b], finish(scale(a_steps * b_steps, by), y_zero, y_scale, activation), y_scale, y_zero, "Mul", **fused)

    # Functions of one operand.
    x, steps, x_scale, _ = add_input((3, 256))
    add("LOGISTIC", [x], saturating(logistic, steps, x_scale, 8, -128), 1 / 256, -128, "")
    add("TANH", [x], saturating(tanh, steps, x_scale, 7, 0), 1 / 128, 0, "")
    ratio = float(np.float32(x_scale) / np.float32(y_scale))
    add(["RELU", "RELU6"][i % 2], [x], finish(scale(steps, ratio), y_zero, y_scale, ["RELU", "RELU6"][i % 2]), y_scale, y_zero, "")
    slope = np.float32(random.uniform(0.01, 1))
    negative = float(np.float32(x_scale) * slope / np.float32(y_scale))
    result = finish(np.where(steps >= 0, scale(steps, ratio), scale(steps, negative)), y_zero, y_scale, "NONE")
    add("LEAKY_RELU", [x], result, y_scale, y_zero, "LeakyRelu", alpha=float(slope))
    add("HARD_SWISH", [x], finish(hard_swish(steps, x_scale, y_scale), y_zero, y_scale, "NONE"), y_scale, y_zero, "")
    numbers = np.float32(x_scale) * steps.astype(np.float32)
    numbers = np.where(numbers < 0, np.expm1(numbers), numbers) * (np.float32(1) / np.float32(y_scale))
    rounded = (np.sign(numbers) * np.floor(np.abs(numbers) + 0.5)).astype(np.int64)
    add("ELU", [x], finish(rounded, y_zero, y_scale, "NONE"), y_scale, y_zero, "")
    x, steps, x_scale, x_zero = add_input((2, 3, [2, 10, 12, 1, 64, 700, 5, 16][i]))
    beta = 1.0 if i < 6 else 0.5
    add("SOFTMAX", [x], softmax(steps + x_zero, x_scale * beta), 1 / 256, -128, "Softmax", beta=beta)

    # A transposed convolution.
    x, steps, x_scale, _ = add_input((1, 3, 4, 5))
    size, strides, same = [3, 2, 4][i % 3], [(2, 2), (1, 3)][i % 2], i < 4
    w, w_scales = pick(6, size, size, 5), np.float32(random.uniform(0.001, 0.02, 6))
    full = np.zeros((1, 2 * strides[0] + size, 3 * strides[1] + size, 6), np.int64)
    for row in range(3):
        for column in range(4):
            part = np.einsum("nc,oyxc->nyxo", steps[:, row, column], w.astype(np.int64))
            full[:, strides[0] * row : strides[0] * row + size, strides[1] * column : strides[1] * column + size] += part
    shape = [n * s if same else f for n, s, f in zip((3, 4), strides, full.shape[1:3])]
    # Elements that no window reaches are 0.
    full = np.pad(full, [(0, 0), (0, strides[0]), (0, strides[1]), (0, 0)])
    begins = [max(0, (n - 1) * s + size - n * s) // 2 if same else 0 for n, s in zip((3, 4), strides)]
    sums = full[:, begins[0] : begins[0] + shape[0], begins[1] : begins[1] + shape[1]] + bias
    scaled = [scale(sums[..., o], x_scale * float(w_scales[o]) / y_scale) for o in range(6)]
    operands = [
        model.constant(f"shape{i}", np.int32([1, *shape, 6])),
        model.constant(f"tw{i}", w, scale=w_scales, zero=[0] * 6),
        x,
        model.constant(f"tb{i}", bias, scale=np.float64(w_scales) * x_scale, zero=[0] * 6),
    ]
    result = finish(np.stack(scaled, -1), y_zero, y_scale, "NONE")
    strides = {"stride_h": strides[0], "stride_w": strides[1]}
    add("TRANSPOSE_CONV", operands, result, y_scale, y_zero, "TransposeConv", padding="SAME" if same else "VALID", **strides)

    # Products of matrices, whose factor is a quotient of an f32 product.
    a, a_steps, a_scale, _ = add_input((2, 3, 11))
    b, b_steps, b_scale, _ = add_input((2, 5, 11) if i % 2 else (11, 5))
    product = a_steps @ (b_steps.swapaxes(-1, -2) if i % 2 else b_steps)
    by = float(np.float32(a_scale) * np.float32(b_scale)) / y_scale
    add("BATCH_MATMUL", [a, b], finish(scale(product, by), y_zero, y_scale, "NONE"), y_scale, y_zero, "BatchMatMul", adj_y=bool(i % 2))

    # Slopes for each channel.
    x, steps, x_scale, _ = add_input((1, 3, 4, 6))
    alpha, alpha_scale, alpha_zero = pick(1, 1, 6), pick_scale(), int(random.integers(-128, 128))
    slopes = model.constant(f"alpha{i}", alpha, scale=alpha_scale, zero=alpha_zero)
    identity = float(np.float32(x_scale) / np.float32(y_scale))
    by = float(np.float32(x_scale) * np.float32(alpha_scale) / np.float32(y_scale))
    negative = scale(steps * (alpha.astype(np.int64) - alpha_zero), by)
    result = finish(np.where(steps >= 0, scale(steps, identity), negative), y_zero, y_scale, "NONE")
    add("PRELU", [x, slopes], result, y_scale, y_zero, "")

    # The square of a difference.
    a, a_steps, a_scale, _ = add_input((2, 3, 7))
    b, b_steps, b_scale, _ = add_input((7,))
    widest = 2 * max(a_scale, b_scale)
    difference = scale(a_steps << 7, a_scale / widest) - scale(b_steps << 7, b_scale / widest)
    result = finish(scale(difference * difference, widest * widest / (2**14 * y_scale)), y_zero, y_scale, "NONE")
    add("SQUARED_DIFFERENCE", [a, b], result, y_scale, y_zero, "")

    # A resize, whose positions have 10 bits behind the point.
    x, steps, x_scale, x_zero = add_input((1, 5, 7, 3))
    corners, centers = [(False, False), (True, False), (False, True)][i % 3]
    numbers = steps + x_zero
    for axis, to in enumerate([(9, 13), (3, 4), (1, 20)][i % 3], 1):
        size = numbers.shape[axis]
        step = (1024 * (size - 1) + (to - 1) // 2) // (to - 1) if corners and to > 1 else (1024 * size + to // 2) // to
        at = np.arange(to) * step + (step // 2 - 512 if centers else 0)
        low = np.maximum(np.trunc(at / 1024), 0).astype(int)
        high = np.minimum(np.trunc((at + 1023) / 1024), size - 1).astype(int)
        weight = (at - 1024 * low).reshape([-1 if d == axis else 1 for d in range(4)])
        numbers = np.take(numbers, low, axis) * (1024 - weight) + np.take(numbers, high, axis) * weight
    result = np.sign(numbers) * ((np.abs(numbers) + (1 << 19)) >> 20)
    sizes = model.constant(f"sizes{i}", np.int32(result.shape[1:3]))
    flags = {"align_corners": corners, "half_pixel_centers": centers}
    add("RESIZE_BILINEAR", [x, sizes], result, x_scale, x_zero, "ResizeBilinear", **flags)

    # SVDF, whose state is an input and an output.
    rank, memory, units, wide = 1 + i % 2, [3, 1, 6, 10][i % 4], 4, i < 6
    filters = units * rank
    x, steps, x_scale, _ = add_input((2, 9))
    feature, feature_scale, state_scale, time_scale = pick(filters, 9), pick_scale(), pick_scale(), pick_scale(0.0001, 0.01)
    low, high = (-32768, 32767) if wide else (-128, 127)
    time, bias = random.integers(-300 if wide else low, 300 if wide else high, (filters, memory)), random.integers(-9000, 9000, units)
    state = random.integers(low, high + 1, (2, filters, memory))
    dtype = np.int16 if wide else np.int8
    inputs[f"s{i}"] = state.reshape(2, -1).astype(dtype)
    variable = model.tensor(f"s{i}", (2, filters * memory), dtype.__name__, scale=state_scale, zero=0, is_variable=True)
    by = float(np.float32(x_scale) * np.float32(feature_scale) / np.float32(state_scale))
    state[:, :, -1] = np.clip(scale(steps @ feature.astype(np.int64).T, by), low, high)
    sums = (state * time).sum(-1).reshape(2, units, rank).sum(-1) + bias
    by = float(np.float32(state_scale) * np.float32(time_scale) / np.float32(y_scale))
    operands = [
        x,
        model.constant(f"feature{i}", feature, scale=feature_scale),
        model.constant(f"time{i}", time.astype(dtype), scale=time_scale),
        model.constant(f"svdf_bias{i}", bias.astype(np.int32), scale=state_scale * time_scale),
        variable,
    ]
    result = finish(scale(sums, by), y_zero, y_scale, "NONE")
    add("SVDF", operands, result, y_scale, y_zero, "SVDF", rank=rank, fused_activation_function="RELU")
    following = np.concatenate([state[:, :, 1:], np.zeros((2, filters, 1))], -1)
    expected[f"s{i}_next"] = following.reshape(2, -1).astype(dtype)

# Scales at which the left shift of a factor overflows 32 bits, so that results are a bound.
tiny = float(np.float32(1e-9))
x, steps, x_scale, _ = add_input((2, 5, 7))
by = float(np.float32(x_scale) * np.float32(x_scale) / np.float32(tiny))
add("MUL", [x, x], finish(scale(steps * steps, by), 5, tiny, "NONE"), tiny, 5, "Mul")
axes = model.constant("last", np.int32([-1]))
add("SUM", [x, axes], finish(multiply(steps.sum(-1), *factor(x_scale / tiny)), 5, tiny, "NONE"), tiny, 5, "Reducer")

model.write("model", outputs)
options = []
for name, value in inputs.items():
    np.save(f"{folder}/{name}.npy", value)
    options += ["--input", f"{name}={folder}/{name}.npy"]
for kernels in "vector", "loops":
    command = ["uma", "run", f"{folder}/model.tflite", "--rounding=tflite", f"--kernels={kernels}", "--compare", *options]
    done = subprocess.run([*command, "--output-dir", f"{folder}/{kernels}"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{kernels}: {done.stdout} {done.stderr}")
    equal = 0
    for name, value in expected.items():
        actual = np.load(f"{folder}/{kernels}/{name}.npy")
        equal += np.array_equal(actual, value)
        if not np.array_equal(actual, value):
            print(f"{name}: {np.abs(actual.astype(int) - value).max()} apart")
    print(f"{kernels}: {equal} of {len(expected)} results equal")
