"""Functions of the model become their nodes."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/nested.onnx --mlir-print-debuginfo | FileCheck %s
# RUN: uma-translate --import-onnx %t/newer.onnx | FileCheck %s --check-prefix=NEWER
# RUN: uma-translate --import-onnx %t/optional.onnx | FileCheck %s --check-prefix=OPTIONAL
# RUN: uma-translate --import-onnx %t/branches.onnx | FileCheck %s --check-prefix=BRANCHES
# RUN: uma-translate --import-onnx %t/names.onnx | FileCheck %s --check-prefix=NAMES
# RUN: uma-translate --import-onnx %t/deep.onnx | FileCheck %s --check-prefix=DEEP
# RUN: uma-translate --import-onnx %t/deep-branches.onnx | FileCheck %s --check-prefix=DEEP

import numpy as np
import onnx
from model import make_model, save
from onnx import helper

# A function calls one of another opset, in which ReduceSum has its axes as an attribute. The attribute of the call
# reaches it through another name. Names of values in functions are their own.

# CHECK: %[[A:.*]] = uma.graph.constant dense<2.500000e-01>
# CHECK: %[[B:.*]] = uma.graph.multiply %arg0, %[[A]]
# CHECK: %[[S:.*]] = uma.graph.sum %[[B]] axis [1] keepdims {{.*}} loc(#[[SUM:.*]])
# CHECK: uma.graph.relu %[[S]]
# CHECK: #[[SUM]] = loc("outer_0/inner_1/ReduceSum_0")
save(
    "nested",
    make_model(
        """<ir_version: 8, opset_import: ["": 13, "my": 1]> g (float[2,3] x) => (float[] y) { y = my.outer<a=0.25>(x) }
        <domain: "my", opset_import: ["": 13, "my": 1]> outer <a> (x) => (y) {
          t = my.scale<factor: float = @a>(x)  s = my.inner(t)  y = Relu(s)
        }
        <domain: "my", opset_import: ["": 13]> scale <factor> (x) => (y) {
          t = Constant<value_float: float = @factor>()  y = Mul(x, t)
        }
        <domain: "my", opset_import: ["": 11]> inner (x) => (y) { y = ReduceSum<axes = [1]>(x) }"""
    ),
)


def add_bytes(message, number: int, content: bytes) -> None:
    """Adds a field that onnx 1.12 does not know."""
    assert len(content) < 128
    message.MergeFromString(bytes([number << 3 | 2, len(content)]) + content)


# Attributes with a default, and two functions of one name that differ in their overload.

# NEWER: uma.graph.leaky_relu %arg0 alpha 2.500000e-01
# NEWER: uma.graph.leaky_relu %{{.*}} alpha 5.000000e-01
# NEWER: uma.graph.tanh
model = make_model(
    """<ir_version: 10, opset_import: ["": 13, "my": 1]> g (float[2] x) => (float[] y) {
      a = my.f(x)  b = my.f<slope=0.5>(a)  y = my.f(b)
    }
    <domain: "my", opset_import: ["": 13]> f (x) => (y) { y = LeakyRelu<alpha: float = @slope>(x) }
    <domain: "my", opset_import: ["": 13]> f (x) => (y) { y = Tanh(x) }"""
)
add_bytes(model.functions[0], 11, helper.make_attribute("slope", 0.25).SerializeToString())
add_bytes(model.functions[1], 13, b"tanh")
add_bytes(model.graph.node[2], 8, b"tanh")
save("newer", model)

# Calls that omit an input, an output and an attribute.

# OPTIONAL: %[[A:.*]] = uma.graph.clip %arg0
# OPTIONAL: %[[B:.*]] = uma.graph.leaky_relu %[[A]] alpha 1.000000e-02
# OPTIONAL: return %[[B]]
model = make_model(
    """<ir_version: 8, opset_import: ["": 13, "my": 1]> g (float[2] x, float high) => (float[] y) {
      y, unused = my.f(x, _, two)
    }
    <domain: "my", opset_import: ["": 13]> f <slope> (x, low, high) => (y, z) {
      t = Clip(x, low, high)  y = LeakyRelu<alpha: float = @slope>(t)  z = Exp(y)
    }""",
    two=np.float32(2).reshape(()),
)
model.graph.node[0].output[1] = ""
save("optional", model)

# Bodies of If in a function see its attributes and names, but not those of the caller.

# BRANCHES: %[[T:.*]] = uma.graph.leaky_relu %arg0 alpha 5.000000e-01
# BRANCHES: %[[E:.*]] = uma.graph.exp %arg0
# BRANCHES: uma.graph.where %{{.*}}, %[[T]], %[[E]]
save(
    "branches",
    make_model(
        """<ir_version: 8, opset_import: ["": 13, "my": 1]> g (float[2] z, bool c) => (float[] y) {
          y = my.f<slope=0.5>(z, c)
        }
        <domain: "my", opset_import: ["": 13]> f <slope> (x, c) => (y) {
          y = If(c) <
            then_branch = yes () => (float[2] a) { a = LeakyRelu<alpha: float = @slope>(x) },
            else_branch = no () => (float[2] a) { a = Exp(x) }>
        }"""
    ),
)

# A function has priority over an operator of its name.

# NAMES: uma.graph.tanh %arg0
# NAMES: uma.graph.relu
# NAMES-NOT: uma.graph
save(
    "names",
    make_model(
        """<ir_version: 8, opset_import: ["": 13, "com.microsoft": 1]> g (float[2] x) => (float[] y) {
          t = com.microsoft.Gelu(x)  y = Mish(t)
        }
        <domain: "com.microsoft", opset_import: ["": 13]> Gelu (x) => (y) { y = Tanh(x) }
        <domain: "", opset_import: ["": 13]> Mish (x) => (y) { y = Relu(x) }"""
    ),
)

# DEEP: uma.graph.relu %arg0
# DEEP-NOT: uma.graph
model = make_model(
    """<ir_version: 8, opset_import: ["": 13, "my": 1]> g (float[2] x) => (float[] y) { y = my.f1000(x) }
    <domain: "my", opset_import: ["": 13]> f0 (x) => (y) { y = Relu(x) }"""
)
for number in range(1, 1001):
    function = model.functions.add(name=f"f{number}", domain="my", input=["x"], output=["y"])
    function.node.add(op_type=f"f{number - 1}", domain="my", input=["x"], output=["y"])
save("deep", model)

graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [], [onnx.ValueInfoProto(name="y")])
for _ in range(1000):
    node = helper.make_node("If", ["c"], ["y"])
    for name in ("then_branch", "else_branch"):
        node.attribute.add(name=name, type=onnx.AttributeProto.GRAPH).g.output.add(name="x")
    node.attribute[0].g.CopyFrom(graph)
    graph = onnx.GraphProto(name="g", node=[node], output=graph.output)
graph.input.append(helper.make_tensor_value_info("x", 1, [2]))
graph.initializer.append(helper.make_tensor("c", onnx.TensorProto.BOOL, [], [1]))
save("deep-branches", helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]))
