//===- MatchOrder.h - An order in which matches can run -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A match becomes one operation. One with several results may wait for itself,
// or for another that waits for it: a match with one result cannot, since
// whatever needs any of its operations needs that result.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_MATCHORDER_H
#define UMA_LIB_ACCEL_PARTITION_MATCHORDER_H

#include "uma/Accel/Partition/Matcher.h"

#include <map>
#include <vector>

namespace uma::accel {

/// The matches with several results that are taken of one function.
class MatchOrder {
public:
  /// Whether the match can be one operation beside those that are added.
  bool canAdd(const Match &match);
  void add(const Match &match);

private:
  unsigned getPosition(mlir::Operation *op);

  /// The places of the operations of a block, numbered when the first is asked
  /// for.
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  std::vector<mlir::Operation *> byPosition;
  /// The operations of each match that was added.
  std::vector<llvm::SmallVector<mlir::Operation *>> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  /// First and last places of the matches, drawn together where they overlap.
  std::map<unsigned, unsigned> spans;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHORDER_H
