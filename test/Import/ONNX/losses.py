"""NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/mean.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/entropy.onnx | FileCheck %s --check-prefix=ENTROPY

from model import write, zeros

# Every class is compared with the target; what does not count has no weight.
# CHECK: %[[T:.*]] = uma.graph.reshape %arg1 [2, 1]
# CHECK: %[[Z:.*]] = uma.graph.constant dense<0.0{{.*}}> : tensor<f32>
# CHECK: %[[I:.*]] = uma.graph.constant dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi64>
# CHECK: %[[E:.*]] = uma.graph.equal %[[T]], %[[I]]
# CHECK: %[[N:.*]] = uma.graph.not_equal %[[T]], %{{.*}}
# CHECK: %[[M:.*]] = uma.graph.logical_and %[[E]], %[[N]]
# CHECK: %[[R:.*]] = uma.graph.reshape %{{.*}} [1, 3]
# CHECK: %[[W:.*]] = uma.graph.where %[[M]], %[[R]], %[[Z]]
# CHECK: %[[L:.*]] = uma.graph.where %[[M]], %arg0, %[[Z]]
# CHECK: %[[P:.*]] = uma.graph.multiply %[[L]], %[[W]]
# CHECK: %[[O:.*]] = uma.graph.negative %[[P]]
# CHECK: %[[S:.*]] = uma.graph.sum %[[O]] :
# CHECK: %[[D:.*]] = uma.graph.sum %[[W]] :
# CHECK: uma.graph.divide %[[S]], %[[D]]
write(
    "mean",
    "(float[2,3] x, int64[2] t) => (float[] y) { y = NegativeLogLikelihoodLoss<ignore_index=-1>(x, t, w) }",
    w=zeros(3),
)

# ENTROPY: %[[L:.*]] = uma.graph.log_softmax %arg0 axis 1
# ENTROPY: %[[S:.*]] = uma.graph.sum %{{.*}} axis [1] : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
# ENTROPY: return %[[S]], %[[L]]
write(
    "entropy",
    """(float[2,3,4] x, int32[2,4] t) => (float[] y, float[] p) {
      y, p = SoftmaxCrossEntropyLoss<reduction="none">(x, t)
    }""",
)
