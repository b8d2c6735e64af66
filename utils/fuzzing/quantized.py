"""Random graphs of quantized layers.

The C computes them with other words, layouts and zero points than the interpreter, but every integer must be equal: all
operators here are exact. Two exceptions of the definition are avoided: the scales of `quantized_add` have few bits, so
that its products are exact with and without `fma`, and no float operator rounds before `quantize`.
"""

import dataclasses
import math

from fuzzing.graph import Graph, NoOperands, Operation, Value, integer_range
from fuzzing.operators.windows import Window, order


@dataclasses.dataclass(eq=False)
class Quantized(Value):
    """A tensor with one scale. `type` is the text of its element type."""

    storage: str = ""
    scale: float = 1
    zero_point: int = 0


def type_text(storage: str, scales: list[float], zero_points: list[int], axis: int | None = None) -> str:
    name = storage if storage[0] == "i" else storage[1:]
    name = ("u" + name[1:]) if storage.startswith("u") else name
    parameters = ", ".join(f"{scale!r}:{point}" if point else f"{scale!r}" for scale, point in zip(scales, zero_points))
    if axis is None:
        return f"!quant.uniform<{name}:f32, {parameters}>"
    return f"!quant.uniform<{name}:f32:{axis}, {{{parameters}}}>"


class Builder:
    """Adds operators to a graph. `pool` has the quantized tensors."""

    def __init__(self, seed: int):
        self.g = Graph(seed)
        self.random = self.g.random
        self.pool: list[Quantized] = []
        # All scales of a graph have few bits, or most have many.
        self.has_short_scales = self.g.chance(0.5)
        # Some graphs have enough channels for instructions on tiles.
        self.is_wide = self.g.chance(0.3)

    # Values ----------------------------------------------------------------

    def scale(self, least: float = 0.01, most: float = 0.2) -> float:
        if self.has_short_scales:
            return self.random.randint(1, 15) * 2.0 ** round(math.log2(self.random.uniform(least, most) / 8))
        # Rounded to f32, as every importer does.
        return float(f"{self.random.uniform(least, most):.4g}")

    def make(self, shape, storage: str | None = None, scale: float | None = None,
             zero_point: int | None = None) -> Quantized:
        storage = storage or self.random.choice(["i8", "i8", "ui8", "ui8"])
        lo, hi = integer_range(storage)
        if zero_point is None:
            zero_point = self.random.choice([lo, lo, 0, hi, self.random.randint(lo, hi)])
        scale = scale or self.scale()
        return Quantized(tuple(shape), type_text(storage, [scale], [zero_point]), lo, hi, storage=storage, scale=scale,
                         zero_point=zero_point)

    def like(self, data: Quantized, shape) -> Quantized:
        return self.make(shape, data.storage, data.scale, data.zero_point)

    def emit(self, template: str, operands, result: Value) -> Value:
        result.name = self.g.name()
        operation = Operation("uma.graph." + template, list(operands), [result])
        result.producer = operation
        self.g.operations.append(operation)
        if isinstance(result, Quantized):
            self.pool.append(result)
        return result

    def constant(self, shape, storage: str, lo: int, hi: int, type: str) -> Value:
        """Returns a constant of quantized type `type`."""
        integers = self.g.constant(tuple(shape), storage, lo, hi)
        return self.emit("storage_cast {0}", [integers], Value(tuple(shape), type, lo, hi))

    def leaf(self, shape) -> Quantized:
        result = self.make(shape)
        if self.g.chance(0.5):
            result.scale = self.random.choice([1 / 128, 1 / 64, 0.0123])
            result.type = type_text(result.storage, [result.scale], [result.zero_point])
            return self.emit("quantize {0}" + self.rounding(), [self.g.input(shape, "f32")], result)
        return self.emit("storage_cast {0}", [self.g.input(shape, result.storage)], result)

    def pick(self, accepts=lambda value: True, shape=None) -> Quantized:
        known = [value for value in self.pool if accepts(value)]
        if not known:
            if shape is None:
                raise NoOperands
            return self.leaf(shape)
        return known[max(0, len(known) - self.random.randint(1, 3))] if self.g.chance(0.7) else self.random.choice(known)

    def rounding(self) -> str:
        return ' rounding "tflite"' if self.g.chance(0.3) else ""

    # Operators -------------------------------------------------------------

    def layer(self, data: Quantized, weight_shape, output_axis: int, taps: int, shape, channel_axis: int,
              text: str) -> None:
        """Adds a convolution or dense layer of `text`, with bias and requantize."""
        storage = "i8" if self.g.chance(0.85) else "ui8"
        lo, hi = integer_range(storage)
        count = weight_shape[output_axis]
        per_channel = self.g.chance(0.6)
        point = 0 if self.g.chance(0.85) else self.random.randint(lo, hi)
        scales = [self.scale() for _ in range(count if per_channel else 1)]
        type = type_text(storage, scales, [point] * len(scales), output_axis if per_channel else None)
        weight = self.constant(weight_shape, storage, lo if self.g.chance(0.3) else max(lo, -127), hi, type)
        # The type has the scales in f32; so has their product.
        sums = [data.scale * scale for scale in scales]
        sum_type = type_text("i32", sums, [0] * len(sums), channel_axis if per_channel else None)
        value = self.emit(text, [data, weight], Value(tuple(shape), sum_type, 0, 0))
        if self.g.chance(0.8):
            bias_type = type_text("i32", sums, [0] * len(sums), 0 if per_channel else None)
            bias = self.constant((count,), "i32", -3000, 3000, bias_type)
            axis = "" if channel_axis == 1 else f" axis {channel_axis}"
            value = self.emit("bias_add {0}, {1}" + axis, [value, bias], Value(tuple(shape), sum_type, 0, 0))
        # About the standard deviation of the sums, so that few results saturate.
        scale = max(sums) * 70 * 75 * math.sqrt(max(taps, 1)) / 60
        if self.has_short_scales:
            scale = self.random.randint(4, 15) * 2.0 ** round(math.log2(scale / 8))
        result = self.make(shape, scale=float(f"{scale:.4g}") if not self.has_short_scales else scale)
        clamp = ""
        if self.g.chance(0.4):
            low, high = integer_range(result.storage)
            low = max(low, result.zero_point)
            clamp = f" clamp [{low}, {self.random.randint(low, high)}]"
        self.emit("requantize {0}" + clamp + self.rounding(), [value], result)

    def convolution(self) -> None:
        data = self.pick(lambda v: v.rank == 4, (1, self.random.choice([16, 32, 64] if self.is_wide else [1, 2, 3, 4, 8, 16, 17]), 6, 7))
        layout, kernel_layout = self.random.choice([("NCHW", "OIHW"), ("NCHW", "OIHW"), ("NHWC", "OHWI"), ("NHWC", "HWIO")])
        channels, axis = data.shape[layout.index("C")], layout.index("C")
        spatial = [size for letter, size in zip(layout, data.shape) if letter in "HW"]
        groups, outputs = 1, self.random.choice([16, 32, 48, 64] if self.is_wide else [1, 3, 4, 8, 16, 20, 33])
        if self.g.chance(0.3):
            groups = channels if self.g.chance(0.7) else self.random.choice(
                [n for n in range(1, channels + 1) if channels % n == 0])
            outputs = groups * self.random.randint(1, 2)
        window = Window(self.g, spatial)
        shape = order(layout, {"N": [data.shape[0]], "C": [outputs], "spatial": window.outputs})
        weights = order(kernel_layout, {"O": [outputs], "I": [channels // groups], "spatial": window.kernel})
        text = (f" groups {groups}" if groups != 1 else "") + (f' layout "{layout}"' if layout != "NCHW" else "") + (
            f' kernel_layout "{kernel_layout}"' if kernel_layout != "OIHW" else "")
        self.layer(data, weights, kernel_layout.index("O"), window.taps * channels // groups, shape, axis,
                   f"conv2d {{0}}, {{1}}{window.text()}{text}")

    def dense(self) -> None:
        data = self.pick(lambda v: v.rank == 2, (self.random.choice([1, 3]), self.random.choice([1, 5, 8, 64, 75])))
        outputs = self.random.choice([1, 4, 10, 16, 33])
        self.layer(data, (outputs, data.shape[1]), 0, data.shape[1], (data.shape[0], outputs), 1, "dense {0}, {1}")

    def add(self) -> None:
        lhs = self.pick()
        rhs = self.pick(lambda v: v.shape == lhs.shape and v.storage == lhs.storage)
        rounding = self.rounding()
        if not rounding and not self.has_short_scales:
            rounding = ' rounding "tflite"'
        # The quotients of the scales are exact for a power of two.
        scale = 2.0 ** math.ceil(math.log2(lhs.scale + rhs.scale))
        self.emit("quantized_add {0}, {1}" + rounding, [lhs, rhs], self.make(lhs.shape, lhs.storage, scale))

    def pool2d(self) -> None:
        data = self.pick(lambda v: v.rank == 4)
        kernel, stride = self.random.randint(1, 3), self.random.randint(1, 2)
        if min(data.shape[2:]) < kernel:
            raise NoOperands
        shape = [*data.shape[:2], *((size - kernel) // stride + 1 for size in data.shape[2:])]
        self.emit(f"max_pool2d {{0}} size [{kernel}, {kernel}] strides [{stride}, {stride}]", [data], self.like(data, shape))

    def move(self) -> None:
        data = self.pick(lambda v: v.rank >= 2)
        kind = self.random.choice(["flatten", "transpose", "slice", "concatenate"])
        if kind == "flatten":
            self.emit("batch_flatten {0}", [data], self.like(data, (data.shape[0], math.prod(data.shape[1:]))))
        elif kind == "transpose":
            axes = self.random.sample(range(data.rank), data.rank)
            self.emit(f"transpose {{0}} {axes}", [data], self.like(data, [data.shape[axis] for axis in axes]))
        elif kind == "slice":
            begin = [self.random.randrange(size) for size in data.shape]
            sizes = [self.random.randint(1, size - first) for first, size in zip(begin, data.shape)]
            self.emit(f"strided_slice {{0}} {begin} size {sizes} strides {[1] * data.rank}", [data], self.like(data, sizes))
        else:
            other = self.pick(lambda v: v.type == data.type and v.rank == data.rank and v.shape[2:] == data.shape[2:]
                              and v.shape[0] == data.shape[0])
            shape = [data.shape[0], data.shape[1] + other.shape[1], *data.shape[2:]]
            self.emit("concatenate {0}, {1} axis 1", [data, other], self.like(data, shape))

    def island(self) -> None:
        """Real numbers between two quantized tensors."""
        data = self.pick()
        real = self.emit("dequantize {0}", [data], Value(data.shape, "f32", -1e4, 1e4))
        op = self.random.choice(["relu {0}", "negative {0}", "clip {0} min -0.5 max 1.5", ""])
        if op:
            real = self.emit(op, [real], Value(data.shape, "f32", -1e4, 1e4))
        # With TensorFlow Lite's rounding, this is folded to its 'requantize', which rounds other halves up.
        self.emit("quantize {0}", [real], self.make(data.shape))

    def finish(self) -> Graph:
        """Returns tensors that no operator reads as integers or real numbers."""
        read = {id(operand) for operation in self.g.operations for operand in operation.operands}
        for value in list(self.pool):
            if id(value) in read and not self.g.chance(0.1):
                continue
            if self.g.chance(0.7):
                self.g.outputs.append(self.emit("storage_cast {0}", [value], Value(value.shape, value.storage, value.lo, value.hi)))
            else:
                self.g.outputs.append(self.emit("dequantize {0}", [value], Value(value.shape, "f32", -1e4, 1e4)))
        return self.g.slice(self.g.outputs)


def quantized_graph(seed: int) -> Graph:
    builder = Builder(seed)
    channels = [3, 16, 32, 64] if builder.is_wide else [1, 2, 3, 3, 4, 5, 8, 16, 17]
    builder.leaf((1, builder.random.choice(channels), builder.random.randint(3, 9),
                  builder.random.randint(3, 9)))
    kinds = [builder.convolution] * 5 + [builder.dense] * 2 + [builder.add] * 3 + [builder.pool2d] + [builder.move] * 2 + [
        builder.island]
    wanted, tries = builder.random.randint(1, 10), 0
    while wanted and tries < 100:
        tries += 1
        mark = len(builder.g.inputs), len(builder.g.operations), len(builder.pool)
        try:
            builder.random.choice(kinds)()
            wanted -= 1
        except NoOperands:
            del builder.g.inputs[mark[0] :], builder.g.operations[mark[1] :], builder.pool[mark[2] :]
    return builder.finish()
