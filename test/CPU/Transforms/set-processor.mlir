// The processor is written once, and what comes later takes its numbers and its instructions.
// RUN: split-file %s %t
// RUN: uma-opt %t/net.mlir --uma-cpu-set-processor=cpu=cortex-a72 | FileCheck %t/net.mlir --check-prefix=SET
// RUN: uma-opt %t/net.mlir --uma-cpu-set-processor | FileCheck %t/net.mlir --check-prefix=ANY
// RUN: uma-opt %t/hand.mlir --uma-cpu-set-processor=cpu=cortex-a72 | FileCheck %t/hand.mlir --check-prefix=KEPT
// RUN: uma-opt %t/hand.mlir --uma-cpu-plan | FileCheck %t/hand.mlir --check-prefix=PLAN
// RUN: uma-opt %t/net.mlir --uma-cpu-plan=cpu=cortex-m4 | FileCheck %t/net.mlir --check-prefix=SCALAR
// RUN: uma-opt %t/net.mlir --uma-cpu-plan=cpu=%t/mine.json | FileCheck %t/net.mlir --check-prefix=MINE
// RUN: uma-opt %t/net.mlir --uma-cpu-plan=cpu=neoverse-n1 --remarks-filter=uma-cpu 2>%t/remarks.txt | FileCheck %t/net.mlir --check-prefix=NEON
// RUN: FileCheck %t/net.mlir --check-prefix=REMARK < %t/remarks.txt
// RUN: not uma-opt %t/net.mlir --uma-cpu-set-processor=cpu=cortex-a722 2>&1 | FileCheck %t/net.mlir --check-prefix=NAME
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=cpu=cortex-a722 2>&1 | FileCheck %t/net.mlir --check-prefix=NAME
// RUN: not uma-opt %t/net.mlir --uma-lower=cpu=./none.json 2>&1 | FileCheck %t/net.mlir --check-prefix=FILE
// RUN: not uma-opt %t/wrong.mlir --uma-cpu-set-processor=cpu=cortex-m4 2>&1 | FileCheck %t/wrong.mlir

//--- net.mlir
// SET: module attributes {uma.processor = #uma.cpu.processor<"cortex-a72", sets = [neon, scalar], ports = 2, port_lanes = 4, issue = 3, latency = 4, l1 = 32768, l2 = 1048576, l2_line_cycles = 12, memory_line_cycles = 24>}
// ANY-NOT: uma.processor
// SCALAR: uma.schedules = [#uma.cpu.schedule<pack = {{[0-9]+}}, versions = [<scalar, tile = {{[0-9]x[0-9]}}x1>]>]
// NEON: versions = [<neon, tile = {{[0-9x]+}}, slices = 4, by_lane = true>, <scalar, tile = {{[0-9]x[0-9]}}x1, slices = 4>]
// REMARK: layer 'conv2d', in thousands of cycles by the model: neon
// REMARK-NOT: avx
// MINE: #uma.cpu.processor<"mine"
// MINE: versions = [<avx2, tile = {{[0-9x]+}}{{[^<]*}}>, <scalar, tile
// NAME: error: there is no processor 'cortex-a722'; did you mean 'cortex-a72'?; 'uma list --cpus' tells all, and a path with '/' or '.json' names a file
// FILE: error: ./none.json: No such file or directory
func.func @main(%x: tensor<1x64x24x24xf32>) -> tensor<1x128x24x24xf32> {
  %p = uma.graph.constant dense<0.5> : tensor<64x64x1x1xf32>
  %w = uma.graph.constant dense<0.5> : tensor<128x64x3x3xf32>
  %0 = uma.graph.conv2d %x, %p : (tensor<1x64x24x24xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x24x24xf32>
  %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] : (tensor<1x64x24x24xf32>, tensor<128x64x3x3xf32>) -> tensor<1x128x24x24xf32>
  return %1 : tensor<1x128x24x24xf32>
}

//--- hand.mlir
// KEPT: uma.processor = #uma.cpu.processor<"by hand"
// KEPT-NOT: cortex-a72
// PLAN: versions = [<avx512, tile = {{[0-9x]+}}{{.*}}>, <scalar, tile = {{[0-9x]+}}>]
// PLAN-NOT: avx2
module attributes {uma.processor = #uma.cpu.processor<"by hand", sets = [avx512, scalar], ports = 1, port_lanes = 16, issue = 4, latency = 4, l1 = 32768, l2 = 262144, l2_line_cycles = 6, memory_line_cycles = 8>} {
  func.func @main(%x: tensor<16x64xf32>) -> tensor<16x128xf32> {
    %w = uma.graph.constant dense<0.5> : tensor<128x64xf32>
    %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<128x64xf32>) -> tensor<16x128xf32>
    return %0 : tensor<16x128xf32>
  }
}

//--- wrong.mlir
// CHECK: error: 'builtin.module' op has uma.processor = "cortex-m4", expected #uma.cpu.processor
module attributes {uma.processor = "cortex-m4"} {}

//--- mine.json
{
  "format": "uma-processor", "version": 1, "name": "mine", "summary": "small caches",
  "sets": ["avx2", "scalar"], "ports": 2, "port_lanes": 8, "issue": 6, "latency": 5,
  "l1": 4096, "l2": 65536, "l2_line_cycles": 20, "memory_line_cycles": 40
}
