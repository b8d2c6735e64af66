// Statements about costs that say nothing. Errors at positions of the text language are tested in
// test/Accel/Language.

// RUN: uma-opt %s -split-input-file -verify-diagnostics

uma.accel.accelerator @a {
  // expected-note @+1 {{the other one is here}}
  uma.accel.transfer {
  ^bb0(%bytes: index):
    uma.accel.yield %bytes
  }
  // expected-error @+1 {{an accelerator has one transfer}}
  uma.accel.transfer {
  ^bb0(%bytes: index):
    uma.accel.yield %bytes
  }
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{the body takes one index, the bytes}}
  uma.accel.transfer {
    %c = arith.constant 1 : index
    uma.accel.yield %c
  }
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{the body takes one index, the bytes}}
  uma.accel.transfer {
  ^bb0(%bytes: i32):
    %c = arith.constant 1 : index
    uma.accel.yield %c
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.transfer {
  ^bb0(%bytes: index):
    // expected-error @+1 {{'tensor.empty' cannot stand here: the body holds arith operations and uma.accel.yield}}
    %0 = tensor.empty() : tensor<4xf32>
    uma.accel.yield %bytes
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.region {
    // expected-error @+1 {{block with no terminator}}
    %c = arith.constant 1 : index
  }
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{min_operators is 0, expected 1 or more}}
  uma.accel.region min_operators 0 {
    %c = arith.constant 1 : index
    uma.accel.yield %c
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.region {
    // expected-note @+1 {{prior use here}}
    %c = arith.constant 1 : i32
    // expected-error @+1 {{use of value '%c' expects different type than prior uses}}
    uma.accel.yield %c
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-note @+1 {{the other one is here}}
    uma.accel.cost %n
    // expected-error @+1 {{a pattern has one cost}}
    uma.accel.cost %n
    uma.accel.call "npu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
