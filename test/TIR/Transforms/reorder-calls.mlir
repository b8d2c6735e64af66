// RUN: uma-opt %s -uma-tir-reorder-calls | FileCheck %s
// RUN: uma-opt %s -uma-tir-reorder-calls -uma-tir-plan-memory | FileCheck %s --check-prefix=AFTER
// RUN: uma-opt %s -uma-tir-plan-memory | FileCheck %s --check-prefix=BEFORE
// RUN: uma-opt %s -uma-tir-reorder-calls -uma-tir-reorder-calls | FileCheck %s

uma.tir.func private @widen(%x: memref<64xf32>, %y: memref<1024xf32>) {
  %zero = arith.constant 0 : index
  uma.tir.for %i = 0 to 1024 {
    %v = memref.load %x[%zero] : memref<64xf32>
    memref.store %v, %y[%i] : memref<1024xf32>
  }
}
uma.tir.func private @narrow(%x: memref<1024xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0 : index
  uma.tir.for %i = 0 to 1024 {
    %v = memref.load %x[%i] : memref<1024xf32>
    memref.store %v, %y[%zero] : memref<64xf32>
  }
}
uma.tir.func private @add(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  uma.tir.for %i = 0 to 64 {
    %v = memref.load %x[%i] : memref<64xf32>
    %w = memref.load %y[%i] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %z[%i] : memref<64xf32>
  }
}

// Both wide tensors are alive unless one branch ends before the other begins.
// BEFORE-LABEL: uma.tir.func @branches(
// BEFORE-SAME:    uma.workspace_size = 8192 : i64
// AFTER-LABEL:  uma.tir.func @branches(
// AFTER-SAME:     uma.workspace_size = 4352 : i64
// CHECK-LABEL:  uma.tir.func @branches(
// CHECK:          uma.tir.call @widen(%{{.*}}, %[[A:.*]])
// CHECK-NEXT:     uma.tir.call @narrow(%[[A]], %[[C:.*]])
// CHECK-NEXT:     uma.tir.call @widen(%{{.*}}, %[[B:.*]])
// CHECK-NEXT:     uma.tir.call @narrow(%[[B]], %[[D:.*]])
// CHECK-NEXT:     uma.tir.call @add(%[[C]], %[[D]], %{{.*}})
uma.tir.func @branches(%in: memref<64xf32>, %out: memref<64xf32> {uma.output}) {
  %a = uma.tir.alloc workspace label "a" : memref<1024xf32>
  %b = uma.tir.alloc workspace label "b" : memref<1024xf32>
  uma.tir.call @widen(%in, %a) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @widen(%in, %b) : memref<64xf32>, memref<1024xf32>
  %c = uma.tir.alloc workspace label "c" : memref<64xf32>
  uma.tir.call @narrow(%a, %c) : memref<1024xf32>, memref<64xf32>
  %d = uma.tir.alloc workspace label "d" : memref<64xf32>
  uma.tir.call @narrow(%b, %d) : memref<1024xf32>, memref<64xf32>
  uma.tir.call @add(%c, %d, %out) : memref<64xf32>, memref<64xf32>, memref<64xf32>
}

// Each call needs what the one before wrote: there is no other order. The second writes what the first one reads.
// CHECK-LABEL: uma.tir.func @chain(
// CHECK:         uma.tir.call @narrow(%{{.*}}, %[[C:.*]])
// CHECK-NEXT:    uma.tir.call @widen(%[[C]], %[[A:.*]])
// CHECK-NEXT:    uma.tir.call @narrow(%[[A]], %{{.*}})
uma.tir.func @chain(%in: memref<1024xf32>, %out: memref<64xf32> {uma.output}) {
  %c = uma.tir.alloc workspace label "c" : memref<64xf32>
  uma.tir.call @narrow(%in, %c) : memref<1024xf32>, memref<64xf32>
  uma.tir.call @widen(%c, %in) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @narrow(%in, %out) : memref<1024xf32>, memref<64xf32>
}

// Calls of one device keep their order.
uma.tir.func private @device_widen(%x: memref<64xf32>, %y: memref<1024xf32>) attributes {uma.target = #uma.target<"vanilla">} {
  uma.tir.call_extern "widen"(%x, %y) writes [1] : memref<64xf32>, memref<1024xf32>
}
uma.tir.func private @device_narrow(%x: memref<1024xf32>, %y: memref<64xf32>) attributes {uma.target = #uma.target<"vanilla">} {
  uma.tir.call_extern "narrow"(%x, %y) writes [1] : memref<1024xf32>, memref<64xf32>
}
// CHECK-LABEL: uma.tir.func @device(
// CHECK:         uma.tir.call @device_widen(
// CHECK-NEXT:    uma.tir.call @device_widen(
uma.tir.func @device(%in: memref<64xf32>, %out: memref<64xf32> {uma.output}, %other: memref<64xf32> {uma.output}) {
  %a = uma.tir.alloc workspace label "a" : memref<1024xf32>
  %b = uma.tir.alloc workspace label "b" : memref<1024xf32>
  uma.tir.call @device_widen(%in, %a) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @device_widen(%in, %b) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @device_narrow(%a, %out) : memref<1024xf32>, memref<64xf32>
  uma.tir.call @device_narrow(%b, %other) : memref<1024xf32>, memref<64xf32>
}

// What is not known stays where it is, and so does everything else.
uma.tir.func private @wait(%x: memref<1024xf32>) attributes {uma.await} {
}
// CHECK-LABEL: uma.tir.func @background(
// CHECK:         uma.tir.call @widen(
// CHECK-NEXT:    uma.tir.call @widen(
// CHECK-NEXT:    uma.tir.call @wait(
uma.tir.func @background(%in: memref<64xf32>, %out: memref<64xf32> {uma.output}, %other: memref<64xf32> {uma.output}) {
  %a = uma.tir.alloc workspace label "a" : memref<1024xf32>
  %b = uma.tir.alloc workspace label "b" : memref<1024xf32>
  uma.tir.call @widen(%in, %a) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @widen(%in, %b) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @wait(%a) : memref<1024xf32>
  uma.tir.call @narrow(%a, %out) : memref<1024xf32>, memref<64xf32>
  uma.tir.call @narrow(%b, %other) : memref<1024xf32>, memref<64xf32>
}

// A view is one buffer with what it views: both halves are written before it is read.
uma.tir.func private @half(%x: memref<64xf32>, %y: memref<512xf32>) {
  %zero = arith.constant 0 : index
  uma.tir.for %i = 0 to 512 {
    %v = memref.load %x[%zero] : memref<64xf32>
    memref.store %v, %y[%i] : memref<512xf32>
  }
}
// AFTER-LABEL: uma.tir.func @views(
// AFTER-SAME:    uma.workspace_size = 4352 : i64
// CHECK-LABEL: uma.tir.func @views(
// CHECK:         uma.tir.call @half(
// CHECK-NEXT:    uma.tir.call @half(
// CHECK-NEXT:    uma.tir.call @narrow(
// CHECK-NEXT:    uma.tir.call @widen(
// CHECK-NEXT:    uma.tir.call @narrow(
uma.tir.func @views(%in: memref<64xf32>, %out: memref<64xf32> {uma.output}) {
  %a = uma.tir.alloc workspace label "a" : memref<1024xf32>
  %b = uma.tir.alloc workspace label "b" : memref<1024xf32>
  %low = uma.tir.view %a[0] : memref<1024xf32> as memref<512xf32>
  %high = uma.tir.view %a[512] : memref<1024xf32> as memref<512xf32>
  uma.tir.call @half(%in, %low) : memref<64xf32>, memref<512xf32>
  uma.tir.call @widen(%in, %b) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @half(%in, %high) : memref<64xf32>, memref<512xf32>
  %c = uma.tir.alloc workspace label "c" : memref<64xf32>
  uma.tir.call @narrow(%a, %c) : memref<1024xf32>, memref<64xf32>
  %d = uma.tir.alloc workspace label "d" : memref<64xf32>
  uma.tir.call @narrow(%b, %d) : memref<1024xf32>, memref<64xf32>
  uma.tir.call @add(%c, %d, %out) : memref<64xf32>, memref<64xf32>, memref<64xf32>
}

// Numbers that an operation loads may be used between the calls: everything stays.
// CHECK-LABEL: uma.tir.func @loaded(
// CHECK:         uma.tir.call @widen(
// CHECK:         uma.tir.call @widen(
// CHECK:         %[[V:.*]] = memref.load
// CHECK-NEXT:    arith.addf %[[V]], %[[V]]
uma.tir.func @loaded(%in: memref<64xf32>, %out: memref<64xf32> {uma.output}, %other: memref<64xf32> {uma.output}) {
  %zero = arith.constant 0 : index
  %a = uma.tir.alloc workspace label "a" : memref<1024xf32>
  %b = uma.tir.alloc workspace label "b" : memref<1024xf32>
  uma.tir.call @widen(%in, %a) : memref<64xf32>, memref<1024xf32>
  uma.tir.call @widen(%in, %b) : memref<64xf32>, memref<1024xf32>
  %v = memref.load %a[%zero] : memref<1024xf32>
  %twice = arith.addf %v, %v : f32
  memref.store %twice, %in[%zero] : memref<64xf32>
  uma.tir.call @narrow(%a, %out) : memref<1024xf32>, memref<64xf32>
  uma.tir.call @narrow(%b, %other) : memref<1024xf32>, memref<64xf32>
}
