// Round trip of engines, paths between memories, tiles and their functions, custom and generic syntax; no cleanup removes
// them.

// RUN: uma-opt %s | FileCheck %s
// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt | FileCheck %s
// RUN: uma-opt %s --canonicalize --cse --symbol-dce | FileCheck %s

// CHECK-LABEL: uma.accel.accelerator @npu {
uma.accel.accelerator @npu {
  uma.accel.attribute "lanes" = 4 : i64
  uma.accel.constants ["NPU_DMA"]
  uma.accel.memory "sram" {
    %size = arith.constant 65536 : index
    uma.accel.yield %size
  }
  // CHECK: uma.accel.engine "dma" {
  // CHECK-NEXT: ^bb0(%[[COMMANDS:.*]]: index):
  // CHECK: uma.accel.call "npu_wait"(%[[COMMANDS]]) as ["NPU_DMA", 0] : index
  // CHECK: uma.accel.yield %{{.*}}
  // CHECK-NEXT: }
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) as ["NPU_DMA", 0] : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  // An engine whose numbers depend on attributes of the target.
  // CHECK: uma.accel.engine "array" attributes {note = "fast"} {
  // CHECK-NEXT: ^bb0(%[[DONE:.*]]: index):
  // CHECK: %[[LANES:.*]] = uma.accel.target_attribute "lanes" : index
  // CHECK: uma.accel.call "npu_wait_array"(%[[DONE]], %[[LANES]]) : index, index
  // CHECK: uma.accel.yield %[[LANES]]
  uma.accel.engine "array" attributes {note = "fast"} {
  ^bb0(%commands: index):
    %lanes = uma.accel.target_attribute "lanes" : index
    uma.accel.call "npu_wait_array"(%commands, %lanes) : index, index
    uma.accel.yield %lanes
  }
  // CHECK: uma.accel.path "main" to "sram" on "dma" {
  // CHECK-NEXT: ^bb0(%[[FROM:.*]]: !uma.accel.tensor, %[[TO:.*]]: index, %[[ROWS:.*]]: index, %[[BYTES:.*]]: index, %[[STRIDE:.*]]: index):
  // CHECK: uma.accel.call "npu_load"(%[[TO]], %[[FROM]], %[[ROWS]], %[[BYTES]], %[[STRIDE]])
  // CHECK-SAME: : index, !uma.accel.tensor, index, index, index
  // CHECK: uma.accel.yield %{{.*}}, %{{.*}}
  // CHECK-NEXT: }
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%to, %from, %rows, %row_bytes, %stride)
        : index, !uma.accel.tensor, index, index, index
    %setup = arith.constant 16 : index
    %bandwidth = arith.constant 8 : index
    uma.accel.yield %setup, %bandwidth
  }
  // In the other direction, the first address is a number and the second one a pointer.
  // CHECK: uma.accel.path "sram" to "main" on "dma" {
  // CHECK-NEXT: ^bb0(%[[FROM:.*]]: index, %[[TO:.*]]: !uma.accel.tensor, %{{.*}}: index, %[[BYTES:.*]]: index, %{{.*}}: index):
  // CHECK: uma.accel.call "npu_store"(%[[TO]], %[[FROM]], %[[BYTES]]) : !uma.accel.tensor, index, index
  uma.accel.path "sram" to "main" on "dma" {
  ^bb0(%from: index, %to: !uma.accel.tensor, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_store"(%to, %from, %row_bytes) : !uma.accel.tensor, index, index
    %setup = arith.constant 16 : index
    %bandwidth = arith.constant 8 : index
    uma.accel.yield %setup, %bandwidth
  }
  // CHECK: uma.accel.pattern @dense {
  uma.accel.pattern @dense {
    // CHECK-DAG: %[[N:.*]] = uma.accel.dim "n"
    // CHECK-DAG: %[[M:.*]] = uma.accel.dim "m"
    // CHECK-DAG: %[[K:.*]] = uma.accel.dim "k"
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" f32 [%n, %k]
    %w = uma.accel.input "w" f32 [%m, %k]
    // CHECK: %[[T:.*]] = uma.accel.op "dense"
    %t = uma.accel.op "dense"(%x, %w) as "t"
    // Tensors between operators have layouts in a pattern with tiles.
    // CHECK: uma.accel.result %[[T]] f32 [%[[N]], %[[M]]] as affine_map<(d0, d1) -> (d1 floordiv 4, d0, d1 mod 4)>
    uma.accel.result %t f32 [%n, %m] as affine_map<(d0, d1) -> (d1 floordiv 4, d0, d1 mod 4)>
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.result %y f32 [%n, %m]
    // CHECK: uma.accel.tile %[[M]] by 4{{$}}
    uma.accel.tile %m by 4
    // A step of 1 is not printed.
    // CHECK-NEXT: uma.accel.tile %[[N]]{{$}}
    uma.accel.tile %n by 1
    // CHECK-NEXT: uma.accel.tile %[[K]] {note = "sum"}
    uma.accel.tile %k {note = "sum"}
    // CHECK-NEXT: uma.accel.place %{{.*}}, %{{.*}}, %[[T]] in "sram"
    uma.accel.place %x, %w, %t in "sram"
    // CHECK: %[[STRIDE:.*]] = uma.accel.stride %[[T]], %[[M]]{{$}}
    %stride = uma.accel.stride %t, %m
    // CHECK: %[[STEP:.*]] = uma.accel.step %[[T]], %[[M]]{{$}}
    %step = uma.accel.step %t, %m
    // CHECK: %[[FIRST:.*]] = uma.accel.first %[[T]]{{$}}
    %first = uma.accel.first %t
    // CHECK: %[[ONE:.*]] = arith.index_castui %[[FIRST]] : i1 to index
    %start = arith.index_castui %first : i1 to index
    // CHECK: %[[CYCLES:.*]] = arith.muli %[[N]], %[[K]]
    %cycles = arith.muli %n, %k : index
    // CHECK: uma.accel.call "npu_dense"(%{{.*}}, %{{.*}}, %[[T]], %[[STRIDE]], %[[STEP]], %[[ONE]]) on "array" cycles %[[CYCLES]]
    // CHECK-SAME: : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index, index
    uma.accel.call "npu_dense"(%x, %w, %t, %stride, %step, %start) on "array" cycles %cycles
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index, index
    // The engine follows the arguments in C.
    // CHECK: uma.accel.call "npu_relu"(%{{.*}}, %{{.*}}) as [1, {fields = ["x", 0], struct = "npu_cfg"}] on "dma" cycles %[[N]]
    uma.accel.call "npu_relu"(%t, %y) as [1, {fields = ["x", 0], struct = "npu_cfg"}] on "dma" cycles %n
        : !uma.accel.tensor, !uma.accel.tensor
  }
}

// The engines wait for each other, and the host for all at the end.
// CHECK-LABEL: uma.accel.accelerator @tokens {
uma.accel.accelerator @tokens {
  // CHECK: uma.accel.engine "load" {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-NEXT: uma.accel.yield %[[ZERO]]
  // CHECK-NEXT: }
  uma.accel.engine "load" {
  ^bb0(%commands: index):
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  // CHECK-NEXT: uma.accel.tokens {
  // CHECK-NEXT: ^bb0(%[[FROM:.*]]: index, %[[TO:.*]]: index):
  // CHECK-NEXT: uma.accel.call "npu_push"(%[[FROM]], %[[TO]]) : index, index
  // CHECK-NEXT: uma.accel.call "npu_pop"(%[[FROM]], %[[TO]]) : index, index
  // CHECK-NEXT: }
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
    uma.accel.call "npu_pop"(%from, %to) : index, index
  }
  uma.accel.await {
    uma.accel.call "npu_finish"()
  }
}

// CHECK-LABEL: uma.accel.accelerator @layers {
uma.accel.accelerator @layers {
  // CHECK-NEXT: uma.accel.layers {
  // CHECK-NEXT: ^bb0(%[[NUMBER:.*]]: index):
  // CHECK-NEXT: uma.accel.call "npu_layer"(%[[NUMBER]]) : index
  // CHECK-NEXT: uma.accel.call "npu_failed_layer"()
  uma.accel.layers {
  ^bb0(%number: index):
    uma.accel.call "npu_layer"(%number) : index
    uma.accel.call "npu_failed_layer"()
  }
  // CHECK: uma.accel.launch {
  // CHECK-NEXT: uma.accel.call "npu_start"()
  uma.accel.launch {
    uma.accel.call "npu_start"()
  }
  uma.accel.await {
    uma.accel.call "npu_wait"()
  }
}
