"""--const makes an input a constant, of any kind of file."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/m.onnx --const s=%t/s.npy | FileCheck %s
# RUN: uma-translate --import-onnx %t/m.onnx --const s=%t/s.pb | FileCheck %s
# RUN: uma-translate --import-onnx %t/m.onnx --const s=%t/s.bin --shape s=2 | FileCheck %s
# RUN: uma compile %t/m.onnx --const s=%t/s.npy -o %t/package
# RUN: uma run %t/m.onnx --const s=%t/s.npy --compare | FileCheck %s --check-prefix=COMPARE
# RUN: uma run %t/m.onnx --const s=%t/data/input_0.pb --test-data %t/data | FileCheck %s --check-prefix=DATA
# RUN: uma explain %t/m.onnx --const s=%t/s.npy -a vanilla | FileCheck %s --check-prefix=EXPLAIN

# RUN: not uma-translate --import-onnx %t/m.onnx --const s=%t/s.bin 2>&1 | FileCheck %s --check-prefix=OPEN
# RUN: not uma-translate --import-onnx %t/m.onnx --const s=%t/short.bin --shape s=2 2>&1 | FileCheck %s --check-prefix=SHORT
# RUN: not uma-translate --import-onnx %t/m.onnx --const s=%t/float.npy 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not uma-translate --import-onnx %t/m.onnx --const s=%t/matrix.npy 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not uma-translate --import-onnx %t/m.onnx --const s=%t/none.npy 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not uma-translate --import-onnx %t/m.onnx --const t=%t/s.npy 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not uma-translate --import-onnx %t/m.onnx --const s=%t/s.npy --const s=%t/s.npy 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/m.onnx --const s 2>&1 | FileCheck %s --check-prefix=SYNTAX
# RUN: not uma run %t/m.onnx --const =s.npy 2>&1 | FileCheck %s --check-prefix=SYNTAX

# CHECK: @main(%[[X:.*]]: tensor<6xf32> {uma.name = "x"}) -> (tensor<2x3xf32>
# CHECK-NEXT: uma.graph.reshape %[[X]] [2, 3]
# COMPARE: y: equal to the reference interpreter
# DATA: y: equal to the test data
# EXPLAIN: Reshape_0
# OPEN: error: input 's': the size of dimension 0 ('n') is not known; give the input's shape, e.g. --shape s=1
# SHORT: error: input 's': {{.*}}short.bin: has 3 bytes, expected 16 (tensor<2xi64>)
# TYPE: error: input 's': {{.*}}float.npy: holds tensor<2xf32>, expected tensor<2xi64>
# RANK: error: input 's' has 1 dimensions, but the given shape 1x2 has 2
# NONE: error: input 's': {{.*}}none.npy: {{.*}}No such file or directory
# NAME: error: a constant is given for 't', which is no input of the model
# TWICE: error: two constants are given for the input 's'
# SYNTAX: error: {{.*}}the constant '{{.*}}' is invalid; expected an input's name and a file, e.g. shape=shape.npy

import os
import sys

import numpy as np
from model import numpy_helper, write

write("m", "(int64[n] s, float[6] x) => (float[] y) { y = Reshape(x, s) }")
folder = sys.argv[1]
shape = np.array([2, 3])
x = np.arange(6, dtype="float32")
np.save(f"{folder}/s.npy", shape)
np.save(f"{folder}/float.npy", shape.astype("float32"))
np.save(f"{folder}/matrix.npy", shape.reshape(1, 2))
os.makedirs(f"{folder}/data", exist_ok=True)
for name, content in {
    "s.bin": shape.tobytes(),
    "short.bin": b"123",
    "s.pb": numpy_helper.from_array(shape).SerializeToString(),
    "data/input_0.pb": numpy_helper.from_array(shape).SerializeToString(),
    "data/input_1.pb": numpy_helper.from_array(x).SerializeToString(),
    "data/output_0.pb": numpy_helper.from_array(x.reshape(2, 3)).SerializeToString(),
}.items():
    with open(f"{folder}/{name}", "wb") as file:
        file.write(content)
