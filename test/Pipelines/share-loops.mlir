// Loops are shared before memory is planned, and only if threads run them.
// RUN: uma-opt %s --uma-lower='share-loops=true overlap=unshared' -o /dev/null --mlir-disable-threading --mlir-print-ir-after-all 2>&1 \
// RUN:   | grep 'IR Dump After' | FileCheck %s
// RUN: uma-opt %s --uma-lower -o /dev/null --mlir-disable-threading --mlir-print-ir-after-all 2>&1 \
// RUN:   | grep 'IR Dump After' | FileCheck %s --check-prefix=ALONE --implicit-check-not=share-loops --implicit-check-not=reuse-buffers
// RUN: not uma-opt %s --uma-lower=overlap=shared -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not uma-opt %s --uma-lower=shared-work=-1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WORK

// WORK: uma-lower: shared-work is -1, expected 0 or more instructions
// CHECK: (uma-tir-share-loops)
// CHECK: (uma-tir-hoist-alloc)
// CHECK: (uma-tir-reuse-buffers)
// CHECK: (uma-tir-plan-memory)
// ALONE: (uma-tir-hoist-alloc)
// OVERLAP: overlap is 'shared', expected none, declared, unshared or proven; did you mean 'unshared'?
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {uma.network = "net"} {
  %0 = uma.graph.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
