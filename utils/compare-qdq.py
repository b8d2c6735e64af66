#!/usr/bin/python3
"""Compares int8 networks with ONNX Runtime, which computes layers between QuantizeLinear and DequantizeLinear on integers.

    utils/compare-qdq.py [--uma build/bin/uma] [--folder build/real-models] [--models ../shared/models] [--count 20]

The networks are those of MLPerf Tiny as ONNX with QuantizeLinear and DequantizeLinear. Each is compiled, built and run on random inputs. ONNX
Runtime leaves convolutions of int8 in f32 where several operators read their data, and rounds some elements to the other side then; it
computes the same network on integers if activations are uint8, 128 higher. In this form, all elements have to be ONNX Runtime's, bit for bit; in
the form of the file, equal ones are counted.

Exits with 1 if one is not, and with 77 if the models, npm, node or onnxruntime-node are not available.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from npm_packages import install_package, skip  # noqa: E402

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
    options = parser.parse_args()
    models = sorted((options.models / "mlperf_tiny").glob("*_qdq.onnx"))
    if not models:
        skip(f"{options.models}/mlperf_tiny is not there")
    install_package(options.folder, RUNTIME)
    runtime = str((options.folder / "node_modules/onnxruntime-node").resolve())

    failures = 0
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
