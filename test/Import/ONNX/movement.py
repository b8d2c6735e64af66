"""Transpose, Concat, Pad and Cast."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/move.onnx | FileCheck %s
# RUN: uma-translate --import-onnx %t/old.onnx | FileCheck %s --check-prefix=OLD
# RUN: uma-translate --import-onnx %t/new.onnx | FileCheck %s --check-prefix=NEW

from model import np, write

# CHECK: uma.graph.transpose %arg0 [2, 1, 0] :
# CHECK: uma.graph.transpose %arg0 [0, 2, 1] :
# CHECK: uma.graph.concatenate %arg0, %arg0, %arg0 axis -1 : {{.*}} -> tensor<2x3x12xf32>
# CHECK: uma.graph.pad %arg0 before [0, 1, 0] after [0, 0, 2] value 1.500000e+00 : {{.*}} -> tensor<2x4x6xf32>
# CHECK: uma.graph.cast %arg0 to f16 :
# CHECK-NEXT: return {{.*}}, %arg0 :
write(
    "move",
    """(float[2,3,4] x) => (float[] a, float[] b, float[] c, float[] d, float16[] e, float[] f) {
      a = Transpose(x)
      b = Transpose<perm=[0,2,1]>(x)
      c = Concat<axis=-1>(x, x, x)
      d = Pad(x, pads, value)
      e = Cast<to=10>(x)
      f = Cast<to=1>(x)
    }""",
    pads=np.array([0, 1, 0, 0, 0, 2]),
    value=np.float32(1.5).reshape(()),
)
# OLD: uma.graph.pad %arg0 before [0, 1] after [0, 2] value 5.000000e-01 :
write(
    "old",
    '(float[2,3] x) => (float[] y) { y = Pad<mode="constant", pads=[0,1,0,2], value=0.5>(x) }',
    opset=7,
)
# NEW: uma.graph.pad %arg0 before [0, 0, 1] after [0, 0, 2] :
write(
    "new",
    "(float[2,3,4] x) => (float[] y) { y = Pad(x, pads, , axes) }",
    opset=18,
    pads=np.array([1, 2]),
    axes=np.array([-1]),
)
