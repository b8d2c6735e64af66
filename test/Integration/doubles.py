"""Products and convolutions of f64 through the emitted C, on each width of vectors, against the interpreter."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc %clang %full

import os
import subprocess
import sys

from model import np, write

folder, gcc, clang = sys.argv[1:4]
random = np.random.default_rng(7)
weights = {name: random.standard_normal(shape) for name, shape in
           {"c": (20, 12, 3, 3), "d": (20,), "m": (40, 30), "g": (16, 12, 1, 1), "w": (24, 1, 3, 3), "p": (2, 24, 3, 3)}.items()}
write("doubles", """(double[1,24,9,9] x, double[3,33,40] a, double[3,40,37] b) =>
  (double[] conv, double[] grouped, double[] depthwise, double[] planar, double[] product, double[] dense, double[] scaled) {
  conv = Conv<pads=[1,1,1,1], group=2>(x, c, d) s = Conv<group=2>(x, g) grouped = Relu(s) depthwise = Conv<group=24>(x, w) planar = Conv(x, p)
  product = MatMul(a, b) dense = MatMul(a, m) t = MatMul(a, m) scaled = Mul(t, t)
}""", **weights)
RUNS = [(gcc, "-O1 -DUMA_LANES=16"), (gcc, "-O1 -DUMA_LANES=8"), (gcc, "-O2"), (gcc, "-O1 -DUMA_LANES=1"), (gcc, "-O2 -march=native"), (clang, "-O1"),
        (clang, "-O2 -march=native")]
for cc, flags in RUNS if "--full" in sys.argv else RUNS[1:4:2]:
    command = ["uma", "run", f"{folder}/doubles.onnx", "--cc", cc, "--compare", "--tolerance=1e-12"]
    strict = "-std=c99 -Wall -Wextra -Wpedantic -Werror -Wno-psabi"
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CFLAGS": f"{flags} {strict}"})
    if done.returncode != 0:
        sys.exit(f"{cc} {flags}: {done.stdout}{done.stderr}")
