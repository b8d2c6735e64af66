// RUN: uma-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: uma-opt %s --mlir-print-debuginfo --verify-roundtrip -o %t

// Layer names are locations: they survive printing, those of a composite's
// arguments too.

// CHECK-LABEL: func @layer
func.func @layer(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: uma.graph.composite @vanilla::@relu (%{{.*}} loc("in") = %{{.*}} : tensor<2xf32>) -> tensor<2xf32> {
  %0 = uma.graph.composite @vanilla::@relu (%a loc("in") = %x : tensor<2xf32>) -> tensor<2xf32> {
    // CHECK: uma.graph.relu {{.*}} loc("n1_Relu")
    %1 = uma.graph.relu %a : (tensor<2xf32>) -> tensor<2xf32> loc("n1_Relu")
    uma.graph.yield %1 : tensor<2xf32> loc("n1_Relu")
  } loc("n1_Relu")
  return %0 : tensor<2xf32>
}
