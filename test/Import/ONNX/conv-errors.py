"""Convolutions that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/1d.onnx 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: not uma-translate --import-onnx %t/3d.onnx 2>&1 | FileCheck %s --check-prefix=THREE
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

from model import np, write, zeros


def conv(name: str, attributes: str = "", x: str = "1,2,8,8", **weights) -> None:
    weights.setdefault("w", zeros(3, 2, 3, 3))
    inputs = ", ".join(["x", *weights])
    write(name, f"(float[{x}] x) => (float[] y) {{ y = Conv{attributes}({inputs}) }}", **weights)


# ONE: 1d.onnx: error: node 'Conv_0' (Conv): the data have the shape 1x2x8, which is 1-D; only 2-D, [N, C, H, W], is supported
conv("1d", x="1,2,8", w=zeros(3, 2, 3))
# THREE: error: node 'Conv_0' (Conv): the data have the shape 1x2x8x8x8, which is 3-D;
conv("3d", x="1,2,8,8,8", w=zeros(3, 2, 3, 3, 3))
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
# ZERO: error: node 'ConvInteger_0' (ConvInteger): input 'x_zero_point' is 128; only zero points of 0 are supported
write(
    "zero-point",
    "(uint8[1,1,3,3] x) => (int32[] y) { y = ConvInteger(x, w, zero) }",
    w=zeros(1, 1, 2, 2, dtype="int8"),
    zero=np.uint8(128).reshape(()),
)
