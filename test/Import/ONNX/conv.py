"""Conv and ConvInteger: paddings, groups, bias."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/conv.onnx --mlir-print-debuginfo | FileCheck %s
# RUN: uma-translate --import-onnx %t/integer.onnx | FileCheck %s --check-prefix=INT

from model import write, zeros

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

# INT: uma.graph.conv2d {{.*}} out_dtype i32 : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi32>
write(
    "integer",
    "(uint8[1,1,3,3] x) => (int32[] y) { y = ConvInteger(x, w, zero) }",
    w=zeros(1, 1, 2, 2, dtype="int8"),
    zero=zeros(dtype="uint8"),
)
