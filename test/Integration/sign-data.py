"""Random networks of uint8 between QuantizeLinear and DequantizeLinear on a device that takes int8: its description requests
uma-graph-sign-data. Every output is the same as without the pass, on the device and on the CPU, and equal to the interpreter's."""
# REQUIRES: full, gcc
# RUN: rm -rf %t && mkdir %t && cp -r %dialects/vanilla_int8/runtime %t
# RUN: sed '/^  layout/i\  pass PRE_PARTITIONING "uma-graph-sign-data"' %dialects/vanilla_int8/vanilla_int8.uma > %t/vanilla_int8.uma
# RUN: %python -B %s %t %gcc %source | FileCheck %s
# Without the pass, the device takes nothing.
# CHECK: unsigned data on the device: 0 calls
# CHECK: networks on the device: 4 of 4 equal, {{[1-9][0-9]+}} calls
# CHECK: networks on the CPU: 4 of 4 equal
# CHECK: networks on the CPU, cortex-m0: 2 of 2 equal
# CHECK: networks on the CPU, loops: 2 of 2 equal
# CHECK: networks on the CPU, fixed point: 2 of 2 equal
# CHECK: functions on the CPU: 1 of 1 equal
# CHECK: functions on the CPU, cortex-m0: 1 of 1 equal

import functools
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, gcc, source = sys.argv[1:]
os.chdir(folder)
HAS_FMA = os.uname().machine == "aarch64" or " fma " in pathlib.Path("/proc/cpuinfo").read_text()


class Network:
    """Layers of uint8 of random scales and zero points, in which each has a data input among the last ones."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights = [], []
        self.tensors: list[tuple[str, float]] = []  # real numbers [1, 8, 10, 10] and their largest magnitude
        self.outputs: list[str] = []

    def constant(self, value) -> str:
        self.weights.append(numpy_helper.from_array(np.asarray(value), f"c{len(self.weights)}"))
        return self.weights[-1].name

    def node(self, operator: str, *inputs: str, **attributes) -> str:
        result = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [result], result, **attributes))
        return result

    def parameters(self, largest: float) -> list[str]:
        """A scale and a zero point, such as those after relu."""
        zero = self.random.choice([0, 0, 128, self.random.integers(1, 255)])
        return [self.constant(np.float32(largest / max(zero, 255 - zero))), self.constant(np.uint8(zero))]

    def dequantize(self, stored: str, parameters: list[str], largest: float) -> None:
        self.tensors.append((self.node("DequantizeLinear", stored, *parameters), largest))

    def quantize(self, real: str, largest: float) -> None:
        parameters = self.parameters(largest)
        stored = self.node("QuantizeLinear", real, *parameters)
        self.outputs.append(stored)
        self.dequantize(stored, parameters, largest)

    def pick(self) -> tuple[str, float]:
        return self.tensors[-self.random.integers(1, min(3, len(self.tensors)) + 1)]

    def convolve(self) -> None:
        """Weights are int8, or uint8 with a zero point of 128 or any other, which the device does not take."""
        data, largest = self.pick()
        kernel = int(self.random.choice([1, 3]))
        groups = int(self.random.choice([1, 1, 1, 8]))
        shape = (8, 8 // groups, kernel, kernel)
        scale = self.random.uniform(0.005, 0.02, 8 if self.random.integers(2) else ()).astype(np.float32)
        kind = self.random.choice([np.int8, np.uint8])
        zero = 0 if kind is np.int8 else int(self.random.choice([128, 128, 100]))
        integers = np.clip(self.random.integers(-90, 91, shape) + zero, 0 if zero else -128, 255 if zero else 127)
        weight = self.node("DequantizeLinear", self.constant(integers.astype(kind)), self.constant(scale),
                           self.constant(np.full(scale.shape, zero, kind)), axis=0)
        data_scale = next(numpy_helper.to_array(w) for w in self.weights if w.name == next(n for n in self.nodes if n.name == data).input[1])
        sums = (data_scale * scale).astype(np.float32)
        bias = self.node("DequantizeLinear", self.constant(self.random.integers(-999, 1000, 8).astype(np.int32)), self.constant(sums),
                         self.constant(np.zeros(sums.shape, np.int32)), axis=0)
        result = self.node("Conv", data, weight, bias, pads=[kernel // 2] * 4, group=groups)
        if self.random.integers(2):
            result = self.node("Relu", result)
        self.quantize(result, largest * float(scale.max()) * 50 * np.sqrt(shape[1] * kernel * kernel) * 1.5)

    def add(self) -> None:
        (x, largest), (y, other) = self.pick(), self.pick()
        self.quantize(self.node("Add", x, y), 0.8 * (largest + other))

    def pool(self) -> None:
        (x, largest) = self.pick()
        self.quantize(self.node("MaxPool", x, kernel_shape=[3, 3], pads=[1] * 4), largest)

    def activate(self) -> None:
        (x, _) = self.pick()
        self.quantize(self.node("Sigmoid", x), 1.0)

    def concatenate(self) -> None:
        """Channels of two tensors, in another order, of which half are left."""
        (x, largest), (y, other) = self.pick(), self.pick()
        joined = self.node("Concat", x, y, axis=1)
        first = [self.constant(np.int64([n])) for n in (4, 12, 1)]
        self.quantize(self.node("Slice", joined, *first), max(largest, other))

    def build(self, count: int) -> onnx.ModelProto:
        parameters = self.parameters(2.0)
        # The data are floats or stored integers.
        stored = self.node("QuantizeLinear", "x", *parameters)
        self.dequantize(stored, parameters, 2.0)
        parameters = self.parameters(1.0)
        self.dequantize("y", parameters, 1.0)
        kinds = [self.convolve] * 4 + [self.add] * 2 + [self.pool, self.activate, self.concatenate]
        self.convolve()
        for _ in range(count):
            kinds[self.random.integers(len(kinds))]()
        last = self.tensors[-1][0]
        describe = helper.make_tensor_value_info
        inputs = [describe("x", TensorProto.FLOAT, [1, 8, 10, 10]), describe("y", TensorProto.UINT8, [1, 8, 10, 10])]
        outputs = [describe(name, TensorProto.UINT8, None) for name in self.outputs] + [describe(last, TensorProto.FLOAT, None)]
        graph = helper.make_graph(self.nodes, "g", inputs, outputs, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


@functools.cache
def run(model: str, *options: str, seed: int) -> tuple[dict[str, np.ndarray], int]:
    """Runs a network and compares it with the interpreter. Returns its outputs and the number of calls of the device."""
    shutil.rmtree("found", ignore_errors=True)
    command = ["uma", "run", model, "--cc", gcc, "--seed", str(seed), "--seeds", "1", "--compare", "--output-dir", "found", *options]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CFLAGS": "-O1 -march=native" if HAS_FMA else "-O1"})
    # The interpreter fuses the products and sums of quantized_add.
    if done.returncode not in ((0,) if HAS_FMA else (0, 1)):
        print(model, *options, done.stdout, done.stderr)
        return {}, 0
    calls = re.search(r"^vanilla_int8: (\d+) calls", done.stdout, re.M)
    return {path.stem: np.load(path) for path in pathlib.Path("found").glob("*.npy")}, int(calls[1]) if calls else 0


def compare(label: str, models: list[str], description: str, *options: str) -> None:
    equal = calls = 0
    for seed, model in enumerate(models):
        expected, _ = run(model, *options, seed=seed)
        found, count = run(model, "-a", description, *options, seed=seed)
        calls += count
        different = [name for name, numbers in expected.items() if not np.array_equal(numbers, found.get(name))]
        equal += bool(expected) and not different
        if different:
            print(f"{model}: {', '.join(different)} differ")
    print(f"{label}: {equal} of {len(models)} equal" + (f", {calls} calls" if calls else ""), flush=True)


pathlib.Path("cpu.uma").write_text('accelerator vanilla_int8 {\n  pass PRE_PARTITIONING "uma-graph-sign-data"\n}\n')
networks = []
for seed in range(4):
    networks.append(f"net{seed}.mlir")
    onnx.save(Network(seed).build(10), f"net{seed}.onnx")
    # The interpreter then adds quantized tensors as the C does, not in the floats of the file.
    subprocess.run(["uma-translate", "--import-onnx", f"net{seed}.onnx", "-o", "imported.mlir"], check=True)
    subprocess.run(["uma-opt", "imported.mlir", "--uma-graph-default", "-o", networks[-1]], check=True)
# Average pools, softmax and products, many of whose results lie in the middle of two integers.
spec = importlib.util.spec_from_file_location("compare_qdq", pathlib.Path(source) / "utils/compare-qdq.py")
spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
onnx.save(module.Layers(0, np.uint8).build(), "functions.onnx")
print(f"unsigned data on the device: {run(networks[0], '-a', 'vanilla_int8', seed=0)[1]} calls", flush=True)
compare("networks on the device", networks, "./vanilla_int8.uma")
compare("networks on the CPU", networks, "./cpu.uma")
compare("networks on the CPU, cortex-m0", networks[:2], "./cpu.uma", "--cpu=cortex-m0")
compare("networks on the CPU, loops", networks[2:], "./cpu.uma", "--kernels=loops")
compare("networks on the CPU, fixed point", networks[:2], "./cpu.uma", "--requantize=fixed-point")
compare("functions on the CPU", ["functions.onnx"], "./cpu.uma")
compare("functions on the CPU, cortex-m0", ["functions.onnx"], "./cpu.uma", "--cpu=cortex-m0")
