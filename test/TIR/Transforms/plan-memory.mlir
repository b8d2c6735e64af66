// RUN: uma-opt %s -uma-tir-plan-memory=overlap=declared | FileCheck %s
// RUN: uma-opt %s -uma-tir-plan-memory=overlap=none | FileCheck %s --check-prefix=APART
// RUN: uma-opt %s -uma-tir-plan-memory='report overlap=declared' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

uma.tir.func private @f(%x: memref<16xf32>, %y: memref<16xf32>) {
}
uma.tir.func private @add(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) {
}

// A chain needs two buffers: each layer reads one and writes the other.
// REPORT: remark: {{.*}}needs 128 bytes of workspace for 3 buffers; at most 128 bytes live at one time
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:    uma.workspace_size = 128 : i64
uma.tir.func @chain(%in: memref<16xf32>, %out: memref<16xf32>) attributes {uma.network = "chain"} {
  // CHECK: %[[A:.*]] = uma.tir.alloc workspace offset 0 : memref<16xf32>
  %a = uma.tir.alloc workspace : memref<16xf32>
  // CHECK: %[[B:.*]] = uma.tir.alloc workspace offset 64 : memref<16xf32>
  %b = uma.tir.alloc workspace : memref<16xf32>
  // CHECK: %[[C:.*]] = uma.tir.alloc workspace offset 0 : memref<16xf32>
  %c = uma.tir.alloc workspace : memref<16xf32>
  uma.tir.call @f(%in, %a) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%a, %b) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%b, %c) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%c, %out) : memref<16xf32>, memref<16xf32>
}

// A skip connection keeps its buffer alive over the layers between.
// CHECK-LABEL: uma.tir.func @skip(
// CHECK-SAME:    uma.workspace_size = 192 : i64
uma.tir.func @skip(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK: uma.tir.alloc workspace offset [[A:0|64|128]] label "a"
  %a = uma.tir.alloc workspace label "a" : memref<16xf32>
  %b = uma.tir.alloc workspace label "b" : memref<16xf32>
  %c = uma.tir.alloc workspace label "c" : memref<16xf32>
  uma.tir.call @f(%in, %a) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%a, %b) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%b, %c) : memref<16xf32>, memref<16xf32>
  uma.tir.call @add(%a, %c, %out) : memref<16xf32>, memref<16xf32>, memref<16xf32>
}

// A view keeps its buffer alive; so does a use in a loop, for the whole loop.
// CHECK-LABEL: uma.tir.func @alias(
// CHECK-SAME:    uma.workspace_size = 128 : i64
uma.tir.func @alias(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK-DAG: uma.tir.alloc workspace offset {{0|64}} label "a"
  %a = uma.tir.alloc workspace label "a" : memref<4x4xf32>
  // CHECK-DAG: uma.tir.alloc workspace offset {{0|64}} label "b"
  %b = uma.tir.alloc workspace label "b" : memref<16xf32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %view = memref.reinterpret_cast %flat to offset: [0], sizes: [16], strides: [1] : memref<16xf32> to memref<16xf32>
  uma.tir.call @f(%in, %b) : memref<16xf32>, memref<16xf32>
  uma.tir.for %i = 0 to 4 {
    uma.tir.call @f(%b, %view) : memref<16xf32>, memref<16xf32>
  }
  uma.tir.call @f(%view, %out) : memref<16xf32>, memref<16xf32>
}

// Sizes are in bytes, offsets multiples of 64; local buffers are not planned.
// CHECK-LABEL: uma.tir.func @types(
// CHECK-SAME:    uma.workspace_size = 264 : i64
uma.tir.func @types() {
  // CHECK-NEXT: alloc workspace offset 0 : memref<3xf64>
  %a = uma.tir.alloc workspace : memref<3xf64>
  // CHECK-NEXT: alloc workspace offset 128 : memref<5xf16>
  %b = uma.tir.alloc workspace : memref<5xf16>
  // CHECK-NEXT: alloc workspace offset 192 : memref<9xi1>
  %c = uma.tir.alloc workspace : memref<9xi1>
  // CHECK-NEXT: alloc workspace offset 256 : memref<i64>
  %d = uma.tir.alloc workspace : memref<i64>
  // CHECK-NEXT: alloc workspace offset 64 : memref<9xbf16>
  %e = uma.tir.alloc workspace : memref<9xbf16>
  // CHECK-NEXT: alloc local : memref<4xf32>
  %l = uma.tir.alloc local : memref<4xf32>
  uma.tir.call_extern "use"(%a, %b, %c, %d, %e, %l) : memref<3xf64>, memref<5xf16>, memref<9xi1>, memref<i64>, memref<9xbf16>, memref<4xf32>
}

// The small buffer takes the smallest gap that it fits in, under the last one,
// not the larger gap at the bottom.
// CHECK-LABEL: uma.tir.func @best_fit(
// CHECK-SAME:    uma.workspace_size = 960 : i64
uma.tir.func @best_fit() {
  // CHECK: alloc workspace offset 0 label "low"
  %low = uma.tir.alloc workspace label "low" : memref<512xi8>
  // CHECK: alloc workspace offset 512 label "high"
  %high = uma.tir.alloc workspace label "high" : memref<448xi8>
  // CHECK: alloc workspace offset 0 label "small"
  %small = uma.tir.alloc workspace label "small" : memref<64xi8>
  uma.tir.call_extern "one"(%low, %high) : memref<512xi8>, memref<448xi8>
  uma.tir.call_extern "two"(%high, %small) : memref<448xi8>, memref<64xi8>
}

// CHECK-LABEL: uma.tir.func @nothing()
// CHECK-SAME:    attributes {uma.workspace_size = 0 : i64} {
// CHECK-NEXT:  }
uma.tir.func @nothing() {
  %unused = uma.tir.alloc workspace : memref<16xf32>
}

// Private functions have no arena.
// CHECK-LABEL: uma.tir.func private @layer() {
uma.tir.func private @layer() {
}

// A layer that says so writes its result over its input, ahead by so many bytes that are a multiple of the alignment.
uma.tir.func private @rows(%x: memref<64xf32>, %y: memref<64xf32> {uma.in_place = array<i64: 0, 80>}) {
}
uma.tir.func private @more_rows(%x: memref<64xf32>, %w: memref<4xf32>, %y: memref<64xf32> {uma.in_place = array<i64: 0, 64>}) {
}
uma.tir.func private @load(%x: memref<64xf32>, %y: memref<64xf32>) {
}
uma.tir.func private @shrink(%x: memref<64xf32>, %y: memref<32xf32>) {
}
uma.tir.func private @f32(%x: memref<32xf32>, %y: memref<32xf32>) {
}
// REPORT: remark: {{.*}}needs 384 bytes of workspace for 2 buffers; at most 384 bytes live at one time
// CHECK-LABEL: uma.tir.func @in_place(
// CHECK-SAME:    uma.workspace_size = 384 : i64
// CHECK:         alloc workspace offset 128 label "x"
// CHECK:         alloc workspace offset 0 label "y"
// APART-LABEL: uma.tir.func @in_place(
// APART-SAME:    uma.workspace_size = 512 : i64
// APART:         alloc workspace offset 0 label "x"
// APART:         alloc workspace offset 256 label "y"
uma.tir.func @in_place(%in: memref<64xf32>, %out: memref<64xf32>) {
  %x = uma.tir.alloc workspace label "x" : memref<64xf32>
  %y = uma.tir.alloc workspace label "y" : memref<64xf32>
  uma.tir.call @load(%in, %x) : memref<64xf32>, memref<64xf32>
  uma.tir.call @rows(%x, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.call @load(%y, %out) : memref<64xf32>, memref<64xf32>
}

// A chain is one unit, but what lives with its last part only may take the space of the others.
// CHECK-LABEL: uma.tir.func @in_place_chain(
// CHECK-SAME:    uma.workspace_size = 448 : i64
// CHECK:         alloc workspace offset 192 label "x"
// CHECK:         alloc workspace offset 64 label "y"
// CHECK:         alloc workspace offset 0 label "z"
// CHECK:         alloc workspace offset 256 label "late"
uma.tir.func @in_place_chain(%in: memref<64xf32>, %w: memref<4xf32>, %out: memref<32xf32>) {
  %x = uma.tir.alloc workspace label "x" : memref<64xf32>
  %y = uma.tir.alloc workspace label "y" : memref<64xf32>
  %z = uma.tir.alloc workspace label "z" : memref<64xf32>
  %late = uma.tir.alloc workspace label "late" : memref<32xf32>
  uma.tir.call @load(%in, %x) : memref<64xf32>, memref<64xf32>
  uma.tir.call @rows(%x, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.call @more_rows(%y, %w, %z) : memref<64xf32>, memref<4xf32>, memref<64xf32>
  uma.tir.call @shrink(%z, %late) : memref<64xf32>, memref<32xf32>
  uma.tir.call @f32(%late, %out) : memref<32xf32>, memref<32xf32>
}

// Not where the input is read again, nor where the call reads it through another argument too.
// CHECK-LABEL: uma.tir.func @read_again(
// CHECK-SAME:    uma.workspace_size = 512 : i64
// CHECK:         alloc workspace offset 0 label "x"
// CHECK:         alloc workspace offset 256 label "y"
uma.tir.func @read_again(%in: memref<64xf32>, %out: memref<64xf32>) {
  %x = uma.tir.alloc workspace label "x" : memref<64xf32>
  %y = uma.tir.alloc workspace label "y" : memref<64xf32>
  uma.tir.call @load(%in, %x) : memref<64xf32>, memref<64xf32>
  uma.tir.call @rows(%x, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.call @load(%y, %out) : memref<64xf32>, memref<64xf32>
  uma.tir.call @load(%x, %in) : memref<64xf32>, memref<64xf32>
}
// CHECK-LABEL: uma.tir.func @read_twice(
// CHECK-SAME:    uma.workspace_size = 256 : i64
// CHECK:         alloc workspace offset 0 label "x"
// CHECK:         alloc workspace offset 128 label "y"
uma.tir.func @read_twice(%in: memref<32xf32>, %out: memref<32xf32>) {
  %x = uma.tir.alloc workspace label "x" : memref<32xf32>
  %y = uma.tir.alloc workspace label "y" : memref<32xf32>
  uma.tir.call @f32(%in, %x) : memref<32xf32>, memref<32xf32>
  uma.tir.call @residual(%x, %x, %y) : memref<32xf32>, memref<32xf32>, memref<32xf32>
  uma.tir.call @f32(%y, %out) : memref<32xf32>, memref<32xf32>
}
uma.tir.func private @residual(%x: memref<32xf32>, %r: memref<32xf32>, %y: memref<32xf32> {uma.in_place = array<i64: 0, 0>}) {
}

// Nor where it would take more: the result would have to begin far ahead.
// REPORT: remark: {{.*}}needs 256 bytes of workspace for 2 buffers; at most 256 bytes live at one time
// CHECK-LABEL: uma.tir.func @too_far(
// CHECK-SAME:    uma.workspace_size = 256 : i64
uma.tir.func @too_far(%in: memref<32xf32>, %out: memref<32xf32>) {
  %x = uma.tir.alloc workspace label "x" : memref<32xf32>
  %y = uma.tir.alloc workspace label "y" : memref<32xf32>
  uma.tir.call @f32(%in, %x) : memref<32xf32>, memref<32xf32>
  uma.tir.call @far(%x, %y) : memref<32xf32>, memref<32xf32>
  uma.tir.call @f32(%y, %out) : memref<32xf32>, memref<32xf32>
}
uma.tir.func private @far(%x: memref<32xf32>, %y: memref<32xf32> {uma.in_place = array<i64: 0, 640>}) {
}

// Offsets that are there are kept: x stays where it is, y goes around it.
// CHECK-LABEL: uma.tir.func @kept(
// CHECK-SAME:    uma.workspace_size = 256 : i64
// CHECK:         alloc workspace offset 128 label "x"
// CHECK:         alloc workspace offset 0 label "y"
uma.tir.func @kept(%in: memref<32xf32>, %out: memref<32xf32>) {
  %x = uma.tir.alloc workspace offset 128 label "x" : memref<32xf32>
  %y = uma.tir.alloc workspace label "y" : memref<32xf32>
  uma.tir.call @f32(%in, %x) : memref<32xf32>, memref<32xf32>
  uma.tir.call @f32(%x, %y) : memref<32xf32>, memref<32xf32>
  uma.tir.call @f32(%y, %out) : memref<32xf32>, memref<32xf32>
}
