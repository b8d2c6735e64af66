// RUN: uma-opt %s -uma-accel-annotate-target | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: uma.graph.composite @npu::@relu {{.*}} attributes {uma.target = #uma.target<"npu">}
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  // A configuration that is there stays.
  // CHECK: uma.graph.composite @npu::@relu {{.*}} attributes {uma.target = #uma.target<"npu", {cores = 2 : i64}>}
  %2 = uma.graph.composite @npu::@relu (%a = %0 : tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu", {cores = 2 : i64}>} {
    %3 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %3 : tensor<8xf32>
  }
  // Another accelerator's target does not.
  // CHECK: uma.graph.composite @dsp::@relu {{.*}} attributes {uma.target = #uma.target<"dsp">}
  %4 = uma.graph.composite @dsp::@relu (%a = %2 : tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
    %5 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %5 : tensor<8xf32>
  }
  return %4 : tensor<8xf32>
}

// What is outlined has its target on the function.
// CHECK-LABEL: func.func private @outlined
// CHECK-NEXT: uma.graph.composite @npu::@relu
// CHECK-NOT:  uma.target
func.func private @outlined(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
