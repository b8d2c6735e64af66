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
    The operands are words of 32 bits: numbers of type `i32` or `f32`, or packed elements. A vector instruction has `lanes` words
    in each register. The body computes what the instruction does in each lane, with an argument for each element of
    each operand; the result replaces the first operand. `code` is C that does the same with variables of the operands'
    names. It is used where the condition `guard` of the C preprocessor holds, everywhere if there is none, and needs
    the header `include`.

    The kernels of the CPU can use `sum + x[0] * w[0] + …` of an i32 and of words with data and weights of the types
    `ui8` and `i8`, or `i16` and `i16`, or of an f32 and of words of `bf16` and `bf16`, in any order of rounding.

    With `tile [rows, columns, words]`, the operands lie in memory, and the instruction adds the products of up to that
    many: `sum[r][c] += x[r][k] . w[k][c]`, of words of the data and of the weights. Its C has pointers to the operands,
    their strides `sum_stride`, `x_stride` and `w_stride` in bytes from row to row, and the numbers `rows`, `columns`
    and `words`. `configure` sets the sizes of the tiles that follow, `start` sets the sums to 0, wherever they are,
    `code` adds products, and `finish` stores the sums. The condition `available` is tested at run time. Sources: TVM's
    tensor intrinsics, BRGEMM of oneDNN, AMX.

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
      DenseI64ArrayAttr:$counts, DefaultValuedAttr<I64Attr, "1">:$lanes, OptionalAttr<DenseI64ArrayAttr>:$tile,
      OptionalAttr<StrAttr>:$configure, OptionalAttr<StrAttr>:$start, StrAttr:$code, OptionalAttr<StrAttr>:$finish,
      OptionalAttr<StrAttr>:$guard, OptionalAttr<StrAttr>:$available, OptionalAttr<StrAttr>:$header);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name $body `operands` $operand_names `types` $operand_types `counts` $counts (`lanes` $lanes^)? (`tile` $tile^)?
    (`configure` $configure^)? (`start` $start^)? `code` $code (`finish` $finish^)? (`guard` $guard^)?
    (`available` $available^)? (`include` $header^)? attr-dict
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
      /// Whether the words hold pairs of i16 or bf16 instead of four bytes.
      bool isPairs;
      /// Whether the elements are bf16, with sums in f32.
      bool isFloat;
    };
    /// Returns the operands' roles. Valid for verified instructions.
    Dot getDot();
    ::llvm::StringRef getOperandName(unsigned index);
    /// Returns whether the operands lie in memory.
    bool hasTile() { return getTile().has_value(); }
    /// Returns the name of the instruction in attributes and in C,
    /// `<accelerator>_<name>`.
    std::string getFullName();
    /// Checks the tile and the statements that need one.
    ::llvm::LogicalResult verifyTile();
    /// Largest tile; valid if hasTile().
    int64_t getMostRows() { return (*getTile())[0]; }
    int64_t getMostColumns() { return (*getTile())[1]; }
    int64_t getMostWords() { return (*getTile())[2]; }
    /// Returns the position of a statement of the text, such as `guard`, or of
    /// an operand. Returns the position of the name if it is unknown.
    ::mlir::Location getPartLocation(::llvm::StringRef part);
  }];
}

#endif // UMA_ACCEL_IR_ACCELINSTRUCTIONOPS_TD
