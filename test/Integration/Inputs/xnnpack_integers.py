"""The same networks by the rules of TensorFlow Lite in browsers, which has its layers and sums computed by XNNPACK. Each rule is one of
its own:

    layers   sums are multiplied by one f32 factor and rounded half to even (the kernels of TensorFlow Lite multiply by an
             integer of 31 bits and shift, which rounds twice)
    add      operands are multiplied by integers of 21 bits, added, and shifted once; halves are rounded up. A difference has one negative
             integer
    mul      products are multiplied by one f32 factor and rounded half to even
    resize   weights of bilinear interpolation have 11 bits, and halves are rounded up (the kernels of TensorFlow Lite: 10 bits, and away
             from zero)
    softmax  exponentials in f32 from a table (the reference kernel computes in integers)

Average pools have TensorFlow Lite's rule.
"""

import numpy as np
from tflite import Model
from tflite_integers import Network, finish

f32 = np.float32


def add_rescaled(operands, scales) -> np.ndarray:
    """Adds steps of other scales; factors may be negative."""
    factors = [f32(scale) for scale in scales]
    shift = 21 - int(np.frexp(max(map(abs, factors)))[1])
    total = 1 << (shift - 1)
    for steps, factor in zip(operands, factors):
        total = total + int(np.rint(np.ldexp(np.float64(factor), shift))) * steps
    return total >> shift


def resize(data: np.ndarray, sizes, corners: bool, half: bool) -> np.ndarray:
    """Interpolates NHWC data."""
    for axis, to in zip((1, 2), sizes):
        size, numbers = data.shape[axis], np.arange(to, dtype=f32)
        step = f32(size - 1) / f32(to - 1) if corners else f32(size) / f32(to)
        at = np.clip((numbers + f32(0.5)) * step - f32(0.5), 0, size - 1) if half else numbers * step
        low = np.floor(at).astype(int)
        weight = np.rint((at - low) * 2048).astype(np.int64).reshape([-1 if d == axis else 1 for d in range(4)])
        data = np.take(data, low, axis) * (2048 - weight) + np.take(data, np.minimum(low + 1, size - 1), axis) * weight
    return (data + (1 << 21)) >> 22


class BrowserOperators:
    """`model` has `inputs` and the results `expected` of random operators on 8 bits that no network of MLPerf Tiny has."""

    def __init__(self, seed: int) -> None:
        self.model, self.random = Model(), np.random.default_rng(seed)
        self.inputs: dict[str, np.ndarray] = {}
        self.expected: dict[str, np.ndarray] = {}
        self.outputs: list[int] = []
        for _ in range(4):
            (a, x, by_a), (b, y, by_b), (by, zero) = self.add_input(2, 4, 5, 7), self.add_input(2, 4, 5, 7), self.pick()
            scales = by_a / by, -(by_b / by)
            self.check("SUB", [a, b], add_rescaled((x, y), scales), by, zero, "Sub")
            (by, zero), factor = self.pick(), by_a * by_b
            self.check("MUL", [a, b], np.rint((x * y).astype(f32) * (factor / by)).astype(np.int64), by, zero, "Mul")
        for corners, half in (False, False), (True, False), (False, True):
            sizes = self.random.integers(4, 12, 2)
            a, x, by = self.add_input(1, 4, 3, 5)
            zero = self.model.graph["tensors"][a]["quantization"]["zero_point"][0]
            size = self.model.constant(f"size{a}", sizes.astype(np.int32))
            self.check("RESIZE_BILINEAR", [a, size], resize(x + zero, sizes, corners, half) - zero, by, zero, "ResizeBilinear",
                       align_corners=corners, half_pixel_centers=half)

    def pick(self) -> tuple[np.float32, int]:
        return f32(self.random.uniform(0.01, 0.1)), int(self.random.integers(-20, 20))

    def add_input(self, *shape: int) -> tuple[int, np.ndarray, np.float32]:
        name, (scale, zero) = f"x{len(self.inputs)}", self.pick()
        self.inputs[name] = self.random.integers(-128, 128, shape, dtype=np.int8)
        return self.model.input(name, shape, "int8", scale=scale, zero=zero), self.inputs[name].astype(np.int64) - zero, scale

    def check(self, operator: str, operands, steps: np.ndarray, scale: np.float32, zero: int, options: str, **values) -> None:
        name = f"y{len(self.expected)}"
        self.expected[name] = np.clip(steps + zero, -128, 127).astype(np.int8)
        self.outputs.append(self.model.tensor(name, steps.shape, "int8", scale=scale, zero=zero))
        self.model.add(operator, operands, [self.outputs[-1]], options, **values)


class BrowserNetwork(Network):
    def rescale(self, sums, x, w, result):
        factors = [x.scales[0] * scale / result.scales[0] for scale in np.broadcast_to(w.scales, sums.shape[-1])]
        return np.rint(sums.astype(f32) * np.array(factors, f32)).astype(np.int64)

    def fully_connected(self, options, operands, result):
        (x, data), (w, weights), (_, bias) = operands
        sums = (data - x.zero) @ (weights - w.zero).T + bias
        return finish(self.rescale(sums, x, w, result), result, options.number(0, "b"))

    def add(self, options, operands, result):
        factors = [tensor.scales[0] / result.scales[0] for tensor, _ in operands]
        return finish(add_rescaled([data - tensor.zero for tensor, data in operands], factors), result, options.number(0, "b"))

    def softmax(self, options, operands, result):
        tensor, data = operands[0]
        factor = -tensor.scales[0] * f32(options.number(0, "f"))
        table = np.exp(factor * np.arange(256, dtype=f32))
        exponentials = table[data.max(-1, keepdims=True) - data]
        sums = np.cumsum(exponentials, -1, dtype=f32)[..., -1:]
        numbers = exponentials * (f32(1) / (sums * result.scales[0])) + f32(0.5)
        return np.clip(numbers.astype(np.int64) + result.zero, -128, 127)
