"""Models that cannot be compiled: one line that says why, the documented exit status, and nothing left behind."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/../Import/ONNX/Inputs %python -B %s %t/models %source/examples/digits/digits.onnx
# RUN: cd %t && sh -c 'for model in missing models/folder models/empty models/text models/cut_start models/cut_middle models/cut_end models/flip_name models/flip_length models/flip_operator models/operators models/symbolic; do %python %S/Inputs/status.py uma compile $model.onnx -a vanilla -o out; done' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# RUN: cd %t && sh -c 'for shape in x=2x4 x=1 x=2x5 z=2x4 x=0x4 x=axb x; do %python %S/Inputs/status.py uma compile models/symbolic.onnx --shape $shape -o $shape; done' | FileCheck %s --match-full-lines --check-prefix=SHAPE --implicit-check-not={{.}}
# RUN: cd %t && sh -c 'for model in missing models/folder models/empty models/no_network models/other models/wrong; do %python %S/Inputs/status.py uma compile $model.mlir -o out; done; %python %S/Inputs/status.py uma explain models/other.mlir -a vanilla; %python %S/Inputs/status.py uma compile models/model.tflow -o out; %python %S/Inputs/status.py uma compile models -o out; %python %S/Inputs/status.py uma compile models/wrong.mlir --shape x=1 -o out' | FileCheck %s --match-full-lines --check-prefix=MLIR --implicit-check-not={{.}}
# RUN: not ls %t/out
# RUN: ls %t | FileCheck %s --match-full-lines --check-prefix=LEFT --implicit-check-not={{.}}

import os
import sys

import onnx
from model import write, zeros

folder, digits = sys.argv[1:]
os.makedirs(os.path.join(folder, "folder.onnx"))
os.makedirs(os.path.join(folder, "folder.mlir"))


def put(name, contents):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(contents)


def flip(old, new):
    """The digits with one bit changed."""
    assert data.count(old) >= 1 and bin(old[-1] ^ new[-1]).count("1") == 1 and old[:-1] == new[:-1]
    return data.replace(old, new, 1)


with open(digits, "rb") as file:
    data = file.read()

# CHECK: uma: error: missing.onnx: no such file
# CHECK-NEXT: status 2, 1 lines of errors
# CHECK-NEXT: models/folder.onnx: error: cannot be read: Is a directory
# CHECK-NEXT: status 2, 1 lines of errors
put("empty.onnx", b"")
# CHECK-NEXT: models/empty.onnx: error: is empty
# CHECK-NEXT: status 2, 1 lines of errors
put("text.onnx", b"hello world\n")
# CHECK-NEXT: models/text.onnx: error: is no ONNX model: it is no protobuf of one, or it is damaged
# CHECK-NEXT: status 2, 1 lines of errors
put("cut_start.onnx", data[:10])
# CHECK-NEXT: models/cut_start.onnx: error: is no ONNX model: it is no protobuf of one, or it is damaged
# CHECK-NEXT: status 2, 1 lines of errors
put("cut_middle.onnx", data[:len(data) // 2])
# CHECK-NEXT: models/cut_middle.onnx: error: is no ONNX model: it is no protobuf of one, or it is damaged
# CHECK-NEXT: status 2, 1 lines of errors
put("cut_end.onnx", data[:-5])
# CHECK-NEXT: models/cut_end.onnx: error: is no ONNX model: it is no protobuf of one, or it is damaged
# CHECK-NEXT: status 2, 1 lines of errors
put("flip_name.onnx", flip(b"conv2.w", b"conv2.v"))
# CHECK-NEXT: models/flip_name.onnx: error: node 'conv2': nothing in the model gives 'conv2.veight'; did you mean 'conv2.weight'?
# CHECK-NEXT: status 2, 1 lines of errors
put("flip_length.onnx", data[:1148] + bytes([data[1148] ^ 0x80]) + data[1149:])
# CHECK-NEXT: models/flip_length.onnx: error: is no ONNX model: it is no protobuf of one, or it is damaged
# CHECK-NEXT: status 2, 1 lines of errors
put("flip_operator.onnx", flip(b"BatchN", b"BatchO"))
# CHECK-NEXT: models/flip_operator.onnx: error: 1 operator is not supported: 'BatchOormalization' (node 'bn1')
# CHECK-NEXT: status 3, 1 lines of errors
write("operators", """(float[4] x) => (float[4] y, float[4] z) {
    a = StringNormalizer(x)
    b = Relu(a)
    y = StringNormalizer(b)
    z = Bernoulli(b)
}""")
model = onnx.load(os.path.join(folder, "operators.onnx"))
for node, name in zip(model.graph.node, ["first", "relu", "second", "third"]):
    node.name = name
onnx.save(model, os.path.join(folder, "operators.onnx"))
# CHECK-NEXT: models/operators.onnx: error: 2 operators are not supported: 'StringNormalizer' (nodes 'first', 'second'), 'Bernoulli' (node 'third')
# CHECK-NEXT: status 3, 1 lines of errors
write("symbolic", "(float[N,4] x) => (float[N,3] y) { y = Gemm(x, w) }", w=zeros(4, 3))
# CHECK-NEXT: models/symbolic.onnx: error: input 'x': the size of dimension 0 ('N') is not known; give the input's shape, e.g. --shape x=1x4
# CHECK-NEXT: status 2, 1 lines of errors

# SHAPE: wrote x=2x4
# SHAPE-NEXT: status 0, 0 lines of errors
# SHAPE-NEXT: models/symbolic.onnx: error: input 'x' has 2 dimensions, but the given shape 1 has 1
# SHAPE-NEXT: status 2, 1 lines of errors
# SHAPE-NEXT: models/symbolic.onnx: error: input 'x': the given shape 2x5 changes dimension 1, which the model fixes to 4
# SHAPE-NEXT: status 2, 1 lines of errors
# SHAPE-NEXT: models/symbolic.onnx: error: a shape is given for 'z', which is no input of the model
# SHAPE-NEXT: status 2, 1 lines of errors
# SHAPE-NEXT: uma: error: --shape=x=0x4: expected name=1x3x32x32 with positive sizes
# SHAPE-NEXT: status 2, 1 lines of errors
# SHAPE-NEXT: uma: error: --shape=x=axb: expected name=1x3x32x32 with positive sizes
# SHAPE-NEXT: status 2, 1 lines of errors
# SHAPE-NEXT: uma: error: --shape=x: expected name=1x3x32x32 with positive sizes
# SHAPE-NEXT: status 2, 1 lines of errors

put("empty.mlir", b"")
put("no_network.mlir", b"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }\n")
put("other.mlir", b"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "other"} {
  %y = math.absf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
""")
put("wrong.mlir", b"""func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> attributes {uma.network = "wrong"} {
  %y = uma.graph.relu %x : (tensor<4xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}
""")
put("model.tflow", b"")
# MLIR: uma: error: missing.mlir: no such file
# MLIR-NEXT: status 2, 1 lines of errors
# MLIR-NEXT: uma: error: cannot open input file 'models/folder.mlir': Is a directory
# MLIR-NEXT: status 2, 1 lines of errors
# MLIR-NEXT: uma: error: models/empty.mlir: holds no network; give the attribute 'uma.network = "name"' to the function that is one
# MLIR-NEXT: status 2, 1 lines of errors
# MLIR-NEXT: uma: error: models/no_network.mlir: holds no network; give the attribute 'uma.network = "name"' to the function that is one
# MLIR-NEXT: status 2, 1 lines of errors
# MLIR-NEXT: models/other.mlir:2:8: error: the graph stage ends with 'math.absf'; functions may hold only uma.graph operators, func.call and func.return
# MLIR-NEXT: status 3, 1 lines of errors
# MLIR-NEXT: models/wrong.mlir:2:8: error: 'uma.graph.relu' op result has type 'tensor<5xf32>', expected 'tensor<4xf32>' from the operands and attributes
# MLIR-NEXT: status 2, 1 lines of errors

# `uma explain` of one of these agrees with `uma compile`; then kinds of files that are no models, and --shape for MLIR.

# MLIR-NEXT: models/other.mlir:2:8: error: the graph stage ends with 'math.absf'; functions may hold only uma.graph operators, func.call and func.return
# MLIR-NEXT: status 3, 1 lines of errors
# MLIR-NEXT: uma: error: models/model.tflow: unknown kind of model; expected a file ending in .onnx, .tflite, .mlir or .mlirbc
# MLIR-NEXT: status 2, 1 lines of errors
# MLIR-NEXT: uma: error: models: unknown kind of model; expected a file ending in .onnx, .tflite, .mlir or .mlirbc
# MLIR-NEXT: status 2, 1 lines of errors
# MLIR-NEXT: uma: error: --shape is for ONNX models; the sizes of 'models/wrong.mlir' are in its types
# MLIR-NEXT: status 2, 1 lines of errors

# LEFT: models
# LEFT-NEXT: x=2x4
