// RUN: uma-opt %s -uma-tir-legalize-bf16 | FileCheck %s
// RUN: uma-opt %s -uma-tir-legalize-bf16 -uma-tir-legalize-bf16 | FileCheck %s

// Nothing is left that C cannot do.
// RUN: uma-opt %s -uma-tir-legalize-bf16 --uma-lower --uma-emit-c | uma-translate --uma-to-c | FileCheck %s --check-prefix=EMITTED
// RUN: not uma-opt %s --uma-emit-c 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: error: {{.*}}computes with 'bf16', which C99 has no arithmetic for
// EMITTED: compute(const uint16_t *UMA_RESTRICT v1, uint16_t *UMA_RESTRICT v2,

// Every result is rounded.
// CHECK-LABEL: uma.tir.func @compute(
// CHECK:           %[[A:.*]] = memref.load %arg0[%{{.*}}] : memref<8xbf16>
// CHECK-NEXT:      %[[A0:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK-NEXT:      %[[A1:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK-NEXT:      %[[B0:.*]] = arith.mulf %[[A0]], %[[A1]] fastmath<nnan> : f32
// CHECK-NEXT:      %[[B:.*]] = arith.truncf %[[B0]] : f32 to bf16
// CHECK-NEXT:      %[[B1:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK-NEXT:      %[[C0:.*]] = math.exp %[[B1]] : f32
// CHECK-NEXT:      %[[C:.*]] = arith.truncf %[[C0]] : f32 to bf16
// CHECK-NEXT:      memref.store %[[C]], %arg1[%{{.*}}] : memref<8xbf16>
uma.tir.func @compute(%x: memref<8xbf16>, %y: memref<8xbf16>) {
  uma.tir.for %i = 0 to 8 {
    %a = memref.load %x[%i] : memref<8xbf16>
    %b = arith.mulf %a, %a fastmath<nnan> : bf16
    %c = math.exp %b : bf16
    memref.store %c, %y[%i] : memref<8xbf16>
  }
}

// Comparisons have other results; integers come by f64, unless f32 holds them.
// CHECK-LABEL: uma.tir.func private @casts(
// CHECK:         arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK:         arith.fptosi %{{.*}} : f32 to i32
// CHECK:         %[[D:.*]] = arith.sitofp %{{.*}} : i32 to f64
// CHECK-NEXT:    arith.truncf %[[D]] : f64 to bf16
// CHECK:         %[[S:.*]] = arith.uitofp %{{.*}} : i8 to f32
// CHECK-NEXT:    arith.truncf %[[S]] : f32 to bf16
// CHECK:         arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
uma.tir.func private @casts(%x: memref<2xbf16>, %b: i8, %z: memref<i1>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<2xbf16>
  %1 = arith.cmpf olt, %0, %0 : bf16
  memref.store %1, %z[] : memref<i1>
  %2 = arith.fptosi %0 : bf16 to i32
  %3 = arith.sitofp %2 : i32 to bf16
  memref.store %3, %x[%c0] : memref<2xbf16>
  %4 = arith.uitofp %b : i8 to bf16
  memref.store %4, %x[%c0] : memref<2xbf16>
  %5 = arith.constant dense<1.0> : vector<4xbf16>
  %6 = arith.addf %5, %5 : vector<4xbf16>
}

// What must not change: moves, casts between floats, and other types.
// CHECK-LABEL: uma.tir.func private @stays(
// CHECK-NEXT:    arith.constant 1.000000e+00 : bf16
// CHECK-NEXT:    arith.select %{{.*}} : bf16
// CHECK-NEXT:    arith.bitcast %{{.*}} : bf16 to i16
// CHECK-NEXT:    arith.extf %{{.*}} : bf16 to f64
// CHECK-NEXT:    arith.truncf %{{.*}} : f64 to bf16
// CHECK-NEXT:    arith.addf %{{.*}} : f16
// CHECK-NEXT:  }
uma.tir.func private @stays(%c: i1, %a: bf16, %h: f16) {
  %0 = arith.constant 1.0 : bf16
  %1 = arith.select %c, %a, %0 : bf16
  %2 = arith.bitcast %1 : bf16 to i16
  %3 = arith.extf %1 : bf16 to f64
  %4 = arith.truncf %3 : f64 to bf16
  %5 = arith.addf %h, %h : f16
}
