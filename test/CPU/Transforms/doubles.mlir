// Products of f64 have the kernels of f32: a vector of the schedule takes two registers. Other layers of f64 have plain loops.

// RUN: uma-opt %s --split-input-file --uma-cpu-plan | FileCheck %s
// RUN: uma-opt %s --split-input-file --uma-cpu-plan --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR
// RUN: uma-opt %s --split-input-file --uma-lower --uma-emit-c | uma-translate --split-input-file --uma-to-c | FileCheck %s --check-prefix=C

// Sums and weights of the tile for AVX-512 take 28 of its 32 registers.

// CHECK-LABEL: func.func private @batch_matmul_batch_matmul_multiply(
// CHECK-SAME: uma.kernel = #uma.cpu.kernel<direct>
// CHECK-SAME: <avx512, tile = 6x2x16>
// TIR-LABEL: uma.tir.func private @batch_matmul_batch_matmul_multiply(
// TIR: uma.tir.multiversion
// TIR: uma.tir.for vectorized %{{.*}} = 0 to 8
// C: typedef double uma_f64x2 __attribute__((vector_size(16)));
// C: uma_muladd_f64x4(
// C: uma_muladd_f64x8(uma_f64x8 x, uma_f64x8 y, uma_f64x8 z)
func.func @main(%x: tensor<12x32xf64>, %y: tensor<32x32xf64>, %z: tensor<12x32xf64>) -> tensor<12x32xf64> {
  %0 = uma.graph.batch_matmul %x, %y : (tensor<12x32xf64>, tensor<32x32xf64>) -> tensor<12x32xf64>
  %1 = uma.graph.multiply %0, %z : (tensor<12x32xf64>, tensor<12x32xf64>) -> tensor<12x32xf64>
  return %1 : tensor<12x32xf64>
}

// -----

// A depthwise convolution, a pool, an activation and a sum by itself.

// CHECK-LABEL: func.func @main(
// CHECK-NOT: call
// CHECK: return
func.func @main(%x: tensor<1x8x6x6xf64>) -> (tensor<1x8x6x6xf64>, tensor<1x8x3x3xf64>, tensor<1x8x6x6xf64>) {
  %w = uma.graph.constant dense<1.0> : tensor<8x1x3x3xf64>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] groups 8 : (tensor<1x8x6x6xf64>, tensor<8x1x3x3xf64>) -> tensor<1x8x6x6xf64>
  %1 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2] : (tensor<1x8x6x6xf64>) -> tensor<1x8x3x3xf64>
  %2 = uma.graph.relu %x : (tensor<1x8x6x6xf64>) -> tensor<1x8x6x6xf64>
  %3 = uma.graph.add %2, %0 : (tensor<1x8x6x6xf64>, tensor<1x8x6x6xf64>) -> tensor<1x8x6x6xf64>
  return %0, %1, %3 : tensor<1x8x6x6xf64>, tensor<1x8x3x3xf64>, tensor<1x8x6x6xf64>
}
