"""Values half-way between two integers: the sums that C computes in float fall on either side, and `--compare` says that both
are right. Any other integer is still found, beside such values and without them."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %source/test/Driver/Inputs/status.py | FileCheck %s

import os
import subprocess
import sys

import numpy as np

os.chdir(sys.argv[1])

DESCRIPTION = """accelerator npu {
  include "npu.h"
  model "npu.c"
  pattern dense_round(x: f32[1, k], w: f32[n, k]) {
    t = dense(x, w)
    y = round(t)
    call npu_dense_round(x, w, y, k, n)
  }
}
"""
HEADER = """#include <stdint.h>
int32_t npu_dense_round(const float *x, const float *w, float *y, int32_t k, int32_t n);
"""
MODEL = """#include "npu.h"
#include <math.h>
int32_t npu_dense_round(const float *x, const float *w, float *y, int32_t k, int32_t n) {
  int32_t i, j;
  for (j = 0; j < n; ++j) {
    float sum = 0;
    for (i = 0; i < k; ++i)
      sum += x[i] * w[j * k + i];
    y[j] = (float)(%s);
  }
  return 0;
}
"""
K = 10


def write(name, sums):
    """A network of one product of ten ones with a tenth of each of `sums`, rounded."""
    n = len(sums)
    weights = np.repeat((np.array(sums) / K).astype(np.float32), K).reshape(n, K)
    with open(name, "w") as file:
        file.write(f"""func.func @main(%x: tensor<1x{K}xf32> {{uma.name = "x"}}) -> (tensor<1x{n}xi16> {{uma.name = "y"}}) attributes {{uma.network = "net"}} {{
  %w = uma.graph.constant dense<{weights.tolist()}> : tensor<{n}x{K}xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x{K}xf32>, tensor<{n}x{K}xf32>) -> tensor<1x{n}xf32>
  %1 = uma.graph.round %0 : (tensor<1x{n}xf32>) -> tensor<1x{n}xf32>
  %2 = uma.graph.cast %1 to i16 : (tensor<1x{n}xf32>) -> tensor<1x{n}xi16>
  return %2 : tensor<1x{n}xi16>
}}
""")


def differs(total):
    """Whether the sum falls on different sides if it is rounded after each term, as in C, and once, as in the interpreter."""
    term, result = np.float32(total / K), np.float32(0)
    for _ in range(K):
        result += term
    return np.rint(result) != np.rint(np.float32(float(term) * K))


halves = [i + 0.5 for i in range(300)]
# Three that fall on the other side, two that do not, and one far from a half.
write("few.mlir", [i for i in halves if differs(i)][-3:] + [i for i in halves if not differs(i)][-2:] + [0.25])
write("many.mlir", halves + [0.25])
np.save("ones.npy", np.ones((1, K), np.float32))
with open("npu.uma", "w") as file:
    file.write(DESCRIPTION)
with open("npu.h", "w") as file:
    file.write(HEADER)


def run(model, rounded, *arguments):
    accelerator = []
    if rounded:
        accelerator = ["-a", "npu.uma"]
        with open("npu.c", "w") as file:
            file.write(MODEL % rounded)
    subprocess.run([sys.executable, sys.argv[2], "uma", "run", model, "--compare", *accelerator, *arguments], check=True)


HALVES = ("--input", "x=ones.npy")

# CHECK: y: equal to the reference interpreter, max error 1 {{.*}}; 5 of 6 rounded values are so close to the middle between two integers that either is right, and with 3 of them on the other side, there is no difference
# CHECK: status 0,
run("few.mlir", None, "--kernels=loops", *HALVES)
# CHECK: y: equal to the reference interpreter, max error 1 {{.*}}; 5 of 6 rounded values {{.*}} with 3 of them on the other side
# CHECK: status 0,
run("few.mlir", "rintf(sum)", *HALVES)
# All of them up.
# CHECK: y: equal to the reference interpreter, max error 1 {{.*}}; 5 of 6 rounded values {{.*}} on the other side
# CHECK: status 0,
run("few.mlir", "floorf(sum + 0.501f)", *HALVES)
# The row that is far from a half is wrong.
# CHECK: y: DIFFERENT to the reference interpreter, max error 1 {{.*}}; 5 of 6 rounded values {{.*}}, but that does not explain it
# CHECK: status 1,
run("few.mlir", "rintf(sum) + (j == n - 1)", *HALVES)
# A step too far where two results are right.
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}} that does not explain it
# CHECK: status 1,
run("few.mlir", "rintf(sum) + (j == 1 ? 2 : 0)", *HALVES)

# Too many for a search.
# CHECK: y: equal to the reference interpreter, max error 1 {{.*}}; 300 of 301 rounded values {{.*}}, and the output is among what these make
# CHECK: status 0,
run("many.mlir", "rintf(sum)", *HALVES)
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}} at element 300: 1, expected 0; 300 of 301 rounded values {{.*}}, but that does not explain it
# CHECK: status 1,
run("many.mlir", "rintf(sum) + (j == n - 1)", *HALVES)
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}} at element 200: {{.*}}, but that does not explain it
# CHECK: status 1,
run("many.mlir", "rintf(sum) + (j == 200 ? 2 : 0)", *HALVES)

# On random numbers there is nothing to explain, and rounding in another way is wrong.
# CHECK: y: equal to the reference interpreter, max error 0 (0 of the largest element), 8 seeds{{$}}
# CHECK: status 0,
run("many.mlir", "rintf(sum)")
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}}{{[0-9]$}}
# CHECK: status 1,
run("many.mlir", "floorf(sum)")
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}}{{[0-9]$}}
# CHECK: status 1,
run("many.mlir", "truncf(sum)")
