"""Arithmetic, Relu and Clip, of old and new operator sets."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=OLD

from model import np, write

# CHECK: uma.graph.add %{{.*}}, %{{.*}} : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
# CHECK: uma.graph.subtract
# CHECK: uma.graph.multiply
# CHECK: uma.graph.divide
# CHECK: uma.graph.relu
# CHECK: uma.graph.clip %{{.*}} min 0.000000e+00 max 6.000000e+00
# CHECK: uma.graph.clip %{{.*}} min -3.4028234663852886E+38 max 6.000000e+00
# CHECK: uma.graph.clip %{{.*}} min 0.000000e+00 max 2.550000e+02 : (tensor<4xui8>)
# CHECK: uma.graph.clip %{{.*}} min -3.276800e+04 max 3.276700e+04 : (tensor<4xi16>)
write(
    "new",
    """(float[2,3,4] x, float[3,1] z, uint8[4] u, int16[4] i) =>
        (float[] f, float[] g, uint8[] h, int16[] j) {
      a = Add(x, z)
      b = Sub(a, z)
      c = Mul(b, z)
      d = Div(c, z)
      e = Relu(d)
      f = Clip(e, zero, six)
      g = Clip(e, , six)
      h = Clip(u)
      j = Clip(i)
    }""",
    zero=np.float32(0).reshape(()),
    six=np.float32(6).reshape(()),
)

# The second operand starts at dimension 1 of the first.
# OLD: %[[Z:.*]] = uma.graph.reshape %{{.*}} [3, 1]
# OLD: uma.graph.add %{{.*}}, %[[Z]] : (tensor<2x3x4xf32>, tensor<3x1xf32>)
# OLD: uma.graph.clip %{{.*}} min -3.4028234663852886E+38 max 6.000000e+00
write(
    "old",
    """(float[2,3,4] x, float[3] z) => (float[] y) {
      a = Add<broadcast=1, axis=1>(x, z)
      y = Clip<max=6.0>(a)
    }""",
    opset=6,
)
