"""Gather, scatter, OneHot and Compress."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/gather.onnx | FileCheck %s --check-prefix=GATHER
# RUN: uma-translate --import-onnx %t/one.onnx | FileCheck %s --check-prefix=ONE
# RUN: uma-translate --import-onnx %t/scatter.onnx | FileCheck %s --check-prefix=SCATTER
# RUN: uma-translate --import-onnx %t/hot.onnx | FileCheck %s --check-prefix=HOT
# RUN: uma-translate --import-onnx %t/compress.onnx | FileCheck %s --check-prefix=COMPRESS
# RUN: not uma-translate --import-onnx %t/range.onnx 2>&1 | FileCheck %s --check-prefix=RANGE
# RUN: not uma-translate --import-onnx %t/float.onnx 2>&1 | FileCheck %s --check-prefix=FLOAT
# RUN: not uma-translate --import-onnx %t/reduction.onnx 2>&1 | FileCheck %s --check-prefix=REDUCTION
# RUN: not uma-translate --import-onnx %t/values.onnx 2>&1 | FileCheck %s --check-prefix=VALUES
# RUN: not uma-translate --import-onnx %t/deep.onnx 2>&1 | FileCheck %s --check-prefix=DEEP
# RUN: not uma-translate --import-onnx %t/condition.onnx 2>&1 | FileCheck %s --check-prefix=CONDITION
# RUN: not uma-translate --import-onnx %t/data.onnx 2>&1 | FileCheck %s --check-prefix=DATA

import numpy as np
from model import write

# GATHER: take %{{.*}}, %{{.*}} axis 1 : (tensor<3x8xf32>, tensor<2x2xi64>) -> tensor<3x2x2xf32>
# GATHER: gather %{{.*}}, %{{.*}} axis 1 : (tensor<3x8xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
# GATHER: gather_nd %{{.*}}, %{{.*}} batch_dims 0 : (tensor<3x8xf32>, tensor<2x2xi64>) -> tensor<2xf32>
write(
    "gather",
    """(float[3,8] x, int64[2,2] i) => (float[] a, float[] b, float[] c) {
      a = Gather<axis=-1>(x, i) b = GatherElements<axis=1>(x, i) c = GatherND(x, i) }""",
)
# One constant index is a slice.
# ONE: strided_slice %{{.*}} [0, 7] size [3, 1] strides [1, 1] :
# ONE-NEXT: reshape %{{.*}} [3] :
write("one", "(float[3,8] x) => (float[] y) { y = Gather<axis=1>(x, i) }", i=np.array(-1))
# SCATTER: scatter_elements %{{.*}}, %{{.*}}, %{{.*}} axis 0 reduction "add" :
# SCATTER: scatter_nd %{{.*}}, %{{.*}}, %{{.*}} reduction "max" :
write(
    "scatter",
    """(float[3,8] x, int64[2,2] i, float[2,2] u, float[2] v) => (float[] z) {
      y = ScatterElements<reduction="add">(x, i, u) z = ScatterND<reduction="max">(y, i, v) }""",
    opset=18,
)
# HOT: cast %{{.*}} to i64 :
# HOT: one_hot %{{.*}}, %{{.*}}, %{{.*}} depth 5 axis 0 : (tensor<3xi64>, tensor<f32>, tensor<f32>) -> tensor<5x3xf32>
write("hot", "(float[3] x, float[2] v) => (float[] y) { y = OneHot<axis=0>(x, d, v) }", d=np.array([5.0]))
# COMPRESS: take %{{.*}}, %{{.*}} axis 0 : (tensor<6xf32>, tensor<3xi64>) -> tensor<3xf32>
write("compress", "(float[2,3] x) => (float[] y) { y = Compress(x, c) }", c=np.array([1, 0, 1, 1], dtype=bool))

# RANGE: error: node 'Gather_0' (Gather): has the index 3 into a dimension of size 3
write("range", "(float[3] x) => (float[] y) { y = Gather(x, i) }", i=np.array([0, 3]))
# FLOAT: error: node 'Gather_0' (Gather): indices has element type 'f32', expected a signed integer type such as i64
write("float", "(float[3] x, float[2] i) => (float[] y) { y = Gather(x, i) }")
# REDUCTION: error: node 'ScatterND_0' (ScatterND): reduction is "mean", expected "none", "add", "mul", "min" or "max"
write(
    "reduction",
    '(float[3] x, int64[2,1] i, float[2] u) => (float[] y) { y = ScatterND<reduction="mean">(x, i, u) }',
    opset=18,
)
# VALUES: error: node 'OneHot_0' (OneHot): input 'values' has the shape 3; expected 2, the values for off and on
write("values", "(int64[3] x, float[3] v) => (float[] y) { y = OneHot(x, d, v) }", d=np.array(5))
# DEEP: error: node 'OneHot_0' (OneHot): input 'depth' is 9007199254740993; supported are integers of up to 53 bits
write("deep", "(int64[3] x, float[2] v) => (float[] y) { y = OneHot(x, d, v) }", d=np.array(2**53 + 1))
# CONDITION: error: node 'Compress_0' (Compress): input 'condition' has the shape 4; expected at most 3 elements, the size of the data
write("condition", "(float[3] x) => (float[] y) { y = Compress<axis=0>(x, c) }", c=np.ones(4, dtype=bool))
# DATA: error: node 'Compress_0' (Compress): input 'condition' is 'c', an input of the model; only constants are supported
write("data", "(float[3] x, bool[3] c) => (float[] y) { y = Compress(x, c) }")
