// Workspace buffers of layers' functions move to the public function, also from within loops and through two calls.
// RUN: uma-opt %s --uma-tir-hoist-alloc | FileCheck %s

// CHECK-LABEL: uma.tir.func @main(
// CHECK-SAME: %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>)
// CHECK-NEXT: %[[A:.*]] = uma.tir.alloc workspace label "rows" : memref<512xf32>
// CHECK-NEXT: uma.tir.call @layer(%[[X]], %[[Y]], %[[A]]) : memref<64xf32>, memref<64xf32>, memref<512xf32>
// CHECK-NEXT: %[[B:.*]] = uma.tir.alloc workspace label "rows" : memref<512xf32>
// CHECK-NEXT: uma.tir.call @layer(%[[Y]], %[[X]], %[[B]])
uma.tir.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.call @layer(%x, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.call @layer(%y, %x) : memref<64xf32>, memref<64xf32>
}
// CHECK-LABEL: uma.tir.func private @layer(
// CHECK-SAME: %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>, %[[A:.*]]: memref<512xf32>)
// CHECK-NEXT: uma.tir.call @inner(%[[X]], %[[Y]], %[[A]])
uma.tir.func private @layer(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.call @inner(%x, %y) : memref<64xf32>, memref<64xf32>
}
// CHECK-LABEL: uma.tir.func private @inner(
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<512xf32>) {
// CHECK-NEXT: uma.tir.for
// CHECK-NEXT: uma.tir.alloc local
// CHECK-NEXT: uma.tir.call_extern "rows"(%{{.*}}, %[[A]], %{{.*}})
uma.tir.func private @inner(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc workspace label "rows" : memref<512xf32>
    %b = uma.tir.alloc local : memref<8xf32>
    uma.tir.call_extern "rows"(%x, %a, %b) writes [1, 2] : memref<64xf32>, memref<512xf32>, memref<8xf32>
  }
}

// A device that is launched keeps its buffer: the wait has the same arguments.
// CHECK-LABEL: uma.tir.func @launched(
// CHECK-NEXT: uma.tir.call @launch(%{{[^,]*}}) : memref<64xf32>
// CHECK-LABEL: uma.tir.func private @launch(
// CHECK-NEXT: uma.tir.alloc workspace
uma.tir.func @launched(%x: memref<64xf32>) {
  uma.tir.call @launch(%x) : memref<64xf32>
  uma.tir.call @wait(%x) : memref<64xf32>
}
uma.tir.func private @launch(%x: memref<64xf32>) {
  %a = uma.tir.alloc workspace : memref<512xf32>
  uma.tir.call_extern "start"(%x, %a) : memref<64xf32>, memref<512xf32>
}
uma.tir.func private @wait(%x: memref<64xf32>) attributes {uma.await} {
  uma.tir.call_extern "wait"(%x) writes [0] : memref<64xf32>
}
