// RUN: uma-opt %s -uma-tir-storage-flatten | FileCheck %s

// Weights keep their blob, small constants their elements.
// CHECK: memref.global "private" constant @w : memref<216xf32> = dense_resource<w>
memref.global "private" constant @w : memref<8x3x3x3xf32> = dense_resource<w>
// CHECK: memref.global "private" constant @b : memref<4xi8> = dense<[1, 2, 3, 4]>
memref.global "private" constant @b : memref<2x2xi8> = dense<[[1, 2], [3, 4]]>
// CHECK: memref.global "private" constant @splat : memref<6xf32> = dense<5.000000e-01>
memref.global "private" constant @splat : memref<2x3xf32> = dense<0.5>
// CHECK: memref.global "private" constant @scalar : memref<1xi32> = dense<7>
memref.global "private" constant @scalar : memref<i32> = dense<7>
// CHECK: memref.global "private" @unset : memref<6xf32> = uninitialized
memref.global "private" @unset : memref<2x3xf32> = uninitialized
// CHECK: memref.global "private" @declared : memref<6xf32>
memref.global "private" @declared : memref<2x3xf32>

// CHECK-LABEL: uma.tir.func private @copy(
// CHECK-SAME:    %[[X:.*]]: memref<24xf32>, %[[Y:.*]]: memref<24xf32>)
// CHECK-NEXT:    uma.tir.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT:      uma.tir.for %[[J:.*]] = 0 to 3 {
// CHECK-NEXT:        uma.tir.for %[[K:.*]] = 0 to 4 {
// CHECK-NEXT:          %[[C12:.*]] = arith.constant 12 : index
// CHECK-NEXT:          %[[T0:.*]] = arith.muli %[[I]], %[[C12]] : index
// CHECK-NEXT:          %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:          %[[T1:.*]] = arith.muli %[[J]], %[[C4]] : index
// CHECK-NEXT:          %[[S0:.*]] = arith.addi %[[T0]], %[[T1]] : index
// CHECK-NEXT:          %[[S1:.*]] = arith.addi %[[S0]], %[[K]] : index
// CHECK-NEXT:          %[[V:.*]] = memref.load %[[X]][%[[S1]]] : memref<24xf32>
// CHECK:               memref.store %[[V]], %[[Y]][%{{.*}}] : memref<24xf32>
uma.tir.func private @copy(%x: memref<2x3x4xf32>, %y: memref<2x3x4xf32>) {
  uma.tir.for %i = 0 to 2 {
    uma.tir.for %j = 0 to 3 {
      uma.tir.for %k = 0 to 4 {
        %v = memref.load %x[%i, %j, %k] : memref<2x3x4xf32>
        memref.store %v, %y[%i, %j, %k] : memref<2x3x4xf32>
      }
    }
  }
}

// Dimensions of extent 1 add nothing; a one-dimensional buffer keeps its index.
// CHECK-LABEL: uma.tir.func private @units(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<1xf32>, %[[Z:.*]]: memref<8xf32>, %[[I:.*]]: index)
// CHECK-NEXT:    memref.load %[[X]][%[[I]]] : memref<4xf32>
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    memref.store %{{.*}}, %[[Y]][%[[C0]]] : memref<1xf32>
// CHECK-NEXT:    memref.store %{{.*}}, %[[Z]][%[[I]]] : memref<8xf32>
uma.tir.func private @units(%x: memref<1x4x1xf32>, %y: memref<f32>, %z: memref<8xf32>, %i: index) {
  %v = memref.load %x[%i, %i, %i] : memref<1x4x1xf32>
  memref.store %v, %y[] : memref<f32>
  memref.store %v, %z[%i] : memref<8xf32>
}

// A scalar variable stays one, unless its address is taken.
// CHECK-LABEL: uma.tir.func private @scalars(
uma.tir.func private @scalars(%v: f32) {
  // CHECK: %[[A:.*]] = uma.tir.alloc local : memref<f32>
  %a = uma.tir.alloc local : memref<f32>
  // CHECK: memref.store %{{.*}}, %[[A]][] : memref<f32>
  memref.store %v, %a[] : memref<f32>
  // CHECK: %[[B:.*]] = uma.tir.alloc local : memref<1xf32>
  %b = uma.tir.alloc local : memref<f32>
  // CHECK: memref.store %{{.*}}, %[[B]][%{{.*}}] : memref<1xf32>
  memref.store %v, %b[] : memref<f32>
  // CHECK: uma.tir.call_extern "device"(%[[B]]) writes [0] : memref<1xf32>
  uma.tir.call_extern "device"(%b) writes [0] : memref<f32>
}

// Views go; callers learn the shape of the tensors from `uma.shape`.
// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME:    %[[IN:.*]]: memref<24xf32> {uma.name = "in", uma.shape = array<i64: 4, 6>}
// CHECK-SAME:    %[[OUT:.*]]: memref<24xf32> {uma.name = "out", uma.output, uma.shape = array<i64: 24>}
uma.tir.func @main(%in: memref<4x6xf32> {uma.name = "in"}, %out: memref<24xf32> {uma.name = "out", uma.output}) {
  // CHECK-NEXT: %[[A:.*]] = uma.tir.alloc workspace : memref<24xf32>
  %a = uma.tir.alloc workspace : memref<2x3x4xf32>
  // CHECK-NEXT: uma.tir.call @copy(%[[IN]], %[[A]]) : memref<24xf32>, memref<24xf32>
  %in3 = memref.reinterpret_cast %in to offset: [0], sizes: [2, 3, 4], strides: [12, 4, 1] : memref<4x6xf32> to memref<2x3x4xf32>
  uma.tir.call @copy(%in3, %a) : memref<2x3x4xf32>, memref<2x3x4xf32>
  // CHECK-NEXT: uma.tir.call @copy(%[[A]], %[[OUT]]) : memref<24xf32>, memref<24xf32>
  %flat = memref.collapse_shape %a [[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
  %a2 = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf32> into memref<2x3x4xf32>
  %out3 = memref.expand_shape %out [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf32> into memref<2x3x4xf32>
  uma.tir.call @copy(%a2, %out3) : memref<2x3x4xf32>, memref<2x3x4xf32>
  // CHECK-NEXT: %[[W:.*]] = memref.get_global @w : memref<216xf32>
  %w = memref.get_global @w : memref<8x3x3x3xf32>
  // CHECK-NEXT: uma.tir.call_extern "upload"(%[[W]]) : memref<216xf32>
  uma.tir.call_extern "upload"(%w) : memref<8x3x3x3xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F"
    }
  }
#-}

// Views of parts stay, in elements of one dimension.
// CHECK-LABEL: uma.tir.func private @parts(
// CHECK-SAME:    %[[X:.*]]: memref<48xf32>)
// CHECK-NEXT:    %[[ROWS:.*]] = uma.tir.view %[[X]][12] : memref<48xf32> as memref<24xf32>
// CHECK:         memref.load %[[ROWS]][%{{.*}}] : memref<24xf32>
uma.tir.func private @parts(%x: memref<8x6xf32>) {
  %rows = uma.tir.view %x[12] : memref<8x6xf32> as memref<4x6xf32>
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %rows[%i, %i] : memref<4x6xf32>
  }
}
