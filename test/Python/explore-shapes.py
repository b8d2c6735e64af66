"""uma explore --shape: models that leave sizes open, all of them or one by its name."""
# REQUIRES: python
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python %python -B %s %S/Inputs/explore %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import uma

inputs, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
os.chdir(folder)


def make_model(name, *tensors):
    """Products of matrices with an open number of rows."""
    nodes = [helper.make_node("MatMul", [tensor, "weights"], [f"{tensor}_out"], f"of_{tensor}") for tensor in tensors]
    graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info(tensor, TensorProto.FLOAT, [f"rows of {tensor}", 64]) for tensor in tensors],
                              [helper.make_tensor_value_info(f"{tensor}_out", TensorProto.FLOAT, [f"rows of {tensor}", 32]) for tensor in tensors],
                              [numpy_helper.from_array(np.ones((64, 32), np.float32), "weights")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


make_model("left", "x")
make_model("right", "x", "left:x")


def explore(*options, models=("left.onnx", "right.onnx"), output="out"):
    command = ["uma", "explore", *models, "-a", "strawberry", "--sweep=weight_kib=8", "--workers=1", "-o", output, *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if result.returncode:
        return result.stderr.strip().removeprefix("uma: error: ") + f" ({result.returncode})"
    found = json.loads(pathlib.Path(output, "explore.json").read_text())
    # The device computes no floats, so that the point fails; its layers are counted.
    return [(model["shapes"], entry["macs"]) for model, entry in zip(found["models"], found["points"][0]["models"])]


# A model may have the name of another one in the name of its input.
# CHECK: [({'x': [16, 64]}, 32768), ({'x': [16, 64], 'left:x': [4, 64]}, 40960)]
print(explore("--shape=x=16x64", "--shape=right:left:x=4x64"))
# CHECK-NEXT: out cannot be resumed with other models; repeat the command that began it, or name another folder (2)
print(explore("--shape=x=8x64", "--shape=right:left:x=4x64", "--resume"))
# CHECK-NEXT: [({'x': [8, 64]}, 16384), ({'x': [2, 64], 'left:x': [8, 64]}, 20480)]
print(explore("--shape=left:x=8x64", "--shape=right:x=2x64", "--shape=right:left:x=8x64", output="own"))

# Wrong uses.
# CHECK-NEXT: --shape=16x64: expected NAME=1x3x32x32, or MODEL:NAME=1x3x32x32 (2)
print(explore("--shape=16x64", output="wrong"))
# CHECK-NEXT: --shape=x=8x64: 'x' has sizes already (2)
print(explore("--shape=x=16x64", "--shape=x=8x64", output="wrong"))
# CHECK-NEXT: right.onnx: error: input 'left:x': the size of dimension 0 ('rows of left:x') is not known; give the input's shape, e.g. --shape left:x=1x64 (2)
print(explore("--shape=x=16x64", output="wrong"))
# CHECK-NEXT: option 'shapes' is 'x=16xy': the shape 'x=16xy' is invalid; expected an input's name and its positive sizes, e.g. image=1x3x32x32 (2)
print(explore("--shape=x=16xy", models=["left.onnx"], output="wrong"))
# CHECK-NEXT: left.onnx: error: a shape is given for 'z', which is no input of the model (2)
print(explore("--shape=z=16x64", models=["left.onnx"], output="wrong"))
# CHECK-NEXT: left.onnx: error: a shape is given for 'other:x', which is no input of the model (2)
print(explore("--shape=other:x=16x64", models=["left.onnx"], output="wrong"))
# CHECK-NEXT: --shape is for ONNX models; the sizes of '{{.*}}product.mlir' are in its types (2)
print(explore("--shape=x=16x64", models=[inputs / "product.mlir"], output="wrong"))
# CHECK-NEXT: False
print(os.path.exists("wrong"))

found = uma.explore({"net": "left.onnx"}, "strawberry", {"weight_kib": [8]}, shapes={"net:x": (2, 64)}, workers=1)
# CHECK-NEXT: 4096
print(found[0]["models"][0]["macs"])
try:
    uma.explore(["left.onnx"], "strawberry", {"weight_kib": [8]}, shapes={"x": "2x64"})
except TypeError as error:
    # CHECK-NEXT: the shape of 'x' is a list of sizes, e.g. [1, 3, 32, 32], found '2x64'
    print(error)
