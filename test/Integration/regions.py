"""Two convolutions in a row: merged into one region they are two calls of the device in one function, apart they are
two functions. The numbers are the same, and are numpy's."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t > %t/told.txt
# RUN: FileCheck %s --match-full-lines --implicit-check-not={{.}} < %t/told.txt

# The layers of the C: the public function calls each once.
# RUN: FileCheck %s --check-prefix=MERGED --implicit-check-not=vanilla_conv2dnchw < %t/merged/chain.c
# RUN: FileCheck %s --check-prefix=APART --implicit-check-not=vanilla_conv2dnchw < %t/apart/chain.c

# The same of the passes alone, where a bare list of accelerators and named options both do.
# RUN: uma-opt %t/chain.mlir --uma-partition=vanilla | FileCheck %s --check-prefix=ONE --implicit-check-not=composite
# RUN: uma-opt %t/chain.mlir --uma-partition="accelerators=vanilla merge-regions=false" | FileCheck %s --check-prefix=TWO --implicit-check-not=composite
# RUN: not uma-opt %t/chain.mlir --uma-partition="accelerators=vanilla merge-region=false" 2>&1 | FileCheck %s --check-prefix=OPTION

import json
import os
import sys

import numpy as np
from convolution import Convolution, uma

os.chdir(sys.argv[1])
first = Convolution("first", (1, 3, 7, 9), (4, 3, 3, 3), padding=(1, 1, 1, 1))
second = Convolution("second", (1, 4, 7, 9), (5, 4, 1, 3), padding=(0, 1, 0, 1))
with open("chain.mlir", "w") as file:
    file.write("""func.func @main(%x: tensor<1x3x7x9xf32> {uma.name = "x"}, %v: tensor<4x3x3x3xf32> {uma.name = "v"},
    %w: tensor<5x4x1x3xf32> {uma.name = "w"}) -> (tensor<1x5x7x9xf32> {uma.name = "y"})
    attributes {uma.network = "chain"} {
  %0 = uma.graph.conv2d %x, %v padding [1, 1, 1, 1]
      : (tensor<1x3x7x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x9xf32> loc("first")
  %1 = uma.graph.conv2d %0, %w padding [0, 1, 0, 1]
      : (tensor<1x4x7x9xf32>, tensor<5x4x1x3xf32>) -> tensor<1x5x7x9xf32> loc("second")
  return %1 : tensor<1x5x7x9xf32>
}
""")
np.save("x.npy", first.data)
np.save("v.npy", first.weight)
np.save("w.npy", second.weight)
second.data = first.expected()
expected = second.expected()

outputs = {}
for name, options in {"merged": [], "apart": ["--merge-regions=false"], "cpu": None}.items():
    accelerators = [] if options is None else ["-a", "vanilla", *options]
    uma("compile", "chain.mlir", *accelerators, "-o", name)
    told = uma("run", name, "--compare", "--input", "x=x.npy", "--input", "v=v.npy", "--input", "w=w.npy",
               "--output-dir", name + "_outputs")
    outputs[name] = np.load(name + "_outputs/y.npy")
    error = np.abs(outputs[name] - expected).max() / np.abs(expected).max()
    with open(name + "/metadata.json") as file:
        layers = [f"{layer['name']} on {layer['target']}" for layer in json.load(file)["layers"]]
    print(f"{name}: {layers}, interpreter {'equal' if 'y: equal' in told else told},"
          f" numpy {'equal' if error <= 1e-6 else error}")
print("merged as apart:", np.array_equal(outputs["merged"], outputs["apart"]))

# CHECK: merged: ['first on vanilla', 'second on vanilla'], interpreter equal, numpy equal
# CHECK-NEXT: apart: ['first on vanilla', 'second on vanilla'], interpreter equal, numpy equal
# CHECK-NEXT: cpu: ['first on cpu', 'second on cpu'], interpreter equal, numpy equal
# CHECK-NEXT: merged as apart: True

# MERGED: static int32_t chain_first_vanilla(
# MERGED: UMA_DEVICE_CALL("first", "vanilla_conv2dnchw");
# MERGED: vanilla_conv2dnchw({{.*}}, 4, 9, 7, 3, 3, 3);
# MERGED: UMA_ON_ERROR("first",
# MERGED-NOT: {{^}}}
# MERGED: UMA_DEVICE_CALL("second", "vanilla_conv2dnchw");
# MERGED: vanilla_conv2dnchw({{.*}}, 5, 9, 7, 4, 1, 3);
# MERGED: UMA_ON_ERROR("second",
# MERGED: int32_t chain_run(
# MERGED-COUNT-1: = chain_{{.*}}_vanilla(
# MERGED-NOT: = chain_{{.*}}_vanilla(
# MERGED: #ifdef UMA_RUN_LAYERS

# APART: static int32_t chain_first_vanilla(
# APART: vanilla_conv2dnchw({{.*}}, 4, 9, 7, 3, 3, 3);
# APART: {{^}}}
# APART: static int32_t chain_second_vanilla(
# APART: vanilla_conv2dnchw({{.*}}, 5, 9, 7, 4, 1, 3);
# APART: int32_t chain_run(
# APART-COUNT-2: = chain_{{.*}}_vanilla(
# APART-NOT: = chain_{{.*}}_vanilla(
# APART: #ifdef UMA_RUN_LAYERS

# ONE: func.func @main(
# ONE: %[[R:.*]] = call @main_vanilla_0(
# ONE-NEXT: return %[[R]]
# ONE: func.func private @main_vanilla_0(
# ONE-SAME: uma.target = #uma.target<"vanilla">
# ONE: uma.graph.composite @vanilla::@conv2d
# ONE: uma.graph.composite @vanilla::@conv2d
# ONE-NOT: func.func

# TWO: func.func @main(
# TWO: %[[F:.*]] = call @main_vanilla_0(
# TWO-NEXT: %[[R:.*]] = call @main_vanilla_1(%[[F]],
# TWO-NEXT: return %[[R]]
# TWO: func.func private @main_vanilla_0(
# TWO: uma.graph.composite @vanilla::@conv2d
# TWO: func.func private @main_vanilla_1(
# TWO: uma.graph.composite @vanilla::@conv2d

# OPTION: no such option merge-region
