//===- MatchedKinds.h - Operators that match those of patterns -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_MATCHEDKINDS_H
#define UMA_LIB_ACCEL_PARTITION_MATCHEDKINDS_H

#include "uma/Accel/Partition/Matcher.h"

namespace uma::accel {

/// Returns the kinds of operators in patterns that an operation matches: its
/// own, and `relu` for a clip that only limits numbers to 0 and above.
llvm::SmallVector<llvm::StringRef, 2> getMatchedKinds(mlir::Operation *op);

inline bool isOfKind(mlir::Operation *op, llvm::StringRef kind) {
  return llvm::is_contained(getMatchedKinds(op), kind);
}

inline bool isOfKinds(mlir::Operation *op,
                      llvm::ArrayRef<llvm::StringRef> kinds) {
  return llvm::any_of(
      kinds, [op](llvm::StringRef kind) { return isOfKind(op, kind); });
}

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_MATCHEDKINDS_H
