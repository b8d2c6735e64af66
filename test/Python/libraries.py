"""Networks that call oneDNN and OpenBLAS, loaded and unloaded again and again in one process."""
# REQUIRES: python, onednn, openblas
# RUN: %python %S/../Integration/Inputs/library-networks.py residual %t.mlir
# RUN: env PYTHONPATH=%build/python %python -W ignore -B %s %t.mlir | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import sys

import numpy as np
import uma

x = np.random.default_rng(3).uniform(-1, 1, (1, 3, 16, 16)).astype(np.float32)
expected = uma.compile(sys.argv[1]).run({"x": x})["y"]
for accelerator in ["onednn", "openblas"] * 3:
    net = uma.compile(sys.argv[1], accelerators=[accelerator])
    for _ in range(3):
        np.testing.assert_allclose(net.run({"x": x})["y"], expected, rtol=1e-5)
    print(accelerator, "computes the same")
    del net
# CHECK: onednn computes the same
# CHECK-NEXT: openblas computes the same
# CHECK-NEXT: onednn computes the same
# CHECK-NEXT: openblas computes the same
# CHECK-NEXT: onednn computes the same
# CHECK-NEXT: openblas computes the same
