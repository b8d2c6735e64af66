"""Flatten, Reshape, Squeeze and Unsqueeze."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/flatten.onnx | FileCheck %s --check-prefix=FLATTEN
# RUN: uma-translate --import-onnx %t/reshape.onnx | FileCheck %s --check-prefix=RESHAPE
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s --check-prefix=SQUEEZE
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=SQUEEZE

from model import np, write

# FLATTEN: uma.graph.batch_flatten %{{.*}} -> tensor<2x60xf32>
# FLATTEN: uma.graph.reshape %{{.*}} [1, 120]
# FLATTEN: uma.graph.reshape %{{.*}} [24, 5]
# FLATTEN: uma.graph.reshape %{{.*}} [120, 1]
write(
    "flatten",
    """(float[2,3,4,5] x) => (float[] a, float[] b, float[] c, float[] d) {
      a = Flatten(x)
      b = Flatten<axis=0>(x)
      c = Flatten<axis=-1>(x)
      d = Flatten<axis=4>(x)
    }""",
)

# The shape is an initializer, a Constant, or either behind an Identity; none of them is left as an operation.
# RESHAPE-NOT: constant
# RESHAPE: uma.graph.reshape %arg0 [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
# RESHAPE: uma.graph.reshape %arg0 [4, 6] :
# RESHAPE: uma.graph.reshape %arg0 [24] :
# RESHAPE-NOT: constant
write(
    "reshape",
    """(float[2,3,4] x) => (float[] a, float[] b, float[] c, float[] same) {
      s = Constant<value_ints=[4,6]>()
      t = Constant<value=int64[1]{-1}>()
      u = Identity(t)
      a = Reshape(x, shape)
      b = Reshape<allowzero=1>(x, s)
      c = Reshape(x, u)
      same = Reshape(x, old)
    }""",
    opset=14,
    shape=np.array([0, -1]),
    old=np.array([2, 3, 4]),
)

# SQUEEZE: uma.graph.reshape %arg0 [3, 1] : (tensor<1x3x1xf32>)
# SQUEEZE: uma.graph.reshape %arg0 [3] :
# SQUEEZE: uma.graph.reshape %arg0 [1, 1, 3, 1, 1] :
write(
    "new",
    """(float[1,3,1] x) => (float[] a, float[] b, float[] c) {
      a = Squeeze(x, first)
      b = Squeeze(x)
      c = Unsqueeze(x, ends)
    }""",
    first=np.array([0]),
    ends=np.array([-1, 0]),
)
write(
    "old",
    """(float[1,3,1] x) => (float[] a, float[] b, float[] c) {
      a = Squeeze<axes=[0]>(x)
      b = Squeeze(x)
      c = Unsqueeze<axes=[0,4]>(x)
    }""",
    opset=11,
)
