// RUN: uma-opt %s --convert-uma-tir-to-emitc -split-input-file -verify-diagnostics

// What the attribute uma.code of a call can get wrong.

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @count(%x: memref<4xf32>) {
  // expected-error @+1 {{has 1 arguments, but its uma.code names {1}}}
  uma.tir.call_extern "f"(%x) {uma.code = "F({0}, {1})"} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @text(%x: memref<4xf32>) {
  // expected-error @+1 {{has the attribute uma.code that is no text of C: has '{x}', expected the number of an argument as in {0}; a brace of C is written twice}}
  uma.tir.call_extern "f"(%x) {uma.code = "F({x})"} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @type(%x: memref<4xf32>) {
  // expected-error @+1 {{has the attribute uma.code that is no text of C: it is no string}}
  uma.tir.call_extern "f"(%x) {uma.code = 4} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @statement(%x: memref<4xf32>) {
  // expected-error @+1 {{is written as a statement, which has no status; say no_status}}
  uma.tir.call_extern "f"(%x) {uma.code = "F({0});"} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @expression(%x: memref<4xf32>) {
  // expected-error @+1 {{says no_status, but is written as an expression; end the text with ';'}}
  uma.tir.call_extern "f"(%x) no_status {uma.code = "F({0})"} : memref<4xf32>
}
