"""Integers of 4 and 2 bits where no operator takes them, or with data of another size: each gives one message."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t | FileCheck %s

import os
import subprocess
import sys

from model import np, save
from onnx import TensorProto, helper, numpy_helper

UINT4 = 21
count = 0


def refuse(nodes, size: int = 3, data: bytes | None = b"\x21\x03", **fields) -> None:
    global count
    count += 1
    packed = TensorProto(name="w", data_type=UINT4, dims=[size], **fields)
    if data is not None:
        packed.raw_data = data
    scales = [numpy_helper.from_array(np.float32(0.5), "s"), numpy_helper.from_array(np.float32([0.5]), "s1")]
    infos = [helper.make_tensor_value_info("x", 1, [3])], [helper.make_tensor_value_info("y", 0, None)]
    graph = helper.make_graph(nodes, "g", *infos, [packed, *scales])
    save(f"{count:02}", helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=8))
    path = os.path.join(sys.argv[1], f"{count:02}.onnx")
    done = subprocess.run(["uma-translate", "--import-onnx", path], capture_output=True, text=True)
    lines = done.stderr.splitlines()
    if done.returncode != 1 or len(lines) != 1:
        sys.exit(f"{count}: status {done.returncode}: {done.stderr}")
    print(lines[0].replace(sys.argv[1] + "/", ""))


def dequantized(operator: str, *operands: str, **attributes):
    return [helper.make_node(operator, operands, ["y"], **attributes)]


weights = dequantized("DequantizeLinear", "w", "s") + [helper.make_node("Add", ["x", "y"], ["z"])]
# CHECK: 01.onnx: error: node 'Neg_0' (Neg): input 'X' is 'w', which holds uint4; only Cast, CastLike, QuantizeLinear, DequantizeLinear and operators that move elements take it: cast it first
refuse(dequantized("Neg", "w"))
# CHECK-NEXT: 02.onnx: error: node 'DequantizeLinear_0' (DequantizeLinear): the result has the element type uint4, which only Cast, CastLike and QuantizeLinear make
refuse(dequantized("DequantizeLinear", "w", "s", output_dtype=UINT4))
# CHECK-NEXT: 03.onnx: error: node 'Cast_0' (Cast): attribute 'round_mode' is 'odd'; expected 'up', 'down' or 'nearest'
refuse(dequantized("Cast", "x", to=24, round_mode="odd"))
# CHECK-NEXT: 04.onnx: error: tensor 'w' of the shape 3 needs 2 bytes of data, but the file has 3
refuse(weights, data=b"abc")
# CHECK-NEXT: 05.onnx: error: tensor 'w' of the shape 3 needs 2 elements of data, but the file has 3
refuse(weights, data=None, int32_data=[1, 2, 3])
# CHECK-NEXT: 06.onnx: error: tensor 'w' has the element 256, which does not fit its type
refuse(weights, data=None, int32_data=[1, 256])
# CHECK-NEXT: 07.onnx: error: node 'QuantizeLinear_0' (QuantizeLinear): attribute 'output_dtype' is not the type of input 'y_zero_point'
refuse(dequantized("QuantizeLinear", "x", "s1", "w", output_dtype=2), size=1, data=b"\x01")
