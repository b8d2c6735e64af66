//===- IndexRange.h - Ranges of indices -*- C++ -*-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What passes on plain TIR know about index arithmetic. Everything is computed
// in 64 bits and checked: where a bound does not fit, nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_INDEXRANGE_H
#define UMA_LIB_TIR_TRANSFORMS_INDEXRANGE_H

#include "uma/TIR/IR/LinearForm.h"
#include "uma/TIR/IR/TIROps.h"

#include <optional>

namespace uma::tir {

/// The integers from `min` to `max`, both included.
struct IndexRange {
  int64_t min;
  int64_t max;

  bool isPoint() const { return min == max; }
};

/// Returns the values that `value` may have, from constants, the bounds of
/// loops and arithmetic; std::nullopt if they are not known.
std::optional<IndexRange> getIndexRange(mlir::Value value);

/// Returns the values that a form may have, if the ranges of all its variables
/// are known.
std::optional<IndexRange> getIndexRange(const LinearForm &form);

/// Returns true if the loads and stores of buffer `memref` at `indices` surely
/// stay inside it.
bool isInBounds(mlir::Value memref, mlir::ValueRange indices);

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_INDEXRANGE_H
