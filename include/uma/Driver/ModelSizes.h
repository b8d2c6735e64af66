//===- ModelSizes.h - Sizes of a model in a description -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_MODELSIZES_H
#define UMA_DRIVER_MODELSIZES_H

#include "uma/Driver/Message.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace uma {

/// Sizes that a model's layers bind in one pattern.
struct PatternSizes {
  unsigned layers = 0; ///< matches of the pattern
  /// Values of each name, one per match, in the order of the layers.
  std::map<std::string, std::vector<int64_t>> values;
};

/// Partitions `model` for the description `text`, which is in `file`, and
/// returns the sizes by the names of patterns. Fails after an error.
mlir::FailureOr<std::map<std::string, PatternSizes>>
findModelSizes(llvm::StringRef text, llvm::StringRef file,
               llvm::StringRef model, const MessageHandler &handler);

} // namespace uma

#endif // UMA_DRIVER_MODELSIZES_H
