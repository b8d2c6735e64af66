//===- AccelInstructionOps.td - Instructions of a core -*- tablegen -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Instructions that the C of the CPU's layers uses. AccelOps.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELINSTRUCTIONOPS_TD
#define UMA_ACCEL_IR_ACCELINSTRUCTIONOPS_TD

def Accel_InstructionOp : Accel_Op<"instruction", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SingleBlock]> {
  let summary = "an instruction of the core, for the C of the CPU's layers";
  let description = [{
    The operands are words of 32 bits: numbers of type `i32`, or packed integers. A vector instruction has `lanes` words
    in each register. The body computes what the instruction does in each lane, with an argument for each element of
    each operand; the result replaces the first operand. `code` is C that does the same with variables of the operands'
    names. It is used where the condition `guard` of the C preprocessor holds, everywhere if there is none, and needs
    the header `include`.

    The kernels of the CPU can use `sum + x[0] * w[0] + …` of an i32 and of words with data and weights of the types
    `ui8` and `i8`, or `i16` and `i16`.

    ```mlir
    uma.accel.accelerator @dsp {
      uma.accel.instruction "smlad" {
      ^bb0(%sum: index, %x0: index, %x1: index, %w0: index, %w1: index):
        %0 = arith.muli %x0, %w0 : index
        %1 = arith.muli %x1, %w1 : index
        %2 = arith.addi %sum, %0 : index
        %3 = arith.addi %2, %1 : index
        uma.accel.yield %3
      } operands ["sum", "x", "w"] types [i32, i16, i16] counts [1, 2, 2]
        code "sum = __smlad(x, w, sum);" guard "defined(__ARM_FEATURE_SIMD32)" include "arm_acle.h"
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, StrArrayAttr:$operand_names, TypeArrayAttr:$operand_types,
      DenseI64ArrayAttr:$counts, DefaultValuedAttr<I64Attr, "1">:$lanes, StrAttr:$code, OptionalAttr<StrAttr>:$guard,
      OptionalAttr<StrAttr>:$header);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name $body `operands` $operand_names `types` $operand_types `counts` $counts (`lanes` $lanes^)? `code` $code
    (`guard` $guard^)? (`include` $header^)? attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// An instruction computes a sum of products. Each product holds the numbers
    /// of its elements, in order; elements are numbered over all operands.
    using Terms = ::llvm::SmallVector<::llvm::SmallVector<unsigned, 2>>;
    /// Returns the products in order. Emits an error, if `emit` is true, and
    /// fails if the body computes something else.
    ::mlir::FailureOr<Terms> getTerms(bool emit = false);

    /// Roles of the operands in a dot product of the kernels.
    struct Dot {
      /// Numbers of the operands with the data and the weights.
      unsigned data, weights;
      /// Whether the words hold pairs of i16 instead of four bytes.
      bool isPairs;
    };
    /// Returns the operands' roles. Valid for verified instructions.
    Dot getDot();
    ::llvm::StringRef getOperandName(unsigned index);
    /// Returns the position of a statement of the text, such as `guard`, or of
    /// an operand. Returns the position of the name if it is unknown.
    ::mlir::Location getPartLocation(::llvm::StringRef part);
  }];
}

#endif // UMA_ACCEL_IR_ACCELINSTRUCTIONOPS_TD
