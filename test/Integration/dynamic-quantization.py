"""Products and convolutions of integers whose zero point is known when the model runs, through the emitted C: the numbers are NumPy's."""
# REQUIRES: full, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: products: 16 of 16 results equal
# CHECK-NEXT: convolutions: 20 of 20 results equal

import itertools
import subprocess
import sys

from model import np, write

folder = sys.argv[1]
random = np.random.default_rng(2)
ELEMENTS = {np.uint8: "uint8", np.int8: "int8"}


def run(name: str, graph: str, inputs: dict[str, np.ndarray], expected: np.ndarray, **weights) -> int:
    """Returns whether the C computes `expected` as the output y."""
    write(name, graph, **weights)
    command = ["uma", "run", f"{folder}/{name}.onnx", "--output-dir", f"{folder}/out"]
    for key, value in inputs.items():
        np.save(f"{folder}/{key}.npy", value)
        command += ["--input", f"{key}={folder}/{key}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    actual = np.load(f"{folder}/out/y.npy")
    if not np.array_equal(actual, expected):
        print(f"{name}: {graph}: {np.abs(actual - expected).max()} apart")
    return int(np.array_equal(actual, expected))


def pick(dtype, *shape: int) -> np.ndarray:
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max + 1, shape).astype(dtype)


equal = number = 0
for data, weights, zeros in itertools.product(ELEMENTS, ELEMENTS, ("none", "data", "both", "columns")):
    a, b, az, bz = pick(data, 2, 5, 24), pick(weights, 24, 20), pick(data), np.zeros((), weights)
    if zeros == "none":
        az = np.zeros((), data)
    elif zeros != "data":
        bz = random.integers(1, 100, () if zeros == "both" else 20).astype(weights)
    expected = (a.astype(np.int64) - az) @ (b.astype(np.int64) - bz)
    # The zero point of the data is an input of the model, and used in any case.
    operands = {"none": "a, b", "data": "a, b, az"}.get(zeros, "a, b, az, bz")
    graph = f"({ELEMENTS[data]}[2,5,24] a, {ELEMENTS[data]} az) => (int32[] y, {ELEMENTS[data]}[] z) {{ z = Identity(az) y = MatMulInteger({operands}) }}"
    constants = {"b": b, "bz": bz} if "bz" in operands else {"b": b}
    equal += run(f"m{number}", graph, {"a": a, "az": az}, expected, **constants)
    number += 1
print(f"products: {equal} of {number} results equal")

equal = number = 0
for data, weights, form in itertools.product(ELEMENTS, ELEMENTS, ("none", "padded", "grouped", "line", "valid")):
    groups, pads = 4 if form == "grouped" else 1, (0, 0, 0, 0) if form == "valid" else (1, 0, 2, 1)
    size, kernel, strides = (6, 9), (3, 2), (2, 1)
    if form == "line":
        size, kernel, strides, pads = (1, 9), (1, 4), (1, 2), (0, 2, 0, 1)
    a, b, az = pick(data, 1, 8, *size), pick(weights, 12, 8 // groups, *kernel), pick(data)
    bz = np.array(128 if weights is np.uint8 else 0, weights)
    if form == "none":
        az = np.zeros((), data)
    steps = np.pad(a.astype(np.int64) - az, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    rows, columns = ((steps.shape[2 + d] - kernel[d]) // strides[d] + 1 for d in (0, 1))
    expected = np.zeros((1, 12, rows, columns), np.int64)
    for channel in range(12):
        first = channel // (12 // groups) * (8 // groups)
        part = steps[:, first : first + 8 // groups]
        for row in range(rows):
            for column in range(columns):
                window = part[0, :, row * strides[0] : row * strides[0] + kernel[0], column * strides[1] : column * strides[1] + kernel[1]]
                expected[0, channel, row, column] = (window * (b[channel].astype(np.int64) - bz)).sum()
    shape = "1,8,6,9"
    attributes = f"group={groups}, pads=[{','.join(map(str, pads))}], strides=[{strides[0]},{strides[1]}]"
    if form == "line":
        shape, attributes = "1,8,9", f"pads=[{pads[1]},{pads[3]}], strides=[{strides[1]}]"
        a, b, expected = a[:, :, 0], b[:, :, 0], expected[:, :, 0]
    zero = "_" if form == "none" else "az"
    graph = f"({ELEMENTS[data]}[{shape}] a, {ELEMENTS[data]} az) => (int32[] y, {ELEMENTS[data]}[] z) {{ z = Identity(az) y = ConvInteger<{attributes}>(a, b, {zero}, bz) }}"
    equal += run(f"c{number}", graph, {"a": a, "az": az}, expected, b=b, bz=bz)
    number += 1
print(f"convolutions: {equal} of {number} results equal")
