"""Shapes that are computed from shapes and constants are constants; what computed them is gone."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/chain.onnx | FileCheck %s --check-prefix=CHAIN
# RUN: uma-translate --import-onnx %t/part.onnx | FileCheck %s --check-prefix=PART
# RUN: uma-translate --import-onnx %t/scalar.onnx | FileCheck %s --check-prefix=SCALAR
# RUN: uma-translate --import-onnx %t/unused.onnx | FileCheck %s --check-prefix=UNUSED
# RUN: not uma-translate --import-onnx %t/input.onnx 2>&1 | FileCheck %s --check-prefix=INPUT
# RUN: not uma-translate --import-onnx %t/zero.onnx 2>&1 | FileCheck %s --check-prefix=ZERO
# RUN: not uma-translate --import-onnx %t/empty.onnx 2>&1 | FileCheck %s --check-prefix=EMPTY
# RUN: not uma-translate --import-onnx %t/output.onnx 2>&1 | FileCheck %s --check-prefix=OUTPUT

import numpy as np
from model import write

minus_one = np.array([-1])

# CHAIN: @main(%[[X:.*]]: tensor<2x3x4xf32>
# CHAIN-NEXT: %[[Y:.*]] = uma.graph.reshape %[[X]] [6, 4]
# CHAIN-NEXT: return %[[Y]]
write(
    "chain",
    """(float[2,3,4] x) => (float[] y) {
      s = Shape(x) n = Div(s, halves) m = Mul(n, factors) t = Reshape(m, three) u = Concat<axis=0>(minus, t)
      v = Concat<axis=0>(t, minus) y = Reshape(x, two) two = Identity(w) w = Add(zero, six) }""",
    halves=np.array([1, 3, 1]),
    factors=np.array([3, 1, 1]),
    three=np.array([3]),
    minus=minus_one,
    zero=np.array([0, 0]),
    six=np.array([6, 4]),
)
# PART: uma.graph.constant dense<3> : tensor<1xi64>
# PART: uma.graph.constant dense<[3, 4]> : tensor<2xi64>
# PART: uma.graph.constant dense<24> : tensor<i64>
write(
    "part",
    """(float[2,3,4] x) => (int64[] a, int64[] b, int64[] c) {
      a = Shape<start=-2, end=-1>(x) b = Shape<start=1, end=9>(x) c = Size(x) }""",
    opset=15,
)
# The shape of a scalar has no elements, which is fine on the way.
# SCALAR: uma.graph.reshape %{{.*}} [1] : (tensor<f32>) -> tensor<1xf32>
write(
    "scalar",
    "(float x) => (float[] y) { s = Shape(x) t = Concat<axis=0>(s, one) y = Reshape(x, t) }",
    one=np.array([1]),
)
# UNUSED: @main(%[[X:.*]]: tensor<2xf32>
# UNUSED-NEXT: return %[[X]]
write("unused", "(float[2] x) => (float[] y) { z = Relu(x) y, mask = Dropout(x) }")
# INPUT: error: node 'Reshape_1' (Reshape): input 'shape' is 't', which is computed from 's', an input of the model; only constants are supported (--const makes an input one)
write("input", "(float[4] x, int64[2] s) => (float[] y) { t = Mul(s, s) y = Reshape(x, t) }")
# ZERO: error: node 'Reshape_1' (Reshape): input 'shape' is 't', which cannot be computed at compile time: {{.*}}zero
write(
    "zero",
    "(float[4] x) => (float[] y) { t = Div(one, zero) y = Reshape(x, t) }",
    one=np.array([1]),
    zero=np.array([0]),
)
# EMPTY: error: tensor 'Shape_0' has no elements: dimension 0 of 0 is 0
write("empty", "(float x) => (int64[] y) { y = Shape(x) }")
# OUTPUT: error: node 'Relu_1' (Relu): input 'X' is 'mask', output 2 of node 'Sqrt_0' (Sqrt), which is not supported
write("output", "(float[2] x) => (float[] y, float[] z) { y, mask = Sqrt(x) z = Relu(mask) }")
