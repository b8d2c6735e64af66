// RUN: uma-opt %s -uma-tir-plan-memory -split-input-file -verify-diagnostics

uma.tir.func private @layer() {
  // expected-error @+1 {{of 'memref<16xf32>' is in the private function 'layer', which has no workspace: allocate it in the entry function and pass it as an argument}}
  %a = uma.tir.alloc workspace : memref<16xf32>
}

// -----

uma.tir.func @huge() {
  // expected-error @+1 {{has more bytes than a workspace, 2^61}}
  %a = uma.tir.alloc workspace : memref<4611686018427387904xf32>
  uma.tir.call_extern "use"(%a) : memref<4611686018427387904xf32>
}

// -----

// expected-error @+1 {{has no memory plan: more than 2^61 bytes are live at time 3}}
uma.tir.func @two() {
  %a = uma.tir.alloc workspace : memref<2305843009213693000xi8>
  %b = uma.tir.alloc workspace : memref<2305843009213693000xi8>
  uma.tir.call_extern "use"(%a, %b) : memref<2305843009213693000xi8>, memref<2305843009213693000xi8>
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

// -----

uma.tir.func private @f(%x: memref<16xf32>, %y: memref<16xf32>) {
}
// expected-error-re @+1 {{has no memory plan: fixed offsets conflict{{.*}}buffers 'a' at [0, 64) and 'b' at [0, 64) share bytes at time 3}}
uma.tir.func @fixed() {
  %a = uma.tir.alloc workspace offset 0 label "a" : memref<16xf32>
  %b = uma.tir.alloc workspace offset 0 label "b" : memref<16xf32>
  uma.tir.call @f(%a, %b) : memref<16xf32>, memref<16xf32>
}

// -----

// expected-error @+1 {{has no memory plan: buffer 'a' has offset 8, which is not a multiple of its alignment 64}}
uma.tir.func @unaligned() {
  %a = uma.tir.alloc workspace offset 8 label "a" : memref<16xf32>
  uma.tir.call_extern "use"(%a) : memref<16xf32>
}
