//===- IndexRange.h - Ranges of indices -*- C++ -*-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Range analysis of index arithmetic in plain TIR. Ranges are computed in 64
// bits; if a bound overflows, the range is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_INDEXRANGE_H
#define UMA_LIB_TIR_TRANSFORMS_INDEXRANGE_H

#include "uma/TIR/IR/LinearForm.h"
#include "uma/TIR/IR/TIROps.h"

#include <optional>

namespace uma::tir {

/// Inclusive range of integers.
struct IndexRange {
  int64_t min;
  int64_t max;

  bool isPoint() const { return min == max; }
};

/// Returns the range of the result of index arithmetic with two operands, or
/// std::nullopt if it is unknown or overflows.
std::optional<IndexRange> getResultRange(mlir::Operation *op, IndexRange left,
                                         IndexRange right);

/// Returns the range of `value`, derived from constants, loop bounds and
/// arithmetic, or std::nullopt if it is unknown.
std::optional<IndexRange> getIndexRange(mlir::Value value);

/// Returns the range of a linear form, or std::nullopt if the range of a
/// variable is unknown.
std::optional<IndexRange> getIndexRange(const LinearForm &form);

/// Returns true if accesses to `memref` at `indices` are provably in bounds.
bool isInBounds(mlir::Value memref, mlir::ValueRange indices);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_INDEXRANGE_H
