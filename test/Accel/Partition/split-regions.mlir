// Layers of a device with commands get a function each. A region whose functions return when they are done stays whole, and
// one with a single layer.
// RUN: uma-opt %s --uma-partition="accelerators=strawberry,vanilla" -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=MERGED
// RUN: uma-opt %t.mlir --uma-accel-split-regions -o %t.inlined.mlir
// RUN: FileCheck %s --input-file %t.inlined.mlir --check-prefix=INLINED
// RUN: uma-opt %t.inlined.mlir --uma-accel-merge-compiler-regions=merge-regions=false --uma-accel-partition-graph | FileCheck %s
// RUN: uma-opt %t.mlir --uma-accel-split-regions --uma-accel-merge-compiler-regions --uma-accel-partition-graph | FileCheck %s --check-prefix=MERGED

// MERGED-LABEL:  func.func @net
// MERGED:          call @net_strawberry_0(
// MERGED-NOT:      call @net_strawberry
// MERGED:          call @net_vanilla_0(
// MERGED-NOT:      call
// MERGED:          return

// INLINED-LABEL: func.func @net
// INLINED:         uma.graph.composite @strawberry::{{.*}} {uma.target = #uma.target<"strawberry"
// INLINED:         uma.graph.composite @strawberry::{{.*}} {uma.target = #uma.target<"strawberry"
// INLINED:         call @net_vanilla_0(
// INLINED-NOT:   func private @net_strawberry
// INLINED:       func private @net_vanilla_0

// CHECK-LABEL:   func.func @net
// CHECK:           %[[A:.*]] = call @net_strawberry_0(
// CHECK:           %[[B:.*]] = call @net_strawberry_1(%[[A]]
// CHECK:           call @net_vanilla_0(
// CHECK:           return
// CHECK:         func private @net_strawberry_0({{.*}}attributes {uma.target = #uma.target<"strawberry"
// CHECK:         func private @net_strawberry_1({{.*}}attributes {uma.target = #uma.target<"strawberry"

!x = !quant.uniform<i8:f32, 0.5>
!w = !quant.uniform<i8:f32, 0.25>
!s = !quant.uniform<i32:f32, 0.125>
func.func @net(%x: tensor<1x16x8x8x!x>) -> tensor<1x8x8x8xf32> attributes {uma.network = "net"} {
  %c = uma.graph.constant dense<1> : tensor<16x16x3x3xi8>
  %w = uma.graph.storage_cast %c : (tensor<16x16x3x3xi8>) -> tensor<16x16x3x3x!w>
  %s = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x16x8x8x!x>, tensor<16x16x3x3x!w>) -> tensor<1x16x8x8x!s>
  %y = uma.graph.requantize %s : (tensor<1x16x8x8x!s>) -> tensor<1x16x8x8x!x>
  %t = uma.graph.conv2d %y, %w padding [1, 1, 1, 1] : (tensor<1x16x8x8x!x>, tensor<16x16x3x3x!w>) -> tensor<1x16x8x8x!s>
  %z = uma.graph.requantize %t : (tensor<1x16x8x8x!s>) -> tensor<1x16x8x8x!x>
  %f = uma.graph.dequantize %z : (tensor<1x16x8x8x!x>) -> tensor<1x16x8x8xf32>
  %v = uma.graph.constant dense<0.5> : tensor<8x16x3x3xf32>
  %u = uma.graph.constant dense<0.5> : tensor<8x8x3x3xf32>
  %g = uma.graph.conv2d %f, %v padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<8x16x3x3xf32>) -> tensor<1x8x8x8xf32>
  %r = uma.graph.conv2d %g, %u padding [1, 1, 1, 1] : (tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}
