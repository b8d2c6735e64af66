"""Shapes and axes that do not fit, or are not known."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/count.onnx 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: not uma-translate --import-onnx %t/rest.onnx 2>&1 | FileCheck %s --check-prefix=REST
# RUN: not uma-translate --import-onnx %t/two.onnx 2>&1 | FileCheck %s --check-prefix=TWO
# RUN: not uma-translate --import-onnx %t/keep.onnx 2>&1 | FileCheck %s --check-prefix=KEEP
# RUN: not uma-translate --import-onnx %t/overflow.onnx 2>&1 | FileCheck %s --check-prefix=OVERFLOW
# RUN: not uma-translate --import-onnx %t/float.onnx 2>&1 | FileCheck %s --check-prefix=FLOAT
# RUN: not uma-translate --import-onnx %t/input.onnx 2>&1 | FileCheck %s --check-prefix=INPUT
# RUN: not uma-translate --import-onnx %t/computed.onnx 2>&1 | FileCheck %s --check-prefix=COMPUTED
# RUN: not uma-translate --import-onnx %t/flatten.onnx 2>&1 | FileCheck %s --check-prefix=FLATTEN
# RUN: not uma-translate --import-onnx %t/squeeze.onnx 2>&1 | FileCheck %s --check-prefix=SQUEEZE
# RUN: not uma-translate --import-onnx %t/axis.onnx 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not uma-translate --import-onnx %t/twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE

from model import np, write


def reshape(name: str, shape: list, dtype: str = "int64") -> None:
    write(name, "(float[2,3] x) => (float[] y) { y = Reshape(x, s) }", s=np.array(shape, dtype))


# COUNT: count.onnx: error: node 'Reshape_0' (Reshape): the data have the shape 2x3, 6 elements, which does not fit the new shape 4x2
reshape("count", [4, 2])
# REST: error: node 'Reshape_0' (Reshape): the data have the shape 2x3, 6 elements, which does not fit the new shape -1x4
reshape("rest", [-1, 4])
# TWO: error: node 'Reshape_0' (Reshape): the new shape -1x-1 is invalid; at most one size may be -1
reshape("two", [-1, -1])
# KEEP: error: node 'Reshape_0' (Reshape): the new shape 2x3x0 keeps dimension 2, which the data, 2x3, do not have
reshape("keep", [2, 3, 0])
# OVERFLOW: error: node 'Reshape_0' (Reshape): input 'shape' has the element 9223372036854775807, which is out of range
reshape("overflow", [2**63 - 1, 2])
# FLOAT: error: node 'Reshape_0' (Reshape): input 'shape' is no list of integers
reshape("float", [6.0], "float32")
# INPUT: error: node 'Reshape_0' (Reshape): input 'shape' is 's', an input of the model; only constants are supported
write("input", "(float[2,3] x, int64[1] s) => (float[] y) { y = Reshape(x, s) }")
# COMPUTED: error: node 'Reshape_1' (Reshape): input 'shape' is 't', which is computed from 's', an input of the model; only constants are supported (--const makes an input one)
write("computed", "(float[2,3] x, int64[1] s) => (float[] y) { t = Add(s, s) y = Reshape(x, t) }")
# FLATTEN: error: node 'Flatten_0' (Flatten): axis 3 is out of range; expected -2 to 1
write("flatten", "(float[2,3] x) => (float[] y) { y = Flatten<axis=3>(x) }")
# SQUEEZE: error: node 'Squeeze_0' (Squeeze): dimension 1 of the data, 1x3, is not 1
write("squeeze", "(float[1,3] x) => (float[] y) { y = Squeeze(x, a) }", a=np.array([1]))
# AXIS: error: node 'Unsqueeze_0' (Unsqueeze): axis 4 is out of range; expected -3 to 2
write("axis", "(float[1,3] x) => (float[] y) { y = Unsqueeze(x, a) }", a=np.array([4]))
# TWICE: error: node 'Unsqueeze_0' (Unsqueeze): axis -4 is given twice
write("twice", "(float[1,3] x) => (float[] y) { y = Unsqueeze(x, a) }", a=np.array([0, -4]))
