"""MaxPool, AveragePool and GlobalAveragePool."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/pool.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s --check-prefix=NEW

from model import write

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
