"""A residual block between dequantize and quantize with --requantize=fixed-point: its C for a core without floating point holds no
float, and its numbers are those of TensorFlow Lite's fixed-point formulas, computed here in NumPy's integers, for ONNX, too."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc | FileCheck %s
# CHECK: fixed-point: 1280 of 1280 equal
# CHECK: fixed-point, vectors: 1280 of 1280 equal
# With one float factor, some round to the other side, by one.
# CHECK: float: {{[1-9][0-9]?}} of 1280 differ by at most 1
# CHECK: words of floats in the C: 0
# CHECK: for the --requantize option: Cannot find option named 'integer'

import math
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, gcc = sys.argv[1:]
os.chdir(folder)
random = np.random.default_rng(11)
nodes: list[onnx.NodeProto] = []
weights: list[onnx.TensorProto] = []


def constant(name: str, value: np.ndarray) -> str:
    weights.append(numpy_helper.from_array(np.asarray(value), name))
    return name


def dequantize(name: str, values: str, scale, zero, axis: int = 1) -> str:
    parameters = [constant(name + "_scale", np.float32(scale)), constant(name + "_zero", zero)]
    nodes.append(helper.make_node("DequantizeLinear", [values, *parameters], [name], axis=axis))
    return name


def quantize(name: str, values: str, scale: float, zero: int) -> str:
    parameters = [constant(name + "_scale", np.float32(scale)), constant(name + "_zero", np.int8(zero))]
    nodes.append(helper.make_node("QuantizeLinear", [values, *parameters], [name]))
    return name


def rescale(number: np.ndarray, factor: float) -> np.ndarray:
    """Multiplies int64 numbers by a real factor below 1: by 31 bits, then a shift that rounds halves away from zero."""
    mantissa, exponent = math.frexp(factor)
    high = (number * math.floor(mantissa * 2**31 + 0.5) + (1 << 30)) >> 31
    half = (1 << -exponent) >> 1
    return (high + half - (high < 0)) >> -exponent if exponent else high


def layer(name: str, values: str, steps: np.ndarray, x_scale: float, y_scale: float, y_zero: int) -> tuple[str, np.ndarray]:
    """A pointwise convolution with a scale for each channel, and relu."""
    w, w_scales = random.integers(-127, 128, (16, 16), dtype=np.int8), np.float32(random.uniform(0.002, 0.01, 16))
    bias = random.integers(-3000, 3000, 16, dtype=np.int32)
    operands = [
        values,
        dequantize(name + "_w", constant(name + "_w8", w.reshape(16, 16, 1, 1)), w_scales, np.zeros(16, np.int8), 0),
        dequantize(name + "_b", constant(name + "_b32", bias), w_scales * np.float32(x_scale), np.zeros(16, np.int32), 0),
    ]
    nodes.append(helper.make_node("Conv", operands, [name + "_conv"]))
    nodes.append(helper.make_node("Relu", [name + "_conv"], [name + "_relu"]))
    sums = np.einsum("oc,chw->ohw", w.astype(np.int64), steps) + bias[:, None, None]
    scaled = np.stack([rescale(s, x_scale * float(v) / y_scale) for s, v in zip(sums, w_scales)])
    return quantize(name, name + "_relu", y_scale, y_zero), np.clip(scaled + y_zero, y_zero, 127)


scales = {name: float(np.float32(scale)) for name, scale in {"x": 0.04, "a": 0.05, "b": 0.07, "y": 0.09}.items()}
x = random.integers(-128, 128, (16, 8, 10), dtype=np.int8)
steps = x.astype(np.int64) - 5
a, a_stored = layer("a", dequantize("x_real", "x", scales["x"], np.int8(5)), steps, scales["x"], scales["a"], -128)
b, b_stored = layer("b", dequantize("a_real", a, scales["a"], np.int8(-128)), a_stored + 128, scales["a"], scales["b"], -100)
nodes.append(helper.make_node("Add", [dequantize("b_real", b, scales["b"], np.int8(-100)), "x_real"], ["sum"]))
quantize("y", "sum", scales["y"], -30)
widest = 2 * max(scales["b"], scales["x"])
sums = rescale((b_stored + 100) << 20, scales["b"] / widest) + rescale(steps << 20, scales["x"] / widest)
expected = np.clip(rescale(sums, widest / (2**20 * scales["y"])) - 30, -128, 127)
describe = lambda name: helper.make_tensor_value_info(name, TensorProto.INT8, [1, 16, 8, 10])
graph = helper.make_graph(nodes, "g", [describe("x")], [describe("y")], weights)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "net.onnx")
np.save("x.npy", x[None])


def run(*options: str) -> np.ndarray:
    command = ["uma", "run", "net.onnx", "--cc", gcc, "--compare", "--input", "x=x.npy", "--output-dir", "found", *options]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CFLAGS": "-O1"})
    if done.returncode:
        sys.exit(f"{options}: {done.stdout} {done.stderr}")
    return np.load("found/y.npy")[0].astype(int)


core = "--cpu=cortex-m0"
print(f"fixed-point: {np.sum(run('--requantize=fixed-point', core) == expected)} of {expected.size} equal")
print(f"fixed-point, vectors: {np.sum(run('--requantize=fixed-point') == expected)} of {expected.size} equal")
difference = np.abs(run("--requantize=float") - expected)
print(f"float: {np.count_nonzero(difference)} of {expected.size} differ by at most {difference.max()}")
subprocess.run(["uma", "compile", "net.onnx", "--requantize=fixed-point", core, "-o", "package"], check=True, stdout=subprocess.DEVNULL)
text = re.sub(r"/\*.*?\*/", "", pathlib.Path("package/net.c").read_text(), flags=re.S)
print(f"words of floats in the C: {len(re.findall(r'float|double|rint|round', text))}")
wrong = subprocess.run(["uma", "compile", "net.onnx", "--requantize=integer", "-o", "wrong"], capture_output=True, text=True)
print(wrong.stderr)
