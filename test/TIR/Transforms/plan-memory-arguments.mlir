// RUN: uma-opt %s -uma-tir-plan-memory='io=inside overlap=declared' | FileCheck %s
// RUN: uma-opt %s -uma-tir-plan-memory='io=inside overlap=declared' | uma-opt -uma-tir-plan-memory='io=inside overlap=declared' | FileCheck %s
// RUN: uma-opt %s -uma-tir-plan-memory='io=outside overlap=declared' | FileCheck %s --check-prefix=OUTSIDE
// RUN: uma-opt %s -pass-pipeline='builtin.module(uma.tir.func(uma-tir-plan-memory{io=inside overlap=declared algorithm=greedy-by-size report}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

uma.tir.func private @f(%x: memref<16xf32>, %y: memref<16xf32>) {
}

// The input makes room for the output once it is read: two buffers are enough for a chain of four.
// REPORT: remark: needs 192 bytes of workspace for 4 buffers; at most 128 bytes live at one time; 50.00 % above the lower bound of 128 bytes
// CHECK-LABEL: uma.tir.func @chain(
// CHECK-SAME:    %{{.*}}: memref<16xf32> {uma.offset = [[A:0|64]] : i64},
// CHECK-SAME:    %{{.*}}: memref<16xf32> {uma.offset = [[B:0|64]] : i64, uma.output})
// CHECK-SAME:    uma.workspace_size = 128 : i64
// CHECK:         alloc workspace offset [[B]] label "a"
// CHECK:         alloc workspace offset [[A]] label "b"
// OUTSIDE-LABEL: uma.tir.func @chain(
// OUTSIDE-NOT:     uma.offset
// OUTSIDE:         uma.workspace_size = 128 : i64
uma.tir.func @chain(%in: memref<16xf32>, %out: memref<16xf32> {uma.output}) {
  %a = uma.tir.alloc workspace label "a" : memref<16xf32>
  %b = uma.tir.alloc workspace label "b" : memref<16xf32>
  uma.tir.call @f(%in, %a) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%a, %b) : memref<16xf32>, memref<16xf32>
  uma.tir.call @f(%b, %out) : memref<16xf32>, memref<16xf32>
}

// All inputs are written before the network runs, all outputs are read after it. Numbers that are no buffers have no place.
// CHECK-LABEL: uma.tir.func @ends(
// CHECK-SAME:    uma.workspace_size = 256 : i64
// OUTSIDE-LABEL: uma.tir.func @ends(
// OUTSIDE-SAME:    uma.workspace_size = 0 : i64
uma.tir.func @ends(%x: memref<16xf32>, %unused: memref<32xf32>, %n: index, %y: memref<16xf32> {uma.output},
                   %z: memref<48xf32> {uma.output}) {
  uma.tir.call @f(%x, %y) : memref<16xf32>, memref<16xf32>
}

// An offset that is there is kept.
// CHECK-LABEL: uma.tir.func @kept(
// CHECK-SAME:    {uma.offset = 192 : i64}
// CHECK-SAME:    {uma.offset = 0 : i64, uma.output}
// CHECK-SAME:    uma.workspace_size = 256 : i64
uma.tir.func @kept(%in: memref<16xf32> {uma.offset = 192 : i64}, %out: memref<16xf32> {uma.output}) {
  uma.tir.call @f(%in, %out) : memref<16xf32>, memref<16xf32>
}
