"""Elementwise operators, of old and new operator sets."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/compose.onnx | FileCheck %s --check-prefix=COMPOSE
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

# Run-time bounds; a minimum above the maximum, which wins.
# COMPOSE: uma.graph.maximum %[[X:.*]], %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
# COMPOSE: uma.graph.minimum %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
# COMPOSE: uma.graph.clip %{{.*}} min 1.000000e+00 max 1.000000e+00
# Any number of operands.
# COMPOSE: %[[AB:.*]] = uma.graph.maximum
# COMPOSE: uma.graph.maximum %[[AB]], %[[X]]
# COMPOSE: %[[SUM:.*]] = uma.graph.add
# COMPOSE: %[[TWO:.*]] = uma.graph.constant dense<2.000000e+00>
# COMPOSE: uma.graph.divide %[[SUM]], %[[TWO]]
# A float to an integer's power, an integer to a float's.
# COMPOSE: %[[E:.*]] = uma.graph.cast %[[I:.*]] to f32
# COMPOSE: uma.graph.power %[[X]], %[[E]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
# COMPOSE: %[[B64:.*]] = uma.graph.cast %[[I]] to f64
# COMPOSE: %[[E64:.*]] = uma.graph.cast %[[X]] to f64
# COMPOSE: %[[P:.*]] = uma.graph.power %[[B64]], %[[E64]]
# COMPOSE: uma.graph.cast %[[P]] to i32
# COMPOSE: uma.graph.floor_mod
# COMPOSE: uma.graph.mod
# COMPOSE: %[[INF:.*]] = uma.graph.isinf %[[X]] : (tensor<4xf32>) -> tensor<4xi1>
# COMPOSE: %[[POS:.*]] = uma.graph.greater %[[X]]
# COMPOSE: %[[D:.*]] = uma.graph.logical_and %[[INF]], %[[POS]]
# COMPOSE: uma.graph.cast %[[X]] to i1
# Without training everything is kept, as the mask says.
# COMPOSE: uma.graph.constant dense<true> : tensor<4xi1>
# COMPOSE: uma.graph.logical_and
# COMPOSE: uma.graph.where %[[D]], %{{.*}}, %[[X]]
write(
    "compose",
    """(float[4] x, float low, float high, int32[4] n) =>
        (float[] b, float[] s, int32[] q, int32[] m, float[] w, bool[] k) {
      a = Clip(x, low, high)
      b = Clip(a, two, one)
      c = Max(a, b, x)
      d = Identity(c)
      s = Mean(x, d)
      p = Pow(x, n)
      q = Pow(n, x)
      l = Mod(n, n)
      m = Mod<fmod=1>(l, n)
      i = IsInf<detect_negative=0>(x)
      h = Cast<to=9>(x)
      e, u = Dropout(p)
      k = And(h, u)
      w = Where(i, e, x)
    }""",
    opset=15,
    one=np.float32(1).reshape(()),
    two=np.float32(2).reshape(()),
)
