"""Normalisations, Softmax and Dropout."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=OLD
# RUN: uma-translate --import-onnx %t/layer.onnx | FileCheck %s --check-prefix=LAYER
# RUN: uma-translate --import-onnx %t/training.onnx | FileCheck %s --check-prefix=TRAINING
# RUN: uma-translate --import-onnx %t/groups.onnx | FileCheck %s --check-prefix=GROUPS

from model import np, write, zeros

# CHECK: %[[N:.*]] = uma.graph.batch_norm %arg0, {{.*}} epsilon 0.00100000{{.*}} :
# CHECK: uma.graph.softmax %[[N]] : (tensor<1x2x3x4xf32>)
# CHECK: uma.graph.softmax %[[N]] axis 1 :
write(
    "new",
    """(float[1,2,3,4] x) => (float[] y, float[] z) {
      a = BatchNormalization<epsilon=0.001, momentum=0.9, training_mode=0>(x, s, s, s, s)
      b, mask = Dropout<seed=1>(a, ratio, training)
      y = Softmax(b)
      z = Softmax<axis=1>(b)
    }""",
    opset=15,
    s=zeros(2),
    ratio=np.float32(0.5).reshape(()),
    training=np.bool_(False).reshape(()),
)

# Until opset 12 all dimensions from the axis on are one.
# OLD: %[[D:.*]] = uma.graph.batch_norm
# OLD: %[[R:.*]] = uma.graph.reshape %[[D]] [2, 12] :
# OLD: %[[S:.*]] = uma.graph.softmax %[[R]] :
# OLD: uma.graph.reshape %[[S]] [1, 2, 3, 4] :
# OLD: uma.graph.softmax %[[D]] : (tensor<1x2x3x4xf32>)
write(
    "old",
    """(float[1,2,3,4] x) => (float[] y, float[] z) {
      a = BatchNormalization(x, s, s, s, s)
      b = Dropout<ratio=0.5>(a)
      y = Softmax<axis=2>(b)
      z = Softmax<axis=3>(b)
    }""",
    opset=11,
    s=zeros(2),
)

# A scale that broadcasts gets the shape of what is normalised; outputs that nobody names are not computed.
# LAYER: %[[O:.*]] = uma.graph.constant {{.*}} : tensor<3x4xf32>
# LAYER: %[[S:.*]] = uma.graph.multiply %{{.*}}, %[[O]] : (tensor<4xf32>, tensor<3x4xf32>)
# LAYER: uma.graph.layer_norm %arg0, %[[S]], %{{.*}} axis 1 epsilon
# LAYER-NOT: uma.graph.mean
# LAYER: %[[M:.*]] = uma.graph.mean %arg0 axis [2] keepdims true
# LAYER: %[[V:.*]] = uma.graph.mean
# LAYER: %[[E:.*]] = uma.graph.add %[[V]],
# LAYER: %[[D:.*]] = uma.graph.sqrt %[[E]]
# LAYER: %[[I:.*]] = uma.graph.divide %{{.*}}, %[[D]]
# LAYER: return %{{.*}}, %{{.*}}, %[[M]], %[[I]]
write(
    "layer",
    """(float[2,3,4] x) => (float[] a, float[] b, float[] m, float[] i) {
      a = LayerNormalization<axis=1>(x, s)
      b, m, i = LayerNormalization(x, s, s)
    }""",
    opset=17,
    s=zeros(4),
)

# The statistics of the batch, and those that move towards them.
# TRAINING: %[[M:.*]] = uma.graph.mean %arg0 axis [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
# TRAINING: %[[V:.*]] = uma.graph.mean
# TRAINING: uma.graph.multiply
# TRAINING: uma.graph.batch_norm %arg0, %{{.*}}, %{{.*}}, %[[M]], %[[V]]
write(
    "training",
    """(float[2,3,4] x) => (float[] y, float[] m, float[] v) {
      y, m, v = BatchNormalization<training_mode=1>(x, s, s, s, s)
    }""",
    opset=15,
    s=zeros(3),
)

# GROUPS: uma.graph.group_norm %arg0, %{{.*}}, %{{.*}} groups 4 epsilon
# GROUPS: uma.graph.lrn %arg0 size 3 {{.*}}alpha
# GROUPS: uma.graph.mean %arg0 axis [0, 2] keepdims true
# GROUPS: uma.graph.divide
# GROUPS: uma.graph.abs
# GROUPS: uma.graph.sum %{{.*}} axis [1] keepdims true
# GROUPS: uma.graph.where
# GROUPS: uma.graph.divide
# GROUPS: uma.graph.log_softmax %arg0 axis 1
write(
    "groups",
    """(float[2,4,3] x) => (float[] a, float[] b, float[] c, float[] d, float[] e) {
      a = InstanceNormalization(x, s, s)
      b = LRN<size=3>(x)
      c = MeanVarianceNormalization<axes=[0,2]>(x)
      d = LpNormalization<axis=1, p=1>(x)
      e = LogSoftmax<axis=1>(x)
    }""",
    s=zeros(4),
)
