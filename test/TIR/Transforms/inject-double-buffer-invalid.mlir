// RUN: uma-opt %s -uma-tir-inject-double-buffer --split-input-file --verify-diagnostics

uma.tir.func @place() {
  // expected-error @below {{is to be double-buffered, so it must be in the body of a serial uma.tir.for whose bounds are integers}}
  %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
}

// -----

uma.tir.func @kind() {
  uma.tir.for parallel %i = 0 to 4 {
    // expected-error @below {{is to be double-buffered, so it must be in the body of a serial uma.tir.for whose bounds are integers}}
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
  }
}

// -----

uma.tir.func @empty() {
  uma.tir.for %i = 0 to 4 {
    // expected-error @below {{is to be double-buffered, but nothing in the loop loads into it}}
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
  }
}

// -----

// The next iteration loads what this one computes.
// expected-note @below {{this is the buffer}}
uma.tir.func @recurrence(%x: memref<16xf32>) {
  // expected-error @below {{has a computation that writes to what the next iteration loads, so its buffers cannot be double-buffered}}
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<16xf32>, memref<4xf32>
    uma.tir.call_extern "compute"(%a, %x) writes [1] : memref<4xf32>, memref<16xf32>
  }
}

// -----

uma.tir.func @late(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<16xf32>, memref<4xf32>
    uma.tir.call_extern "compute"(%a, %y) writes [1] : memref<4xf32>, memref<16xf32>
    // expected-error @below {{stands in the way of double buffering: it loads after the computation has begun}}
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<16xf32>, memref<4xf32>
  }
}

// -----

uma.tir.func @both(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    // expected-error @below {{stands in the way of double buffering: it writes to another buffer, too}}
    uma.tir.call_extern "load"(%x, %a, %y) writes [1, 2] : memref<16xf32>, memref<4xf32>, memref<16xf32>
  }
}

// -----

uma.tir.func @configure(%x: memref<16xf32>) {
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    // expected-error @below {{stands in the way of double buffering: it configures a device, or the buffers that it touches cannot be told}}
    uma.tir.call_extern "configure"(%i) {uma.configure} : index
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<16xf32>, memref<4xf32>
  }
}

// -----

uma.tir.func @chain(%x: memref<16xf32>) {
  uma.tir.for %i = 0 to 4 {
    %a = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    %b = uma.tir.alloc local {uma.double_buffer} : memref<4xf32>
    uma.tir.call_extern "load"(%x, %a) writes [1] : memref<16xf32>, memref<4xf32>
    // expected-error @below {{stands in the way of double buffering: it loads from one of the buffers to another}}
    uma.tir.call_extern "load"(%a, %b) writes [1] : memref<4xf32>, memref<4xf32>
  }
}
