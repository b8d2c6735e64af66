"""Reduce..., ArgMax, CumSum, TopK, Hardmax."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/reduce.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/inputs.onnx | FileCheck %s --check-prefix=INPUTS
# RUN: uma-translate --import-onnx %t/composed.onnx | FileCheck %s --check-prefix=COMPOSED
# RUN: uma-translate --import-onnx %t/axis.onnx | FileCheck %s --check-prefix=AXIS

from model import np, write

# CHECK: uma.graph.max %arg0 axis [0, 1] keepdims true : (tensor<2x3xf32>) -> tensor<1x1xf32>
# CHECK: uma.graph.mean %arg0 axis [-1] : (tensor<2x3xf32>) -> tensor<2xf32>
# CHECK: uma.graph.sum %arg0 axis [1] :
write(
    "reduce",
    """(float[2,3] x) => (float[] a, float[] b, float[] c) {
      a = ReduceMax(x)
      b = ReduceMean<axes=[-1], keepdims=0>(x)
      c = ReduceSum<axes=[1], keepdims=0>(x)
    }""",
    opset=11,
)

# Later the axes are an input; without axes no elements are combined where the model says so.
# INPUTS: uma.graph.min %arg0 axis [1] :
# INPUTS-NEXT: %[[S:.*]] = uma.graph.multiply %arg0, %arg0
# INPUTS-NEXT: return %{{.*}}, %arg0, %[[S]]
write(
    "inputs",
    """(float[2,3] x) => (float[] a, float[] b, float[] c) {
      a = ReduceMin<keepdims=0>(x, axes)
      b = ReduceSum<noop_with_empty_axes=1>(x)
      c = ReduceSumSquare<noop_with_empty_axes=1>(x)
    }""",
    opset=18,
    axes=np.array([1], "int64"),
)

# Half precision is widened for all of a composition; roots of integers are those of f64.
# COMPOSED: %[[W:.*]] = uma.graph.cast %arg0 to f32
# COMPOSED: %[[M:.*]] = uma.graph.multiply %[[W]], %[[W]]
# COMPOSED: %[[S:.*]] = uma.graph.sum %[[M]] axis [0]
# COMPOSED: %[[R:.*]] = uma.graph.sqrt %[[S]]
# COMPOSED: uma.graph.cast %[[R]] to f16
# COMPOSED: %[[A:.*]] = uma.graph.abs %arg1
# COMPOSED: uma.graph.sum %[[A]]
# COMPOSED: %[[I:.*]] = uma.graph.sum %arg1
# COMPOSED: %[[F:.*]] = uma.graph.cast %[[I]] to f64
# COMPOSED: %[[L:.*]] = uma.graph.log %[[F]]
# COMPOSED: uma.graph.cast %[[L]] to i32
write(
    "composed",
    """(float16[2] x, int32[2] i) => (float16[] a, int32[] b, int32[] c) {
      a = ReduceL2(x)
      b = ReduceL1(i)
      c = ReduceLogSum(i)
    }""",
)

# AXIS: uma.graph.argmax %arg0 axis 0 keepdims true : (tensor<2x3xf32>) -> tensor<1x3xi64>
# AXIS: uma.graph.argmin %arg0 axis 1 select_last_index true : (tensor<2x3xf32>) -> tensor<2xi64>
# AXIS: uma.graph.cumsum %arg0 axis 1 exclusive true :
# AXIS: %[[H:.*]] = uma.graph.argmax %arg0 axis 1 keepdims true
# AXIS: %[[C:.*]] = uma.graph.constant dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi64>
# AXIS: %[[E:.*]] = uma.graph.equal %[[H]], %[[C]]
# AXIS: uma.graph.cast %[[E]] to f32
write(
    "axis",
    """(float[2,3] x) => (int64[] a, int64[] b, float[] c, float[] d) {
      a = ArgMax(x)
      b = ArgMin<axis=1, keepdims=0, select_last_index=1>(x)
      c = CumSum<exclusive=1>(x, axis)
      d = Hardmax(x)
    }""",
    axis=np.array(1, "int64"),
)
