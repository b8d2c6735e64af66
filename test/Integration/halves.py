"""Vectors of f16: conversions of all numbers of f16 and of numbers of f32 in all binades, and layers that are computed in f32, on each width of
vectors, with the instructions of the machine and without. NumPy converts as IEEE 754 says, and the C computes the same bits."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc %clang %full

import os
import subprocess
import sys

from model import np, write

folder, gcc, clang = sys.argv[1:4]
random = np.random.default_rng(5)
halves = np.arange(65536, dtype=np.uint16).view(np.float16)
# Each exponent and sign; mantissas near ties of f16 and others. Quiet NaN only: moves through registers of x87 would change others.
steps = np.unique(np.concatenate([np.arange(0, 1 << 23, 1057), np.arange(0, 1 << 13, 257), 0x1000 + np.arange(-2, 3), 0x3000 + np.arange(-2, 3), (1 << 23) - 1 - np.arange(8)]))
bits = (np.arange(512, dtype=np.uint32)[:, None] << 23 | steps.astype(np.uint32)).reshape(-1)
floats = bits.view(np.float32)
nan = np.isnan(floats)
floats.view(np.uint32)[nan] |= 1 << 22


def within(x: np.ndarray, y: np.ndarray) -> bool:
    return np.abs(x.astype(np.float64) - y).max() <= 1e-3 * np.abs(y).max()


shapes = {"x": (1, 12, 9, 9), "w": (20, 12, 3, 3), "b": (20,), "a": (5, 33), "m": (33, 24), "n": (33, 24)}
values = {name: random.standard_normal(shape).astype(np.float16) for name, shape in shapes.items()}
wide = {name: value.astype(np.float64) for name, value in values.items()}
write("network", f"""(float16[65536] h, float[{floats.size}] f, float16[1,12,9,9] x, float16[5,33] a, float16[33,24] n) =>
  (float[65536] H, float16[{floats.size}] F, float[{floats.size}] R, float16[1,20,9,9] conv, float16[5,24] matmul, float16[5,24] product, float16[5,33] softmax,
   float16[33,5] moved) {{
  H = Cast<to=1>(h) F = Cast<to=10>(f) G = Cast<to=10>(f) R = Cast<to=1>(G)
  c = Conv<pads=[1,1,1,1]>(x, w, b) conv = Relu(c) matmul = MatMul(a, m) product = MatMul(a, n) softmax = Softmax<axis=-1>(a)
  t = Add(a, a) moved = Transpose<perm=[1,0]>(t)
}}""", w=values["w"], b=values["b"], m=values["m"])
padded = np.pad(wide["x"][0], [(0, 0), (1, 1), (1, 1)])
windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2)).transpose(1, 2, 0, 3, 4).reshape(9, 9, -1)
exp = np.exp(wide["a"] - wide["a"].max(-1, keepdims=True))
expected = {
    "conv": np.maximum(windows @ wide["w"].reshape(20, -1).T + wide["b"], 0).transpose(2, 0, 1)[None],
    "matmul": wide["a"] @ wide["m"],
    "product": wide["a"] @ wide["n"],
    "softmax": exp / exp.sum(-1, keepdims=True),
    "moved": 2 * wide["a"].T,
}
inputs = {"h": halves, "f": floats, "x": values["x"], "a": values["a"], "n": values["n"]}
for name, value in inputs.items():
    np.save(f"{folder}/{name}.npy", value)
# Instructions that the machine lacks cannot be tested on it.
with open("/proc/cpuinfo") as file:
    has = set(file.read().split())
avx2, f16c = ("-mavx2 -mfma" if {"avx2", "fma"} <= has else ""), ("-mf16c" if "f16c" in has else "")
RUNS = [(gcc, "-O1 -DUMA_LANES=16"), (gcc, "-O1 -DUMA_LANES=8"), (gcc, "-O2"), (gcc, "-O1 -DUMA_LANES=1"), (gcc, f"-O2 {avx2}"), (gcc, f"-O2 {avx2} {f16c}"),
        (gcc, "-O2 -march=native"), (clang, "-O1"), (clang, "-O2 -march=native")]
for cc, flags in RUNS if "--full" in sys.argv else RUNS[1:4:2]:
    command = ["uma", "run", f"{folder}/network.onnx", "--cc", cc, "--output-dir", f"{folder}/out"]
    for name in inputs:
        command += ["--input", f"{name}={folder}/{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CFLAGS": flags + " -Wno-psabi"})
    if done.returncode:
        sys.exit(f"{flags}: {done.stderr}")
    results = {name: np.load(f"{folder}/out/{name}.npy") for name in ["H", "F", "R", *expected]}
    quiet = halves.astype(np.float32).view(np.uint32)
    quiet[np.isnan(halves)] |= 1 << 22
    widened = (results["H"].view(np.uint32) == quiet).sum()
    with np.errstate(over="ignore"):
        rounded = floats.astype(np.float16)
    narrowed = (results["F"].view(np.uint16) == rounded.view(np.uint16)).sum()
    back = (results["R"].view(np.uint32) == rounded.astype(np.float32).view(np.uint32)).sum()
    close = sum(within(results[name], value) for name, value in expected.items())
    found = f"{widened} widened, {narrowed} narrowed and {back} rounded equal; {close} of 5 layers within 1e-3"
    if found != "65536 widened, 4088832 narrowed and 4088832 rounded equal; 5 of 5 layers within 1e-3":
        sys.exit(f"{cc} {flags}: {found}")
