"""Losses whose operands do not fit."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/target.onnx 2>&1 | FileCheck %s --check-prefix=TARGET
# RUN: not uma-translate --import-onnx %t/weight.onnx 2>&1 | FileCheck %s --check-prefix=WEIGHT
# RUN: not uma-translate --import-onnx %t/reduction.onnx 2>&1 | FileCheck %s --check-prefix=REDUCTION

from model import write, zeros

# TARGET: error: node 'NegativeLogLikelihoodLoss_0' (NegativeLogLikelihoodLoss): the data have the shape 2x3 and the classes 3; expected the data to have one more dimension, the second one
write("target", "(float[2,3] x, int64[3] t) => (float[] y) { y = NegativeLogLikelihoodLoss(x, t) }")
# WEIGHT: error: node 'SoftmaxCrossEntropyLoss_0' (SoftmaxCrossEntropyLoss): input 'weight' has the shape 2; expected 3, one for each class
write("weight", "(float[2,3] x, int64[2] t) => (float[] y) { y = SoftmaxCrossEntropyLoss(x, t, w) }", w=zeros(2))
# REDUCTION: attribute 'reduction' is 'average'; expected 'none', 'sum' or 'mean'
write(
    "reduction",
    """(float[2,3] x, int64[2] t) => (float[] y) {
      y = NegativeLogLikelihoodLoss<reduction="average">(x, t)
    }""",
)
