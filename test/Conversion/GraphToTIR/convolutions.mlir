// RUN: uma-opt %s --split-input-file --convert-uma-graph-to-uma-tir --mlir-print-local-scope | FileCheck %s

// Three dimensions are two and one more.

// CHECK-LABEL: uma.tir.func private @conv3d(
// CHECK:       uma.tir.block "conv3d" (spatial {{.*}} in 1, spatial {{.*}} in 3, spatial {{.*}} in 4, spatial {{.*}} in 4, spatial {{.*}} in 4,
// CHECK-SAME:    reduce {{.*}} in 2, reduce {{.*}} in 3, reduce {{.*}} in 3, reduce {{.*}} in 3)
// CHECK-NEXT:  -> (d0, d5, d2 + d6 - 1, d3 + d7 - 1, d4 + d8 - 1)>, [1, 1, 1, 1, 1]]
// CHECK-SAME:  -> (d1, d5, d6, d7, d8)>, [1, 1, 1, 1, 1]]
func.func @main(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x3x3x3xf32>) -> tensor<1x3x4x4x4xf32> {
  %0 = uma.graph.conv3d %x, %w padding [1, 1, 1, 1, 1, 1]
      : (tensor<1x2x4x4x4xf32>, tensor<3x2x3x3x3xf32>) -> tensor<1x3x4x4x4xf32>
  return %0 : tensor<1x3x4x4x4xf32>
}

// -----

// A transposed convolution looks for the windows that reach an element. The region of the data that it reads is all
// of it: a division with a remainder decides. Only strides other than 1 divide.

// CHECK-LABEL: uma.tir.func private @conv2d_transpose(
// CHECK-SAME:  %[[X:.*]]: memref<1x4x5x5xf32>, %[[W:.*]]: memref<4x8x2x2xf32>, %[[Y:.*]]: memref<1x8x9x6xf32>)
// CHECK:       uma.tir.block "conv2d_transpose"
// CHECK-NEXT:  reads(%[[X]][{{.*}} -> (0, 0, 0, 0)>, [1, 4, 5, 5]]
// CHECK:       arith.cmpi sge, %[[ROW:.*]], %c0
// CHECK:       arith.cmpi slt, %[[ROW]], %c10
// CHECK:       arith.remsi %[[ROW]], %c2
// CHECK:       arith.cmpi sge, %[[COLUMN:.*]], %c0
// CHECK:       arith.cmpi slt, %[[COLUMN]], %c5
// CHECK-NOT:   arith.remsi
// CHECK:       scf.if
// CHECK:         %[[WINDOW:.*]] = arith.divsi %[[ROW]], %c2
// CHECK:         memref.load %[[X]][%{{.*}}, %{{.*}}, %[[WINDOW]], %[[COLUMN]]]
func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<4x8x2x2xf32>) -> tensor<1x8x9x6xf32> {
  %0 = uma.graph.conv2d_transpose %x, %w strides [2, 1] padding [1, 0, 0, 0]
      : (tensor<1x4x5x5xf32>, tensor<4x8x2x2xf32>) -> tensor<1x8x9x6xf32>
  return %0 : tensor<1x8x9x6xf32>
}

// -----

// CHECK-LABEL: uma.tir.func private @col2im(
// CHECK-SAME:  %[[X:.*]]: memref<1x5x5xi8>
// CHECK:       uma.tir.block "col2im"
// CHECK:       scf.if
// CHECK:         memref.load %[[X]]
// CHECK-NEXT:    arith.addi {{.*}} : i8
func.func @main(%x: tensor<1x5x5xi8>) -> tensor<1x1x5x5xi8> {
  %0 = uma.graph.col2im %x image [5, 5] block [1, 5] strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1]
      : (tensor<1x5x5xi8>) -> tensor<1x1x5x5xi8>
  return %0 : tensor<1x1x5x5xi8>
}

// -----

// An offset is only made an index where it is near the data, which NaN is not.

// CHECK-LABEL: uma.tir.func private @deformable_conv2d(
// CHECK-SAME:  %[[X:.*]]: memref<1x1x3x3xf32>
// CHECK:       arith.cmpf ogt
// CHECK:       arith.cmpf olt
// CHECK:       scf.if
// CHECK:         math.floor
// CHECK:         arith.fptosi
// CHECK-COUNT-4: memref.load %[[X]]
func.func @main(%x: tensor<1x1x3x3xf32>, %o: tensor<1x8x2x2xf32>, %w: tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %0 = uma.graph.deformable_conv2d %x, %o, %w
      : (tensor<1x1x3x3xf32>, tensor<1x8x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// -----

// Complex data times complex factors; the imaginary part of the product with the imaginary part of the data.

// CHECK-LABEL: uma.tir.func private @dft(
// CHECK-SAME:  %[[X:.*]]: memref<3x8x2xf64>, %[[T:.*]]: memref<10x2xf64>, %[[Y:.*]]: memref<3x6x2xf64>)
// CHECK:       uma.tir.block "dft" (spatial {{.*}} in 3, spatial {{.*}} in 6, spatial {{.*}} in 2, reduce {{.*}} in 8)
// CHECK:       arith.remsi %{{.*}}, %c10
// CHECK-COUNT-2: memref.load %[[T]]
func.func @main(%x: tensor<3x8x2xf64>, %t: tensor<10x2xf64>) -> tensor<3x6x2xf64> {
  %0 = uma.graph.dft %x, %t axis 1 onesided true : (tensor<3x8x2xf64>, tensor<10x2xf64>) -> tensor<3x6x2xf64>
  return %0 : tensor<3x6x2xf64>
}
