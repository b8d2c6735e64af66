// Local arrays whose elements are known become variables, and variables that are stored once become values.
// RUN: uma-opt %s --uma-tir-promote-local --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-tir-promote-local --split-input-file > %t.once
// RUN: uma-opt %t.once --uma-tir-promote-local --split-input-file | diff %t.once -

// CHECK-LABEL: @sums
// CHECK-DAG: %[[A:.*]] = uma.tir.alloc local label "sum_0" : memref<vector<4xf32>>
// CHECK-DAG: %[[B:.*]] = uma.tir.alloc local label "sum_1" : memref<vector<4xf32>>
// CHECK: memref.store %{{.*}}, %[[A]][] : memref<vector<4xf32>>
// CHECK: memref.store %{{.*}}, %[[B]][] : memref<vector<4xf32>>
// CHECK: uma.tir.for
// CHECK: memref.load %[[A]][]
// CHECK: memref.load %[[B]][]
uma.tir.func @sums(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %sum = uma.tir.alloc local label "sum" : memref<8xf32>
  vector.store %zero, %sum[%c0] : memref<8xf32>, vector<4xf32>
  vector.store %zero, %sum[%c4] : memref<8xf32>, vector<4xf32>
  uma.tir.for %k = 0 to 3 {
    %a = vector.load %sum[%c0] : memref<8xf32>, vector<4xf32>
    %b = vector.load %sum[%c4] : memref<8xf32>, vector<4xf32>
    %c = arith.addf %a, %b : vector<4xf32>
    vector.store %c, %sum[%c0] : memref<8xf32>, vector<4xf32>
    vector.store %a, %sum[%c4] : memref<8xf32>, vector<4xf32>
  }
  %r = vector.load %sum[%c0] : memref<8xf32>, vector<4xf32>
  vector.store %r, %y[%c0] : memref<8xf32>, vector<4xf32>
}

// -----

// CHECK-LABEL: @value
// CHECK-NOT: uma.tir.alloc
// CHECK: %[[V:.*]] = memref.load %{{.*}} : memref<4xf32>
// CHECK: uma.tir.for
// CHECK-NEXT: memref.store %[[V]]
uma.tir.func @value(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = uma.tir.alloc local label "t" : memref<1xf32>
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %t[%c0] : memref<1xf32>
  uma.tir.for %i = 0 to 4 {
    %w = memref.load %t[%c0] : memref<1xf32>
    memref.store %w, %y[%i] : memref<4xf32>
  }
}

// -----

// An element that is not known, slices that overlap, and the workspace stay.

// CHECK-LABEL: @kept
// CHECK-DAG: uma.tir.alloc local label "unknown" : memref<4xf32>
// CHECK-DAG: uma.tir.alloc local label "overlap" : memref<6xf32>
// CHECK-DAG: uma.tir.alloc workspace label "work" : memref<4xf32>
uma.tir.func @kept(%i: index, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %unknown = uma.tir.alloc local label "unknown" : memref<4xf32>
  memref.store %one, %unknown[%i] : memref<4xf32>
  %u = memref.load %unknown[%c0] : memref<4xf32>
  memref.store %u, %y[%c0] : memref<8xf32>
  %overlap = uma.tir.alloc local label "overlap" : memref<6xf32>
  %v = vector.load %overlap[%c0] : memref<6xf32>, vector<4xf32>
  vector.store %v, %overlap[%c2] : memref<6xf32>, vector<4xf32>
  %work = uma.tir.alloc workspace label "work" : memref<4xf32>
  memref.store %one, %work[%c0] : memref<4xf32>
  %w = memref.load %work[%c0] : memref<4xf32>
  memref.store %w, %y[%c2] : memref<8xf32>
}
