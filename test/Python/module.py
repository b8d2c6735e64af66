"""Modules from Python: text in and out, pipelines of this project and of upstream, ONNX in."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %source/examples/digits/digits.onnx | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import sys

import uma

text = """module {
  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = uma.graph.relu %arg0 : (tensor<4xf32>) -> tensor<4xf32>
    %1 = uma.graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""
module = uma.Module.parse(text)
# CHECK: True
print(str(module) == text)

# Passes of both, down to loops of upstream's.
module.run_pipeline("builtin.module(convert-uma-graph-to-linalg,func.func(linalg-fuse-elementwise-ops),one-shot-bufferize,"
                    "func.func(convert-linalg-to-loops))")
# CHECK-NEXT: 1 loops, 0 of uma
print(str(module).count("scf.for"), "loops,", str(module).count("uma."), "of uma")

# The module stays as it was where a pass fails, also one after others.
before = str(module)
try:
    module.run_pipeline("builtin.module(canonicalize,symbol-dce,uma-partition{opt-level=9})")
    print("no exception")
except uma.Error as error:
    # CHECK-NEXT: {{.*}}error: uma-graph-default: opt-level is 9, expected 0 to 4
    print(error)
# CHECK-NEXT: True
print(str(module) == before)

# Locations keep the names of layers, which messages tell.
network = uma.import_onnx(sys.argv[1])
# CHECK-NEXT: False True
print('loc("conv1")' in str(network), 'loc("conv1")' in network.text(locations=True))
again = uma.Module.parse(network.text(locations=True))
again.run_pipeline("builtin.module(uma-partition{accelerators=vanilla})")
# CHECK-NEXT: 3 functions on vanilla
print(str(again).count('uma.target = #uma.target<"vanilla"'), "functions on vanilla")
network.run_pipeline("builtin.module(uma-partition{accelerators=vanilla},uma-lower,uma-emit-c)")
# CHECK-NEXT: True
print("emitc.func" in str(network))
