"""Functions of the model that are wrong, and calls that do not fit them."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/recursive.onnx 2>&1 | FileCheck %s --check-prefix=RECURSIVE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/inputs.onnx 2>&1 | FileCheck %s --check-prefix=INPUTS
# RUN: not uma-translate --import-onnx %t/outputs.onnx 2>&1 | FileCheck %s --check-prefix=OUTPUTS
# RUN: not uma-translate --import-onnx %t/attribute.onnx 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
# RUN: not uma-translate --import-onnx %t/type.onnx 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not uma-translate --import-onnx %t/graph.onnx 2>&1 | FileCheck %s --check-prefix=GRAPH
# RUN: not uma-translate --import-onnx %t/name.onnx 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not uma-translate --import-onnx %t/omitted.onnx 2>&1 | FileCheck %s --check-prefix=OMITTED
# RUN: not uma-translate --import-onnx %t/returned.onnx 2>&1 | FileCheck %s --check-prefix=RETURNED
# RUN: not uma-translate --import-onnx %t/operator.onnx 2>&1 | FileCheck %s --check-prefix=OPERATOR
# RUN: not uma-translate --import-onnx %t/opsets.onnx 2>&1 | FileCheck %s --check-prefix=OPSETS
# RUN: not uma-translate --import-onnx %t/many.onnx 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not uma-translate --import-onnx %t/deep.onnx 2>&1 | FileCheck %s --check-prefix=DEEP

from model import make_model, save


def write(name: str, call: str, functions: str) -> None:
    graph = f"g (float[2] x) => (float[] y) {{ {call} }}"
    save(name, make_model(f'<ir_version: 8, opset_import: ["": 13, "my": 1]> {graph} {functions}'))


HEAD = '<domain: "my", opset_import: ["": 13]>'
LEAKY = HEAD + " f <slope> (x) => (y) { y = LeakyRelu<alpha: float = @slope>(x) }"

# RECURSIVE: error: node 'f_0/g_0/f_0' (my.f): the function calls itself: 'my.f -> my.g -> my.f'
write(
    "recursive",
    "y = my.f(x)",
    HEAD + " f (x) => (y) { y = my.g(x) } " + HEAD + " g (x) => (y) { y = my.f(x) }",
)
# TWICE: error: function 'my.f' is defined twice
write("twice", "y = my.f(x)", LEAKY + LEAKY)
# INPUTS: error: node 'f_0' (my.f): has 2 inputs; the function has 1
write("inputs", "y = my.f(x, x)", LEAKY)
# OUTPUTS: error: node 'f_0' (my.f): has 2 outputs; the function has 1
write("outputs", "y, z = my.f(x)", LEAKY)
# ATTRIBUTE: error: node 'f_0' (my.f): has the attribute 'slop', which the function does not have; did you mean 'slope'?
write("attribute", "y = my.f<slop=0.5>(x)", LEAKY)
# TYPE: error: node 'f_0/LeakyRelu_0' (LeakyRelu): attribute 'alpha' is an integer; expected a float
write("type", "y = my.f<slope=1>(x)", LEAKY)
# GRAPH: error: node 'f_0/LeakyRelu_0' (LeakyRelu): attribute 'alpha' is a graph; expected a float
write("graph", "y = my.f<slope = b () => (float[2] a) { a = Relu(x) }>(x)", LEAKY)
# NAME: error: node 'f_1/Add_0': nothing in the model gives 'z'
write("name", "z = Relu(x)  y = my.f(x)", HEAD + " f (x) => (y) { y = Add(x, z) }")
# OMITTED: error: node 'f_0/Add_0' (Add): has no input 'B'
write("omitted", "y = my.f(x)", HEAD + " f (x, z) => (y) { y = Add(x, z) }")
# RETURNED: error: output 'y' is an omitted input of a function, which is not supported
write("returned", "y = my.f(x)", HEAD + " f (x, y) => (y) { z = Relu(x) }")
# OPERATOR: error: 1 operator is not supported: 'h' of the domain 'my' (node 'f_0/h_0')
write("operator", "y = my.f(x)", HEAD + " f (x) => (y) { y = my.h(x) }")
# OPSETS: error: function 'my.f' imports the default operator set twice, as 13 and as 14
write("opsets", "y = my.f(x)", '<domain: "my", opset_import: ["": 13, "": 14]> f (x) => (y) { y = Relu(x) }')
# MANY: loops and functions would be unrolled to more than 20000 nodes, which is not supported
write(
    "many",
    "y = my.f40(x)",
    HEAD
    + " f0 (x) => (y) { y = Relu(x) }"
    + "".join(f"{HEAD} f{i} (x) => (y) {{ t = my.f{i - 1}(x) y = my.f{i - 1}(t) }}" for i in range(1, 41)),
)
# DEEP: is 2000 graphs deep, which is not supported
write(
    "deep",
    "y = my.f2001(x)",
    HEAD
    + " f0 (x) => (y) { y = Relu(x) }"
    + "".join(f"{HEAD} f{i} (x) => (y) {{ y = my.f{i - 1}(x) }}" for i in range(1, 2002)),
)
