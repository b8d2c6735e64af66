"""Pools of every kind and rank."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/pool.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/ranks.onnx | FileCheck %s --check-prefix=RANKS
# RUN: uma-translate --import-onnx %t/indices.onnx | FileCheck %s --check-prefix=INDICES
# RUN: uma-translate --import-onnx %t/unpool.onnx | FileCheck %s --check-prefix=UNPOOL
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s --check-prefix=NEW

from model import np, write

# CHECK: uma.graph.max_pool2d %{{.*}} size [2, 2] strides [2, 2] : {{.*}} -> tensor<1x2x3x3xf32>
# CHECK: uma.graph.max_pool2d %{{.*}} size [2, 2] strides [2, 2] dilations [2, 2] ceil_mode true : {{.*}} -> tensor<1x2x3x3xf32>
# CHECK: uma.graph.avg_pool2d %{{.*}} size [3, 3] padding [1, 1, 1, 1] count_include_pad true :
# CHECK: uma.graph.avg_pool2d %{{.*}} size [2, 2] padding [0, 0, 1, 1] :
# CHECK: uma.graph.global_avg_pool2d %{{.*}} : {{.*}} -> tensor<1x2x1x1xf32>
write(
    "pool",
    """(float[1,2,7,7] x) => (float[] a, float[] b, float[] c, float[] d, float[] e) {
      a = MaxPool<kernel_shape=[2,2], strides=[2,2]>(x)
      b = MaxPool<kernel_shape=[2,2], strides=[2,2], dilations=[2,2], ceil_mode=1, storage_order=0>(x)
      c = AveragePool<kernel_shape=[3,3], pads=[1,1,1,1], count_include_pad=1>(x)
      d = AveragePool<kernel_shape=[2,2], auto_pad="SAME_UPPER">(x)
      e = GlobalAveragePool(x)
    }""",
)

# NEW: uma.graph.avg_pool2d %{{.*}} size [2, 2] dilations [2, 2] : {{.*}} -> tensor<1x2x5x5xf32>
write(
    "new",
    "(float[1,2,7,7] x) => (float[] y) { y = AveragePool<kernel_shape=[2,2], dilations=[2,2]>(x) }",
    opset=19,
)

# One dimension is a height of 1; global pools do not care about dimensions.
# RANKS: %[[H:.*]] = uma.graph.reshape %{{.*}} [1, 2, 1, 7]
# RANKS: %[[M:.*]] = uma.graph.max_pool2d %[[H]] size [1, 3] strides [1, 2] padding [0, 1, 0, 0] ceil_mode true : {{.*}} -> tensor<1x2x1x4xf32>
# RANKS: uma.graph.reshape %[[M]] [1, 2, 4]
# RANKS: uma.graph.avg_pool3d %{{.*}} size [2, 2, 2] : {{.*}} -> tensor<1x2x3x3x3xf32>
# RANKS: uma.graph.lp_pool %{{.*}} size [3] strides [1] padding [0, 0] dilations [1] p 3 : {{.*}} -> tensor<1x2x5xf32>
# RANKS: %[[F:.*]] = uma.graph.reshape %{{.*}} [1, 2, 64, 1]
# RANKS: %[[G:.*]] = uma.graph.global_max_pool2d %[[F]]
# RANKS: uma.graph.reshape %[[G]] [1, 2, 1, 1, 1]
# RANKS: uma.graph.lp_pool %{{.*}} size [4, 4, 4] {{.*}} -> tensor<1x2x1x1x1xf32>
write(
    "ranks",
    """(float[1,2,7] x, float[1,2,4,4,4] v) => (float[] a, float[] b, float[] c, float[] d, float[] e) {
      a = MaxPool<kernel_shape=[3], strides=[2], pads=[1,0], ceil_mode=1>(x)
      b = AveragePool<kernel_shape=[2,2,2]>(v)
      c = LpPool<kernel_shape=[3], p=3>(x)
      d = GlobalMaxPool(v)
      e = GlobalLpPool<p=1>(v)
    }""",
)

# INDICES: uma.graph.max_pool_indices %{{.*}} size [2, 2] strides [2, 2] padding [0, 0, 0, 0] dilations [1, 1] column_major true : {{.*}} -> tensor<1x2x3x3xi64>
# INDICES: uma.graph.max_pool2d %{{.*}} size [2, 2] strides [2, 2] :
write(
    "indices",
    """(float[1,2,7,7] x) => (float[] y, int64[] i) {
      y, i = MaxPool<kernel_shape=[2,2], strides=[2,2], storage_order=1>(x)
    }""",
)

# UNPOOL: %[[ZEROS:.*]] = uma.graph.broadcast_to %{{.*}} [16]
# UNPOOL: %[[S:.*]] = uma.graph.scatter_elements %[[ZEROS]], %{{.*}}, %{{.*}} axis 0
# UNPOOL: %[[R:.*]] = uma.graph.reshape %[[S]] [1, 1, 4, 4]
# UNPOOL: uma.graph.pad %[[R]] before [0, 0, 0, 0] after [0, 0, 1, 1] : {{.*}} -> tensor<1x1x5x5xf32>
write(
    "unpool",
    """(float[1,1,2,2] x, int64[1,1,2,2] i) => (float[] y) {
      y = MaxUnpool<kernel_shape=[2,2], strides=[2,2]>(x, i, shape)
    }""",
    shape=np.array([1, 1, 5, 5]),
)
