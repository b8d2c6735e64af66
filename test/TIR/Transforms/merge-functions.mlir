// RUN: uma-opt %s -uma-tir-merge-functions -mlir-print-local-scope -mlir-print-debuginfo | FileCheck %s
// Again, nothing happens.
// RUN: uma-opt %s -uma-tir-merge-functions -o %t
// RUN: uma-opt %t -uma-tir-merge-functions | diff %t -

// The calls know their layers; a name in the location stays.
// CHECK-LABEL: uma.tir.func @main(
// CHECK-NEXT:    uma.tir.call @double_1(%{{.*}}) {uma.layers = ["double_1"]} {{.*}} loc("double_1"
// CHECK-NEXT:    uma.tir.call @double_1(%{{.*}}) {uma.layers = ["double_2", "relu"]} {{.*}} loc("second"
// CHECK-NEXT:    uma.tir.call @double_1(%{{.*}}) {uma.layers = []}
// CHECK-NEXT:    uma.tir.call @triple(%{{.*}}) : memref<4xf32>
// CHECK-NEXT:    uma.tir.call @aligned(%{{.*}}) : memref<4xf32>
// CHECK-NEXT:    uma.tir.call @first(%{{.*}}) {uma.layers = ["first"]} :
// CHECK-NEXT:    uma.tir.call @first(%{{.*}}) {uma.layers = ["last"]} :
// CHECK-NEXT:    uma.tir.call @device_1(%{{.*}}) : memref<4xf32>
// CHECK-NEXT:    uma.tir.call @device_2(%{{.*}}) : memref<4xf32>
uma.tir.func @main(%x: memref<4xf32>) {
  uma.tir.call @double_1(%x) : memref<4xf32>
  uma.tir.call @double_2(%x) : memref<4xf32> loc("second")
  uma.tir.call @moves(%x) : memref<4xf32>
  uma.tir.call @triple(%x) : memref<4xf32>
  uma.tir.call @aligned(%x) : memref<4xf32>
  uma.tir.call @first(%x) : memref<4xf32>
  uma.tir.call @last(%x) : memref<4xf32>
  uma.tir.call @device_1(%x) : memref<4xf32>
  uma.tir.call @device_2(%x) : memref<4xf32>
}

// CHECK:       uma.tir.func private @double_1(
// CHECK-SAME:    layer = "double_1"
// CHECK-SAME:    uma.merged_layers = ["double_1", "double_2"]
// CHECK-NOT:   @double_2
// CHECK-NOT:   @moves
uma.tir.func private @double_1(%x: memref<4xf32>) attributes {layer = "double_1"} {
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<4xf32>
  }
}
uma.tir.func private @double_2(%x: memref<4xf32>) attributes {layer = "double_2", uma.layers = ["double_2", "relu"]} {
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32> loc("elsewhere")
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<4xf32>
  }
}
uma.tir.func private @moves(%x: memref<4xf32>) attributes {uma.layers = []} {
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<4xf32>
  }
}

// Another extent, and another attribute.
// CHECK:       uma.tir.func private @triple(
uma.tir.func private @triple(%x: memref<4xf32>) attributes {layer = "triple"} {
  uma.tir.for %i = 0 to 3 {
    %v = memref.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<4xf32>
  }
}
// CHECK:       uma.tir.func private @aligned(
uma.tir.func private @aligned(%x: memref<4xf32> {uma.alignment = 128 : i64}) attributes {layer = "aligned"} {
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<4xf32>
  }
}

// Without layers, the functions' own names say what is computed.
// CHECK:       uma.tir.func private @first(
// CHECK-NOT:   uma.merged_layers
// CHECK-NOT:   @last
uma.tir.func private @first(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
}
uma.tir.func private @last(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
}

// What fails says which layer it was.
// CHECK:       uma.tir.func private @device_1(
// CHECK:       uma.tir.func private @device_2(
uma.tir.func private @device_1(%x: memref<4xf32>) attributes {layer = "device_1"} {
  uma.tir.call_extern "run"(%x) {writes = array<i64: 0>} : memref<4xf32>
}
uma.tir.func private @device_2(%x: memref<4xf32>) attributes {layer = "device_2"} {
  uma.tir.call_extern "run"(%x) {writes = array<i64: 0>} : memref<4xf32>
}
