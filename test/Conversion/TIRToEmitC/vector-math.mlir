// Functions on vectors are small functions of the C file, scalars have the same; f64 is what <math.h> is for.
// RUN: uma-opt %s --uma-tir-vectorize-loop --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

// Callees stand in front of their callers, and only what is used is there.
// CHECK-NOT: uma_tanh
// CHECK:     UMA_INLINE float uma_exp_f32(float x) {
// CHECK-NOT: uma_tanh
// CHECK:     #if UMA_LANES >= 8
// CHECK:     UMA_INLINE uma_f32x8 uma_exp_f32x8(uma_f32x8 x) {
// CHECK:       uma_f32x8 z = x * 1.44269504f + 12582912.0f;
// CHECK:       q = uma_scale_f32x8((q * (r * r) + r) + 1.0f, z);
// CHECK:     UMA_INLINE uma_f32x8 uma_sqrt_f32x8(uma_f32x8 x) {
// CHECK:     UMA_INLINE float uma_sum_f32x8(uma_f32x8 x) {
// CHECK:       return uma_sum_f32x4((low + high));

// CHECK-LABEL: int32_t vectors(
// CHECK:         uma_f32x8 [[X:v[0-9]+]] = uma_load_f32x8(v1, 0);
// CHECK:         uma_f32x8 [[EXP:v[0-9]+]] = uma_exp_f32x8([[X]]);
// CHECK:         uma_f32x8 [[SQRT:v[0-9]+]] = uma_sqrt_f32x8([[EXP]]);
// CHECK:         uma_store_f32x8(v2, 0, [[SQRT]]);
// CHECK:         uma_sum_f32x8({{.*}});
uma.tir.func @vectors(%x: memref<8xf32>, %y: memref<8xf32>) {
  uma.tir.for vectorized %i = 0 to 8 {
    %a = memref.load %x[%i] : memref<8xf32>
    %b = math.exp %a : f32
    %c = math.sqrt %b : f32
    memref.store %c, %y[%i] : memref<8xf32>
  }
  %c0 = arith.constant 0 : index
  %v = vector.load %y[%c0] : memref<8xf32>, vector<8xf32>
  %sum = vector.reduction <add>, %v : vector<8xf32> into f32
  memref.store %sum, %x[%c0] : memref<8xf32>
}

// CHECK-LABEL: int32_t scalars(
// CHECK:         uma_exp_f32(
// CHECK:         sqrtf(
// CHECK:         exp(
uma.tir.func @scalars(%x: memref<1xf32>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf32>
  %b = math.exp %a : f32
  %c = math.sqrt %b : f32
  memref.store %c, %x[%c0] : memref<1xf32>
  %d = memref.load %y[%c0] : memref<1xf64>
  %e = math.exp %d : f64
  memref.store %e, %y[%c0] : memref<1xf64>
}

// Of a sum of two products one is written together with the sum.

// CHECK-LABEL: int32_t products(
// CHECK:         uma_f32x8 [[PRODUCT:v[0-9]+]] = [[Y:v[0-9]+]] * [[Y]];
// CHECK-NEXT:    uma_f32x8 [[SUM:v[0-9]+]] = uma_muladd_f32x8([[X:v[0-9]+]], [[X]], [[PRODUCT]]);
uma.tir.func @products(%x: memref<8xf32>, %y: memref<8xf32>) {
  uma.tir.for vectorized %i = 0 to 8 {
    %a = memref.load %x[%i] : memref<8xf32>
    %b = memref.load %y[%i] : memref<8xf32>
    %c = arith.mulf %a, %a : f32
    %d = arith.mulf %b, %b : f32
    %e = arith.addf %c, %d : f32
    memref.store %e, %y[%i] : memref<8xf32>
  }
}
