// Layers that multiply words are planned as those of floats: a step of the reduction is a word of 4 channels.

// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-cpu-plan | FileCheck %s
// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR

// The data of NCHW is copied to blocks, so that the channels of a word are adjacent.

// CHECK-LABEL: func private @conv2d_conv2d_bias_add_cast_multiply_clip_round_cast(
// CHECK-SAME: tensor<1x16x8x8xui8> {uma.layout = #uma.layout<NCHW16c>}
// CHECK-SAME: -> (tensor<1x32x8x8xui8> {uma.layout = #uma.layout<NCHW16c>})
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<direct>
// CHECK-SAME: uma.schedules = [#uma.cpu.schedule<pack = 32
// TIR: memref.global {{.*}}packed{{.*}} : memref<2x4x64xi8>
// TIR: uma.tir.words {{.*}} as memref<1x1x1x64x4xi32>
// TIR: uma.tir.dot {{.*}} elements ui8, i8 : i32
func.func @main(%x: tensor<1x16x8x8xui8>) -> tensor<1x32x8x8xui8> {
  %w = uma.graph.constant dense<3> : tensor<32x16x1x1xi8>
  %b = uma.graph.constant dense<7> : tensor<32xi32>
  %f = uma.graph.constant dense<0.001> : tensor<f32>
  %0 = uma.graph.conv2d %x, %w out_dtype i32 : (tensor<1x16x8x8xui8>, tensor<32x16x1x1xi8>) -> tensor<1x32x8x8xi32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x32x8x8xi32>, tensor<32xi32>) -> tensor<1x32x8x8xi32>
  %2 = uma.graph.cast %1 to f32 : (tensor<1x32x8x8xi32>) -> tensor<1x32x8x8xf32>
  %3 = uma.graph.multiply %2, %f : (tensor<1x32x8x8xf32>, tensor<f32>) -> tensor<1x32x8x8xf32>
  %4 = uma.graph.clip %3 min 0.0 max 255.0 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %5 = uma.graph.round %4 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %6 = uma.graph.cast %5 to ui8 {uma.in_range} : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xui8>
  return %6 : tensor<1x32x8x8xui8>
}

// -----

// Groups of whole words are convolutions of their own. One block has all channels if a group has no whole blocks.

// CHECK-LABEL: func private @conv2d(
// CHECK-SAME: tensor<1x24x8x8xui8> {uma.layout = #uma.layout<NCHW24c>}
// TIR-LABEL: uma.tir.func private @conv2d(
// TIR: uma.tir.words {{.*}} as memref<1x1x1x64x6xi32>
// TIR: uma.tir.dot {{.*}} elements ui8, i8 : i32
func.func @main(%x: tensor<1x24x8x8xui8>) -> tensor<1x16x8x8xi32> {
  %w = uma.graph.constant dense<3> : tensor<16x12x1x1xi8>
  %0 = uma.graph.conv2d %x, %w groups 2 out_dtype i32 : (tensor<1x24x8x8xui8>, tensor<16x12x1x1xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// -----

// What kernels of words cannot do.

func.func @main(%y: tensor<16x64xi16>) -> tensor<16x32xi32> {
  %v = uma.graph.constant dense<1> : tensor<32x64xi16>
  %0 = call @slices(%y, %v) : (tensor<16x64xi16>, tensor<32x64xi16>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}
// expected-error @+1 {{the result cannot keep the sums of slices, since packs overlap, its elements are narrower, or tiles compute their data}}
func.func private @slices(%x: tensor<16x64xi16>, %w: tensor<32x64xi16>) -> tensor<16x32xi32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
                uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 2x2x8, slices = 4>, <scalar, tile = 1x2x1>]>]} {
  %0 = uma.graph.dense %x, %w out_dtype i32 : (tensor<16x64xi16>, tensor<32x64xi16>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}

// -----

func.func @main(%y: tensor<16x64xi16>) -> tensor<16x32xi32> {
  %v = uma.graph.constant dense<1> : tensor<32x64xi16>
  %0 = call @by_lane(%y, %v) : (tensor<16x64xi16>, tensor<32x64xi16>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}
// expected-error @+1 {{by_lane is for floats, but the layer multiplies words of integers}}
func.func private @by_lane(%x: tensor<16x64xi16>, %w: tensor<32x64xi16>) -> tensor<16x32xi32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
                uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<neon, tile = 2x2x4, by_lane = true>, <scalar, tile = 1x2x1>]>]} {
  %0 = uma.graph.dense %x, %w out_dtype i32 : (tensor<16x64xi16>, tensor<32x64xi16>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}

// -----

func.func @main(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xi32> {
  %w = uma.graph.constant dense<1> : tensor<16x16x3x3xi8>
  %0 = call @winograd(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x3x3xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}
// expected-error @+1 {{which rounds, but the sums of the layer are exact integers}}
func.func private @winograd(%x: tensor<1x16x8x8xui8>, %w: tensor<16x16x3x3xi8>) -> tensor<1x16x8x8xi32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<winograd, tile = 4>} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] out_dtype i32 : (tensor<1x16x8x8xui8>, tensor<16x16x3x3xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// -----

func.func @main(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xi32> {
  %w = uma.graph.constant dense<1> : tensor<16x16x1x1xi8>
  %0 = call @row_major(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}
// expected-error @+1 {{reads words of 4 channels, but the data has no uma.layout with blocks of a multiple}}
func.func private @row_major(%x: tensor<1x16x8x8xui8> {uma.layout = #uma.layout<NCHW>}, %w: tensor<16x16x1x1xi8>)
    -> (tensor<1x16x8x8xi32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.conv2d %x, %w out_dtype i32 : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// -----

// A pool of bytes reduces them in lanes of 32 bits.

// CHECK-LABEL: func private @max_pool2d(
// CHECK-SAME: tensor<1x16x8x8xui8> {uma.layout = #uma.layout<NCHW16c>}
// TIR-LABEL: uma.tir.func private @max_pool2d(
// TIR: uma.tir.for vectorized
// TIR: arith.extui %{{.*}} : i8 to i32
// TIR: arith.maxsi
// TIR: arith.trunci %{{.*}} : i32 to i8
func.func @main(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x4x4xui8> {
  %w = uma.graph.constant dense<3> : tensor<16x16x1x1xi8>
  %0 = uma.graph.conv2d %x, %w out_dtype i32 : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = uma.graph.cast %0 to f32 : (tensor<1x16x8x8xi32>) -> tensor<1x16x8x8xf32>
  %2 = uma.graph.cast %1 to ui8 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xui8>
  %3 = uma.graph.max_pool2d %2 size [2, 2] strides [2, 2] : (tensor<1x16x8x8xui8>) -> tensor<1x16x4x4xui8>
  return %3 : tensor<1x16x4x4xui8>
}
