"""Reductions that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/range.onnx 2>&1 | FileCheck %s --check-prefix=RANGE
# RUN: not uma-translate --import-onnx %t/twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/runtime.onnx 2>&1 | FileCheck %s --check-prefix=RUNTIME
# RUN: not uma-translate --import-onnx %t/attribute.onnx 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
# RUN: not uma-translate --import-onnx %t/bool.onnx 2>&1 | FileCheck %s --check-prefix=BOOL
# RUN: not uma-translate --import-onnx %t/cumsum.onnx 2>&1 | FileCheck %s --check-prefix=CUMSUM
# RUN: not uma-translate --import-onnx %t/argmax.onnx 2>&1 | FileCheck %s --check-prefix=ARGMAX
# RUN: not uma-translate --import-onnx %t/topk.onnx 2>&1 | FileCheck %s --check-prefix=TOPK

from model import np, write

# RANGE: range.onnx: error: node 'ReduceMax_0' (ReduceMax): axis[0] is 2, expected -2 to 1 for data of rank 2
write("range", "(float[2,3] x) => (float[] y) { y = ReduceMax<axes=[2]>(x) }")
# TWICE: error: node 'ReduceL1_0' (ReduceL1): axis[1] is -1, expected every axis once
write("twice", "(float[2,3] x) => (float[] y) { y = ReduceL1<axes=[1,-1]>(x) }")
# RUNTIME: error: node 'ReduceSum_0' (ReduceSum): input 'axes' is 'a', an input of the model
write("runtime", "(float[2,3] x, int64[1] a) => (float[] y) { y = ReduceSum(x, a) }")
# ATTRIBUTE: error: node 'ReduceSum_0' (ReduceSum): has the attribute 'axes', which this operator does not have in opset 13
write("attribute", "(float[2,3] x) => (float[] y) { y = ReduceSum<axes=[1]>(x) }")
# BOOL: error: node 'ReduceSum_0' (ReduceSum): data has element type i1, expected numbers; cast it first
write("bool", "(bool[2,3] x) => (bool[] y) { y = ReduceSum(x) }")
# CUMSUM: error: node 'CumSum_0' (CumSum): input 'axis' has the shape 2; expected one element
write("cumsum", "(float[2,3] x) => (float[] y) { y = CumSum(x, a) }", a=np.array([0, 1], "int64"))
# ARGMAX: error: node 'ArgMax_0' (ArgMax): axis is 2, expected -2 to 1 for data of rank 2
write("argmax", "(float[2,3] x) => (int64[] y) { y = ArgMax<axis=2>(x) }")
# TOPK: error: node 'TopK_0' (TopK): k is 4, expected 0 to 3, the size of data along axis 1
write("topk", "(float[2,3] x) => (float[] y, int64[] z) { y, z = TopK(x, k) }", k=np.array([4], "int64"))
