// Instructions of a core: what their verifier refuses in MLIR's syntax. test/Accel/Language/instruction-errors.py has those of the text.

// RUN: uma-opt %s --verify-diagnostics --split-input-file

uma.accel.accelerator @core {
  // expected-error @+1 {{instruction 'dot' has names, types and counts of different numbers of operands}}
  uma.accel.instruction "dot" {
  ^bb0(%sum: index):
    uma.accel.yield %sum
  } operands ["sum"] types [i32, i16] counts [1] code "sum;"
}

// -----

uma.accel.accelerator @core {
  // expected-error @+1 {{expects a body with 5 arguments of type index, one for each element}}
  uma.accel.instruction "dot" {
  ^bb0(%sum: index):
    uma.accel.yield %sum
  } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2] code "sum = x + w;"
}

// -----

uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %w0: index, %w1: index):
    // expected-error @+1 {{an instruction adds and multiplies elements; found arith.subi}}
    %0 = arith.subi %x0, %w0 : index
    uma.accel.yield %0
  } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2] code "sum = x + w;"
}

// -----

uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %w0: index, %w1: index):
    %0 = arith.addi %x0, %w0 : index
    %1 = arith.addi %0, %0 : index
    %2 = arith.muli %1, %1 : index
    // expected-error @+1 {{an instruction sums up to 64 products}}
    %3 = arith.muli %2, %2 : index
    uma.accel.yield %3
  } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2] code "sum = x + w;"
}

// -----

uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %w0: index, %w1: index):
    %0 = arith.muli %x0, %x0 : index
    %1 = arith.muli %0, %0 : index
    %2 = arith.muli %1, %1 : index
    // expected-error @+1 {{an instruction multiplies up to 8 elements}}
    %3 = arith.muli %2, %2 : index
    uma.accel.yield %3
  } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2] code "sum = x + w;"
}

// -----

// A sum of products in another order is the same sum.
uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %w0: index, %w1: index):
    %0 = arith.muli %w1, %x1 : index
    %1 = arith.addi %0, %sum : index
    %2 = arith.muli %x0, %w0 : index
    %3 = arith.addi %1, %2 : index
    uma.accel.yield %3
  } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2] code "sum = f(x, w, sum);"
}
