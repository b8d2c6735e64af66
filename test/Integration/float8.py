"""Floats of 8 bits in Cast, QuantizeLinear, DequantizeLinear and operators that move elements, through the emitted C and as constants that the
compiler folds: the codes are those of a NumPy implementation of the formats by their definition."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: float8: 224 of 224 results equal

import subprocess
import sys

import onnx
from model import np, save
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
random = np.random.default_rng(8)
FLOAT, INT32, FLOAT16, DOUBLE = 1, 6, 10, 11
DTYPES = {FLOAT: np.float32, INT32: np.int32, FLOAT16: np.float16, DOUBLE: np.float64}


class Format:
    """A format by the numbers of OCP's and ONNX's definitions: bits of the fraction, bias of the exponent, the largest finite code, and the codes of
    infinity (None: there is none) and of NaN. Formats called `uz` have one NaN, 0x80, and no -0."""

    def __init__(self, number: int, fraction: int, bias: int, largest: int, infinity: int | None, nans: range, uz: bool):
        self.number, self.infinity, self.nans, self.uz = number, infinity, nans, uz
        self.table = np.empty(256)
        for code in range(256):
            exponent, rest = (code & 0x7F) >> fraction, (code & 0x7F) % (1 << fraction)
            value = (rest / 2**fraction) * 2.0 ** (1 - bias) if exponent == 0 else (1 + rest / 2**fraction) * 2.0 ** (exponent - bias)
            if code in nans if uz else (code & 0x7F) in nans:
                value = np.nan
            elif (code & 0x7F) == infinity:
                value = np.inf
            self.table[code] = -value if code & 0x80 else value
        self.positive = self.table[: largest + 1]
        self.largest = self.positive[-1]
        # The number that would follow decides where the largest one ends.
        self.steps = np.append(self.positive, 2 * self.positive[-1] - self.positive[-2])
        self.middles = (self.steps[1:] + self.steps[:-1]) / 2

    def encode(self, values: np.ndarray, saturate: bool) -> np.ndarray:
        values = np.asarray(values, np.float64)
        codes = np.empty(values.shape, np.uint8)
        for index, value in np.ndenumerate(values):
            sign = 0x80 if np.signbit(value) else 0
            code = int(np.searchsorted(self.middles, abs(value)))
            if code < len(self.middles) and self.middles[code] == abs(value):
                code += code & 1  # ties to even
            if np.isnan(value):
                codes[index] = self.nans[-1]
            elif code < len(self.positive):
                codes[index] = 0 if self.uz and code == 0 else sign | code
            elif saturate:
                codes[index] = sign | (len(self.positive) - 1)
            else:
                codes[index] = self.nans[-1] if self.infinity is None else sign | self.infinity
        return codes

    def decode(self, codes: np.ndarray) -> np.ndarray:
        return self.table[codes]

    def is_same(self, actual: np.ndarray, expected: np.ndarray) -> bool:
        """Compares codes; all NaNs are the same."""
        a, e = self.decode(actual), self.decode(expected)
        return actual.dtype == np.uint8 and np.array_equal(np.where(np.isnan(a), 0x7F, actual), np.where(np.isnan(e), 0x7F, expected))


FORMATS = {
    "float8e4m3fn": Format(17, 3, 7, 0x7E, None, range(0x7F, 0x80), False),
    "float8e4m3fnuz": Format(18, 3, 8, 0x7F, None, range(0x80, 0x81), True),
    "float8e5m2": Format(19, 2, 15, 0x7B, 0x7C, range(0x7D, 0x80), False),
    "float8e5m2fnuz": Format(20, 2, 16, 0x7F, None, range(0x80, 0x81), True),
}
CODES = np.arange(256, dtype=np.uint8)
equal = count = 0


def make_tensor(name: str, form: Format, codes: np.ndarray, raw: bool = True) -> TensorProto:
    result = TensorProto(name=name, data_type=form.number, dims=codes.shape)
    if raw:
        result.raw_data = codes.tobytes()
    else:
        result.int32_data.extend(int(code) for code in codes.flat)
    return result


def make_numbers(form: Format, dtype) -> np.ndarray:
    """Returns all numbers of the format, the middles between them and what lies just beside these, special numbers, and random ones."""
    middles = form.middles.astype(dtype)
    with np.errstate(over="ignore"):
        beside = [np.nextafter(middles, dtype(0)), np.nextafter(middles, dtype(np.inf))]
        others = np.array([np.nan, np.inf, 2 * form.largest, 1e6 * form.largest, np.finfo(dtype).max, np.finfo(dtype).tiny], dtype)
    some = (random.standard_normal(100) * 2.0 ** random.uniform(-12, 12, 100)).astype(dtype)
    positive = np.concatenate([form.positive.astype(dtype), middles, *beside, others, some])
    return np.concatenate([positive, -positive])


def check(nodes, inputs: dict, constants: list, outputs: dict) -> None:
    """Runs a model with opset 25. Inputs are arrays by name, with the number of their type; outputs the same, or codes with their format."""
    global equal, count
    given = [helper.make_tensor_value_info(name, kind, value.shape) for name, (kind, value) in inputs.items()]
    results = [
        helper.make_tensor_value_info(name, kind.number if isinstance(kind, Format) else kind, value.shape) for name, (kind, value) in outputs.items()
    ]
    graph = helper.make_graph(nodes, "g", given, results, constants)
    name = f"m{count}"
    save(name, helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=8))
    command = ["uma", "run", f"{folder}/{name}.onnx", "--output-dir", f"{folder}/out"]
    for name, (_, value) in inputs.items():
        np.save(f"{folder}/{name}.npy", value)
        command += ["--input", f"{name}={folder}/{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{count}: {done.stderr}")
    for name, (kind, value) in outputs.items():
        actual = np.load(f"{folder}/out/{name}.npy")
        if isinstance(kind, Format):
            is_right = kind.is_same(actual, value)
        else:  # with the sign of 0
            numbers = ~np.isnan(value)
            is_right = np.array_equal(actual, value, equal_nan=True) and np.array_equal(np.signbit(actual[numbers]), np.signbit(value[numbers]))
        count += 1
        equal += is_right
        if not is_right:
            wrong = actual.ravel() != value.ravel()
            print(f"{count}: {name}: {actual.ravel()[wrong]} computed, {value.ravel()[wrong]} expected")


def cast(data: str, result: str, to: int, **attributes):
    return helper.make_node("Cast", [data], [result], to=to, **attributes)


def anchor():
    """A layer for networks whose other results are constants."""
    return helper.make_node("Add", ["a", "a"], ["b"])


ANCHOR = np.float32([1, 2])

for form in FORMATS.values():
    for is_constant in False, True:
        # From every code, to all types.
        real = form.decode(CODES)
        nodes, outputs = [anchor()], {"b": (FLOAT, ANCHOR * 2)}
        with np.errstate(over="ignore", invalid="ignore"):
            for kind, dtype in (FLOAT, np.float32), (FLOAT16, np.float16), (DOUBLE, np.float64):
                nodes.append(cast("c", f"c{kind}", kind))
                outputs[f"c{kind}"] = kind, real.astype(dtype)
        for other in FORMATS.values():
            for saturate in 0, 1:
                name = f"f{other.number}{saturate}"
                nodes.append(cast("c", name, other.number, saturate=saturate))
                outputs[name] = other, CODES if other is form else other.encode(real, bool(saturate))
        nodes.append(helper.make_node("DequantizeLinear", ["c", "s"], ["d"]))
        scale = np.float32(0.3)
        outputs["d"] = FLOAT, real.astype(np.float32) * scale
        inputs, constants = {"a": (FLOAT, ANCHOR)}, [numpy_helper.from_array(scale, "s")]
        if is_constant:
            constants.append(make_tensor("c", form, CODES, raw=form.uz))
        else:
            inputs["c"] = form.number, CODES
        check(nodes, inputs, constants, outputs)

        # From numbers that are hard to round.
        nodes, outputs, inputs, constants = [anchor()], {"b": (FLOAT, ANCHOR * 2)}, {"a": (FLOAT, ANCHOR)}, []
        for kind, dtype in DTYPES.items():
            x = random.integers(-600, 600, 500).astype(dtype) if kind == INT32 else make_numbers(form, dtype)
            if is_constant:
                constants.append(numpy_helper.from_array(x, f"x{kind}"))
            else:
                inputs[f"x{kind}"] = kind, x
            for saturate in 0, 1:
                nodes.append(cast(f"x{kind}", f"y{kind}{saturate}", form.number, saturate=saturate))
                outputs[f"y{kind}{saturate}"] = form, form.encode(x, bool(saturate))
        check(nodes, inputs, constants, outputs)

    # Quantized with the rules for axes, blocks, zero points and saturation.
    x = np.stack([make_numbers(form, np.float32)[:240]] * 2) * np.float32([[0.3], [7]])
    scales, zeros = np.float32([0.3, 7]), form.encode([0.5, -3], True)
    blocks = random.uniform(0.5, 2, (2, 4)).astype(np.float32)
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=0),
        helper.make_node("QuantizeLinear", ["x", "s", "none"], ["n"], axis=0, saturate=0),
        helper.make_node("QuantizeLinear", ["x", "s"], ["o"], axis=0, output_dtype=form.number),
        helper.make_node("QuantizeLinear", ["x", "k"], ["p"], axis=1, block_size=60, output_dtype=form.number),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["r"], axis=0),
        helper.make_node("DequantizeLinear", ["p", "k"], ["t"], axis=1, block_size=60, output_dtype=FLOAT16),
    ]
    constants = [numpy_helper.from_array(scales, "s"), numpy_helper.from_array(blocks, "k"), make_tensor("z", form, zeros)]
    constants.append(make_tensor("none", form, np.zeros(2, np.uint8)))
    spread, zero = np.repeat(blocks, 60, 1), form.decode(zeros).astype(np.float32)[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        q = form.encode(x / scales[:, None] + zero, True)
        p = form.encode(x / spread, True)
        outputs = {
            "q": (form, q),
            "n": (form, form.encode(x / scales[:, None], False)),
            "o": (form, form.encode(x / scales[:, None], True)),
            "p": (form, p),
            "r": (FLOAT, (form.decode(q).astype(np.float32) - zero) * scales[:, None]),
            "t": (FLOAT16, (form.decode(p).astype(np.float32) * spread).astype(np.float16)),
        }
    check(nodes, {"x": (FLOAT, x)}, constants, outputs)

    # As in ONNX's own tests: a scalar as scale, and a vector of one element as zero point.
    x = np.float32([0, 1, 2, 100000, 200])
    nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"])]
    constants = [numpy_helper.from_array(np.float32(2), "s"), make_tensor("z", form, np.zeros(1, np.uint8))]
    q = form.encode(x / 2, True)
    check(nodes, {"x": (FLOAT, x)}, constants, {"q": (form, q), "y": (FLOAT, form.decode(q).astype(np.float32) * 2)})

    # Moved, and cast like another tensor.
    codes = CODES.reshape(2, 8, 16)
    nodes = [
        helper.make_node("Transpose", ["c"], ["m"], perm=[2, 0, 1]),
        helper.make_node("Reshape", ["m", "shape"], ["v"]),
        helper.make_node("Slice", ["c", "from", "to"], ["w"]),
        helper.make_node("Concat", ["w", "c"], ["u"], axis=0),
        helper.make_node("CastLike", ["a", "c"], ["l"]),
    ]
    constants = [numpy_helper.from_array(np.int64(value), name) for name, value in (("shape", [32, 8]), ("from", [1, 2]), ("to", [2, 8]))]
    constants[1:] = [numpy_helper.from_array(np.int64([1]), "from"), numpy_helper.from_array(np.int64([2]), "to")]
    moved = codes.transpose(2, 0, 1)
    a = np.float32([1e9, -1.3])
    outputs = {"m": (form, moved), "v": (form, moved.reshape(32, 8)), "u": (form, np.concatenate([codes[1:], codes])), "l": (form, form.encode(a, True))}
    check(nodes, {"c": (form.number, codes), "a": (FLOAT, a)}, constants, outputs)
print(f"float8: {equal} of {count} results equal")
