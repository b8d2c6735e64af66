"""Quantized operators of random scales and zero points with --rounding=tflite, on vectors and in loops: the numbers are those of
TensorFlow Lite's fixed-point formulas, computed here in NumPy's integers."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: vector: 40 of 40 results equal
# CHECK: loops: 40 of 40 results equal

import math
import subprocess
import sys

import numpy as np
from tflite import Model

folder = sys.argv[1]
random = np.random.default_rng(9)
model = Model()
inputs: dict[str, np.ndarray] = {}
expected: dict[str, np.ndarray] = {}
outputs: list[int] = []


def scale(number: np.ndarray, factor: float) -> np.ndarray:
    """Multiplies int64 numbers by a real factor: by 31 bits, then a shift that rounds halves away from zero."""
    mantissa, exponent = math.frexp(factor)
    fixed = math.floor(mantissa * 2**31 + 0.5)
    product = number * (1 << max(exponent, 0)) * fixed
    nudge = np.where(product >= 0, 1 << 30, 1 - (1 << 30))
    high = np.trunc((product + nudge) / 2**31).astype(np.int64)  # exact: the quotient has less than 53 bits
    right = max(-exponent, 0)
    rest = high & ((1 << right) - 1)
    threshold = (((1 << right) - 1) >> 1) + (high < 0)
    return (high >> right) + (rest > threshold)


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
    expected[name] = result
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
