"""A few bytes that ask for much: an error in no time, instead of all memory or all day."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/input.onnx 2>&1 | FileCheck %s --check-prefix=INPUT
# RUN: not uma-translate --import-onnx %t/expand.onnx 2>&1 | FileCheck %s --check-prefix=EXPAND
# RUN: not uma-translate --import-onnx %t/einsum.onnx 2>&1 | FileCheck %s --check-prefix=EINSUM
# RUN: not uma-translate --import-onnx %t/nearest.onnx 2>&1 | FileCheck %s --check-prefix=NEAREST
# RUN: not uma-translate --import-onnx %t/stretched.onnx 2>&1 | FileCheck %s --check-prefix=STRETCHED
# RUN: not uma-translate --import-onnx %t/linear.onnx 2>&1 | FileCheck %s --check-prefix=LINEAR
# RUN: not uma-translate --import-onnx %t/ranges.onnx 2>&1 | FileCheck %s --check-prefix=RANGES
# RUN: not uma-translate --import-onnx %t/window.onnx 2>&1 | FileCheck %s --check-prefix=WINDOW
# RUN: not uma-translate --import-onnx %t/dft.onnx 2>&1 | FileCheck %s --check-prefix=DFT
# RUN: not uma-translate --import-onnx %t/stft.onnx 2>&1 | FileCheck %s --check-prefix=STFT
# RUN: not uma-translate --import-onnx %t/work.onnx 2>&1 | FileCheck %s --check-prefix=WORK
# RUN: uma-translate --import-onnx %t/mel.onnx | FileCheck %s --check-prefix=MEL

import numpy as np

from model import write


def ints(*values: int) -> np.ndarray:
    return np.array(values, "int64")


def scalar(value: float, dtype: str = "int64") -> np.ndarray:
    return np.array(value, dtype)


# INPUT: error: input 'x' has the shape 1099511627776, more than the supported 2 GiB
write("input", "(float[1099511627776] x) => (float[] y) { y = Relu(x) }")
# EXPAND: error: node 'Expand_0' (Expand): input 'shape' has the element 1099511627776, which is out of range
write("expand", "(float[1] x) => (float[] y) { y = Expand(x, s) }", s=ints(2**40))
# EINSUM: error: node 'Einsum_0' (Einsum): the result has the shape 1048576x1048576, more than the supported 2 GiB
write("einsum", '(float[1048576] x) => (float[] y) { y = Einsum<equation = "i,j->ij">(x, x) }')

# Tables that the importer computes have a limit together: 64 MiB.
# NEAREST: error: node 'Resize_0' (Resize): needs a constant of the shape 134217728; more than 64 MiB of constants
write("nearest", '(float[1,1,1,1] x) => (float[] y) { y = Resize<mode = "nearest">(x, _, _, s) }', s=ints(1, 1, 1, 2**27))
# Antialiasing stretches the filter over all that goes into an element.
# STRETCHED: error: node 'Resize_0' (Resize): a constant that it needs has the shape 1x536870912x2, more than the supported 2 GiB
write(
    "stretched",
    '(float[1,1,1,134217728] x) => (float[] y) { y = Resize<mode = "cubic", antialias = 1>(x, _, _, s) }',
    opset=18,
    s=ints(1, 1, 1, 1),
)
# LINEAR: error: node 'Resize_0' (Resize): needs a constant of the shape 16777216{{.*}}; more than 64 MiB of constants
write("linear", '(float[1,1,1,1] x) => (float[] y) { y = Resize<mode = "linear">(x, _, _, s) }', s=ints(1, 1, 1, 2**24))
# RANGES: error: {{.*}}64 MiB
write(
    "ranges",
    """(float[1] x) => (float[] y) { a = Range(z, n, o)
      b = Add(a, a)
      c = Mul(b, a)
      d = Cast<to = 1>(c)
      y = Add(x, d) }""",
    z=scalar(0), n=scalar(2**24), o=scalar(1),
)
# WINDOW: error: node 'BlackmanWindow_0' (BlackmanWindow): needs a constant of the shape 134217728; more than 64 MiB
write("window", "(float[1] x) => (float[] y) { w = BlackmanWindow(n)\n y = Add(x, w) }", opset=17, n=scalar(2**27))
# DFT: error: node 'DFT_0' (DFT): needs a constant of the shape 134217728x2; more than 64 MiB
write("dft", "(float[1,4,1] x) => (float[] y) { y = DFT<axis = 1>(x, n) }", opset=17, n=scalar(2**27))
# STFT: error: node 'STFT_0' (STFT): a constant that it needs has the shape 1048577x1048576, more than the supported 2 GiB
write(
    "stft",
    "(float[1,2097152,1] x) => (float[] y) { y = STFT(x, s, _, l) }",
    opset=17,
    s=scalar(1),
    l=scalar(2**20),
)
# WORK: error: node 'Expand_5' (Expand): input 'shape' is 'n', which takes too long to be computed at compile time
write(
    "work",
    """(float[1] x) => (float[] y) { c = ConstantOfShape(s)
       p = MatMul(c, c)
       r = ReduceSum<keepdims = 0>(p)
       f = Cast<to = 7>(r)
       n = Unsqueeze(f, u)
       y = Expand(x, n) }""",
    s=ints(1024, 1024),
    u=ints(0),
)
# Triangles that lie behind the spectrum are cut off, however far they go.
# MEL: uma.graph.constant {{.*}} : tensor<9x4xf32>
write(
    "mel",
    "(float[1] x) => (float[] y) { w = MelWeightMatrix(a, b, c, d, e)\n y = Add(x, w) }",
    opset=17,
    a=scalar(4),
    b=scalar(16),
    c=scalar(1),
    d=scalar(0, "float32"),
    e=scalar(1e30, "float32"),
)
