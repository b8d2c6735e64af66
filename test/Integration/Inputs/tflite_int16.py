"""A TensorFlow Lite model of operators on 16 bits, and their results by the formulas of the reference kernels, in NumPy's integers."""

import math

import numpy as np
from fixed_point import factor, multiply, scale
from tflite import Model

LOW, HIGH = -(2**15), 2**15 - 1


def scale_wide(sums: np.ndarray, by: float) -> np.ndarray:
    """Multiplies sums of 64 bits: the factor has 15 bits, and halves are rounded up."""
    fixed, exponent = factor(by)
    return (sums * min((fixed + 2**15) >> 16, 2**15 - 1) + (1 << (14 - exponent))) >> (15 - exponent)


def sigmoid_table() -> np.ndarray:
    """sigmoid(i / 24) in 16 bits; an entry makes up for half of the error in the middle to the next one."""
    at = [65536 / (1 + np.exp(-(np.arange(256) + offset) / 24)) for offset in (0, 0.5, 1)]
    table = np.round(at[0] - ((at[0] + at[2]) / 2 - at[1]) / 2).astype(np.int64)
    table[255] = 2**16 - 1
    return table


def interpolate_sigmoid(steps: np.ndarray, by: float, bits: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    number, shift = by * 4096 * 3, 0
    while number <= 32767 / 2 and shift <= 30:
        number, shift = 2 * number, shift + 1
    data = (steps * int(number) + (1 << shift >> 1)) >> shift
    table, index = sigmoid_table(), np.abs(data) >> bits
    inside = np.minimum(index, 254)
    result = (table[inside] << bits) + (np.abs(data) & ((1 << bits) - 1)) * (table[inside + 1] - table[inside])
    return data, np.where(index >= 255, last, result)


def logistic(steps: np.ndarray, by: float) -> np.ndarray:
    data, result = interpolate_sigmoid(steps, by, 9, 0x7FFF << 10)
    return np.where(data >= 0, result + 2**9, 2**25 - result + 2**9 - 1) >> 10


def tanh(steps: np.ndarray, by: float) -> np.ndarray:
    data, result = interpolate_sigmoid(steps, by, 8, 0xFFFF << 8)
    return np.where(data >= 0, result - 2**23 + 2**7, 2**23 - result + 2**7 - 1) >> 8


def half_up(number: np.ndarray) -> np.ndarray:
    return np.sign(number) * np.floor(np.abs(number) + np.float32(0.5))


def look_up(function, low: float, high: float, data: np.ndarray) -> np.ndarray:
    """Interpolates a function between 513 values of 15 bits, computed in f32."""
    low, high = np.float32(low), np.float32(high)
    step = (high - low) / np.float32(512)
    inverse = np.float32(65536) / (np.float32(2 / 65535) * np.float32(HIGH) - np.float32(2 / 65535) * np.float32(LOW))
    at = np.arange(512, dtype=np.float32)
    value, middle, after = (function(low + (at + i) * step + half) * inverse for i, half in ((0, 0), (0, step / np.float32(2)), (1, 0)))
    error = half_up((after + half_up(value)) / np.float32(2)) - half_up(middle)
    table = np.append(half_up(value) - half_up(error / np.float32(2)), half_up(function(high) * inverse))
    table = np.clip(table, LOW, HIGH).astype(np.int64)
    data = np.clip(data, LOW, HIGH)
    index = 256 + (data >> 7)
    return table[index] + (((table[index + 1] - table[index]) * (data & 127) + 64) >> 7)


def softmax(steps: np.ndarray, by: float) -> np.ndarray:
    difference = scale(steps - steps.max(-1, keepdims=True), by / (10 / 65535))
    unit = np.float32(10) / np.float32(65535)
    exponentials = look_up(np.exp, unit * np.float32(-65535), 0, difference + 32767)
    sums = exponentials.sum(-1, keepdims=True)
    zeros = 32 - np.frompyfunc(lambda x: int(x).bit_length(), 1, 1)(sums).astype(np.int64)
    shifted = ((sums << (zeros - 1)) + 2**13) >> 14
    reciprocal = look_up(lambda x: 1 / (1 + x), 0, 1, shifted - 2**15 - 2**16)
    return np.clip((exponentials * reciprocal + (1 << (30 - zeros))) >> (31 - zeros), 0, HIGH)


def patches(data: np.ndarray, size: int):
    """The parts of zero-padded NHWC data that meet each element of a kernel."""
    rows, columns = data.shape[1:3]
    padded = np.pad(data, [(0, 0), (size // 2, size // 2), (size // 2, size // 2), (0, 0)])
    for row in range(size):
        for column in range(size):
            yield row, column, padded[:, row : row + rows, column : column + columns]


class Int16Model:
    """`model` has `inputs` and the results `expected`. With `browser`, it holds what TensorFlow Lite's WebAssembly computes with these
    kernels: it has other ones for means, convolutions and fully connected layers with a bias of 32 bits, and no conversion of 8 to 32 bits."""

    def __init__(self, browser: bool, seed: int = 11) -> None:
        self.model, self.browser, self.random = Model(), browser, np.random.default_rng(seed)
        self.inputs: dict[str, np.ndarray] = {}
        self.expected: dict[str, np.ndarray] = {}
        self.outputs: list[int] = []
        for self.round in range(3):
            self.fused = ["NONE", "RELU", "RELU6"][self.round]
            for build in self.layers, self.sums, self.functions, self.windows, self.conversions:
                build()

    def pick_scale(self, low: float = 1e-4, high: float = 1e-3) -> float:
        return float(np.float32(math.exp(self.random.uniform(math.log(low), math.log(high)))))

    def add_input(self, shape, by: float = 0, dtype=np.int16) -> tuple[int, np.ndarray, float]:
        """Returns the tensor, its integers and its scale."""
        name, by = f"x{len(self.inputs)}", by or self.pick_scale()
        info = np.iinfo(dtype)
        data = self.random.integers(info.min, info.max + 1, shape).astype(dtype)
        data.reshape(-1)[:3] = info.min, info.max, 0
        self.inputs[name] = data
        return self.model.input(name, shape, data.dtype.name, scale=by, zero=0), data.astype(np.int64), by

    def check(self, operator: str, operands, result: np.ndarray, by: float, options: str = "", dtype=np.int16, **values) -> None:
        name, info = f"y{len(self.expected)}", np.iinfo(dtype)
        activation = values.get("fused_activation_function", "NONE")
        low = 0 if activation != "NONE" else info.min
        high = min(info.max, round(6 / by)) if activation == "RELU6" else info.max
        self.expected[name] = np.clip(result, low, high).astype(dtype)
        self.outputs.append(self.model.tensor(name, result.shape, np.dtype(dtype).name, scale=by, zero=0))
        self.model.add(operator, operands, [self.outputs[-1]], options, **values)

    def constant(self, value: np.ndarray, **fields) -> int:
        return self.model.constant(f"c{len(self.model.graph['tensors'])}", value, **fields)

    def layers(self) -> None:
        for kind in "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV":
            for bits in 64, 32, 0:
                # Depthwise convolutions have a bias of 64 bits or none; TensorFlow Lite's convolutions have a bias.
                is_depthwise = kind == "DEPTHWISE_CONV_2D"
                if bits == (32 if is_depthwise else 0) and kind != "TRANSPOSE_CONV":
                    continue
                if self.browser and kind in ("CONV_2D", "FULLY_CONNECTED") and bits == 32:
                    continue
                dense = kind == "FULLY_CONNECTED"
                shape = (3, 40) if dense else (1, 4, 5, 6)
                x, data, x_scale = self.add_input(shape)
                kernel = (6, 40) if dense else (1, 3, 3, 6) if is_depthwise else (6, 3, 3, 6)
                w = self.random.integers(-127, 128, kernel)
                per_tensor = dense and self.round == 1
                w_scales = [self.pick_scale(0.002, 0.02) for _ in range(1 if per_tensor else 6)]
                bias = self.random.integers(-(10**6), 10**6, 6) * (bits != 0)
                strides, values = [], dict(padding="SAME", stride_w=1, stride_h=1, fused_activation_function=self.fused)
                if dense:
                    sums, values = data @ w.T, dict(fused_activation_function=self.fused)
                elif kind == "TRANSPOSE_CONV":
                    full = np.zeros((1, 2 * 4 + 1, 2 * 5 + 1, 6), np.int64)
                    for row in range(4):
                        for column in range(5):
                            part = np.einsum("nc,oyxc->nyxo", data[:, row, column], w)
                            full[:, 2 * row : 2 * row + 3, 2 * column : 2 * column + 3] += part
                    sums, values = full[:, :8, :10], dict(padding="SAME", stride_w=2, stride_h=2)
                    strides = [self.constant(np.int32(sums.shape))]
                elif is_depthwise:
                    sums, values = sum(part * w[0, r, c] for r, c, part in patches(data, 3)), {**values, "depth_multiplier": 1}
                else:
                    sums = sum(part @ w[:, r, c].T for r, c, part in patches(data, 3))
                operands = [self.constant(w.astype(np.int8), scale=w_scales, zero=[0] * len(w_scales), axis=3 if is_depthwise else 0)]
                operands = strides + ([*operands, x] if strides else [x, *operands])
                if bits:
                    operands.append(self.constant(bias.astype(f"i{bits // 8}"), scale=np.float64(w_scales) * x_scale,
                                                  zero=[0] * len(w_scales)))
                y_scale = self.pick_scale()
                by = [x_scale * s / y_scale for s in w_scales]
                if per_tensor:
                    by = [float(np.float32(x_scale) * np.float32(w_scales[0])) / y_scale]
                multiplied = scale_wide if bits == 64 or is_depthwise else scale
                result = np.stack([multiplied((sums + bias)[..., c], by[c % len(by)]) for c in range(6)], -1)
                options = {"CONV_2D": "Conv2D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D", "FULLY_CONNECTED": "FullyConnected",
                           "TRANSPOSE_CONV": "TransposeConv"}[kind]
                self.check(kind, operands, result, y_scale, options, **values)

    def sums(self) -> None:
        fused = {"fused_activation_function": self.fused}
        for operator, sign in ("ADD", 1), ("SUB", -1):
            (a, a_data, a_scale), (b, b_data, b_scale) = self.add_input((2, 3, 7)), self.add_input((7,) if self.round else (2, 3, 7))
            y_scale, widest = self.pick_scale(), 2 * max(a_scale, b_scale)
            total = scale(a_data << 15, a_scale / widest) + sign * scale(b_data << 15, b_scale / widest)
            self.check(operator, [a, b], scale(total, widest / (2**15 * y_scale)), y_scale, operator.title(), **fused)
            # Powers of two: one operand is shifted, unless the file says otherwise.
            (a, a_data, _), (b, b_data, _) = self.add_input((2, 3, 7), 2.0**-13), self.add_input((2, 3, 7), 2.0 ** -(13 + self.round))
            total = a_data + sign * scale(b_data << 1, 2.0 ** -(self.round + 1))
            if self.round == 2:
                total = scale(a_data << 15, 0.5) + sign * scale(b_data << 15, 0.125)
                total = scale(total, 2.0**-14)
            self.check(operator, [a, b], total, 2.0**-13, operator.title(), **fused, pot_scale_int16=self.round != 2)
        (a, a_data, a_scale), (b, b_data, b_scale) = self.add_input((2, 3, 7)), self.add_input((3, 1))
        y_scale = self.pick_scale()
        by = float(np.float32(a_scale) * np.float32(b_scale) / np.float32(y_scale))
        self.check("MUL", [a, b], scale(a_data * b_data, by), y_scale, "Mul", **fused)
        (a, a_data, a_scale), (b, b_data, b_scale) = self.add_input((2, 3, 11)), self.add_input((2, 11, 5))
        by = float(np.float32(a_scale) * np.float32(b_scale)) / y_scale
        self.check("BATCH_MATMUL", [a, b], scale_wide(a_data @ b_data, by), y_scale, "BatchMatMul")

    def functions(self) -> None:
        x, data, x_scale = self.add_input((3, 300))
        y_scale = self.pick_scale()
        self.check("LOGISTIC", [x], logistic(data, x_scale), 2.0**-15)
        self.check("TANH", [x], tanh(data, x_scale), 2.0**-15)
        beta = [1.0, 0.5, 1.0][self.round]
        self.check("SOFTMAX", [x], softmax(data, x_scale * beta), 2.0**-15, "Softmax", beta=beta)
        ratio, slope = float(np.float32(x_scale) / np.float32(y_scale)), np.float32([0.1, 0.3, 1.5][self.round])
        below = scale(data, float(np.float32(x_scale) * slope / np.float32(y_scale)))
        self.check("LEAKY_RELU", [x], np.where(data >= 0, scale(data, ratio), below), y_scale, "LeakyRelu", alpha=float(slope))
        self.check("ABS", [x], scale(np.abs(data), ratio), y_scale)
        self.check("RELU", [x], np.maximum(scale(data, ratio), 0), y_scale)
        self.check("RELU6", [x], np.clip(scale(data, ratio), 0, round(6 / y_scale)), y_scale)

    def windows(self) -> None:
        x, data, x_scale = self.add_input((1, 4, 6, 3))
        values = dict(padding="SAME", stride_w=1, stride_h=1, filter_width=3, filter_height=3, fused_activation_function=self.fused)
        total = sum(part for _, _, part in patches(data, 3))
        count = sum(part for _, _, part in patches(np.ones_like(data), 3))
        means = np.sign(total) * ((np.abs(total) + count // 2) // count)
        self.check("AVERAGE_POOL_2D", [x], means, x_scale, "Pool2D", **values)
        largest = np.max([part + (LOW - HIGH) * (1 - inside) for (*_, part), (*_, inside) in
                          zip(patches(data, 3), patches(np.ones_like(data), 3))], 0)
        self.check("MAX_POOL_2D", [x], largest, x_scale, "Pool2D", **values)
        self.check("PAD", [x, self.constant(np.int32([[0, 0], [1, 2], [0, 1], [0, 0]]))],
                   np.pad(data, [(0, 0), (1, 2), (0, 1), (0, 0)]), x_scale)
        self.check("CONCATENATION", [x, x], np.concatenate([data, data], 2), x_scale, "Concatenation", axis=2)
        # The kernel does not look at scales.
        y, other, _ = self.add_input((1, 4, 2, 3))
        self.check("CONCATENATION", [x, y], np.concatenate([data, other], 2), self.pick_scale(), "Concatenation", axis=2)
        # Each product is scaled, in the order of the elements.
        y, other, y_scale = self.add_input((2, 3, 8))
        result_scale = float(np.float32(y_scale**3 * 2**29))
        root = y_scale / result_scale ** (1 / 3)
        product = other[:, 0]
        for step in other[:, 1], other[:, 2]:
            product = scale_wide(product * step, root)
        self.check("REDUCE_PROD", [y, self.constant(np.int32([1]))], scale_wide(product, root), result_scale, "Reducer")
        # Positions have 10 bits behind the point.
        numbers = data
        for axis, to in (1, 7), (2, 5):
            size = numbers.shape[axis]
            at = np.arange(to) * ((1024 * size + to // 2) // to)
            low, high = at >> 10, np.minimum((at + 1023) >> 10, size - 1)
            weight = (at & 1023).reshape([-1 if d == axis else 1 for d in range(4)])
            numbers = np.take(numbers, low, axis) * (1024 - weight) + np.take(numbers, high, axis) * weight
        result = np.sign(numbers) * ((np.abs(numbers) + 2**19) >> 20)
        self.check("RESIZE_BILINEAR", [x, self.constant(np.int32([7, 5]))], result, x_scale, "ResizeBilinear")
        if self.browser:
            return
        y_scale = self.pick_scale()
        fixed, exponent = factor(x_scale / y_scale)
        result = multiply(data.sum((1, 2)), (fixed << 4) // 24, exponent - 4)
        self.check("MEAN", [x, self.constant(np.int32([1, 2]))], result, y_scale, "Reducer")

    def conversions(self) -> None:
        for source, target in (np.int16, np.int16), (np.int16, np.int8), (np.int16, np.int32), (np.int32, np.int8), (np.int8, np.int32):
            if self.browser and source == np.int8:
                continue
            x, data, x_scale = self.add_input((2, 50), 0.05 if source == np.int8 else self.pick_scale(1e-8, 1e-7)
                                              if source == np.int32 else 0, source)
            y_scale = {np.int8: 0.3, np.int16: self.pick_scale(), np.int32: self.pick_scale(1e-7, 1e-5)}[target]
            y_scale = float(np.float32(y_scale))
            self.check("QUANTIZE", [x], scale(data, float(np.float32(x_scale)) / y_scale), y_scale, dtype=target)
