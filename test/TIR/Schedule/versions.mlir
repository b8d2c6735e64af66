// A function in versions, and the blocks of one of them: a copy of a sum that vanishes, a tile in registers.
// RUN: uma-opt %s --transform-interpreter --mlir-print-local-scope | FileCheck %s
// RUN: uma-opt %s --transform-interpreter --uma-tir-compact-buffer-allocation | FileCheck %s --check-prefix=TILE

// CHECK-LABEL: uma.tir.func @product(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<1x8xf32>, %{{[a-z0-9]+}}: memref<8x16xf32>, %[[C:[a-z0-9]+]]: memref<1x16xf32>
// CHECK: uma.tir.multiversion lanes(8) {
// CHECK: uma.tir.alloc local label "arg2_local" : memref<1x16xf32>
// CHECK: uma.tir.block "sum_init"
// CHECK: uma.tir.for vectorized
// CHECK: uma.tir.block "sum"
// CHECK: uma.tir.block "sum_local"
// CHECK: } default {
// CHECK: uma.tir.for %[[I:.*]] = 0 to 1
// CHECK-NEXT: uma.tir.for %[[J:.*]] = 0 to 16
// CHECK-NEXT: uma.tir.for %[[K:.*]] = 0 to 8
// CHECK-NEXT: uma.tir.block "sum" (spatial %{{.*}} = %[[I]] in 1, spatial %{{.*}} = %[[J]] in 16, reduce %{{.*}} = %[[K]] in 8)
// CHECK: writes(%[[C]][affine_map<(d0, d1, d2) -> (d0, d1)>, [1, 1]] : memref<1x16xf32>)
// CHECK-NEXT: init (%[[V0:.*]], %[[V1:.*]], %{{.*}}) {
// CHECK-NEXT: memref.store %{{.*}}, %[[C]][%[[V0]], %[[V1]]]
// CHECK-NOT: uma.tir.block "copy"

// The loop over one row is none: a tile is 8 sums.
// TILE: uma.tir.alloc local label "arg2_local" : memref<1x8xf32>
module attributes {transform.with_named_sequence} {
  uma.tir.func @product(%a: memref<1x8xf32>, %b: memref<8x16xf32>, %c: memref<1x16xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 1 {
      uma.tir.for %j = 0 to 16 {
        %s = uma.tir.alloc local : memref<f32>
        uma.tir.for %k = 0 to 8 {
          uma.tir.block "sum" (spatial %vi = %i in 1, spatial %vj = %j in 16, reduce %vk = %k in 8)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<1x8xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<8x16xf32>)
              writes(%s[affine_map<(i, j, k) -> ()>, []] : memref<f32>)
          init {
            memref.store %zero, %s[] : memref<f32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<1x8xf32>
            %y = memref.load %b[%vk, %vj] : memref<8x16xf32>
            %p = arith.mulf %x, %y : f32
            %old = memref.load %s[] : memref<f32>
            %new = arith.addf %old, %p : f32
            memref.store %new, %s[] : memref<f32>
          }
        }
        uma.tir.block "copy" (spatial %vi = %i in 1, spatial %vj = %j in 16)
            reads(%s[affine_map<(i, j) -> ()>, []] : memref<f32>)
            writes(%c[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<1x16xf32>) {
          %r = memref.load %s[] : memref<f32>
          memref.store %r, %c[%vi, %vj] : memref<1x16xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %copy = transform.uma.get_block "copy" in %root
    transform.uma.reverse_compute_inline %copy
    transform.uma.multiversion %root [8]
    %sum = transform.uma.get_block "sum" in %root lanes(8)
    %i, %j, %k = transform.uma.get_loops %sum
    %j0, %j1 = transform.uma.split %j [?, 8]
    transform.uma.reorder %j0, %k, %j1
    %back = transform.uma.cache_write %sum[0] local
    transform.uma.reverse_compute_at %back, %j0
    %init = transform.uma.decompose_reduction %sum, %k
    transform.uma.vectorize %j1
    transform.yield
  }
}
