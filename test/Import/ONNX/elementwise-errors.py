"""Arithmetic and limits that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/shapes.onnx 2>&1 | FileCheck %s --check-prefix=SHAPES
# RUN: not uma-translate --import-onnx %t/types.onnx 2>&1 | FileCheck %s --check-prefix=TYPES
# RUN: not uma-translate --import-onnx %t/limit.onnx 2>&1 | FileCheck %s --check-prefix=LIMIT
# RUN: not uma-translate --import-onnx %t/vector.onnx 2>&1 | FileCheck %s --check-prefix=VECTOR
# RUN: not uma-translate --import-onnx %t/crossed.onnx 2>&1 | FileCheck %s --check-prefix=CROSSED
# RUN: not uma-translate --import-onnx %t/broadcast.onnx 2>&1 | FileCheck %s --check-prefix=BROADCAST

from model import np, write

# SHAPES: shapes.onnx: error: node 'Add_0' (Add): lhs has shape 2x3 and rhs has shape 4, which do not broadcast
write("shapes", "(float[2,3] x, float[4] z) => (float[] y) { y = Add(x, z) }")
# TYPES: error: node 'Mul_0' (Mul): {{.*}}i32
write("types", "(float[2,3] x, int32[3] z) => (float[] y) { y = Mul(x, z) }")
# LIMIT: error: node 'Clip_0' (Clip): input 'min' is 'low', an input of the model; only constants are supported
write("limit", "(float[4] x, float low) => (float[] y) { y = Clip(x, low) }")
# VECTOR: error: node 'Clip_0' (Clip): input 'max' has the shape 2; expected one element
write("vector", "(float[4] x) => (float[] y) { y = Clip(x, , m) }", m=np.zeros(2, np.float32))
# CROSSED: error: node 'Clip_0' (Clip): has a minimum above the maximum, which is not supported
write("crossed", "(float[4] x) => (float[] y) { y = Clip<min=1.0, max=0.0>(x) }", opset=7)
# BROADCAST: error: node 'Sub_0' (Sub): the operands have the shapes 2x3 and 3, but the attribute 'broadcast' is 0
write("broadcast", "(float[2,3] x, float[3] z) => (float[] y) { y = Sub(x, z) }", opset=6)
