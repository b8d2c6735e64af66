"""Casts, QuantizeLinear and DequantizeLinear with integers of 4 and 2 bits, float4e2m1 and float8e8m0, through the emitted C: the numbers are
NumPy's, by ONNX's definitions."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: narrow: 44 of 44 results equal

import subprocess
import sys

import onnx
from model import np, save
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
random = np.random.default_rng(6)
# Numbers that the library of the tests does not know, bits, and whether they are signed.
TYPES = {"uint4": (21, 4, False), "int4": (22, 4, True), "uint2": (25, 2, False), "int2": (26, 2, True)}


def pick(kind: str, *shape: int) -> np.ndarray:
    _, bits, signed = TYPES[kind]
    low = -(1 << bits - 1) if signed else 0
    return random.integers(low, low + (1 << bits), shape).astype(np.int8)


def tensor(name: str, kind: str, values: np.ndarray, raw: bool) -> TensorProto:
    """Packs the integers, the first into the low bits."""
    number, bits, _ = TYPES[kind]
    flat = values.reshape(-1).astype(np.int64) & ((1 << bits) - 1)
    each = 8 // bits
    flat = np.concatenate([flat, np.zeros(-flat.size % each, np.int64)]).reshape(-1, each)
    packed = (flat << (np.arange(each) * bits)).sum(1)
    result = TensorProto(name=name, data_type=number, dims=values.shape)
    if raw:
        result.raw_data = packed.astype(np.uint8).tobytes()
    else:
        result.int32_data.extend(int(value) for value in packed)
    return result


equal = count = 0


def check(nodes, inputs, outputs, constants, expected) -> None:
    """Inputs and outputs are names with the number of their type; `expected` holds arrays by name."""
    global equal, count
    infos = [[helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in values] for values in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *infos, constants)
    save(f"m{count}", helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=8))
    command = ["uma", "run", f"{folder}/m{count}.onnx", "--output-dir", f"{folder}/out"]
    for name, _, _ in inputs:
        command += ["--input", f"{name}={folder}/{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{count}: {done.stderr}")
    for name, value in expected.items():
        actual = np.load(f"{folder}/out/{name}.npy")
        count += 1
        equal += np.array_equal(actual, value)
        if not np.array_equal(actual, value):
            print(f"{count}: {actual} computed, {value} expected")


for kind, (number, bits, signed) in TYPES.items():
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    # Constant weights with a scale for each row, or for each block of a row, in a layer.
    for block in 0, 3, 4:
        weights, zeros = pick(kind, 5, 9), pick(kind, *((5, 3) if block else (5,)))
        scales = random.uniform(0.1, 1, zeros.shape).astype(np.float32)
        spread = [np.repeat(value, block, 1)[:, :9] if block else value[:, None] for value in (scales, zeros.astype(np.int32))]
        x = random.integers(-4, 5, (2, 9)).astype(np.float32)
        np.save(f"{folder}/x.npy", x)
        real = (weights - spread[1]).astype(np.float32) * spread[0]
        nodes = [
            helper.make_node("DequantizeLinear", ["w", "s", "z"], ["d"], axis=1 if block else 0, **({"block_size": block} if block else {})),
            helper.make_node("Identity", ["d"], ["y"]),
            helper.make_node("Add", ["x", "r"], ["u"]),
        ]
        constants = [tensor("w", kind, weights, block == 0), numpy_helper.from_array(scales, "s"), tensor("z", kind, zeros, block != 0)]
        constants.append(numpy_helper.from_array(np.float32([0]), "r"))
        check(nodes, [("x", 1, (2, 9))], [("y", 1, (5, 9)), ("u", 1, (2, 9))], constants, {"y": real})
    # Numbers that are quantized when the model runs: the zero point is a constant, an input, or gives way to an attribute.
    x = random.uniform(-12, 12, (3, 7)).astype(np.float32)
    np.save(f"{folder}/x.npy", x)
    zero = pick(kind)
    np.save(f"{folder}/z.npy", zero.astype(np.int8 if signed else np.uint8))
    scale = np.float32(0.75)
    for form in "constant", "input", "attribute":
        used = np.int8(0) if form == "attribute" else zero
        stored = np.clip(np.round(x / scale) + used, low, high)
        names = ["x", "s"] if form == "attribute" else ["x", "s", "z"]
        nodes = [
            helper.make_node("QuantizeLinear", names, ["q"], **({"output_dtype": number} if form == "attribute" else {})),
            helper.make_node("DequantizeLinear", ["q", *names[1:]], ["y"]),
        ]
        constants = [numpy_helper.from_array(scale, "s")]
        if form == "constant":
            constants.append(tensor("z", kind, zero, True))
        inputs = [("x", 1, x.shape)] + ([("z", number, ())] if form == "input" else [])
        dtype = np.int8 if signed else np.uint8
        expected = {"q": stored.astype(dtype)} if form == "input" else {"y": ((stored - used) * scale).astype(np.float32)}
        check(nodes, inputs, [("q", number, x.shape), ("y", 1, x.shape)], constants, expected)
    # Casts keep the low bits; a transposition moves the bytes.
    x = random.uniform(-40, 40, (3, 7)).astype(np.float32)
    np.save(f"{folder}/x.npy", x)
    kept = x.astype(np.int32) & ((1 << bits) - 1)
    if signed:
        kept -= (kept >> bits - 1) << bits
    nodes = [
        helper.make_node("Cast", ["x"], ["q"], to=number),
        helper.make_node("Transpose", ["q"], ["t"]),
        helper.make_node("Cast", ["t"], ["y"], to=1),
    ]
    outputs = [("q", number, (3, 7)), ("t", number, (7, 3)), ("y", 1, (7, 3))]
    stored = kept.astype(np.int8 if signed else np.uint8)
    check(nodes, [("x", 1, x.shape)], outputs, [], {"q": stored, "t": stored.T, "y": kept.T.astype(np.float32)})


def check_floats(number: int, x: np.ndarray, codes: np.ndarray, values: np.ndarray, **attributes) -> None:
    """Casts `x` to a type of floats, whose codes and values are given, and back."""
    np.save(f"{folder}/x.npy", x)
    nodes = [helper.make_node("Cast", ["x"], ["q"], to=number, **attributes), helper.make_node("Cast", ["q"], ["y"], to=1)]
    outputs = [("q", number, x.shape), ("y", 1, x.shape)]
    check(nodes, [("x", 1, x.shape)], outputs, [], {"q": codes.astype(np.uint8), "y": values.astype(np.float32)})


# float4e2m1: the nearest of 8 sizes, of two the one with the even code.
SIZES = np.float32([0, 0.5, 1, 1.5, 2, 3, 4, 6])
x = np.float32([*random.uniform(-8, 8, 40), 0.25, -0.75, 1.25, 1.75, -2.5, 3.5, 5, -0.0, 0, np.inf, -np.inf, 1e-40])
distance = np.abs(np.minimum(np.abs(x), 6)[:, None] - SIZES)
code = np.array([min(range(8), key=lambda c: (row[c], c % 2)) for row in distance])
check_floats(23, x, code + 8 * np.signbit(x), np.copysign(SIZES[code], x))

# float8e8m0: the exponent of the next power of two; a half rounds up.
x = np.float32([*np.exp2(random.uniform(-140, 127.9, 40)), 1, 0.5, 1.5, 2**-127, 2**-126, 1.5 * 2**-127, 3e38, 0])
fraction, exponent = np.frexp(x.astype(np.float64))
# x is (1 + part) 2^(exponent - 127), or part 2^-126 below.
exponent = np.maximum(exponent + 126, 0) * (x >= 2**-126)
part = np.where(exponent > 0, fraction * 2 - 1, x.astype(np.float64) * 2.0**126)
for mode, rounds in ("down", part < 0), ("up", part > 0), ("nearest", (part > 0.5) | ((part == 0.5) & (exponent > 0))):
    code = np.minimum(exponent + rounds, 254)
    check_floats(24, x, code, np.exp2(code - 127.0), round_mode=mode)
print(f"narrow: {equal} of {count} results equal")
