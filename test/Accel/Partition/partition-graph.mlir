// RUN: uma-opt %s -uma-accel-partition-graph -split-input-file | FileCheck %s
// RUN: uma-opt %s -uma-accel-partition-graph -split-input-file -mlir-print-debuginfo -mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=LOC

// Two composites in one function. The constant that both sides use is in both,
// the one that only the region uses has left @main.

// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[K:.*]] = uma.graph.constant dense<2.000000e+00>
// CHECK-NEXT:    %[[R:.*]] = call @main_npu_0(%[[X]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[Y:.*]] = uma.graph.multiply %[[R]], %[[K]]
// CHECK-NEXT:    return %[[Y]]
// CHECK-LABEL: func.func private @main_npu_0
// CHECK-SAME:    (%[[A:.*]]: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">}
// CHECK-NEXT:    %[[K0:.*]] = uma.graph.constant dense<1.000000e+00>
// CHECK-NEXT:    %[[K1:.*]] = uma.graph.constant dense<2.000000e+00>
// CHECK-NEXT:    %[[C0:.*]] = uma.graph.composite @npu::@add (%{{.*}} = %[[A]] : {{.*}}, %{{.*}} = %[[K0]] : {{.*}}) -> tensor<8xf32> {
// CHECK:         %[[C1:.*]] = uma.graph.composite @npu::@add (%{{.*}} = %[[C0]] : {{.*}}, %{{.*}} = %[[K1]] : {{.*}}) -> tensor<8xf32> {
// CHECK:         return %[[C1]]

// LOC-LABEL: func.func @main
// LOC:         call @main_npu_0{{.*}} loc(fused["n1", "n2"])
// LOC-LABEL: func.func private @main_npu_0
// LOC:         } loc("n1")
// LOC:         } loc("n2")
// LOC:         return {{.*}} loc(fused["n1", "n2"])
// LOC-NEXT:  } loc(fused["n1", "n2"])
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k0 = uma.graph.constant dense<1.0> : tensor<8xf32>
  %k1 = uma.graph.constant dense<2.0> : tensor<8xf32>
  %0 = uma.graph.composite @npu::@add (%a = %x : tensor<8xf32>, %b = %k0 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %s = uma.graph.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("n1")
    uma.graph.yield %s : tensor<8xf32>
  } loc("n1")
  %1 = uma.graph.composite @npu::@add (%a = %0 : tensor<8xf32>, %b = %k1 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %s = uma.graph.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("n2")
    uma.graph.yield %s : tensor<8xf32>
  } loc("n2")
  %2 = uma.graph.multiply %1, %k1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A region whose operations do not stand side by side: what the later one needs
// moves in front of the call, what needs the earlier one stays behind it. The
// first result is used by the CPU and returned, the second only returned. The
// argument used twice is one argument.

// CHECK-LABEL: func.func @interleaved
// CHECK-SAME:    (%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[S:.*]] = uma.graph.softmax %[[Y]]
// CHECK-NEXT:    %[[R:.*]]:2 = call @interleaved_npu_0(%[[X]], %[[S]])
// CHECK-NEXT:    %[[T:.*]] = uma.graph.softmax %[[R]]#0
// CHECK-NEXT:    return %[[R]]#0, %[[T]], %[[R]]#1
// CHECK-LABEL: func.func private @interleaved_npu_0
// CHECK-SAME:    (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:    %[[C0:.*]] = uma.graph.composite @npu::@add (%{{.*}} = %[[A]] : {{.*}}, %{{.*}} = %[[A]] :
// CHECK:         %[[C1:.*]] = uma.graph.composite @npu::@add (%{{.*}} = %[[C0]] : {{.*}}, %{{.*}} = %[[B]] :
// CHECK:         return %[[C0]], %[[C1]]
func.func @interleaved(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = uma.graph.composite @npu::@add (%a = %x : tensor<8xf32>, %b = %x : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 7 : i64} {
    %s = uma.graph.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %s : tensor<8xf32>
  }
  %1 = uma.graph.softmax %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = uma.graph.softmax %y : (tensor<8xf32>) -> tensor<8xf32>
  %3 = uma.graph.composite @npu::@add (%a = %0 : tensor<8xf32>, %b = %2 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 7 : i64} {
    %s = uma.graph.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %s : tensor<8xf32>
  }
  return %0, %1, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Names count for each accelerator, avoid what is there, and an operation
// without a region has one of its own. A composite that nothing reads is gone.

// CHECK-LABEL: func.func @main
// CHECK:         call @main_npu_0_0(
// CHECK-NEXT:    call @main_dsp_0(
// CHECK-NEXT:    call @main_npu_1(
// CHECK-NEXT:    return
// CHECK:       func.func private @main_npu_0_0({{.*}}uma.target = #uma.target<"npu", {cores = 2 : i64}>
// CHECK:       func.func private @main_dsp_0({{.*}}uma.target = #uma.target<"dsp">
// CHECK:       func.func private @main_npu_1({{.*}}uma.target = #uma.target<"npu">
// CHECK-NOT:   @dead
// CHECK:       func.func private @main_npu_0(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu", {cores = 2 : i64}>} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  %1 = uma.graph.composite @dsp::@relu (%a = %0 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"dsp">} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  %2 = uma.graph.composite @npu::@relu (%a = %1 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  %3 = uma.graph.composite @npu::@dead (%a = %1 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  return %2 : tensor<8xf32>
}
func.func private @main_npu_0()

// -----

// What has side effects keeps its order.

// CHECK-LABEL: func.func @effects
// CHECK-NEXT:    call @first()
// CHECK-NEXT:    call @effects_npu_0
// CHECK-NEXT:    call @second()
func.func private @first()
func.func private @second()
func.func @effects(%x: tensor<8xf32>) -> tensor<8xf32> {
  call @first() : () -> ()
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  call @second() : () -> ()
  %1 = uma.graph.composite @npu::@relu (%a = %0 : tensor<8xf32>) -> tensor<8xf32>
      attributes {uma.target = #uma.target<"npu">, uma.region = 0 : i64} {
    %r = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32>
    uma.graph.yield %r : tensor<8xf32>
  }
  return %1 : tensor<8xf32>
}
