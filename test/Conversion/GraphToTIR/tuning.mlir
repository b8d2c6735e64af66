// A database of `uma tune` decides the tiles for its width of vectors, and how weights are packed, of the layers that it
// knows. All other tiles are the model's.
// RUN: split-file %s %t
// RUN: uma-opt %t/net.mlir --uma-cpu-plan="name-workloads" --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/net.mlir --check-prefixes=CHECK,MODEL
// RUN: uma-opt %t/net.mlir --uma-cpu-plan="name-workloads tuning=%t/tuned.json" --convert-uma-graph-to-uma-tir=vectorize | FileCheck %t/net.mlir --check-prefixes=CHECK,TUNED

// The whole pipeline takes it too, and functions keep what they say.
// RUN: uma-opt %t/net.mlir --uma-lower="name-workloads tuning=%t/tuned.json" | FileCheck %t/net.mlir --check-prefix=LOWER

// What a database does not know changes nothing, and functions say nothing where nobody asks.
// RUN: uma-opt %t/net.mlir --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize -o %t/before.mlir
// RUN: uma-opt %t/net.mlir --uma-cpu-plan="tuning=%t/others.json" --convert-uma-graph-to-uma-tir=vectorize -o %t/after.mlir
// RUN: diff %t/before.mlir %t/after.mlir
// RUN: not grep workload %t/before.mlir

//--- net.mlir
// CHECK-LABEL: uma.tir.func private @conv2d(
// CHECK-SAME:    uma.workload = {channel_block = 16 : i64, channels = 16 : i64, dilations = array<i64: 1, 1>, operator = "depthwise_conv2d",
// CHECK-SAME:      outer = array<i64: 1, 12>, reduce = array<i64: 3, 3>, rows = 12 : i64, strides = array<i64: 1, 1>}
// The windows of a tile.
// CHECK:       uma.tir.multiversion lanes(16) {
// MODEL:         writes(%{{.*}}, [1, 1, 1, 12, 16]]
// TUNED:         writes(%{{.*}}, [1, 1, 1, 5, 16]]
// CHECK:       } lanes(8) {
// CHECK:         writes(%{{.*}}, [1, 1, 1, 6, 8]]
func.func @main(%image: tensor<1x16x12x12xf32>, %x: tensor<6x40xf32>) -> (tensor<1x16x12x12xf32>, tensor<6x64xf32>) {
  %taps = uma.graph.constant dense<0.5> : tensor<16x1x3x3xf32>
  %0 = uma.graph.conv2d %image, %taps strides [1, 1] padding [1, 1, 1, 1] dilations [1, 1] groups 16 : (tensor<1x16x12x12xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x12x12xf32>

// Panels of a line of the cache, with a step between them.
// CHECK-LABEL: uma.tir.func private @dense({{.*}}, %{{.*}}: memref<4x41x16xf32>)
// CHECK-SAME:    uma.workload = {channel_block = 0 : i64, channels = 64 : i64, dilations = array<i64>, operator = "dense",
// CHECK-SAME:      outer = array<i64: 1>, reduce = array<i64: 40>, rows = 6 : i64, strides = array<i64>}
// CHECK:       uma.tir.multiversion lanes(16) {
// MODEL:         uma.tir.alloc local label "sum" : memref<6x64xf32>
// TUNED:         uma.tir.alloc local label "sum" : memref<3x16xf32>
// CHECK:       } lanes(8) {
// MODEL:         uma.tir.alloc local label "sum" : memref<6x16xf32>
// TUNED:         uma.tir.alloc local label "sum" : memref<6x16xf32>

// LOWER:       uma.tir.func private @dense({{.*}} uma.workload
  %w = uma.graph.constant dense<0.25> : tensor<64x40xf32>
  %1 = uma.graph.dense %x, %w : (tensor<6x40xf32>, tensor<64x40xf32>) -> tensor<6x64xf32>
  return %0, %1 : tensor<1x16x12x12xf32>, tensor<6x64xf32>
}

//--- tuned.json
{
  "format": "uma-tuning", "version": 2, "lanes": 16, "processor": "any", "compiler": "cc -O3",
  "layers": [
    {
      "workload": {"operator":"depthwise_conv2d","outer":[1,12],"rows":12,"channels":16,"channel_block":16,"reduce":[3,3],"strides":[1,1],"dilations":[1,1]},
      "kernel": "#uma.cpu.kernel<direct>",
      "schedules": ["#uma.cpu.schedule<pack = 16, versions = [<avx512, tile = 5x1x16>, <avx2, tile = 6x1x8>, <simd128, tile = 6x1x4>, <scalar, tile = 1x1x1>]>"], "microseconds": 1, "analytic_microseconds": 2
    },
    {
      "workload": {"operator":"dense","outer":[1],"rows":6,"channels":64,"channel_block":0,"reduce":[40],"strides":[],"dilations":[]},
      "kernel": "#uma.cpu.kernel<direct>",
      "schedules": ["#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 3x2x8>, <avx2, tile = 6x2x8>, <simd128, tile = 2x4x4>, <scalar, tile = 2x4x1>]>"], "microseconds": 1.25, "analytic_microseconds": 2.5
    }
  ]
}

//--- others.json
{
  "format": "uma-tuning", "version": 2, "lanes": 16, "processor": "any", "compiler": "cc -O3",
  "layers": [
    {
      "workload": {"operator":"dense","outer":[1],"rows":7,"channels":64,"channel_block":0,"reduce":[40],"strides":[],"dilations":[]},
      "kernel": "#uma.cpu.kernel<direct>",
      "schedules": ["#uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 3x2x8>, <avx2, tile = 6x2x8>, <simd128, tile = 2x4x4>, <scalar, tile = 2x4x1>]>"], "microseconds": 1.25, "analytic_microseconds": 2.5
    }
  ]
}
