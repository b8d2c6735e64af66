// C for the device and for the CPU is clean under both compilers, as C and as
// C++, at every optimisation.
// REQUIRES: gcc, clang
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower --uma-emit-c | uma-translate --uma-to-c > %t.c
// RUN: FileCheck %s < %t.c
// RUN: %gcc %strict -O2 -I %dialects/vanilla/runtime -c %t.c -o %t.gcc.o
// RUN: %clang %strict -I %dialects/vanilla/runtime -c %t.c -o %t.clang.o
// RUN: %clang -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I %dialects/vanilla/runtime -c %t.c -o %t.cxx.o
// RUN: uma-opt %s --uma-lower --uma-emit-c | uma-translate --uma-to-c > %t.cpu.c
// RUN: FileCheck %s --check-prefix=CPU < %t.cpu.c
// RUN: %gcc %strict -c %t.cpu.c -o %t.cpu.o
// RUN: %clang %strict -c %t.cpu.c -o %t.cpu.o

// Without names in the model, functions have those of the module, and buffers
// lie in a workspace all the same.
// CHECK:      static int32_t conv_vanilla_0(
// CHECK:        vanilla_conv2dnchw((float*) v1, (float*) v2, v5, 8, 6, 6, 8, 3, 3);
// CHECK:        UMA_ON_ERROR("conv2d",
// CHECK:        vanilla_conv2dnchw(v5, (float*) v3, v4, 8, 6, 6, 8, 3, 3);
// CHECK:      /* v5: workspace of 2304 bytes, aligned to 64 */
// CHECK:      int32_t conv(const float *UMA_RESTRICT v1, const float *UMA_RESTRICT v2, const float *UMA_RESTRICT v3, float *UMA_RESTRICT v4, void *UMA_RESTRICT v5) {
// CHECK-NOT:  int32_t main(
// CHECK:      int32_t main_(
// CPU-NOT:    vanilla
// CPU:        int32_t conv(
func.func @conv(%x: tensor<1x8x6x6xf32>, %w: tensor<8x8x3x3xf32>, %v: tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32> {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32>
  %1 = uma.graph.conv2d %0, %v padding [1, 1, 1, 1] : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32>
  %2 = uma.graph.relu %1 : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %2 : tensor<1x8x6x6xf32>
}
// Every operator, in several element types, in one C file.
func.func @main(%x: tensor<1x4x4x4xf32>, %h: tensor<1x4x4x4xf16>, %q: tensor<1x4x4x4xi8>, %u: tensor<1x4x4x4xui8>, %d: tensor<1x4x4x4xf64>)
    -> (tensor<1x10xf32>, tensor<1x4x2x2xf16>, tensor<1x2x4x4xi32>, tensor<1x8x4x4xui8>, tensor<1x4x4x4xf64>, tensor<1x4x4x4xi1>) {
  %k = uma.graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %w = uma.graph.constant dense<1.0> : tensor<10x4xf32>
  %kernel = uma.graph.constant dense<-3> : tensor<2x4x1x1xi8>
  %0 = uma.graph.batch_norm %x, %k, %k, %k, %k
      : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %1 = uma.graph.avg_pool2d %0 size [3, 3] padding [1, 1, 1, 1] : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = uma.graph.pad %1 before [0, 0, 1, 0] after [0, 0, 0, 1] : (tensor<1x4x4x4xf32>) -> tensor<1x4x5x5xf32>
  %3 = uma.graph.global_avg_pool2d %2 : (tensor<1x4x5x5xf32>) -> tensor<1x4x1x1xf32>
  %4 = uma.graph.batch_flatten %3 : (tensor<1x4x1x1xf32>) -> tensor<1x4xf32>
  %5 = uma.graph.dense %4, %w : (tensor<1x4xf32>, tensor<10x4xf32>) -> tensor<1x10xf32>
  %6 = uma.graph.softmax %5 : (tensor<1x10xf32>) -> tensor<1x10xf32>
  %7 = uma.graph.max_pool2d %h size [2, 2] strides [2, 2] : (tensor<1x4x4x4xf16>) -> tensor<1x4x2x2xf16>
  %8 = uma.graph.clip %7 min -1.0 max 6.0 : (tensor<1x4x2x2xf16>) -> tensor<1x4x2x2xf16>
  %9 = uma.graph.conv2d %q, %kernel out_dtype i32 : (tensor<1x4x4x4xi8>, tensor<2x4x1x1xi8>) -> tensor<1x2x4x4xi32>
  %10 = uma.graph.clip %u min 0.0 max 200.0 : (tensor<1x4x4x4xui8>) -> tensor<1x4x4x4xui8>
  %11 = uma.graph.divide %u, %10 : (tensor<1x4x4x4xui8>, tensor<1x4x4x4xui8>) -> tensor<1x4x4x4xui8>
  %12 = uma.graph.concatenate %10, %11 axis 1 : (tensor<1x4x4x4xui8>, tensor<1x4x4x4xui8>) -> tensor<1x8x4x4xui8>
  %13 = uma.graph.transpose %d [0, 1, 3, 2] : (tensor<1x4x4x4xf64>) -> tensor<1x4x4x4xf64>
  %14 = uma.graph.subtract %13, %d : (tensor<1x4x4x4xf64>, tensor<1x4x4x4xf64>) -> tensor<1x4x4x4xf64>
  %15 = uma.graph.cast %14 to i1 : (tensor<1x4x4x4xf64>) -> tensor<1x4x4x4xi1>
  return %6, %8, %9, %12, %14, %15
      : tensor<1x10xf32>, tensor<1x4x2x2xf16>, tensor<1x2x4x4xi32>, tensor<1x8x4x4xui8>, tensor<1x4x4x4xf64>, tensor<1x4x4x4xi1>
}
