// RUN: uma-opt %s -uma-tir-inject-virtual-thread=max-threads=8 --split-input-file --verify-diagnostics

uma.tir.func @unknown(%y: memref<8xf32>, %v: f32, %n: index) {
  // expected-error @below {{is a loop of virtual threads, whose number is unknown; give it bounds that are integers}}
  uma.tir.for %t = 0 to %n {
  } {uma.virtual_thread}
}

// -----

uma.tir.func @many(%y: memref<9xf32>, %v: f32) {
  // expected-error @below {{is a loop of virtual threads, but has 9 of them, more than max-threads, which is 8}}
  uma.tir.for %t = 0 to 9 {
    memref.store %v, %y[%t] : memref<9xf32>
  } {uma.virtual_thread}
}

// -----

uma.tir.func @kind(%y: memref<8xf32>, %v: f32) {
  // expected-error @below {{is a loop of virtual threads, but of kind vectorized; it is one or the other}}
  uma.tir.for vectorized %t = 0 to 4 {
    memref.store %v, %y[%t] : memref<8xf32>
  } {uma.virtual_thread}
}

// -----

// A sum over the threads.
// expected-note @below {{this is the buffer}}
uma.tir.func @sum(%x: memref<8xf32>, %y: memref<f32>) {
  // expected-error @below {{but one may touch what another one writes: the elements of a buffer are not provably those of one iteration}}
  uma.tir.for %t = 0 to 4 {
    %0 = memref.load %x[%t] : memref<8xf32>
    %1 = memref.load %y[] : memref<f32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %y[] : memref<f32>
  } {uma.virtual_thread}
}

// -----

// Tiles of 5 in steps of 4.
// expected-note @below {{this is the buffer}}
uma.tir.func @overlap(%y: memref<32xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  // expected-error @below {{but one may touch what another one writes}}
  uma.tir.for %t = 0 to 4 {
    uma.tir.for %j = 0 to 5 {
      %0 = arith.muli %t, %c4 : index
      %1 = arith.addi %0, %j : index
      memref.store %v, %y[%1] : memref<32xf32>
    }
  } {uma.virtual_thread}
}

// -----

// The neighbour's element is read.
// expected-note @below {{this is the buffer}}
uma.tir.func @neighbour(%y: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{but one may touch what another one writes}}
  uma.tir.for %t = 0 to 4 {
    %0 = arith.addi %t, %c1 : index
    %1 = memref.load %y[%0] : memref<32xf32>
    memref.store %1, %y[%t] : memref<32xf32>
  } {uma.virtual_thread}
}

// -----

// Who knows where a call writes?
// expected-note @below {{this is the buffer}}
uma.tir.func @call(%y: memref<32xf32>) {
  // expected-error @below {{but one may touch what another one writes}}
  uma.tir.for %t = 0 to 4 {
    uma.tir.call_extern "store"(%t, %y) writes [1] : index, memref<32xf32>
  } {uma.virtual_thread}
}

// -----

uma.tir.func @configure(%x: memref<32xf32>) {
  // expected-error @below {{whose order cannot be changed for an operation in it}}
  uma.tir.for %t = 0 to 4 {
    // expected-note @below {{this is 'uma.tir.call_extern', which configures a device or whose buffers cannot be told}}
    uma.tir.call_extern "configure"(%t) {uma.configure} : index
    uma.tir.call_extern "start"(%x) : memref<32xf32>
  } {uma.virtual_thread}
}
