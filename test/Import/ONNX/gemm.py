"""Gemm and MatMul."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/gemm.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/matmul.onnx | FileCheck %s --check-prefix=MATMUL

from model import write, zeros

# Weights that are [out, in] already, and a bias.
# CHECK: %[[W:.*]] = uma.graph.constant {{.*}} tensor<3x4xf32>
# CHECK: %[[B:.*]] = uma.graph.constant {{.*}} tensor<3xf32>
# CHECK: %[[D:.*]] = uma.graph.dense %{{.*}}, %[[W]] : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
# CHECK: uma.graph.bias_add %[[D]], %[[B]] :
# Everything else: A transposed, B [in, out], both factors, C a matrix.
# CHECK: %[[TA:.*]] = uma.graph.transpose %{{.*}} [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
# CHECK: %[[TB:.*]] = uma.graph.transpose %{{.*}} [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
# CHECK: %[[D2:.*]] = uma.graph.dense %[[TA]], %[[TB]]
# CHECK: %[[TWO:.*]] = uma.graph.constant dense<2.000000e+00> : tensor<f32>
# CHECK: %[[AB:.*]] = uma.graph.multiply %[[D2]], %[[TWO]]
# CHECK: %[[HALF:.*]] = uma.graph.constant dense<5.000000e-01> : tensor<f32>
# CHECK: %[[BC:.*]] = uma.graph.multiply %{{.*}}, %[[HALF]]
# CHECK: uma.graph.add %[[AB]], %[[BC]] : (tensor<2x3xf32>, tensor<2x1xf32>)
# A bias written as a row; no C at all.
# CHECK: %[[ROW:.*]] = uma.graph.reshape %{{.*}} [3] : (tensor<1x3xf32>) -> tensor<3xf32>
# CHECK: uma.graph.bias_add %{{.*}}, %[[ROW]]
# CHECK: %[[D4:.*]] = uma.graph.dense
# CHECK-NEXT: return {{.*}}, %[[D4]]
write(
    "gemm",
    """(float[2,4] x, float[4,2] xt, float[2,1] c) => (float[] a, float[] b, float[] d, float[] e) {
      a = Gemm<transB=1>(x, w, bias)
      b = Gemm<transA=1, alpha=2.0, beta=0.5>(xt, wt, c)
      d = Gemm<transB=1>(x, w, row)
      e = Gemm<transB=1, beta=0.0>(x, w, bias)
    }""",
    w=zeros(3, 4),
    wt=zeros(4, 3),
    bias=zeros(3),
    row=zeros(1, 3),
)

# MATMUL: %[[T:.*]] = uma.graph.transpose %{{.*}} [1, 0]
# MATMUL: uma.graph.dense %{{.*}}, %[[T]] : (tensor<5x2x4xf32>, tensor<3x4xf32>) -> tensor<5x2x3xf32>
# MATMUL: %[[V:.*]] = uma.graph.reshape %{{.*}} [1, 4]
# MATMUL: %[[D:.*]] = uma.graph.dense %{{.*}}, %[[V]] : {{.*}} -> tensor<5x2x1xf32>
# MATMUL: uma.graph.reshape %[[D]] [5, 2] :
# MATMUL: uma.graph.dense %{{.*}} out_dtype i32 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
write(
    "matmul",
    """(float[5,2,4] x, int32[2,2] i) => (float[] y, float[] z, int32[] k) {
      y = MatMul(x, w)
      z = MatMul(x, v)
      k = MatMul(i, i)
    }""",
    w=zeros(4, 3),
    v=zeros(4),
)
