"""Convolutions that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/0d.onnx 2>&1 | FileCheck %s --check-prefix=FLAT
# RUN: not uma-translate --import-onnx %t/4d.onnx 2>&1 | FileCheck %s --check-prefix=FOUR
# RUN: not uma-translate --import-onnx %t/pads.onnx 2>&1 | FileCheck %s --check-prefix=PADS
# RUN: not uma-translate --import-onnx %t/auto-pad.onnx 2>&1 | FileCheck %s --check-prefix=AUTO
# RUN: not uma-translate --import-onnx %t/both.onnx 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: not uma-translate --import-onnx %t/stride.onnx 2>&1 | FileCheck %s --check-prefix=STRIDE
# RUN: not uma-translate --import-onnx %t/kernel.onnx 2>&1 | FileCheck %s --check-prefix=KERNEL
# RUN: not uma-translate --import-onnx %t/channels.onnx 2>&1 | FileCheck %s --check-prefix=CHANNELS
# RUN: not uma-translate --import-onnx %t/bias.onnx 2>&1 | FileCheck %s --check-prefix=BIAS
# RUN: not uma-translate --import-onnx %t/group.onnx 2>&1 | FileCheck %s --check-prefix=GROUP
# RUN: not uma-translate --import-onnx %t/attribute.onnx 2>&1 | FileCheck %s --check-prefix=ATTR
# RUN: not uma-translate --import-onnx %t/type.onnx 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not uma-translate --import-onnx %t/zero-point.onnx 2>&1 | FileCheck %s --check-prefix=ZERO
# RUN: not uma-translate --import-onnx %t/scale.onnx 2>&1 | FileCheck %s --check-prefix=SCALE
# RUN: not uma-translate --import-onnx %t/transposed.onnx 2>&1 | FileCheck %s --check-prefix=TRANSPOSED
# RUN: not uma-translate --import-onnx %t/output-shape.onnx 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: not uma-translate --import-onnx %t/deform.onnx 2>&1 | FileCheck %s --check-prefix=DEFORM
# RUN: not uma-translate --import-onnx %t/col2im.onnx 2>&1 | FileCheck %s --check-prefix=COL

from model import np, write, zeros


def conv(name: str, attributes: str = "", x: str = "1,2,8,8", **weights) -> None:
    weights.setdefault("w", zeros(3, 2, 3, 3))
    inputs = ", ".join(["x", *weights])
    write(name, f"(float[{x}] x) => (float[] y) {{ y = Conv{attributes}({inputs}) }}", **weights)


# FLAT: 0d.onnx: error: node 'Conv_0' (Conv): the data have the shape 1x2; expected [N, C, H, W] or other spatial dimensions than H and W
conv("0d", x="1,2", w=zeros(3, 2))
# FOUR: error: node 'Conv_0' (Conv): the data have the shape 1x2x4x4x4x4, which is 4-D; only 1-D to 3-D are supported
conv("4d", x="1,2,4,4,4,4", w=zeros(3, 2, 3, 3, 3, 3))
# PADS: error: node 'Conv_0' (Conv): attribute 'pads' has 2 entries; expected 4
conv("pads", "<pads=[1,1]>")
# AUTO: error: node 'Conv_0' (Conv): attribute 'auto_pad' is 'SAME'; expected NOTSET, SAME_UPPER, SAME_LOWER or VALID
conv("auto-pad", '<auto_pad="SAME">')
# BOTH: error: node 'Conv_0' (Conv): has both 'pads' and the 'auto_pad' 'SAME_UPPER'
conv("both", '<auto_pad="SAME_UPPER", pads=[1,1,1,1]>')
# STRIDE: error: node 'Conv_0' (Conv): attribute 'strides' has the entry 0; expected 1 or more
conv("stride", "<strides=[1,0]>")
# KERNEL: error: node 'Conv_0' (Conv): attribute 'kernel_shape' is 5x5, but the weights are 3x2x3x3
conv("kernel", "<kernel_shape=[5,5]>")
# CHANNELS: error: node 'Conv_0' (Conv): weight has 4 input channels, expected 2
conv("channels", w=zeros(3, 4, 3, 3))
# BIAS: error: node 'Conv_0' (Conv): bias has shape 4, expected 3
conv("bias", w=zeros(3, 2, 3, 3), b=zeros(4))
# GROUP: error: node 'Conv_0' (Conv): attribute 'group' is 0; expected 1 or more
conv("group", "<group=0>")
# ATTR: error: node 'Conv_0' (Conv): has the attribute 'stride', which this operator does not have in opset 13; did you mean 'strides'?
conv("attribute", "<stride=[2,2]>")
# TYPE: error: node 'Conv_0' (Conv): attribute 'strides' is an integer; expected a list of integers
conv("type", "<strides=2>")
# ZERO: error: node 'ConvInteger_0' (ConvInteger): input 'x_zero_point' has the shape 2; expected one element, or 1
write(
    "zero-point",
    "(uint8[1,1,3,3] x) => (int32[] y) { y = ConvInteger(x, w, zero) }",
    w=zeros(1, 1, 2, 2, dtype="int8"),
    zero=np.array([128, 128], "uint8"),
)
# SCALE: error: node 'QLinearConv_0' (QLinearConv): input 'w_scale' has the shape 3; expected one element, or 2
write(
    "scale",
    "(uint8[1,1,3,3] x) => (uint8[] y) { y = QLinearConv(x, s, z, w, ws, z, s, z) }",
    w=zeros(2, 1, 2, 2, dtype="uint8"),
    s=np.float32(0.5).reshape(()),
    z=np.uint8(0).reshape(()),
    ws=zeros(3),
)
# TRANSPOSED: error: node 'ConvTranspose_0' (ConvTranspose): weight has 3 input channels, expected 2
write("transposed", "(float[1,2,8,8] x) => (float[] y) { y = ConvTranspose(x, w) }", w=zeros(3, 2, 3, 3))
# SHAPE: error: node 'ConvTranspose_0' (ConvTranspose): attribute 'output_shape' is 8; expected 2 sizes of 1 or more
write(
    "output-shape",
    "(float[1,2,8,8] x) => (float[] y) { y = ConvTranspose<output_shape=[8]>(x, w) }",
    w=zeros(2, 2, 3, 3),
)
# DEFORM: error: node 'DeformConv_0' (DeformConv): offset has shape 1x4x2x2, expected 1x8x2x2
write(
    "deform",
    "(float[1,1,3,3] x, float[1,4,2,2] o) => (float[] y) { y = DeformConv(x, w, o) }",
    opset=19,
    w=zeros(1, 1, 2, 2),
)
# COL: error: node 'Col2Im_0' (Col2Im): data has shape 1x5x4, expected 5 in its last dimension, the number of windows
write(
    "col2im",
    "(float[1,5,4] x) => (float[] y) { y = Col2Im(x, image, block) }",
    opset=18,
    image=np.array([5, 5]),
    block=np.array([1, 5]),
)
