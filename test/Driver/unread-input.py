"""Recorded data that do not fit an input: a warning where the network does not read it, an error where it does."""
# RUN: rm -rf %t && env PYTHONPATH=%S/../Import/ONNX/Inputs %python -B %s %t
# RUN: uma run %t/cast.onnx --test-data %t/data 2>&1 | FileCheck %s
# RUN: cp %t/data/input_1.pb %t/data/input_0.pb
# RUN: not uma run %t/cast.onnx --test-data %t/data 2>&1 | FileCheck %s --check-prefix=READ

# CHECK: uma: warning: input 'like': {{.*}}input_1.pb: holds tensor<1xf32>, expected tensor<2xf16>; the network does not read it and gets zeros
# CHECK: y: equal to the test data
# READ: uma: error: input 'x': {{.*}}input_0.pb: holds tensor<1xf32>, expected tensor<2xf32>

import os
import sys

from model import np, write
from onnx import numpy_helper

write("cast", "(float[2] x, float16[2] like) => (float16[] y) { y = CastLike(x, like) }", opset=15)
data = sys.argv[1] + "/data"
os.makedirs(data)
for name, values in (
    ("input_0", np.array([1, 2], "float32")),
    ("input_1", np.array([3], "float32")),
    ("output_0", np.array([1, 2], "float16")),
):
    with open(f"{data}/{name}.pb", "wb") as file:
        file.write(numpy_helper.from_array(values).SerializeToString())
