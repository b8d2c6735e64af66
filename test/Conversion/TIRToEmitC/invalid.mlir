// RUN: uma-opt %s --convert-uma-tir-to-emitc -split-input-file -verify-diagnostics

// expected-error @below {{has no public uma.tir.func, so there is nothing that C could call}}
module {
  uma.tir.func private @f() {
  }
}

// -----

// expected-error @below {{'func.func' op is not plain TIR; run 'uma-lower' first}}
func.func @main() {
  return
}

// -----

// expected-error @below {{argument 0 is a buffer of rank 2; C gets one-dimensional buffers, run 'uma-tir-storage-flatten' first}}
uma.tir.func @f(%x: memref<2x2xf32>) {
}

// -----

// expected-error @below {{argument 0 is a buffer of 'i4', which C has no type for}}
uma.tir.func @f(%x: memref<2xi4>) {
}

// -----

uma.tir.func @f(%x: memref<4xf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<4xf16>
  // expected-error @below {{computes with 'f16', which C99 has no arithmetic for; compute in f32 between 'arith.extf' and 'arith.truncf'}}
  %b = arith.addf %a, %a : f16
  memref.store %b, %x[%c0] : memref<4xf16>
}

// -----

uma.tir.func @f(%x: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<4xi32>
  // expected-error @below {{'math.ctlz' op has no counterpart in <math.h>; expand it first (pass 'math-expand-ops')}}
  %b = math.ctlz %a : i32
  memref.store %b, %x[%c0] : memref<4xi32>
}

// -----

uma.tir.func @f(%x: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<4xi32>
  // expected-error @below {{'arith.mulsi_extended' op cannot be expressed in C}}
  %l, %h = arith.mulsi_extended %a, %a : i32
  memref.store %h, %x[%c0] : memref<4xi32>
}

// -----

// An element at a position that is not known, or folding would leave no vector.
uma.tir.func @f(%x: memref<4xf32>, %i: index) {
  // expected-error @below {{of type 'vector<4xf32>' has no counterpart in C}}
  %v = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : vector<4xf32>
  %s = vector.extract %v[%i] : f32 from vector<4xf32>
  memref.store %s, %x[%i] : memref<4xf32>
}

// -----

uma.tir.func @f(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  // expected-error @below {{'scf.for' op has no counterpart in C; plain TIR holds loops, conditions, loads, stores, calls and scalar operations of arith and math}}
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %x[%i] : memref<4xf32>
  }
}

// -----

uma.tir.func @f(%x: memref<4xf32>) {
  uma.tir.for %i = 0 to 4 {
    // expected-error @below {{belongs to schedulable TIR; run 'uma-tir-lower-block' first}}
    uma.tir.block "b" (spatial %vi = %i in 4)
        reads(%x[affine_map<(i) -> (i)>, [1]] : memref<4xf32>)
        writes(%x[affine_map<(i) -> (i)>, [1]] : memref<4xf32>) {
      %v = memref.load %x[%vi] : memref<4xf32>
      memref.store %v, %x[%vi] : memref<4xf32>
    }
  }
}

// -----

memref.global "private" constant @w : memref<4xf32> = dense<1.0>
uma.tir.func @f(%i: index) {
  %w = memref.get_global @w : memref<4xf32>
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{writes to the constant '@w'; constants are read-only, copy it to a buffer first}}
  memref.store %zero, %w[%i] : memref<4xf32>
}

// -----

// expected-error @below {{is not a constant with a value; emitted C is re-entrant and keeps no state between runs}}
memref.global "private" @state : memref<4xf32> = uninitialized
uma.tir.func @f(%i: index, %y: memref<4xf32>) {
  %w = memref.get_global @state : memref<4xf32>
  %v = memref.load %w[%i] : memref<4xf32>
  memref.store %v, %y[%i] : memref<4xf32>
}

// -----

uma.tir.func private @g(%x: memref<4xf32>) {
  // expected-error @below {{makes '@f' call itself; the emitted C has a bounded stack and no recursion}}
  uma.tir.call @f(%x) : memref<4xf32>
}
uma.tir.func @f(%x: memref<4xf32>) {
  uma.tir.call @g(%x) : memref<4xf32>
}

// -----

uma.tir.func @main(%y: memref<4xf32>, %i: index) attributes {uma.network = "net"} {
  // expected-error @below {{has no offset in the workspace; run 'uma-tir-plan-memory' first}}
  %a = uma.tir.alloc workspace : memref<4xf32>
  %v = memref.load %a[%i] : memref<4xf32>
  memref.store %v, %y[%i] : memref<4xf32>
}

// -----

uma.tir.func @main(%y: memref<4xf32>, %i: index) attributes {uma.network = "net", uma.workspace_size = 64 : i64} {
  // expected-error @below {{takes bytes 56 to 72 of a workspace of 64 bytes; offsets must be multiples of the element's size, 4, and the buffer must fit}}
  %a = uma.tir.alloc workspace offset 56 : memref<4xf32>
  %v = memref.load %a[%i] : memref<4xf32>
  memref.store %v, %y[%i] : memref<4xf32>
}

// -----

uma.tir.func @f(%y: memref<4xf32>, %i: index) {
  // expected-error @below {{takes from the workspace in a function that gets none; only public functions with a memory plan (pass 'uma-tir-plan-memory') have one, others get their buffers as arguments}}
  %a = uma.tir.alloc workspace offset 0 : memref<4xf32>
  %v = memref.load %a[%i] : memref<4xf32>
  memref.store %v, %y[%i] : memref<4xf32>
}

// -----

uma.tir.func @a() attributes {uma.network = "a"} {
}
// expected-error @below {{is the second network of the module; one C file holds one network}}
uma.tir.func @b() attributes {uma.network = "b"} {
}

// -----

uma.tir.func @f(%x: memref<4xf32>, %y: memref<2xf32>, %i: index) {
  // expected-error @below {{is a view other than all elements in their order, which C would need a copy for; run 'uma-tir-storage-flatten' first}}
  %v = memref.reinterpret_cast %x to offset: [2], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  %e = memref.load %v[%i] : memref<2xf32, strided<[1], offset: 2>>
  memref.store %e, %y[%i] : memref<2xf32>
}

// -----

uma.tir.func @f(%x: memref<4xf32>) {
  // expected-warning @below {{calls 'device', which no header declares; name one in the accelerator's description: include "..."}}
  uma.tir.call_extern "device"(%x) : memref<4xf32>
}

// -----

// expected-error @below {{of type 'memref<4xi4>' has no counterpart in C}}
memref.global "private" constant @w : memref<4xi4> = dense<1>
uma.tir.func @main() {
  %w = memref.get_global @w : memref<4xi4>
  uma.tir.call @f(%w) : memref<4xi4>
}
uma.tir.func private @f(%w: memref<4xi4>) {
}

// -----

uma.tir.func @f(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  // expected-error @below {{has no counterpart in C, which has the kinds add, mul, maximumf and minimumf, on f32, and add on i32, without an accumulator}}
  %b = vector.reduction <maxnumf>, %a : vector<4xf32> into f32
  memref.store %b, %x[%c0] : memref<4xf32>
}

// -----

uma.tir.func @f(%x: memref<4xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<4xf8E5M2>
  // expected-error @below {{computes with 'f8E5M2', which C99 has no arithmetic for; compute in f32 between 'arith.extf' and 'arith.truncf'}}
  %b = arith.addf %a, %a : f8E5M2
  memref.store %b, %x[%c0] : memref<4xf8E5M2>
}

// -----

uma.tir.func @f(%x: memref<4xf32>) {
  // expected-error @below {{names 'amx_dpbusd', which no accelerator of the module describes as an instruction with a tile}}
  %a = uma.tir.has_instruction "amx_dpbusd"
  scf.if %a {
    %c0 = arith.constant 0 : index
    %b = arith.constant 1.0 : f32
    memref.store %b, %x[%c0] : memref<4xf32>
  }
}

// -----

uma.tir.func @f(%x: memref<4xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  // expected-error @below {{has no counterpart in C, which permutes all lanes of two vectors of f32 as long as the result}}
  %b = vector.shuffle %a, %a [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  vector.store %b, %y[%c0] : memref<8xf32>, vector<8xf32>
}

// -----

uma.tir.func @f(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  // expected-error @below {{has no counterpart in C, which permutes all lanes of two vectors of f32 as long as the result}}
  %b = vector.shuffle %a, %a [0, -1, 1, 5] : vector<4xf32>, vector<4xf32>
  vector.store %b, %x[%c0] : memref<4xf32>, vector<4xf32>
}

// -----

uma.tir.func @f(%x: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<4xi32>, vector<4xi32>
  // expected-error @below {{has no counterpart in C, which permutes all lanes of two vectors of f32 as long as the result}}
  %b = vector.shuffle %a, %a [0, 4, 1, 5] : vector<4xi32>, vector<4xi32>
  vector.store %b, %x[%c0] : memref<4xi32>, vector<4xi32>
}
