"""Names that are missing, given twice, or go round in a circle."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/missing.onnx 2>&1 | FileCheck %s --check-prefix=MISSING
# RUN: not uma-translate --import-onnx %t/twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/input.onnx 2>&1 | FileCheck %s --check-prefix=INPUT
# RUN: not uma-translate --import-onnx %t/cycle.onnx 2>&1 | FileCheck %s --check-prefix=CYCLE
# RUN: not uma-translate --import-onnx %t/self.onnx 2>&1 | FileCheck %s --check-prefix=SELF
# RUN: not uma-translate --import-onnx %t/output.onnx 2>&1 | FileCheck %s --check-prefix=OUTPUT
# RUN: not uma-translate --import-onnx %t/outputs.onnx 2>&1 | FileCheck %s --check-prefix=OUTPUTS
# RUN: not uma-translate --import-onnx %t/listed.onnx 2>&1 | FileCheck %s --check-prefix=LISTED
# RUN: not uma-translate --import-onnx %t/type.onnx 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: uma-translate --import-onnx %t/shape.onnx 2>&1 | FileCheck %s --check-prefix=SHAPE

from model import make, save, write

# MISSING: missing.onnx: error: node 'Add_0': nothing in the model gives 'weigths'; did you mean 'weights'?
write("missing", "(float[4] x, float[4] weights) => (float[] y) { y = Add(x, weigths) }")
# TWICE: error: the name 'y' is given twice, to an output of node 'Relu_0' and to an output of node 'Relu_1'
write("twice", "(float[4] x) => (float[] y) { y = Relu(x) y = Relu(x) }")
# INPUT: error: the name 'x' is given twice, to an input and to an input
write("input", "(float[4] x, float[4] x) => (float[] y) { y = Relu(x) }")
# CYCLE: error: node '{{Add_1|Add_2}}' needs its own result: the graph has a cycle
write("cycle", "(float[4] x) => (float[] c) { c = Relu(a) a = Add(x, b) b = Add(a, a) }")
# SELF: error: node 'Add_0' needs its own result: the graph has a cycle
write("self", "(float[4] x) => (float[] y) { y = Add(x, y) }")
# OUTPUT: error: output 'z': nothing in the model gives 'z'
write("output", "(float[4] x) => (float[] z) { y = Relu(x) }")
# OUTPUTS: error: has no outputs
write("outputs", "(float[4] x) => () { y = Relu(x) }")
# LISTED: error: output 'y' is listed twice
write("listed", "(float[4] x) => (float[] y, float[] y) { y = Relu(x) }")
# TYPE: error: output 'y' is declared as a tensor of i32, but its elements are f32
write("type", "(float[4] x) => (int32[] y) { y = Relu(x) }")
# SHAPE: shape.onnx: warning: output 'y' has the shape 4, which is not the one that the model declares
save("shape", make("(float[4] x) => (float[5] y) { y = Relu(x) }"))
