// Steps of a window that see padding alone are left out.
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize --uma-tir-lower-block | FileCheck %s

// In the first and in the last row: the loop over the rows of the window has bounds. The first row through the weights
// sees all of them, the one at the top comes last.
// CHECK-LABEL: uma.tir.func private @border_conv2d(
// CHECK:      uma.tir.for parallel %[[TURN:.*]] = 0 to 14 {
// CHECK:        %[[NEXT:.*]] = arith.addi %[[TURN]], %c1
// CHECK:        %[[ROW:.*]] = arith.remsi %[[NEXT]], %c14
// CHECK:        %[[BEFORE:.*]] = arith.subi %c1{{.*}}, %[[ROW]]
// CHECK:        %[[FIRST:.*]] = arith.maxsi %[[BEFORE]], %c0
// CHECK:        %[[REACH:.*]] = arith.subi %c15{{.*}}, %[[ROW]]
// CHECK:        %[[STEPS:.*]] = arith.maxsi %[[REACH]], %c0
// CHECK:        %[[END:.*]] = arith.minsi %[[STEPS]], %c3
// CHECK:        uma.tir.for %{{.*}} = %[[FIRST]] to %[[END]] {
func.func @rows(%x: tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x16x14x14xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x14x14xf32> loc("border")
  return %0 : tensor<1x16x14x14xf32>
}

// Everywhere: the outer ones of a window that is larger than the image are not even packed.
// CHECK-LABEL: uma.tir.func private @far_conv2d(
// CHECK-SAME:   memref<1x16x16xf32>
// CHECK-NOT:    arith.maxsi
func.func @all(%x: tensor<1x16x9x9xf32>) -> tensor<1x16x9x9xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [18, 18, 18, 18] dilations [18, 18] : (tensor<1x16x9x9xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x9x9xf32> loc("far")
  return %0 : tensor<1x16x9x9xf32>
}
