// What loops cannot become, and why. The function stays as it was: see unchanged.mlir.
// RUN: uma-opt %s --transform-interpreter -split-input-file -verify-diagnostics

module attributes {transform.with_named_sequence} {
    // expected-error @below {{has no block "prodce"; did you mean 'produce'?}}
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
      uma.tir.block "produce" (spatial %v = %i in 16)
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
    // expected-note @below {{wanted by the script}}
    %b = transform.uma.get_block "prodce" in %root
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
    // expected-error @below {{has 2 blocks "Q", expected one: say the version, as in lanes(8), or give them labels of their own}}
  uma.tir.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
    %two = arith.constant 2.0 : f32
    %t = uma.tir.alloc local label "t" : memref<16xf32>
    uma.tir.for %i = 0 to 16 label "i" {
    // expected-note @below {{one of them}}
      uma.tir.block "Q" (spatial %v = %i in 16)
          reads(%x[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>)
          writes(%t[affine_map<(d0) -> (d0)>, [1]] : memref<16xf32>) {
        %e = memref.load %x[%v] : memref<16xf32>
        %d = arith.mulf %e, %two : f32
        memref.store %d, %t[%v] : memref<16xf32>
      }
    }
    uma.tir.for %j = 0 to 16 label "j" {
    // expected-note @below {{one of them}}
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
    // expected-note @below {{wanted by the script}}
    %b = transform.uma.get_block "Q" in %root
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
// expected-note @below {{one of them}}
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
// expected-note @below {{one of them}}
  uma.tir.func @again(%x: memref<16xf32>, %y: memref<16xf32>) {
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
    // expected-error @below {{finds block "P" in 2 functions, expected one}}
    // expected-note @below {{wanted by the script}}
    %b = transform.uma.get_block "P" in %root
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{finds no uma.tir.func}}
    // expected-note @below {{wanted by the script}}
    %b = transform.uma.get_block "P" in %root
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
    // expected-error @below {{is in 3 loops, the script names 2}}
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
    // expected-note @below {{wanted by the script}}
    %i, %j = transform.uma.get_loops %b
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be split: the factors make 4 iterations of its 6}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %k0, %k1 = transform.uma.split %k [2, 2]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be split: factors #0 and #1 are to be inferred, expected one at most}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %k0, %k1 = transform.uma.split %k [?, ?]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be split: factor #1 is 0, expected a positive number}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %k0, %k1 = transform.uma.split %k [?, 0]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be split: it is unrolled; split it before}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    transform.uma.unroll %k
    // expected-note @below {{wanted by the script}}
    %k0, %k1 = transform.uma.split %k [?, 2]
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
    // expected-error @below {{has 2 factors and 3 results, expected as many}}
    // expected-note @below {{wanted by the script}}
    %k0, %k1, %k2 = transform.uma.split %k [?, 2]
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
    %k0, %k1 = transform.uma.split %k [?, 2]
    // expected-error @below {{takes a handle of one uma.tir.for, this holds 0: another operation has replaced it}}
    transform.uma.unroll %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
// expected-note @below {{this is a 'uma.tir.for'}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-error @below {{takes a handle of a uma.tir.block}}
    %x, %y, %z = transform.uma.get_loops %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @outside(%y: memref<6xf32>, %n: index) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{cannot be split: the factors make 8 iterations of its 6, and 'memref.store' in it is in no block that could leave some out}}
    uma.tir.for %i = 0 to 6 label "i" {
      memref.store %zero, %y[%i] : memref<6xf32>
      uma.tir.block "B" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
    uma.tir.for %i = 0 to %n label "n" {
      uma.tir.block "N" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %i0, %i1 = transform.uma.split %i [?, 4]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @outside(%y: memref<6xf32>, %n: index) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 6 label "i" {
      memref.store %zero, %y[%i] : memref<6xf32>
      uma.tir.block "B" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
    // expected-error @below {{cannot be split: its bounds are not integers}}
    uma.tir.for %i = 0 to %n label "n" {
      uma.tir.block "N" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "N" in %root
    %i = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %i0, %i1 = transform.uma.split %i [?, 4]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @outside(%y: memref<6xf32>, %n: index) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 6 label "i" {
      memref.store %zero, %y[%i] : memref<6xf32>
      uma.tir.block "B" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
    // expected-error @below {{cannot be vectorized: its bounds are not integers}}
    uma.tir.for %i = 0 to %n label "n" {
      uma.tir.block "N" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "N" in %root
    %i = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.vectorize %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @outside(%y: memref<6xf32>, %n: index) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 6 label "i" {
      memref.store %zero, %y[%i] : memref<6xf32>
      uma.tir.block "B" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
    // expected-error @below {{cannot be unrolled: its bounds are not integers}}
    uma.tir.for %i = 0 to %n label "n" {
      uma.tir.block "N" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "N" in %root
    %i = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.unroll %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @outside(%y: memref<6xf32>, %n: index) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 6 label "i" {
      memref.store %zero, %y[%i] : memref<6xf32>
      uma.tir.block "B" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
    // expected-error @below {{cannot be fused: its bounds are not integers}}
    uma.tir.for %i = 0 to %n label "n" {
      uma.tir.block "N" (spatial %v = %i in 6) writes(%y[affine_map<(d0) -> (d0)>, [1]] : memref<6xf32>) {
        memref.store %zero, %y[%v] : memref<6xf32>
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "N" in %root
    %i = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %f = transform.uma.fuse %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be fused: it is not directly inside of the loop before it}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %f = transform.uma.fuse %i, %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be fused: it is unrolled, the first one is serial}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    transform.uma.unroll %k
    // expected-note @below {{wanted by the script}}
    %f = transform.uma.fuse %j, %k
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
    // expected-error @below {{has no loops to fuse}}
    // expected-note @below {{wanted by the script}}
    %f = transform.uma.fuse
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be reordered: it is given twice}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder %k, %k
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
    // expected-error @below {{cannot be reordered: it is in no nest with the others}}
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
    transform.uma.reorder %i, %j
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
    // expected-error @below {{has no loops to reorder}}
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @two(%y: memref<4x6xf32>) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{cannot be reordered: it holds more than the next loop of the nest}}
    uma.tir.for %i = 0 to 4 label "i" {
      uma.tir.for %j = 0 to 6 label "j" {
        uma.tir.block "B" (spatial %v = %i in 4, spatial %w = %j in 6) writes(%y[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>) {
          memref.store %zero, %y[%v, %w] : memref<4x6xf32>
        }
      }
      uma.tir.for %j = 0 to 6 {
        uma.tir.block "D" (spatial %v = %i in 4, spatial %w = %j in 6) writes(%y[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>) {
          memref.store %zero, %y[%v, %w] : memref<4x6xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder %j, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @two(%y: memref<4x6xf32>) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{cannot be fused: it holds more than the loop to fuse it with}}
    uma.tir.for %i = 0 to 4 label "i" {
      uma.tir.for %j = 0 to 6 label "j" {
        uma.tir.block "B" (spatial %v = %i in 4, spatial %w = %j in 6) writes(%y[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>) {
          memref.store %zero, %y[%v, %w] : memref<4x6xf32>
        }
      }
      uma.tir.for %j = 0 to 6 {
        uma.tir.block "D" (spatial %v = %i in 4, spatial %w = %j in 6) writes(%y[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>) {
          memref.store %zero, %y[%v, %w] : memref<4x6xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    %f = transform.uma.fuse %i, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @triangle(%y: memref<4x6xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 4 label "i" {
    // expected-error @below {{cannot be reordered: its bounds depend on an outer loop of the nest}}
      uma.tir.for %j = %i to 6 label "j" {
        uma.tir.block "B" (spatial %v = %i in 4, spatial %w = %j in 6) writes(%y[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>) {
          memref.store %zero, %y[%v, %w] : memref<4x6xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder %j, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
    // expected-note @below {{the buffer is this}}
  uma.tir.func @stencil(%y: memref<8x8xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{cannot be reordered: block "B" would touch elements of a buffer in another order than now, or than block "B" expects, and the result depends on it}}
    uma.tir.for %i = 0 to 7 label "i" {
      uma.tir.for %j = 0 to 7 label "j" {
        uma.tir.block "B" (spatial %v = %i in 7, spatial %w = %j in 7)
            reads(%y[affine_map<(a, b) -> (a, b + 1)>, [1, 1]] : memref<8x8xf32>)
            writes(%y[affine_map<(a, b) -> (a + 1, b)>, [1, 1]] : memref<8x8xf32>) {
          %v1 = arith.addi %v, %c1 : index
          %w1 = arith.addi %w, %c1 : index
          %e = memref.load %y[%v, %w1] : memref<8x8xf32>
          memref.store %e, %y[%v1, %w] : memref<8x8xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder %j, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
    // expected-note @below {{different iterations write the same elements of this buffer}}
  uma.tir.func @stencil(%y: memref<8x8xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{cannot be parallel: block "B" and block "B" touch the same elements of a buffer in different iterations, and one of them writes}}
    uma.tir.for %i = 0 to 7 label "i" {
      uma.tir.for %j = 0 to 7 label "j" {
        uma.tir.block "B" (spatial %v = %i in 7, spatial %w = %j in 7)
            reads(%y[affine_map<(a, b) -> (a, b + 1)>, [1, 1]] : memref<8x8xf32>)
            writes(%y[affine_map<(a, b) -> (a + 1, b)>, [1, 1]] : memref<8x8xf32>) {
          %v1 = arith.addi %v, %c1 : index
          %w1 = arith.addi %w, %c1 : index
          %e = memref.load %y[%v, %w1] : memref<8x8xf32>
          memref.store %e, %y[%v1, %w] : memref<8x8xf32>
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.parallel %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
    // expected-note @below {{the buffer is this}}
  uma.tir.func @last(%x: memref<4x6xf32>, %y: memref<4xf32>) {
    uma.tir.for %i = 0 to 4 label "i" {
    // expected-error @below {{cannot be reordered: block "C" would touch elements of a buffer in another order than now, or than block "C" expects, and the result depends on it}}
      uma.tir.for %j = 0 to 2 label "j" {
        uma.tir.for %k = 0 to 3 label "k" {
          %c3 = arith.constant 3 : index
          %m = arith.muli %j, %c3 : index
          %n = arith.addi %m, %k : index
          uma.tir.block "C" (spatial %v = %i in 4, reduce %w = %n in 6)
              reads(%x[affine_map<(a, b) -> (a, b)>, [1, 1]] : memref<4x6xf32>)
              writes(%y[affine_map<(a, b) -> (a)>, [1]] : memref<4xf32>) {
            %e = memref.load %x[%v, %w] : memref<4x6xf32>
            memref.store %e, %y[%v] : memref<4xf32>
          }
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder %k, %j
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be vectorized: block "C" reduces over it: every iteration adds to the same elements}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.vectorize %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @matmul(%a: memref<8x6xf32>, %b: memref<6x4xf32>, %c: memref<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    uma.tir.for %i = 0 to 8 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
    // expected-error @below {{cannot be parallel: block "C" reduces over it: every iteration adds to the same elements}}
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
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "C" in %root
    %i, %j, %k = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.parallel %k
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @device(%x: memref<4x4xf32>) {
    // expected-error @below {{cannot be reordered: block "B" calls a function, and calls keep their order}}
    uma.tir.for %i = 0 to 4 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.block "B" (spatial %v = %i in 4, spatial %w = %j in 4) {
          uma.tir.call_extern "device_step"(%v, %w) : index, index
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.reorder %j, %i
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  uma.tir.func @device(%x: memref<4x4xf32>) {
    // expected-error @below {{cannot be parallel: block "B" calls a function, and calls keep their order}}
    uma.tir.for %i = 0 to 4 label "i" {
      uma.tir.for %j = 0 to 4 label "j" {
        uma.tir.block "B" (spatial %v = %i in 4, spatial %w = %j in 4) {
          uma.tir.call_extern "device_step"(%v, %w) : index, index
        }
      }
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.uma.get_block "B" in %root
    %i, %j = transform.uma.get_loops %b
    // expected-note @below {{wanted by the script}}
    transform.uma.parallel %i
    transform.yield
  }
}
