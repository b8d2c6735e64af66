// Errors of the passes reach the user of mlir-opt.
// RUN: not mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(uma-partition{accelerators=vanila})' 2>&1 | FileCheck %s

// CHECK: unknown accelerator 'vanila'{{.*}}did you mean 'vanilla'?
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
