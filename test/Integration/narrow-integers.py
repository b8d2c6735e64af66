"""QuantizeLinear and DequantizeLinear with integers of 4 and 2 bits, through the emitted C: the numbers are NumPy's, by ONNX's definitions."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: narrow: 20 of 20 results equal

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
    for block in 0, 3:
        weights, zeros = pick(kind, 5, 9), pick(kind, *((5, 3) if block else (5,)))
        scales = random.uniform(0.1, 1, zeros.shape).astype(np.float32)
        spread = [np.repeat(value, 3, 1) if block else value[:, None] for value in (scales, zeros.astype(np.int32))]
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
print(f"narrow: {equal} of {count} results equal")
