"""Integers of 64 bits that no double holds, in data, constants and attributes: NumPy computes the same."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %gcc | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# CHECK: 31 of 31 results equal

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

os.chdir(sys.argv[1])
numbers = np.random.default_rng(3)
a = numbers.integers(-(2**62), 2**62, (4, 6))
b = a + numbers.integers(-2, 3, a.shape)
inputs = {"a": a, "b": b, "u": a.astype("u8") * 3, "v": a.astype("u8") * 3 + 1, "pair": np.stack([a, b])}
u, v, pair = list(inputs.values())[2:]
nodes, constants, expected = [], [], {}


def constant(value) -> str:
    constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(constants)}"))
    return constants[-1].name


def check(kind: str, operands, value, **attributes) -> None:
    """Adds a node; operands that are no names are constants."""
    name = f"y{len(nodes)}"
    names = [operand if isinstance(operand, str) else constant(operand) for operand in operands]
    nodes.append(helper.make_node(kind, names, [name], **attributes))
    expected[name] = np.asarray(value)


indices = np.tile(np.arange(4)[:, None] % 2, (1, 6))
scattered = a.copy()
np.add.at(scattered, (indices, np.arange(6)[None]), b)
large = 2**60 + 1
check("Add", ["a", "b"], a + b)
check("Mul", ["a", "b"], a * b)
check("Max", ["a", "b"], np.maximum(a, b))
check("Max", ["u", "v"], np.maximum(u, v))
check("Abs", ["a"], abs(a))
check("Neg", ["a"], -a)
check("Sign", ["a"], np.sign(a))
check("Less", ["a", "b"], a < b)
check("Equal", ["a", "b"], a == b)
check("Add", ["a", large], a + large)
check("Div", ["u", np.uint64(3)], u // np.uint64(3))
check("Mod", ["a", 2**55 + 1], np.mod(a, 2**55 + 1))
check("BitwiseAnd", ["a", "b"], a & b)
check("Clip", ["a", -large, 2**63 - 1], np.maximum(a, -large))
check("Clip", ["a", -(2**63), large], np.minimum(a, large))
check("Clip", ["u", np.uint64(large), np.uint64(2**64 - 1)], np.maximum(u, np.uint64(large)))
check("ReduceSum", ["a"], a.sum(), keepdims=0)
check("ReduceProd", ["a"], a.prod(), keepdims=0)
check("ReduceMax", ["pair", [0]], pair.max(0), keepdims=0)
check("ArgMax", ["pair"], pair.argmax(0), axis=0, keepdims=0)
check("CumSum", ["a", 0], a.cumsum(0))
check("MatMul", ["a", b.T.copy()], a @ b.T)
check("Cast", ["a"], a.astype("f4"), to=onnx.TensorProto.FLOAT)
check("Cast", ["u"], u.astype("f8"), to=onnx.TensorProto.DOUBLE)
check("Cast", ["a"], a.astype("u1"), to=onnx.TensorProto.UINT8)
check("Pad", ["a", [0, 1, 0, 0], large], np.pad(a, ((0, 0), (1, 0)), constant_values=large))
# The first integer that no double holds.
check("Pad", ["b", [0, 0, 1, 0], 2**53 + 1], np.pad(b, ((0, 1), (0, 0)), constant_values=2**53 + 1))
check("Clip", ["b", 2**53 + 1], np.maximum(b, 2**53 + 1))
check("ScatterElements", ["a", indices, "b"], scattered, axis=0, reduction="add")
check("OneHot", [np.array([1, 0, 2]), 3, [large, large + 1]], np.where(np.eye(3, dtype=bool)[[1, 0, 2]], large + 1, large))
check("Range", [large, large + 9, 2], np.arange(large, large + 9, 2))

infos = [[helper.make_tensor_value_info(name, onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[value.dtype], value.shape) for name, value in values.items()]
         for values in (inputs, expected)]
graph = helper.make_graph(nodes, "g", *infos, constants)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), "net.onnx")
command = ["uma", "run", "net.onnx", "--compare", "--cc", sys.argv[2], "--output-dir", "out"]
for name, value in inputs.items():
    np.save(f"{name}.npy", value)
    command += ["--input", f"{name}={name}.npy"]
done = subprocess.run(command, capture_output=True, text=True)
if done.returncode:
    sys.exit(done.stdout + done.stderr)
equal = 0
for node in nodes:
    found, wanted = np.load(f"out/{node.output[0]}.npy"), expected[node.output[0]]
    if found.dtype == wanted.dtype and np.array_equal(found, wanted):
        equal += 1
    else:
        print(f"{node.op_type}: {found.tolist()}, expected {wanted.tolist()}")
print(f"{equal} of {len(nodes)} results equal")
