"""Operators without a rule: one error names all of them and their nodes."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/unknown.onnx 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/one.onnx 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: not uma-translate --import-onnx %t/old.onnx 2>&1 | FileCheck %s --check-prefix=OLD
# RUN: not uma-translate --import-onnx %t/new.onnx 2>&1 | FileCheck %s --check-prefix=NEW
# RUN: not uma-translate --import-onnx %t/twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/none.onnx 2>&1 | FileCheck %s --check-prefix=NONE

from model import make, save, write

# UNKNOWN: unknown.onnx: error: 3 operators are not supported: 'Optional' (nodes 'optional_1', 'Optional_3'), 'SequenceEmpty' (node 'SequenceEmpty_1'), 'FusedConv' of the domain 'com.microsoft' (node 'FusedConv_2')
unknown = make(
    """(float[1,4] x) => (float[] y) {
      a = Optional(x)
      b = SequenceEmpty()
      c = com.microsoft.FusedConv(x)
      d = Optional(x)
      y = Relu(d)
    }""",
    domains=("com.microsoft",),
)
unknown.graph.node[0].name = "optional_1"
save("unknown", unknown)
# ONE: one.onnx: error: 1 operator is not supported: 'TfIdfVectorizer' (node 'TfIdfVectorizer_0')
write("one", "(float[4] x) => (float[] y) { y = TfIdfVectorizer(x) }")
# OLD: error: 2 operators are not supported: 'Add' of opset 5, supported from opset 6 (node 'Add_0'), 'ConvInteger' of opset 5, supported from opset 10 (node 'ConvInteger_1'); onnx.version_converter converts models to other opsets
write("old", "(float[4] x) => (float[] y) { y = Add(x, x) z = ConvInteger(x, x) }", opset=5)
# NEW: error: 1 operator is not supported: 'Conv' of opset 28, supported up to opset 27 (node 'Conv_0')
write("new", "(float[4] x) => (float[] y) { y = Conv(x, x) }", opset=28)
# TWICE: error: imports the default operator set twice, as 13 and as 14
twice = make("(float[4] x) => (float[] y) { y = Relu(x) }")
twice.opset_import.add(domain="ai.onnx", version=14)
save("twice", twice)
# NONE: error: does not say which version of the default operator set it uses
none = make("(float[4] x) => (float[] y) { y = Relu(x) }")
del none.opset_import[:]
save("none", none)
