// What is decided about the CPU's layers prints, may be edited, and is kept.
// RUN: uma-opt %s --uma-cpu-plan --mlir-print-debuginfo -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: uma-opt %s --uma-lower | FileCheck %s --check-prefix=LOWERED
// RUN: uma-opt %t.mlir --uma-cpu-plan --mlir-print-debuginfo | diff %t.mlir -
// RUN: uma-opt %s --uma-lower -o %t.direct.mlir
// RUN: uma-opt %t.mlir --uma-lower | diff %t.direct.mlir -
// The same plan is a stage of uma-lower, which goes on from it.
// RUN: uma-opt %s --uma-lower=until=planned --mlir-print-debuginfo -o %t.stage.mlir
// RUN: FileCheck %s < %t.stage.mlir
// RUN: uma-opt %t.stage.mlir --uma-lower | diff %t.direct.mlir -
// RUN: uma-opt %s --uma-lower=until=mapped | FileCheck %s
// RUN: not uma-opt %s --uma-lower=until=mapping 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: uma-lower: until is 'mapping', expected 'planned', 'mapped' or 'plain'

// One layer by hand: another tile.
// RUN: sed 's/<avx2, tile = 6x2x8>/<avx2, tile = 4x2x8>/' %t.mlir > %t.edited.mlir
// RUN: not diff %t.mlir %t.edited.mlir
// RUN: uma-opt %t.edited.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=EDITED

// A database that is not there.
// RUN: not uma-opt %s --uma-cpu-plan=tuning=%t.none.json 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}.none.json: {{[Nn]}}o such file or directory

// CHECK: call @conv_conv2d_relu
// CHECK: uma.schedules = [#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16>, <avx2, tile = 6x2x8>
// LOWERED: uma.tir.func private @conv_conv2d_relu
// EDITED: uma.tir.alloc local label "sum" : memref<4x16xf32>
func.func @main(%x: tensor<1x16x28x28xf32>) -> tensor<1x32x28x28xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x28x28xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x28x28xf32> loc("conv")
  %1 = uma.graph.relu %0 : (tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32> loc("relu")
  return %1 : tensor<1x32x28x28xf32>
}
