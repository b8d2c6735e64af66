"""--const makes an input of TensorFlow Lite a constant: a shape, and quantized integers."""
# RUN: rm -rf %t && %python -B %s %t
# RUN: uma-translate --import-tflite %t/m.tflite --const s=%t/s.npy --const q=%t/q.bin | FileCheck %s
# RUN: uma run %t/m.tflite --const s=%t/s.npy --const q=%t/q.bin --compare | FileCheck %s --check-prefix=COMPARE

# RUN: not uma-translate --import-tflite %t/m.tflite 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not uma-translate --import-tflite %t/m.tflite --const t=%t/s.npy 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not uma-translate --import-tflite %t/m.tflite --const s=%t/s.npy --const s=%t/s.npy 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-tflite %t/m.tflite --const s=%t/q.bin 2>&1 | FileCheck %s --check-prefix=SIZE
# RUN: not uma-translate --import-tflite %t/m.tflite --const s 2>&1 | FileCheck %s --check-prefix=SYNTAX
# RUN: not uma run %t/m.tflite --const s 2>&1 | FileCheck %s --check-prefix=SYNTAX

# CHECK: func.func @main(%arg0: tensor<2x3xf32> {uma.name = "x"})
# CHECK: uma.graph.constant dense<{{.*}}> : tensor<3x1xi8>
# CHECK: uma.graph.reshape %arg0 [3, 2]
# COMPARE: y: equal to the reference interpreter
# NONE: m.tflite: error: operator 'r' (RESHAPE): input 'shape' is tensor 's', which depends on an input of the model; only constants are supported
# NAME: m.tflite: error: a constant is given for 't', which is no input of the model
# TWICE: m.tflite: error: two constants are given for the input 's'
# SIZE: m.tflite: error: input 's': {{.*}}q.bin: has 3 bytes, expected 8 (tensor<2xi32>)
# SYNTAX: the constant 's' is invalid; expected an input's name and a file, e.g. shape=shape.npy

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

model = Model()
x, s = model.input("x", (2, 3)), model.input("s", (2,), "int32")
q = model.input("q", (3, 1), "int8", scale=0.5, zero=1)
r, d, y = model.tensor("r", (3, 2)), model.tensor("d", (3, 1)), model.tensor("y", (3, 2))
model.add("RESHAPE", [x, s], [r], "Reshape")
model.add("DEQUANTIZE", [q], [d])
model.add("ADD", [r, d], [y], "Add")
model.write("m", [y])
np.save(f"{sys.argv[1]}/s.npy", np.int32([3, 2]))
np.int8([1, 2, 3]).tofile(f"{sys.argv[1]}/q.bin")
