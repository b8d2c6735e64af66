// RUN: uma-opt %s -uma-tir-plan-memory -split-input-file -verify-diagnostics

uma.tir.func private @layer() {
  // expected-error @+1 {{of 'memref<16xf32>' is in the private function 'layer', which has no workspace: allocate it in the entry function and pass it as an argument}}
  %a = uma.tir.alloc workspace : memref<16xf32>
}

// -----

uma.tir.func @huge() {
  // expected-error @+1 {{has more bytes than fit 64 bits}}
  %a = uma.tir.alloc workspace : memref<4611686018427387904xf32>
  uma.tir.call_extern "use"(%a) : memref<4611686018427387904xf32>
}

// -----

// expected-error @+1 {{needs more workspace than fits 64 bits}}
uma.tir.func @two() {
  %a = uma.tir.alloc workspace : memref<9223372036854775000xi8>
  %b = uma.tir.alloc workspace : memref<9223372036854775000xi8>
  uma.tir.call_extern "use"(%a, %b) : memref<9223372036854775000xi8>, memref<9223372036854775000xi8>
}

// -----

// expected-error @+1 {{argument 1: 'uma.in_place' is array<i64: 2, 64>, expected array<i64: position of another argument, bytes>}}
uma.tir.func private @layer(%x: memref<16xf32>, %y: memref<16xf32> {uma.in_place = array<i64: 2, 64>}) {
}
uma.tir.func @position(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.call @layer(%x, %y) : memref<16xf32>, memref<16xf32>
}

// -----

// expected-error @+1 {{argument 1: 'uma.in_place' is 64 : i64, expected array<i64: position of another argument, bytes>}}
uma.tir.func private @layer(%x: memref<16xf32>, %y: memref<16xf32> {uma.in_place = 64 : i64}) {
}
uma.tir.func @kind(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.call @layer(%x, %y) : memref<16xf32>, memref<16xf32>
}
