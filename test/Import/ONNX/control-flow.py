"""If, Loop and Scan: branches in place, loops unrolled."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/if.onnx --mlir-print-debuginfo | FileCheck %s --check-prefix=IF
# RUN: uma-translate --import-onnx %t/select.onnx | FileCheck %s --check-prefix=SELECT
# RUN: uma-translate --import-onnx %t/loop.onnx --mlir-print-debuginfo | FileCheck %s --check-prefix=LOOP
# RUN: uma-translate --import-onnx %t/until.onnx | FileCheck %s --check-prefix=UNTIL
# RUN: uma-translate --import-onnx %t/scan.onnx | FileCheck %s --check-prefix=SCAN
# RUN: uma-translate --import-onnx %t/batch.onnx | FileCheck %s --check-prefix=BATCH

from model import np, write, zeros

# A known condition takes its branch; the other one may hold anything. Branches see the names around them, also
# those that are made later in the file.
# IF: %[[R:.*]] = uma.graph.relu %{{.*}} loc(#[[RELU:.*]])
# IF: %[[Y:.*]] = uma.graph.add %[[R]], %{{.*}} loc(#[[ADD:.*]])
# IF: return %[[Y]]
# IF-DAG: #[[ADD]] = loc("If_0/then/Add_0")
write(
    "if",
    """(float[2] x) => (float[] y) {
      y = If(cond) <then_branch = yes () => (float[] a) { a = Add(r, x) },
                    else_branch = no () => (float[] b) { b = NoOperator(x) }>
      r = Relu(x)
    }""",
    cond=np.bool_(True).reshape(()),
)

# Where the condition is data, both branches are computed.
# SELECT: %[[A:.*]] = uma.graph.add
# SELECT: %[[B:.*]] = uma.graph.multiply
# SELECT: %[[C:.*]] = uma.graph.reshape %{{.*}} [] : (tensor<1xi1>) -> tensor<i1>
# SELECT: uma.graph.where %[[C]], %[[A]], %[[B]]
write(
    "select",
    """(float[2] x, bool[1] cond) => (float[] y) {
      y = If(cond) <then_branch = yes () => (float[] a) { a = Add(x, x) },
                    else_branch = no () => (float[] a) { a = Mul(x, x) }>
    }""",
)

# LOOP: %[[S0:.*]] = uma.graph.add %[[X:.*]], %[[X]] {{.*}} loc(#[[TRIP0:.*]])
# LOOP: %[[S1:.*]] = uma.graph.add %[[S0]], %[[X]] {{.*}} loc(#[[TRIP1:.*]])
# LOOP: %[[Y0:.*]] = uma.graph.reshape %[[S0]] [1, 2]
# LOOP: %[[Y1:.*]] = uma.graph.reshape %[[S1]] [1, 2]
# LOOP: %[[Y:.*]] = uma.graph.concatenate %[[Y0]], %[[Y1]] axis 0 : {{.*}} -> tensor<2x2xf32>
# LOOP: return %[[S1]], %[[Y]]
# LOOP-DAG: #[[TRIP0]] = loc("Loop_0/0/Add_0")
# LOOP-DAG: #[[TRIP1]] = loc("Loop_0/1/Add_0")
write(
    "loop",
    """(float[2] x) => (float[] last, float[] all) {
      last, all = Loop(count, _, x) <body = step (int64 i, bool c, float[2] s) => (bool d, float[] t, float[] u) {
        t = Add(s, x)
        u = Identity(t)
        d = Identity(c)
      }>
    }""",
    count=np.int64(2).reshape(()),
)

# The condition is computed from the number of the trip: three trips.
# UNTIL-COUNT-3: uma.graph.add
# UNTIL-NOT: uma.graph.add
write(
    "until",
    """(float[2] x) => (float[] y) {
      y = Loop(_, yes, x) <body = step (int64 i, bool c, float[2] s) => (bool d, float[] t) {
        t = Add(s, x)
        d = Less(i, two)
      }>
    }""",
    yes=np.bool_(True).reshape(()),
    two=np.int64(2).reshape(()),
)

# The input is read backwards along axis 1, the output written along axis 1.
# SCAN: uma.graph.strided_slice %{{.*}} [0, 1] size [3, 1] strides [1, 1]
# SCAN: %[[A:.*]] = uma.graph.reshape %{{.*}} [3]
# SCAN: %[[S0:.*]] = uma.graph.add %{{.*}}, %[[A]]
# SCAN: uma.graph.strided_slice %{{.*}} [0, 0] size [3, 1] strides [1, 1]
# SCAN: %[[S1:.*]] = uma.graph.add %[[S0]],
# SCAN: uma.graph.concatenate %{{.*}} axis 1 : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
write(
    "scan",
    """(float[3] s, float[3,2] x) => (float[] last, float[] all) {
      last, all = Scan<num_scan_inputs=1, scan_input_axes=[1], scan_input_directions=[1], scan_output_axes=[1],
        body = step (float[3] a, float[3] b) => (float[] c, float[] d) {
          c = Add(a, b)
          d = Identity(c)
        }>(s, x)
    }""",
)

# BATCH-COUNT-4: uma.graph.add
# BATCH: uma.graph.concatenate {{.*}} -> tensor<2x3xf32>
# BATCH: uma.graph.concatenate {{.*}} -> tensor<2x2x3xf32>
write(
    "batch",
    """(float[2,3] s, float[2,2,3] x) => (float[] last, float[] all) {
      last, all = Scan<num_scan_inputs=1, body = step (float[3] a, float[3] b) => (float[] c, float[] d) {
          c = Add(a, b)
          d = Identity(c)
        }>(_, s, x)
    }""",
    opset=8,
)
