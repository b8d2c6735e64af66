// RUN: uma-opt %s --verify-roundtrip | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt --verify-roundtrip | FileCheck %s

// Every elementwise operator, in every form of its attributes.

// CHECK-LABEL: func @unary_float
func.func @unary_float(%x: tensor<2x3xf32>, %h: tensor<4xf16>) {
  // CHECK: uma.graph.bitcast %{{.*}} to i32 : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %bits = uma.graph.bitcast %x to i32 : (tensor<2x3xf32>) -> tensor<2x3xi32>
  // CHECK: uma.graph.ceil %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = uma.graph.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.floor %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = uma.graph.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.round %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = uma.graph.round %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.exp %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = uma.graph.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.log %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = uma.graph.log %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.sqrt %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = uma.graph.sqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.erf %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = uma.graph.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.sin %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = uma.graph.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.cos %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = uma.graph.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.tan %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = uma.graph.tan %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.asin %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = uma.graph.asin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.acos %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = uma.graph.acos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.atan %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = uma.graph.atan %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.sinh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = uma.graph.sinh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.cosh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = uma.graph.cosh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.tanh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %15 = uma.graph.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.asinh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %16 = uma.graph.asinh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.acosh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %17 = uma.graph.acosh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.atanh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %18 = uma.graph.atanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.sigmoid %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = uma.graph.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.softplus %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %20 = uma.graph.softplus %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.hard_swish %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %21 = uma.graph.hard_swish %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.exp %{{.*}} : (tensor<4xf16>) -> tensor<4xf16>
  %22 = uma.graph.exp %h : (tensor<4xf16>) -> tensor<4xf16>
  // CHECK: uma.graph.gelu %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %23 = uma.graph.gelu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.gelu %{{.*}} approximate : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %24 = uma.graph.gelu %x approximate : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.leaky_relu %{{.*}} alpha 1.000000e-01 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %25 = uma.graph.leaky_relu %x alpha 1.000000e-01 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.silu %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %26 = uma.graph.silu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func @unary_number
func.func @unary_number(%x: tensor<3xf64>, %u: tensor<3xui8>) {
  // CHECK: uma.graph.abs %{{.*}} : (tensor<3xf64>) -> tensor<3xf64>
  %0 = uma.graph.abs %x : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK: uma.graph.negative %{{.*}} : (tensor<3xf64>) -> tensor<3xf64>
  %1 = uma.graph.negative %x : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK: uma.graph.sign %{{.*}} : (tensor<3xf64>) -> tensor<3xf64>
  %2 = uma.graph.sign %x : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK: uma.graph.relu %{{.*}} : (tensor<3xf64>) -> tensor<3xf64>
  %3 = uma.graph.relu %x : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK: uma.graph.abs %{{.*}} : (tensor<3xui8>) -> tensor<3xui8>
  %4 = uma.graph.abs %u : (tensor<3xui8>) -> tensor<3xui8>
  // CHECK: uma.graph.negative %{{.*}} : (tensor<3xui8>) -> tensor<3xui8>
  %5 = uma.graph.negative %u : (tensor<3xui8>) -> tensor<3xui8>
  // CHECK: uma.graph.sign %{{.*}} : (tensor<3xui8>) -> tensor<3xui8>
  %6 = uma.graph.sign %u : (tensor<3xui8>) -> tensor<3xui8>
  // CHECK: uma.graph.relu %{{.*}} : (tensor<3xui8>) -> tensor<3xui8>
  %7 = uma.graph.relu %u : (tensor<3xui8>) -> tensor<3xui8>
  return
}

// CHECK-LABEL: func @binary
func.func @binary(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %i: tensor<2x1xi16>, %j: tensor<1x4xi16>) {
  // CHECK: uma.graph.add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = uma.graph.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.subtract %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = uma.graph.subtract %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.multiply %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = uma.graph.multiply %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.divide %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = uma.graph.divide %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.mod %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = uma.graph.mod %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.floor_mod %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %5 = uma.graph.floor_mod %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.power %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %6 = uma.graph.power %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.maximum %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %7 = uma.graph.maximum %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.minimum %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %8 = uma.graph.minimum %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.prelu %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %9 = uma.graph.prelu %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: uma.graph.mod %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %10 = uma.graph.mod %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.power %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %11 = uma.graph.power %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.maximum %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %12 = uma.graph.maximum %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.prelu %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %13 = uma.graph.prelu %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.bitwise_and %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %14 = uma.graph.bitwise_and %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.bitwise_or %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %15 = uma.graph.bitwise_or %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.bitwise_xor %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %16 = uma.graph.bitwise_xor %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.left_shift %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %17 = uma.graph.left_shift %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.right_shift %{{.*}}, %{{.*}} : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  %18 = uma.graph.right_shift %i, %j : (tensor<2x1xi16>, tensor<1x4xi16>) -> tensor<2x4xi16>
  // CHECK: uma.graph.bitwise_not %{{.*}} : (tensor<2x1xi16>) -> tensor<2x1xi16>
  %19 = uma.graph.bitwise_not %i : (tensor<2x1xi16>) -> tensor<2x1xi16>
  return
}

// CHECK-LABEL: func @predicates
func.func @predicates(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %b: tensor<4xi1>, %u: tensor<5xui64>) {
  // CHECK: uma.graph.equal %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %0 = uma.graph.equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.not_equal %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %1 = uma.graph.not_equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.greater %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %2 = uma.graph.greater %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.greater_equal %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %3 = uma.graph.greater_equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.less %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %4 = uma.graph.less %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.less_equal %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %5 = uma.graph.less_equal %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.isnan %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %6 = uma.graph.isnan %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.isinf %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %7 = uma.graph.isinf %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: uma.graph.equal %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %8 = uma.graph.equal %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: uma.graph.logical_and %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %9 = uma.graph.logical_and %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: uma.graph.logical_or %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %10 = uma.graph.logical_or %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: uma.graph.logical_xor %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %11 = uma.graph.logical_xor %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: uma.graph.logical_not %{{.*}} : (tensor<4xi1>) -> tensor<4xi1>
  %12 = uma.graph.logical_not %b : (tensor<4xi1>) -> tensor<4xi1>
  // CHECK: uma.graph.less %{{.*}}, %{{.*}} : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  %13 = uma.graph.less %u, %u : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  return
}

// CHECK-LABEL: func @where
func.func @where(%c: tensor<4x1xi1>, %x: tensor<4x8xbf16>, %y: tensor<bf16>) {
  // CHECK: uma.graph.where %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x1xi1>, tensor<4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
  %0 = uma.graph.where %c, %x, %y : (tensor<4x1xi1>, tensor<4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
  return
}
