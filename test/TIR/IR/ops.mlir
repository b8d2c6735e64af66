// Round trip through the custom and the generic syntax.
// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s -mlir-print-op-generic | uma-opt | FileCheck %s

// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: uma.tir.func private @relu
// CHECK-SAME:    (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>) attributes {layer = "relu1"} {
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      %[[V:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT:      memref.store %[[V]], %[[Y]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:  }
uma.tir.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "relu1"} {
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
  }
}

// CHECK-LABEL: uma.tir.func @main
// CHECK-SAME:    (%[[IN:.*]]: memref<4xf32> {uma.name = "input_1"}, %[[OUT:.*]]: memref<4xf32> {uma.name = "Identity", uma.output})
// CHECK-SAME:    attributes {uma.network = "net", uma.workspace_size = 64 : i64} {
uma.tir.func @main(%in: memref<4xf32> {uma.name = "input_1"},
                   %out: memref<4xf32> {uma.name = "Identity", uma.output})
    attributes {uma.network = "net", uma.workspace_size = 64 : i64} {
  // CHECK-NEXT: %[[A:.*]] = uma.tir.alloc workspace offset 0 label "tmp" : memref<4xf32>
  %a = uma.tir.alloc workspace offset 0 label "tmp" : memref<4xf32>
  // CHECK-NEXT: uma.tir.call @relu(%[[IN]], %[[A]]) : memref<4xf32>, memref<4xf32>
  uma.tir.call @relu(%in, %a) : memref<4xf32>, memref<4xf32>
  // CHECK-NEXT: uma.tir.call @relu(%[[A]], %[[OUT]]) : memref<4xf32>, memref<4xf32>
  uma.tir.call @relu(%a, %out) : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: uma.tir.func nested @empty() {
// CHECK-NEXT:  }
uma.tir.func nested @empty() {}

// CHECK-LABEL: uma.tir.func @explicit_return
// CHECK-NEXT:    uma.tir.return {note = 1 : i64}
uma.tir.func @explicit_return() {
  uma.tir.return {note = 1}
}

// CHECK-LABEL: uma.tir.func @loops(
// CHECK-SAME:    %[[A:.*]]: index)
uma.tir.func @loops(%a: index) {
  // CHECK-NEXT: uma.tir.for parallel %{{.*}} = %[[A]] to 8 label "outer" {
  uma.tir.for parallel %i = %a to 8 label "outer" {
    // CHECK-NEXT: uma.tir.for vectorized %{{.*}} = -4 to %[[A]] {
    // CHECK-NEXT: } {note}
    uma.tir.for vectorized %j = -4 to %a {
    } {note}
    // CHECK-NEXT: uma.tir.for unrolled %{{.*}} = %[[A]] to %[[A]] {
    uma.tir.for unrolled %j = %a to %a {
      uma.tir.yield
    }
  }
}

// CHECK-LABEL: uma.tir.func @row_sum(
// CHECK-SAME:    %[[X:.*]]: memref<8x4xf32>, %[[Y:.*]]: memref<8xf32>
uma.tir.func @row_sum(%x: memref<8x4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %i = 0 to 8 {
    uma.tir.for %k = 0 to 4 {
      // CHECK:      uma.tir.block "sum" (spatial %[[VI:.*]] = %{{.*}} in 8, reduce %[[VK:.*]] = %{{.*}} in 4)
      // CHECK-NEXT:   reads(%[[X]][#[[FIRST]], [1, 1]] : memref<8x4xf32>)
      // CHECK-NEXT:   writes(%[[Y]][#[[ROW]], [1]] : memref<8xf32>)
      // CHECK-NEXT: init (%[[INIT:.*]], %{{.*}}) {
      // CHECK-NEXT:   memref.store %{{.*}}, %[[Y]][%[[INIT]]]
      // CHECK-NEXT: } do {
      // CHECK-NEXT:   memref.load %[[X]][%[[VI]], %[[VK]]]
      uma.tir.block "sum" (spatial %vi = %i in 8, reduce %vk = %k in 4)
          reads(%x[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<8x4xf32>)
          writes(%y[affine_map<(i, k) -> (i)>, [1]] : memref<8xf32>)
      init {
        memref.store %zero, %y[%vi] : memref<8xf32>
      } do {
        %a = memref.load %x[%vi, %vk] : memref<8x4xf32>
        %b = memref.load %y[%vi] : memref<8xf32>
        %c = arith.addf %a, %b : f32
        memref.store %c, %y[%vi] : memref<8xf32>
      }
    }
  }
  // CHECK:      uma.tir.block "nothing" () {
  // CHECK-NEXT: } {note = "kept"}
  uma.tir.block "nothing" () {
  } {note = "kept"}
}

// CHECK-LABEL: uma.tir.func @device(
uma.tir.func @device(%x: memref<4xf32>, %y: memref<4xf32>) {
  %n = arith.constant 4 : index
  // CHECK: uma.tir.call_extern "device_relu"(%{{.*}}, %{{.*}}, %{{.*}}) writes [1] : memref<4xf32>, memref<4xf32>, index
  uma.tir.call_extern "device_relu"(%x, %y, %n) writes [1] : memref<4xf32>, memref<4xf32>, index
  // CHECK-NEXT: uma.tir.call_extern "device_reset"() no_status {uma.layer = "conv1"}
  uma.tir.call_extern "device_reset"() no_status {uma.layer = "conv1"}
  // CHECK-NEXT: %[[NULL:.*]] = uma.tir.null : memref<0xi8>
  %null = uma.tir.null : memref<0xi8>
  // CHECK-NEXT: uma.tir.call_extern "device_add"(%{{.*}}, %[[NULL]], %{{.*}}) writes [2] : memref<4xf32>, memref<0xi8>, memref<4xf32>
  uma.tir.call_extern "device_add"(%x, %null, %y) writes [2] : memref<4xf32>, memref<0xi8>, memref<4xf32>
  // CHECK-NEXT: uma.tir.alloc local : memref<f16>
  %s = uma.tir.alloc local : memref<f16>
}

// A predicate; loops have the names of their labels.
// CHECK-LABEL: uma.tir.func @predicate(
// CHECK-SAME:    %[[P:.*]]: i1)
uma.tir.func @predicate(%p: i1) {
  // CHECK: uma.tir.for %outer = 0 to 8 label "outer" {
  uma.tir.for %i = 0 to 8 label "outer" {
    // CHECK: uma.tir.block "b" (spatial %{{.*}} = %outer in 6) where %[[P]] {
    uma.tir.block "b" (spatial %v = %i in 6) where %p {
    }
  }
}

// CHECK-LABEL: uma.tir.func @lookup(
// CHECK-NEXT: uma.tir.lookup %arg0[%arg3] in %arg1 to %arg2[%arg3] size 32 : memref<64xi8>, memref<256xi8>, memref<64xi8>
uma.tir.func @lookup(%x: memref<64xi8>, %table: memref<256xi8>, %y: memref<64xi8>, %i: index) {
  uma.tir.lookup %x[%i] in %table to %y[%i] size 32 : memref<64xi8>, memref<256xi8>, memref<64xi8>
}

// CHECK-LABEL: uma.tir.func @transpose(
// CHECK-NEXT: uma.tir.transpose %arg0[%arg2] stride 9 to %arg1[%arg2] stride 8 size 8 : memref<80xf32>, memref<64xf32>
uma.tir.func @transpose(%x: memref<80xf32>, %y: memref<64xf32>, %i: index) {
  uma.tir.transpose %x[%i] stride 9 to %y[%i] stride 8 size 8 : memref<80xf32>, memref<64xf32>
}

// CHECK-LABEL: uma.tir.func @versions(
// CHECK-NEXT: uma.tir.multiversion lanes(8) {
// CHECK-NEXT: vector.load
// CHECK: } lanes(4) guard("UMA_SSE") {
// CHECK-NEXT: uma.tir.prefetch %arg0[%arg1] : memref<8xf32>
// CHECK-NEXT: } lanes(4) {
// CHECK-NEXT: } default {
// CHECK-NEXT: uma.tir.alloc local
// CHECK-NEXT: } {note = "kept"}
uma.tir.func @versions(%x: memref<8xf32>, %i: index) {
  uma.tir.multiversion lanes(8) {
    %v = vector.load %x[%i] : memref<8xf32>, vector<8xf32>
    vector.store %v, %x[%i] : memref<8xf32>, vector<8xf32>
  } lanes(4) guard("UMA_SSE") {
    uma.tir.prefetch %x[%i] : memref<8xf32>
  } lanes(4) {
  } default {
    %a = uma.tir.alloc local : memref<vector<4xf32>>
  } {note = "kept"}
}

// CHECK-LABEL: uma.tir.func @check_bounds(
// CHECK-NEXT:    uma.tir.check_bounds %arg0 count 4 size 8 name "x"
uma.tir.func @check_bounds(%i: index) {
  uma.tir.check_bounds %i count 4 size 8 name "x"
}

// CHECK-LABEL: uma.tir.func @view(
// CHECK: uma.tir.view %arg0[32] : memref<1x8x16xi8> as memref<1x4x16xi8>
// CHECK: uma.tir.view %arg0[128] : memref<1x8x16xi8> as memref<0xi8>
uma.tir.func @view(%x: memref<1x8x16xi8>) {
  %rows = uma.tir.view %x[32] : memref<1x8x16xi8> as memref<1x4x16xi8>
  %end = uma.tir.view %x[128] : memref<1x8x16xi8> as memref<0xi8>
}

// CHECK-LABEL: uma.tir.func @words(
// CHECK: uma.tir.words %arg0 : memref<8x16xi8> as memref<8x4xi32>
// CHECK: uma.tir.words %arg1 : memref<16xi16> as memref<8xi32>
// CHECK: uma.tir.dot %{{.*}}, %{{.*}}, %{{.*}} elements ui8, i8 : i32
// CHECK: uma.tir.dot %{{.*}}, %{{.*}}, %{{.*}} elements i16, i16 : vector<8xi32>
// CHECK: uma.tir.dot %{{.*}}, %{{.*}}, %{{.*}} elements bf16, bf16 : vector<8xf32>
// CHECK: uma.tir.has_instruction "amx_dpbusd"
uma.tir.func @words(%x: memref<8x16xi8>, %y: memref<16xi16>, %i: index) {
  %a = uma.tir.words %x : memref<8x16xi8> as memref<8x4xi32>
  %b = uma.tir.words %y : memref<16xi16> as memref<8xi32>
  %v = memref.load %a[%i, %i] : memref<8x4xi32>
  %0 = uma.tir.dot %v, %v, %v elements ui8, i8 : i32
  %w = vector.load %b[%i] : memref<8xi32>, vector<8xi32>
  %1 = uma.tir.dot %w, %w, %w elements i16, i16 : vector<8xi32>
  %sums = arith.constant dense<0.0> : vector<8xf32>
  %2 = uma.tir.dot %w, %w, %sums elements bf16, bf16 : vector<8xf32>
  %3 = uma.tir.has_instruction "amx_dpbusd"
}

// CHECK-LABEL: uma.tir.func @fixed_point(
// CHECK: uma.tir.fixed_point_multiply %arg0, %arg1, %arg2 : i32
// CHECK: uma.tir.fixed_point_multiply %[[V:.*]], %[[V]], %[[V]] : vector<8xi32>
uma.tir.func @fixed_point(%x: i32, %m: i32, %s: i32) {
  %v = vector.broadcast %x : i32 to vector<8xi32>
  %0 = uma.tir.fixed_point_multiply %x, %m, %s : i32
  %1 = uma.tir.fixed_point_multiply %v, %v, %v : vector<8xi32>
}

// CHECK-LABEL: uma.tir.func @bytes
// CHECK: uma.tir.unpack %{{.*}} elements i8{{$}}
// CHECK: uma.tir.unpack %{{.*}} elements ui8 odd
// CHECK: uma.tir.round_clamped %{{.*}} low -128 high 127
uma.tir.func @bytes(%w: i32, %x: f32) {
  %0 = uma.tir.unpack %w elements i8
  %1 = uma.tir.unpack %w elements ui8 odd
  %2 = uma.tir.round_clamped %x low -128 high 127
}
