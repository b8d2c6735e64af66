// RUN: uma-opt %s -split-input-file -verify-diagnostics

// What hand-written descriptions can get wrong beyond what the text language can say.

uma.accel.accelerator @npu {
  uma.accel.attribute "mode" = "fast"
  uma.accel.init {
    // expected-error @+1 {{attribute 'mode' is "fast", which does not fit 'index'}}
    %mode = uma.accel.target_attribute "mode" : index
    uma.accel.call "f"(%mode) : index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.attribute "fused" = true
  uma.accel.init {
    // expected-error @+1 {{attribute 'fused' is true, which does not fit 'index'}}
    %fused = uma.accel.target_attribute "fused" : index
    uma.accel.call "f"(%fused) : index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.attribute "count" = 3 : i64
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{accelerator 'npu' has no attribute 'cuont'; did you mean 'count'?}}
    %count = uma.accel.target_attribute "cuont" : index
    uma.accel.call "f"(%x, %y, %count) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.attribute "count" = 3 : i64
  uma.accel.pattern @p {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{attribute 'count' is 3 : i64, expected a string to compare with}}
    %fast = uma.accel.attribute_is "count" "fast"
    uma.accel.require %fast, "slow"
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{a script has a body or a file}}
  uma.accel.script "TIR_PHASE_0" {
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body of a script is one module}}
  uma.accel.script "TIR_PHASE_0" {
    %c = arith.constant 1 : index
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{a strategy is one uma.accel.pattern}}
  uma.accel.strategy 11 {
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{level -1 is not between 0 and 1000000}}
  uma.accel.strategy -1 {
    uma.accel.pattern @relu {
      %x = uma.accel.input "x" f32
      %y = uma.accel.op "relu"(%x) as "y"
      uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
    }
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.init {
    // expected-error @+1 {{'uma.accel.include' op expects parent op 'uma.accel.accelerator'}}
    uma.accel.include "npu.h"
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-note @+1 {{it is said here first}}
  uma.accel.merge_compiler_regions false
  // expected-error @+1 {{the description says merge_compiler_regions twice}}
  uma.accel.merge_compiler_regions true
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the cost of memory 'm' is negative or infinite}}
  uma.accel.memory "m" access_cost -1.0
}
