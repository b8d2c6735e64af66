//===- LayerName.h - Layer names -*- C++ -*--------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_LAYERNAME_H
#define UMA_SUPPORT_LAYERNAME_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace uma {

/// Returns the layer name in a location, which is its first NameLoc (importers
/// name each operator's location after its node), or an empty string.
llvm::StringRef getLayerName(mlir::Location loc);

/// Returns the name of the layer that `op` belongs to: the one in its location,
/// otherwise the operator's name without dialect and family.
std::string getLayerName(mlir::Operation *op);

/// Returns the name of the rows [begin, end) of a layer: `conv1 [rows 4..8)`.
std::string nameRows(llvm::StringRef layer, int64_t begin, int64_t end);

/// Returns `name` without the rows that `nameRows` puts behind the layer's
/// name. Text may follow them.
std::string dropRows(llvm::StringRef name);

/// Converts `name` to a C identifier: replaces other characters by '_' and
/// prefixes a leading digit with one. An empty name becomes "_".
std::string toCIdentifier(llvm::StringRef name);

} // namespace uma

#endif // UMA_SUPPORT_LAYERNAME_H
