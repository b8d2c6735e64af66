// The whole way, from a graph to C that compilers take without a word.
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower --uma-emit-c | uma-translate --uma-to-c | FileCheck %s
// RUN: uma-opt %s --pass-pipeline='builtin.module(uma-partition{accelerators=vanilla},uma-lower,uma-emit-c)' | uma-translate --uma-to-c | FileCheck %s
// RUN: uma-opt %s --uma-partition=vanilla --uma-lower --uma-emit-c | uma-translate --uma-to-c -o %t.c
// RUN: %gcc %strict -I %dialects/vanilla/runtime -c %t.c -o %t.o
// RUN: %clang %strict -I %dialects/vanilla/runtime -c %t.c -o %t.o

// CHECK:      /* Network test, compiled to C99 by uma.
// CHECK:      #include "vanilla.h"
// CHECK:      /* Layer conv_1. */
// CHECK-NEXT: static int32_t test_conv_1_vanilla(const float *UMA_RESTRICT v1, const float *UMA_RESTRICT v2, float *UMA_RESTRICT v3) {
// CHECK-NEXT:   int32_t v4 = vanilla_conv2dnchw((float*) v1, (float*) v2, v3, 32, 14, 14, 32, 3, 3);
// CHECK-NEXT:   if (v4 != 0) {
// CHECK-NEXT:     UMA_ON_ERROR("conv_1", v4);
// CHECK-NEXT:     return v4;
// CHECK-NEXT:   }
// CHECK-NEXT:   return 0;
// CHECK-NEXT: }
// CHECK:      /* v1: input input_1 */
// CHECK-NEXT: /* v3: output Identity */
// CHECK-NEXT: /* v4: workspace, unused */
// CHECK:      int32_t test_run(const float *UMA_RESTRICT v1, const float *UMA_RESTRICT v2, float *UMA_RESTRICT v3, void *UMA_RESTRICT v4) {
// CHECK-NEXT:   (void)v4;
// CHECK-NEXT:   UMA_PROFILE_BEGIN(0, "conv_1");
// CHECK-NEXT:   int32_t v5 = test_conv_1_vanilla(v1, v2, v3);
// CHECK-NEXT:   if (v5 != 0) {
// CHECK-NEXT:     return v5;
// CHECK-NEXT:   }
// CHECK-NEXT:   UMA_PROFILE_END(0, "conv_1");
// CHECK-NEXT:   return 0;
// CHECK-NEXT: }
func.func @main(%x: tensor<1x32x14x14xf32> {uma.name = "input_1"}, %w: tensor<32x32x3x3xf32>)
    -> (tensor<1x32x14x14xf32> {uma.name = "Identity"}) attributes {uma.network = "test"} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
      : (tensor<1x32x14x14xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x14x14xf32> loc("conv_1")
  return %0 : tensor<1x32x14x14xf32>
}
