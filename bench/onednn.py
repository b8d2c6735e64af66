#!/usr/bin/python3
"""Compares the emitted C of single layers with oneDNN's primitives (Debian's libdnnl-dev) on one core.

    bench/onednn.py [--types f32,f32-fast,int8,bf16] [--layers 3x3-64x56-64,...] [--no-amx] [--check]

Layers are those of ResNet-50, MobileNet V1 and BERT, with a batch of 1 and 128 tokens. Both sides compute the same layer:

    int8    data u8 and weights i8 with a scale per output channel, bias i32, result u8, all zero points 0, as after
            a relu. For uma, a Conv or Gemm with DequantizeLinear and QuantizeLinear around it.
    f32     data, weights and result in f32, by the definition of the layer.
    f32-fast  the same with Winograd's and Strassen's algorithms: for uma --kernels=winograd, for oneDNN the faster one of
            its direct convolution and its Winograd.
    bf16    products of bf16, sums, bias and result in f32. For uma, a layer in f32 with --math=bf16, which stores
            its data in bf16; for oneDNN, data and weights in bf16.

Only the layer itself is timed: it runs many times in a row on warm data in the format that each side prefers, with weights
packed in advance. In f32, a depthwise convolution by 1 before the layer makes this format. The conversions of uma at the inputs
and outputs of the network, which also pad the data of 3x3 and 7x7 windows, and oneDNN's reorders are left out. Both sides
alternate; times are medians. Dense layers are measured as oneDNN's inner product and its matmul, and the faster one counts.

Exits with 1 if the results differ (int8: by more than one step; otherwise by more than 1e-4 of the largest element) and, with
--check, if a geometric mean of oneDNN's time / ours is less than 0.9.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys

import marks
import models
import numpy as np
import onnx
import sides
from onnx import TensorProto, helper

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TYPES = ["f32", "f32-fast", "int8", "bf16"]
LEAST = 0.9


@dataclasses.dataclass
class Layer:
    """A convolution with padding kernel / 2, or a dense layer, whose size is 1."""

    batch: int
    inputs: int
    size: int
    outputs: int
    kernel: int = 1
    stride: int = 1

    @property
    def is_dense(self) -> bool:
        return self.batch > 1

    @property
    def name(self) -> str:
        if self.is_dense:
            return f"dense-{self.batch}x{self.inputs}-{self.outputs}"
        return f"{self.kernel}x{self.kernel}-{self.inputs}x{self.size}-{self.outputs}" + (f"-s{self.stride}" if self.stride > 1 else "")

    @property
    def macs(self) -> int:
        result = (self.size + 2 * (self.kernel // 2) - self.kernel) // self.stride + 1
        return self.batch * self.inputs * self.outputs * (self.kernel * result) ** 2

    def get_data_shape(self) -> list[int]:
        return [self.batch, self.inputs] if self.is_dense else [self.batch, self.inputs, self.size, self.size]

    def get_weight_shape(self) -> list[int]:
        return [self.outputs, self.inputs] if self.is_dense else [self.outputs, self.inputs, self.kernel, self.kernel]


def conv(kernel: int, inputs: int, size: int, outputs: int, stride: int = 1) -> Layer:
    return Layer(1, inputs, size, outputs, kernel, stride)


LAYERS = {layer.name: layer for layer in [
    conv(7, 3, 224, 64, 2), conv(1, 64, 56, 64), conv(1, 64, 56, 256), conv(3, 64, 56, 64), conv(1, 256, 56, 512, 2),
    conv(3, 128, 56, 128, 2), conv(1, 512, 28, 128), conv(3, 128, 28, 128), conv(1, 256, 14, 1024), conv(1, 512, 14, 512),
    conv(3, 256, 14, 256), conv(1, 512, 7, 2048), conv(3, 512, 7, 512),
    Layer(128, 768, 1, 768), Layer(128, 768, 1, 3072), Layer(128, 3072, 1, 768)]}


class Ours(sides.Process):
    """Runner of the emitted C that repeats one layer, given by the number of its profile hook."""

    def __init__(self, number: int, *arguments):
        super().__init__(*arguments)
        self.number = number

    def run(self, count: int) -> list[float]:
        return [float(word) for word in self.ask(f"repeat {self.number} {count}").split()]


def make_tensors(layer: Layer, kind: str) -> dict[str, np.ndarray]:
    """Returns data, weights, bias and, for int8, scales: `s` of the sums to the result and `ws` of the weights.

    Results are about normally distributed, in int8 with a deviation of 50 steps. Data and result have a scale of 1."""
    random = np.random.default_rng(0)
    data, shape = layer.get_data_shape(), layer.get_weight_shape()
    fan_in = math.prod(shape[1:])
    if kind != "int8":
        tensors = {"x": random.standard_normal(data), "w": random.standard_normal(shape) / np.sqrt(fan_in),
                   "b": random.standard_normal(layer.outputs)}
        return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    weights = random.integers(-127, 128, shape, np.int8)
    scale = np.float32(50 / (148 * 73 * np.sqrt(fan_in)) * random.uniform(0.5, 1.5, layer.outputs))
    bias = np.int32(random.uniform(-50, 100, layer.outputs) / scale)
    return {"x": random.integers(0, 256, data, np.uint8), "w": weights, "b": bias, "s": scale}


def make_quantized_operands(model: models.Model, tensors: dict[str, np.ndarray]) -> list[str]:
    """Adds the constants of a quantized layer and a DequantizeLinear for each operand. Returns the operands."""
    scales = {"x": np.array(1, np.float32), "w": tensors["s"], "b": tensors["s"]}
    for name, scale in scales.items():
        operands = ["x" if name == "x" else model.constant(tensors[name], name),
                    model.constant(scale, name + "_scale"), model.constant(np.zeros_like(scale, tensors[name].dtype), name + "_zero")]
        model.nodes.append(helper.make_node("DequantizeLinear", operands, [name + "_real"], name + "_real", axis=0))
    return [name + "_real" for name in scales]


def write_model(layer: Layer, kind: str, tensors: dict[str, np.ndarray], path: pathlib.Path) -> None:
    model = models.Model(*layer.get_data_shape())
    quantized = kind == "int8"
    operands = make_quantized_operands(model, tensors) if quantized else ["x", *(model.constant(tensors[name], name) for name in "wb")]
    if kind.startswith("f32") and not layer.is_dense and layer.inputs >= 16:
        # Writes the data in blocks of channels, as the layers of a network do.
        ones = model.constant(np.ones((layer.inputs, 1, 1, 1), np.float32), "ones")
        model.nodes.append(helper.make_node("Conv", ["x", ones], ["copied"], "copy", group=layer.inputs))
        operands[0] = "copied"
    attributes = {"transB": 1} if layer.is_dense else {
        "strides": [layer.stride] * 2, "pads": [layer.kernel // 2] * 4, "kernel_shape": [layer.kernel] * 2}
    model.nodes.append(helper.make_node("Gemm" if layer.is_dense else "Conv", operands, ["sum"], "layer", **attributes))
    if quantized:
        model.nodes.append(helper.make_node("QuantizeLinear", ["sum", "x_scale", "x_zero"], ["result"], "result"))
    element = TensorProto.UINT8 if quantized else TensorProto.FLOAT
    graph = helper.make_graph(model.nodes, path.stem, [helper.make_tensor_value_info("x", element, model.shape)],
                              [helper.make_tensor_value_info("result" if quantized else "sum", element, None)], model.weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def find_hook(package: sides.Package) -> int:
    """Returns the number of the hook around the function that computes the layer."""
    calls = [call for source in package.folder.glob("*.c")
             for call in re.findall(r"UMA_PROFILE_BEGIN\((\d+), .*\);\s+(\w+)\(", source.read_text())]
    # A function that runs a part of the network calls each of them, too.
    numbers = {int(number) for number, function in calls if re.search("layer_layer_.*(conv2d|dense|matmul)", function)}
    if len(numbers) != 1:
        raise sides.Failure(f"expected one function for the layer, found {len(numbers)} of {', '.join(name for _, name in calls)}")
    return numbers.pop()


def start_ours(options: argparse.Namespace, kind: str, folder: pathlib.Path) -> Ours:
    arguments = ["--cpu=native", *(["-a", "amx"] if options.amx else []), *(["--math=bf16"] if kind == "bf16" else []),
                 *(["--kernels=winograd"] if kind == "f32-fast" else [])]
    package = sides.make_package(options.uma, folder / "layer.onnx", folder / "package", [*arguments, *shlex.split(options.options)])
    sides.build_package(package, options.cc, [*options.cflags, "-DUMA_PROFILE", "-DBENCH_REPEAT"])
    return Ours(find_hook(package), "ours", [package.get_runner(), str(folder / "x.bin")], [options.core], 1)


def start_theirs(options: argparse.Namespace, layer: Layer, kind: str, folder: pathlib.Path) -> list[sides.Process]:
    operations = ["inner", "matmul"] if layer.is_dense else ["conv"]
    # oneDNN has Winograd's algorithm for 3x3 only.
    operations += ["winograd"] if kind == "f32-fast" and layer.kernel == 3 and layer.stride == 1 else []
    numbers = (layer.batch, layer.inputs, layer.size, layer.outputs, layer.kernel, layer.stride)
    return [sides.Process("oneDNN's " + operation, [str(options.folder / "onednn"), str(folder), kind.split("-")[0], operation, *map(str,
            numbers)],
                          [options.core], 1) for operation in operations]


def read_result(process: sides.Process, folder: pathlib.Path, kind: str) -> np.ndarray:
    process.ask(f"write {folder}")
    return np.fromfile(folder / "0.bin", np.uint8 if kind == "int8" else np.float32).astype(np.float64)


def get_error_limit(layer: Layer, kind: str) -> float:
    """Returns the largest difference: steps in int8, otherwise a share of the largest element."""
    # Sums of the same products in another order, but for layers that uma does not narrow.
    return 1 if kind == "int8" else 1e-4


def get_error(ours: np.ndarray, theirs: np.ndarray, kind: str) -> float:
    """Returns the largest difference in steps of int8, or divided by the largest element."""
    if ours.shape != theirs.shape or not np.isfinite(theirs).all() or not theirs.any():
        raise sides.Failure("the results cannot be compared")
    error = float(np.abs(ours - theirs).max())
    return error if kind == "int8" else error / float(np.abs(theirs).max())


def run(options: argparse.Namespace, layer: Layer, kind: str) -> dict:
    """Measures one layer and returns its numbers."""
    folder = options.folder / f"{kind}-{layer.name}"
    folder.mkdir(parents=True, exist_ok=True)
    tensors = make_tensors(layer, kind)
    for name, tensor in tensors.items():
        (folder / f"{name}.bin").write_bytes(tensor.tobytes())
    write_model(layer, kind, tensors, folder / "layer.onnx")
    processes = []
    try:
        processes.append(start_ours(options, kind, folder))
        processes += start_theirs(options, layer, kind, folder)
        for process in processes:
            process.turn = options.turn
        rounds, lost = sides.interleave(processes, options.rounds, options.budget, 0)
        ours, theirs = processes[0], min(processes[1:], key=lambda process: statistics.median(process.times))
        # After the measurement, because a layer that runs again on its own result would be wrong now. The buffers of fast
        # algorithms overwrite the data.
        if kind == "f32-fast":
            ours.run(1)
        result = read_result(ours, folder, kind)
        error = max(get_error(result, read_result(process, folder, kind), kind) for process in processes[1:])
        isa, implementation = theirs.ask("describe").split("\t")
    finally:
        for process in processes:
            process.close()
    # Neighbours in time see the same load.
    ratio = statistics.median(b / a for a, b in zip(ours.times, theirs.times))
    rates = [2e-6 * layer.macs / statistics.median(process.times) for process in (ours, theirs)]
    return {"rates": rates, "ratio": ratio, "error": error, "rounds": rounds, "lost": lost, "isa": isa, "implementation": implementation}


def print_result(layer: Layer, kind: str, numbers: dict) -> None:
    ours, theirs = numbers["rates"]
    error = f"{numbers['error']:.0f} step" if kind == "int8" else f"{numbers['error']:.1e}"
    print(f"{kind:5} {layer.name:20} {2e-6 * layer.macs / theirs:10.4f} {2e-6 * layer.macs / ours:9.4f} {theirs:13.0f} {ours:11.0f} "
          f"{numbers['ratio']:6.2f} {error:>9}  {numbers['implementation']}", flush=True)
    if numbers["lost"] > 0.02:
        print(f"    other processes took {100 * numbers['lost']:.0f} % of the time: not a measurement")


def get_mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--uma", default=str(ROOT / "build/bin/uma"), help="the compiler (default: %(default)s)")
    add("--types", default=",".join(TYPES), help="types by commas (default: %(default)s)")
    add("--layers", default=",".join(LAYERS), help="layers by commas (default: %(default)s)")
    add("--folder", type=pathlib.Path, default=ROOT / "build/bench/onednn", help="for models and packages (default: %(default)s)")
    add("--cc", default="cc", help="the C compiler (default: %(default)s)")
    add("--cxx", default="c++", help="the C++ compiler for oneDNN (default: %(default)s)")
    add("--cflags", default="-O3 -march=native", help="flags of the C compiler (default: %(default)s)")
    add("--options", default="", help="more options of uma compile")
    add("--no-amx", action="store_true", help="both sides without AMX")
    add("--core", type=int, default=max(os.sched_getaffinity(0)), help="which core to run on (default: the last one)")
    add("--realtime", action="store_true", help="run both sides before all other processes of their core (chrt; for root)")
    add("--rounds", type=int, default=15, help="turns of each side (default: %(default)s)")
    add("--turn", type=float, default=30, help="milliseconds of a turn (default: %(default)s)")
    add("--budget", type=float, default=10, help="seconds for a layer's turns (default: %(default)s)")
    add("--check", action="store_true", help=f"fail where a geometric mean is less than {LEAST}")
    options = parser.parse_args()
    options.cc, options.cflags = shlex.split(options.cc), shlex.split(options.cflags)
    sides.Process.prefix = ["chrt", "--rr", "1"] if options.realtime else []
    options.types, options.layers = options.types.split(","), options.layers.split(",")
    for what, chosen, known in (("type", options.types, TYPES), ("layer", options.layers, LAYERS)):
        for name in chosen:
            if name not in known:
                parser.error(f"no {what} '{name}'; there are {', '.join(known)}")
    if not pathlib.Path(options.uma).is_file():
        parser.error(f"{options.uma} is not there: build it first, or name one with --uma")
    return options


def choose_instructions(options: argparse.Namespace) -> None:
    """Decides whether both sides use AMX, and prints why not."""
    macros = subprocess.run([*options.cc, *options.cflags, "-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True).stdout
    options.amx = not options.no_amx and marks.has_amx()
    if not options.no_amx and not options.amx:
        print("this processor has no AMX: both sides use its vectors", file=sys.stderr)
    if options.amx and "__AMX_INT8__" not in macros:
        print(f"{shlex.join([*options.cc, *options.cflags])} does not enable AMX: both sides use vectors", file=sys.stderr)
        options.amx = False
    if not options.amx:
        # More than the processor has is allowed.
        os.environ["DNNL_MAX_CPU_ISA"] = "AVX512_CORE_BF16"


def build_theirs(options: argparse.Namespace) -> None:
    source = HERE / "onednn.cpp"
    probe = subprocess.run([options.cxx, "-E", "-x", "c++", "-include", "oneapi/dnnl/dnnl.hpp", os.devnull], capture_output=True)
    if probe.returncode != 0:
        sys.exit("oneDNN is missing: oneapi/dnnl/dnnl.hpp is not found; on Debian, install libdnnl-dev")
    sides.measure([options.cxx, "-O2", str(source), "-ldnnl", "-o", str(options.folder / "onednn")])


def main() -> int:
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    choose_instructions(options)
    build_theirs(options)
    print(f"{sides.get_processor()}, core {options.core}, {'with' if options.amx else 'without'} AMX")
    print(f"{'type':5} {'layer':20} {'oneDNN ms':>10} {'ours ms':>9} {'oneDNN GOP/s':>13} {'ours GOP/s':>11} {'ratio':>6} "
          f"{'error':>9}  oneDNN's implementation")
    failed, missed, sets = [], [], set()
    for kind in options.types:
        ratios = []
        for layer in map(LAYERS.get, options.layers):
            try:
                numbers = run(options, layer, kind)
            except sides.Failure as failure:
                failed.append(f"{kind} {layer.name}: {failure}")
                continue
            print_result(layer, kind, numbers)
            ratios.append(numbers["ratio"])
            sets.add(numbers["isa"])
            limit = get_error_limit(layer, kind)
            if not numbers["error"] <= limit:
                failed.append(f"{kind} {layer.name}: the results differ by {numbers['error']:.2g}, expected {limit:g} or less")
        if ratios:
            print(f"{kind}: geometric mean of oneDNN's time / ours: {get_mean(ratios):.3f}")
            if options.check and get_mean(ratios) < LEAST:
                missed.append(f"{kind}: geometric mean {get_mean(ratios):.3f}, expected {LEAST} or more")
    print(f"oneDNN's instruction set: {', '.join(sorted(sets))}")
    for line in failed:
        print(f"failed: {line}", file=sys.stderr)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main())
