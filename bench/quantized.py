"""Quantizes the networks of models.py, as quantize_static of ONNX Runtime writes them: uint8 data, int8 weights with a scale for
each output channel, int32 biases, and a QuantizeLinear and a DequantizeLinear around every tensor.

Values of these networks stay near 1, so that the ranges are known without calibration.
"""

import numpy as np
from onnx import helper, numpy_helper

# Range of the input and of results; relu and clip keep a part of it.
LOW, HIGH = -5.0, 5.0


class Quantizer:
    """Rewrites the nodes of a model."""

    def __init__(self, model):
        self.model = model
        self.constants = {weight.name: numpy_helper.to_array(weight) for weight in model.weights}
        self.nodes, model.nodes, model.weights = model.nodes, [], []
        self.scales: dict[str, float] = {}
        self.real: dict[str, str] = {}

    def constant(self, name: str) -> str:
        known = any(weight.name == name for weight in self.model.weights)
        return name if known else self.model.constant(self.constants[name], name)

    def dequantize(self, name: str, stored: np.ndarray, scale: np.ndarray, axis: int) -> str:
        """Adds a quantized constant."""
        constants = [self.model.constant(value, name + suffix)
                     for value, suffix in ((stored, "_stored"), (scale, "_scale"), (np.zeros_like(scale, stored.dtype), "_zero"))]
        self.model.nodes.append(helper.make_node("DequantizeLinear", constants, [name + "_real"], name + "_real", axis=axis))
        return name + "_real"

    def quantize(self, data: str, low: float, high: float) -> None:
        """Quantizes a tensor; its readers get what `self.real` has."""
        scale = np.float32((high - low) / 255)
        zero = np.uint8(round(-low / scale))
        constants = [self.model.constant(np.array(value), data + suffix) for value, suffix in ((scale, "_scale"), (zero, "_zero"))]
        for kind, source, result in (("QuantizeLinear", data, "_stored"), ("DequantizeLinear", data + "_stored", "_real")):
            self.model.nodes.append(helper.make_node(kind, [source, *constants], [data + result], data + result))
        self.scales[data], self.real[data] = float(scale), data + "_real"

    def make_layer(self, node, norm) -> None:
        """Quantizes the weights of a convolution or Gemm and folds a batch normalisation into them."""
        data = node.input[0]
        weight = self.constants[node.input[1]].astype(np.float64)
        bias = self.constants[node.input[2]] if len(node.input) > 2 else np.zeros(len(weight))
        if norm:
            gain, shift, mean, variance = (self.constants[name].astype(np.float64) for name in norm.input[1:])
            factor = gain / np.sqrt(variance + 1e-5)
            weight, bias = weight * factor.reshape(-1, *[1] * (weight.ndim - 1)), (bias - mean) * factor + shift
        largest = np.abs(weight).max(axis=tuple(range(1, weight.ndim)))
        scale = np.float32(largest / 127)
        stored = np.rint(weight / scale.reshape(-1, *[1] * (weight.ndim - 1))).astype(np.int8)
        sums = np.float32(self.scales[data]) * scale
        operands = [self.real[data], self.dequantize(node.input[1], stored, scale, 0),
                    self.dequantize(node.name + "_bias", np.rint(bias / sums).astype(np.int32), sums, 0)]
        copy = helper.make_node(node.op_type, operands, [norm.output[0] if norm else node.output[0]], node.name)
        copy.attribute.extend(node.attribute)
        self.model.nodes.append(copy)

    def run(self):
        readers = {name: node for node in self.nodes for name in node.input}
        self.quantize("x", LOW, HIGH)
        merged = set()
        for node in self.nodes:
            if node.name in merged:
                continue
            result = node.output[0]
            if node.op_type in ("Conv", "Gemm"):
                norm = readers.get(result)
                norm = norm if norm is not None and norm.op_type == "BatchNormalization" else None
                self.make_layer(node, norm)
                if norm:
                    merged.add(norm.name)
                    result = norm.output[0]
            else:
                operands = [self.real.get(name, name) if name not in self.constants else self.constant(name) for name in node.input]
                copy = helper.make_node(node.op_type, operands, [result], node.name)
                copy.attribute.extend(node.attribute)
                self.model.nodes.append(copy)
            reader = readers.get(result)
            # An activation belongs to the layer before it.
            if reader is not None and reader.op_type in ("Relu", "Clip") and node.op_type in ("Conv", "Add"):
                continue
            positive = node.op_type in ("Relu", "Clip") or (node.op_type in ("MaxPool", "GlobalAveragePool", "Flatten"))
            self.quantize(result, 0.0 if positive else LOW, 6.0 if positive else HIGH)
        return self.model


def extend(models: dict) -> dict:
    """Returns networks by name, as quantized versions of `models`."""
    names = ("tiny", "mobilenet-v1", "mobilenet-v2", "resnet-18", "resnet-50")
    return {name + "-int8": lambda make=models[name]: Quantizer(make()).run() for name in names}
