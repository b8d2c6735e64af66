// Where the workspace would be too large, chains of operators run in stripes of rows: as many as it takes, and no more.
// RUN: uma-opt %s --uma-lower="vectorize=false io=inside arena=20480" 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: uma-opt %s --uma-lower="vectorize=false io=inside arena=9216" 2>&1 | FileCheck %s --check-prefix=STRIPES
// RUN: uma-opt %s --uma-lower="vectorize=false io=inside arena=6144" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not uma-opt %s --uma-lower="vectorize=false io=inside arena=4000" -o %t.none 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: test ! -e %t.none
// RUN: uma-opt %s --uma-lower="vectorize=false io=inside stripe-rows=8" | FileCheck %s --check-prefix=EQUAL
// Marks by hand are kept, and nothing is added to them.
// RUN: sed 's/kernel_layout "HWIO" : (tensor<1x32x8x16xf32>/kernel_layout "HWIO" {uma.stripe_rows = 16 : i64} : (tensor<1x32x8x16xf32>/' %s > %t.marked
// RUN: not uma-opt %t.marked --uma-lower="vectorize=false io=inside arena=9216" 2>&1 | FileCheck %s --check-prefix=MARKED
// RUN: uma-opt %t.marked --uma-lower="vectorize=false io=inside arena=15000" | FileCheck %s --check-prefix=SIXTEEN

// MARKED:     error: network 'net' needs {{[0-9]+}} bytes of workspace
// MARKED-NOT: partial execution
// SIXTEEN: uma.tir.call @conv2d__rows_15__32

// WHOLE-NOT: remark
// WHOLE:     uma.tir.func @main({{.*}}uma.workspace_size
// WHOLE-NOT: uma.tir.view

// STRIPES:     arena.mlir:[[#@LINE+26]]:8: remark: runs in {{[45]}} stripes of {{[78]}} of 32 rows, with the layers from 'conv2d' on; recomputes {{9|12}}.{{[0-9]}} % of all multiply-accumulates
// STRIPES:     uma.tir.func @main({{.*}}uma.workspace_size = {{8[0-9]+|9[0-2][0-9]+}} : i64
// STRIPES:     uma.tir.view
// STRIPES-NOT: @concatenate

// ROWS: remark: runs in 32 stripes of 1 of 32 rows, with the layers from 'conv2d' on; recomputes 96.9 % of all multiply-accumulates

// FAILS: error: network '{{[a-z_0-9]+}}' needs [[SIZE:[0-9]+]] bytes of workspace, {{[0-9]+}} more than the capacity of 4000; no plan needs less than [[SIZE]]
// FAILS: note: the peak of [[SIZE]] live bytes is at layer 'conv2d [rows 0..3)'; live are 'x' (4096 bytes), 'y' (4096 bytes), 'conv2d [rows 0..3)' (1536 bytes)
// FAILS: note: partial execution, by stripes of rows: tried {{[0-9]+}} plans; the smallest takes [[SIZE]] bytes, with 'conv2d' to 'conv2d' in stripes of 1 row

// The first and the last stripe have functions of their own, all others share one.
// EQUAL-LABEL: uma.tir.func @main(
// EQUAL:         uma.tir.call @conv2d__rows_0__9__conv2d(
// EQUAL:         uma.tir.call @conv2d__rows_0__8__conv2d(
// EQUAL:         uma.tir.call @conv2d__rows_7__17__conv2d({{.*}}) {uma.layers = ["conv2d [rows 7..17)"]}
// EQUAL:         uma.tir.call @conv2d__rows_8__16__conv2d({{.*}}) {uma.layers = ["conv2d [rows 8..16)"]}
// EQUAL:         uma.tir.call @conv2d__rows_7__17__conv2d({{.*}}) {uma.layers = ["conv2d [rows 15..25)"]}
// EQUAL:         uma.tir.call @conv2d__rows_8__16__conv2d({{.*}}) {uma.layers = ["conv2d [rows 16..24)"]}
// EQUAL:         uma.tir.call @conv2d__rows_23__32__conv2d(
// EQUAL:         uma.tir.call @conv2d__rows_24__32__conv2d(
// EQUAL-NEXT:  }
func.func @main(%x: tensor<1x32x8x4xf32> {uma.name = "x"}) -> (tensor<1x32x8x4xf32> {uma.name = "y"}) attributes {uma.network = "net"} {
  %v = uma.graph.constant dense<0.125> : tensor<3x3x4x16xf32>
  %w = uma.graph.constant dense<0.25> : tensor<3x3x16x4xf32>
  %0 = uma.graph.conv2d %x, %v padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" : (tensor<1x32x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x32x8x16xf32>
  %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" : (tensor<1x32x8x16xf32>, tensor<3x3x16x4xf32>) -> tensor<1x32x8x4xf32>
  return %1 : tensor<1x32x8x4xf32>
}
