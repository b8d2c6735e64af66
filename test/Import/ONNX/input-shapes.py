"""Open dimensions of inputs, which --shape gives."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/open.onnx --shape x=2x3 --shape z=1x3 | FileCheck %s
# RUN: not uma-translate --import-onnx %t/open.onnx 2>&1 | FileCheck %s --check-prefix=OPEN
# RUN: not uma-translate --import-onnx %t/open.onnx --shape x=2x3 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: not uma-translate --import-onnx %t/open.onnx --shape X=2x3 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not uma-translate --import-onnx %t/open.onnx --shape x=2x3x4 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not uma-translate --import-onnx %t/open.onnx --shape x=2x4 2>&1 | FileCheck %s --check-prefix=FIXED
# RUN: not uma-translate --import-onnx %t/open.onnx --shape x=2x3 --shape x=2x3 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/open.onnx --shape x=0x3 2>&1 | FileCheck %s --check-prefix=ZERO
# RUN: not uma-translate --import-onnx %t/open.onnx --shape 2x3 2>&1 | FileCheck %s --check-prefix=FORM
# RUN: not uma-translate --import-onnx %t/open.onnx --shape x=99999999999x3 --shape z=1x3 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: not uma-translate --import-onnx %t/several.onnx 2>&1 | FileCheck %s --check-prefix=SEVERAL
# RUN: uma-translate --import-onnx %t/shared.onnx --shape x=2x3 | FileCheck %s --check-prefix=SHARED
# RUN: not uma-translate --import-onnx %t/shared.onnx --shape x=2x3 --shape z=3x4 2>&1 | FileCheck %s --check-prefix=TWO

from model import write

# CHECK: @main(%arg0: tensor<2x3xf32> {uma.name = "x"}, %arg1: tensor<1x3xf32> {uma.name = "z"})
# OPEN: open.onnx: error: input 'x': the size of dimension 0 ('batch') is not known; give the input's shape, e.g. --shape x=1x3
# SHAPE: error: input 'z': the shape is not known; give it, e.g. --shape z=1x3x32x32
# NAME: error: a shape is given for 'X', which is no input of the model; did you mean 'x'?
# RANK: error: input 'x' has 2 dimensions, but the given shape 2x3x4 has 3
# FIXED: error: input 'x': the given shape 2x4 changes dimension 1, which the model fixes to 3
# TWICE: error: two shapes are given for the input 'x'
# ZERO: error: the shape 'x=0x3' is invalid; expected an input's name and its positive sizes, e.g. image=1x3x32x32
# FORM: error: the shape '2x3' is invalid
# LARGE: error: input 'x' has the shape 99999999999x3, more than the supported 2 GiB
write("open", "(float[batch,3] x, float[] z) => (float[] y) { y = Add(x, z) }")
# SEVERAL: error: input 'image': the size of dimensions 0 ('N'), 2 is not known (some exporters write 0 for that); give the input's shape, e.g. --shape image=1x3x1; an input without elements has to be a constant (--const)
write("several", "(float[N,3,0] image) => (float[] y) { y = Relu(image) }")
# A name that several inputs share is one size.
# SHARED: @main(%arg0: tensor<2x3xf32> {uma.name = "x"}, %arg1: tensor<2x4xf32> {uma.name = "z"}, %arg2: tensor<2xf32> {uma.name = "u"})
# TWO: error: input 'u': the size of dimension 0 ('N') is not known; give the input's shape, e.g. --shape u=1
write("shared", "(float[N,3] x, float[N,4] z, float[N] u) => (float[] y) { y = Concat<axis=1>(x, z) }")
