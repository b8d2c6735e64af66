// Descriptions that are no descriptions. Errors at positions of the text language are
// tested in test/Accel/Language.

// RUN: uma-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'arith.constant' cannot stand in an accelerator: it holds uma.accel.include, model, link, pipeline, pattern and other uma.accel operations}}
uma.accel.accelerator @a { %0 = arith.constant 1 : index }

// -----

// expected-error @+1 {{'uma.accel.include' op expects parent op 'uma.accel.accelerator'}}
uma.accel.include "a.h"

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{the name of the header is empty}}
  uma.accel.include ""
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{the name of the model's source file cannot hold a quote, a backslash or a control character}}
  uma.accel.model "a\nb.c"
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{'npu driver' is not the name of a library as the linker's -l takes it}}
  uma.accel.link "npu driver"
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{unknown phase 'TIR_PHASE_4'; did you mean 'TIR_PHASE_0'?}}
  uma.accel.pipeline "TIR_PHASE_4" "cse"
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{unknown phase 'later'; phases are PRE_PARTITIONING, POST_PARTITIONING_0, POST_PARTITIONING_1, TIR_PHASE_0, TIR_PHASE_1, TIR_PHASE_2, TIR_PHASE_3}}
  uma.accel.pipeline "later" "cse"
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{cannot parse the passes of TIR_PHASE_1: 'ces' does not refer to a registered pass or pass pipeline}}
  uma.accel.pipeline "TIR_PHASE_1" "ces"
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{the passes already run on builtin.module}}
  uma.accel.pipeline "TIR_PHASE_1" "builtin.module(cse)"
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{pattern 'p' matches nothing: it needs an operator}}
  uma.accel.pattern @p { }
}

// -----

uma.accel.accelerator @a {
  // expected-error @+1 {{pattern 'p' does nothing with a match: it needs a call, or lower}}
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    %y = uma.accel.op "relu"(%x)
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' cannot stand in a pattern: it holds operations of uma.accel and arith}}
    %0 = builtin.unrealized_conversion_cast %x : !uma.accel.tensor to i32
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    // expected-error @+1 {{'n' is already a dim}}
    %m = uma.accel.dim "n"
    %x = uma.accel.input "x" [%n, %m]
    %y = uma.accel.op "relu"(%x)
    uma.accel.call "f"(%y) : !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{'x' is already an input}}
    %b = uma.accel.input "x"
    %y = uma.accel.op "add"(%x, %b)
    uma.accel.call "f"(%y) : !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    // expected-error @+1 {{no shape and no attribute says what 'n' is}}
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x"
    %y = uma.accel.op "relu"(%x)
    uma.accel.call "f"(%y, %n) : !uma.accel.tensor, index
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %g = uma.accel.dim "groups"
    %x = uma.accel.input "x" [%g]
    // expected-error @+1 {{an attribute names the unknown dim 'group'; did you mean 'groups'?}}
    %y = uma.accel.op "conv2d"(%x, %x) {groups = @group}
    uma.accel.call "f"(%y) : !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{no operator of the pattern uses input 'w'}}
    %w = uma.accel.input "w"
    %y = uma.accel.op "relu"(%x)
    uma.accel.call "f"(%y, %w) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{'softmax' is not part of what the pattern computes}}
    %0 = uma.accel.op "softmax"(%x)
    %y = uma.accel.op "relu"(%x)
    uma.accel.call "f"(%0, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{no call of the pattern takes 'y', its result, so that nothing writes it}}
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "f"(%x) : !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    // expected-error @+1 {{size 0 of input 'x' is not positive}}
    %x = uma.accel.input "x" f32 [0]
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    // expected-error @+1 {{the shape has 1 dims, but 0 are given}}
    %x = uma.accel.input "x" f32 [-9223372036854775808]
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{the shape of input 'x' holds a value that is not a dim}}
    %x = uma.accel.input "x" f32 [%c1]
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    // expected-error @+1 {{element type of input 'x' must be an integer or a float, found 'tensor<4xf32>'}}
    %x = uma.accel.input "x" tensor<4xf32>
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    // expected-error @+1 {{expected integer value}}
    %x = uma.accel.input "x" f32 [n]
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{unknown operator 'rellu'; did you mean 'relu'?}}
    %y = uma.accel.op "rellu"(%x)
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{operator 'yield' cannot stand in a pattern}}
    %y = uma.accel.op "yield"(%x)
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{operator 'batch_norm' takes 5 operands, found 1}}
    %y = uma.accel.op "batch_norm"(%x)
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{operator 'softmax' has no attribute 'axes'; did you mean 'axis'?}}
    %y = uma.accel.op "softmax"(%x) {axes = 1}
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{attribute 'strides' of operator 'conv2d' cannot be array<i64: 1, 1>; write a list of integers or any}}
    %y = uma.accel.op "conv2d"(%x, %x) {strides = array<i64: 1, 1>}
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    // expected-error @+1 {{attribute 'groups' of operator 'conv2d' cannot be 1; write an integer or any}}
    %y = uma.accel.op "conv2d"(%x, %x) {groups = 1 : i32}
  }
}

// -----

uma.accel.accelerator @a {
  uma.accel.pattern @p {
    %x = uma.accel.input "x"
    %y = uma.accel.op "relu"(%x)
    // expected-error @+1 {{'npu-relu' is not the name of a C function}}
    uma.accel.call "npu-relu"(%y) : !uma.accel.tensor
  }
}
