"""Branches and loops that are wrong or known only when the model runs."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/branches.onnx 2>&1 | FileCheck %s --check-prefix=BRANCHES
# RUN: not uma-translate --import-onnx %t/operator.onnx 2>&1 | FileCheck %s --check-prefix=OPERATOR
# RUN: not uma-translate --import-onnx %t/missing.onnx 2>&1 | FileCheck %s --check-prefix=MISSING
# RUN: not uma-translate --import-onnx %t/name.onnx 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not uma-translate --import-onnx %t/trips.onnx 2>&1 | FileCheck %s --check-prefix=TRIPS
# RUN: not uma-translate --import-onnx %t/condition.onnx 2>&1 | FileCheck %s --check-prefix=CONDITION
# RUN: not uma-translate --import-onnx %t/none.onnx 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not uma-translate --import-onnx %t/forever.onnx 2>&1 | FileCheck %s --check-prefix=FOREVER
# RUN: not uma-translate --import-onnx %t/inputs.onnx 2>&1 | FileCheck %s --check-prefix=INPUTS
# RUN: not uma-translate --import-onnx %t/scans.onnx 2>&1 | FileCheck %s --check-prefix=SCANS
# RUN: not uma-translate --import-onnx %t/lengths.onnx 2>&1 | FileCheck %s --check-prefix=LENGTHS

from model import np, write, zeros


def branch(name: str, attributes: str) -> None:
    write(name, f"(float[2] x, bool cond) => (float[] y) {{ y = If(cond) <{attributes}> }}")


def loop(name: str, body: str, inputs: str = "count, _, x", count: int = 2) -> None:
    write(
        name,
        f"(float[2] x, int64 trips, bool go) => (float[] y) {{ y = Loop({inputs}) <body = {body}> }}",
        count=np.int64(count).reshape(()),
    )


# BRANCHES: error: node 'If_0' (If): the results of its branches have the shapes 2 and 4, and the condition is known only when the model runs; only equal types are supported then
branch(
    "branches",
    "then_branch = yes () => (float[] a) { a = Relu(x) },"
    "else_branch = no () => (float[] a) { a = Concat<axis=0>(x, x) }",
)
# OPERATOR: error: 1 operator is not supported: 'Nothing' (node 'If_0/then/Nothing_0')
branch(
    "operator",
    "then_branch = yes () => (float[] a) { a = Nothing(x) }, else_branch = no () => (float[] a) { a = Relu(x) }",
)
# MISSING: error: node 'If_0' (If): needs the attribute 'else_branch'
branch("missing", "then_branch = yes () => (float[] a) { a = Relu(x) }")
# NAME: error: node 'If_0/then/Relu_0': nothing in the model gives 'z'
branch(
    "name",
    "then_branch = yes () => (float[] a) { a = Relu(z) }, else_branch = no () => (float[] a) { a = Relu(x) }",
)
# TRIPS: error: node 'Loop_0' (Loop): input 'M' is 'trips', an input of the model; only constants are supported (--const makes an input one)
step = "step (int64 i, bool c, float[2] s) => (bool d, float[] t)"
loop("trips", step + " { t = Relu(s)  d = Identity(c) }", inputs="trips, _, x")
# CONDITION: error: node 'Loop_0' (Loop): its condition is known only when the model runs
loop("condition", step + " { t = Relu(s)  d = And(c, go) }")
# NONE: error: node 'Loop_0' (Loop): makes no trip, so that an output has no elements, which is not supported
write(
    "none",
    """(float[2] x) => (float[] y) {
      y = Loop(count) <body = step (int64 i, bool c) => (bool d, float[] t) { t = Relu(x)  d = Identity(c) }>
    }""",
    count=np.int64(0).reshape(()),
)
# FOREVER: error: node 'Loop_0/{{[0-9]+}}': loops and functions would be unrolled to more than 20000 nodes, which is not supported
loop("forever", step + " { t = Relu(s)  d = Identity(c) }", inputs="_, _, x")
# INPUTS: error: node 'Loop_0/0': its graph has 2 inputs; expected 3
loop("inputs", "step (int64 i, bool c) => (bool d, float[] t) { t = Relu(x)  d = Identity(c) }")


def scan(name: str, attributes: str, inputs: str) -> None:
    body = "step (float[3] a, float[3] b) => (float[] c) { c = Add(a, b) }"
    write(
        name,
        f"(float[2,3] x, float[4,3] z) => (float[] y) {{ y = Scan<{attributes}, body = {body}>({inputs}) }}",
    )


# SCANS: error: node 'Scan_0' (Scan): attribute 'num_scan_inputs' is 3; expected 1 to 2
scan("scans", "num_scan_inputs=3", "x, x")
# LENGTHS: error: node 'Scan_0' (Scan): scans tensors of 2 and 4 slices
scan("lengths", "num_scan_inputs=2", "x, z")
