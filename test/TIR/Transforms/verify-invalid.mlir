// What no stage of TIR may hold.
// RUN: uma-opt %s -uma-tir-verify=stage=schedulable -split-input-file -verify-diagnostics
// RUN: not uma-opt %s -uma-tir-verify=stage=plain -split-input-file 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not uma-opt %s -uma-tir-verify=stage=plane -split-input-file 2>&1 | FileCheck %s --check-prefix=STAGE

// STAGE: error: unknown stage 'plane' of uma-tir-verify; did you mean 'plain'?, expected schedulable or plain

// PLAIN: error: 'func.func' op is not allowed in plain TIR: expected a uma.tir.func
// expected-error @+1 {{'func.func' op is not allowed in schedulable TIR: expected a uma.tir.func}}
func.func private @main()

// -----

uma.tir.func @tensor() {
  // PLAIN: error: 'arith.constant' op is not allowed in plain TIR: it has type 'tensor<4xf32>', expected buffers (memref)
  // expected-error @+1 {{'arith.constant' op is not allowed in schedulable TIR: it has type 'tensor<4xf32>', expected buffers (memref)}}
  %x = arith.constant dense<0.0> : tensor<4xf32>
}

// -----

uma.tir.func @graph() {
  // PLAIN: error: 'uma.graph.constant' op is not allowed in plain TIR: convert-uma-graph-to-uma-tir left it
  // expected-error @+1 {{'uma.graph.constant' op is not allowed in schedulable TIR: convert-uma-graph-to-uma-tir left it}}
  %x = uma.graph.constant dense<0.0> : tensor<4xf32>
}
