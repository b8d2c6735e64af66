"""Forms of operators for bench/operators.py: small graphs of one operator or a few, as networks hold them.

Sizes come from common networks, so that a run takes ONNX Runtime at least some 0.1 ms. Weights and inputs have a fixed seed.
"""

import dataclasses
import math
import pathlib
from collections.abc import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.mapping import NP_TYPE_TO_TENSOR_TYPE

ELEMENTS = {"f32": np.float32, "f16": np.float16, "f64": np.float64, "u8": np.uint8, "i8": np.int8, "i32": np.int32, "i64": np.int64,
            "bool": np.bool_}


class Graph:
    """Builder of a form. Inputs are normally distributed unless values are given."""

    def __init__(self):
        self.random = np.random.default_rng(0)
        self.nodes, self.weights, self.inputs, self.outputs = [], [], {}, []
        #: Scales of the quantized weights.
        self.scales = {}

    def input(self, *shape: int, element: str = "f32", values: np.ndarray | None = None) -> str:
        name = f"x{len(self.inputs)}"
        if values is None:
            values = self.random.standard_normal(shape) if element.startswith("f") else self.random.integers(0, 100, shape)
        self.inputs[name] = np.asarray(values).astype(ELEMENTS[element])
        return name

    def constant(self, values, element: str = "f32") -> str:
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values).astype(ELEMENTS[element]), name))
        return name

    def ints(self, *values: int) -> str:
        return self.constant(values, "i64")

    def weight(self, *shape: int, fan_in: int = 1, element: str = "f32") -> str:
        return self.constant(self.random.standard_normal(shape) / math.sqrt(fan_in), element)

    def add(self, kind: str, *inputs: str, domain: str = "", **attributes) -> str:
        return self.add_all(kind, 1, *inputs, domain=domain, **attributes)[0]

    def add_all(self, kind: str, count: int, *inputs: str, domain: str = "", **attributes) -> list[str]:
        """Adds an operator with several results."""
        name = f"{kind.lower()}{len(self.nodes)}"
        names = [name + f"_{number}" if number else name for number in range(count)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name, domain=domain, **attributes))
        return names

    def conv(self, data: str, inputs: int, outputs: int, *window: int, stride: int = 1, group: int = 1, dilation: int = 1,
             element: str = "f32", **attributes) -> str:
        count = inputs // group
        weight = self.weight(outputs, count, *window, fan_in=count * math.prod(window), element=element)
        bias = self.weight(outputs, element=element)
        pads = [dilation * (size // 2) for size in window] * 2
        return self.add("Conv", data, weight, bias, **{"strides": [stride] * len(window), "pads": pads,
                "dilations": [dilation] * len(window),
                        "group": group, **attributes})

    # Quantized tensors: u8 with a scale of 0.05 and a zero point of 128, about normally distributed.

    def scale(self, value=0.05, zero=128, element: str = "u8") -> list[str]:
        return [self.constant(value), self.constant(zero, element)]

    def bytes(self, *shape: int, **scale) -> str:
        values = np.clip(np.rint(self.random.standard_normal(shape) * 20 + 128), 0, 255)
        return self.add("DequantizeLinear", self.input(*shape, element="u8", values=values), *self.scale(**scale))

    def quantize(self, data: str, **scale) -> str:
        return self.add("QuantizeLinear", data, *self.scale(**scale))

    def requantize(self, data: str, **scale) -> str:
        """Adds both operators, as around every tensor of a quantized network."""
        return self.add("DequantizeLinear", self.quantize(data, **scale), *self.scale(**scale))

    def byte_weight(self, shape: tuple, fan_in: int, axis: int = 0) -> str:
        count = shape[axis]
        scales = (np.full(count, 1 / 60 / math.sqrt(fan_in)) * self.random.uniform(0.8, 1.2, count)).astype(np.float32)
        stored = np.clip(np.rint(self.random.standard_normal(shape) * 50), -127, 127)
        name = self.add("DequantizeLinear", self.constant(stored, "i8"), self.constant(scales), self.constant(np.zeros(count), "i8"),
                axis=axis)
        self.scales[name] = scales
        return name

    def byte_bias(self, weight: str, data_scale=0.05) -> str:
        """Adds the bias of a layer with this weight. Its scale is the product of both scales: otherwise ONNX Runtime computes in floats."""
        scales = np.float32(data_scale) * self.scales[weight]
        return self.add("DequantizeLinear", self.constant(self.random.integers(-500, 500, len(scales)), "i32"), self.constant(scales),
                        self.constant(np.zeros(len(scales)), "i32"), axis=0)

    def byte_conv(self, data: str, inputs: int, outputs: int, *window: int, stride: int = 1, group: int = 1, dilation: int = 1) -> str:
        count = inputs // group
        weight = self.byte_weight((outputs, count, *window), count * math.prod(window))
        return self.add("Conv", data, weight, self.byte_bias(weight), strides=[stride] * len(window), group=group,
                        pads=[dilation * (size // 2) for size in window] * 2, dilations=[dilation] * len(window))

    def save(self, path: pathlib.Path) -> None:
        """Writes the graph. Its outputs are the results that nothing reads."""
        read = {name for node in self.nodes for name in node.input}
        outputs = [name for node in self.nodes for name in node.output if name not in read]
        inputs = [helper.make_tensor_value_info(name, NP_TYPE_TO_TENSOR_TYPE[values.dtype], values.shape)
                  for name, values in self.inputs.items()]
        graph = helper.make_graph(self.nodes, "form", inputs, [onnx.ValueInfoProto(name=name) for name in outputs], self.weights)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        path.write_bytes(helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString())


@dataclasses.dataclass
class Form:
    name: str
    #: "f32" stands for all that is not quantized.
    kind: str
    build: Callable[[Graph], object]


FORMS: dict[str, Form] = {}


def form(name: str, build: Callable[[Graph], object], kind: str = "f32") -> None:
    FORMS[name] = Form(name, kind, build)


def int8(name: str, build: Callable[[Graph], str]) -> None:
    form("int8-" + name, lambda g: g.quantize(build(g)), "int8")


def unary(kind: str, *shape: int, name: str = "", **attributes) -> None:
    form(name or kind.lower(), lambda g: g.add(kind, g.input(*shape), **attributes))


def conv(name: str, inputs: int, outputs: int, image: tuple, window: tuple, batch: int = 1, **options) -> None:
    form("conv-" + name, lambda g: g.add("Relu", g.conv(g.input(batch, inputs, *image), inputs, outputs, *window, **options)))


def square(size: int) -> tuple[int, int]:
    return size, size


# Dense convolutions.
for inputs, size in [(64, 56), (128, 28), (256, 14), (512, 7)]:
    conv(f"3x3-{inputs}", inputs, inputs, square(size), (3, 3))
for inputs, size in [(64, 56), (128, 28), (256, 14)]:
    conv(f"3x3-{inputs}-s2", inputs, 2 * inputs, square(size), (3, 3), stride=2)
conv("7x7-rgb-s2", 3, 64, square(224), (7, 7), stride=2)
conv("3x3-rgb-s2", 3, 32, square(224), (3, 3), stride=2)
conv("11x11-rgb-s4", 3, 96, square(227), (11, 11), stride=4, pads=[0] * 4)
conv("9x9-rgb", 3, 32, square(96), (9, 9))
conv("16x16-patches", 3, 384, square(224), (16, 16), stride=16, pads=[0] * 4)
conv("5x5-32", 32, 64, square(56), (5, 5))
conv("1x7-192", 192, 192, square(17), (1, 7))
conv("7x1-192", 192, 192, square(17), (7, 1))
conv("1x1-64-256", 64, 256, square(56), (1, 1))
conv("1x1-512", 512, 512, square(14), (1, 1))
conv("1x1-144-24", 144, 24, square(56), (1, 1))
conv("1x1-1024-7x7", 1024, 1024, square(7), (1, 1))
conv("1x1-256-s2", 256, 512, square(56), (1, 1), stride=2)
conv("1x1-960-one-pixel", 960, 240, square(1), (1, 1))
conv("3x3-dilated-2", 128, 128, square(28), (3, 3), dilation=2)
conv("3x3-dilated-12", 256, 64, square(33), (3, 3), dilation=12)
conv("3x3-to-3", 64, 3, square(128), (3, 3))
conv("1x1-to-1", 64, 1, square(128), (1, 1))
conv("3x3-valid", 48, 80, square(53), (3, 3), pads=[0] * 4)
conv("3x3-one-sided", 32, 64, square(64), (3, 3), stride=2, pads=[0, 0, 1, 1])
conv("3x3-batch-8", 32, 32, square(28), (3, 3), batch=8)
conv("3x3-20-odd", 20, 36, square(45), (3, 3))
# Grouped ones.
for group, inputs, size in [(32, 128, 56), (32, 256, 28), (32, 512, 14), (2, 96, 27), (8, 64, 56), (16, 32, 56)]:
    conv(f"3x3-{inputs}-g{group}", inputs, inputs, square(size), (3, 3), group=group)
conv("3x3-128-g32-s2", 128, 128, square(56), (3, 3), group=32, stride=2)
conv("3x3-168-g7", 168, 168, square(28), (3, 3), group=7)
conv("5x5-96-g2", 96, 256, square(27), (5, 5), group=2)
for group, inputs, outputs, size in [(3, 240, 60, 28), (3, 60, 240, 28), (8, 384, 96, 28), (8, 96, 384, 28), (4, 272, 68, 28), (8, 768,
        192, 14),
                                     (8, 192, 768, 14)]:
    conv(f"1x1-{inputs}-{outputs}-g{group}", inputs, outputs, square(size), (1, 1), group=group)
conv("depthwise-3x3-32", 32, 32, square(112), (3, 3), group=32)
conv("depthwise-3x3-512", 512, 512, square(14), (3, 3), group=512)
conv("depthwise-3x3-144-s2", 144, 144, square(56), (3, 3), group=144, stride=2)
conv("depthwise-5x5-240", 240, 240, square(28), (5, 5), group=240)
conv("depthwise-7x7-96", 96, 96, square(56), (7, 7), group=96)
conv("depthwise-3x3-dilated", 256, 256, square(33), (3, 3), group=256, dilation=4)
conv("depthwise-3x3-58", 58, 58, square(28), (3, 3), group=58)
conv("depthwise-two-each", 64, 128, square(56), (3, 3), group=64)
# One and three dimensions.
conv("1d-3-80", 80, 384, (1500,), (3,))
conv("1d-3-384-s2", 384, 384, (1500,), (3,), stride=2)
conv("1d-7-dilated", 64, 64, (4000,), (7,), dilation=4)
conv("1d-10-wave", 1, 256, (16000,), (10,), stride=5, pads=[0, 0])
conv("1d-1-256", 256, 256, (500,), (1,))
conv("1d-depthwise-31", 256, 256, (500,), (31,), group=256)
conv("1d-4-causal", 32, 32, (8000,), (4,), pads=[3, 0])
conv("3d-3x3x3", 16, 32, (16, 28, 28), (3, 3, 3))
conv("3d-1x3x3", 32, 32, (8, 28, 28), (1, 3, 3))
conv("3d-3x1x1", 32, 32, (8, 28, 28), (3, 1, 1))
conv("3d-1x1x1", 64, 64, (8, 28, 28), (1, 1, 1))
conv("3d-3x3x3-rgb", 3, 32, (16, 56, 56), (3, 3, 3), stride=2)
conv("3d-depthwise", 64, 64, (8, 28, 28), (3, 3, 3), group=64)


def transposed(name: str, inputs: int, outputs: int, image: tuple, window: tuple, group: int = 1, **attributes) -> None:
    def build(g: Graph) -> str:
        weight = g.weight(inputs, outputs // group, *window, fan_in=inputs // group * math.prod(window))
        return g.add("ConvTranspose", g.input(1, inputs, *image), weight, g.weight(outputs), group=group, **attributes)
    form("conv-transpose-" + name, build)


transposed("2x2-s2", 64, 32, square(56), (2, 2), strides=[2, 2])
transposed("3x3-s2", 64, 64, square(28), (3, 3), strides=[2, 2], pads=[1] * 4, output_padding=[1, 1])
transposed("4x4-s2", 128, 64, square(16), (4, 4), strides=[2, 2], pads=[1] * 4)
transposed("5x5-s1", 32, 32, square(28), (5, 5), pads=[2] * 4)
transposed("4x4-s2-depthwise", 64, 64, square(28), (4, 4), group=64, strides=[2, 2], pads=[1] * 4)
transposed("16x16-s8-to-21", 21, 21, square(32), (16, 16), strides=[8, 8], pads=[4] * 4)
transposed("1d-16-s8", 64, 32, (500,), (16,), strides=[8], pads=[4, 4])
transposed("3d-2x2x2-s2", 32, 16, (8, 14, 14), (2, 2, 2), strides=[2, 2, 2])


# Pools.
def pool(name: str, kind: str, shape: tuple, window: tuple, stride: int, pad: int, **attributes) -> None:
    form(name, lambda g: g.add(kind, g.input(1, *shape), kernel_shape=list(window), strides=[stride] * len(window),
            pads=[pad] * 2 * len(window),
                               **attributes))


pool("max-pool-3x3-s2", "MaxPool", (64, 112, 112), (3, 3), 2, 1)
pool("max-pool-2x2", "MaxPool", (64, 112, 112), (2, 2), 2, 0)
pool("max-pool-5x5-s1", "MaxPool", (128, 20, 20), (5, 5), 1, 2)
pool("max-pool-ceil", "MaxPool", (64, 111, 111), (3, 3), 2, 0, ceil_mode=1)
pool("max-pool-1d", "MaxPool", (128, 4000), (4,), 4, 0)
pool("max-pool-3d", "MaxPool", (32, 16, 28, 28), (2, 2, 2), 2, 0)
pool("average-pool-3x3-s1", "AveragePool", (192, 35, 35), (3, 3), 1, 1)
pool("average-pool-2x2", "AveragePool", (128, 56, 56), (2, 2), 2, 0)
pool("average-pool-7x7", "AveragePool", (1024, 7, 7), (7, 7), 1, 0)
pool("average-pool-3d", "AveragePool", (32, 16, 28, 28), (2, 2, 2), 2, 0)
pool("lp-pool", "LpPool", (64, 56, 56), (2, 2), 2, 0)
unary("GlobalAveragePool", 1, 512, 28, 28)
unary("GlobalMaxPool", 1, 512, 28, 28)


# Resizing.
def resize(name: str, shape: tuple, sizes: tuple, **attributes) -> None:
    form("resize-" + name, lambda g: g.add("Resize", g.input(*shape), "", "", g.ints(*sizes), **attributes))


FLOOR = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
resize("nearest-2x", (1, 128, 28, 28), (1, 128, 56, 56), **FLOOR)
resize("nearest-odd", (1, 64, 33, 33), (1, 64, 100, 100), mode="nearest")
resize("nearest-down", (1, 64, 112, 112), (1, 64, 56, 56), **FLOOR)
resize("nearest-3d", (1, 32, 8, 14, 14), (1, 32, 16, 28, 28), **FLOOR)
resize("linear-2x", (1, 64, 56, 56), (1, 64, 112, 112), mode="linear")
resize("linear-down", (1, 64, 112, 112), (1, 64, 56, 56), mode="linear")
resize("linear-513", (1, 21, 65, 65), (1, 21, 513, 513), mode="linear", coordinate_transformation_mode="align_corners")
resize("linear-513-half", (1, 21, 65, 65), (1, 21, 513, 513), mode="linear", coordinate_transformation_mode="pytorch_half_pixel")
resize("linear-rgb-down", (1, 3, 480, 640), (1, 3, 224, 224), mode="linear")
resize("linear-nhwc", (1, 56, 56, 64), (1, 112, 112, 64), mode="linear")
resize("linear-3d", (1, 16, 8, 14, 14), (1, 16, 16, 28, 28), mode="linear")
resize("linear-1d", (1, 64, 1000), (1, 64, 4000), mode="linear")
resize("cubic-2x", (1, 32, 56, 56), (1, 32, 112, 112), mode="cubic")
resize("cubic-rgb", (1, 3, 112, 112), (1, 3, 224, 224), mode="cubic", cubic_coeff_a=-0.75)
resize("antialias", (1, 3, 256, 256), (1, 3, 112, 112), mode="linear", antialias=1)
form("segmentation-head", lambda g: g.add("ArgMax", g.add("Resize", g.conv(g.input(1, 256, 65, 65), 256, 21, 1, 1), "", "", g.ints(1, 21,
        513, 513),
                                                         mode="linear", coordinate_transformation_mode="align_corners"), axis=1,
                                                                 keepdims=0))
form("grid-sample", lambda g: g.add("GridSample", g.input(1, 32, 64, 64), g.input(1, 64, 64, 2, values=g.random.uniform(-1, 1, (1, 64, 64,
        2)))))

# Reductions.
for axis, name, shape in [(1, "channels", (1, 21, 256, 256)), (-1, "last", (512, 1000)), (2, "rows", (1, 32, 128, 128)), (0, "first", (64,
        10000))]:
    unary("ArgMax", *shape, name=f"arg-max-{name}", axis=axis, keepdims=0)
unary("ArgMin", 1, 21, 256, 256, name="arg-min-channels", axis=1)
for kind, name, axes, shape in [
        ("ReduceSum", "all", [0, 1, 2, 3], (1, 64, 64, 64)), ("ReduceMean", "channels", [1], (1, 64, 64, 64)),
        ("ReduceMean", "pixels", [2, 3], (1, 256, 32, 32)), ("ReduceMean", "pixels-nhwc", [1, 2], (1, 32, 32, 256)),
        ("ReduceMax", "channels", [1], (1, 64, 64, 64)), ("ReduceSum", "last", [-1], (512, 768)), ("ReduceSum", "first", [0], (512, 768)),
        ("ReduceSum", "middle", [1], (32, 128, 64)), ("ReduceSum", "outer-and-last", [0, 2], (32, 128, 64)), ("ReduceMin", "last", [-1],
                (512, 768)),
        ("ReduceProd", "last", [-1], (512, 768)), ("ReduceL1", "last", [-1], (512, 768)), ("ReduceL2", "channels", [1], (1, 64, 64, 64)),
        ("ReduceSumSquare", "last", [-1], (512, 768)), ("ReduceLogSumExp", "last", [-1], (512, 768))]:
    form(f"{kind.lower().replace('reduce', 'reduce-')}-{name}",
         lambda g, kind=kind, axes=axes, shape=shape: g.add(kind, g.input(*shape), g.ints(*axes), keepdims=0))
for name, axis in [("last", 1), ("first", 0)]:
    form(f"cumsum-{name}", lambda g, axis=axis: g.add("CumSum", g.input(512, 512), g.constant(axis, "i64")))
for name, shape, count, axis in [("5-of-1000", (128, 1000), 5, 1), ("100-of-8400", (1, 8400), 100, 1), ("channels", (1, 80, 2100), 4, 1),
                                 ("300-of-8400", (8, 8400), 300, 1)]:
    form("top-k-" + name, lambda g, shape=shape, count=count, axis=axis: g.add_all("TopK", 2, g.input(*shape), g.ints(count), axis=axis))
for name, shape, axis in [("last", (12, 128, 128), -1), ("1000", (64, 1000), -1), ("channels", (1, 21, 128, 128), 1), ("middle", (8, 64,
        256), 1)]:
    unary("Softmax", *shape, name="softmax-" + name, axis=axis)
unary("LogSoftmax", 64, 1000, name="log-softmax", axis=-1)
unary("Hardmax", 256, 1000, name="hardmax", axis=-1)


# Moves.
def gather(name: str, shape: tuple, axis: int, count: tuple) -> None:
    form("gather-" + name, lambda g: g.add("Gather", g.input(*shape), g.input(*count, element="i64", values=g.random.integers(0,
            shape[axis], count)),
                                           axis=axis))


gather("rows", (2000, 256), 0, (1, 384))
gather("last", (512, 512), 1, (256,))
gather("middle", (16, 256, 256), 1, (128,))
form("gather-embedding", lambda g: g.add("Gather", g.weight(5000, 384), g.input(1, 512, element="i64", values=g.random.integers(0, 5000,
        (1, 512)))))
form("gather-elements", lambda g: g.add("GatherElements", g.input(256, 512), g.input(256, 256, element="i64",
                                        values=g.random.integers(0, 512, (256, 256))), axis=1))
form("gather-nd", lambda g: g.add("GatherND", g.input(64, 64, 64), g.input(4096, 2, element="i64", values=g.random.integers(0, 64, (4096,
        2)))))
form("scatter-nd", lambda g: g.add("ScatterND", g.input(1024, 256), g.input(256, 1, element="i64", values=g.random.permutation(1024)[:256,
        None]),
                                   g.input(256, 256)))
form("scatter-elements", lambda g: g.add("ScatterElements", g.input(256, 512), g.input(256, 256, element="i64",
                                         values=np.argsort(g.random.random((256, 512)), 1)[:, :256]), g.input(256, 256), axis=1))
form("one-hot", lambda g: g.add("OneHot", g.input(256, element="i64"), g.constant(1000, "i64"), g.constant([0.0, 1.0]), axis=-1))


def slices(name: str, shape: tuple, starts: list, ends: list, axes: list, steps: list) -> None:
    form("slice-" + name, lambda g: g.add("Slice", g.input(*shape), *[g.ints(*values) for values in (starts, ends, axes, steps)]))


slices("crop", (1, 64, 114, 114), [1, 1], [113, 113], [2, 3], [1, 1])
slices("channels", (1, 128, 56, 56), [32], [96], [1], [1])
slices("step-2", (1, 64, 112, 112), [0, 1], [112, 112], [2, 3], [2, 2])
slices("last", (1024, 768), [256], [512], [1], [1])
slices("reversed", (1, 64, 56, 56), [-1], [-57], [3], [-1])
form("focus", lambda g: g.add("Concat", *[g.add("Slice", "x0" if number else g.input(1, 3, 320, 320), g.ints(y, x), g.ints(320, 320),
        g.ints(2, 3), g.ints(2, 2))
                                         for number, (y, x) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)])], axis=1))
for name, shape, axis in [("channels", (1, 64, 56, 56), 1), ("last", (1024, 256), 1), ("first", (64, 2048), 0), ("nhwc", (1, 56, 56, 64),
        3)]:
    form("concat-" + name, lambda g, shape=shape, axis=axis: g.add("Concat", g.input(*shape), g.input(*shape), axis=axis))
for name, shape, axis, count in [("channels", (1, 128, 56, 56), 1, 2), ("qkv", (1, 256, 1152), 2, 3)]:
    form("split-" + name, lambda g, shape=shape, axis=axis, count=count: g.add_all("Split", count, g.input(*shape), axis=axis,
            num_outputs=count))
for mode in ("constant", "reflect", "edge"):
    form("pad-" + mode, lambda g, mode=mode: g.add("Pad", g.input(1, 64, 56, 56), g.ints(0, 0, 2, 2, 0, 0, 2, 2), mode=mode))
form("tile", lambda g: g.add("Tile", g.input(64, 32, 32), g.ints(1, 4, 4)))
form("expand", lambda g: g.add("Expand", g.input(64, 1, 256), g.ints(64, 32, 256)))
for name, shape, order in [("nchw-nhwc", (1, 64, 112, 112), (0, 2, 3, 1)), ("nhwc-nchw", (1, 112, 112, 64), (0, 3, 1, 2)), ("heads", (1,
        384, 12, 64), (0, 2, 1, 3)),
                           ("matrix", (1024, 768), (1, 0)), ("last-two", (12, 384, 64), (0, 2, 1)), ("image", (480, 640, 3), (2, 0, 1)),
                           ("windows", (1, 8, 7, 8, 7, 96), (0, 1, 3, 2, 4, 5)), ("reversed", (64, 32, 32, 16), (3, 2, 1, 0))]:
    unary("Transpose", *shape, name="transpose-" + name, perm=list(order))
unary("DepthToSpace", 1, 256, 56, 56, name="depth-to-space", blocksize=2)
unary("DepthToSpace", 1, 256, 56, 56, name="depth-to-space-crd", blocksize=2, mode="CRD")
unary("SpaceToDepth", 1, 64, 112, 112, name="space-to-depth", blocksize=2)


def shuffle(g: Graph, data: str, channels: int, size: int, group: int) -> str:
    data = g.add("Reshape", data, g.ints(1, group, channels // group, size, size))
    return g.add("Reshape", g.add("Transpose", data, perm=[0, 2, 1, 3, 4]), g.ints(1, channels, size, size))


for channels, size, group in [(240, 28, 3), (116, 28, 2), (384, 28, 8)]:
    form(f"channel-shuffle-{channels}-g{group}", lambda g, channels=channels, size=size, group=group: shuffle(g, g.input(1, channels, size,
            size), channels, size, group))


def shuffle_unit(g: Graph, channels: int, size: int, group: int) -> str:
    """A unit of ShuffleNet V1 (Zhang et al. 2017)."""
    data, width = g.input(1, channels, size, size), channels // 4
    inner = shuffle(g, g.add("Relu", g.conv(data, channels, width, 1, 1, group=group)), width, size, group)
    inner = g.conv(g.conv(inner, width, width, 3, 3, group=width), width, channels, 1, 1, group=group)
    return g.add("Relu", g.add("Add", inner, data))


for channels, size, group in [(240, 28, 3), (384, 28, 8), (768, 14, 8)]:
    form(f"shuffle-unit-{channels}-g{group}", lambda g, channels=channels, size=size, group=group: shuffle_unit(g, channels, size, group))

# Elementwise operators.
for kind in ("Exp", "Tanh", "Erf", "Sigmoid", "HardSwish", "Sqrt", "Log", "Softplus", "Elu", "Selu", "LeakyRelu", "Floor", "Round", "Sin",
        "Gelu", "Mish", "Abs",
             "Reciprocal", "Softsign", "Celu", "HardSigmoid"):
    form(kind.lower(), lambda g, kind=kind: g.add(kind, g.input(256, 1024, values=np.abs(g.random.standard_normal((256, 1024))) + 0.1
                                                         if kind in ("Sqrt", "Log", "Reciprocal") else None)))
form("swish", lambda g: g.add("Mul", g.input(1, 64, 56, 56), g.add("Sigmoid", "x0")))
form("gelu-tanh", lambda g: g.add("Gelu", g.input(256, 1024), approximate="tanh"))
form("clip", lambda g: g.add("Clip", g.input(256, 1024), g.constant(-1.0), g.constant(1.0)))
form("prelu", lambda g: g.add("PRelu", g.input(1, 64, 56, 56), g.weight(64, 1, 1)))
form("pow-2", lambda g: g.add("Pow", g.input(256, 1024), g.constant(2.0)))
form("pow-1.7", lambda g: g.add("Pow", g.input(256, 1024, values=g.random.uniform(0.1, 3, (256, 1024))), g.constant(1.7)))
for name, other in [("same", (256, 1024)), ("row", (1024,)), ("column", (256, 1)), ("scalar", ())]:
    form("add-" + name, lambda g, other=other: g.add("Add", g.input(256, 1024), g.input(*other)))
form("mul-channels", lambda g: g.add("Mul", g.input(1, 256, 28, 28), g.input(1, 256, 1, 1)))
form("div-same", lambda g: g.add("Div", g.input(256, 1024), g.input(256, 1024, values=g.random.uniform(0.5, 2, (256, 1024)))))
form("sub-outer", lambda g: g.add("Sub", g.input(512, 1), g.input(1, 512)))
form("max-three", lambda g: g.add("Max", g.input(256, 1024), g.input(256, 1024), g.input(256, 1024)))
form("where", lambda g: g.add("Where", g.add("Greater", g.input(256, 1024), g.constant(0.0)), "x0", g.input(256, 1024)))
form("where-mask", lambda g: g.add("Where", g.input(1, 1, 384, 384, element="bool", values=g.random.random((1, 1, 384, 384)) > 0.5),
        g.input(1, 8, 384, 384),
                                   g.constant(-1e4)))

# Normalisations.
form("batch-norm", lambda g: g.add("BatchNormalization", g.input(1, 64, 56, 56), *[g.constant(g.random.uniform(0.5, 1.5,
        64)) for _ in range(4)]))
form("instance-norm", lambda g: g.add("InstanceNormalization", g.input(1, 64, 56, 56), g.weight(64), g.weight(64)))
form("layer-norm", lambda g: g.add("LayerNormalization", g.input(384, 768), g.weight(768), g.weight(768)))
form("layer-norm-channels-first", lambda g: g.add("Transpose", g.add("LayerNormalization", g.add("Transpose", g.input(1, 96, 56, 56),
        perm=[0, 2, 3, 1]),
                                                                    g.weight(96), g.weight(96)), perm=[0, 3, 1, 2]))
form("group-norm", lambda g: g.add("GroupNormalization", g.input(1, 64, 56, 56), g.weight(64), g.weight(64), num_groups=8))
unary("LRN", 1, 64, 27, 27, name="lrn", size=5)
unary("LpNormalization", 512, 768, name="l2-normalize", axis=-1)


# Products.
def product(name: str, left: tuple, right: tuple, constant: bool = False, element: str = "f32") -> None:
    form("matmul-" + name, lambda g: g.add("MatMul", g.input(*left, element=element), g.weight(*right, fan_in=right[-2],
            element=element) if constant else
                                           g.input(*right, element=element)))


product("128x768x3072", (128, 768), (768, 3072), True)
product("vector-1024x1000", (1, 1024), (1024, 1000), True)
product("8x1024x1024", (8, 1024), (1024, 1024), True)
product("tall-10000x64x16", (10000, 64), (64, 16), True)
product("wide-16x64x10000", (16, 64), (64, 10000), True)
product("tall-4096x8x8", (4096, 8), (8, 8), True)
product("512-both", (512, 512), (512, 512))
product("vector-both", (1, 1024), (1024, 1024))
product("column-both", (1024, 1024), (1024, 1))
product("scores", (12, 128, 64), (12, 64, 128))
product("small-batch", (256, 16, 16), (256, 16, 16))
product("4x4-batch", (4096, 4, 4), (4096, 4, 4))
product("broadcast", (8, 64, 64), (64, 64))
product("odd", (67, 131), (131, 77))
form("gemm-transposed-a", lambda g: g.add("Gemm", g.input(256, 128), g.weight(256, 512, fan_in=256), g.weight(512), transA=1))
form("gemm-transposed-b-both", lambda g: g.add("Gemm", g.input(128, 256), g.input(512, 256), transB=1))
form("einsum-scores", lambda g: g.add("Einsum", g.input(1, 128, 12, 64), g.input(1, 128, 12, 64), equation="bqhd,bkhd->bhqk"))
form("einsum-outer", lambda g: g.add("Einsum", g.input(512), g.input(512), equation="i,j->ij"))


def attention(g: Graph) -> str:
    query, key, value = (g.input(1, 12, 128, 64) for _ in range(3))
    scores = g.add("Mul", g.add("MatMul", query, g.add("Transpose", key, perm=[0, 1, 3, 2])), g.constant(0.125))
    return g.add("MatMul", g.add("Softmax", scores, axis=-1), value)


form("attention", attention)


def recurrent(name: str, kind: str, steps: int, inputs: int, hidden: int, gates: int, directions: int = 1) -> None:
    def build(g: Graph) -> str:
        options = {"direction": "bidirectional"} if directions == 2 else {}
        return g.add(kind, g.input(steps, 1, inputs), g.weight(directions, gates * hidden, inputs, fan_in=inputs),
                     g.weight(directions, gates * hidden, hidden, fan_in=hidden), g.weight(directions, 2 * gates * hidden),
                             hidden_size=hidden, **options)
    form(name, build)


recurrent("lstm-200x128", "LSTM", 200, 64, 128, 4)
recurrent("lstm-1000x32", "LSTM", 1000, 16, 32, 4)
recurrent("lstm-100x256-both", "LSTM", 100, 128, 256, 4, 2)
recurrent("gru-200x128", "GRU", 200, 64, 128, 3)
recurrent("rnn-500x64", "RNN", 500, 64, 64, 1)

# Other types.
form("f16-conv", lambda g: g.conv(g.input(1, 64, 28, 28, element="f16"), 64, 64, 3, 3, element="f16"))
product("f16", (128, 256), (256, 512), True, "f16")
form("f16-add", lambda g: g.add("Add", g.input(256, 1024, element="f16"), g.input(256, 1024, element="f16")))
form("f16-softmax", lambda g: g.add("Softmax", g.input(64, 1000, element="f16"), axis=-1))
form("f16-cast", lambda g: g.add("Cast", g.input(256, 1024), to=TensorProto.FLOAT16))
product("f64", (128, 256), (256, 256), False, "f64")
product("f64-constant", (128, 256), (256, 512), True, "f64")
form("f64-softmax", lambda g: g.add("Softmax", g.input(64, 1000, element="f64"), axis=-1))
form("f64-add", lambda g: g.add("Add", g.input(256, 1024, element="f64"), g.input(256, 1024, element="f64")))
for element in ("i32", "i64"):
    form(f"{element}-add", lambda g, element=element: g.add("Add", g.input(256, 1024, element=element), g.input(256, 1024,
            element=element)))
    form(f"{element}-mul-row", lambda g, element=element: g.add("Mul", g.input(256, 1024, element=element), g.input(1024, element=element)))
form("i32-reduce-sum", lambda g: g.add("ReduceSum", g.input(512, 768, element="i32"), g.ints(-1)))
form("i64-equal", lambda g: g.add("Equal", g.input(256, 1024, element="i64"), g.input(256, 1024, element="i64")))
form("i64-to-f32", lambda g: g.add("Cast", g.input(256, 1024, element="i64"), to=TensorProto.FLOAT))
form("u8-image-to-f32", lambda g: g.add("Transpose", g.add("Mul", g.add("Cast", g.input(1, 224, 224, 3, element="u8"),
        to=TensorProto.FLOAT), g.constant(1 / 255)),
                                       perm=[0, 3, 1, 2]))
form("u8-transpose", lambda g: g.add("Transpose", g.input(1, 112, 112, 64, element="u8"), perm=[0, 3, 1, 2]))
form("matmul-integer", lambda g: g.add("MatMulInteger", g.input(128, 256, element="u8"), g.constant(g.random.integers(-100, 100, (256,
        512)), "i8")))
form("conv-integer", lambda g: g.add("ConvInteger", g.input(1, 64, 28, 28, element="u8"), g.constant(g.random.integers(0, 200, (64, 64, 3,
        3)), "u8"), pads=[1] * 4))
form("conv-integer-zero-points", lambda g: g.add("ConvInteger", g.input(1, 64, 28, 28, element="u8"), g.constant(g.random.integers(0, 200,
        (64, 64, 3, 3)), "u8"),
                                               g.constant(120, "u8"), g.constant(100, "u8"), pads=[1] * 4))
form("matmul-integer-zero-points", lambda g: g.add("MatMulInteger", g.input(128, 256, element="u8"), g.constant(g.random.integers(0, 200,
        (256, 512)), "u8"),
                                                 g.constant(120, "u8"), g.constant(100, "u8")))
form("qlinear-conv-u8", lambda g: g.add("QLinearConv", g.input(1, 64, 28, 28, element="u8"), *g.scale(), g.constant(g.random.integers(0,
        200, (64, 64, 3, 3)), "u8"),
                                      *g.scale(0.001, 100), *g.scale(0.1), pads=[1] * 4))
form("quantize-linear", lambda g: g.quantize(g.input(256, 1024)))
form("dequantize-linear", lambda g: g.add("DequantizeLinear", g.input(256, 1024, element="u8"), *g.scale()))

# Quantized operators, int8 weights and u8 data.
for name, inputs, outputs, size, window, options in [
        ("3x3-64", 64, 64, 56, 3, {}), ("3x3-256", 256, 256, 14, 3, {}), ("3x3-128-s2", 128, 128, 56, 3, {"stride": 2}), ("7x7-rgb-s2", 3,
                64, 224, 7, {"stride": 2}),
        ("1x1-64-256", 64, 256, 56, 1, {}), ("1x1-512", 512, 512, 14, 1, {}), ("3x3-dilated-2", 128, 128, 28, 3, {"dilation": 2}),
        ("3x3-256-g32", 256, 256, 28, 3, {"group": 32}), ("3x3-128-g32", 128, 128, 56, 3, {"group": 32}), ("1x1-240-60-g3", 240, 60, 28, 1,
                {"group": 3}),
        ("1x1-96-384-g8", 96, 384, 28, 1, {"group": 8}), ("depthwise-3x3-32", 32, 32, 112, 3, {"group": 32}),
        ("depthwise-3x3-512", 512, 512, 14, 3, {"group": 512}), ("depthwise-5x5-240-s2", 240, 240, 28, 5, {"group": 240, "stride": 2})]:
    int8("conv-" + name, lambda g, inputs=inputs, outputs=outputs, size=size, window=window, options=options:
         g.byte_conv(g.bytes(1, inputs, size, size), inputs, outputs, window, window, **options))
int8("conv-1d-3-80", lambda g: g.byte_conv(g.bytes(1, 80, 1500), 80, 384, 3))
int8("conv-relu", lambda g: g.add("Relu", g.byte_conv(g.bytes(1, 64, 28, 28), 64, 128, 3, 3)))
int8("dense-1024-1000", lambda g: g.add("Gemm", g.bytes(1, 1024), weight := g.byte_weight((1000, 1024), 1024), g.byte_bias(weight),
        transB=1))
int8("matmul-128x768x768", lambda g: g.add("MatMul", g.bytes(128, 768), g.byte_weight((768, 768), 768, axis=1)))
int8("matmul-scores", lambda g: g.add("MatMul", g.bytes(12, 128, 64), g.bytes(12, 64, 128)))
int8("add", lambda g: g.add("Add", g.bytes(1, 256, 56, 56), g.bytes(1, 256, 56, 56)))
int8("mul", lambda g: g.add("Mul", g.bytes(1, 64, 56, 56), g.bytes(1, 64, 56, 56)))
int8("mul-channels", lambda g: g.add("Mul", g.bytes(1, 256, 28, 28), g.bytes(1, 256, 1, 1)))
int8("concat", lambda g: g.add("Concat", g.bytes(1, 64, 56, 56), g.bytes(1, 64, 56, 56), axis=1))
int8("max-pool", lambda g: g.add("MaxPool", g.bytes(1, 64, 112, 112), kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4))
int8("average-pool", lambda g: g.add("AveragePool", g.bytes(1, 128, 56, 56), kernel_shape=[2, 2], strides=[2, 2]))
int8("global-average-pool", lambda g: g.add("GlobalAveragePool", g.bytes(1, 512, 28, 28)))
int8("sigmoid", lambda g: g.add("Sigmoid", g.bytes(1, 64, 56, 56)))
int8("leaky-relu", lambda g: g.add("LeakyRelu", g.bytes(1, 64, 56, 56), alpha=0.1))
int8("swish", lambda g: g.add("Mul", g.bytes(1, 64, 56, 56), g.requantize(g.add("Sigmoid", "dequantizelinear0"), value=1 / 255, zero=0)))
int8("softmax", lambda g: g.add("Softmax", g.bytes(64, 1000), axis=-1))
int8("resize-nearest", lambda g: g.add("Resize", g.bytes(1, 128, 28, 28), "", "", g.ints(1, 128, 56, 56), **FLOOR))
int8("resize-linear", lambda g: g.add("Resize", g.bytes(1, 64, 28, 28), "", "", g.ints(1, 64, 56, 56), mode="linear"))
int8("transpose", lambda g: g.add("Transpose", g.bytes(1, 64, 56, 56), perm=[0, 2, 3, 1]))
int8("pad", lambda g: g.add("Pad", g.bytes(1, 64, 56, 56), g.ints(0, 0, 1, 1, 0, 0, 1, 1)))
int8("reduce-mean", lambda g: g.add("ReduceMean", g.bytes(1, 256, 28, 28), g.ints(2, 3)))
