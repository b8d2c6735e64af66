"""Quantized layers of random sizes, scales and zero points, by dot products of words for each instruction set that the machine has
and without vectors, and on plain integers: the numbers are those of ONNX's QLinearConv, computed here in NumPy's integers."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %source/test/Driver/Inputs/instructions.py model > %t/core.uma
# RUN: %python -B %source/test/Driver/Inputs/instructions.py wrong > %t/wrong.uma
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc %full

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

folder, gcc = sys.argv[1:3]
FULL = "--full" in sys.argv
os.chdir(folder)
random = np.random.default_rng(5)
nodes: list[onnx.NodeProto] = []
weights: list[onnx.TensorProto] = []
inputs: dict[str, np.ndarray] = {}
expected: dict[str, np.ndarray] = {}


def constant(name: str, value: np.ndarray) -> str:
    weights.append(numpy_helper.from_array(np.asarray(value), name))
    return name


def dequantize(name: str, values: str, scale: np.ndarray, zero: np.ndarray, axis: int) -> str:
    parameters = [constant(name + "_scale", scale), constant(name + "_zero", zero)]
    nodes.append(helper.make_node("DequantizeLinear", [values, *parameters], [name], axis=axis))
    return name


def convolve(x: np.ndarray, w: np.ndarray, stride: int, pad: int, groups: int) -> np.ndarray:
    """The sums of a convolution in int64."""
    x = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    out, depth, kernel, _ = w.shape
    size = (x.shape[2] - kernel) // stride + 1
    result = np.zeros((1, out, size, size), np.int64)
    for o in range(out):
        first = o // (out // groups) * depth
        for i in range(size):
            for j in range(size):
                y, z = i * stride, j * stride
                result[0, o, i, j] = (x[0, first : first + depth, y : y + kernel, z : z + kernel] * w[o]).sum()
    return result


def requantize(sums: np.ndarray, x_scale, w_scale, y_scale, y_zero, axis: int) -> np.ndarray:
    shape = [1] * sums.ndim
    shape[axis] = -1
    factor = (np.float32(x_scale) * w_scale / np.float32(y_scale)).astype(np.float32)
    steps = np.rint(sums.astype(np.float32) * (factor.reshape(shape) if factor.ndim else factor))
    limits = np.iinfo(y_zero.dtype)
    return np.clip(steps.astype(np.int64) + int(y_zero), limits.min, limits.max).astype(y_zero.dtype)


for index in range(32):
    name = f"l{index}"
    data_type = random.choice([np.int8, np.uint8])
    result_type = random.choice([np.int8, np.uint8])
    is_dense = index % 4 == 3
    is_deep = index == 7  # the sums are more than a float holds
    channels = 1024 if is_deep else int(random.integers(1, 5)) * 8 if index % 2 else int(random.integers(1, 20))
    groups = channels if index % 5 == 1 and not is_dense else 1
    out = channels if groups > 1 else int(random.integers(1, 40))
    kernel, stride = int(random.choice([1, 3])), int(random.choice([1, 2]))
    pad = int(random.integers(0, kernel))
    x = random.integers(np.iinfo(data_type).min, np.iinfo(data_type).max + 1, [1, channels] + [] if is_dense else [1, channels, 9, 9])
    w = random.integers(-127, 128, (out, channels) if is_dense else (out, channels // groups, kernel, kernel))
    if is_deep:
        w = np.full_like(w, 127)
    x, w = x.astype(data_type), w.astype(np.int8)
    per_axis = bool(random.integers(0, 2))
    x_scale, y_scale = random.uniform(0.001, 0.1, 2).astype(np.float32)
    w_scale = random.uniform(0.001, 0.1, out if per_axis else ()).astype(np.float32)
    x_zero = data_type(random.integers(np.iinfo(data_type).min, np.iinfo(data_type).max + 1))
    if index >= 20:  # no step is negative, as after relu
        x_zero = data_type(np.iinfo(data_type).min)
    w_zero = np.zeros(w_scale.shape, np.int8) if per_axis else np.int8(random.integers(-20, 20))
    y_zero = result_type(random.integers(np.iinfo(result_type).min, np.iinfo(result_type).max + 1))
    steps = x.astype(np.int64) - int(x_zero)
    factors = w.astype(np.int64) - w_zero.astype(np.int64).max()
    sums = steps @ factors.T if is_dense else convolve(steps, factors, stride, pad, groups)
    # Small scales of weights make biases that no float holds.
    most = 1 << 29 if index % 6 == 2 else 1000
    bias = random.integers(-most, most, out).astype(np.int32) if most > 1000 or random.integers(0, 3) else None
    axis = 1
    if bias is not None:
        sums = sums + (bias if is_dense else bias.reshape(1, -1, 1, 1))
    # So that the results are neither all the same nor all at a limit.
    y_scale = np.float32(max(np.abs(sums).max() * x_scale * np.max(w_scale) / 90, 1e-6))
    result = requantize(sums, x_scale, w_scale, y_scale, y_zero, axis)
    activation = [None, "Relu", "Clip"][int(random.integers(0, 3))]
    if activation:
        # A real number x is stored as round(x / scale) + zero; the activation's limits, too.
        limits = np.iinfo(result_type)
        top = 3.0 if activation == "Clip" else np.inf
        high = min(limits.max, np.rint(np.float32(top) / y_scale) + int(y_zero))
        result = np.clip(result.astype(np.int64), int(y_zero), int(high)).astype(result_type)
    inputs[name + "_in"] = x
    expected[name + "_out"] = result

    operands = [
        dequantize(name + "_x", name + "_in", x_scale, x_zero, 1),
        dequantize(name + "_w", constant(name + "_wq", w), w_scale, w_zero, 0),
    ]
    if bias is not None:
        b_scale = (x_scale * w_scale).astype(np.float32)
        operands.append(dequantize(name + "_b", constant(name + "_bq", bias), b_scale, np.zeros(b_scale.shape, np.int32), 0))
    if is_dense:
        nodes.append(helper.make_node("Gemm", operands, [name + "_sums"], transB=1))
    else:
        nodes.append(
            helper.make_node("Conv", operands, [name + "_sums"], strides=[stride] * 2, pads=[pad] * 4, group=groups)
        )
    last = name + "_sums"
    if activation == "Relu":
        nodes.append(helper.make_node("Relu", [last], [name + "_act"]))
        last = name + "_act"
    elif activation == "Clip":
        limits = [constant(name + "_min", np.float32(0)), constant(name + "_max", np.float32(3))]
        nodes.append(helper.make_node("Clip", [last, *limits], [name + "_act"]))
        last = name + "_act"
    parameters = [constant(name + "_y_scale", y_scale), constant(name + "_y_zero", y_zero)]
    nodes.append(helper.make_node("QuantizeLinear", [last, *parameters], [name + "_out"]))


def describe(tensors: dict[str, np.ndarray]) -> list[onnx.ValueInfoProto]:
    return [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(t.dtype) if hasattr(helper, "np_dtype_to_tensor_dtype")
                                      else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[t.dtype], t.shape)
        for name, t in tensors.items()
    ]


graph = helper.make_graph(nodes, "g", describe(inputs), describe(expected), weights)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "net.onnx")
arguments = []
for name, value in inputs.items():
    np.save(name + ".npy", value)
    arguments += ["--input", f"{name}={name}.npy"]
runs = [("vector", "-O1"), ("vector", "-O1 -march=native"), ("vector", "-O1 -DUMA_LANES=1"), ("loops", "-O1")]
flags = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
sets = {"avx2": "-mavx2 -mfma", "avx512bw": "-mavx512f -mavx512bw", "avx_vnni": "-mavx2 -mfma -mavxvnni"}
sets["avx512_vnni"] = "-mavx512f -mavx512bw -mavx512vl -mavx512vnni"
runs += [("vector", "-O1 " + option) for flag, option in sets.items() if f" {flag} " in flags]
# Eight lanes where there are 16.
if " avx512_vnni " in flags:
    runs.append(("vector", "-O1 -DUMA_LANES=8 " + sets["avx512_vnni"]))
# Processors that would split words of bytes. Without the flags of the second, the C for it is plain.
runs += [("x86-64-v2", "-O1"), ("x86-64-v3", "-O1")]
if " avx2 " in flags:
    runs.append(("x86-64-v3", "-O1 " + sets["avx2"]))
described = ["-O1 -DHAS_MODEL", "-O1 -DHAS_MODEL -march=native", "-O1 -DHAS_MODEL -DUMA_LANES=1", "-O1"]
runs += [("instructions", cflags) for cflags in described] + [("wrong instructions", described[0])]
if not FULL:
    # The words that this machine has, and those of a description.
    runs = [("vector", "-O1 -march=native"), ("instructions", described[0])]
failed = False
for kernels, cflags in runs:
    label = f"{kernels} {cflags}"
    description = {"instructions": ["-a", "./core.uma"], "wrong instructions": ["-a", "./wrong.uma"]}
    description |= {name: ["--cpu=" + name] for name in ("x86-64-v2", "x86-64-v3")}
    shutil.rmtree("found", ignore_errors=True)
    command = ["uma", "run", "net.onnx", *description.get(kernels, ["--kernels=" + kernels]), "--cc", gcc, "--output-dir", "found", *arguments]
    if cflags == "-O1" and kernels in ("vector", "loops"):
        command.append("--compare")
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CFLAGS": cflags})
    if run.returncode:
        print(run.stdout, run.stderr)
    equal = 0
    for name, value in expected.items():
        found = np.load(f"found/{name}.npy")
        if found.dtype == value.dtype and np.array_equal(found, value):
            equal += 1
        elif not kernels.startswith("wrong"):
            print(f"{label}: {name}: {np.count_nonzero(found != value)} of {value.size} differ; expected {value.ravel()[:8]}, found {found.ravel()[:8]}")
    # Depthwise convolutions and odd numbers of channels with few products have no words.
    failed |= equal != (19 if kernels.startswith("wrong") else len(expected))
    print(f"{label}: {equal} of {len(expected)} layers equal")

# The C has no warnings, also as C++.
if not FULL:
    sys.exit(failed)
subprocess.run(["uma", "compile", "net.onnx", "-o", "package"], check=True, stdout=subprocess.DEVNULL)
for options in (["-std=c99"], ["-x", "c++"]):
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-march=native", "-O1", "-c", "package/net.c", "-o", "net.o"]
    if options[0] == "-std=c99" or shutil.which("g++"):
        subprocess.run([gcc, *options, *warnings], check=True)

# The instructions of AArch64, in the emulator.
cross, emulator = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
for arch in ("armv8-a", "armv8.2-a+dotprod", "armv8.6-a+i8mm") if cross and emulator and FULL else ():
    make = ["make", "-s", "-C", "package", "BUILD=" + arch, "CC=" + cross, f"CFLAGS=-O1 -static -march={arch}"]
    subprocess.run(make, check=True)
    command = [emulator, "-cpu", "max", f"package/{arch}/net"]
    for name, value in inputs.items():
        value.tofile(name + ".bin")
        command += ["--input", f"{name}={name}.bin"]
    for name in expected:
        command += ["--output", f"{name}={name}.bin"]
    subprocess.run(command, check=True)
    equal = sum(np.array_equal(np.fromfile(name + ".bin", value.dtype).reshape(value.shape), value) for name, value in expected.items())
    failed |= equal != len(expected)
    print(f"{arch}: {equal} of {len(expected)} layers equal")
sys.exit(failed)
