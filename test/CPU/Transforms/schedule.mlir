// RUN: uma-opt %s --uma-cpu-form-layers --uma-cpu-assign-layouts --uma-cpu-select-kernels --uma-cpu-schedule --remarks-filter=uma-cpu 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR

// By hand: one version with a small tile, another one in four slices, the last one as it must be.

// CHECK-LABEL: func private @by_hand(
// CHECK-SAME: uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 2x2x8, slices = 4>, <scalar, tile = 1x2x1>]>]
// TIR-LABEL: uma.tir.func private @dense
// TIR: uma.tir.multiversion

// By the model: a version for each set of instructions. Few rows use the weights: the reduction is blocked for the caches where cores have small ones, and tiles ask for the next weights.

// CHECK-LABEL: func private @many_conv2d(
// CHECK-SAME: uma.schedules = [#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16, prefetch = all>, <avx2, tile = 6x2x8, prefetch = all, blocking = <
// CHECK-SAME: <sse, tile = 6x2x4, prefetch = all, blocking = <broadcast,
// CHECK-SAME: <neon, tile = {{[0-9x]+}}, slices = 4, by_lane = true>
// CHECK-SAME: <simd128, tile = {{[0-9x]+}}, slices = 4>
// CHECK-SAME: <scalar, tile = {{[0-9x]+}}, slices = 4>]>]
// REMARK: layer 'many', in thousands of cycles by the model: avx512 14x2x16 packed by 32 {{[0-9.e+]+}} (then {{[0-9x]+}} packed by {{[0-9]+}} {{[0-9.e+]+}}) avx2 6x2x8 packed by 32
// REMARK: layer 'deep', in thousands of cycles by the model: avx512 14x1x16 packed by 16

// A depthwise convolution has tiles of windows.

// CHECK-LABEL: func private @deep_conv2d(
// CHECK-SAME: uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx512, tile = 14x1x16>, <avx2, tile = 7x1x8, sums = 2>, <neon, tile = 14x1x4>, <simd128, tile = 7x1x4>, <scalar, tile = 1x1x1>]>]

// What has no schedule to choose has none.

// CHECK-LABEL: func private @max_pool2d(
// CHECK-NOT: uma.schedules
func.func @main(%x: tensor<1x512x14x14xf32>) -> (tensor<1x512x7x7xf32>, tensor<16x32xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<512x512x1x1xf32>
  %d = uma.graph.constant dense<0.25> : tensor<512x1x3x3xf32>
  %v = uma.graph.constant dense<0.25> : tensor<32x64xf32>
  %y = uma.graph.constant dense<0.25> : tensor<16x64xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<1x512x14x14xf32> loc("many")
  %1 = uma.graph.conv2d %0, %d padding [1, 1, 1, 1] groups 512 : (tensor<1x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<1x512x14x14xf32> loc("deep")
  %2 = uma.graph.max_pool2d %1 size [2, 2] strides [2, 2] : (tensor<1x512x14x14xf32>) -> tensor<1x512x7x7xf32>
  %3 = call @by_hand(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %2, %3 : tensor<1x512x7x7xf32>, tensor<16x32xf32>
}
func.func private @by_hand(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32>
    attributes {uma.primitive, uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 2x2x8, slices = 4>, <scalar, tile = 1x2x1>]>]} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
