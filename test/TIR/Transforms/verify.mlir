// RUN: uma-opt %s -uma-tir-verify=stage=schedulable -split-input-file -o /dev/null
// RUN: uma-opt %s -uma-tir-verify=stage=plain -split-input-file -verify-diagnostics

// What plain TIR may hold.
memref.global "private" constant @w : memref<16xf32> = dense<0.5>
uma.tir.func private @layer(%x: memref<16xf32>, %w: memref<16xf32>, %y: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %i = 0 to 16 {
    %acc = uma.tir.alloc local : memref<f32>
    %a = memref.load %x[%i] : memref<16xf32>
    %b = math.exp %a : f32
    %c = arith.cmpf ogt, %b, %zero : f32
    %d = scf.if %c -> f32 {
      scf.yield %b : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %d, %acc[] : memref<f32>
    memref.store %d, %y[%i] : memref<16xf32>
  }
}
uma.tir.func @main(%x: memref<16xf32>, %y: memref<16xf32>) attributes {uma.workspace_size = 64 : i64} {
  %a = uma.tir.alloc workspace offset 0 : memref<16xf32>
  %w = memref.get_global @w : memref<16xf32>
  uma.tir.call @layer(%x, %w, %a) : memref<16xf32>, memref<16xf32>, memref<16xf32>
  uma.tir.call_extern "device"(%a, %y) writes [1] : memref<16xf32>, memref<16xf32>
}

// -----

uma.tir.func @block(%i: index) {
  // expected-error @+1 {{'uma.tir.block' op is not allowed in plain TIR: run uma-tir-lower-block}}
  uma.tir.block "b" (spatial %v = %i in 8) {
  }
}

// -----

// expected-error @+1 {{is not allowed in plain TIR: it has type 'memref<4x4xf32>', expected at most one dimension; run uma-tir-storage-flatten}}
uma.tir.func @rank(%x: memref<4x4xf32>) {
}

// -----

uma.tir.func @strided(%x: memref<4xf32>) {
  // expected-error @+1 {{'memref.reinterpret_cast' op is not allowed in plain TIR: expected arith, math, scf.if, memref.load, memref.store, memref.get_global, vector.broadcast, vector.load, vector.reduction, vector.store or uma.tir}}
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [2], strides: [2] : memref<4xf32> to memref<2xf32, strided<[2]>>
}

// -----

// expected-error @+1 {{it has type 'memref<2x2xf32>', expected at most one dimension}}
memref.global "private" @g : memref<2x2xf32>

// -----

uma.tir.func @vector(%v: f32) {
  // expected-error @+1 {{'vector.from_elements' op is not allowed in plain TIR}}
  %x = vector.from_elements %v, %v : vector<2xf32>
}

// -----

uma.tir.func @loop(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op is not allowed in plain TIR}}
  scf.for %i = %n to %n step %c1 {
  }
}

// -----

uma.tir.func @alloc() {
  // expected-error @+1 {{it has no place in the workspace; run uma-tir-plan-memory}}
  %a = uma.tir.alloc workspace : memref<16xf32>
}
