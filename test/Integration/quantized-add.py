"""All pairs of int8 numbers, added and multiplied at scales that give many ties: the numbers are those of ONNX Runtime's QLinearAdd on processors
with fused multiply-adds and QLinearMul, whose formulas are computed here in NumPy. The C has or has no fused multiply-adds."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %gcc | FileCheck %s
# CHECK: 16 of 16 layers equal
# CHECK-NEXT: 16 of 16 layers equal

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, gcc = sys.argv[1:]
os.chdir(folder)
random = np.random.default_rng(3)
x, y = (v.ravel() for v in np.meshgrid(np.arange(-128, 128), np.arange(-128, 128)))


def fma(a: np.ndarray, b: np.float32, c) -> np.ndarray:
    """Rounds once: products of int8 and f32 are exact in f64, and so are these sums."""
    return (a.astype(np.float64) * np.float64(b) + np.asarray(c, np.float64)).astype(np.float32)


nodes, constants, expected = [], [], {}
for index in range(16):
    kind = ("Add", "Mul")[index % 2]
    scales = [np.float32(n) / np.float32(100) for n in random.integers(1, 30, 3)]
    zeros = [int(n) for n in random.integers(-128, 128, 3)]
    tensors = [f"{name}{index}" for name in ("x", "y", "z")]
    for tensor, scale, zero in zip(tensors, scales, zeros):
        constants.append(numpy_helper.from_array(scale, tensor + "_scale"))
        constants.append(numpy_helper.from_array(np.int8(zero), tensor + "_zero"))
    for tensor, source in zip(tensors, ("x", "y")):
        nodes.append(helper.make_node("DequantizeLinear", [source, tensor + "_scale", tensor + "_zero"], [tensor + "_float"]))
    last = tensors[2]
    nodes.append(helper.make_node(kind, [tensors[0] + "_float", tensors[1] + "_float"], [last + "_float"]))
    nodes.append(helper.make_node("QuantizeLinear", [last + "_float", last + "_scale", last + "_zero"], [last]))
    if kind == "Add":
        a, b = scales[0] / scales[2], scales[1] / scales[2]
        constant = np.float32(zeros[2]) - fma(np.float32(zeros[0]), a, b * np.float32(zeros[1]))
        numbers = fma(x, a, fma(y, b, constant))
    else:
        products = ((x - zeros[0]) * (y - zeros[1])).astype(np.float32)
        numbers = products * (scales[0] * scales[1] / scales[2]) + np.float32(zeros[2])
    expected[last] = np.clip(np.rint(numbers), -128, 127).astype(np.int8)
value = lambda name: helper.make_tensor_value_info(name, TensorProto.INT8, [x.size])
graph = helper.make_graph(nodes, "g", [value("x"), value("y")], [value(name) for name in expected], constants)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "net.onnx")
np.save("x.npy", x.astype(np.int8))
np.save("y.npy", y.astype(np.int8))
command = ["uma", "run", "net.onnx", "--cc", gcc, "--output-dir", "found", "--input", "x=x.npy", "--input", "y=y.npy"]
fused = "-march=native" if os.uname().machine == "x86_64" else ""
for flags in f"-O2 {fused}", "-O2":
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"CFLAGS": flags})
    equal = 0
    for name, numbers in expected.items():
        found = np.load(f"found/{name}.npy")
        equal += np.array_equal(found, numbers)
        if not np.array_equal(found, numbers):
            print(f"{flags}: {name}: {np.count_nonzero(found != numbers)} of {numbers.size} differ")
    print(f"{equal} of {len(expected)} layers equal")
