"""Models as Relay modules, as `tvm.relay.frontend`."""

from __future__ import annotations

import uma
from uma.tvm.ir import IRModule
from uma.tvm.relay import _graph

__all__ = ["from_onnx", "from_pytorch", "from_tflite"]


def _read(native):
    result = _graph.read_into(native, IRModule())
    result.native = native
    return result, {}


def from_onnx(model, shape=None, dtype="float32", opset=None, freeze_params=True, convert_config=None):
    """A module and its parameters, which are constants of the module: a path, bytes or an onnx.ModelProto."""
    return _read(uma.import_model(model, shapes=shape))


def from_tflite(model, shape_dict=None, dtype_dict=None, op_converter=None):
    """A module and its parameters: a path or bytes of a `.tflite` file. Quantized operators stay operators of uma.graph."""
    return _read(uma.import_model(model, shapes=shape_dict))


def from_pytorch(*args, **kwargs):
    raise uma.Error("PyTorch exports a network by torch.onnx.export(model, example_inputs, 'model.onnx'); relay.frontend.from_onnx('model.onnx') reads it")
