"""Floats of 8 bits where no operator takes or makes them: each is one message and the exit code of what is not supported, 3."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t | FileCheck %s

import subprocess
import sys

from model import np, save
from onnx import TensorProto, helper, numpy_helper

E4M3FN, E5M2 = 17, 19
folder = sys.argv[1]
count = 0


def refuse(operator: str, *operands: str, code: int = 3, kind: int = E4M3FN, data: bytes = b"\x38\x40\x42", opset: int = 25, **attributes) -> None:
    global count
    count += 1
    weights = TensorProto(name="w", data_type=kind, dims=[3], raw_data=data)
    zero = TensorProto(name="z", data_type=E5M2, dims=[], raw_data=b"\0")
    constants = [weights, zero, numpy_helper.from_array(np.float32(0.5), "s")]
    infos = [helper.make_tensor_value_info("x", 1, [3])], [helper.make_tensor_value_info("y", 0, None)]
    graph = helper.make_graph([helper.make_node(operator, operands, ["y"], **attributes)], "g", *infos, constants)
    save(f"{count:02}", helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8))
    command = ["uma", "compile", f"{folder}/{count:02}.onnx", "-o", f"{folder}/package"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stderr.splitlines()
    if done.returncode != code or len(lines) != 1:
        sys.exit(f"{count}: status {done.returncode}: {done.stderr}")
    print(lines[0].replace(folder + "/", ""))


# CHECK: 01.onnx: error: node 'Neg_0' (Neg): input 'X' is 'w', which holds float8e4m3fn; only Cast, CastLike, QuantizeLinear, DequantizeLinear and operators that move elements take it: cast it first
refuse("Neg", "w")
# CHECK-NEXT: 02.onnx: error: node 'MatMul_0' (MatMul): input 'B' is 'w', which holds float8e5m2; only Cast,
refuse("MatMul", "x", "w", kind=E5M2)
# CHECK-NEXT: 03.onnx: error: node 'QuantizeLinear_0' (QuantizeLinear): input 'x' is 'w', which holds float8e4m3fn; only Cast,
refuse("QuantizeLinear", "w", "s")
# CHECK-NEXT: 04.onnx: error: node 'DequantizeLinear_0' (DequantizeLinear): the result has the element type float8e5m2, which only Cast, CastLike and QuantizeLinear make
refuse("DequantizeLinear", "w", "s", output_dtype=E5M2)
# CHECK-NEXT: 05.onnx: error: tensor 'w' has the element type number 27, which is not supported; supported are bool, integers and floats
refuse("DequantizeLinear", "w", "s", kind=27)
# CHECK-NEXT: 06.onnx: error: node 'DequantizeLinear_0' (DequantizeLinear): input 'x_zero_point' has other elements than input 'x'; expected the same type
refuse("DequantizeLinear", "w", "s", "z", code=2)
# CHECK-NEXT: 07.onnx: error: node 'QuantizeLinear_0' (QuantizeLinear): attribute 'output_dtype' is not the type of input 'y_zero_point'
refuse("QuantizeLinear", "x", "s", "z", code=2, output_dtype=E4M3FN)
# CHECK-NEXT: 08.onnx: error: tensor 'w' of the shape 3 needs 3 bytes of data, but the file has 2
refuse("Cast", "w", to=1, code=2, data=b"ab")
