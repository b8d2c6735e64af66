"""An accelerator in a shared library, loaded into Python: it takes the project's symbols from the module, once for all calls."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %source/test/Accel/Language/load-plugin.mlir %build/lib/Sparse24.so %t.so | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import sys

import numpy as np
import uma

model, plugin, missing = sys.argv[1:]
rows = uma.explain(model, accelerators=[plugin])
# The predicate of the library looks at the values of weights.
# CHECK: sparse sparse24
# CHECK-NEXT: full cpu
for row in rows:
    if row["operator"] == "dense":
        print(row["name"], row["target"])

x = np.arange(8, dtype=np.float32).reshape(2, 4)
(expected,) = uma.compile(model).run({"input0": x}).values()
for _ in range(2):
    (computed,) = uma.compile(model, accelerators=[plugin]).run({"input0": x}).values()
    np.testing.assert_allclose(computed, expected, rtol=1e-6)
# CHECK-NEXT: computes the same
print("computes the same")

# CHECK-NEXT: {{.*}}plugin.py.tmp.so{{.*}}
try:
    uma.compile(model, accelerators=[missing])
except uma.Error as error:
    print(str(error).splitlines()[0])
