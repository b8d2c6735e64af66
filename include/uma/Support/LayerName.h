//===- LayerName.h - The name of a layer in the model -*- C++ -*-----------===//
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

/// The name that a location gives a layer: that of the first NameLoc in it
/// (importers name each operator's location after its node), else nothing.
llvm::StringRef getLayerName(mlir::Location loc);

/// The name of the layer that `op` belongs to: its location's, else the
/// operator's name without dialect and family.
std::string getLayerName(mlir::Operation *op);

/// `name` as a C identifier: other characters become '_', and a leading digit
/// gets one in front. Empty names become "_".
std::string toCIdentifier(llvm::StringRef name);

} // namespace uma

#endif // UMA_SUPPORT_LAYERNAME_H
