// RUN: uma-opt %s --uma-emit-c --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op is not plain TIR; run 'uma-lower' first}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 is a buffer of rank 2; C gets one-dimensional buffers, run 'uma-tir-storage-flatten' first}}
uma.tir.func @main(%x: memref<2x2xf32>) {
}

// -----

// expected-error @below {{has no public uma.tir.func, so there is nothing that C could call}}
module {
}

// -----

// A graph that was lowered by hand, without the memory plan.

uma.tir.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{takes from the workspace in a function that gets none; only public functions with a memory plan (pass 'uma-tir-plan-memory') have one, others get their buffers as arguments}}
  %t = uma.tir.alloc workspace : memref<4xf32>
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %t[%i] : memref<4xf32>
  }
  memref.copy %t, %y : memref<4xf32> to memref<4xf32>
}
