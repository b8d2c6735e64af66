//===- AccessOrder.h - Order of accesses to two buffers -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A result may be written over data that is still read, if every byte is read
// for the last time before it is overwritten. Whether it is follows from the
// addresses in the order in which code accesses them: a pointwise convolution
// from 8 to 16 channels needs its result 8 bytes per pixel ahead, so the two
// buffers take no more than the result alone.
//
// Source: the diagonal memory optimisation of Blacker et al. (2020), which
// derives the distance for each operator.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_ACCESSORDER_H
#define UMA_LIB_TIR_TRANSFORMS_ACCESSORDER_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <limits>

namespace uma::tir {

/// Accesses of a piece of plain TIR to two buffers, `written` and `read`.
/// Addresses are bytes from the start of a buffer.
struct AccessSummary {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min() / 4;

  /// End of the last byte of `written` that is written, or kNever.
  int64_t writtenEnd = kNever;
  /// First byte of `read` that is read or written, or -kNever.
  int64_t first = -kNever;
  /// Distance by which `written` must at least begin before `read`, such that
  /// nothing that it holds destroys what is accessed in `read` afterwards.
  /// kNever if no byte of `read` is accessed after a write to `written`.
  int64_t separation = kNever;

  /// Appends what happens afterwards.
  void append(const AccessSummary &next);
  /// Adds what may happen instead.
  void addAlternative(const AccessSummary &other);
  /// Returns what happens if everything is repeated, in any order.
  AccessSummary inAnyOrder() const;
};

/// Analysis of plain TIR, which is interpreted with ranges for the indices:
/// outer loops run iteration by iteration, inner ones as a whole if there are
/// too many iterations. Every simplification makes the distance larger. The
/// work of all analyses together is limited in proportion to the size of the
/// code: a function with thousands of buffers has millions of pairs, each of
/// which takes a look at all of its code. What is left then has no overlaps.
class AccessOrder {
public:
  /// Analyses the operations from `first` up to, but without, `end` of one
  /// block. Either buffer may be null, or an argument of the function, or the
  /// result of an allocation. Other buffers must not alias them.
  AccessSummary get(mlir::Block::iterator first, mlir::Block::iterator end,
                    mlir::Value written, mlir::Value read);

  /// Analyses a function whose arguments the two buffers are. Results are
  /// cached.
  AccessSummary get(FuncOp function, mlir::Value written, mlir::Value read);

  /// Returns the function that `call` calls, or null if there is none.
  FuncOp getCallee(CallOp call);

private:
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, AccessSummary> cache;
  /// Functions that are being analysed: recursion has no summary.
  llvm::SmallPtrSet<mlir::Operation *, 4> active;
  /// Functions whose size is in the budget.
  llvm::SmallPtrSet<mlir::Operation *, 16> counted;
  /// Rest of the work in operations and operands.
  int64_t budget = 1 << 22;
};

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_ACCESSORDER_H
