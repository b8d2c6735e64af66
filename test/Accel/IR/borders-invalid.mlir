// Layouts, results, splits, scratches and C of hand-written patterns.

// RUN: uma-opt %s -split-input-file -verify-diagnostics

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    // expected-error @+1 {{the layout of input 'x' does not hold each size once, whole or as the two parts of n / 16 and n % 16}}
    %x = uma.accel.input "x" f32 [%n, %m] as affine_map<(d0, d1) -> (d0, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    // expected-error @+1 {{the layout of input 'x' does not hold each size once}}
    %x = uma.accel.input "x" f32 [%n] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    // expected-error @+1 {{the layout of input 'x' does not hold each size once}}
    %x = uma.accel.input "x" f32 [%n, 4] as affine_map<(d0, d1) -> (d0 floordiv 16, d1, d0 mod 8)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    // expected-error @+1 {{the layout of input 'x' does not hold each size once}}
    %x = uma.accel.input "x" f32 [%n] as affine_map<(d0) -> (d0 floordiv 0, d0 mod 0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    // expected-error @+1 {{the layout of input 'x' does not hold each size once}}
    %x = uma.accel.input "x" f32 [%n] as affine_map<(d0)[s0] -> (d0 + s0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    // expected-error @+1 {{the layout of input 'x' does not hold each size once}}
    %x = uma.accel.input "x" f32 as affine_map<(d0) -> (d0)>
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %m = uma.accel.dim "m"
    // expected-error @+1 {{'...' in the shape of input 'x' stands behind a size; it names the leading sizes}}
    %x = uma.accel.input "x" f32 [4, ...%m]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{says what 'x' is, which the pattern does not compute}}
    uma.accel.result %x f32 [4]
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [4]
    // expected-error @+1 {{what 'y' is has been said already}}
    uma.accel.result %y f32 [4]
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n, 4]
    %a = uma.accel.op "relu"(%x) as "a"
    %y = uma.accel.op "negative"(%a) as "y"
    // expected-error @+1 {{'a' stays in the device: only inputs and results of a pattern have a layout}}
    uma.accel.result %a f32 [%n, 4] as affine_map<(d0, d1) -> (d1, d0)>
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = arith.constant 4 : index
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{splits what is no dim}}
    uma.accel.split %n by 4
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [...%m, %n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{'m' is no size of an input, so that there is nothing to split}}
    uma.accel.split %m by 4
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.split %n by 4
    // expected-error @+1 {{'n' is split already}}
    uma.accel.split %n by 8
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{attribute 'limit' failed to satisfy constraint}}
    uma.accel.split %n by 0
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{split belongs to a pattern that calls the device; 'lower' makes loops of its match}}
    uma.accel.split %n by 4
    uma.accel.lower
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    // expected-error @+1 {{no call takes 't'}}
    %t = uma.accel.scratch "t" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %t = uma.accel.scratch "t" f32 [%n]
    // expected-error @+1 {{'t' is memory for calls, which alone take it}}
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "f"(%x, %y, %t) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    // expected-error @+1 {{the elements of 't' must be integers or floats, found 'memref<4xf32>'}}
    %t = uma.accel.scratch "t" memref<4xf32> [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y, %t) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    // expected-error @+1 {{'x' is already a tensor}}
    %t = uma.accel.scratch "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x, %y, %t) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.strategy 12 {
    uma.accel.pattern @p {
      %n = uma.accel.dim "n"
      %x = uma.accel.input "x" f32 [%n]
      // expected-error @+1 {{scratch belongs to a pattern that calls the device; a strategy implements one operator}}
      %t = uma.accel.scratch "t" f32 [%n]
      %y = uma.accel.op "relu"(%x) as "y"
      uma.accel.call "f"(%x, %y, %t) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
    }
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the C of pattern 'p' names operand 2, but has 2}}
    uma.accel.call "p"(%x, %y) code "f({0}, {1}, {2});" : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the C of pattern 'p' does not use operand 0}}
    uma.accel.call "p"(%x, %y) code "f({1});" : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the C of pattern 'p' has '{ f({0}', expected the number of an argument as in {0}; a brace of C is written twice}}
    uma.accel.call "p"(%x, %y) code "{ f({0}, {1}); }" : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the C of pattern 'p' has arguments of its own}}
    uma.accel.call "p"(%x, %y) as [0, 1] code "f({0}, {1});" : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.init {
    // expected-error @+1 {{C stands in a pattern; a region has a prologue and an epilogue}}
    uma.accel.call "p"() code "f();"
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{nothing calls 'p', which is to be replaced}}
  uma.accel.replace "p" "q()"
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "p"(%x, %y) code "f({0}, {1});" : !uma.accel.tensor, !uma.accel.tensor
  }
}
