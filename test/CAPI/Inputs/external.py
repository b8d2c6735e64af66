"""Writes `model.onnx` with its weights in `weights.bin` beside it into a folder."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

weights = numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "w")
graph = helper.make_graph(
    [helper.make_node("MatMul", ["x", "w"], ["y"])],
    "net",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])],
    [weights],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
onnx.save_model(model, sys.argv[1] + "/model.onnx", save_as_external_data=True, location="weights.bin", size_threshold=0)
