"""Constant in all its forms, Identity, and the forms in which a tensor is stored."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/constant.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/weights.onnx | FileCheck %s --check-prefix=WEIGHTS
# RUN: uma-translate --import-onnx %t/empty.onnx | FileCheck %s --check-prefix=EMPTY
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=OLD

import sys

from model import helper, make, np, onnx, save, write, zeros

# CHECK: dense<1.500000e+00> : tensor<f32>
# CHECK: dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
# CHECK: dense<7> : tensor<i64>
# CHECK: dense<[3, 4]> : tensor<2xi64>
# CHECK: dense<[5, 6]> : tensor<2xi8>
# CHECK-NOT: uma.graph
write(
    "constant",
    """() => (float[] a, float[] b, int64[] c, int64[] d, int8[] f) {
      a = Constant<value_float=1.5>()
      b = Constant<value_floats=[1.0, 2.0]>()
      c = Constant<value_int=7>()
      d = Constant<value_ints=[3, 4]>()
      e = Constant<value=int8[2]{5, 6}>()
      f = Identity(e)
    }""",
)

# Typed fields, raw data and another file; what nothing reads is dropped.
# WEIGHTS-NOT: unused
# WEIGHTS: dense<[true, false]> : tensor<2xi1>
# WEIGHTS: dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf16>
# WEIGHTS: dense<[1, 255]> : tensor<2xui8>
# WEIGHTS: dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
# WEIGHTS: dense_resource<large> : tensor<20xf32>
# WEIGHTS: dense_resource<mask> : tensor<80xi1>
# WEIGHTS: large: "0x10000000
# Bytes other than 0 are true: they are converted, not moved.
# WEIGHTS: mask: "0x1000000001010101
external = onnx.TensorProto(name="external", data_type=1, dims=[3], data_location=1)
for key, value in {"location": "weights.bin", "offset": "4", "length": "12"}.items():
    external.external_data.add(key=key, value=value)
model = make(
    """() => (bool[] a, float16[] b, uint8[] c, float[] d, float[] e, bool[] f) {
      a = Identity(flags) b = Identity(half) c = Identity(bytes) d = Identity(external) e = Identity(large) f = Identity(mask)
    }""",
    flags=np.array([True, False]),
    half=np.array([1.5, -2], np.float16),
    bytes=helper.make_tensor("bytes", 2, [2], [1, 255]),
    external=external,
    large=zeros(20),
    mask=onnx.TensorProto(name="mask", data_type=9, dims=[80], raw_data=b"\x02" * 80),
    unused=zeros(20),
)
save("weights", model)
np.array([9, 0, 1, 2], np.float32).tofile(sys.argv[1] + "/weights.bin")

# Tensors without elements are constants, and so is what operators compute from them: the sum is 0, and padding fills a
# slice without elements.
# EMPTY-DAG: uma.graph.add %arg0, %[[SUM:.*]] :
# EMPTY-DAG: %[[SUM]] = uma.graph.constant dense<0.000000e+00> : tensor<1x4xf32>
# EMPTY-DAG: uma.graph.constant dense<7.000000e+00> : tensor<2x4xf32>
# EMPTY-NOT: 0x4
# EMPTY-NOT: scatter
write(
    "empty",
    """(float[3,4] x) => (float[] y, float[] z, float[] s) {
      none = Concat<axis=0>(e, e)
      sum = ReduceSum(none, axis)
      y = Add(x, sum)
      slice = Slice(x, begin, axis)
      z = Pad(slice, pads, value)
      u = ScatterND(x, none_index, none)
      s = Neg(u)
    }""",
    none_index=np.zeros((0, 1), np.int64),
    e=zeros(0, 4),
    axis=np.int64([0]),
    begin=np.int64([0]),
    pads=np.int64([1, 0, 1, 0]),
    value=np.float32(7).reshape(()),
)

# Until version 3 of the format initializers are inputs, too.
# OLD: func.func @main(%arg0: tensor<2xf32> {uma.name = "x"}) ->
# OLD: uma.graph.constant
old = make("(float[2] x, float[2] w) => (float[] y) { y = Add(x, w) }", opset=8, w=zeros(2))
old.ir_version = 3
save("old", old)
