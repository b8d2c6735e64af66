//===- MatchOrder.h - Cycle detection for matches -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A match becomes one operation. If it has several results, it may depend on
// itself, or on another match that depends on it. A match with one result
// cannot, since all users of its operations use that result.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_MATCHORDER_H
#define UMA_LIB_ACCEL_PARTITION_MATCHORDER_H

#include "uma/Accel/Partition/Matcher.h"

#include <map>
#include <vector>

namespace uma::accel {

/// Set of a function's chosen matches with several results.
class MatchOrder {
public:
  /// Returns whether the match can become one operation without forming a cycle
  /// with the added matches.
  bool canAdd(const Match &match);
  void add(const Match &match);

private:
  unsigned getPosition(mlir::Operation *op);

  /// Positions of the operations of a block, computed at the first query.
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  std::vector<mlir::Operation *> byPosition;
  /// Operations of each added match.
  std::vector<llvm::SmallVector<mlir::Operation *>> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  /// First and last positions of the matches, merged if they overlap.
  std::map<unsigned, unsigned> spans;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHORDER_H
