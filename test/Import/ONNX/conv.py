"""Convolutions: paddings, groups, bias, ranks, integers, transposed and deformable ones."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/conv.onnx --mlir-print-debuginfo | FileCheck %s
# RUN: uma-translate --import-onnx %t/ranks.onnx | FileCheck %s --check-prefix=RANKS
# RUN: uma-translate --import-onnx %t/transposed.onnx | FileCheck %s --check-prefix=TRANSPOSED
# RUN: uma-translate --import-onnx %t/zero.onnx | FileCheck %s --check-prefix=ZERO
# RUN: uma-translate --import-onnx %t/zeros.onnx | FileCheck %s --check-prefix=ZEROS
# RUN: uma-translate --import-onnx %t/linear.onnx | FileCheck %s --check-prefix=LINEAR
# RUN: uma-translate --import-onnx %t/deform.onnx | FileCheck %s --check-prefix=DEFORM
# RUN: uma-translate --import-onnx %t/integer.onnx | FileCheck %s --check-prefix=INT

from model import np, write, zeros

# CHECK-LABEL: func.func @main
# CHECK-SAME: %[[X:.*]]: tensor<1x2x8x8xf32> {uma.name = "x"}
# CHECK-SAME: attributes {uma.network = "conv"}
# CHECK: %[[W:.*]] = uma.graph.constant dense_resource<w> : tensor<3x2x3x3xf32> loc(#[[LOCW:.*]])
# CHECK: %[[B:.*]] = uma.graph.constant dense<{{.*}}> : tensor<3xf32>
# CHECK: %[[C:.*]] = uma.graph.conv2d %[[X]], %[[W]] strides [2, 2] padding [0, 1, 2, 3] dilations [2, 1] : {{.*}} -> tensor<1x3x3x5xf32> loc(#[[LOC:.*]])
# CHECK: %[[A:.*]] = uma.graph.bias_add %[[C]], %[[B]] : {{.*}} loc(#[[LOC]])
# CHECK: %[[UPPER:.*]] = uma.graph.conv2d %[[X]], %[[W]] strides [2, 2] padding [0, 0, 1, 1] : {{.*}} -> tensor<1x3x4x4xf32>
# CHECK: %[[LOWER:.*]] = uma.graph.conv2d %[[X]], %[[W]] strides [2, 2] padding [1, 1, 0, 0] : {{.*}} -> tensor<1x3x4x4xf32>
# CHECK: %[[VALID:.*]] = uma.graph.conv2d %[[X]], %[[W]] : {{.*}} -> tensor<1x3x6x6xf32>
# CHECK: %[[DW:.*]] = uma.graph.constant dense<{{.*}}> : tensor<4x1x1x1xf32>
# CHECK: %[[GROUP:.*]] = uma.graph.conv2d %[[X]], %[[DW]] groups 2 : {{.*}} -> tensor<1x4x8x8xf32>
# CHECK: return %[[A]], %[[UPPER]], %[[LOWER]], %[[VALID]], %[[GROUP]]
# CHECK-DAG: #[[LOCW]] = loc("w")
# CHECK-DAG: #[[LOC]] = loc("Conv_0")
write(
    "conv",
    """(float[1,2,8,8] x) => (float[] a, float[] upper, float[] lower, float[] valid, float[] group) {
      a = Conv<pads=[0,1,2,3], strides=[2,2], dilations=[2,1], kernel_shape=[3,3]>(x, w, b)
      upper = Conv<auto_pad="SAME_UPPER", strides=[2,2]>(x, w)
      lower = Conv<auto_pad="SAME_LOWER", strides=[2,2]>(x, w)
      valid = Conv<auto_pad="VALID">(x, w)
      group = Conv<group=2>(x, dw)
    }""",
    w=zeros(3, 2, 3, 3),
    b=zeros(3),
    dw=zeros(4, 1, 1, 1),
)

# INT: uma.graph.conv2d {{.*}} -> tensor<1x1x2x2x!quant.uniform<i32:f32, 1.000000e+00>>
# INT-NOT: uma.graph.subtract
write(
    "integer",
    "(uint8[1,1,3,3] x) => (int32[] y) { y = ConvInteger(x, w, zero) }",
    w=zeros(1, 1, 2, 2, dtype="int8"),
    zero=zeros(dtype="uint8"),
)

# RANKS: %[[X:.*]] = uma.graph.reshape %{{.*}} [1, 2, 1, 8]
# RANKS: %[[W:.*]] = uma.graph.reshape %{{.*}} [3, 2, 1, 3]
# RANKS: %[[C:.*]] = uma.graph.conv2d %[[X]], %[[W]] strides [1, 2] padding [0, 1, 0, 1] : {{.*}} -> tensor<1x3x1x4xf32>
# RANKS: %[[B:.*]] = uma.graph.bias_add %[[C]]
# RANKS: uma.graph.reshape %[[B]] [1, 3, 4]
# RANKS: uma.graph.conv3d %{{.*}} padding [0, 0, 0, 1, 1, 1] : {{.*}} -> tensor<1x3x4x4x4xf32>
write(
    "ranks",
    """(float[1,2,8] x, float[1,2,4,4,4] v) => (float[] y, float[] z) {
      y = Conv<strides=[2], pads=[1,1]>(x, w1, b)
      z = Conv<auto_pad="SAME_UPPER">(v, w3)
    }""",
    w1=zeros(3, 2, 3),
    w3=zeros(3, 2, 2, 2, 2),
    b=zeros(3),
)

# An output shape is reached by cutting off or adding; odd cuts are larger in front.
# TRANSPOSED: uma.graph.conv2d_transpose %{{.*}} strides [3, 2] padding [1, 1, 0, 0] output_padding [1, 0] : {{.*}} -> tensor<1x2x9x6xf32>
# TRANSPOSED: uma.graph.conv2d_transpose %{{.*}} strides [2, 2] padding [0, 0, 1, 1] : {{.*}} -> tensor<1x2x6x6xf32>
# TRANSPOSED: uma.graph.conv2d_transpose %{{.*}} strides [2, 2] output_padding [2, 1] : {{.*}} -> tensor<1x2x9x8xf32>
# TRANSPOSED: %[[F:.*]] = uma.graph.conv2d_transpose %{{.*}} strides [1, 2] dilations [1, 3] : {{.*}} -> tensor<1x2x1x11xf32>
# TRANSPOSED: uma.graph.reshape %[[F]] [1, 2, 11]
# TRANSPOSED: uma.graph.conv3d_transpose %{{.*}} groups 2 : {{.*}} -> tensor<1x4x3x3x3xf32>
write(
    "transposed",
    """(float[1,1,3,3] x, float[1,1,3] l, float[1,2,2,2,2] v)
        => (float[] a, float[] b, float[] c, float[] d, float[] e) {
      a = ConvTranspose<strides=[3,2], output_padding=[1,0], output_shape=[9,6]>(x, w)
      b = ConvTranspose<strides=[2,2], auto_pad="SAME_UPPER">(x, w)
      c = ConvTranspose<strides=[2,2], output_shape=[1,2,9,8]>(x, w)
      d = ConvTranspose<strides=[2], dilations=[3]>(l, w1)
      e = ConvTranspose<group=2>(v, w3)
    }""",
    w=zeros(1, 2, 3, 3),
    w1=zeros(1, 2, 3),
    w3=zeros(2, 2, 2, 2, 2),
)

# Bytes are multiplied as they are, padded with the zero point; its product with the weights' sums is subtracted.
# ZERO: %[[P:.*]] = uma.graph.pad %arg0
# ZERO: %[[X:.*]] = uma.graph.where %{{.*}}, %[[P]], %{{.*}} : (tensor<1x1x5x5xi1>, tensor<1x1x5x5xui8>, tensor<ui8>)
# ZERO: %[[D:.*]] = uma.graph.storage_cast %[[X]]
# ZERO: uma.graph.conv2d %[[D]], %{{.*}} : (tensor<1x1x5x5x!quant.uniform<u8:f32, 1.000000e+00>>, tensor<2x1x2x2x!quant.uniform<i8:f32, 1.000000e+00>>)
# ZERO: uma.graph.subtract %{{.*}}, %{{.*}} : (tensor<1x2x4x4xi32>, tensor<2x1x1xi32>)

# Weights with a zero point for each channel have steps, whose sums are subtracted.
# ZEROS: %[[X:.*]] = uma.graph.where
# ZEROS: %[[D:.*]] = uma.graph.storage_cast %[[X]]
# ZEROS: uma.graph.conv2d %[[D]], %{{.*}} : {{.*}}tensor<2x1x2x2x!quant.uniform<i8:f32:0, {1.000000e+00:1,1.000000e+00:2}>>)
# ZEROS: uma.graph.constant dense<{{\[\[\[}}-4]], {{\[\[}}-8]]]> : tensor<2x1x1xi32>
write(
    "zeros",
    "(uint8[1,1,3,3] x) => (int32[] y) { y = ConvInteger<pads=[1,1,1,1]>(x, w, xz, wz) }",
    w=zeros(2, 1, 2, 2, dtype="int8"),
    xz=np.uint8(128).reshape(()),
    wz=np.int8([1, 2]),
)
write(
    "zero",
    "(uint8[1,1,3,3] x) => (int32[] y) { y = ConvInteger<pads=[1,1,1,1]>(x, w, xz, wz) }",
    w=zeros(2, 1, 2, 2, dtype="int8"),
    xz=np.uint8(128).reshape(()),
    wz=zeros(2, dtype="int8"),
)

# LINEAR: %[[SUM:.*]] = uma.graph.conv2d {{.*}} -> tensor<1x2x2x2x!quant.uniform<i32:f32:1, {2.500000e-01,1.250000e-01}>>
# LINEAR: %[[BIASED:.*]] = uma.graph.bias_add %[[SUM]]
# LINEAR: %[[STEPS:.*]] = uma.graph.requantize %[[BIASED]]
# LINEAR: uma.graph.storage_cast %[[STEPS]] : {{.*}} -> tensor<1x2x2x2xui8>
write(
    "linear",
    "(uint8[1,1,3,3] x) => (uint8[] y) { y = QLinearConv(x, s, z, w, ws, z, s, z, b) }",
    w=zeros(2, 1, 2, 2, dtype="uint8"),
    s=np.float32(0.5).reshape(()),
    z=np.uint8(0).reshape(()),
    ws=np.array([0.5, 0.25], "float32"),
    b=zeros(2, dtype="int32"),
)

# DEFORM: uma.graph.deformable_conv2d %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} padding [1, 1, 1, 1] : {{.*}} -> tensor<1x1x4x4xf32>
# DEFORM: uma.graph.bias_add
# DEFORM: uma.graph.col2im %{{.*}} image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1]
write(
    "deform",
    """(float[1,1,3,3] x, float[1,8,4,4] o, float[1,4,4,4] m, float[1,5,5] c) => (float[] y, float[] z) {
      y = DeformConv<pads=[1,1,1,1]>(x, w, o, b, m)
      z = Col2Im(c, image, block)
    }""",
    opset=19,
    w=zeros(1, 1, 2, 2),
    b=zeros(1),
    image=np.array([5, 5]),
    block=np.array([1, 5]),
)
