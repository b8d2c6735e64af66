// Round trip of the operations about costs, custom and generic syntax; no cleanup removes them.

// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt | FileCheck %s
// RUN: uma-opt %s --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: uma.accel.accelerator @npu {
// KEPT-LABEL: uma.accel.accelerator @npu {
uma.accel.accelerator @npu {
  // CHECK-NEXT: uma.accel.transfer {
  // CHECK-NEXT: ^bb0(%[[BYTES:.*]]: index):
  // CHECK: %[[CYCLES:.*]] = arith.divsi %[[BYTES]]
  // CHECK-NEXT: uma.accel.yield %[[CYCLES]]
  // CHECK-NEXT: }
  // KEPT: uma.accel.transfer {
  uma.accel.transfer {
  ^bb0(%bytes: index):
    %c8 = arith.constant 8 : index
    %cycles = arith.divsi %bytes, %c8 : index
    uma.accel.yield %cycles
  }
  // CHECK-NEXT: uma.accel.region min_operators 2 {
  // CHECK-NEXT: %[[C500:.*]] = arith.constant 500 : index
  // CHECK-NEXT: uma.accel.yield %[[C500]]
  // KEPT: uma.accel.region min_operators 2 {
  uma.accel.region min_operators 2 {
    %c500 = arith.constant 500 : index
    uma.accel.yield %c500
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // CHECK: uma.accel.cost %n bytes %n{{$}}
    // KEPT: uma.accel.cost %n bytes %n{{$}}
    uma.accel.cost %n bytes %n
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @sigmoid {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "sigmoid"(%x) as "y"
    // CHECK: uma.accel.cost %n{{$}}
    // KEPT: uma.accel.cost %n{{$}}
    uma.accel.cost %n
    uma.accel.call "npu_sigmoid"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: uma.accel.accelerator @plain {
uma.accel.accelerator @plain {
  // CHECK-NEXT: uma.accel.region {
  uma.accel.region {
    %c1 = arith.constant 1 : index
    uma.accel.yield %c1
  }
}
