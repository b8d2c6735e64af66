"""Activations: operators of uma.graph, or compositions."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/whole.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=OLD
# RUN: uma-translate --import-onnx %t/composed.onnx --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=COMPOSED

from model import write

# CHECK: uma.graph.leaky_relu %{{.*}} alpha 0.0099999997764825821
# CHECK: uma.graph.prelu
# CHECK: uma.graph.sigmoid
# CHECK: uma.graph.tanh
# CHECK: uma.graph.softplus
# CHECK: uma.graph.hard_swish
# CHECK: uma.graph.gelu %{{[0-9]+}} :
# CHECK: uma.graph.gelu %{{[0-9]+}} approximate :
write(
    "whole",
    """(float[2,3] x, float[3] s) => (float[] y) {
      a = LeakyRelu<alpha=0.01>(x)
      b = PRelu(a, s)
      c = Sigmoid(b)
      d = Tanh(c)
      e = Softplus(d)
      f = HardSwish(e)
      g = Gelu(f)
      y = Gelu<approximate="tanh">(g)
    }""",
    opset=20,
)

# COMPOSED-LABEL: func.func @main
# COMPOSED: uma.graph.less
# COMPOSED: uma.graph.exp
# COMPOSED: uma.graph.where {{.*}} loc("Elu_0")
# COMPOSED: uma.graph.multiply {{.*}} loc("Selu_1")
# COMPOSED: uma.graph.minimum
# COMPOSED: uma.graph.add {{.*}} loc("Celu_2")
# COMPOSED: uma.graph.clip {{.*}} min 0.000000e+00 max 1.000000e+00 {{.*}} loc("HardSigmoid_3")
# COMPOSED: uma.graph.softplus
# COMPOSED: uma.graph.tanh
# COMPOSED: uma.graph.multiply {{.*}} loc("Mish_4")
# COMPOSED: uma.graph.where {{.*}} loc("Shrink_5")
# COMPOSED: uma.graph.divide {{.*}} loc("Softsign_6")
# COMPOSED: uma.graph.sigmoid
# COMPOSED: uma.graph.multiply {{.*}} loc("Swish_7")
# COMPOSED: uma.graph.where {{.*}} loc("ThresholdedRelu_8")
write(
    "composed",
    """(float[2,3] x) => (float[] y) {
      a = Elu<alpha=2.0>(x)
      b = Selu(a)
      c = Celu(b)
      d = HardSigmoid(c)
      e = Mish(d)
      f = Shrink<lambd=1.5>(e)
      g = Softsign(f)
      h = Swish(g)
      y = ThresholdedRelu(h)
    }""",
    opset=24,
)

# OLD: %[[S:.*]] = uma.graph.reshape %{{.*}} [3, 1, 1]
# OLD: uma.graph.prelu %{{.*}}, %[[S]] : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>)
write("old", "(float[2,3,4,4] x, float[3] s) => (float[] y) { y = PRelu(x, s) }", opset=6)
