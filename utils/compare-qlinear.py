#!/usr/bin/python3
"""Compares ONNX's QLinear operators and those of ONNX Runtime's domain com.microsoft with ONNX Runtime, on random networks.

    utils/compare-qlinear.py [--uma build/bin/uma] [--folder build/real-models] [--seed 1] [--count 10]

Each network has every operator once, with random scales, zero points, weights and data; odd seeds store uint8, even ones int8. All results of
all operators have to be equal, bit for bit, but for those of MatMulNBits, which multiplies floats.

Exits with 1 if one is not, and with 77 if npm, node or onnxruntime-node are not available.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from npm_packages import install_package  # noqa: E402

RUNTIME = "onnxruntime-node@1.30.0"
SHAPE = (1, 16, 9, 8)
# Operators with a result in f32.
FLOAT = ["DequantizeLinear", "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "MatMulNBits"]


class Builder:
    """A network of quantized tensors. A tensor is a list of three names: of the integers, the scale and the zero point."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.dtype = np.uint8 if seed % 2 else np.int8
        self.nodes, self.constants, self.operators = [], [], {}

    def constant(self, value) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def parameters(self, low: float, high: float) -> list[str]:
        zero = self.random.integers(np.iinfo(self.dtype).min, np.iinfo(self.dtype).max + 1)
        return [self.constant(np.float32(self.random.uniform(low, high))), self.constant(self.dtype(zero))]

    def weights(self, *shape: int, axis: int | None = None) -> list[str]:
        scale = np.float32(self.random.uniform(0.001, 0.01, () if axis is None else shape[axis]))
        integers = self.random.integers(-127, 128, shape).astype(np.int8)
        return [self.constant(integers), self.constant(scale), self.constant(np.zeros(scale.shape, np.int8))]

    def bias(self, count: int) -> str:
        return self.constant(self.random.integers(-3000, 3000, count).astype(np.int32))

    def add(self, operator: str, inputs: list[str], result: list[str] | None = None, domain: str = "com.microsoft",
            **attributes) -> list[str]:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        self.operators[name] = operator
        return [name] + (result or [])

    def build(self) -> onnx.ModelProto:
        p = self.parameters
        y = p(0.01, 0.02)
        x = self.add("QuantizeLinear", ["x", *y], y, "")
        y = p(0.1, 0.3)
        conv = self.add("QLinearConv", [*x, *self.weights(24, 16, 3, 3, axis=0), *y, self.bias(24)], y, "", pads=[1, 1, 1, 1])
        y = p(0.1, 0.3)
        depthwise = self.add("QLinearConv", [*conv, *self.weights(24, 1, 3, 3), *y], y, "", pads=[1, 1, 1, 1], group=24)
        y = p(0.2, 0.5)
        total = self.add("QLinearAdd", [*conv, *depthwise, *y], y)
        self.add("QLinearMul", [*conv, *total, *p(0.5, 2)])
        # Half of each product lies in the middle of two integers, or on one.
        scale = numpy_helper.to_array(self.constants[0])
        zero = self.constant(self.dtype(self.random.integers(100) | 1))
        self.add("QLinearMul", [*x, *x, self.constant(np.float32(2) * scale * scale), zero])
        self.add("QLinearSigmoid", [*total, *p(0.002, 0.004)])
        self.add("QLinearLeakyRelu", [*total, *p(0.2, 0.5)], alpha=0.1)
        self.add("QLinearConcat", [*p(0.2, 0.4), *conv, *total], axis=1)
        y = p(0.02, 0.1)
        pool = self.add("QLinearGlobalAveragePool", [*total, *y], y)
        flat = self.add("Flatten", pool[:1], pool[1:], "")
        self.add("QGemm", [*flat, *self.weights(10, 24, axis=0), self.bias(10), *p(0.1, 0.3)], transB=1)
        self.add("QGemm", [*flat, *self.weights(24, 10), self.bias(10)])
        zero = self.dtype(np.iinfo(self.dtype).min)
        probabilities = [self.constant(np.float32(1 / 256)), self.constant(zero)]
        self.add("QLinearSoftmax", [*flat, *probabilities], axis=1, opset=13)
        self.add("QLinearSoftmax", [*conv, *probabilities], axis=2, opset=13)
        condition = self.constant(self.random.random((24, 1, 8)) < 0.5)
        self.add("QLinearWhere", [condition, *conv, *total, *p(0.2, 0.4)])
        self.add("QLinearAveragePool", [*total, *p(0.1, 0.3)], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
        rows = self.weights(24, 10, axis=1)
        floats = self.add("DequantizeLinear", flat, None, "")
        self.add("DynamicQuantizeMatMul", [*floats, rows[0], rows[1], rows[2], self.constant(np.float32(self.random.uniform(-1, 1, 10)))])
        self.add("MatMulIntegerToFloat", [flat[0], rows[0], flat[1], rows[1], flat[2], rows[2]])
        for bits in 4, 8:
            integers = self.random.integers(0, 256, (10, 2, 2 * bits)).astype(np.uint8)
            blocks = self.random.uniform(0.001, 0.01, 20).astype(np.float32)
            zeros = self.constant(self.random.integers(0, 256, 10 * bits // 4).astype(np.uint8))
            operands = [floats[0], self.constant(integers), self.constant(blocks), *([zeros] if bits == 4 else [])]
            self.add("MatMulNBits", operands, K=24, N=10, bits=bits, block_size=16)
        self.add("QLinearMatMul", [*flat, *self.weights(24, 10, axis=1), *p(0.1, 0.3)], None, "")
        stored = {np.uint8: TensorProto.UINT8, np.int8: TensorProto.INT8}[self.dtype]
        outputs = []
        for node in self.nodes:
            is_float = node.op_type in FLOAT or node.op_type == "QGemm" and len(node.input) == 7
            outputs.append(helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT if is_float else stored, None))
        graph = helper.make_graph(self.nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)], outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("com.microsoft", 1)], ir_version=8)


def check(options, seed: int, folder: pathlib.Path) -> tuple[int, int]:
    """Returns the numbers of results and of those that differ."""
    builder = Builder(seed)
    onnx.save(builder.build(), folder / "net.onnx")
    data = builder.random.uniform(-2, 2, SHAPE).astype(np.float32)
    data.tofile(folder / "x.bin")
    np.save(folder / "x.npy", data)
    request = {"runtime": str((options.folder / "node_modules/onnxruntime-node").resolve()), "model": str(folder / "net.onnx"),
               "inputs": [{"name": "x", "type": "float32", "shape": SHAPE, "file": str(folder / "x.bin")}], "outputs": str(folder)}
    done = subprocess.run(["node", str(HERE / "run-onnxruntime.js")], input=json.dumps(request), capture_output=True, text=True, check=True)
    # A fused multiply-add, as ONNX Runtime has it on such processors.
    command = [options.uma, "run", str(folder / "net.onnx"), "--input", f"x={folder}/x.npy", "--output-dir", str(folder / "found")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"CFLAGS": "-O1 -march=native"})
    different = 0
    outputs = json.loads(done.stdout)
    for output in outputs:
        found = np.load(folder / "found" / f"{output['name']}.npy")
        expected = np.fromfile(output["file"], found.dtype).reshape(found.shape)
        # The product with weights of few bits is one of floats, whose order of sums is free.
        is_free = builder.operators[output["name"]] == "MatMulNBits" and np.allclose(found, expected, rtol=1e-5, atol=1e-5)
        if not np.array_equal(found, expected) and not is_free:
            different += 1
            distance = np.abs(found.astype(float) - expected)
            print(f"seed {seed}: {builder.operators[output['name']]} differs in {(distance != 0).sum()} of {found.size} elements, at most by "
                  f"{distance.max():g}", flush=True)
    return len(outputs), different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default="build/real-models", help="for the package (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first network (default: %(default)s)")
    parser.add_argument("--count", type=int, default=10, help="how many networks (default: %(default)s)")
    options = parser.parse_args()
    install_package(options.folder, RUNTIME)
    results = different = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as scratch:
            counts = check(options, seed, pathlib.Path(scratch))
        results, different = results + counts[0], different + counts[1]
    print(f"{results - different} of {results} results equal to ONNX Runtime's")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
