// A file of scripts says which layers they are for.
// RUN: split-file %s %t
// RUN: uma-opt %t/net.mlir --uma-cpu-form-layers --uma-cpu-load-scripts=scripts=%t/scripts.mlir | FileCheck %t/net.mlir
// RUN: uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/scripts.mlir | FileCheck %t/net.mlir --check-prefix=PLAN
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/typo.mlir 2>&1 | FileCheck %t/typo.mlir
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/nobody.mlir 2>&1 | FileCheck %t/nobody.mlir
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/number.mlir 2>&1 | FileCheck %t/number.mlir
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/function.mlir 2>&1 | FileCheck %t/function.mlir
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/name.mlir 2>&1 | FileCheck %t/name.mlir
// RUN: not uma-opt %t/net.mlir --uma-cpu-plan=scripts=%t/none.mlir 2>&1 | FileCheck %t/net.mlir --check-prefix=NONE
// RUN: not uma-opt %t/net.mlir --uma-lower="vectorize=false scripts=%t/scripts.mlir" 2>&1 | FileCheck %t/net.mlir --check-prefix=LOOPS
// RUN: not uma-opt %t/hand.mlir --uma-cpu-plan 2>&1 | FileCheck %t/hand.mlir

//--- net.mlir
// CHECK: module attributes {transform.with_named_sequence}
// CHECK-DAG: func.func private @first_dense({{.*}}) -> tensor<4x8xf32> attributes {uma.kernel = #uma.cpu.kernel<script, @rows>, uma.primitive}
// What has a kernel keeps it.
// CHECK-DAG: func.func private @b_dense({{.*}}) -> tensor<4x8xf32> attributes {uma.kernel = #uma.cpu.kernel<plain>, uma.primitive}
// CHECK: transform.named_sequence @rows
// CHECK: transform.named_sequence @helper
// PLAN: @first_dense({{.*}}uma.kernel = #uma.cpu.kernel<script, @rows>, uma.primitive}
// PLAN-NOT: @first_dense{{.*}}uma.schedules
// NONE: error: cannot open input file '{{.*}}none.mlir': No such file or directory
// LOOPS: error: uma-lower: scripts are for the CPU's kernels, and there are none with vectorize=false and debug-bounds
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<8x8xf32>
  %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("first")
  %1 = call @b_dense(%0, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func private @b_dense(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<plain>} {
  %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("second")
  return %0 : tensor<4x8xf32>
}

//--- scripts.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) attributes {uma.layers = ["first", "second"]} {
    transform.yield
  }
  transform.named_sequence @helper(%layer: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

//--- typo.mlir
// CHECK: typo.mlir:3:3: error: 'transform.named_sequence' op is for layer 'frist', which the CPU does not compute; did you mean 'first'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) attributes {uma.layers = ["frist"]} {
    transform.yield
  }
}

//--- nobody.mlir
// CHECK: nobody.mlir:{{.*}}: error: no transform.named_sequence says which layers it is for: attributes {uma.layers = ["NAME"]}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

//--- number.mlir
// CHECK: error: 'transform.named_sequence' op has 4 : i64 in uma.layers, expected the name of a layer
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%layer: !transform.any_op {transform.readonly}) attributes {uma.layers = [4]} {
    transform.yield
  }
}

//--- function.mlir
// CHECK: error: 'func.func' op in a file of scripts, expected transform.named_sequence only
func.func private @f()

//--- name.mlir
// CHECK: error: 'transform.named_sequence' op has the name of something in the network
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%layer: !transform.any_op {transform.readonly}) attributes {uma.layers = ["first"]} {
    transform.yield
  }
}

//--- hand.mlir
// CHECK: error: 'func.func' op has uma.kernel = #uma.cpu.kernel<script, @missing>, but the module has no transform.named_sequence '@missing'
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = call @dense(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func private @dense(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<script, @missing>} {
  %0 = uma.graph.dense %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
