"""Products of matrices and determinants that are wrong."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/batch.onnx 2>&1 | FileCheck %s --check-prefix=BATCH
# RUN: not uma-translate --import-onnx %t/scalar.onnx 2>&1 | FileCheck %s --check-prefix=SCALAR
# RUN: not uma-translate --import-onnx %t/equation.onnx 2>&1 | FileCheck %s --check-prefix=EQUATION
# RUN: not uma-translate --import-onnx %t/terms.onnx 2>&1 | FileCheck %s --check-prefix=TERMS
# RUN: not uma-translate --import-onnx %t/rank.onnx 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not uma-translate --import-onnx %t/letters.onnx 2>&1 | FileCheck %s --check-prefix=LETTERS
# RUN: not uma-translate --import-onnx %t/det.onnx 2>&1 | FileCheck %s --check-prefix=DET
# RUN: not uma-translate --import-onnx %t/floats.onnx 2>&1 | FileCheck %s --check-prefix=FLOATS

from model import write

# BATCH: error: node 'MatMul_0' (MatMul): lhs has shape 3 and rhs has shape 2, which do not broadcast
write("batch", "(float[3,1,4] x, float[2,4,2] w) => (float[] y) { y = MatMul(x, w) }")
# SCALAR: error: node 'MatMul_0' (MatMul): has a scalar operand; expected 1 or more dimensions
write("scalar", "(float x, float[4,2] w) => (float[] y) { y = MatMul(x, w) }")
# EQUATION: error: node 'Einsum_0' (Einsum): needs the attribute 'equation'
write("equation", "(float[2] x) => (float[] y) { y = Einsum(x) }")
# TERMS: error: node 'Einsum_0' (Einsum): attribute 'equation' is 'i,j': it names 2 operands, but there are 1
write("terms", '(float[2] x) => (float[] y) { y = Einsum<equation="i,j">(x) }')
# RANK: error: node 'Einsum_0' (Einsum): attribute 'equation' is 'ijk': operand 0 has the shape 2, which does not fit 'ijk'
write("rank", '(float[2] x) => (float[] y) { y = Einsum<equation="ijk">(x) }')
# LETTERS: error: node 'Einsum_0' (Einsum): equation is "i->ii", expected 'i' once in the result
write("letters", '(float[2] x) => (float[] y) { y = Einsum<equation="i->ii">(x) }')
# DET: error: node 'Det_0' (Det): data has shape 2x3, expected square matrices
write("det", "(float[2,3] x) => (float[] y) { y = Det(x) }")
# FLOATS: error: node 'MatMulInteger_0' (MatMulInteger): operand 0 holds floats
write("floats", "(float[2,3] x, float[3,2] w) => (int32[] y) { y = MatMulInteger(x, w) }")
