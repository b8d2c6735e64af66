// RUN: uma-opt %s -uma-tir-narrow-data-type | FileCheck %s
// RUN: uma-opt %s -uma-tir-narrow-data-type=all-indices | FileCheck %s --check-prefix=ALL

// Twice is once.
// RUN: uma-opt %s -uma-tir-narrow-data-type > %t.once
// RUN: uma-opt %s -uma-tir-narrow-data-type -uma-tir-narrow-data-type | diff %t.once -

// Divisions by 4 of what is below 2^31; the address stays an index.
// CHECK-LABEL: uma.tir.func @division(
// CHECK:         %[[C4:.*]] = arith.constant 4 : i32
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 64 {
// CHECK-NEXT:      %[[N:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:      %[[Q:.*]] = arith.divsi %[[N]], %[[C4]] : i32
// CHECK-NEXT:      %[[QI:.*]] = arith.index_cast %[[Q]] : i32 to index
// CHECK-NEXT:      %[[R:.*]] = arith.remsi %[[Q]], %[[C4]] : i32
// CHECK-NEXT:      %[[RI:.*]] = arith.index_cast %[[R]] : i32 to index
// CHECK-NEXT:      arith.addi %[[QI]], %[[RI]] : index
// ALL-LABEL: uma.tir.func @division(
// ALL:             %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// ALL-NEXT:        %[[SI:.*]] = arith.index_cast %[[S]] : i32 to index
// ALL-NEXT:        memref.store %arg1, %arg0[%[[SI]]]
uma.tir.func @division(%x: memref<64xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  uma.tir.for %i = 0 to 64 {
    %0 = arith.divsi %i, %c4 : index
    %1 = arith.remsi %0, %c4 : index
    %2 = arith.addi %0, %1 : index
    memref.store %v, %x[%2] : memref<64xf32>
  }
}

// Of data: what comes from 8 and 32 bits needs no cast to be narrow.
// CHECK-LABEL: uma.tir.func @data(
// CHECK:         %[[A:.*]] = arith.extsi %arg1 : i8 to i32
// CHECK:         %[[P:.*]] = arith.muli %[[A]], %[[A]] overflow<nsw> : i32
// CHECK:         %[[W:.*]] = arith.extsi %[[P]] : i32 to i64
// CHECK:         memref.store %[[W]], %arg0
// CHECK:         arith.cmpi slt, %[[P]], %arg2 : i32
uma.tir.func @data(%x: memref<i64>, %a: i8, %b: i32, %y: memref<i1>) {
  %0 = arith.extsi %a : i8 to i64
  %1 = arith.muli %0, %0 : i64
  memref.store %1, %x[] : memref<i64>
  %2 = arith.extsi %b : i32 to i64
  %3 = arith.cmpi slt, %1, %2 : i64
  memref.store %3, %y[] : memref<i1>
}

// What must not change: results of more than 32 bits, unknown values, unsigned
// operations on what may be negative, and i32 itself.
// CHECK-LABEL: uma.tir.func @stays(
// CHECK:         arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:         arith.divsi %arg2, %{{.*}} : index
// CHECK:         arith.divui %{{.*}}, %{{.*}} : i64
// CHECK:         arith.addi %arg1, %arg1 : i32
// CHECK:         arith.remsi %{{.*}}, %{{.*}} : index
// CHECK-NOT:     : i32
// CHECK-LABEL:   end
uma.tir.func @stays(%x: memref<4xi64>, %b: i32, %n: index, %y: memref<i32>) {
  %c4 = arith.constant 4 : index
  %large = arith.constant 3000000000 : index
  %0 = arith.extsi %b : i32 to i64
  %1 = arith.muli %0, %0 : i64
  %2 = arith.divsi %n, %c4 : index
  memref.store %1, %x[%2] : memref<4xi64>
  %3 = arith.divui %0, %0 : i64
  memref.store %3, %x[%2] : memref<4xi64>
  %4 = arith.addi %b, %b : i32
  memref.store %4, %y[] : memref<i32>
  uma.tir.for %i = 0 to %large {
    %5 = arith.remsi %i, %c4 : index
    memref.store %3, %x[%5] : memref<4xi64>
  }
  uma.tir.return {end}
}
