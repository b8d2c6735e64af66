"""`uma quantize`: a dense layer has the bits of NumPy's own quantization, a random network stays close to floats, the digits lose at
most half a point of accuracy, and the output is the same twice."""
# REQUIRES: full, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %source/examples/digits %gcc | FileCheck %s --match-full-lines
# CHECK: dense layer: 20 of 20 outputs have NumPy's bits, report agrees
# CHECK: random network, minmax: SQNR above 25 dB
# CHECK: random network, percentile: SQNR above 20 dB
# CHECK: random network, mse: SQNR above 25 dB
# CHECK: kept layer: in f32
# CHECK: error budget: met
# CHECK: page: a card for each tensor
# CHECK: equalized: same floats, better integers
# CHECK: same bytes twice
# CHECK: digits: at least 98.45 %

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, digits, gcc = sys.argv[1:]
os.chdir(folder)
random = np.random.default_rng(11)


def save_model(name, nodes, shape, constants, result_shape):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, result_shape)],
        [numpy_helper.from_array(value.astype(value.dtype), key) for key, value in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), name + ".onnx")


def save_samples(name, samples):
    os.makedirs(name, exist_ok=True)
    for i, sample in enumerate(samples):
        np.save(f"{name}/{i:03}.npy", sample.astype("float32"))


def quantize(model, samples, output, *arguments):
    command = ["uma", "quantize", model, "--calibration", samples, "-o", output, "--json", output + ".json", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads(pathlib.Path(output + ".json").read_text())


def run(model, package, samples):
    """Compiles once, runs the package on each sample."""
    subprocess.run(["uma", "compile", model, "-o", package], check=True, stdout=subprocess.DEVNULL)
    results = []
    for i, sample in enumerate(samples):
        np.save("input.npy", sample.astype("float32"))
        command = ["uma", "run", package, "--input", "x=input.npy", "--output-dir", "out"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        results.append(np.load("out/y.npy"))
    return np.stack(results)


def get_sqnr(expected, actual):
    return 10 * np.log10((expected.astype(float) ** 2).sum() / ((expected.astype(float) - actual) ** 2).sum())


# One layer, by the formulas of Jacob et al. in integers.
weight = random.normal(size=(5, 16)).astype("float32")
bias = random.normal(size=5).astype("float32")
save_model("dense", [helper.make_node("Gemm", ["x", "w", "b"], ["y"], transB=1)], [1, 16], {"w": weight, "b": bias}, [1, 5])
samples = random.uniform(-1, 2, size=(4, 1, 16)).astype("float32")
save_samples("dense_samples", samples)
report = quantize("dense.onnx", "dense_samples", "dense.mlir")


def choose(values):
    low, high = min(values.min(), 0), max(values.max(), 0)
    scale = np.float32((float(high) - float(low)) / 255)
    return scale, int(np.clip(-128 - np.rint(low / scale), -128, 127))


def to_steps(values, scale, zero):
    return np.clip(np.rint(values / scale) + zero, -128, 127).astype(np.int64) - zero


floats = (samples.astype(float) @ weight.T.astype(float)).astype("float32") + bias
x_scale, x_zero = choose(samples)
y_scale, y_zero = choose(floats)
w_scale = (np.abs(weight.astype(float)).max(axis=1) / 127).astype("float32")
w_steps = np.rint(weight / w_scale.astype(float)[:, None]).astype(np.int64)
b_scale = (x_scale.astype(float) * w_scale.astype(float)).astype("float32")
b_steps = np.rint(bias / b_scale.astype(float)).astype(np.int64)
sums = to_steps(samples, x_scale, x_zero) @ w_steps.T + b_steps
factors = b_scale / y_scale
expected = (np.clip(np.rint(sums.astype("float32") * factors) + y_zero, -128, 127) - y_zero).astype("float32") * y_scale
actual = run("dense.mlir", "dense_c", samples)
equal = int((np.abs(actual - expected) <= 1e-6).sum())
layers = {layer["name"]: layer for layer in report["layers"]}
output = report["outputs"][0]
agrees = (
    abs(layers["x"]["scale"] - x_scale) < 1e-9
    and layers["x"]["zero_point"] == x_zero
    and abs(output["sqnr_db"] - get_sqnr(floats, expected)) < 0.01
    and abs(output["max_error"] - np.abs(floats - expected).max()) < 1e-5
)
print(f"dense layer: {equal} of {expected.size} outputs have NumPy's bits, report {'agrees' if agrees else 'differs'}")

# A network with a residual, pools, a concatenation, a depthwise convolution and layers that stay in floats.
constants = {
    "w1": random.normal(size=(8, 3, 3, 3)).astype("float32") * 0.3,
    "b1": random.normal(size=8).astype("float32"),
    "w2": random.normal(size=(8, 1, 3, 3)).astype("float32") * 0.3,
    "b2": random.normal(size=8).astype("float32"),
    "w3": random.normal(size=(8, 8, 1, 1)).astype("float32") * 0.3,
    "w4": random.normal(size=(10, 16 * 16)).astype("float32") * 0.1,
    "b4": random.normal(size=10).astype("float32"),
    "low": np.float32(0),
    "high": np.float32(6),
}
nodes = [
    helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
    helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], "depthwise", pads=[1, 1, 1, 1], group=8),
    helper.make_node("Clip", ["c2", "low", "high"], ["r2"], "relu6"),
    helper.make_node("Conv", ["r2", "w3"], ["c3"], "conv3"),
    helper.make_node("Add", ["r1", "c3"], ["s"], "sum"),
    helper.make_node("Relu", ["s"], ["r3"], "relu3"),
    helper.make_node("MaxPool", ["r3"], ["p1"], "max", kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("AveragePool", ["r3"], ["p2"], "average", kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Concat", ["p1", "p2"], ["t"], "concat", axis=1),
    helper.make_node("Flatten", ["t"], ["f"], "flatten"),
    helper.make_node("Gemm", ["f", "w4", "b4"], ["y"], "dense", transB=1),
]
save_model("net", nodes, [1, 3, 8, 8], constants, [1, 10])
samples = random.uniform(-1, 1, size=(12, 1, 3, 8, 8))
save_samples("net_samples", samples[:8])
reference = run("net.onnx", "net_c", samples)
for method, least in [("minmax", 25), ("percentile", 20), ("mse", 25)]:
    quantize("net.onnx", "net_samples", "net.mlir", "--method", method)
    sqnr = get_sqnr(reference, run("net.mlir", "net_int8_c", samples))
    print(f"random network, {method}: SQNR {'above ' + str(least) if sqnr > least else f'is {sqnr:.1f}'} dB")
report = quantize("net.onnx", "net_samples", "kept.mlirbc", "--keep-float=depthwise")
print("kept layer:", "in f32" if report["float_layers"] == ["depthwise"] else report["float_layers"])
free = quantize("net.onnx", "net_samples", "net.mlir")
budget = 10 ** (-free["outputs"][0]["sqnr_db"] / 20) * 0.9
report = quantize("net.onnx", "net_samples", "net.mlir", f"--error-budget={budget}", "--html", "net.html")
sqnr = get_sqnr(reference[:8], run("net.mlir", "budget_c", samples[:8]))
met = 10 ** (-sqnr / 20) <= budget * 1.001 and 0 < report["integer_layers"] < free["integer_layers"]
print("error budget:", "met" if met else f"{sqnr} dB, {report}")
page = pathlib.Path("net.html").read_text()
cards = page.count('<div class="card">') == len(report["layers"]) + 1 and page.count("<svg") == len(report["layers"])
print("page:", "a card for each tensor" if cards and "http" not in page and "<script" not in page else "differs")
# A channel 64 times as large as the others, before a convolution that undoes this: one scale does not suit both.
uneven = np.where(np.arange(8) == 3, 64, 1).astype("float32")
constants |= {"w5": constants["w1"] * uneven[:, None, None, None], "b5": constants["b1"] * uneven, "w6": constants["w3"] / uneven[:, None, None]}
nodes = [
    helper.make_node("Conv", ["x", "w5", "b5"], ["c5"], "conv5", pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["c5"], ["r5"], "relu5"),
    helper.make_node("Conv", ["r5", "w6"], ["y"], "conv6"),
]
save_model("uneven", nodes, [1, 3, 8, 8], {key: constants[key] for key in ["w5", "b5", "w6"]}, [1, 8, 8, 8])
plain = quantize("uneven.onnx", "net_samples", "uneven.mlir")["outputs"][0]["sqnr_db"]
quantize("uneven.onnx", "net_samples", "even.mlir", "--equalize")
reference = run("uneven.onnx", "uneven_c", samples[:4])
equalized = get_sqnr(reference, run("even.mlir", "even_c", samples[:4]))
with open("even_float.mlir", "w") as file:
    importer = subprocess.run(["uma-translate", "--import-onnx", "uneven.onnx"], check=True, capture_output=True)
    subprocess.run(["uma-opt", "--uma-graph-equalize"], check=True, input=importer.stdout, stdout=file)
same = np.array_equal(run("even_float.mlir", "even_float_c", samples[:4]), reference)
print("equalized:", "same floats, better integers" if same and equalized > plain + 6 else f"{same}, {plain} and {equalized} dB")
for name in ["first.mlir", "second.mlir"]:
    quantize("net.onnx", "net_samples", name, "--method=mse")
same = all(
    pathlib.Path("first.mlir" + end).read_bytes() == pathlib.Path("second.mlir" + end).read_bytes() for end in ["", ".json"]
)
print("same bytes twice" if same else "bytes differ")

# The digits: calibrated on the first 100 images, evaluated on all 382 by the example's own program.
images = np.fromfile(digits + "/test_images.bin", "u1").reshape(-1, 1, 1, 8, 8) / 16
save_samples("digits_samples", images[:100])
quantize(digits + "/digits.onnx", "digits_samples", "digits.mlir")
subprocess.run(["uma", "compile", "digits.mlir", "-o", "digits_c"], check=True, stdout=subprocess.DEVNULL)
files = [digits + "/evaluate.c", "digits_c/digits.c", "digits_c/digits_weights.c"]
flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
subprocess.run([gcc, *flags, "-Idigits_c", *files, "-lm", "-o", "evaluate"], check=True)
command = ["./evaluate", digits + "/test_images.bin", digits + "/test_labels.bin"]
text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
accuracy = float(re.search(r"accuracy ([\d.]+) %", text).group(1))
# The float network has 98.95 %.
print("digits: at least 98.45 %" if accuracy >= 98.45 else text)
