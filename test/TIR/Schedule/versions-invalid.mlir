// Versions that cannot be, and sums that are more than copied.
// RUN: uma-opt %s --transform-interpreter -split-input-file -verify-diagnostics

module attributes {transform.with_named_sequence} {
  // expected-error @below {{cannot have versions for [8, 16] lanes, expected powers of 2 from 2 on, the widest first}}
  uma.tir.func @order(%x: memref<16xf32>) {
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-note @below {{wanted by the script}}
    transform.uma.multiversion %root [8, 16]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{has versions already}}
  uma.tir.func @twice(%x: memref<16xf32>) {
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.uma.multiversion %root [8]
    // expected-note @below {{wanted by the script}}
    transform.uma.multiversion %root [4]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @a(%x: memref<16xf32>) {
  }
  uma.tir.func @b(%x: memref<16xf32>) {
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{finds 2 uma.tir.funcs, expected one}}
    // expected-note @below {{wanted by the script}}
    transform.uma.multiversion %root [8]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{has no version lanes(4) guard("UMA_SSE")}}
  uma.tir.func @missing(%x: memref<16xf32>) {
    // expected-note @below {{it has lanes(8), lanes(4) guard("UMA_NEON"), lanes(4), and lanes(1), the default}}
    uma.tir.multiversion lanes(8) {
    } lanes(4) guard("UMA_NEON") {
    } lanes(4) {
    } default {
      %c0 = arith.constant 0.0 : f32
      uma.tir.block "B" () reads() writes(%x[affine_map<() -> (0)>, [1]] : memref<16xf32>) {
        %i = arith.constant 0 : index
        memref.store %c0, %x[%i] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %one = transform.uma.get_block "B" in %root lanes(1)
    // expected-note @below {{wanted by the script}}
    %b = transform.uma.get_block "B" in %root lanes(4) guard("UMA_SSE")
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{has no block "B"}}
  uma.tir.func @elsewhere(%x: memref<16xf32>) {
    uma.tir.multiversion lanes(8) {
    } default {
      %c0 = arith.constant 0.0 : f32
      uma.tir.block "B" () reads() writes(%x[affine_map<() -> (0)>, [1]] : memref<16xf32>) {
        %i = arith.constant 0 : index
        memref.store %c0, %x[%i] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-note @below {{wanted by the script}}
    %b = transform.uma.get_block "B" in %root lanes(8)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @negated(%a: memref<4x8xf32>, %c: memref<4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 4 {
      %s = uma.tir.alloc local : memref<f32>
      uma.tir.for %k = 0 to 8 {
        uma.tir.block "sum" (spatial %vi = %i in 4, reduce %vk = %k in 8)
            reads(%a[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<4x8xf32>)
            writes(%s[affine_map<(i, k) -> ()>, []] : memref<f32>)
        init {
          memref.store %zero, %s[] : memref<f32>
        } do {
          %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
          %old = memref.load %s[] : memref<f32>
          %new = arith.addf %old, %x : f32
          memref.store %new, %s[] : memref<f32>
        }
      }
      // expected-error @below {{cannot be inlined into its producer, which reduces: it does more than copy}}
      uma.tir.block "copy" (spatial %vi = %i in 4)
          reads(%s[affine_map<(i) -> ()>, []] : memref<f32>)
          writes(%c[affine_map<(i) -> (i)>, [1]] : memref<4xf32>) {
        %r = memref.load %s[] : memref<f32>
        %n = arith.negf %r : f32
        memref.store %n, %c[%vi] : memref<4xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %copy = transform.uma.get_block "copy" in %root
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_inline %copy
    transform.yield
  }
}

// -----

// What the sum reads would change while it is added up.
module attributes {transform.with_named_sequence} {
  uma.tir.func @self(%a: memref<4x8xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 4 {
      %s = uma.tir.alloc local : memref<f32>
      uma.tir.for %k = 0 to 8 {
        // expected-note @below {{here}}
        uma.tir.block "sum" (spatial %vi = %i in 4, reduce %vk = %k in 8)
            reads(%a[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<4x8xf32>)
            writes(%s[affine_map<(i, k) -> ()>, []] : memref<f32>)
        init {
          memref.store %zero, %s[] : memref<f32>
        } do {
          %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
          %old = memref.load %s[] : memref<f32>
          %new = arith.addf %old, %x : f32
          memref.store %new, %s[] : memref<f32>
        }
      }
      // expected-error @below {{which reduces: block "sum" touches what it writes}}
      uma.tir.block "copy" (spatial %vi = %i in 4)
          reads(%s[affine_map<(i) -> ()>, []] : memref<f32>)
          writes(%a[affine_map<(i) -> (i, 0)>, [1, 1]] : memref<4x8xf32>) {
        %r = memref.load %s[] : memref<f32>
        %c0 = arith.constant 0 : index
        memref.store %r, %a[%vi, %c0] : memref<4x8xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %copy = transform.uma.get_block "copy" in %root
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_inline %copy
    transform.yield
  }
}
