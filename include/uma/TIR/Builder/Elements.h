//===- Elements.h - Elementwise operators, one element at a time ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_BUILDER_ELEMENTS_H
#define UMA_TIR_BUILDER_ELEMENTS_H

#include "uma/TIR/Builder/LayerBuilder.h"

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace uma {

/// Builds one element of the result of an elementwise operator from those of
/// its operands, each in the compute type of its own. `isUnsigned` says so of
/// integers. What it builds (arith and math) has no part in TIR, and so loops
/// and linalg compute the same.
using ElementFn =
    std::function<mlir::Value(LayerBuilder &builder, mlir::Operation *op,
                              mlir::ValueRange elements, bool isUnsigned)>;

/// By the names of operations.
using ElementFunctions = llvm::StringMap<ElementFn>;

/// Returns the functions of all elementwise operators except cast, whose
/// element is LayerBuilder::convert.
const ElementFunctions &getElementFunctions();

} // namespace uma

#endif // UMA_TIR_BUILDER_ELEMENTS_H
