// From a graph, partitioned or not, to plain TIR with a memory plan.
// RUN: uma-opt %s --uma-lower=disable=loop-partition | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower | FileCheck %s --check-prefixes=CHECK,DEVICE
// RUN: uma-opt %s --pass-pipeline='builtin.module(uma-partition{accelerators=vanilla},uma-lower)' | FileCheck %s --check-prefixes=CHECK,DEVICE

// What a pass pipeline prints of itself is a pass pipeline.
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower --uma-emit-c --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP:      builtin.module(
// DUMP-NEXT:   uma-partition{{.*}}accelerators={vanilla}{{.*}} merge-regions=auto opt-level=3{{.*}}}
// DUMP-NEXT:   uma-lower{{.*}}vectorize=true
// DUMP-NEXT:   uma-emit-c

// Plain TIR is lowered to itself, but for what goes on splitting loops and narrowing what that leaves.
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower="disable=loop-partition,narrow-data-type" > %t.once
// RUN: uma-opt %t.once --uma-lower="disable=loop-partition,narrow-data-type" > %t.twice
// RUN: diff %t.once %t.twice

// The same input gives the same bytes.
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower > %t.first
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower | diff %t.first -

// CHECK:         memref.global "private" constant @w : memref<576xf32> = dense_resource<w>
// CHECK-LABEL:   uma.tir.func @main(
// CHECK-SAME:      %[[X:.*]]: memref<288xf32> {uma.name = "image", {{[^}]*}}uma.type = tensor<1x8x6x6xf32>},
// CHECK-SAME:      %[[Y:.*]]: memref<288xf32> {uma.name = "out", uma.output, {{[^}]*}}uma.type = tensor<1x288xf32>})
// Two buffers of 1152 bytes: the activation is in place, and the second convolution ends 64 bytes over what it has read.
// CHECK-SAME:      uma.network = "net", uma.workspace_size = 2240 : i64
// CHECK:           %[[A:.*]] = uma.tir.alloc workspace offset 1088 label "conv_0" : memref<288xf32>
// CPU:             uma.tir.call @conv_0_conv2d(%[[X]], %{{.*}}, %[[A]])
// DEVICE:          uma.tir.call @conv_0_vanilla(%[[X]], %{{.*}}, %[[A]])
// CHECK:           %[[B:.*]] = uma.tir.alloc workspace offset 1088 label "relu_0" : memref<288xf32>
// CHECK-NEXT:      uma.tir.call @relu_0_relu(%[[A]], %[[B]])
// CHECK:           %[[C:.*]] = uma.tir.alloc workspace offset 0 label "conv_1" : memref<288xf32>
// CHECK:           uma.tir.call @conv_1_conv2d(%[[B]], %{{.*}}, %[[C]])
// CHECK:           uma.tir.call @{{.*}}softmax(%[[C]], %[[Y]])

// CPU-LABEL:     uma.tir.func private @conv_0_conv2d(
// CPU-SAME:        %[[X:[^:]*]]: memref<288xf32>, %[[W:[^:]*]]: memref<576xf32>, %[[Y:[^:]*]]: memref<288xf32>) attributes {layer = "conv_0"
// CPU-NOT:         uma.tir.block
// CPU:             uma.tir.for %[[O:.*]] = 0 to 8 {
// CPU:             uma.tir.for %[[H:.*]] = 0 to 6 {
// CPU:             uma.tir.for %[[V:.*]] = 0 to 6 {
// CPU:             memref.store %cst, %[[SUM:.*]][] : memref<f32>
// CPU:             uma.tir.for %{{.*}} = 0 to 8 {
// CPU:             uma.tir.for %{{.*}} = 0 to 3 {
// CPU:             uma.tir.for %{{.*}} = 0 to 3 {
// CPU:               scf.if
// CPU-NEXT:            memref.load %[[X]][%{{.*}}] : memref<288xf32>
// CPU-NEXT:            memref.load %[[W]][%{{.*}}] : memref<576xf32>
// CPU:             memref.store %{{.*}}, %[[Y]][%{{.*}}] : memref<288xf32>

// DEVICE-LABEL:  uma.tir.func private @conv_0_vanilla(
// DEVICE-SAME:     layer = "conv_0", uma.macs = 20736 : i64, uma.target = #uma.target<"vanilla">
// DEVICE-NOT:      uma.tir.for
// DEVICE:          uma.tir.call_extern "vanilla_conv2dnchw"(%arg0, %arg1, %arg2, %c8, %c6, %c6, %c8, %c3, %c3) writes [2] {uma.layer = "conv_0"}

// A dilation of 2 is none of vanilla's.
// CHECK-LABEL:   uma.tir.func private @conv_1_conv2d(
// CHECK-NOT:     func.func
// CHECK-NOT:     uma.graph
func.func @main(%x: tensor<1x8x6x6xf32> {uma.name = "image"}) -> (tensor<1x288xf32> {uma.name = "out"})
    attributes {uma.network = "net"} {
  %w = uma.graph.constant dense_resource<w> : tensor<8x8x3x3xf32> loc("w")
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
      : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32> loc("conv_0")
  %1 = uma.graph.relu %0 : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32> loc("relu_0")
  %2 = uma.graph.conv2d %1, %w padding [2, 2, 2, 2] dilations [2, 2]
      : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32> loc("conv_1")
  %3 = uma.graph.batch_flatten %2 : (tensor<1x8x6x6xf32>) -> tensor<1x288xf32>
  %4 = uma.graph.softmax %3 : (tensor<1x288xf32>) -> tensor<1x288xf32>
  return %4 : tensor<1x288xf32>
}
