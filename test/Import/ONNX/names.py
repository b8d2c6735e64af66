"""Names of the model, and nodes in any order."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/8-bit_net.v2.onnx --mlir-print-debuginfo | FileCheck %s

from model import make, save

# CHECK: @main(%arg0: tensor<4xf32> {uma.name = "in put"} loc("in put")) -> (tensor<4xf32> {uma.name = "z"}, tensor<4xf32> {uma.name = "in put"})
# CHECK-SAME: uma.network = "model_8_bit_net_v2"
# CHECK: %[[A:.*]] = uma.graph.relu %arg0 {{.*}} loc(#[[FIRST:.*]])
# CHECK: %[[B:.*]] = uma.graph.add %[[A]], %[[A]] {{.*}} loc(#[[SECOND:.*]])
# CHECK: %[[C:.*]] = uma.graph.multiply %[[B]], %[[A]] {{.*}} loc(#[[THIRD:.*]])
# CHECK: return %[[C]], %arg0
# CHECK-DAG: #[[FIRST]] = loc("first layer")
# CHECK-DAG: #[[SECOND]] = loc("Add_1")
# CHECK-DAG: #[[THIRD]] = loc("Mul_0")
model = make("(float[4] x) => (float[] z, float[] x) { z = Mul(b, a) b = Add(a, a) a = Relu(x) }")
for value in [model.graph.input[0], model.graph.output[1]]:
    value.name = "in put"
model.graph.node[2].input[0] = "in put"
model.graph.node[2].name = "first layer"
save("8-bit_net.v2", model)
