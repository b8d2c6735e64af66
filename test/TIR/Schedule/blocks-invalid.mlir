// What blocks and buffers cannot become, and why.
// RUN: uma-opt %s --transform-interpreter -split-input-file -verify-diagnostics

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{reads 2 buffers, there is no #2}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.cache_read %b[2] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func private @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{can have no copy in the workspace: it is planned for public functions, and this one is private}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.cache_read %b[0] workspace
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @inplace(%y: memref<6xf32>) {
    uma.tir.for %i = 0 to 6 label "i" {
    // expected-error @below {{cannot read a copy of buffer #0: block "C" in the same loops writes it}}
    // expected-note @below {{here}}
      uma.tir.block "C" (spatial %v = %i in 6)
          reads(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        %e = memref.load %y[%v] : memref<6xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.cache_read %b[0] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @inplace(%y: memref<6xf32>) {
    uma.tir.for %i = 0 to 6 label "i" {
    // expected-error @below {{cannot write buffer #0 through a buffer of its own: it adds to what the buffer holds; call cache_write before decompose_reduction}}
      uma.tir.block "C" (spatial %v = %i in 6)
          reads(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        %e = memref.load %y[%v] : memref<6xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.cache_write %b[0] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @diagonal(%y: memref<6x6xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 6 label "i" {
    // expected-error @below {{cannot write buffer #0 through a buffer of its own: it does not write one element for each value of its iteration variables}}
      uma.tir.block "C" (spatial %v = %i in 6) writes(%y[affine_map<(a) -> (a, a)>, [1, 1]] : memref<6x6xf32>) {
        memref.store %zero, %y[%v, %v] : memref<6x6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.cache_write %b[0] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{writes 1 buffers, there is no #1}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.set_scope %b[1] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{writes buffer #0, which is no uma.tir.alloc: its place is not for the function to choose}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.set_scope %b[0] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be annotated with 'label': that attribute is a part of the operation}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.annotate %b "label" = "D"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at that loop: it is in that loop}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %p, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
    // expected-error @below {{cannot be computed at that loop: it comes after the loop}}
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %q, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>, %t: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at that loop: what it writes is no buffer of the function (uma.tir.alloc), and may be read elsewhere}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at that loop: block "R" on the way writes a buffer that it reads}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %k = 0 to 16 label "k" {
    // expected-note @below {{here}}
      uma.tir.block "R" (spatial %v = %k in 16)
          writes(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        memref.store %two, %x[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be inlined: block "R" changes what it reads before its results are used}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %k = 0 to 16 label "k" {
    // expected-note @below {{here}}
      uma.tir.block "R" (spatial %v = %k in 16)
          writes(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        memref.store %two, %x[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_inline %p
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %k = 0 to 16 label "k" {
    // expected-note @below {{here}}
      uma.tir.block "R" (spatial %v = %k in 16)
          writes(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        memref.store %two, %x[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
    // expected-error @below {{cannot be inlined into its producer: block "R" comes between, and touches a buffer that it needs}}
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_inline %q
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at that loop: what it writes is used outside of the loop, too}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %k = 0 to 16 label "k" {
    // expected-note @below {{here}}
      uma.tir.block "R" (spatial %v = %k in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %k = 0 to 16 label "k" {
    // expected-note @below {{here}}
      uma.tir.block "R" (spatial %v = %k in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %t[%v] : memref<16xf32>
        memref.store %e, %y[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
    // expected-error @below {{cannot be inlined into its producer: what it reads is used elsewhere, too}}
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_inline %q
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at that loop: nothing in the loop reads what it writes}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = arith.constant 1.0 : f32
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at that loop: iterations of a loop that is parallel would depend on each other}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 15 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 15)
          reads(%t[affine_map<(d0) -> (d0)>, [2]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    transform.uma.parallel %j
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_at %p, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be computed at the end of that loop: it comes before the loop}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_at %p, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %d: memref<8x4xf32>) {
    %c = uma.tir.alloc local label "c" : memref<8x4xf32>
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-note @below {{this loop}}
        uma.tir.for %k = 0 to 6 label "k" {
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
    uma.tir.for %m = 0 to 8 label "m" {
      uma.tir.for %n = 0 to 4 label "n" {
    // expected-error @below {{cannot be computed at the end of that loop: block "C" reduces over a loop that is around it there: its results are not complete}}
        uma.tir.block "R" (spatial %v = %m in 8, spatial %w = %n in 4)
            reads(%c[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
            writes(%d[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>) {
          %e = memref.load %c[%v, %w] : memref<8x4xf32>
          %f = arith.negf %e : f32
          memref.store %f, %d[%v, %w] : memref<8x4xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    %r = transform.uma.get_block "R" in %root
    %m, %n = transform.uma.get_loops %r
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_at %r, %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %d: memref<8x4xf32>) {
    %c = uma.tir.alloc local label "c" : memref<8x4xf32>
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be inlined: it reduces}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
    uma.tir.for %m = 0 to 8 label "m" {
      uma.tir.for %n = 0 to 4 label "n" {
        uma.tir.block "R" (spatial %v = %m in 8, spatial %w = %n in 4)
            reads(%c[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
            writes(%d[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>) {
          %e = memref.load %c[%v, %w] : memref<8x4xf32>
          %f = arith.negf %e : f32
          memref.store %f, %d[%v, %w] : memref<8x4xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_inline %b
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %d: memref<8x4xf32>) {
    %c = uma.tir.alloc local label "c" : memref<8x4xf32>
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
    uma.tir.for %m = 0 to 8 label "m" {
      uma.tir.for %n = 0 to 4 label "n" {
        // expected-error @below {{cannot be inlined into its producer, which reduces: it does more than copy}}
        uma.tir.block "R" (spatial %v = %m in 8, spatial %w = %n in 4)
            reads(%c[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
            writes(%d[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>) {
          %e = memref.load %c[%v, %w] : memref<8x4xf32>
          %f = arith.negf %e : f32
          memref.store %f, %d[%v, %w] : memref<8x4xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %r = transform.uma.get_block "R" in %root
    %m, %n = transform.uma.get_loops %r
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_inline %r
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
    // expected-error @below {{cannot be inlined: what it writes is no buffer of the function (uma.tir.alloc), and may be read elsewhere}}
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %q = transform.uma.get_block "Q" in %root
    %j = transform.uma.get_loops %q
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_inline %q
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be inlined into its producer: no block writes a buffer of the function that it reads}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    transform.uma.reverse_compute_inline %p
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 8 label "i" {
    // expected-error @below {{cannot be inlined: its loops do not run for exactly the values of its iteration variables}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    transform.uma.compute_inline %p
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{cannot be decomposed at that loop: it has no init region}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    %d = transform.uma.decompose_reduction %p, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %d: memref<8x4xf32>) {
    %c = uma.tir.alloc local label "c" : memref<8x4xf32>
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be decomposed at that loop: it is not in that loop}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
    uma.tir.for %m = 0 to 8 label "m" {
      uma.tir.for %n = 0 to 4 label "n" {
        uma.tir.block "R" (spatial %v = %m in 8, spatial %w = %n in 4)
            reads(%c[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
            writes(%d[affine_map<(i, j) -> (i, j)>, [1, 1]] : memref<8x4xf32>) {
          %e = memref.load %c[%v, %w] : memref<8x4xf32>
          %f = arith.negf %e : f32
          memref.store %f, %d[%v, %w] : memref<8x4xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    %r = transform.uma.get_block "R" in %root
    %m, %n = transform.uma.get_loops %r
    // expected-note @below {{wanted by the script}}
    %d = transform.uma.decompose_reduction %b, %m
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-note @below {{this loop}}
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be decomposed at that loop: an outer loop reduces, and would start again in every iteration}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    transform.uma.reorder %k, %i, %j
    // expected-note @below {{wanted by the script}}
    %d = transform.uma.decompose_reduction %b, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @maybe(%x: memref<4xf32>, %y: memref<1xf32>, %c: i1) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 1 label "i" {
      uma.tir.for %k = 0 to 4 label "k" {
        scf.if %c {
    // expected-error @below {{cannot be decomposed at that loop: something other than loops is around it: 'scf.if'}}
          uma.tir.block "C" (spatial %v = %i in 1, reduce %w = %k in 4)
              reads(%x[affine_map<(a, b) -> (b)>, [1]] : memref<4xf32>)
              writes(%y[affine_map<(a, b) -> (a)>, [1]] : memref<1xf32>)
          init {
            memref.store %zero, %y[%v] : memref<1xf32>
          } do {
            %e = memref.load %x[%w] : memref<4xf32>
            %s = memref.load %y[%v] : memref<1xf32>
            %t = arith.addf %s, %e : f32
            memref.store %t, %y[%v] : memref<1xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %n = transform.uma.decompose_reduction %b, %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @maybe(%x: memref<4xf32>, %y: memref<1xf32>, %c: i1) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 1 label "i" {
      uma.tir.for %k = 0 to 4 label "k" {
        scf.if %c {
    // expected-error @below {{cannot write buffer #0 through a buffer of its own: it does not write one element for each value of its iteration variables}}
          uma.tir.block "C" (spatial %v = %i in 1, reduce %w = %k in 4)
              reads(%x[affine_map<(a, b) -> (b)>, [1]] : memref<4xf32>)
              writes(%y[affine_map<(a, b) -> (a)>, [1]] : memref<1xf32>)
          init {
            memref.store %zero, %y[%v] : memref<1xf32>
          } do {
            %e = memref.load %x[%w] : memref<4xf32>
            %s = memref.load %y[%v] : memref<1xf32>
            %t = arith.addf %s, %e : f32
            memref.store %t, %y[%v] : memref<1xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %n = transform.uma.cache_write %b[0] local
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be factored by that loop: it does not reduce over it}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.rfactor %b, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be factored by that loop: its predicate leaves out a part of the reduction: partial results could have no start}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    %k0, %k1 = transform.uma.split %k [?, 4]
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.rfactor %b, %k1
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.for %k = 0 to 6 label "k" {
    // expected-error @below {{cannot be factored by that loop: it does not start with an init region and add up into one element by one operation}}
          uma.tir.block "C" (spatial %vi = %i in 8, spatial %vj = %j in 4, reduce %vk = %k in 6)
              reads(%a[affine_map<(i, j, k) -> (i, k)>, [1, 1]] : memref<8x6xf32>,
                    %b[affine_map<(i, j, k) -> (k, j)>, [1, 1]] : memref<6x4xf32>)
              writes(%c[affine_map<(i, j, k) -> (i, j)>, [1, 1]] : memref<8x4xf32>)
          init {
            memref.store %zero, %c[%vi, %vj] : memref<8x4xf32>
          } do {
            %x = memref.load %a[%vi, %vk] : memref<8x6xf32>
            %y = memref.load %b[%vk, %vj] : memref<6x4xf32>
            %p = arith.mulf %x, %y : f32
            %s = memref.load %c[%vi, %vj] : memref<8x4xf32>
            %t = arith.addf %s, %p : f32
            memref.store %t, %c[%vi, %vj] : memref<8x4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    %n = transform.uma.decompose_reduction %b, %k
    // expected-note @below {{wanted by the script}}
    %r = transform.uma.rfactor %b, %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func private @negate(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.intrinsic = "device_negate"} {
    uma.tir.for %i = 0 to 4 {
      uma.tir.block "negate" (spatial %v = %i in 4)
          reads(%x[affine_map<(a) -> (a)>, [1]] : memref<4xf32>)
          writes(%y[affine_map<(a) -> (a)>, [1]] : memref<4xf32>) {
        %e = memref.load %x[%v] : memref<4xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<4xf32>
      }
    }
  }
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-error @below {{finds no uma.tir.func '@negated'; did you mean 'negate'?}}
    // expected-note @below {{wanted by the script}}
    %c = transform.uma.tensorize %i @negated
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
    // expected-error @below {{is no intrinsic: its attribute 'uma.intrinsic' names a C function}}
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    %c = transform.uma.tensorize %i @chain
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func private @negate(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.intrinsic = "device_negate"} {
    uma.tir.for %i = 0 to 4 {
      uma.tir.block "negate" (spatial %v = %i in 4)
          reads(%x[affine_map<(a) -> (a)>, [1]] : memref<4xf32>)
          writes(%y[affine_map<(a) -> (a)>, [1]] : memref<4xf32>) {
        %e = memref.load %x[%v] : memref<4xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<4xf32>
      }
    }
  }
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{does not compute what '@negate' does: loop #0 has 16 iterations, expected 4 from 0}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    %c = transform.uma.tensorize %i @negate
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func private @negate(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.intrinsic = "device_negate"} {
    uma.tir.for %i = 0 to 4 {
      uma.tir.block "negate" (spatial %v = %i in 4)
          reads(%x[affine_map<(a) -> (a)>, [1]] : memref<4xf32>)
          writes(%y[affine_map<(a) -> (a)>, [1]] : memref<4xf32>) {
        %e = memref.load %x[%v] : memref<4xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<4xf32>
      }
    }
  }
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{does not compute what '@negate' does: it has 0 loops there, not 1}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    // expected-note @below {{wanted by the script}}
    %c = transform.uma.tensorize %p @negate
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func private @negate(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.intrinsic = "device_negate"} {
    uma.tir.for %i = 0 to 4 {
      uma.tir.block "negate" (spatial %v = %i in 4)
          reads(%x[affine_map<(a) -> (a)>, [1]] : memref<4xf32>)
          writes(%y[affine_map<(a) -> (a)>, [1]] : memref<4xf32>) {
        %e = memref.load %x[%v] : memref<4xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<4xf32>
      }
    }
  }
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{does not compute what '@negate' does: it has 'arith.mulf' where the other has 'arith.negf'}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %i0, %i1 = transform.uma.split %i [?, 4]
    // expected-note @below {{wanted by the script}}
    %c = transform.uma.tensorize %i1 @negate
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func private @negate(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.intrinsic = "device_negate"} {
    uma.tir.for %i = 0 to 4 {
      uma.tir.block "negate" (spatial %v = %i in 4)
          reads(%x[affine_map<(a) -> (a)>, [1]] : memref<4xf32>)
          writes(%y[affine_map<(a) -> (a)>, [1]] : memref<4xf32>) {
        %e = memref.load %x[%v] : memref<4xf32>
        %f = arith.negf %e : f32
        memref.store %f, %y[%v] : memref<4xf32>
      }
    }
  }
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-error @below {{does not compute what '@negate' does: elements that are neighbours in argument #0 are 4 apart in the buffer}}
      uma.tir.block "P" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
      uma.tir.block "Q" (spatial %v = %j in 16)
          reads(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>,
                %x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %d = memref.load %t[%v] : memref<16xf32>
        %e = memref.load %x[%v] : memref<16xf32>
        %s = arith.addf %d, %e : f32
        memref.store %s, %y[%v] : memref<16xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.uma.get_block "P" in %root
    %i = transform.uma.get_loops %p
    %i0, %i1 = transform.uma.split %i [?, 4]
    transform.uma.reorder %i1, %i0
    // expected-note @below {{wanted by the script}}
    %c = transform.uma.tensorize %i0 @negate
    transform.yield
  }
}
