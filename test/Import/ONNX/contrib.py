"""Operators of ONNX Runtime's domain and ONNX's QLinear operators on quantized tensors. utils/compare-qlinear.py compares their numbers."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/layers.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/functions.onnx | FileCheck %s --check-prefix=FUNCTIONS
# RUN: uma-translate --import-onnx %t/matrix.onnx | FileCheck %s --check-prefix=MATRIX
# RUN: uma-translate --import-onnx %t/wide.onnx | FileCheck %s --check-prefix=WIDE
# RUN: uma-translate --import-onnx %t/dynamic.onnx | FileCheck %s --check-prefix=DYNAMIC

from model import np, write, zeros

DOMAIN = ("com.microsoft",)
ONE = {"s": np.float32(0.5).reshape(()), "z": np.uint8(3).reshape(()), "t": np.float32(0.25).reshape(())}

# Two layers in a row: the casts between them cancel out.

# CHECK: %[[X:.*]] = uma.graph.storage_cast %arg0 : (tensor<1x4x3x3xui8>) -> tensor<1x4x3x3x!quant.uniform<u8:f32, 5.000000e-01:3>>
# CHECK: %[[W:.*]] = uma.graph.storage_cast %{{.*}} -> tensor<2x4x2x2x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>
# CHECK: %[[C:.*]] = uma.graph.conv2d %[[X]], %[[W]] : {{.*}} -> tensor<1x2x2x2x!quant.uniform<i32:f32:1, {5.000000e-01,1.000000e+00}>>
# CHECK: %[[B:.*]] = uma.graph.storage_cast %{{.*}} -> tensor<2x!quant.uniform<i32:f32:0, {5.000000e-01,1.000000e+00}>>
# CHECK: %[[A:.*]] = uma.graph.bias_add %[[C]], %[[B]]
# CHECK: %[[R:.*]] = uma.graph.requantize %[[A]] : {{.*}} -> tensor<1x2x2x2x!quant.uniform<u8:f32, 2.500000e-01:3>>
# CHECK: uma.graph.quantized_add %{{.*}}, %{{.*}} -> tensor<1x2x2x2x!quant.uniform<u8:f32, 5.000000e-01:3>>
# CHECK: uma.graph.dense %{{.*}} -> tensor<1x5x!quant.uniform<i32:f32, 2.500000e-01>>
# CHECK: uma.graph.requantize
# CHECK: uma.graph.dense %{{.*}} -> tensor<1x3x!quant.uniform<i32:f32:1, {5.000000e-01,1.000000e+00,1.500000e+00}>>
# CHECK: uma.graph.bias_add
# CHECK: uma.graph.dequantize
write(
    "layers",
    """(uint8[1,4,3,3] x, uint8[1,5] u) => (uint8[] y, uint8[] m, float[] g) {
      c = QLinearConv(x, s, z, w, ws, wz, t, z, b)
      y = com.microsoft.QLinearAdd(c, t, z, c, t, z, s, z)
      m = QLinearMatMul(u, s, z, v, s, vz, t, z)
      g = com.microsoft.QGemm<transB=1>(u, s, z, k, ks, kz, kb)
    }""",
    domains=DOMAIN,
    w=zeros(2, 4, 2, 2, dtype="int8"),
    ws=np.float32([1, 2]),
    wz=zeros(2, dtype="int8"),
    b=zeros(2, dtype="int32"),
    v=zeros(5, 5, dtype="int8"),
    vz=np.int8(0).reshape(()),
    k=zeros(3, 5, dtype="int8"),
    ks=np.float32([1, 2, 3]),
    kz=zeros(3, dtype="int8"),
    kb=zeros(3, dtype="int32"),
    **ONE,
)

# Functions of one operand are tables, one for each different scale in a concatenation.

# FUNCTIONS: uma.graph.take %{{.*}}, %{{.*}} axis 0 : (tensor<256xui8>, tensor<1x2x2xi32>) -> tensor<1x2x2xui8>
# FUNCTIONS: uma.graph.take
# FUNCTIONS: %[[T:.*]] = uma.graph.take
# FUNCTIONS: uma.graph.concatenate %arg0, %[[T]] axis 1
# FUNCTIONS: uma.graph.multiply {{.*}}xi32
# FUNCTIONS: uma.graph.round
# FUNCTIONS: uma.graph.sum %{{.*}} axis [1] keepdims
# FUNCTIONS: uma.graph.round
write(
    "functions",
    """(uint8[1,2,2] x) => (uint8[] a, uint8[] b, uint8[] c, uint8[] d, uint8[] e) {
      a = com.microsoft.QLinearSigmoid(x, s, z, t, z)
      b = com.microsoft.QLinearLeakyRelu<alpha=0.5>(x, s, z, t, z)
      c = com.microsoft.QLinearConcat<axis=1>(s, z, x, s, z, x, t, z)
      d = com.microsoft.QLinearMul(x, s, z, x, s, z, t, z)
      e = com.microsoft.QLinearGlobalAveragePool<channels_last=1>(x, s, z, t, z)
    }""",
    domains=DOMAIN,
    **ONE,
)

# MATRIX: %[[X:.*]] = uma.graph.storage_cast %{{.*}} : (tensor<2x4xui8>) -> tensor<2x4x!quant.uniform<u8:f32, 1.000000e+00>>
# MATRIX: uma.graph.dense %[[X]], %{{.*}} -> tensor<2x3x!quant.uniform<i32:f32, 1.000000e+00>>
# MATRIX: uma.graph.subtract %{{.*}} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
# MATRIX: uma.graph.dense %{{.*}} -> tensor<2x3x!quant.uniform<i32:f32, 1.000000e+00>>
# MATRIX: uma.graph.sum %{{.*}} axis [-1] keepdims true : (tensor<2x4xi32>) -> tensor<2x1xi32>
# MATRIX: uma.graph.where
# MATRIX: uma.graph.take %{{.*}} : (tensor<256xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
# MATRIX: uma.graph.avg_pool2d
write(
    "matrix",
    """(float[2,4] x, uint8[2,4] u, bool[4] c, uint8[1,1,3,3] i) => (float[] d, float[] m, uint8[] w, uint8[] s0, uint8[] p) {
      d = com.microsoft.DynamicQuantizeMatMul(x, b, s, bz, f)
      m = com.microsoft.MatMulIntegerToFloat(u, k, s, t, z, kz)
      w = com.microsoft.QLinearWhere(c, u, s, z, u, t, z, s, z)
      s0 = com.microsoft.QLinearSoftmax<axis=1, opset=13>(u, s, z, t, z)
      p = com.microsoft.QLinearAveragePool<kernel_shape=[2,2], ceil_mode=1>(i, s, z, t, z)
    }""",
    domains=DOMAIN,
    b=zeros(4, 3, dtype="int8"),
    bz=np.int8(0).reshape(()),
    f=zeros(3),
    k=zeros(4, 3, dtype="uint8"),
    kz=zeros(3, dtype="uint8"),
    **ONE,
)

# Integers of 16 bits.

# WIDE: uma.graph.quantize %arg0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i16:f32:1, {1.000000e+00,2.000000e+00}>>
# WIDE: uma.graph.dequantize
write(
    "wide",
    """(float[2,2] x) => (float[] y) {
      q = com.microsoft.QuantizeLinear<axis=1>(x, s, z)
      y = com.microsoft.DequantizeLinear<axis=1>(q, s, z)
    }""",
    domains=DOMAIN,
    s=np.float32([1, 2]),
    z=zeros(2, dtype="int16"),
)

# A scale that is computed when the model runs: ONNX's own operators are arithmetic between integers.

# DYNAMIC: uma.graph.conv2d {{.*}} out_dtype i32
# DYNAMIC: uma.graph.divide
write(
    "dynamic",
    "(uint8[1,1,3,3] x, float q) => (uint8[] y) { y = QLinearConv(x, q, z, w, s, wz, s, z) }",
    w=zeros(1, 1, 2, 2, dtype="int8"),
    wz=np.int8(0).reshape(()),
    **ONE,
)
