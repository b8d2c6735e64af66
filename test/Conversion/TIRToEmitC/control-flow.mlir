// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s

// CHECK-LABEL: int32_t loops(
uma.tir.func @loops(%x: memref<32xf32>, %y: memref<8xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  // CHECK: float [[ACC:v[0-9]+]];
  %acc = uma.tir.alloc local : memref<f32>
  // CHECK: float [[TILE:v[0-9]+]][4];
  %tile = uma.tir.alloc local : memref<4xf32>
  // CHECK: /* parallel */
  // CHECK-NEXT: for (ptrdiff_t [[I:i[0-9]+]] = 0; [[I]] < 8; [[I]] += 1) {
  uma.tir.for parallel %i = 0 to 8 {
    // CHECK-NEXT: [[ACC]] = 0.0f;
    memref.store %zero, %acc[] : memref<f32>
    // CHECK-NEXT: for (ptrdiff_t [[J:j[0-9]+]] = [[I]]; [[J]] < v3; [[J]] += 1) {
    uma.tir.for %j = %i to %n {
      // CHECK-NEXT: ptrdiff_t [[K:v[0-9]+]] = [[I]] * 4 + [[J]];
      // CHECK-NEXT: float [[V:v[0-9]+]] = v1{{\[}}[[K]]];
      // CHECK-NEXT: float [[A:v[0-9]+]] = [[ACC]];
      // CHECK-NEXT: float [[S:v[0-9]+]] = [[A]] + [[V]];
      // CHECK-NEXT: [[ACC]] = [[S]];
      %r = arith.muli %i, %c4 : index
      %k = arith.addi %r, %j : index
      %v = memref.load %x[%k] : memref<32xf32>
      %a = memref.load %acc[] : memref<f32>
      %s = arith.addf %a, %v : f32
      memref.store %s, %acc[] : memref<f32>
      %rem = arith.remsi %j, %c4 : index
      memref.store %s, %tile[%rem] : memref<4xf32>
    }
    // CHECK: if ([[I]] < v3) {
    %in = arith.cmpi slt, %i, %n : index
    // CHECK: float [[R:v[0-9]+]];
    // CHECK: if ([[I]] != v3) {
    // CHECK: [[R]] =
    // CHECK: } else {
    // CHECK: [[R]] = 0.0f;
    // CHECK: }
    scf.if %in {
      %ne = arith.cmpi ne, %i, %n : index
      %t = scf.if %ne -> f32 {
        %l = memref.load %tile[%c3] : memref<4xf32>
        scf.yield %l : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %t, %y[%i] : memref<8xf32>
    }
  }
}

// What nobody reads is not computed: compilers warn about it.
// CHECK-LABEL: int32_t dead(
// CHECK-NEXT: (void)v1;
// CHECK-NEXT: return 0;
uma.tir.func @dead(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %local = uma.tir.alloc local : memref<2xf32>
  %v = memref.load %x[%c0] : memref<4xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %local[%c0] : memref<2xf32>
}
