"""Quantized tensors: operators between dequantize and quantize, which become integer layers."""
# RUN: %python -B %s %t
# RUN: uma-translate --import-tflite %t/layer.tflite | FileCheck %s
# RUN: uma-translate --import-tflite %t/layer.tflite | uma-opt --uma-graph-fold-quantization | FileCheck %s --check-prefix=FOLD
# RUN: uma-translate --import-tflite %t/requantize.tflite | FileCheck %s --check-prefix=RE
# RUN: uma-translate --import-tflite %t/weights.tflite | FileCheck %s --check-prefix=WEIGHTS
# RUN: uma-translate --import-tflite %t/wide.tflite | FileCheck %s --check-prefix=WIDE
# RUN: uma-translate --import-tflite %t/plain.tflite | FileCheck %s --check-prefix=PLAIN

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

# CHECK: func.func @main(%arg0: tensor<1x2x2x3xui8> {uma.name = "x"}) -> (tensor<1x2x2x2xui8> {uma.name = "y"})
# CHECK: %[[X:.*]] = uma.graph.storage_cast %arg0 : (tensor<1x2x2x3xui8>) -> tensor<1x2x2x3x!quant.uniform<u8:f32, 5.000000e-01:128>>
# CHECK: %[[XR:.*]] = uma.graph.dequantize %[[X]]
# CHECK: %[[W:.*]] = uma.graph.storage_cast %{{.*}} : (tensor<2x1x1x3xi8>) -> tensor<2x1x1x3x!quant.uniform<i8:f32:0, {2.500000e-01,5.000000e-01}>>
# CHECK: %[[WR:.*]] = uma.graph.dequantize %[[W]]
# CHECK: %[[B:.*]] = uma.graph.storage_cast %{{.*}} : (tensor<2xi32>) -> tensor<2x!quant.uniform<i32:f32:0, {1.250000e-01,2.500000e-01}>>
# CHECK: %[[BR:.*]] = uma.graph.dequantize %[[B]]
# CHECK: %[[SUM:.*]] = uma.graph.conv2d %[[XR]], %[[WR]] layout "NHWC" kernel_layout "OHWI"
# CHECK: %[[BIASED:.*]] = uma.graph.bias_add %[[SUM]], %[[BR]] axis 3
# CHECK: %[[CLIPPED:.*]] = uma.graph.clip %[[BIASED]]
# CHECK: %[[Y:.*]] = uma.graph.quantize %[[CLIPPED]] : {{.*}} -> tensor<1x2x2x2x!quant.uniform<u8:f32, 1.250000e-01>>
# CHECK: uma.graph.storage_cast %[[Y]]
# FOLD-NOT: uma.graph.dequantize
# FOLD: uma.graph.conv2d {{.*}} -> tensor<1x2x2x2x!quant.uniform<i32:f32:3, {1.250000e-01,2.500000e-01}>>
# FOLD: uma.graph.requantize %{{.*}} clamp [0, 48]
model = Model()
x = model.input("x", (1, 2, 2, 3), "uint8", scale=0.5, zero=128)
w = model.constant("w", np.arange(6, dtype="int8").reshape(2, 1, 1, 3), scale=[0.25, 0.5], zero=[0, 0])
b = model.constant("b", np.array([5, -5], "int32"), scale=[0.125, 0.25], zero=[0, 0])
y = model.tensor("y", (1, 2, 2, 2), "uint8", scale=0.125)
options = {"padding": "VALID", "stride_w": 1, "stride_h": 1, "fused_activation_function": "RELU6"}
model.add("CONV_2D", [x, w, b], [y], "Conv2D", **options)
model.write("layer", [y])

# A tensor of one scale is quantized to another one; floats at both ends.
# RE: %[[Q:.*]] = uma.graph.quantize %arg0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
# RE: %[[R:.*]] = uma.graph.dequantize %[[Q]]
# RE: %[[S:.*]] = uma.graph.quantize %[[R]] : {{.*}} -> tensor<4x!quant.uniform<u8:f32, 2.500000e-01:131>>
# RE: %[[F:.*]] = uma.graph.dequantize %[[S]]
# RE: return %[[F]]
model = Model()
x = model.input("x", (4,))
first = model.tensor("first", (4,), "int8", scale=0.5, zero=3)
second = model.tensor("second", (4,), "uint8", scale=0.25, zero=131)
y = model.tensor("y", (4,))
model.add("QUANTIZE", [x], [first])
model.add("QUANTIZE", [first], [second])
model.add("DEQUANTIZE", [second], [y])
model.write("requantize", [y])

# Quantized weights of a float layer, 4 bits wide: two to a byte, the first in the low bits.
# WEIGHTS: dense<{{\[}}[1, -2], [7, -8]{{\]}}> : tensor<2x2xi8>
# WEIGHTS: uma.graph.dequantize
# WEIGHTS: uma.graph.dense %arg0, %{{.*}} : (tensor<1x2xf32>, tensor<2x2xf32>)
model = Model()
x = model.input("x", (1, 2))
packed = np.array([0xE1, 0x87], "uint8")
w = model.constant("w", packed, "INT4", shape=[2, 2], scale=0.5)
y = model.tensor("y", (1, 2))
model.add("FULLY_CONNECTED", [x, w], [y], "FullyConnected")
model.write("weights", [y])

# Activations of 16 bits have a bias of 64 bits.
# WIDE: dense<[2.500000e-01, -5.000000e-01]> : tensor<2xf32>
# WIDE: uma.graph.quantize {{.*}} -> tensor<1x2x!quant.uniform<i16:f32, 5.000000e-01>>
model = Model()
x = model.input("x", (1, 2), "int16", scale=0.5)
w = model.constant("w", np.ones((2, 2), "int8"), scale=0.5)
b = model.constant("b", np.array([1, -2], "int64"), scale=0.25)
y = model.tensor("y", (1, 2), "int16", scale=0.5)
model.add("FULLY_CONNECTED", [x, w, b], [y], "FullyConnected")
model.write("wide", [y])

# Integers without a scale are integers.
# PLAIN: uma.graph.add %arg0, %arg0 : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
model = Model()
x = model.input("x", (4,), "int8")
y = model.tensor("y", (4,), "int8")
model.add("ADD", [x, x], [y], "Add")
model.write("plain", [y])

# With TensorFlow Lite's rounding, layers are imported on integers.
# RUN: uma-translate --import-tflite %t/layer.tflite --rounding=tflite | FileCheck %s --check-prefix=FIXED
# RUN: uma-translate --import-tflite %t/sums.tflite --rounding=tflite | FileCheck %s --check-prefix=SUMS
# FIXED-NOT: dequantize
# FIXED: uma.graph.conv2d {{.*}} -> tensor<1x2x2x2x!quant.uniform<i32:f32:3, {1.250000e-01,2.500000e-01}>>
# FIXED: uma.graph.requantize %{{.*}} clamp [0, 48] rounding "tflite"
# SUMS-COUNT-2: uma.graph.requantize {{.*}} rounding "tflite" : {{.*}} -> tensor<4x!quant.uniform<i32:f32, 9.5367431640625E-7>>
# SUMS: %[[S:.*]] = uma.graph.add %{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
# SUMS: %[[Q:.*]] = uma.graph.storage_cast %[[S]]
# SUMS: uma.graph.requantize %[[Q]] clamp [3, 127] rounding "tflite"
# Others round halves away from zero.
# SUMS: uma.graph.quantize %{{.*}} rounding "tflite"
model = Model()
x = model.input("x", (4,), "int8", scale=0.5)
b = model.input("b", (4,), "int8", scale=0.25, zero=-1)
y = model.tensor("y", (4,), "int8", scale=1, zero=3)
z = model.tensor("z", (4,), "int8", scale=1, zero=3)
model.add("ADD", [x, b], [y], "Add", fused_activation_function="RELU")
model.add("TANH", [y], [z])
model.write("sums", [z])
