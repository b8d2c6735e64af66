"""Operators that become constants."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/all.onnx | FileCheck %s --check-prefix=ALL
# RUN: uma-translate --import-onnx %t/unique.onnx | FileCheck %s --check-prefix=UNIQUE
# RUN: not uma-translate --import-onnx %t/delta.onnx 2>&1 | FileCheck %s --check-prefix=DELTA
# RUN: not uma-translate --import-onnx %t/negative.onnx 2>&1 | FileCheck %s --check-prefix=NEGATIVE
# RUN: not uma-translate --import-onnx %t/large.onnx 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: not uma-translate --import-onnx %t/value.onnx 2>&1 | FileCheck %s --check-prefix=VALUE
# RUN: not uma-translate --import-onnx %t/rank.onnx 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not uma-translate --import-onnx %t/data.onnx 2>&1 | FileCheck %s --check-prefix=DATA

import numpy as np
from model import write

# ALL: constant dense<7> : tensor<2x3xi32>
# ALL: constant dense<{{\[}}[0, 1, 0], [0, 0, 1]]> : tensor<2x3xi64>
# ALL: constant dense<[1, 4, 7]> : tensor<3xi64>
# ALL: constant dense<{{\[}}[0, 1], [2, 0]]> : tensor<2x2xi64>
write(
    "all",
    """(float[2,3] x) => (int32[] a, int64[] b, int64[] c, int64[] d) {
      s = Shape(x)
      a = ConstantOfShape<value=int32[1] {7}>(s)
      b = EyeLike<k=1, dtype=7>(x)
      c = Range(one, ten, three)
      d = NonZero(m) }""",
    one=np.array(1),
    ten=np.array(10),
    three=np.array(3),
    m=np.array([[0, 0, 5], [1, 0, 0]]),
)
# UNIQUE: constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
# UNIQUE: constant dense<[1, 0, 2]> : tensor<3xi64>
# UNIQUE: constant dense<[1, 0, 2, 0]> : tensor<4xi64>
# UNIQUE: constant dense<[2, 1, 1]> : tensor<3xi64>
write(
    "unique",
    "() => (float[] y, int64[] i, int64[] v, int64[] c) { y, i, v, c = Unique(m) }",
    m=np.array([2, 1, 3, 1], dtype="float32"),
)

# DELTA: error: node 'Range_0' (Range): has a delta of 0.000000, so that it never ends
write("delta", "() => (int64[] y) { y = Range(one, two, zero) }", one=np.array(1), two=np.array(2), zero=np.array(0))
# NEGATIVE: error: node 'ConstantOfShape_0' (ConstantOfShape): the result has the negative size -1
write("negative", "() => (float[] y) { y = ConstantOfShape(s) }", s=np.array([-1]))
# LARGE: error: node 'ConstantOfShape_0' (ConstantOfShape): a constant that it needs has the shape 100000x100000, more than the supported 2 GiB
write("large", "() => (float[] y) { y = ConstantOfShape(s) }", s=np.array([100000, 100000]))
# VALUE: error: node 'ConstantOfShape_0' (ConstantOfShape): attribute 'value' has the shape 2; expected one element
write("value", "() => (int32[] y) { y = ConstantOfShape<value=int32[2] {7, 8}>(s) }", s=np.array([1]))
# RANK: error: node 'EyeLike_0' (EyeLike): the data has the shape 2; expected 2 dimensions
write("rank", "(float[2] x) => (float[] y) { y = EyeLike(x) }")
# DATA: error: node 'NonZero_0' (NonZero): input 'X' is 'x', an input of the model; only constants are supported
write("data", "(float[2] x) => (int64[] y) { y = NonZero(x) }")
