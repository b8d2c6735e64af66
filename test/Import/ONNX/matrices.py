"""MatMul of batches, Einsum, Det and quantized products."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/matmul.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/einsum.onnx | FileCheck %s --check-prefix=EINSUM
# RUN: uma-translate --import-onnx %t/integer.onnx | FileCheck %s --check-prefix=INTEGER
# RUN: uma-translate --import-onnx %t/quantized.onnx | FileCheck %s --check-prefix=QUANTIZED

from model import np, write

# CHECK: uma.graph.batch_matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
# CHECK: %[[R:.*]] = uma.graph.reshape %arg2 [1, 4]
# CHECK: %[[P:.*]] = uma.graph.batch_matmul %[[R]], %arg1 : {{.*}} -> tensor<2x1x5xf32>
# CHECK: uma.graph.reshape %[[P]] [2, 5]
# CHECK: uma.graph.det %arg3 :
write(
    "matmul",
    """(float[2,3,4] x, float[2,4,5] y, float[4] v, float[2,2] s) => (float[] a, float[] b, float[] d) {
      a = MatMul(x, y)
      b = MatMul(v, y)
      d = Det(s)
    }""",
)

# Names for an ellipsis come from the end of the alphabet; a missing result has what is named once.
# EINSUM: uma.graph.einsum "zij,zjk->zik" %arg0, %arg1 :
# EINSUM: uma.graph.einsum "yzi->yz" %arg0 :
# EINSUM: uma.graph.einsum "bij,bjk->ik" %arg0, %arg1 :
# EINSUM: uma.graph.einsum "yzk,zki->yzi" %arg0, %arg2 :
write(
    "einsum",
    """(float[2,3,4] x, float[2,4,5] y, float[3,4,5] w) => (float[] a, float[] b, float[] c, float[] d) {
      a = Einsum<equation="...ij, ...jk -> ...ik">(x, y)
      b = Einsum<equation="...i->...">(x)
      c = Einsum<equation="bij,bjk">(x, y)
      d = Einsum<equation="...k,...ki->...i">(x, w)
    }""",
)

# A zero point of 0 leaves the bytes as they are.
# INTEGER: uma.graph.dense %arg0, %{{.*}} out_dtype i32 : (tensor<2x2xui8>, tensor<3x2xi8>) -> tensor<2x3xi32>
# INTEGER: %[[C:.*]] = uma.graph.cast %arg0 to i32
# INTEGER: %[[R:.*]] = uma.graph.reshape %{{.*}} [2, 1]
# INTEGER: %[[Z:.*]] = uma.graph.cast %[[R]] to i32
# INTEGER: uma.graph.subtract %[[C]], %[[Z]]
write(
    "integer",
    """(uint8[2,2] x, int8[2,3] y) => (int32[] a, int32[] b) {
      a = MatMulInteger(x, y, zero)
      b = MatMulInteger(x, y, rows)
    }""",
    zero=np.array(0, "uint8"),
    rows=np.array([1, 2], "uint8"),
)

# QUANTIZED: %[[D:.*]] = uma.graph.dense
# QUANTIZED: %[[AB:.*]] = uma.graph.multiply %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
# QUANTIZED: %[[F:.*]] = uma.graph.divide %[[AB]],
# QUANTIZED: %[[W:.*]] = uma.graph.cast %[[D]] to f32
# QUANTIZED: %[[P:.*]] = uma.graph.multiply %[[W]], %[[F]]
# QUANTIZED: %[[R:.*]] = uma.graph.round %[[P]]
# QUANTIZED: %[[S:.*]] = uma.graph.add %[[R]],
# QUANTIZED: uma.graph.cast %[[S]] to ui8
write(
    "quantized",
    "(uint8[2,2] x, uint8[2,3] y) => (uint8[] z) { z = QLinearMatMul(x, s, zero, y, s, zero, s, three) }",
    s=np.array(0.5, "float32"),
    zero=np.array(0, "uint8"),
    three=np.array(3, "uint8"),
)
