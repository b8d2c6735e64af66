"""Products in fixed point with random and extreme numbers, on each instruction set that the machine has: the numbers are those of
TensorFlow Lite's MultiplyByQuantizedMultiplier, computed here in Python's integers."""
# REQUIRES: full, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %gcc | FileCheck %s
# CHECK: vector -O1: 6144 of 6144 equal, bounds 6144 of 6144
# CHECK: vector -O1 -DUMA_LANES=1: 6144 of 6144 equal, bounds 6144 of 6144
# CHECK: vector -O1 -DUMA_LANES=8 -Wno-psabi: 6144 of 6144 equal, bounds 6144 of 6144
# CHECK: loops -O1: 6144 of 6144 equal, bounds 6144 of 6144
# CHECK-NOT: {{ [0-9]{1,3} of|differ}}

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

folder, gcc = sys.argv[1:]
os.chdir(folder)
random = np.random.default_rng(3)
ROWS, COLUMNS = 128, 48
multiplier = random.integers(1 << 30, 1 << 31, COLUMNS)
multiplier[:4] = [0, 1 << 30, (1 << 31) - 1, (1 << 30) + 1]
shift = np.resize(np.arange(32), COLUMNS)
data = random.integers(-(1 << 31), 1 << 31, (ROWS, COLUMNS)) >> random.integers(0, 31, (ROWS, 1))
data[0], data[1], data[2], data[3] = (1 << 31) - 1, -(1 << 31), 0, -1
# Halves: with a multiplier of 2^30, the product is half of the data.
data[4:36, 1], data[4:36, 17] = np.arange(-16, 16), np.arange(-16, 16) << 17


def scale(x: int, factor: int, right: int) -> int:
    """A doubling high product that rounds halves up, then a shift that rounds halves away from zero."""
    high = (x * factor + (1 << 30)) >> 31
    rest, middle = high & ((1 << right) - 1), (((1 << right) - 1) >> 1) + (high < 0)
    return (high >> right) + (rest > middle)


expected = np.array([[scale(int(x), int(m), int(s)) for x, m, s in zip(row, multiplier, shift)] for row in data], np.int32)
bounded = np.clip(expected, -100, 27).astype(np.int8)
numbers = lambda values: "[" + ", ".join(map(str, values)) + "]"
shape, row = f"tensor<{ROWS}x{COLUMNS}xi32>", f"tensor<{COLUMNS}xi32>"
pathlib.Path("net.mlir").write_text(f"""
func.func @net(%x: {shape} {{uma.name = "x"}}) -> ({shape} {{uma.name = "y"}}, tensor<{ROWS}x{COLUMNS}xi8> {{uma.name = "z"}}) attributes {{uma.network = "net"}} {{
  %m = uma.graph.constant dense<{numbers(multiplier)}> : {row}
  %s = uma.graph.constant dense<{numbers(shift)}> : {row}
  %y = uma.graph.fixed_point_multiply %x, %m, %s : ({shape}, {row}, {row}) -> {shape}
  %c = uma.graph.clip %y min -100.0 max 27.0 : ({shape}) -> {shape}
  %z = uma.graph.cast %c to i8 : ({shape}) -> tensor<{ROWS}x{COLUMNS}xi8>
  return %y, %z : {shape}, tensor<{ROWS}x{COLUMNS}xi8>
}}
""")
np.save("x.npy", data.astype(np.int32))


def report(label: str, y: np.ndarray, z: np.ndarray) -> None:
    print(f"{label}: {np.sum(y == expected)} of {expected.size} equal, bounds {np.sum(z == bounded)} of {bounded.size}")


runs = [("vector", "-O1"), ("vector", "-O1 -DUMA_LANES=1"), ("vector", "-O1 -DUMA_LANES=8 -Wno-psabi"), ("loops", "-O1")]
flags = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
sets = {"sse4_1": "-msse4.1", "avx2": "-mavx2 -mfma", "avx512bw": "-mavx512f -mavx512bw"}
runs += [("vector", "-O1 " + option) for flag, option in sets.items() if f" {flag} " in flags]
for kernels, cflags in runs:
    shutil.rmtree("found", ignore_errors=True)
    command = ["uma", "run", "net.mlir", "--kernels=" + kernels, "--compare", "--cc", gcc, "--input", "x=x.npy", "--output-dir", "found"]
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CFLAGS": cflags})
    if run.returncode:
        print(f"{kernels} {cflags}: differ", run.stdout, run.stderr)
        continue
    report(f"{kernels} {cflags}", np.load("found/y.npy"), np.load("found/z.npy"))

# The C has no warnings, also as C++.
subprocess.run(["uma", "compile", "net.mlir", "-o", "package"], check=True, stdout=subprocess.DEVNULL)
for options in (["-std=c99"], ["-x", "c++"]):
    for instructions in "-msse2", "-msse4.1", "-mavx2", "-mavx512f":
        warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", instructions, "-O1", "-c", "package/net.c", "-o", "net.o"]
        if options[0] == "-std=c99" or shutil.which("g++"):
            subprocess.run([gcc, *options, *warnings], check=True)

# The instructions of AArch64, in the emulator.
cross, emulator = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
if cross and emulator:
    subprocess.run(["make", "-s", "-C", "package", "CC=" + cross, "CFLAGS=-O1 -static"], check=True)
    data.astype("<i4").tofile("x.bin")
    command = [emulator, "package/build/net", "--input", "x=x.bin", "--output", "y=y.bin", "--output", "z=z.bin"]
    subprocess.run(command, check=True)
    report("armv8-a", np.fromfile("y.bin", "<i4").reshape(data.shape), np.fromfile("z.bin", np.int8).reshape(data.shape))
