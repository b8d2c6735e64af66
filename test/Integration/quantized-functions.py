"""Average pools, products and softmax between QuantizeLinear and DequantizeLinear of uint8, through the emitted C: the integers are those of ONNX
Runtime's formulas in NumPy. The scales let many means and products lie in the middle of two integers."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: auto: 5 of 5 results equal
# CHECK: cortex-m0: 5 of 5 results equal

import subprocess
import sys

from model import np, save
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
random = np.random.default_rng(11)
x = random.integers(0, 256, (1, 3, 6, 8)).astype(np.uint8)
y = random.integers(0, 256, (3, 1, 1)).astype(np.uint8)
SCALE, ZERO, OTHER = np.float32(0.0371), 101, np.float32(0.0219)
steps, factors = x.astype(np.int32) - ZERO, y.astype(np.int32)


def store(numbers: np.ndarray, zero: int) -> np.ndarray:
    """Halves are rounded after the zero point is added."""
    return np.clip(np.rint(numbers + np.float32(zero)), 0, 255).astype(np.uint8)


# A mean adds the floats of a window in order.
real = steps.astype(np.float32) * SCALE
mean = np.zeros((1, 3, 3, 4), np.float32)
for row in 0, 1:
    for column in 0, 1:
        mean += real[:, :, row::2, column::2]
mean /= np.float32(4)
product = SCALE * OTHER * np.float32(8)
exponentials = np.exp((np.arange(256) - 255 + (np.log(float(np.finfo(np.float32).max) / 8) - 5) / float(SCALE)) * float(SCALE)).astype(np.float32)
powers = exponentials[x.astype(int) - x.max(3, keepdims=True) + 255]
expected = {
    "pool": store(mean / SCALE, ZERO),
    "scaled": store((steps * factors).astype(np.float32) * (SCALE * OTHER / product), 33),
    "square": store((steps * steps).astype(np.float32) * (SCALE * SCALE / (SCALE * SCALE * np.float32(64))), 7),
    "probabilities": store(powers * np.float32(256) / powers.sum(3, keepdims=True, dtype=np.float32), 0),
}
halves = np.sum((steps * factors) % 8 == 4)
assert halves > 20, halves

constants = {"s": SCALE, "z": np.uint8(ZERO), "o": OTHER, "n": np.uint8(0), "y": y, "p": product, "pz": np.uint8(33)}
constants |= {"q": SCALE * SCALE * np.float32(64), "qz": np.uint8(7), "u": np.float32(1 / 256)}
nodes = [
    helper.make_node("DequantizeLinear", ["x", "s", "z"], ["d"]),
    helper.make_node("DequantizeLinear", ["y", "o", "n"], ["e"]),
    helper.make_node("AveragePool", ["d"], ["f"], kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("QuantizeLinear", ["f", "s", "z"], ["pool"]),
    helper.make_node("Mul", ["d", "e"], ["g"]),
    helper.make_node("QuantizeLinear", ["g", "p", "pz"], ["scaled"]),
    helper.make_node("Mul", ["d", "d"], ["h"]),
    helper.make_node("QuantizeLinear", ["h", "q", "qz"], ["square"]),
    helper.make_node("Softmax", ["d"], ["i"], axis=-1),
    helper.make_node("QuantizeLinear", ["i", "u", "n"], ["probabilities"]),
    # A function of one tensor, with a product of integers inside: a table where there are no vectors.
    helper.make_node("DequantizeLinear", ["square", "q", "qz"], ["j"]),
    helper.make_node("Sqrt", ["j"], ["k"]),
    helper.make_node("QuantizeLinear", ["k", "s", "n"], ["root"]),
]
with np.errstate(invalid="ignore"):
    root = np.sqrt(np.maximum((expected["square"].astype(np.int32) - 7).astype(np.float32) * constants["q"], np.float32(0)))
expected["root"] = np.clip(np.rint(root / SCALE), 0, 255).astype(np.uint8)
np.save(f"{folder}/x.npy", x)
outputs = [helper.make_tensor_value_info(name, TensorProto.UINT8, value.shape) for name, value in expected.items()]
initializers = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.UINT8, x.shape)], outputs, initializers)
save("functions", helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8))
for cpu in "auto", "cortex-m0":
    command = ["uma", "run", f"{folder}/functions.onnx", "--input", f"x={folder}/x.npy", "--output-dir", f"{folder}/out"]
    done = subprocess.run(command + ([f"--cpu={cpu}"] if cpu != "auto" else []), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    equal = 0
    for name, value in expected.items():
        actual = np.load(f"{folder}/out/{name}.npy")
        equal += np.array_equal(actual, value)
        if not np.array_equal(actual, value):
            wrong = actual != value
            print(f"{cpu}: {name}: {actual[wrong]} computed, {value[wrong]} expected")
    print(f"{cpu}: {equal} of {len(expected)} results equal")
