"""Fourier transforms and windows that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/sides.onnx 2>&1 | FileCheck %s --check-prefix=SIDES
# RUN: not uma-translate --import-onnx %t/axis.onnx 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not uma-translate --import-onnx %t/length.onnx 2>&1 | FileCheck %s --check-prefix=LENGTH
# RUN: not uma-translate --import-onnx %t/integers.onnx 2>&1 | FileCheck %s --check-prefix=INTEGERS
# RUN: not uma-translate --import-onnx %t/frame.onnx 2>&1 | FileCheck %s --check-prefix=FRAME
# RUN: not uma-translate --import-onnx %t/size.onnx 2>&1 | FileCheck %s --check-prefix=SIZE
# RUN: not uma-translate --import-onnx %t/mel.onnx 2>&1 | FileCheck %s --check-prefix=MEL

from model import np, write


def dft(name: str, attributes: str, x: str = "float[1,4,1]", **inputs) -> None:
    names = ", ".join(["x", *inputs])
    write(name, f"({x} x) => (float[] y) {{ y = DFT{attributes}({names}) }}", opset=17, **inputs)


# SIDES: error: node 'DFT_0' (DFT): the spectrum is not complex: its last dimension is 1; expected 2
dft("sides", "<inverse=1, onesided=1>")
# AXIS: error: node 'DFT_0' (DFT): axis is 2, the dimension of real and imaginary parts
dft("axis", "<axis=2>")
# LENGTH: error: node 'DFT_0' (DFT): input 'dft_length' is 0; expected one number of 1 or more
dft("length", "", length=np.array([0]))
# INTEGERS: error: node 'DFT_0' (DFT): the signal does not hold floats
dft("integers", "", x="int32[1,4,1]")
# FRAME: error: node 'STFT_0' (STFT): the signal has 8 samples; expected one frame of 9 or more
write(
    "frame",
    "(float[1,8,1] x) => (float[] y) { y = STFT(x, step, _, length) }",
    opset=17,
    step=np.int64(2).reshape(()),
    length=np.int64(9).reshape(()),
)
# SIZE: error: node 'HannWindow_0' (HannWindow): input 'size' is 'n', an input of the model
write("size", "(int64 n) => (float[] y) { y = HannWindow(n) }", opset=17)
# MEL: error: node 'MelWeightMatrix_0' (MelWeightMatrix): has the edges {{.*}} Hz and {{.*}} Hz; expected 0 or more, ascending
write(
    "mel",
    "() => (float[] y) { y = MelWeightMatrix(n, n, n, high, low) }",
    opset=17,
    n=np.int64(8).reshape(()),
    low=np.float32(0).reshape(()),
    high=np.float32(4).reshape(()),
)
