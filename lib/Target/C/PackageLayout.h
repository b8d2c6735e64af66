//===- PackageLayout.h - Places of a package's files -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TARGET_C_PACKAGELAYOUT_H
#define UMA_LIB_TARGET_C_PACKAGELAYOUT_H

#include "PackageInfo.h"

namespace uma {

/// Folders of a package. Generators name files as in the flat format; place()
/// moves them.
struct PackageLayout {
  explicit PackageLayout(const PackageForm &form);

  /// Returns the path of a file for the compiler: a source, something that
  /// sources include, or an object. `name` is its path in the flat format.
  std::string getSource(llvm::StringRef name) const;
  std::string getIncluded(llvm::StringRef name) const;
  std::string getObject(llvm::StringRef name) const;
  /// Returns the path of the graph.
  std::string getGraph(llvm::StringRef name) const;

  /// Whether devices have folders of their own.
  bool isFlat() const { return includes.empty(); }

  std::string sources, includes, objects, graphs; ///< empty or ending in '/'
};

/// Returns the folders of a package that the compiler searches for headers and
/// weights.
llvm::SmallVector<std::string> getIncludeFolders(const PackageInfo &info);

/// Moves all files to their places and names these in `info`. Emits an error
/// and fails if different files of devices would have the same place.
mlir::LogicalResult placeFiles(mlir::Location loc, PackageInfo &info,
                               PackageFiles &files);

} // namespace uma

#endif // UMA_LIB_TARGET_C_PACKAGELAYOUT_H
