#!/usr/bin/python3
"""Measures the graph stage: the time of `uma explain` from an ONNX file to the partitioned graph, and of ordering layers.

    bench/graph.py [--uma build/bin/uma] [--rounds 5] [--check[=growth]]

Reports the median processor seconds of --rounds runs of the whole command for models that this script writes:

    chain N     N operators (convolutions, batch normalisations, activations, additions, pools) with small
                weights. The time should be proportional to N.
    cost N      the same N operators for three accelerators, placed by cost (docs/placement.md).
    ResNet-50   the topology of the paper (He et al. 2015, table 1, version 1.5) with random weights, 102 MB, to
                measure the cost of weights. Reports the peak memory of the process next to the size of the file.
    branches N  N branches of two products each, side by side: `uma compile` looks for the order of the layers that
                needs the least memory.

--check fails if a limit is exceeded: 2 s for 10,000 operators, 3 s by cost, and per operator at most 1.5 times the time
with 1,000; 1.5 s and 2.5 times the file size for ResNet-50; 4 s for 100 branches. --check=growth compares within this run
only: the time per operator, at most 2 times, and the memory. Needs python3-onnx and an optimised build.
"""

import argparse
import functools
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import models

#: Processor seconds of the largest model of each kind.
LIMITS = {"chain": 2, "cost": 3, "ResNet-50": 1.5, "branches": 4}


def write_chain(path: pathlib.Path, operators: int) -> None:
    model, data = models.Model(1, 8, 8, 8), "x"
    while len(model.nodes) < operators:
        entry = data
        data = model.norm(model.conv(data, 8, 8, 3), 8)
        data = model.add("Relu", data)
        data = model.conv(data, 8, 8, 1)
        data = model.add("Add", data, entry)
        data = model.add("Sigmoid", data)
        data = model.add("MaxPool", data, kernel_shape=[3, 3], pads=[1] * 4)
    model.save(path)


def write_resnet50(path: pathlib.Path) -> None:
    models.MODELS["resnet-50"]().save(path)


def write_branches(path: pathlib.Path, count: int) -> None:
    """First the wide layer of each branch, then the narrow ones: the order that needs the most memory."""
    model = models.Model(1, 64)
    wide = [model.add("MatMul", "x", model.weight(64, 256, fan_in=64)) for _ in range(count)]
    model.add("Concat", *[model.add("MatMul", data, model.weight(256, 4, fan_in=256)) for data in wide], axis=1)
    model.save(path)


def write_accelerators(folder: pathlib.Path) -> list[str]:
    """Writes three devices with overlapping patterns and costs."""
    patterns = {
        "conv": ("x: f32[1, c, h, w], k: f32[o, c, s, t]", "y = conv2d(x, k, padding=same)",
                 "c * o * s * t * h * w / 16, bytes = 4 * c * o * s * t", "x, k, y"),
        "conv_relu": ("x: f32[1, c, h, w], k: f32[o, c, s, t], b: f32[o]",
                      "u = conv2d(x, k, padding=same)\n    v = bias_add(u, b)\n    y = relu(v)",
                      "c * o * s * t * h * w / 16, bytes = 4 * c * o * s * t", "x, k, b, y"),
        "add": ("a: f32[1, c, h, w], b: f32[1, c, h, w]", "y = add(a, b)", "c * h * w / 4", "a, b, y"),
        "add_sigmoid": ("a: f32[1, c, h, w], b: f32[1, c, h, w]", "u = add(a, b)\n    y = sigmoid(u)",
                        "c * h * w / 2", "a, b, y"),
        "sigmoid": ("x: f32[1, c, h, w]", "y = sigmoid(x)", "c * h * w", "x, y"),
    }
    devices = {"npu": ["conv_relu", "conv", "add"], "dsp": ["add_sigmoid", "add", "sigmoid"], "fpu": ["conv", "sigmoid"]}
    for number, (device, names) in enumerate(devices.items()):
        text = (f"accelerator {device} {{\n  transfer {{ cycles = {20 * number} + bytes / 16 }}\n"
                f"  region {{ overhead = {100 + 50 * number}; min_operators = {1 + number % 2} }}\n")
        for name in names:
            inputs, body, cost, arguments = patterns[name]
            text += (f"  pattern {name}({inputs}) {{\n    {body}\n    cost cycles = {number + 1} + {cost}\n"
                     f"    call {device}_{name}({arguments})\n  }}\n")
        (folder / f"{device}.uma").write_text(text + "}\n")
    return ["-a", ",".join(devices), "--accelerator-dir", str(folder), "--policy=cost"]


def measure(uma: str, model: pathlib.Path, rounds: int, command: list[str]) -> tuple[float, float]:
    """Runs a command on a model. Returns the median processor seconds and the largest peak memory in bytes."""
    times, peak = [], 0
    for _ in range(rounds):
        process = subprocess.Popen([uma, *command, str(model)], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        times.append(usage.ru_utime + usage.ru_stime)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"uma {command[0]} {model.name} ends with {process.returncode}")
        peak = max(peak, usage.ru_maxrss * 1024)
    return statistics.median(times), peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (default: %(default)s)")
    parser.add_argument("--check", nargs="?", const="all", choices=["all", "growth"], help="fail where a bar is missed")
    options = parser.parse_args()
    missed, first = [], {}

    def check(what: str, value: float, bar: float, unit: str) -> None:
        if value > bar:
            missed.append(f"{what}: {value:.2f} {unit}, expected {bar:g} {unit} or less")

    with tempfile.TemporaryDirectory() as folder:
        print(f"{'model':12} {'file':>9} {'seconds':>8} {'us/operator':>12} {'memory':>9} {'memory/file':>12}")
        vanilla, by_cost = ["explain", "-a", "vanilla"], ["explain", *write_accelerators(pathlib.Path(folder))]
        for name, write, count, command in [
            ("chain 1000", functools.partial(write_chain, operators=1000), 1000, vanilla),
            ("chain 10000", functools.partial(write_chain, operators=10000), 10000, vanilla),
            ("cost 1000", functools.partial(write_chain, operators=1000), 1000, by_cost),
            ("cost 10000", functools.partial(write_chain, operators=10000), 10000, by_cost),
            ("ResNet-50", write_resnet50, 0, vanilla),
            ("branches 100", functools.partial(write_branches, count=100), 0, ["compile", "-o", folder + "/package"]),
        ]:
            path = pathlib.Path(folder, name.replace(" ", "") + ".onnx")
            # In a separate process, because the peak memory of a child includes that of its parent.
            writer = multiprocessing.Process(target=write, args=(path,))
            writer.start()
            writer.join()
            size = path.stat().st_size
            seconds, memory = measure(options.uma, path, options.rounds, command)
            each = f"{seconds / count * 1e6:12.1f}" if count else " " * 12
            print(
                f"{name:12} {size / 1e6:6.1f} MB {seconds:8.3f} {each} {memory / 1e6:6.1f} MB {memory / size:12.2f}",
                flush=True,
            )
            kind = name.split()[0]
            if count == 1000:
                first[kind] = seconds
            if count == 10000:
                check(name, seconds / first[kind], 20 if options.check == "growth" else 15, f"times {kind} 1000")
            if name == "ResNet-50":
                check(name, memory / size, 2.5, "times the file")
            if options.check == "all" and count != 1000:
                check(name, seconds, LIMITS[kind], "s")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
