"""Matrix products that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/rank.onnx 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not uma-translate --import-onnx %t/inner.onnx 2>&1 | FileCheck %s --check-prefix=INNER
# RUN: not uma-translate --import-onnx %t/addend.onnx 2>&1 | FileCheck %s --check-prefix=ADDEND
# RUN: not uma-translate --import-onnx %t/flag.onnx 2>&1 | FileCheck %s --check-prefix=FLAG
# RUN: not uma-translate --import-onnx %t/fraction.onnx 2>&1 | FileCheck %s --check-prefix=FRACTION
# RUN: not uma-translate --import-onnx %t/operands.onnx 2>&1 | FileCheck %s --check-prefix=OPERANDS

from model import write

# RANK: rank.onnx: error: node 'Gemm_0' (Gemm): input 'A' has the shape 1x2x2; expected 2 dimensions
write("rank", "(float[1,2,2] x, float[2,2] w) => (float[] y) { y = Gemm(x, w) }")
# INNER: error: node 'Gemm_0' (Gemm): weight has shape 2x3 (units, in), expected 2x4
write("inner", "(float[1,4] x, float[3,2] w) => (float[] y) { y = Gemm(x, w) }")
# ADDEND: error: node 'Gemm_0' (Gemm): input 'C' has the shape 5x2, which does not broadcast to 1x2
write("addend", "(float[1,4] x, float[4,2] w, float[5,2] c) => (float[] y) { y = Gemm(x, w, c) }")
# FLAG: error: node 'Gemm_0' (Gemm): attribute 'transA' is 2; expected 0 or 1
write("flag", "(float[1,4] x, float[4,2] w) => (float[] y) { y = Gemm<transA=2>(x, w) }")
# FRACTION: error: node 'Gemm_0' (Gemm): attribute 'alpha' is a fraction, which is not supported for integers
write("fraction", "(int32[1,4] x, int32[4,2] w) => (int32[] y) { y = Gemm<alpha=0.5>(x, w) }")
# OPERANDS: error: node 'MatMul_0' (MatMul): has no input 'B'
write("operands", "(float[1,4] x) => (float[] y) { y = MatMul(x) }")
