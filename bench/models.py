#!/usr/bin/python3
"""Writes the networks of the benchmarks as .onnx: well-known topologies with weights from a fixed seed.

    bench/models.py NAME FILE
    bench/models.py --list

Needs no internet access. Weights follow He et al. (2015: normal, variance 2 / fan-in). Batch normalisations have statistics
close to those of their data, and the last one of a residual branch scales by about a half. Therefore values stay near 1
in all layers, and differences between runtimes are meaningful.
"""

import pathlib
import sys

import modern
import networks
import numpy as np
import onnx
import quantized
import sequences
from onnx import TensorProto, helper, numpy_helper


class Model:
    """Builder of a network."""

    def __init__(self, *shape: int):
        self.random = np.random.default_rng(0)
        self.shape, self.nodes, self.weights = shape, [], []

    def constant(self, data: np.ndarray, name: str = "") -> str:
        name = name or f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(data, name))
        return name

    def scalar(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def weight(self, *shape: int, fan_in: int, gain: float = 2) -> str:
        data = self.random.standard_normal(shape, np.float32) * np.float32(np.sqrt(gain / fan_in))
        return self.constant(data)

    def vector(self, size: int, lo: float, hi: float) -> str:
        return self.constant(self.random.uniform(lo, hi, size).astype(np.float32))

    def add(self, kind: str, *inputs: str, **attributes) -> str:
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def conv(self, data: str, inputs: int, outputs: int, size: int, stride: int = 1, group: int = 1, gain: float = 2) -> str:
        weight = self.weight(outputs, inputs // group, size, size, fan_in=inputs // group * size * size, gain=gain)
        return self.add("Conv", data, weight, strides=[stride] * 2, pads=[size // 2] * 4, kernel_shape=[size] * 2, group=group)

    def norm(self, data: str, channels: int, scale: float = 1) -> str:
        parameters = [self.vector(channels, 0.7 * scale, 1.3 * scale), self.vector(channels, -0.2, 0.2),
                      self.vector(channels, -0.2, 0.2), self.vector(channels, 0.8, 1.2)]
        return self.add("BatchNormalization", data, *parameters)

    def unit(self, data: str, inputs: int, outputs: int, size: int, stride: int = 1, group: int = 1, scale: float = 1) -> str:
        """Adds a convolution and its batch normalisation."""
        return self.norm(self.conv(data, inputs, outputs, size, stride, group), outputs, scale)

    def classify(self, data: str, features: int) -> None:
        data = self.add("Flatten", self.add("GlobalAveragePool", data))
        self.add("Gemm", data, self.weight(1000, features, fan_in=features), self.vector(1000, -0.1, 0.1), transB=1)

    def save(self, path: pathlib.Path) -> None:
        """Writes the network; its output is the output of the last node."""
        result = self.nodes[-1].output[0]
        value = helper.make_tensor_value_info("x", TensorProto.FLOAT, self.shape)
        # Importers infer the shape.
        element = TensorProto.INT64 if self.nodes[-1].op_type == "ArgMax" else TensorProto.FLOAT
        output = helper.make_tensor_value_info(result, element, None)
        graph = helper.make_graph(self.nodes, path.stem, [value], [output], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        path.write_bytes(model.SerializeToString())


def identity() -> Model:
    """Network without computations, to measure the overhead of a call to a runtime."""
    model = Model(1, 16)
    model.add("Identity", "x")
    return model


def resnet(bottleneck: bool, blocks: list[int]) -> Model:
    """He et al. 2015, table 1; strides in the 3x3 convolution (version 1.5)."""
    model = Model(1, 3, 224, 224)
    data = model.add("Relu", model.unit("x", 3, 64, 7, 2))
    data = model.add("MaxPool", data, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    inputs = 64
    for stage, count in enumerate(blocks):
        width = 64 << stage
        outputs = 4 * width if bottleneck else width
        for block in range(count):
            stride = 2 if stage and not block else 1
            if bottleneck:
                inner = model.add("Relu", model.unit(data, inputs, width, 1))
                inner = model.add("Relu", model.unit(inner, width, width, 3, stride))
                inner = model.unit(inner, width, outputs, 1, scale=0.5)
            else:
                inner = model.add("Relu", model.unit(data, inputs, width, 3, stride))
                inner = model.unit(inner, width, outputs, 3, scale=0.5)
            shortcut = data if inputs == outputs and stride == 1 else model.unit(data, inputs, outputs, 1, stride, scale=0.7)
            data = model.add("Relu", model.add("Add", inner, shortcut))
            inputs = outputs
    model.classify(data, inputs)
    return model


class MobileNet(Model):
    """Parts common to both versions."""

    def __init__(self):
        super().__init__(1, 3, 224, 224)
        self.constant(np.array(0, np.float32), "zero")
        self.constant(np.array(6, np.float32), "six")

    def unit6(self, *arguments, **options) -> str:
        """Adds a unit and a relu6."""
        return self.add("Clip", self.unit(*arguments, **options), "zero", "six")


def mobilenet_v1() -> Model:
    """Howard et al. 2017, table 1."""
    model = MobileNet()
    data, inputs = model.unit6("x", 3, 32, 3, 2), 32
    for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]:
        data = model.unit6(data, inputs, inputs, 3, stride, group=inputs)
        data = model.unit6(data, inputs, outputs, 1)
        inputs = outputs
    model.classify(data, inputs)
    return model


def mobilenet_v2() -> Model:
    """Sandler et al. 2018, table 2."""
    model = MobileNet()
    data, inputs = model.unit6("x", 3, 32, 3, 2), 32
    for expansion, outputs, count, first in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                             (6, 160, 3, 2), (6, 320, 1, 1)]:
        for block in range(count):
            stride, width = 1 if block else first, expansion * inputs
            inner = model.unit6(data, inputs, width, 1) if expansion != 1 else data
            inner = model.unit6(inner, width, width, 3, stride, group=width)
            if stride == 1 and inputs == outputs:
                data = model.add("Add", data, model.unit(inner, width, outputs, 1, scale=0.5))
            else:
                data = model.unit(inner, width, outputs, 1)
            inputs = outputs
    data = model.unit6(data, inputs, 1280, 1)
    model.classify(data, 1280)
    return model


def bert(layers: int = 6, tokens: int = 128, hidden: int = 768, heads: int = 12, inner: int = 3072) -> Model:
    """Encoder of Devlin et al. 2018, as PyTorch exports it to opset 13. Its input is the embeddings."""
    model = Model(1, tokens, hidden)
    head = hidden // heads
    split = model.constant(np.array([1, tokens, heads, head], np.int64))
    joined = model.constant(np.array([1, tokens, hidden], np.int64))

    def dense(data: str, inputs: int, outputs: int, gain: float = 1) -> str:
        product = model.add("MatMul", data, model.weight(inputs, outputs, fan_in=inputs, gain=gain))
        return model.add("Add", model.vector(outputs, -0.1, 0.1), product)

    def layer_norm(data: str) -> str:
        centred = model.add("Sub", data, model.add("ReduceMean", data, axes=[-1]))
        variance = model.add("ReduceMean", model.add("Pow", centred, model.scalar(2)), axes=[-1])
        normed = model.add("Div", centred, model.add("Sqrt", model.add("Add", variance, model.scalar(1e-12))))
        scaled = model.add("Mul", normed, model.vector(hidden, 0.7, 1.3))
        return model.add("Add", scaled, model.vector(hidden, -0.2, 0.2))

    def part(data: str, order: list[int]) -> str:
        return model.add("Transpose", model.add("Reshape", dense(data, hidden, hidden), split), perm=order)

    def gelu(data: str) -> str:
        erf = model.add("Erf", model.add("Div", data, model.scalar(np.sqrt(2))))
        product = model.add("Mul", data, model.add("Add", erf, model.scalar(1)))
        return model.add("Mul", product, model.scalar(0.5))

    data = layer_norm("x")
    for _ in range(layers):
        query, key, value = part(data, [0, 2, 1, 3]), part(data, [0, 2, 3, 1]), part(data, [0, 2, 1, 3])
        scores = model.add("Div", model.add("MatMul", query, key), model.scalar(np.sqrt(head)))
        context = model.add("MatMul", model.add("Softmax", scores, axis=-1), value)
        context = model.add("Reshape", model.add("Transpose", context, perm=[0, 2, 1, 3]), joined)
        data = layer_norm(model.add("Add", dense(context, hidden, hidden), data))
        wide = gelu(dense(data, hidden, inner))
        data = layer_norm(model.add("Add", dense(wide, inner, hidden, gain=2), data))
    return model


def tiny() -> Model:
    """Small network with one convolution of each kind, to test the tools."""
    model = Model(1, 3, 16, 16)
    data = model.add("Relu", model.unit("x", 3, 8, 3))
    data = model.add("Relu", model.unit(data, 8, 8, 3, 2, group=8))
    entry = data = model.add("Relu", model.unit(data, 8, 16, 1))
    data = model.add("Relu", model.add("Add", model.unit(data, 16, 16, 3, scale=0.5), entry))
    data = model.add("Flatten", model.add("GlobalAveragePool", data))
    model.add("Gemm", data, model.weight(10, 16, fan_in=16), model.vector(10, -0.1, 0.1), transB=1)
    return model


MODELS = {
    "identity": identity,
    "tiny": tiny,
    "mobilenet-v1": mobilenet_v1,
    "mobilenet-v2": mobilenet_v2,
    "resnet-18": lambda: resnet(False, [2, 2, 2, 2]),
    "resnet-50": lambda: resnet(True, [3, 4, 6, 3]),
    "bert": bert,
    **networks.extend(Model),
    **sequences.extend(Model),
    **modern.extend(sequences.make_sequence(Model)),
}


MODELS.update(quantized.extend(MODELS))


def main() -> int:
    if sys.argv[1:] == ["--list"]:
        print("\n".join(MODELS))
        return 0
    if len(sys.argv) != 3 or sys.argv[1] not in MODELS:
        print(f"usage: {sys.argv[0]} NAME FILE, where NAME is {', '.join(MODELS)}", file=sys.stderr)
        return 2
    MODELS[sys.argv[1]]().save(pathlib.Path(sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
