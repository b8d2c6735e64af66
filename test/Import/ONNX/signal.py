"""Fourier transforms by a table, windows as constants."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/dft.onnx | FileCheck %s --check-prefix=DFT
# RUN: uma-translate --import-onnx %t/stft.onnx | FileCheck %s --check-prefix=STFT
# RUN: uma-translate --import-onnx %t/window.onnx | FileCheck %s --check-prefix=WINDOW

from model import np, write

# Forward: exp(-2 pi i j / 4); inverse: the conjugates, divided by the length.
# DFT: %[[F:.*]] = uma.graph.constant dense<{{\[\[}}1.{{0+}}e+00, {{-?}}0.{{0+}}e+00], [{{.*}}, -1.{{0+}}e+00], [-1.{{0+}}e+00, {{.*}}], [{{.*}}, 1.{{0+}}e+00]]>
# DFT: uma.graph.dft %{{.*}}, %[[F]] axis 1 onesided true : {{.*}} -> tensor<1x3x2xf32>
# DFT: %[[I:.*]] = uma.graph.constant dense<{{\[\[}}2.500000e-01, 0.{{0+}}e+00], [{{.*}}, 2.500000e-01],
# DFT: uma.graph.dft %{{.*}}, %[[I]] axis 1 : {{.*}} -> tensor<1x4x2xf32>
write(
    "dft",
    """(float[1,4,1] x, float[1,3,2] z) => (float[] y, float[] w) {
      y = DFT<onesided=1>(x)
      w = DFT<inverse=1>(z, length)
    }""",
    opset=17,
    length=np.int64(4).reshape(()),
)

# STFT: %[[P:.*]] = uma.graph.constant dense_resource<{{.*}}> : tensor<3x4xi64>
# STFT: %[[T:.*]] = uma.graph.take %{{.*}}, %[[P]] axis 1 : {{.*}} -> tensor<1x3x4x1xf32>
# STFT: %[[M:.*]] = uma.graph.multiply %[[T]], %{{.*}}
# STFT: uma.graph.dft %[[M]], %{{.*}} axis 2 onesided true : {{.*}} -> tensor<1x3x3x2xf32>
write(
    "stft",
    "(float[1,8,1] x, float[4] w) => (float[] y) { y = STFT(x, step, w) }",
    opset=17,
    step=np.int64(2).reshape(()),
)

# WINDOW: dense<[0.{{0+}}e+00, 5.000000e-01, 1.{{0+}}e+00, 5.000000e-01]> : tensor<4xf32>
# WINDOW: dense<[{{.*}}]> : tensor<5xf64>
# WINDOW: dense<{{.*}}> : tensor<5x2xf32>
write(
    "window",
    """() => (float[] a, double[] b, float[] c) {
      a = HannWindow(four)
      b = BlackmanWindow<periodic=0, output_datatype=11>(five)
      c = MelWeightMatrix(two, eight, rate, low, high)
    }""",
    opset=17,
    two=np.int64(2).reshape(()),
    four=np.int64(4).reshape(()),
    five=np.int64(5).reshape(()),
    eight=np.int64(8).reshape(()),
    rate=np.int64(8192).reshape(()),
    low=np.float32(0).reshape(()),
    high=np.float32(4096).reshape(()),
)
