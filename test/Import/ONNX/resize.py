"""Resize becomes repetitions, takes or weighted sums with tables, one axis after the other."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/twice.onnx | FileCheck %s --check-prefix=TWICE
# RUN: uma-translate --import-onnx %t/half.onnx | FileCheck %s --check-prefix=HALF
# RUN: uma-translate --import-onnx %t/nearest.onnx | FileCheck %s --check-prefix=NEAREST
# RUN: uma-translate --import-onnx %t/linear.onnx | FileCheck %s --check-prefix=LINEAR
# RUN: uma-translate --import-onnx %t/crop.onnx | FileCheck %s --check-prefix=CROP
# RUN: uma-translate --import-onnx %t/samples.onnx | FileCheck %s --check-prefix=SAMPLES
# RUN: not uma-translate --import-onnx %t/both.onnx 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: not uma-translate --import-onnx %t/count.onnx 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: not uma-translate --import-onnx %t/scale.onnx 2>&1 | FileCheck %s --check-prefix=SCALE
# RUN: not uma-translate --import-onnx %t/mode.onnx 2>&1 | FileCheck %s --check-prefix=MODE
# RUN: not uma-translate --import-onnx %t/integer.onnx 2>&1 | FileCheck %s --check-prefix=INTEGER
# RUN: not uma-translate --import-onnx %t/ratio.onnx 2>&1 | FileCheck %s --check-prefix=RATIO

import numpy as np
from model import write


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype="float32")


# TWICE: reshape %{{.*}} [4, 1] :
# TWICE-NEXT: broadcast_to %{{.*}} [4, 2] :
# TWICE-NEXT: reshape %{{.*}} [8] :
write(
    "twice",
    '(float[4] x) => (float[] y) { y = Resize<coordinate_transformation_mode="asymmetric", nearest_mode="floor">(x, , s) }',
    s=floats(2),
)
# HALF: strided_slice %{{.*}} [0] size [2] strides [2] :
write("half", "(float[4] x) => (float[] y) { y = Upsample(x, s) }", opset=9, s=floats(0.5))
# NEAREST: constant dense<[0, 0, 1, 2, 2, 3]> : tensor<6xi64>
# NEAREST: take %{{.*}}, %{{.*}} axis 0 :
write("nearest", "(float[4] x) => (float[] y) { y = Resize(x, , , s) }", s=np.array([6]))
# The axis that keeps its size is not touched.
# LINEAR: constant dense{{.*}}> : tensor<8x2xi64>
# LINEAR: constant dense<{{.*}}7.500000e-01{{.*}}> : tensor<8x2xf32>
# LINEAR: interpolate %{{.*}}, %{{.*}}, %{{.*}} axis 1 : (tensor<2x4xf32>, tensor<8x2xi64>, tensor<8x2xf32>) -> tensor<2x8xf32>
# LINEAR-NEXT: return
write("linear", '(float[2,4] x) => (float[] y) { y = Resize<mode="linear">(x, , s) }', s=floats(1, 2))
# What is outside of the data is a pad.
# CROP: strided_slice %{{.*}} [2] size [3] strides [1] :
# CROP-NEXT: pad %{{.*}} before [0] after [1] value 5.000000e+00 :
write(
    "crop",
    """(float[5] x) => (float[] y) {
      y = Resize<mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=5.0>(x, r, , s) }""",
    r=floats(0.5, 1.25),
    s=np.array([4]),
)
# SAMPLES: grid_sample %{{.*}}, %{{.*}} method "bicubic" padding "border" align_corners true :
# SAMPLES: roi_align %{{.*}}, %{{.*}}, %{{.*}} pooled_size [2, 3] spatial_scale 5.000000e-01 sample_ratio 2 mode "max" aligned true :
write(
    "samples",
    """(float[1,1,4,4] x, float[1,2,2,2] g, float[7,4] r, int64[7] b) => (float[] y, float[] z) {
      y = GridSample<mode="bicubic", padding_mode="border", align_corners=1>(x, g)
      z = RoiAlign<output_height=2, output_width=3, spatial_scale=0.5, sampling_ratio=2, mode="max">(x, r, b) }""",
    opset=16,
)

# BOTH: error: node 'Resize_0' (Resize): has both scales and sizes
write("both", "(float[4] x) => (float[] y) { y = Resize(x, , s, t) }", s=floats(2), t=np.array([8]))
# COUNT: error: node 'Resize_0' (Resize): input 'scales' has 2 elements; expected 1
write("count", "(float[4] x) => (float[] y) { y = Resize(x, , s) }", s=floats(2, 2))
# SCALE: error: node 'Resize_0' (Resize): has the scale -1.000000; expected a number above 0 that keeps sizes below 2^30
write("scale", "(float[4] x) => (float[] y) { y = Resize(x, , s) }", s=floats(-1))
# MODE: error: node 'Resize_0' (Resize): attribute 'mode' is 'area'; expected nearest, linear, cubic
write("mode", '(float[4] x) => (float[] y) { y = Resize<mode="area">(x, , s) }', s=floats(2))
# INTEGER: error: node 'Resize_0' (Resize): interpolates integers, which is not supported
write("integer", '(int32[4] x) => (int32[] y) { y = Resize<mode="linear">(x, , s) }', s=floats(2))
# RATIO: error: node 'RoiAlign_0' (RoiAlign): attribute 'sampling_ratio' is 0, with which the number of samples depends on the data
write("ratio", "(float[1,1,4,4] x, float[7,4] r, int64[7] b) => (float[] y) { y = RoiAlign(x, r, b) }", opset=16)
