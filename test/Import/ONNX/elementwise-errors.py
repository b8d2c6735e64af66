"""Arithmetic and limits that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/shapes.onnx 2>&1 | FileCheck %s --check-prefix=SHAPES
# RUN: not uma-translate --import-onnx %t/types.onnx 2>&1 | FileCheck %s --check-prefix=TYPES
# RUN: not uma-translate --import-onnx %t/limit.onnx 2>&1 | FileCheck %s --check-prefix=LIMIT
# RUN: not uma-translate --import-onnx %t/vector.onnx 2>&1 | FileCheck %s --check-prefix=VECTOR
# RUN: not uma-translate --import-onnx %t/broadcast.onnx 2>&1 | FileCheck %s --check-prefix=BROADCAST
# RUN: not uma-translate --import-onnx %t/mod.onnx 2>&1 | FileCheck %s --check-prefix=MOD
# RUN: not uma-translate --import-onnx %t/shift.onnx 2>&1 | FileCheck %s --check-prefix=SHIFT
# RUN: not uma-translate --import-onnx %t/bitwise.onnx 2>&1 | FileCheck %s --check-prefix=BITWISE
# RUN: not uma-translate --import-onnx %t/notbool.onnx 2>&1 | FileCheck %s --check-prefix=NOTBOOL
# RUN: not uma-translate --import-onnx %t/where.onnx 2>&1 | FileCheck %s --check-prefix=WHERE
# RUN: not uma-translate --import-onnx %t/celu.onnx 2>&1 | FileCheck %s --check-prefix=CELU
# RUN: not uma-translate --import-onnx %t/gelu.onnx 2>&1 | FileCheck %s --check-prefix=GELU
# RUN: not uma-translate --import-onnx %t/cast.onnx 2>&1 | FileCheck %s --check-prefix=CAST

from model import np, write

# SHAPES: shapes.onnx: error: node 'Add_0' (Add): lhs has shape 2x3 and rhs has shape 4, which do not broadcast
write("shapes", "(float[2,3] x, float[4] z) => (float[] y) { y = Add(x, z) }")
# TYPES: error: node 'Mul_0' (Mul): {{.*}}i32
write("types", "(float[2,3] x, int32[3] z) => (float[] y) { y = Mul(x, z) }")
# LIMIT: error: node 'Clip_0' (Clip): has a limit that is no number
write("limit", "(float[4] x) => (float[] y) { y = Clip(x, nan) }", nan=np.float32("nan").reshape(()))
# VECTOR: error: node 'Clip_0' (Clip): input 'max' has the shape 2; expected one element
write("vector", "(float[4] x) => (float[] y) { y = Clip(x, , m) }", m=np.zeros(2, np.float32))
# BROADCAST: error: node 'Sub_0' (Sub): the operands have the shapes 2x3 and 3, but the attribute 'broadcast' is 0
write("broadcast", "(float[2,3] x, float[3] z) => (float[] y) { y = Sub(x, z) }", opset=6)
# MOD: error: node 'Mod_0' (Mod): divides floats; expected attribute 'fmod' to be 1
write("mod", "(float[4] x) => (float[] y) { y = Mod(x, x) }")
# SHIFT: error: node 'BitShift_0' (BitShift): attribute 'direction' is 'UP'; expected 'LEFT' or 'RIGHT'
write("shift", '(uint8[4] x) => (uint8[] y) { y = BitShift<direction="UP">(x, x) }')
# BITWISE: error: node 'BitwiseAnd_0' (BitwiseAnd): lhs has element type 'f32', expected an integer type other than i1
write("bitwise", "(float[4] x) => (float[] y) { y = BitwiseAnd(x, x) }", opset=18)
# NOTBOOL: error: node 'Not_0' (Not): data has element type 'f32', expected i1; compare with 0 first
write("notbool", "(float[4] x) => (float[] y) { y = Not(x) }")
# WHERE: error: node 'Where_0' (Where): y has element type 'i32', expected 'f32' as x
write("where", "(bool[4] c, float[4] x, int32[4] z) => (float[] y) { y = Where(c, x, z) }")
# CELU: error: node 'Celu_0' (Celu): attribute 'alpha' is 0, which the function divides by
write("celu", "(float[4] x) => (float[] y) { y = Celu<alpha=0.0>(x) }")
# GELU: error: node 'Gelu_0' (Gelu): attribute 'approximate' is 'sigmoid'; expected 'none' or 'tanh'
write("gelu", '(float[4] x) => (float[] y) { y = Gelu<approximate="sigmoid">(x) }', opset=20)
# CAST: error: node 'Cast_0' (Cast): {{.*}}string
write("cast", "(float[4] x) => (string[] y) { y = Cast<to=8>(x) }")
