//===- MatchOrder.h - Executable order of matches -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A match becomes one operation. One with several results may depend on itself,
// or on another match that depends on it. A match with one result cannot: users
// of its operations need that result.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_MATCHORDER_H
#define UMA_LIB_ACCEL_PARTITION_MATCHORDER_H

#include "uma/Accel/Partition/Matcher.h"

#include <map>
#include <vector>

namespace uma::accel {

/// The chosen matches of a function that have several results.
class MatchOrder {
public:
  /// Returns whether the match can become one operation beside those that were
  /// added.
  bool canAdd(const Match &match);
  void add(const Match &match);

private:
  unsigned getPosition(mlir::Operation *op);

  /// Positions of the operations of a block, numbered at the first query.
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  std::vector<mlir::Operation *> byPosition;
  /// Operations of each match that was added.
  std::vector<llvm::SmallVector<mlir::Operation *>> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  /// First and last positions of the matches, merged if they overlap.
  std::map<unsigned, unsigned> spans;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHORDER_H
