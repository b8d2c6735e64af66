// A device works while the host computes layers that do not need it.

// RUN: uma-opt %s --uma-tir-sink-awaits | FileCheck %s

#npu = #uma.target<"npu">
#other = #uma.target<"other">

uma.tir.func private @launch(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.target = #npu} {
  uma.tir.call_extern "npu_queue"(%x, %y) writes [1] : memref<4xf32>, memref<4xf32>
  uma.tir.call_extern "npu_launch"()
}
uma.tir.func private @wait(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.await = "(void)npu_wait();", uma.target = #npu} {
  uma.tir.call_extern "npu_wait"()
}
uma.tir.func private @wait_replaced(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.await, uma.target = #npu} {
  uma.tir.call_extern "npu_wait"()
}
uma.tir.func private @other(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.target = #other} {
  uma.tir.call_extern "other_run"(%x, %y) writes [1] : memref<4xf32>, memref<4xf32>
}
uma.tir.func private @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %y[%c0] : memref<4xf32>
}

// Layers that read the same data, before and after: the launch moves up, the wait down to the layer that reads the result.
// CHECK-LABEL: uma.tir.func @branches
// CHECK: uma.tir.call @launch(%[[X:.*]], %[[A:.*]])
// CHECK-NEXT: uma.tir.call @copy(%[[X]], %[[B:.*]])
// CHECK-NEXT: uma.tir.call @copy(%[[B]], %[[C:.*]])
// CHECK-NEXT: uma.tir.call @wait(%[[X]], %[[A]])
// CHECK-NEXT: uma.tir.call @copy(%[[A]],
uma.tir.func @branches(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = uma.tir.alloc workspace : memref<4xf32>
  %b = uma.tir.alloc workspace : memref<4xf32>
  %c = uma.tir.alloc workspace : memref<4xf32>
  uma.tir.call @copy(%x, %b) : memref<4xf32>, memref<4xf32>
  uma.tir.call @launch(%x, %a) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%x, %a) : memref<4xf32>, memref<4xf32>
  uma.tir.call @copy(%b, %c) : memref<4xf32>, memref<4xf32>
  uma.tir.call @copy(%a, %y) : memref<4xf32>, memref<4xf32>
}

// A layer that writes what the device reads stays behind the wait, one that writes what it needs before the launch.
// CHECK-LABEL: uma.tir.func @writes
// CHECK: uma.tir.call @copy(%[[X:.*]], %[[B:.*]])
// CHECK-NEXT: uma.tir.call @launch(%[[B]],
// CHECK-NEXT: uma.tir.call @wait(%[[B]],
// CHECK-NEXT: uma.tir.call @copy(%[[X]], %[[B]])
uma.tir.func @writes(%x: memref<4xf32>, %y: memref<4xf32>) {
  %b = uma.tir.alloc workspace : memref<4xf32>
  uma.tir.call @copy(%x, %b) : memref<4xf32>, memref<4xf32>
  uma.tir.call @launch(%b, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%b, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @copy(%x, %b) : memref<4xf32>, memref<4xf32>
}

// Views are the same bytes.
// CHECK-LABEL: uma.tir.func @views
// CHECK: uma.tir.call @wait
// CHECK: uma.tir.call @copy
uma.tir.func @views(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = uma.tir.alloc workspace : memref<4xf32>
  %view = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32>
  uma.tir.call @launch(%x, %a) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%x, %a) : memref<4xf32>, memref<4xf32>
  uma.tir.call @copy(%view, %y) : memref<4xf32>, memref<4xf32>
}

// Another device at the same time: its error must not leave the first one running. Without C for that, there is no overlap.
// CHECK-LABEL: uma.tir.func @devices
// CHECK: uma.tir.call @launch
// CHECK-NEXT: uma.tir.call @other({{.*}}) {uma.cleanup = ["(void)npu_wait();"]}
// CHECK-NEXT: uma.tir.call @wait
uma.tir.func @devices(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  uma.tir.call @launch(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @other(%x, %z) : memref<4xf32>, memref<4xf32>
}
// CHECK-LABEL: uma.tir.func @devices_before
// CHECK: uma.tir.call @launch
// CHECK-NEXT: uma.tir.call @other({{.*}}) {uma.cleanup = ["(void)npu_wait();"]}
// CHECK-NEXT: uma.tir.call @wait
uma.tir.func @devices_before(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  uma.tir.call @other(%x, %z) : memref<4xf32>, memref<4xf32>
  uma.tir.call @launch(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%x, %y) : memref<4xf32>, memref<4xf32>
}
// CHECK-LABEL: uma.tir.func @replaced
// CHECK: uma.tir.call @launch
// CHECK-NEXT: uma.tir.call @wait_replaced
// CHECK-NEXT: uma.tir.call @other
uma.tir.func @replaced(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  uma.tir.call @launch(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait_replaced(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @other(%x, %z) : memref<4xf32>, memref<4xf32>
}

// Regions of one device stay in order.
// CHECK-LABEL: uma.tir.func @same
// CHECK: uma.tir.call @launch
// CHECK-NEXT: uma.tir.call @wait
// CHECK-NEXT: uma.tir.call @launch
// CHECK-NEXT: uma.tir.call @wait
uma.tir.func @same(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  uma.tir.call @launch(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%x, %y) : memref<4xf32>, memref<4xf32>
  uma.tir.call @launch(%x, %z) : memref<4xf32>, memref<4xf32>
  uma.tir.call @wait(%x, %z) : memref<4xf32>, memref<4xf32>
}
