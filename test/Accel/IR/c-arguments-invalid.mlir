// What the text language cannot write is checked, too.
// RUN: uma-opt %s --split-input-file --verify-diagnostics

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' names operand 3, but has 3}}
    uma.accel.call "f"(%n, %x, %y) as [0, 1, 3] : index, !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' does not use operand 0}}
    uma.accel.call "f"(%n, %x, %y) as [1, 2] : index, !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.constants ["NPU_SAME"]
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' names 'NPU_SAM', which is no constant of the description; did you mean 'NPU_SAME'?}}
    uma.accel.call "f"(%x, %y) as [0, 1, "NPU_SAM"] : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' picks by operand 0, which is no uma.accel.which}}
    uma.accel.call "f"(%n, %x, %y) as [{of = [0, 0], pick = 0}, 1, 2] : index, !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' has the argument {pick = 0 : i64}, expected a pick of several elements}}
    uma.accel.call "f"(%x, %y) as [{pick = 0}, 0, 1] : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' has the argument unit, expected the number of an operand, a constant, a sum, a pick or a struct}}
    uma.accel.call "f"(%x, %y) as [unit, 0, 1] : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' has the argument {fields = ["a"], struct = "cfg"}, expected the number of an operand, a constant, a sum, a pick or a struct}}
    uma.accel.call "f"(%x, %y) as [{fields = ["a"], struct = "cfg"}, 0, 1] : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{the call to 'f' has the argument {sum = []}, expected the number of an operand, a constant, a sum, a pick or a struct}}
    uma.accel.call "f"(%x, %y) as [{sum = []}, 0, 1] : !uma.accel.tensor, !uma.accel.tensor
  }
}
