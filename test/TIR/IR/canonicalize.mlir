// RUN: uma-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: uma.tir.func @constant_bounds
uma.tir.func @constant_bounds(%x: memref<8xf32>, %n: index) {
  %v = arith.constant 1.0 : f32
  %lower = arith.constant 2 : index
  %upper = arith.constant 7 : index
  // CHECK: uma.tir.for parallel %{{.*}} = 2 to 7 {
  uma.tir.for parallel %i = %lower to %upper {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  // CHECK: uma.tir.for %{{.*}} = 2 to %{{.*}} {
  uma.tir.for %i = %lower to %n {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

// CHECK-LABEL: uma.tir.func @no_iterations
// CHECK-NEXT:  }
uma.tir.func @no_iterations(%x: memref<8xf32>, %v: f32) {
  uma.tir.for %i = 4 to 4 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  uma.tir.for %i = 4 to 1 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

// CHECK-LABEL: uma.tir.func @one_iteration
uma.tir.func @one_iteration(%x: memref<8xf32>, %v: f32) {
  // CHECK-NOT: uma.tir.for
  // CHECK:     %[[C3:.*]] = arith.constant 3 : index
  // CHECK:     memref.store %{{.*}}, %{{.*}}[%[[C3]]]
  uma.tir.for %i = 3 to 4 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

// Two iterations stay, and so does a loop of unknown extent.
// CHECK-LABEL: uma.tir.func @stay
uma.tir.func @stay(%x: memref<8xf32>, %v: f32, %n: index) {
  // CHECK: uma.tir.for %{{.*}} = 3 to 5
  uma.tir.for %i = 3 to 5 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  // CHECK: uma.tir.for %{{.*}} = 0 to %{{.*}} {
  uma.tir.for %i = 0 to %n {
    memref.store %v, %x[%i] : memref<8xf32>
  }
}

// An extern call may act on a device even if it only reads: it stays. A buffer
// that nobody uses goes.
// CHECK-LABEL: uma.tir.func @effects
// CHECK-NEXT:    uma.tir.call_extern "device_send"
// CHECK-NEXT:    uma.tir.call_extern "device_wait"
// CHECK-NEXT:  }
uma.tir.func @effects(%x: memref<8xf32>) {
  %unused = uma.tir.alloc local : memref<4xf32>
  uma.tir.call_extern "device_send"(%x) : memref<8xf32>
  uma.tir.call_extern "device_wait"()
}

// CHECK-LABEL: uma.tir.func @views(
// CHECK-SAME:    %[[X:.*]]: memref<8x6xi8>, %[[Y:.*]]: memref<6xi8>)
uma.tir.func @views(%x: memref<8x6xi8>, %y: memref<6xi8>) {
  %rows = uma.tir.view %x[12] : memref<8x6xi8> as memref<4x6xi8>
  // CHECK: %[[ROW:.*]] = uma.tir.view %[[X]][18] : memref<8x6xi8> as memref<6xi8>
  %row = uma.tir.view %rows[6] : memref<4x6xi8> as memref<6xi8>
  %whole = uma.tir.view %y[0] : memref<6xi8> as memref<6xi8>
  // CHECK-NEXT: uma.tir.call @copy(%[[ROW]], %[[Y]])
  uma.tir.call @copy(%row, %whole) : memref<6xi8>, memref<6xi8>
}
uma.tir.func private @copy(%x: memref<6xi8>, %y: memref<6xi8>) {
}
