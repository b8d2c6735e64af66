// Tiles, loops and buffers of layers on a device with a memory of 1 KiB: 4 operations in a cycle, a DMA of 4 bytes in a
// cycle that needs 10 cycles to start.

// RUN: uma-opt %s --uma-accel-map | FileCheck %s
// RUN: uma-opt %s --uma-accel-map=double-buffers=false | FileCheck %s --check-prefix=SINGLE
// RUN: uma-opt %s --uma-accel-map=serpentine=false | FileCheck %s --check-prefix=ROWS
// RUN: uma-opt %s --uma-accel-map="double-buffers=false serpentine=false" | FileCheck %s --check-prefix=BOTH
// The decision is made once; a second run keeps it, whatever its options.
// RUN: uma-opt %s --uma-accel-map --uma-accel-map="double-buffers=false serpentine=false" | FileCheck %s
// RUN: uma-opt %s --uma-accel-map=report -verify-diagnostics

uma.accel.accelerator @npu {
  uma.accel.memory "sram" align 16 {
    %size = arith.constant 1024 : index
    uma.accel.yield %size
  }
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait_dma"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait_core"(%commands) : index
    %macs = arith.constant 4 : index
    uma.accel.yield %macs
  }
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%to, %from, %rows, %row_bytes, %stride)
        : index, !uma.accel.tensor, index, index, index
    %setup = arith.constant 10 : index
    %bandwidth = arith.constant 4 : index
    uma.accel.yield %setup, %bandwidth
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n]
    uma.accel.tile %n by 16
    uma.accel.place %x in "sram"
    uma.accel.call "npu_relu"(%x, %y, %n) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor, index
  }
  uma.accel.pattern @dense {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" f32 [%n, %k]
    %w = uma.accel.input "w" f32 [%m, %k]
    %t = uma.accel.op "dense"(%x, %w) as "t"
    uma.accel.result %t f32 [%n, %m]
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.result %y f32 [%n, %m]
    uma.accel.tile %n by 4
    uma.accel.tile %m by 4
    uma.accel.tile %k by 4
    uma.accel.place %x, %w, %t in "sram"
    %first = uma.accel.first %t
    %start = arith.index_castui %first : i1 to index
    %row = uma.accel.stride %y, %n
    %nm = arith.muli %n, %m : index
    %nmk = arith.muli %nm, %k : index
    %c4 = arith.constant 4 : index
    %cycles = arith.divsi %nmk, %c4 : index
    uma.accel.call "npu_dense"(%x, %w, %t, %n, %m, %k, %start) on "core" cycles %cycles
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index, index, index
    uma.accel.call "npu_relu_rows"(%t, %y, %n, %m, %row) on "core" cycles %n
        : !uma.accel.tensor, !uma.accel.tensor, index, index, index
  }
  uma.accel.pattern @tanh {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.call "npu_tanh"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// One tile: 10 + 16 cycles for its 64 bytes, then 16.
// CHECK-LABEL: func.func @one
// CHECK: uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0]>}
// SINGLE-LABEL: func.func @one
// SINGLE: uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0]>}
// ROWS-LABEL: func.func @one
// ROWS: uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0], rows>}
// BOTH-LABEL: func.func @one
// BOTH: uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0], rows>}
func.func @one(%a: tensor<16xf32>) -> tensor<16xf32> {
  // expected-remark @+1 {{#uma.accel.mapping<loops = [], buffers = [x at 0]>: 42 cycles, loads 64 bytes, 4 commands, dma 26, core 16}}
  %0 = uma.graph.composite @npu::@relu (%x = %a : tensor<16xf32>) -> tensor<16xf32> {
    %1 = uma.graph.relu %x : (tensor<16xf32>) -> tensor<16xf32>
    uma.graph.yield %1 : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// A layer that does not fit: 11 tiles, each loaded while the one before is computed. The DMA is always busy: 11 times 10
// cycles and 1024. The last tile starts when the core has finished the one before: 10 * 106 + 96 + 64 cycles.
// Without double buffers, the tiles are as large as the memory, and nothing runs at the same time: 4 * (266 + 256).
// CHECK-LABEL: func.func @large
// CHECK: uma.mapping = #uma.accel.mapping<loops = [n by 96], buffers = [x at 1 double]>}
// SINGLE-LABEL: func.func @large
// SINGLE: uma.mapping = #uma.accel.mapping<loops = [n by 256], buffers = [x at 1]>}
// ROWS-LABEL: func.func @large
// ROWS: uma.mapping = #uma.accel.mapping<loops = [n by 96], buffers = [x at 1 double], rows>}
// BOTH-LABEL: func.func @large
// BOTH: uma.mapping = #uma.accel.mapping<loops = [n by 256], buffers = [x at 1], rows>}
func.func @large(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  // expected-remark @+1 {{#uma.accel.mapping<loops = [n by 96], buffers = [x at 1 double]>: 1220 cycles, loads 4096 bytes, 43 commands, dma 1134, core 1024}}
  %0 = uma.graph.composite @npu::@relu (%x = %a : tensor<1024xf32>) -> tensor<1024xf32> {
    %1 = uma.graph.relu %x : (tensor<1024xf32>) -> tensor<1024xf32>
    uma.graph.yield %1 : tensor<1024xf32>
  }
  return %0 : tensor<1024xf32>
}

// Equal layers have one mapping: the second one is not searched, and has no remark.
// CHECK-LABEL: func.func @equal
// CHECK: uma.mapping = #uma.accel.mapping<loops = [n by 96], buffers = [x at 1 double]>}
// CHECK: uma.mapping = #uma.accel.mapping<loops = [n by 96], buffers = [x at 1 double]>}
func.func @equal(%a: tensor<1008xf32>) -> tensor<1008xf32> {
  // expected-remark @+1 {{1204 cycles, loads 4032 bytes}}
  %0 = uma.graph.composite @npu::@relu (%x = %a : tensor<1008xf32>) -> tensor<1008xf32> {
    %1 = uma.graph.relu %x : (tensor<1008xf32>) -> tensor<1008xf32>
    uma.graph.yield %1 : tensor<1008xf32>
  }
  %2 = uma.graph.composite @npu::@relu (%x = %0 : tensor<1008xf32>) -> tensor<1008xf32> {
    %3 = uma.graph.relu %x : (tensor<1008xf32>) -> tensor<1008xf32>
    uma.graph.yield %3 : tensor<1008xf32>
  }
  return %2 : tensor<1008xf32>
}

// A mapping that is there stays, and is not that of equal layers.
// CHECK-LABEL: func.func @kept
// CHECK: uma.mapping = #uma.accel.mapping<loops = [n by 32], buffers = [x at 1], rows>}
// CHECK: uma.mapping = #uma.accel.mapping<loops = [n by {{[0-9]+}}], buffers = [x at 1 double]>}
func.func @kept(%a: tensor<512xf32>) -> tensor<512xf32> {
  %0 = uma.graph.composite @npu::@relu (%x = %a : tensor<512xf32>) -> tensor<512xf32>
      attributes {uma.mapping = #uma.accel.mapping<loops = [n by 32], buffers = [x at 1], rows>} {
    %1 = uma.graph.relu %x : (tensor<512xf32>) -> tensor<512xf32>
    uma.graph.yield %1 : tensor<512xf32>
  }
  // expected-remark @+1 {{loads 2048 bytes}}
  %2 = uma.graph.composite @npu::@relu (%x = %0 : tensor<512xf32>) -> tensor<512xf32> {
    %3 = uma.graph.relu %x : (tensor<512xf32>) -> tensor<512xf32>
    uma.graph.yield %3 : tensor<512xf32>
  }
  return %2 : tensor<512xf32>
}

// A sum in pieces, with three tensors in the memory. The call adds up, so that `t` stays outside of the loop over `k`.
// CHECK-LABEL: func.func @sum
// CHECK: uma.mapping = #uma.accel.mapping<loops = [{{[nmk] by .*}}], buffers = [x at {{[0-9].*}}, w at {{[0-9].*}}, t at {{[0-9].*}}]>}
// SINGLE-LABEL: func.func @sum
// SINGLE-NOT: double
// SINGLE: uma.mapping = #uma.accel.mapping<loops = [{{[nmk] by .*}}], buffers = [x at {{[0-9]}}, w at {{[0-9]}}, t at {{[0-9]}}]{{(, rows)?}}>}
// ROWS-LABEL: func.func @sum
// ROWS: uma.mapping = #uma.accel.mapping<loops = [{{[nmk] by .*}}], buffers = [x at {{[0-9].*}}, w at {{[0-9].*}}, t at {{[0-9].*}}], rows>}
// BOTH-LABEL: func.func @sum
// BOTH: uma.mapping = #uma.accel.mapping<loops = [{{[nmk] by .*}}], buffers = [x at {{[0-9]}}, w at {{[0-9]}}, t at {{[0-9]}}], rows>}
func.func @sum(%a: tensor<16x64xf32>, %b: tensor<16x64xf32>) -> tensor<16x16xf32> {
  // expected-remark-re @+1 {{loads {{[0-9]+}} bytes, {{[0-9]+}} commands, dma {{[0-9]+}}, core 4}}
  %0 = uma.graph.composite @npu::@dense (%x = %a : tensor<16x64xf32>, %w = %b : tensor<16x64xf32>) -> tensor<16x16xf32> {
    %1 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x16xf32>
    %2 = uma.graph.relu %1 : (tensor<16x16xf32>) -> tensor<16x16xf32>
    uma.graph.yield %2 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// Patterns without tiles have no mapping.
// CHECK-LABEL: func.func @untiled
// CHECK-NOT: uma.mapping
func.func @untiled(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = uma.graph.composite @npu::@tanh (%x = %a : tensor<64xf32>) -> tensor<64xf32> {
    %1 = uma.graph.tanh %x : (tensor<64xf32>) -> tensor<64xf32>
    uma.graph.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}
