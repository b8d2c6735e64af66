// RUN: uma-opt %s --uma-graph-canonicalize-cast --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-graph-canonicalize-cast=push-down=false --split-input-file | FileCheck %s --check-prefix=STAY

// Relay's example: a widening cast goes to its users.

// CHECK-LABEL: func @push_down
// STAY-LABEL: func @push_down
func.func @push_down(%x: tensor<8xi8>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[A:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: uma.graph.exp %[[A]]
  // CHECK-NEXT: %[[B:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: uma.graph.log %[[B]]
  // CHECK-NEXT: %[[C:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: uma.graph.multiply %[[C]], %[[C]]
  // CHECK-NEXT: return
  // STAY-NEXT: %[[A:.*]] = uma.graph.cast
  // STAY-NEXT: uma.graph.exp %[[A]]
  // STAY-NEXT: uma.graph.log %[[A]]
  // STAY-NEXT: uma.graph.multiply %[[A]], %[[A]]
  %0 = uma.graph.cast %x to f32 : (tensor<8xi8>) -> tensor<8xf32>
  %1 = uma.graph.exp %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = uma.graph.log %0 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.multiply %0, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A user that is not elementwise keeps the original; a cast with one user and a narrowing one stay.

// CHECK-LABEL: func @keep
func.func @keep(%x: tensor<8xf16>, %y: tensor<8xf64>) -> (tensor<8xf32>, tensor<f32>, tensor<8xf16>, tensor<8xf16>, tensor<8xf32>) {
  // CHECK-NEXT: %[[A:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: %[[B:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: uma.graph.exp %[[B]]
  // CHECK-NEXT: uma.graph.sum %[[A]]
  %0 = uma.graph.cast %x to f32 : (tensor<8xf16>) -> tensor<8xf32>
  %1 = uma.graph.exp %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = uma.graph.sum %0 : (tensor<8xf32>) -> tensor<f32>
  // CHECK-NEXT: %[[C:.*]] = uma.graph.cast %arg1 to f16
  // CHECK-NEXT: uma.graph.exp %[[C]]
  // CHECK-NEXT: uma.graph.log %[[C]]
  %3 = uma.graph.cast %y to f16 : (tensor<8xf64>) -> tensor<8xf16>
  %4 = uma.graph.exp %3 : (tensor<8xf16>) -> tensor<8xf16>
  %5 = uma.graph.log %3 : (tensor<8xf16>) -> tensor<8xf16>
  // CHECK-NEXT: %[[D:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: %[[E:.*]] = uma.graph.cast %arg0 to f32
  // CHECK-NEXT: uma.graph.sin %[[E]]
  // CHECK-NEXT: return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[D]]
  %6 = uma.graph.cast %x to f32 : (tensor<8xf16>) -> tensor<8xf32>
  %7 = uma.graph.sin %6 : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2, %4, %5, %6 : tensor<8xf32>, tensor<f32>, tensor<8xf16>, tensor<8xf16>, tensor<8xf32>
}

// -----

// A detour through a type that holds every value.

// CHECK-LABEL: func @detour
// CHECK-NEXT: %[[A:.*]] = uma.graph.cast %arg0 to f64 : (tensor<8xi8>)
// CHECK-NEXT: %[[B:.*]] = uma.graph.cast %arg0 to ui8 : (tensor<8xi8>)
// CHECK-NEXT: %[[C:.*]] = uma.graph.cast %arg0 to i1 : (tensor<8xi8>)
// CHECK-NEXT: %[[D:.*]] = uma.graph.cast %arg0 to i64 : (tensor<8xi8>)
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]], %arg0
func.func @detour(%x: tensor<8xi8>) -> (tensor<8xf64>, tensor<8xui8>, tensor<8xi1>, tensor<8xi64>, tensor<8xi8>) {
  %0 = uma.graph.cast %x to i16 : (tensor<8xi8>) -> tensor<8xi16>
  %1 = uma.graph.cast %0 to f32 : (tensor<8xi16>) -> tensor<8xf32>
  %2 = uma.graph.cast %1 to f64 : (tensor<8xf32>) -> tensor<8xf64>
  %3 = uma.graph.cast %0 to ui8 : (tensor<8xi16>) -> tensor<8xui8>
  %4 = uma.graph.cast %1 to i1 : (tensor<8xf32>) -> tensor<8xi1>
  %5 = uma.graph.cast %1 to i64 : (tensor<8xf32>) -> tensor<8xi64>
  %6 = uma.graph.cast %1 to i8 : (tensor<8xf32>) -> tensor<8xi8>
  return %2, %3, %4, %5, %6 : tensor<8xf64>, tensor<8xui8>, tensor<8xi1>, tensor<8xi64>, tensor<8xi8>
}

// -----

// What loses something, or depends on the way.

// CHECK-LABEL: func @lossy
func.func @lossy(%f: tensor<8xf32>, %i: tensor<8xi32>, %u: tensor<8xui8>, %h: tensor<8xf16>, %s: tensor<8xi8>)
    -> (tensor<8xf32>, tensor<8xf64>, tensor<8xi8>, tensor<8xf32>, tensor<8xi16>) {
  // CHECK: uma.graph.cast %arg0 to f16
  %0 = uma.graph.cast %f to f16 : (tensor<8xf32>) -> tensor<8xf16>
  // CHECK: uma.graph.cast %{{.*}} to f32 : (tensor<8xf16>)
  %1 = uma.graph.cast %0 to f32 : (tensor<8xf16>) -> tensor<8xf32>
  // 32 bits do not fit into the 24 of an f32.
  // CHECK: uma.graph.cast %arg1 to f32
  %2 = uma.graph.cast %i to f32 : (tensor<8xi32>) -> tensor<8xf32>
  // CHECK: uma.graph.cast %{{.*}} to f64 : (tensor<8xf32>)
  %3 = uma.graph.cast %2 to f64 : (tensor<8xf32>) -> tensor<8xf64>
  // 200 becomes 127 from a float, -56 from an integer.
  // CHECK: uma.graph.cast %arg2 to f32
  %4 = uma.graph.cast %u to f32 : (tensor<8xui8>) -> tensor<8xf32>
  // CHECK: uma.graph.cast %{{.*}} to i8 : (tensor<8xf32>)
  %5 = uma.graph.cast %4 to i8 : (tensor<8xf32>) -> tensor<8xi8>
  // bf16 has the range, but not the precision.
  // CHECK: uma.graph.cast %arg3 to bf16
  %6 = uma.graph.cast %h to bf16 : (tensor<8xf16>) -> tensor<8xbf16>
  // CHECK: uma.graph.cast %{{.*}} to f32 : (tensor<8xbf16>)
  %7 = uma.graph.cast %6 to f32 : (tensor<8xbf16>) -> tensor<8xf32>
  // -1 is 255 in between.
  // CHECK: uma.graph.cast %arg4 to ui8
  %8 = uma.graph.cast %s to ui8 : (tensor<8xi8>) -> tensor<8xui8>
  // CHECK: uma.graph.cast %{{.*}} to i16 : (tensor<8xui8>)
  %9 = uma.graph.cast %8 to i16 : (tensor<8xui8>) -> tensor<8xi16>
  return %1, %3, %5, %7, %9 : tensor<8xf32>, tensor<8xf64>, tensor<8xi8>, tensor<8xf32>, tensor<8xi16>
}

// -----

// CHECK-LABEL: func @float8
func.func @float8(%x: tensor<8xf8E5M2>, %y: tensor<8xf8E4M3FN>) -> (tensor<8xf32>, tensor<8xf64>) {
  // f8E5M2FNUZ has the numbers of f8E5M2, but no infinities.
  // CHECK: uma.graph.cast %arg0 to f8E5M2FNUZ
  %0 = uma.graph.cast %x to f8E5M2FNUZ : (tensor<8xf8E5M2>) -> tensor<8xf8E5M2FNUZ>
  // CHECK: uma.graph.cast %{{.*}} to f32 : (tensor<8xf8E5M2FNUZ>)
  %1 = uma.graph.cast %0 to f32 : (tensor<8xf8E5M2FNUZ>) -> tensor<8xf32>
  // CHECK: uma.graph.cast %arg1 to f64
  %2 = uma.graph.cast %y to f32 : (tensor<8xf8E4M3FN>) -> tensor<8xf32>
  %3 = uma.graph.cast %2 to f64 : (tensor<8xf32>) -> tensor<8xf64>
  return %1, %3 : tensor<8xf32>, tensor<8xf64>
}

// -----

// Composites belong to an accelerator.

// CHECK-LABEL: func @composite
// CHECK-COUNT-2: uma.graph.cast
func.func @composite(%x: tensor<8xf16>) -> tensor<8xf64> {
  %0 = uma.graph.composite @vanilla::@casts (%a = %x : tensor<8xf16>) -> tensor<8xf64> {
    %1 = uma.graph.cast %a to f32 : (tensor<8xf16>) -> tensor<8xf32>
    %2 = uma.graph.cast %1 to f64 : (tensor<8xf32>) -> tensor<8xf64>
    uma.graph.yield %2 : tensor<8xf64>
  }
  return %0 : tensor<8xf64>
}
