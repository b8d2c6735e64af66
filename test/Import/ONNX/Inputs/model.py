"""Writes the models of a test into the folder that is its first argument."""

import os
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper, parser  # noqa: F401, for the tests


def zeros(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.zeros(shape, dtype)


def make_model(text: str, **weights: np.ndarray) -> onnx.ModelProto:
    """A model in ONNX's textual syntax, with initializers by name. An input or output called _ is omitted."""
    model = parser.parse_model(text)
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = ["" if name == "_" else name for name in names]
    model.graph.initializer.extend(
        value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(value, name)
        for name, value in weights.items()
    )
    return model


def make(graph: str, opset: int = 13, domains: tuple = (), **weights: np.ndarray) -> onnx.ModelProto:
    """Makes a model of one graph, e.g. "(float[1,4] x) => (float[] y) { y = Gemm(x, w) }"."""
    imports = "".join(f', "{domain}": 1' for domain in domains)
    return make_model(f'<ir_version: 8, opset_import: ["": {opset}{imports}]> g {graph}', **weights)


def save(name: str, model: onnx.ModelProto) -> None:
    os.makedirs(sys.argv[1], exist_ok=True)
    with open(os.path.join(sys.argv[1], name + ".onnx"), "wb") as file:
        file.write(model.SerializeToString())


def write(name: str, graph: str, **arguments) -> None:
    """Saves the model that `make` makes."""
    save(name, make(graph, **arguments))
