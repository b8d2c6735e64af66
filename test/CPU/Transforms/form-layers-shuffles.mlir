// A concatenation of images, a shuffle of their channels and a slice of these are one layer, or some of them.
// RUN: uma-opt %s --uma-cpu-form-layers --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-cpu-form-layers --split-input-file > %t.once.mlir
// RUN: uma-opt %s --uma-cpu-form-layers=max-depth=2 --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: uma-opt %t.once.mlir --uma-cpu-form-layers --split-input-file | diff %t.once.mlir -

// CHECK-LABEL: func @shuffle(
// CHECK:         call @last_reshape_transpose_reshape(
// CHECK-LABEL: func private @last_reshape_transpose_reshape(
// CHECK-NEXT:    uma.graph.reshape
// CHECK-NEXT:    uma.graph.transpose
// CHECK-NEXT:    uma.graph.reshape
// CHECK-NEXT:    return

// No layer of more than two.

// TWO-LABEL: func @shuffle(
// TWO-NEXT:    uma.graph.reshape
// TWO-LABEL: func @slices(
// TWO-COUNT-2: uma.graph.transpose
// TWO-NOT:     uma.graph.transpose
// TWO:         return
func.func @shuffle(%x: tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %0 = uma.graph.reshape %x [1, 2, 3, 4, 4] : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %2 = uma.graph.reshape %1 [1, 6, 4, 4] : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32> loc("last")
  return %2 : tensor<1x6x4x4xf32>
}

// -----

// Dimensions of size 1 may be anywhere.

// CHECK-LABEL: func @image(
// CHECK:         call @{{.*}}reshape_transpose_reshape(
func.func @image(%x: tensor<1x4x4x6xf32>) -> tensor<1x4x4x6xf32> {
  %0 = uma.graph.reshape %x [16, 1, 3, 2] : (tensor<1x4x4x6xf32>) -> tensor<16x1x3x2xf32>
  %1 = uma.graph.transpose %0 [1, 0, 3, 2] : (tensor<16x1x3x2xf32>) -> tensor<1x16x2x3xf32>
  %2 = uma.graph.reshape %1 [1, 4, 4, 6] : (tensor<1x16x2x3xf32>) -> tensor<1x4x4x6xf32>
  return %2 : tensor<1x4x4x6xf32>
}

// -----

// Pixels that move with the channels, elements that have no kernel, results that something else reads, data without elements.

// CHECK-LABEL: func @others(
// CHECK-NOT:     call @{{.*(transpose|concatenate)}}
// CHECK:         return
func.func @others(%x: tensor<1x6x4x4xf32>, %y: tensor<1x6x4x4xi64>, %z: tensor<1x0x4x4xf32>)
    -> (tensor<1x6x4x4xf32>, tensor<1x6x4x4xi64>, tensor<1x6x4x4xf32>, tensor<1x3x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %0 = uma.graph.reshape %x [1, 6, 4, 2, 2] : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x2x2xf32>
  %1 = uma.graph.transpose %0 [0, 4, 1, 2, 3] : (tensor<1x6x4x2x2xf32>) -> tensor<1x2x6x4x2xf32>
  %2 = uma.graph.reshape %1 [1, 6, 4, 4] : (tensor<1x2x6x4x2xf32>) -> tensor<1x6x4x4xf32>
  %3 = uma.graph.reshape %y [1, 2, 3, 4, 4] : (tensor<1x6x4x4xi64>) -> tensor<1x2x3x4x4xi64>
  %4 = uma.graph.transpose %3 [0, 2, 1, 3, 4] : (tensor<1x2x3x4x4xi64>) -> tensor<1x3x2x4x4xi64>
  %5 = uma.graph.reshape %4 [1, 6, 4, 4] : (tensor<1x3x2x4x4xi64>) -> tensor<1x6x4x4xi64>
  %6 = uma.graph.reshape %x [1, 2, 3, 4, 4] : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %7 = uma.graph.transpose %6 [0, 2, 1, 3, 4] : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %8 = uma.graph.reshape %7 [1, 6, 4, 4] : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %9 = uma.graph.concatenate %z, %x axis 1 : (tensor<1x0x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %10 = uma.graph.strided_slice %9 [0, 3, 0, 0] size [1, 3, 4, 4] strides [1, 1, 1, 1] : (tensor<1x6x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2, %5, %8, %7, %10 : tensor<1x6x4x4xf32>, tensor<1x6x4x4xi64>, tensor<1x6x4x4xf32>, tensor<1x3x2x4x4xf32>, tensor<1x3x4x4xf32>
}

// -----

// Each slice of a shuffle is a layer if the data of both comes from convolutions, which write blocks. The shuffle of an argument is done once.

// CHECK-LABEL: func @slices(
// CHECK:         call @low_reshape_transpose_reshape_strided_slice(
// CHECK:         call @high_reshape_transpose_reshape_strided_slice(
// CHECK:         call @whole_reshape_transpose_reshape(
// CHECK:         call @{{.*}}strided_slice
// CHECK:         call @{{.*}}strided_slice
func.func @slices(%x: tensor<1x6x4x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<6x6x1x1xf32>
  %c = uma.graph.conv2d %x, %w : (tensor<1x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<1x6x4x4xf32>
  %0 = uma.graph.reshape %c [1, 2, 3, 4, 4] : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %2 = uma.graph.reshape %1 [1, 6, 4, 4] : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %3 = uma.graph.strided_slice %2 [0, 0, 0, 0] size [1, 3, 4, 4] strides [1, 1, 1, 1] : (tensor<1x6x4x4xf32>) -> tensor<1x3x4x4xf32> loc("low")
  %4 = uma.graph.strided_slice %2 [0, 3, 0, 0] size [1, 3, 4, 4] strides [1, 1, 1, 1] : (tensor<1x6x4x4xf32>) -> tensor<1x3x4x4xf32> loc("high")
  %5 = uma.graph.reshape %x [1, 2, 3, 4, 4] : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %6 = uma.graph.transpose %5 [0, 2, 1, 3, 4] : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %7 = uma.graph.reshape %6 [1, 6, 4, 4] : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32> loc("whole")
  %8 = uma.graph.strided_slice %7 [0, 0, 0, 0] size [1, 3, 4, 4] strides [1, 2, 1, 1] : (tensor<1x6x4x4xf32>) -> tensor<1x3x4x4xf32>
  %9 = uma.graph.strided_slice %7 [0, 3, 0, 0] size [1, 3, 4, 4] strides [1, -1, 1, 1] : (tensor<1x6x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %3, %4, %8, %9 : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>
}

// -----

// A concatenation, a shuffle and a slice; a concatenation with an activation behind, which reads nothing else, if convolutions write its data.

// CHECK-LABEL: func @joined(
// CHECK:         call @slice_concatenate_reshape_transpose_reshape_strided_slice(
// CHECK:         call @side_concatenate_relu(
// CHECK:         call @more_concatenate(
// CHECK:         call @{{.*}}add
// CHECK:         call @data_concatenate(
// CHECK:         call @{{.*}}relu
func.func @joined(%z: tensor<1x6x4x4xf32>, %y: tensor<1x12x4x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x12x4x4xf32>, tensor<1x12x4x4xf32>, tensor<1x12x4x4xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<6x6x1x1xf32>
  %x = uma.graph.conv2d %z, %w : (tensor<1x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<1x6x4x4xf32>
  %0 = uma.graph.concatenate %x, %x axis -3 : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x12x4x4xf32>
  %1 = uma.graph.reshape %0 [1, 2, 6, 4, 4] : (tensor<1x12x4x4xf32>) -> tensor<1x2x6x4x4xf32>
  %2 = uma.graph.transpose %1 [0, 2, 1, 3, 4] : (tensor<1x2x6x4x4xf32>) -> tensor<1x6x2x4x4xf32>
  %3 = uma.graph.reshape %2 [1, 12, 4, 4] : (tensor<1x6x2x4x4xf32>) -> tensor<1x12x4x4xf32>
  %4 = uma.graph.strided_slice %3 [0, 9, 0, 0] size [1, 3, 4, 4] strides [1, 1, 1, 1] : (tensor<1x12x4x4xf32>) -> tensor<1x3x4x4xf32> loc("slice")
  %5 = uma.graph.concatenate %x, %x axis 1 : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x12x4x4xf32> loc("side")
  %6 = uma.graph.relu %5 : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
  %7 = uma.graph.concatenate %x, %x axis 1 : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x12x4x4xf32> loc("more")
  %8 = uma.graph.add %7, %y : (tensor<1x12x4x4xf32>, tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
  %9 = uma.graph.concatenate %x, %z axis 1 : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x12x4x4xf32> loc("data")
  %10 = uma.graph.relu %9 : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
  return %4, %6, %8, %10 : tensor<1x3x4x4xf32>, tensor<1x12x4x4xf32>, tensor<1x12x4x4xf32>, tensor<1x12x4x4xf32>
}
