// RUN: uma-opt %s --pass-pipeline='builtin.module(uma.tir.func(uma-tir-remove-redundant-configuration))' | FileCheck %s

// CHECK-LABEL: uma.tir.func @straight
uma.tir.func @straight(%x: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : index
  // CHECK: call_extern "mode"(%{{.*}}, %{{.*}}) {uma.configure}
  uma.tir.call_extern "mode"(%c1, %n) {uma.configure} : index, index
  // CHECK-NEXT: call_extern "work"
  uma.tir.call_extern "work"(%x) writes [0] : memref<4xf32>
  // Equal constants are equal.
  // CHECK-NEXT: call_extern "work"
  uma.tir.call_extern "mode"(%one, %n) {uma.configure} : index, index
  uma.tir.call_extern "work"(%x) writes [0] : memref<4xf32>
  // Another function sets another state.
  // CHECK-NEXT: call_extern "scale"
  // CHECK-NEXT: call_extern "work"
  uma.tir.call_extern "scale"(%c2) {uma.configure} : index
  uma.tir.call_extern "mode"(%c1, %n) {uma.configure} : index, index
  uma.tir.call_extern "work"(%x) writes [0] : memref<4xf32>
  // Back and forth.
  // CHECK-NEXT: call_extern "mode"(%{{.*}}, %{{.*}}) {uma.configure}
  // CHECK-NEXT: call_extern "mode"(%{{.*}}, %{{.*}}) {uma.configure}
  // CHECK-NEXT: call_extern "work"
  uma.tir.call_extern "mode"(%c2, %n) {uma.configure} : index, index
  uma.tir.call_extern "mode"(%c1, %n) {uma.configure} : index, index
  uma.tir.call_extern "work"(%x) writes [0] : memref<4xf32>
  // What is no configuration stays.
  // CHECK-NEXT: call_extern "work"
  // CHECK-NOT: call_extern
  uma.tir.call_extern "work"(%x) writes [0] : memref<4xf32>
}

// CHECK-LABEL: uma.tir.func @nested
uma.tir.func @nested(%x: memref<4xf32>, %c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK: call_extern "mode"
  uma.tir.call_extern "mode"(%c1) {uma.configure} : index
  // A loop that only computes changes no state.
  // CHECK: uma.tir.for
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %x[%i] : memref<4xf32>
  }
  // CHECK-NOT: call_extern
  // CHECK: scf.if
  uma.tir.call_extern "mode"(%c1) {uma.configure} : index
  scf.if %c {
    // CHECK-NEXT: call_extern "mode"
    // CHECK-NEXT: {{^ +[}]$}}
    uma.tir.call_extern "mode"(%c2) {uma.configure} : index
    uma.tir.call_extern "mode"(%c2) {uma.configure} : index
  }
  // CHECK-NEXT: call_extern "mode"
  uma.tir.call_extern "mode"(%c1) {uma.configure} : index
  // The first iteration needs it.
  // CHECK-NEXT: uma.tir.for
  // CHECK-NEXT: call_extern "mode"
  uma.tir.for %i = 0 to 4 {
    uma.tir.call_extern "mode"(%c1) {uma.configure} : index
    uma.tir.call_extern "work"(%x) writes [0] : memref<4xf32>
  }
  // CHECK: call_extern "mode"
  uma.tir.call_extern "mode"(%c1) {uma.configure} : index
  // CHECK-NEXT: uma.tir.call @straight
  uma.tir.call @straight(%x, %n) : memref<4xf32>, index
  // CHECK-NEXT: call_extern "mode"
  uma.tir.call_extern "mode"(%c1) {uma.configure} : index
}
