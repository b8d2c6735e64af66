// What was measured takes the place of the model's choice: the algorithm, blocking, slices. What a layer cannot have is left to the model.
// RUN: split-file %s %t
// RUN: uma-opt %t/net.mlir --uma-cpu-plan="name-workloads" | FileCheck %t/net.mlir --check-prefix=MODEL
// RUN: uma-opt %t/net.mlir --uma-cpu-plan="name-workloads tuning=%t/tuned.json" | FileCheck %t/net.mlir --check-prefix=TUNED

//--- net.mlir
// MODEL-LABEL: func private @first_conv2d(
// MODEL-SAME:    uma.kernel = #uma.cpu.kernel<direct>
// MODEL-SAME:    uma.workload = {{.*}}reduce = array<i64: 4, 3, 3, 16>
// TUNED-LABEL: func private @first_conv2d(
// TUNED-SAME:    uma.kernel = #uma.cpu.kernel<winograd, tile = 2>
// The model schedules its products; the workload is the layer's.
// TUNED-SAME:    uma.schedules = [#uma.cpu.schedule<
// TUNED-SAME:    uma.workload = {{.*}}reduce = array<i64: 4, 3, 3, 16>

// MODEL-LABEL: func private @second_conv2d(
// MODEL-SAME:    <avx512, tile = 7x2x16>
// TUNED-LABEL: func private @second_conv2d(
// TUNED-SAME:    uma.kernel = #uma.cpu.kernel<direct>
// TUNED-SAME:    pack = 16, versions = [<avx512, tile = 6x1x16, slices = 2>, <avx2, tile = 6x2x8, blocking = <packed, packs = 2, join_rows = true>>, <scalar, tile = 2x4x1>]

// A convolution of 1x1 has no such algorithm.
// TUNED-LABEL: func private @third_conv2d(
// TUNED-SAME:    uma.kernel = #uma.cpu.kernel<direct>
func.func @main(%x: tensor<1x64x16x16xf32>) -> tensor<1x64x7x7xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<64x64x3x3xf32>
  %v = uma.graph.constant dense<0.25> : tensor<32x64x1x1xf32>
  %u = uma.graph.constant dense<0.25> : tensor<64x32x1x1xf32>
  %t = uma.graph.constant dense<0.25> : tensor<64x64x1x1xf32>
  %y = uma.graph.conv2d %x, %t : (tensor<1x64x16x16xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x16x16xf32> loc("open")
  %0 = uma.graph.conv2d %y, %w : (tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x14x14xf32> loc("first")
  %1 = uma.graph.conv2d %0, %v strides [2, 2] : (tensor<1x64x14x14xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x7x7xf32> loc("second")
  %2 = uma.graph.conv2d %1, %u : (tensor<1x32x7x7xf32>, tensor<64x32x1x1xf32>) -> tensor<1x64x7x7xf32> loc("third")
  return %2 : tensor<1x64x7x7xf32>
}

//--- tuned.json
{
  "format": "uma-tuning", "version": 2, "lanes": 16, "processor": "any", "compiler": "cc -O3",
  "layers": [
    {
      "workload": {"operator":"conv2d","outer":[1,14],"rows":14,"channels":64,"channel_block":16,"reduce":[4,3,3,16],"strides":[1,1],"dilations":[1,1]},
      "kernel": "#uma.cpu.kernel<winograd, tile = 2>", "microseconds": 1, "analytic_microseconds": 2
    },
    {
      "workload": {"operator":"conv2d","outer":[1,7],"rows":7,"channels":32,"channel_block":16,"reduce":[4,1,1,16],"strides":[2,2],"dilations":[1,1]},
      "kernel": "#uma.cpu.kernel<direct>",
      "schedules": ["#uma.cpu.schedule<pack = 16, versions = [<avx512, tile = 6x1x16, slices = 2>, <avx2, tile = 6x2x8, blocking = <packed, packs = 2, join_rows = true>>, <scalar, tile = 2x4x1>]>"],
      "microseconds": 1, "analytic_microseconds": 2
    },
    {
      "workload": {"operator":"conv2d","outer":[1],"rows":49,"channels":64,"channel_block":16,"reduce":[2,1,1,16],"strides":[1,1],"dilations":[1,1]},
      "kernel": "#uma.cpu.kernel<winograd, tile = 4>", "microseconds": 1, "analytic_microseconds": 2
    }
  ]
}
