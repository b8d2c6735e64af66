//===- MappingCache.h - Mappings of earlier searches -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_MAPPINGCACHE_H
#define UMA_ACCEL_MAPPING_MAPPINGCACHE_H

#include "uma/Accel/Mapping/MatchSchedule.h"

#include <string>

namespace uma::accel {

/// Prints what a mapping depends on of an operator: name, shapes, stored types
/// and attributes. Scales and the elements of constants do not matter.
void printLayer(llvm::raw_ostream &os, mlir::Operation *op);

/// A folder with a file for each search. A file holds the mapping as text. Its
/// name is a hash of all that the search depends on: the description, the
/// layer, the options and this build of uma.
class MappingCache {
public:
  /// An empty `folder` caches nothing.
  explicit MappingCache(std::string folder) : folder(std::move(folder)) {}

  /// Returns the mapping of the search described by `key`, or failure if there
  /// is none that fits the layer.
  mlir::FailureOr<Mapping> find(llvm::StringRef key,
                                const MatchSchedule &schedule) const;
  /// Keeps a mapping. A folder that cannot be written is no error.
  void add(llvm::StringRef key, MappingAttr mapping) const;

private:
  std::string getPath(llvm::StringRef key) const;

  std::string folder;
};

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_MAPPINGCACHE_H
