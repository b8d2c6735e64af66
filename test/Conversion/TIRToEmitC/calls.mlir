// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

uma.accel.accelerator @vanilla {
  uma.accel.include "vanilla.h"
}
uma.accel.accelerator @unused {
  uma.accel.include "unused.h"
}
memref.global "private" constant @w : memref<9xf32> = dense<1.5>

// CHECK: #include "vanilla.h"
// CHECK-NOT: unused.h
// CHECK: #ifdef UMA_HOOKS
// CHECK: #include "uma_hooks.h"
// CHECK: #define UMA_ON_ERROR(layer, status) ((void)0)
// CHECK: #ifdef UMA_PROFILE
// CHECK: #include "uma_profile.h"
// CHECK: #define UMA_PROFILE_BEGIN(index, layer) ((void)0)
// CHECK: #define UMA_PROFILE_END(index, layer) ((void)0)
// CHECK: static const float net_w[9] = {

// A device's status ends the run; whoever calls it tells the hook.
// CHECK: static int32_t net_conv(const float *UMA_RESTRICT v1, const float *UMA_RESTRICT v2, float *UMA_RESTRICT v3) {
// CHECK-NEXT: int32_t [[S:v[0-9]+]] = vanilla_conv2dnchw((float*) v1, (float*) v2, v3, 32, 14, 14);
// CHECK-NEXT: if ([[S]] != 0) {
// CHECK-NEXT: UMA_ON_ERROR("conv/{1}\042", [[S]]);
// CHECK-NEXT: return [[S]];
// CHECK-NEXT: }
// CHECK-NEXT: float* [[P:v[0-9]+]] = (float*) v1;
// CHECK-NEXT: vanilla_flush([[P]]);
// CHECK-NEXT: return 0;
uma.tir.func private @conv(%x: memref<16xf32>, %w: memref<9xf32>, %y: memref<16xf32>)
    attributes {layer = "conv", uma.target = #uma.target<"vanilla">} {
  %c32 = arith.constant 32 : index
  %c14 = arith.constant 14 : index
  uma.tir.call_extern "vanilla_conv2dnchw"(%x, %w, %y, %c32, %c14, %c14) writes [2] {uma.layer = "conv/{1}\""}
    : memref<16xf32>, memref<9xf32>, memref<16xf32>, index, index, index
  uma.tir.call_extern "vanilla_flush"(%x) no_status : memref<16xf32>
}

// In place: two restrict pointers to one buffer would be undefined.
// CHECK: static void net_relu(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2) {
uma.tir.func private @relu(%x: memref<16xf32>, %y: memref<16xf32>) attributes {layer = "relu"} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<16xf32>
  memref.store %v, %y[%c0] : memref<16xf32>
}

// A buffer that is left out.
// CHECK: static int32_t net_bias(
// CHECK: = vanilla_add((float*) v1, NULL, v2, true, 0.5);
uma.tir.func private @bias(%x: memref<16xf32>, %y: memref<16xf32>) attributes {uma.target = #uma.target<"vanilla">} {
  %null = uma.tir.null : memref<0xi8>
  %true = arith.constant true
  %half = arith.constant 0.5 : f64
  uma.tir.call_extern "vanilla_add"(%x, %null, %y, %true, %half) writes [2]
    : memref<16xf32>, memref<0xi8>, memref<16xf32>, i1, f64
}

// CHECK: int32_t net_run(
// CHECK: float *conv = (float *)((unsigned char *)v3 + 0);
// CHECK: float *conv_2 = (float *)((unsigned char *)v3 + 64);
// Every layer is between hooks; what the call is named goes before what the function is.
// CHECK: UMA_PROFILE_BEGIN(0, "conv");
// CHECK-NEXT: int32_t [[S:v[0-9]+]] = net_conv(v1, net_w, conv);
// CHECK-NEXT: if ([[S]] != 0) {
// CHECK-NEXT: return [[S]];
// CHECK-NEXT: }
// CHECK-NEXT: UMA_PROFILE_END(0, "conv");
// CHECK-NEXT: UMA_PROFILE_BEGIN(1, "relu");
// CHECK-NEXT: net_relu(conv, conv);
// CHECK-NEXT: UMA_PROFILE_END(1, "relu");
// CHECK-NEXT: UMA_PROFILE_BEGIN(2, "relu/{2}");
// CHECK-NEXT: net_relu(conv, conv_2);
// CHECK-NEXT: UMA_PROFILE_END(2, "relu/{2}");
// CHECK-NEXT: UMA_PROFILE_BEGIN(3, "bias");
// CHECK: net_bias(conv_2, conv);
// CHECK: memmove(v2, conv_2, 64);
uma.tir.func @main(%x: memref<16xf32>, %y: memref<16xf32>) attributes {uma.network = "net", uma.workspace_size = 128 : i64} {
  %w = memref.get_global @w : memref<9xf32>
  %a = uma.tir.alloc workspace offset 0 label "conv" : memref<16xf32>
  %b = uma.tir.alloc workspace offset 64 label "conv" : memref<16xf32>
  uma.tir.call @conv(%x, %w, %a) : memref<16xf32>, memref<9xf32>, memref<16xf32>
  uma.tir.call @relu(%a, %a) : memref<16xf32>, memref<16xf32>
  uma.tir.call @relu(%a, %b) : memref<16xf32>, memref<16xf32> loc("relu/{2}")
  uma.tir.call @bias(%b, %a) : memref<16xf32>, memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
}
