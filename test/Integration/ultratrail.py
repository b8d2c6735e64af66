# A temporal convolutional network for keyword spotting on UltraTrail, with arrays of three sizes: bit for bit as the interpreter, in the cycles
# that the device's header says, and no register is written twice with the same value.
#
# REQUIRES: gcc
# RUN: rm -rf %t && %python %s %t %gcc | FileCheck %s --match-full-lines

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, cc = pathlib.Path(sys.argv[1]), sys.argv[2]
(folder / "samples").mkdir(parents=True)
random = np.random.default_rng(1)
# Channels of the data and the result, taps, stride, dilation, padding on each side, steps of the result.
LAYERS = [(40, 16, 3, 1, 1, 1, 101), (16, 24, 9, 2, 1, 4, 51), (24, 24, 9, 1, 1, 4, 51), (24, 24, 9, 1, 1, 4, 51),
          (24, 32, 9, 2, 1, 4, 26), (32, 32, 9, 1, 2, 8, 26), (32, 48, 9, 2, 1, 4, 13), (48, 12, 13, 1, 1, 0, 1)]


def write_network():
    nodes, constants, data = [], [], "mfcc"
    for number, (ic, oc, k, stride, dilation, padding, _) in enumerate(LAYERS):
        name = f"conv{number}"
        weight = random.normal(size=(oc, ic, k)) / np.sqrt(ic * k)
        for part, array in (("w", weight), ("b", random.normal(size=oc) / 10)):
            constants.append(numpy_helper.from_array(array.astype(np.float32), f"{name}_{part}"))
        nodes.append(helper.make_node("Conv", [data, f"{name}_w", f"{name}_b"], [name], name=name, kernel_shape=[k],
                                      strides=[stride], dilations=[dilation], pads=[padding, padding]))
        data = name
        if number + 1 < len(LAYERS):
            data = f"{name}_relu"
            nodes.append(helper.make_node("Relu", [name], [data], name=data))
    nodes.append(helper.make_node("Flatten", [data], ["keywords"], name="flatten"))
    graph = helper.make_graph(nodes, "tcn", [helper.make_tensor_value_info("mfcc", TensorProto.FLOAT, [1, 40, 101])],
                              [helper.make_tensor_value_info("keywords", TensorProto.FLOAT, [1, 12])], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "tcn.onnx")
    for number in range(8):
        np.save(folder / f"samples/{number}.npy", random.normal(size=(1, 40, 101)).astype(np.float32))


def run(*command, **environment):
    result = subprocess.run(["uma", *command], capture_output=True, text=True, env=os.environ | environment, timeout=300)
    if result.returncode:
        print(command, result.returncode, result.stderr, result.stdout)
    return result.stdout


def blocks(channels, dimension):
    return -(-channels // dimension)


write_network()
# CHECK: 8 layers compute on integers, 0 convolutions and matrix products in f32
print(run("quantize", folder / "tcn.onnx", "--calibration", folder / "samples", "-o", folder / "tcn.mlir").strip().splitlines()[-2])
network = folder / "tcn.mlir"
MACS = sum(ic * oc * k * u for ic, oc, k, _, _, _, u in LAYERS)
for dimension in (4, 8, 16):
    device = f"ultratrail,dimension={dimension}"
    package = folder / f"tcn{dimension}"
    run("compile", network, "-a", device, "--requantize=fixed-point", "-o", package)
    # One region: the network's function of the device.
    source = "".join(file.read_text() for file in package.glob("*.c"))
    equal = re.search("max error 0 .*", run("run", package, "--cc", cc, "--compare"))
    statistics, trace = folder / "statistics", folder / "trace.json"
    statistics.unlink(missing_ok=True)
    run("run", package, "--cc", cc, "--trace", trace, ULTRATRAIL_STATISTICS=str(statistics))
    numbers = dict(pair.split("=") for pair in statistics.read_text().split())
    cycles = [32 + blocks(oc, dimension) * blocks(ic, dimension) * k * u for ic, oc, k, _, _, _, u in LAYERS]
    durations = [event["dur"] for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
    # The fourth layer has the shape and the window of the third.
    print(f"{dimension}: {source.count('= ultratrail_init(')} region, {bool(equal)}, {numbers['layers']} layers,",
          f"{int(numbers['registers'])} registers, cycles {int(numbers['cycles']) - int(numbers['registers']) - sum(cycles)},",
          f"MACs {int(numbers['macs']) - MACS}, timeline {durations == cycles}")
# CHECK-NEXT: 4: 1 region, True, 8 layers, 75 registers, cycles 0, MACs 0, timeline True
# CHECK-NEXT: 8: 1 region, True, 8 layers, 75 registers, cycles 0, MACs 0, timeline True
# CHECK-NEXT: 16: 1 region, True, 8 layers, 75 registers, cycles 0, MACs 0, timeline True

# In float, integers may differ by 1. The report says that the device is right.
float_run = subprocess.run(["uma", "run", network, "-a", "ultratrail", "--cc", cc, "--compare", "--seeds=8"], capture_output=True,
                           text=True, timeout=300)
# CHECK-NEXT: status 1: ultratrail is right: it multiplies in fixed point, {{.*}} With --requantize=fixed-point, and rounding=any in its patterns, all are the same
print(f"status {float_run.returncode}: {float_run.stdout.strip().splitlines()[-1]}")

# CHECK-NEXT: needs 5656 bytes of memory 'features' (x 4040, y 1616), which has 4096
print(re.search("needs .* which has 4096", run("explain", network, "-a", "ultratrail,feature_kib=4"))[0])
# CHECK-NEXT: CPU equal: True
print("CPU equal:", "max error 0 " in run("run", network, "--cc", cc, "--compare", "--requantize=fixed-point"))
# CHECK-NEXT: conv1d {{ *}}[[C:[0-9]+]] {{ *}}[[C]] {{ *}}0 {{.*}}
print(run("test", "ultratrail", "--cc", cc).splitlines()[1])
