"""Linear quantization per tensor, per axis and per block."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/tensor.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/axis.onnx | FileCheck %s --check-prefix=AXIS
# RUN: uma-translate --import-onnx %t/block.onnx | FileCheck %s --check-prefix=BLOCK
# RUN: uma-translate --import-onnx %t/dynamic.onnx | FileCheck %s --check-prefix=DYNAMIC
# RUN: uma-translate --import-onnx %t/constant.onnx | FileCheck %s --check-prefix=CONSTANT
# RUN: uma-translate --import-onnx %t/noscale.onnx | FileCheck %s --check-prefix=NOSCALE

from model import np, write

# CHECK: %[[Q:.*]] = uma.graph.divide %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<f32>)
# CHECK: %[[R:.*]] = uma.graph.round %[[Q]]
# CHECK: %[[Z:.*]] = uma.graph.cast %{{.*}} to f32 : (tensor<ui8>)
# CHECK: %[[S:.*]] = uma.graph.add %[[R]], %[[Z]]
# CHECK: uma.graph.cast %[[S]] to ui8
write(
    "tensor",
    "(float[2,3] x, float s) => (uint8[] y) { y = QuantizeLinear(x, s, z) }",
    z=np.uint8(3).reshape(()),
)

# Integers of different signs and widths are subtracted as i32.
# AXIS: %[[X:.*]] = uma.graph.cast %{{.*}} to i32 : (tensor<2x3x4xui8>)
# AXIS: %[[Z:.*]] = uma.graph.reshape %{{.*}} [3, 1]
# AXIS: %[[D:.*]] = uma.graph.subtract %[[X]], %[[Z]]
# AXIS: %[[F:.*]] = uma.graph.cast %[[D]] to f32
# AXIS: %[[S:.*]] = uma.graph.reshape %{{.*}} [3, 1]
# AXIS: uma.graph.multiply %[[F]], %[[S]]
write("axis", "(uint8[2,3,4] x, float[3] s, uint8[3] z) => (float[] y) { y = DequantizeLinear<axis=1>(x, s, z) }")

# BLOCK: uma.graph.reshape %{{.*}} [2, 3, 2]
# BLOCK: uma.graph.reshape %{{.*}} [2, 3, 1]
# BLOCK: uma.graph.multiply %{{.*}} : (tensor<2x3x2xf32>, tensor<2x3x1xf32>)
# BLOCK: uma.graph.reshape %{{.*}} [2, 6]
write(
    "block",
    "(int8[2,6] x, float[2,3] s) => (float[] y) { y = DequantizeLinear<axis=1, block_size=2>(x, s) }",
    opset=21,
)

# DYNAMIC: -> (tensor<2x3xui8> {{.*}}, tensor<f32> {{.*}}, tensor<ui8>
# DYNAMIC: %[[MIN:.*]] = uma.graph.min %arg0
# DYNAMIC: %[[MAX:.*]] = uma.graph.max %arg0
# DYNAMIC: %[[LOW:.*]] = uma.graph.minimum %[[MIN]], %[[ZERO:.*]] :
# DYNAMIC: %[[HIGH:.*]] = uma.graph.maximum %[[MAX]], %[[ZERO]] :
# DYNAMIC: uma.graph.subtract %[[HIGH]], %[[LOW]]
write("dynamic", "(float[2,3] x) => (uint8[] y, float[] s, uint8[] z) { y, s, z = DynamicQuantizeLinear(x) }", opset=11)

# Constant scales and zero points are part of a quantized type.
# CONSTANT: %[[Q:.*]] = uma.graph.quantize %arg0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<u8:f32:1, {5.000000e-01:3,2.500000e-01:4,1.250000e-01:5}>>
# CONSTANT: uma.graph.storage_cast %[[Q]] : {{.*}} -> tensor<2x3xui8>
write(
    "constant",
    "(float[2,3] x) => (uint8[] y) { y = QuantizeLinear(x, s, z) }",
    s=np.float32([0.5, 0.25, 0.125]),
    z=np.uint8([3, 4, 5]),
)

# A scale of 0 is none: arithmetic says what becomes of it.
# NOSCALE: uma.graph.divide
write("noscale", "(float[2,3] x) => (uint8[] y) { y = QuantizeLinear(x, s) }", s=np.float32(0))
