"""Reads an int8 model of TensorFlow Lite and computes it in NumPy's integers, by the formulas of its reference kernels. Independent of
the importer: the file is read by the layout of FlatBuffers and the numbers of the fields in TensorFlow Lite's schema."""

import pathlib
import struct
import subprocess

import numpy as np
from fixed_point import scale, softmax


class Table:
    def __init__(self, data: bytes, position: int) -> None:
        self.data, self.position = data, position

    @classmethod
    def at(cls, data: bytes, position: int) -> "Table":
        return cls(data, position + struct.unpack_from("<I", data, position)[0])

    def field(self, number: int) -> int:
        """The position of a field, 0 if it is missing."""
        layout = self.position - struct.unpack_from("<i", self.data, self.position)[0]
        size = struct.unpack_from("<H", self.data, layout)[0]
        offset = struct.unpack_from("<H", self.data, layout + 4 + 2 * number)[0] if 4 + 2 * number < size else 0
        return self.position + offset if offset else 0

    def number(self, number: int, form: str, default: float = 0):
        position = self.field(number)
        return struct.unpack_from("<" + form, self.data, position)[0] if position else default

    def table(self, number: int) -> "Table | None":
        position = self.field(number)
        return Table.at(self.data, position) if position else None

    def array(self, number: int, dtype: str) -> np.ndarray:
        position = self.field(number)
        if not position:
            return np.zeros(0, dtype)
        position += struct.unpack_from("<I", self.data, position)[0]
        return np.frombuffer(self.data, dtype, struct.unpack_from("<I", self.data, position)[0], position + 4)

    def tables(self, number: int) -> list["Table"]:
        position = self.field(number)
        position += struct.unpack_from("<I", self.data, position)[0]
        count = struct.unpack_from("<I", self.data, position)[0]
        return [Table.at(self.data, position + 4 + 4 * i) for i in range(count)]


class Tensor:
    def __init__(self, table: Table, buffers: list[Table]) -> None:
        self.shape = tuple(table.array(0, "<i4"))
        self.dtype = {2: np.int32, 9: np.int8}.get(table.number(1, "b"))
        quantization = table.table(4)
        self.scales = quantization.array(2, "<f4") if quantization else np.zeros(0, "<f4")
        self.zero = int(quantization.array(3, "<i8")[0]) if len(self.scales) else 0
        data = buffers[table.number(2, "I")].array(0, "u1")
        self.value = data.view(self.dtype).reshape(self.shape).astype(np.int64) if len(data) else None


def finish(steps: np.ndarray, result: Tensor, activation: int) -> np.ndarray:
    low, high = {0: (None, None), 1: (0, None), 3: (0, 6)}[activation]

    def bound(number) -> int:
        return result.zero + int(np.floor(np.float32(number) / result.scales[0] + np.float32(0.5)))

    return np.clip(steps + result.zero, -128 if low is None else max(bound(low), -128), 127 if high is None else min(bound(high), 127))


def windows(options: Table, x: np.ndarray, kernel: tuple[int, int], fill: int):
    """Pads NHWC data and returns it with the strides and the size of the result."""
    strides = options.number(2, "i"), options.number(1, "i")
    if options.number(0, "b") == 0:
        outputs = tuple(-(-size // stride) for size, stride in zip(x.shape[1:3], strides))
        total = [max((out - 1) * s + k - size, 0) for out, s, k, size in zip(outputs, strides, kernel, x.shape[1:3])]
        x = np.pad(x, [(0, 0), *((pad // 2, pad - pad // 2) for pad in total), (0, 0)], constant_values=fill)
    else:
        outputs = tuple((size - k) // stride + 1 for size, k, stride in zip(x.shape[1:3], kernel, strides))
    return x, strides, outputs


def taps(x: np.ndarray, strides, outputs, kernel):
    for row in range(kernel[0]):
        for column in range(kernel[1]):
            yield row, column, x[:, row : row + (outputs[0] - 1) * strides[0] + 1 : strides[0],
                                 column : column + (outputs[1] - 1) * strides[1] + 1 : strides[1]]


class Network:
    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            model = Table.at(file.read(), 0)
        self.codes = [max(code.number(0, "b"), code.number(3, "i")) for code in model.tables(1)]
        graph = model.tables(2)[0]
        self.tensors = [Tensor(tensor, model.tables(4)) for tensor in graph.tables(0)]
        (self.input,), (self.output,) = graph.array(1, "<i4"), graph.array(2, "<i4")
        self.operators = graph.tables(3)

    def make_inputs(self, count: int) -> np.ndarray:
        """Stored integers. Half of the inputs are noise, the others smooth, since noise leaves some classes out."""
        random = np.random.default_rng(7)
        inputs = random.integers(-128, 128, (count, *self.tensors[self.input].shape[1:]), dtype=np.int8)
        steps = np.cumsum(random.integers(-9, 10, inputs[::2].shape), 1)
        offsets = 10 * random.integers(-5, 6, (len(steps), *[1] * (inputs.ndim - 1)))
        inputs[::2] = np.clip(steps + offsets, -128, 127)
        return inputs

    def run(self, data: np.ndarray) -> np.ndarray:
        """Computes a batch of stored integers."""
        values = {int(self.input): data.astype(np.int64)}
        kernels = {0: self.add, 1: self.average_pool, 3: self.conv, 4: self.depthwise, 9: self.fully_connected, 22: self.reshape,
                   25: self.softmax}
        for operator in self.operators:
            inputs, (output,) = operator.array(1, "<i4"), operator.array(2, "<i4")
            operands = [(self.tensors[i], values.get(int(i), self.tensors[i].value)) for i in inputs if i >= 0]
            kernel = kernels[self.codes[operator.number(0, "I")]]
            values[int(output)] = kernel(operator.table(4), operands, self.tensors[output])
        return values[int(self.output)].astype(np.int8)

    def rescale(self, sums: np.ndarray, x: Tensor, w: Tensor, result: Tensor) -> np.ndarray:
        """By a factor for each channel, in doubles."""
        return np.stack([scale(sums[..., c], float(x.scales[0]) * float(w.scales[c % len(w.scales)]) / float(result.scales[0]))
                         for c in range(sums.shape[-1])], -1)

    def conv(self, options, operands, result):
        (x, data), (w, weights), (_, bias) = operands
        kernel = weights.shape[1:3]
        data, strides, outputs = windows(options, data - x.zero, kernel, 0)
        # Products and sums of integers are exact in doubles.
        sums = sum(part.astype(np.float64) @ weights[:, row, column].T.astype(np.float64)
                   for row, column, part in taps(data, strides, outputs, kernel))
        return finish(self.rescale(sums.astype(np.int64) + bias, x, w, result), result, options.number(3, "b"))

    def depthwise(self, options, operands, result):
        (x, data), (w, weights), (_, bias) = operands
        kernel = weights.shape[1:3]
        data, strides, outputs = windows(options, data - x.zero, kernel, 0)
        data = np.repeat(data, options.number(3, "i"), -1)
        sums = sum(part * weights[0, row, column] for row, column, part in taps(data, strides, outputs, kernel))
        return finish(self.rescale(sums + bias, x, w, result), result, options.number(4, "b"))

    def fully_connected(self, options, operands, result):
        (x, data), (w, weights), *rest = operands
        sums = ((data - x.zero).astype(np.float64) @ (weights - w.zero).T.astype(np.float64)).astype(np.int64)
        sums += rest[0][1] if rest else 0
        # The product of the scales is rounded to f32.
        steps = scale(sums, float(x.scales[0] * w.scales[0]) / float(result.scales[0]))
        return finish(steps, result, options.number(0, "b"))

    def add(self, options, operands, result):
        widest = 2 * max(float(tensor.scales[0]) for tensor, _ in operands)
        total = sum(scale((data - tensor.zero) << 20, float(tensor.scales[0]) / widest) for tensor, data in operands)
        return finish(scale(total, widest / (2**20 * float(result.scales[0]))), result, options.number(0, "b"))

    def average_pool(self, options, operands, result):
        kernel = options.number(4, "i"), options.number(3, "i")
        data, strides, outputs = windows(options, operands[0][1], kernel, 0)
        counts, _, _ = windows(options, np.ones_like(operands[0][1]), kernel, 0)
        sums = sum(part for _, _, part in taps(data, strides, outputs, kernel))
        count = sum(part for _, _, part in taps(counts, strides, outputs, kernel))
        means = np.sign(sums) * ((np.abs(sums) + count // 2) // count)
        return finish(means - result.zero, result, options.number(5, "b"))

    def reshape(self, options, operands, result):
        return operands[0][1].reshape(len(operands[0][1]), *result.shape[1:])

    def softmax(self, options, operands, result):
        tensor, data = operands[0]
        return softmax(data, float(np.float32(options.number(0, "f"))) * float(tensor.scales[0]))


def run_c(model: str, inputs: np.ndarray, folder: pathlib.Path, *options: str, uma: str = "uma", cc: str = "cc") -> np.ndarray:
    """Compiles a model with the options into a new folder and runs the C on each input. Returns a row for each."""
    subprocess.run([uma, "compile", model, *options, "-o", str(folder)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([cc, "-O1", "-I", str(folder), *map(str, folder.glob("*.c")), "-o", str(folder / "run"), "-lm"], check=True)
    results = []
    for data in inputs:
        data.tofile(folder / "in.bin")
        subprocess.run([str(folder / "run"), "--input", f"#0={folder}/in.bin", "--output", f"#0={folder}/out.bin"], check=True)
        results.append(np.fromfile(folder / "out.bin", np.int8))
    return np.stack(results)
