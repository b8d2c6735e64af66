//===- Elements.h - Element functions of elementwise operators -*- C++ -*--===//
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

/// Builds one result element of an elementwise operator from one element of
/// each operand, converted to its compute type. `isUnsigned` is true for
/// unsigned integers. Only arith and math operations are built, so that loops
/// and linalg share these functions.
using ElementFn =
    std::function<mlir::Value(LayerBuilder &builder, mlir::Operation *op,
                              mlir::ValueRange elements, bool isUnsigned)>;

/// Element functions, keyed by operation name.
using ElementFunctions = llvm::StringMap<ElementFn>;

/// Returns the functions of all elementwise operators except cast, which is
/// LayerBuilder::convert.
const ElementFunctions &getElementFunctions();

} // namespace uma

#endif // UMA_TIR_BUILDER_ELEMENTS_H
