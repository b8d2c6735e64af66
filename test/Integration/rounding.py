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
K, N = 10, 101
# Ten times a tenth of j + 1/2, the sum of which is not j + 1/2 in float for some j. The last row is far from a half.
weights = np.repeat(((np.arange(N) - 30 + 0.5) / K).astype(np.float32), K).reshape(N, K)
weights[N - 1] = np.float32(0.025)
sums = np.zeros(N, np.float32)
for i in range(K):
    sums += weights[:, i]
exact = weights.astype(np.float64).sum(axis=1)
assert (np.rint(sums) != np.rint(exact)).sum() > 5
np.save("ones.npy", np.ones((1, K), np.float32))
with open("net.mlir", "w") as file:
    file.write(f"""func.func @main(%x: tensor<1x{K}xf32> {{uma.name = "x"}}) -> (tensor<1x{N}xi8> {{uma.name = "y"}}) attributes {{uma.network = "net"}} {{
  %w = uma.graph.constant dense<{weights.tolist()}> : tensor<{N}x{K}xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x{K}xf32>, tensor<{N}x{K}xf32>) -> tensor<1x{N}xf32>
  %1 = uma.graph.round %0 : (tensor<1x{N}xf32>) -> tensor<1x{N}xf32>
  %2 = uma.graph.cast %1 : (tensor<1x{N}xf32>) -> tensor<1x{N}xi8>
  return %2 : tensor<1x{N}xi8>
}}
""")
with open("npu.uma", "w") as file:
    file.write(DESCRIPTION)
with open("npu.h", "w") as file:
    file.write(HEADER)


def run(rounded, *arguments):
    accelerator = []
    if rounded:
        accelerator = ["-a", "npu.uma"]
        with open("npu.c", "w") as file:
            file.write(MODEL % rounded)
    subprocess.run([sys.executable, sys.argv[2], "uma", "run", "net.mlir", "--compare", *accelerator, *arguments], check=True)


HALVES = ("--input", "x=ones.npy")

# CHECK: y: equal to the reference interpreter, max error 1 {{.*}}; explained by rounding: 100 of 101 rounded values are so close to the middle between two integers that both are right
# CHECK: status 0,
run(None, "--kernels=loops", *HALVES)
# CHECK: y: equal to the reference interpreter, max error 1 {{.*}}; explained by rounding: 100 of 101
# CHECK: status 0,
run("rintf(sum)", *HALVES)

# The row that is far from a half is wrong.
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}} at element 100: 1, expected 0; not explained by rounding: 100 of 101
# CHECK: status 1,
run("rintf(sum) + (j == n - 1)", *HALVES)
# A step too far where both sides are right.
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}} at element 50: {{.*}}; not explained by rounding: 100 of 101
# CHECK: status 1,
run("rintf(sum) + (j == 50 ? 2 : 0)", *HALVES)

# On random numbers there is nothing to explain, and rounding in another way is wrong.
# CHECK: y: equal to the reference interpreter, max error 0 (0 of the largest element){{$}}
# CHECK: status 0,
run("rintf(sum)")
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}}{{[0-9]$}}
# CHECK: status 1,
run("floorf(sum)")
# CHECK: y: DIFFERENT to the reference interpreter, {{.*}}{{[0-9]$}}
# CHECK: status 1,
run("truncf(sum)")
