"""--math=bf16: layers multiply numbers of bf16 and add them in f32, on each width of vectors, with the instructions of the machine, by AMX's model and
in a described instruction. NumPy rounds data and weights to bf16 and adds in f64: the C is as close to it as sums in f32 are."""
# REQUIRES: full, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc | FileCheck %s
# CHECK: -O1 -DUMA_LANES=16: 6 of 6 layers within 1e-05
# CHECK-NEXT: -O1 -DUMA_LANES=8: 6 of 6 layers within 1e-05
# CHECK-NEXT: -O1 -DUMA_LANES=4: 6 of 6 layers within 1e-05
# CHECK-NEXT: -O1 -DUMA_LANES=1: 6 of 6 layers within 1e-05
# CHECK-NEXT: -O2 -march=native: 6 of 6 layers within 1e-05
# CHECK-NEXT: amx -O1 -DUMA_LANES=16 -DUMA_AMX_MODEL: 6 of 6 layers within 1e-05
# CHECK-NEXT: amx -O2 -march=native: 6 of 6 layers within 1e-05
# CHECK-NEXT: described -O1 -DUMA_LANES=1 -DHAS_DOT2: 6 of 6 layers within 1e-05
# CHECK-NEXT: described -O1 -DUMA_LANES=1 -DHAS_DOT2 -DWRONG: 0 of 6 layers within 1e-05
# The error of bf16 itself is in the report.
# CHECK-NEXT: compare: within the tolerance of bf16
# CHECK-NEXT: compare: DIFFERENT with that of f32

import subprocess
import sys

from model import np, write

folder, gcc = sys.argv[1:]
random = np.random.default_rng(4)


def to_bf16(x: np.ndarray) -> np.ndarray:
    bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


def windows(x: np.ndarray, kernel: int, stride: int, pad: int) -> np.ndarray:
    x = np.pad(x, [(0, 0), (pad, pad), (pad, pad)])
    view = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), (1, 2))[:, ::stride, ::stride]
    return view.transpose(1, 2, 0, 3, 4).reshape(view.shape[1], view.shape[2], -1)


nodes, inputs, constants, expected = [], {}, {}, {}
for index, (channels, out, size, kernel, stride, pad) in enumerate([(64, 32, 14, 3, 1, 1), (16, 48, 17, 1, 1, 0), (32, 64, 15, 3, 2, 1), (6, 20, 9, 3, 1, 0)]):
    n = f"l{index}"
    x, w, b = random.standard_normal((1, channels, size, size)), random.standard_normal((out, channels, kernel, kernel)), random.standard_normal(out)
    inputs[n + "x"] = x.astype(np.float32)
    constants.update({n + "w": w.astype(np.float32), n + "b": b.astype(np.float32)})
    sums = windows(to_bf16(x)[0], kernel, stride, pad) @ to_bf16(w).reshape(out, -1).T + b.astype(np.float32)
    expected[n + "y"] = np.maximum(sums.transpose(2, 0, 1)[None], 0)
    nodes.append(f"{n}s = Conv<pads=[{pad},{pad},{pad},{pad}], strides=[{stride},{stride}]>({n}x, {n}w, {n}b) {n}y = Relu({n}s)")
for index, (rows, depth, out) in enumerate([(40, 128, 64), (1, 64, 10)], 4):
    n = f"l{index}"
    x, w = random.standard_normal((rows, depth)), random.standard_normal((depth, out))
    inputs[n + "x"] = x.astype(np.float32)
    constants[n + "w"] = w.astype(np.float32)
    expected[n + "y"] = to_bf16(x) @ to_bf16(w)
    nodes.append(f"{n}y = MatMul({n}x, {n}w)")
signature = ", ".join(f"float[{','.join(map(str, x.shape))}] {name}" for name, x in inputs.items())
outputs = ", ".join(f"float[{','.join(map(str, y.shape))}] {name}" for name, y in expected.items())
write("layers", f"({signature}) => ({outputs}) {{ {' '.join(nodes)} }}", **constants)
for name, x in inputs.items():
    np.save(f"{folder}/{name}.npy", x)
# A core with a dot product of pairs of bf16. With WRONG, it forgets the second product.
with open(f"{folder}/dot2.uma", "w") as file:
    file.write("""accelerator dot2 {
  instruction dot2(sum: f32, x: bf16[2], w: bf16[2]) {
    sum = sum + x[0] * w[0] + x[1] * w[1]
    guard "defined(HAS_DOT2)"
    include "dot2.h"
    code { sum = dot2(sum, x, w); }
  }
}
""")
with open(f"{folder}/dot2.h", "w") as file:
    file.write("""#include <stdint.h>
#include <string.h>
static inline float dot2_half(int32_t word, int shift) {
  uint32_t bits = (uint32_t)word << (16 - shift) & 0xffff0000u;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
static inline float dot2(float sum, int32_t x, int32_t w) {
  sum += dot2_half(x, 0) * dot2_half(w, 0);
#ifndef WRONG
  sum += dot2_half(x, 16) * dot2_half(w, 16);
#endif
  return sum;
}
""")
tested = subprocess.run(["uma", "test", f"{folder}/dot2.uma", "--cc", gcc, "--cflags=-DHAS_DOT2"], capture_output=True, text=True)
assert tested.stdout == "instruction 'dot2': equal for 100000 words\n", tested
tested = subprocess.run(["uma", "test", f"{folder}/dot2.uma", "--cc", gcc, "--cflags=-DHAS_DOT2 -DWRONG"], capture_output=True, text=True)
assert tested.returncode == 1 and "it computes" in tested.stderr, tested


def run(name: str, flags: str, *options: str, math: str = "--math=bf16") -> subprocess.CompletedProcess:
    command = ["uma", "run", f"{folder}/layers.onnx", math, "--cc", gcc, "--output-dir", f"{folder}/out", *options]
    for key in inputs:
        command += ["--input", f"{key}={folder}/{key}.npy"]
    return subprocess.run(["env", f"CFLAGS={flags} -Wno-psabi", *command], capture_output=True, text=True)


def check(name: str, flags: str, *options: str) -> None:
    done = run(name, flags, *options)
    if done.returncode:
        sys.exit(done.stderr)
    errors = [np.abs(np.load(f"{folder}/out/{key}.npy") - y).max() / np.abs(y).max() for key, y in expected.items()]
    close = sum(error < 1e-5 for error in errors)
    print(f"{name} {flags}: {close} of {len(errors)} layers within 1e-05".strip())
    if close != len(errors) and "WRONG" not in flags:
        print(errors)


for lanes in (16, 8, 4, 1):
    check("", f"-O1 -DUMA_LANES={lanes}")
check("", "-O2 -march=native")
check("amx", "-O1 -DUMA_LANES=16 -DUMA_AMX_MODEL", "-a", "amx")
check("amx", "-O2 -march=native", "-a", "amx")
for flags in ("-O1 -DUMA_LANES=1 -DHAS_DOT2", "-O1 -DUMA_LANES=1 -DHAS_DOT2 -DWRONG"):
    check("described", flags, "-a", f"{folder}/dot2.uma")
compared = run("", "-O1", "--compare")
print("compare:", "within the tolerance of bf16" if compared.returncode == 0 else compared.stdout)
compared = run("", "-O1", "--compare", "--tolerance=1e-4")
print("compare:", "DIFFERENT with that of f32" if compared.returncode == 1 and "DIFFERENT" in compared.stdout else compared)
