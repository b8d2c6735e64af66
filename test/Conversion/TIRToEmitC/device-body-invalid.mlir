// RUN: uma-opt %s --split-input-file --convert-uma-tir-to-emitc --verify-diagnostics

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @f(%x: memref<4xf32>) {
  // expected-error @below {{has the attribute uma.body, expected the body of a function whose 1 parameters uma.parameters names}}
  uma.tir.call_extern "f"(%x) {uma.body = "return f({1});", uma.parameters = ["x"]} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @f(%x: memref<4xf32>) {
  // expected-error @below {{has the attribute uma.body, expected the body of a function whose 1 parameters uma.parameters names}}
  uma.tir.call_extern "f"(%x) {uma.body = "return f({0});"} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @f(%x: memref<4xf32>) {
  // expected-error @below {{has the attribute uma.body, expected the body of a function whose 1 parameters uma.parameters names}}
  uma.tir.call_extern "f"(%x) {uma.body = "return f({x});", uma.parameters = ["x"]} : memref<4xf32>
}

// -----

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
uma.tir.func @f(%x: memref<4xf32>) {
  // expected-error @below {{has the attribute uma.body, expected the body of a function whose 1 parameters uma.parameters names}}
  uma.tir.call_extern "f"(%x) {uma.body = 3, uma.parameters = ["x"]} : memref<4xf32>
}
