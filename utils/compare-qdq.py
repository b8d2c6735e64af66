#!/usr/bin/python3
"""Compares int8 networks with ONNX Runtime, which computes layers between QuantizeLinear and DequantizeLinear on integers.

    utils/compare-qdq.py [--uma build/bin/uma] [--folder build/real-models] [--models ../shared/models] [--count 20] [--layers 10]

The networks are those of MLPerf Tiny as ONNX with QuantizeLinear and DequantizeLinear. Each is compiled, built and run on random inputs. ONNX
Runtime leaves convolutions of int8 in f32 where several operators read their data, and rounds some elements to the other side then; it
computes the same network on integers if activations are uint8, 128 higher. In this form, all elements have to be ONNX Runtime's, bit for bit; in
the form of the file, equal ones are counted.

Random networks of `--layers` seeds hold average pools, softmax and products between QuantizeLinear and DequantizeLinear. ONNX Runtime replaces
these by its quantized operators, for uint8 and int8, and all elements have to be equal, too.

Exits with 1 if one is not, and with 77 if npm, node or onnxruntime-node are not available. Without the models, there are only random networks.
"""

import argparse
import json
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

DTYPES = {"f32": np.float32, "i8": np.int8, "ui8": np.uint8}
RUNTIME = "onnxruntime-node@1.30.0"


def make_unsigned(network: onnx.ModelProto) -> onnx.ModelProto:
    """Raises activations of int8 and their zero points by 128. Weights stay."""
    graph = network.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    raised = set()
    for node in graph.node:
        if node.op_type not in ("QuantizeLinear", "DequantizeLinear") or node.input[0] in constants or len(node.input) < 3:
            continue
        zero = numpy_helper.to_array(constants[node.input[2]])
        if zero.dtype == np.int8:
            name = node.input[2] + "_unsigned"
            if name not in raised:
                graph.initializer.append(numpy_helper.from_array((zero.astype(np.int16) + 128).astype(np.uint8), name))
            raised.add(name)
            node.input[2] = name
    for value in [*graph.input, *graph.output]:
        if value.type.tensor_type.elem_type == onnx.TensorProto.INT8:
            value.type.tensor_type.elem_type = onnx.TensorProto.UINT8
    del graph.value_info[:]
    return network


class Layers:
    """A network of one input, in which every layer stands between DequantizeLinear and QuantizeLinear."""

    def __init__(self, seed: int, dtype: type) -> None:
        self.random = np.random.default_rng(seed)
        self.dtype, self.limits = dtype, np.iinfo(dtype)
        self.nodes, self.constants, self.outputs = [], [], []

    def constant(self, value) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def node(self, operator: str, *inputs: str, **attributes) -> str:
        result = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [result], **attributes))
        return result

    def parameters(self, low: float, high: float) -> list[str]:
        zero = self.random.integers(self.limits.min, self.limits.max + 1)
        return [self.constant(np.float32(self.random.uniform(low, high))), self.constant(self.dtype(zero))]

    def add(self, operator: str, *inputs: str, scale: float = 0, exact: bool = False, **attributes) -> str:
        """Adds a layer of floats and quantizes its result, which is an output, with a scale of about `scale` or, if `exact`, just that one."""
        parameters = self.parameters(scale, scale) if exact else self.parameters(0.7 * scale, 1.4 * scale)
        if not scale:
            parameters = [self.constant(np.float32(1 / 256)), self.constant(self.dtype(self.limits.min))]
        stored = self.node("QuantizeLinear", self.node(operator, *inputs, **attributes), *parameters)
        self.outputs.append(stored)
        return self.node("DequantizeLinear", stored, *parameters)

    def build(self) -> onnx.ModelProto:
        parameters = self.parameters(0.02, 0.04)
        scale = numpy_helper.to_array(self.constants[0])
        stored = self.node("QuantizeLinear", "x", *parameters)
        x = self.node("DequantizeLinear", stored, *parameters)
        pool = self.add("AveragePool", x, scale=0.02, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
        self.add("AveragePool", x, scale=0.02, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
        self.add("AveragePool", x, scale=0.02, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)
        for shape, kernel in ([1, 16, 72], [5]), ([1, 2, 8, 9, 8], [3, 2, 2]):
            moved = self.node("Reshape", stored, self.constant(np.int64(shape)))
            self.add("AveragePool", self.node("DequantizeLinear", moved, *parameters), scale=0.02, kernel_shape=kernel)
        # Means and products of which many lie in the middle of two integers.
        self.add("AveragePool", x, scale=scale, exact=True, kernel_shape=[2, 2])
        self.add("AveragePool", x, scale=scale, exact=True, kernel_shape=[4, 4])
        for factor in 2, 8, 64:
            integers = self.random.integers(self.limits.min, self.limits.max + 1, (16, 9, 8)).astype(self.dtype)
            other = self.node("DequantizeLinear", self.constant(integers), *self.parameters(scale, scale))
            self.add("Mul", x, other, scale=scale * scale * np.float32(factor), exact=True)
        softmax = self.add("Softmax", x, axis=1)
        self.add("Softmax", x, axis=-1)
        # Rows that are longer than a vector.
        long = self.node("Reshape", stored, self.constant(np.int64([1, 4, 288])))
        self.add("Softmax", self.node("DequantizeLinear", long, *parameters), axis=-1)
        # ONNX Runtime's kernel rounds the inverse of the scale down; uma leaves the layer in f32 unless that is a whole number.
        self.add("Softmax", pool, scale=1 / 64, exact=True)
        gate = self.add("GlobalAveragePool", x, scale=0.01)
        for other in x, gate, softmax:
            self.add("Mul", x, other, scale=0.03)
        for shape in (), (16, 1, 1):
            weights = self.constant(self.random.integers(self.limits.min, self.limits.max + 1, shape).astype(self.dtype))
            self.add("Mul", self.node("DequantizeLinear", weights, *self.parameters(0.005, 0.02)), x, scale=0.03)
        kind = helper.mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype(self.dtype)]
        results = [helper.make_tensor_value_info(name, kind, None) for name in self.outputs]
        graph = helper.make_graph(self.nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 16, 9, 8])], results, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def compare_layers(options, runtime: str) -> int:
    """Compares random networks. Returns the number of results that differ."""
    failures = 0
    for dtype in np.uint8, np.int8:
        sums: dict[str, list[int]] = {}
        for seed in range(options.layers):
            layers = Layers(seed, dtype)
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                onnx.save(layers.build(), str(folder / "layers.onnx"))
                counts = run(options, runtime, folder / "layers.onnx", folder)
            makers = {node.output[0]: node for node in layers.nodes}
            for name, (equal, total) in counts.items():
                total_of = sums.setdefault(makers[makers[name].input[0]].op_type, [0, 0])
                total_of[0] += equal
                total_of[1] += total
                failures += equal != total
        for operator, (equal, total) in sums.items():
            print(f"{operator}, {dtype.__name__}: {equal} of {total} elements equal to ONNX Runtime's", flush=True)
    return failures


def run(options, runtime: str, model: pathlib.Path, folder: pathlib.Path) -> dict[str, tuple[int, int]]:
    """Returns the numbers of equal elements and of all, by output."""
    subprocess.run([options.uma, "compile", str(model), "-o", str(folder / "package")], check=True, stdout=subprocess.DEVNULL)
    sources = map(str, (folder / "package").glob("*.c"))
    # A fused multiply-add, as ONNX Runtime has it on such processors.
    flags = ["-O1", "-march=native", "-I", str(folder / "package")]
    subprocess.run(["cc", *flags, *sources, "-o", str(folder / "run"), "-lm"], check=True)
    metadata = json.loads((folder / "package/metadata.json").read_text())
    entry = metadata["inputs"][0]
    dtype = DTYPES[entry["dtype"]]
    generator = np.random.default_rng(5)
    counts = {result["name"]: (0, 0) for result in metadata["outputs"]}
    for number in range(options.count):
        if dtype is np.float32:
            data = generator.uniform(-1, 1, entry["shape"]) * (3 if number % 2 else 1)
        else:
            data = generator.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, entry["shape"])
        data.astype(dtype).tofile(folder / "in.bin")
        files = ["--input", f"#0={folder}/in.bin"]
        for index in range(len(counts)):
            files += ["--output", f"#{index}={folder}/out{index}.bin"]
        subprocess.run([str(folder / "run"), *files], check=True)
        request = {"runtime": runtime, "model": str(model), "outputs": str(folder),
                   "inputs": [{"name": entry["name"], "type": dtype.__name__, "shape": entry["shape"], "file": f"{folder}/in.bin"}]}
        script = ["node", str(HERE / "run-onnxruntime.js")]
        done = subprocess.run(script, input=json.dumps(request), capture_output=True, text=True, check=True)
        for index, reference in enumerate(json.loads(done.stdout)):
            result = metadata["outputs"][index]
            expected = np.fromfile(reference["file"], DTYPES[result["dtype"]])
            actual = np.fromfile(folder / f"out{index}.bin", DTYPES[result["dtype"]])
            equal, total = counts[result["name"]]
            counts[result["name"]] = equal + int((actual == expected).sum()), total + expected.size
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default="build/real-models", help="for the package (default: %(default)s)")
    parser.add_argument("--models", type=pathlib.Path, default=HERE.parent / "../shared/models", help="folder of mlperf_tiny")
    parser.add_argument("--count", type=int, default=20, help="inputs for each network (default: %(default)s)")
    parser.add_argument("--layers", type=int, default=10, help="random networks (default: %(default)s)")
    options = parser.parse_args()
    models = sorted((options.models / "mlperf_tiny").glob("*_qdq.onnx"))
    install_package(options.folder, RUNTIME)
    runtime = str((options.folder / "node_modules/onnxruntime-node").resolve())

    failures = compare_layers(options, runtime)
    for model in models:
        for form in "as it is", "with unsigned activations":
            network = onnx.load(str(model))
            if form != "as it is":
                network = make_unsigned(network)
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                onnx.save(network, str(folder / model.name))
                counts = run(options, runtime, folder / model.name, folder)
            for name, (equal, total) in counts.items():
                print(f"{model.stem}, {form}: {equal} of {total} elements of '{name}' equal to ONNX Runtime's", flush=True)
                failures += equal != total and form != "as it is"
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
