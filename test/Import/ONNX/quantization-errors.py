"""Scales and zero points that do not fit the data."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/scale.onnx 2>&1 | FileCheck %s --check-prefix=SCALE
# RUN: not uma-translate --import-onnx %t/axis.onnx 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not uma-translate --import-onnx %t/zero.onnx 2>&1 | FileCheck %s --check-prefix=ZERO
# RUN: not uma-translate --import-onnx %t/floats.onnx 2>&1 | FileCheck %s --check-prefix=FLOATS
# RUN: not uma-translate --import-onnx %t/block.onnx 2>&1 | FileCheck %s --check-prefix=BLOCK
# RUN: not uma-translate --import-onnx %t/double.onnx 2>&1 | FileCheck %s --check-prefix=DOUBLE

from model import write

# SCALE: error: node 'QuantizeLinear_0' (QuantizeLinear): input 'y_scale' has the shape 4, which does not fit data of the shape 2x3 along axis 1
write("scale", "(float[2,3] x, float[4] s) => (uint8[] y) { y = QuantizeLinear(x, s) }")
# AXIS: error: node 'QuantizeLinear_0' (QuantizeLinear): axis 2 is out of range; expected -2 to 1
write("axis", "(float[2,3] x, float[3] s) => (uint8[] y) { y = QuantizeLinear<axis=2>(x, s) }")
# ZERO: error: node 'DequantizeLinear_0' (DequantizeLinear): input 'x_zero_point' has the shape a scalar; expected 3, that of 'x_scale'
write("zero", "(int8[2,3] x, float[3] s, int8 z) => (float[] y) { y = DequantizeLinear(x, s, z) }")
# FLOATS: error: node 'DequantizeLinear_0' (DequantizeLinear): input 'x' holds floats; expected integers
write("floats", "(float[2,3] x, float s) => (float[] y) { y = DequantizeLinear(x, s) }")
# BLOCK: error: node 'DequantizeLinear_0' (DequantizeLinear): attribute 'block_size' is -4; expected 0 or more
write("block", "(int8[2,6] x, float[2,2] s) => (float[] y) { y = DequantizeLinear<block_size=-4>(x, s) }", opset=21)
# DOUBLE: error: node 'DynamicQuantizeLinear_0' (DynamicQuantizeLinear): input 'x' has other elements than floats of 32 bits
write("double", "(double[2,6] x) => (uint8[] y) { y = DynamicQuantizeLinear(x) }")
