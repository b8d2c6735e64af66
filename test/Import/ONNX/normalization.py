"""BatchNormalization, Softmax and Dropout."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=OLD

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
