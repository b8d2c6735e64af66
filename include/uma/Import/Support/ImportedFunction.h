//===- ImportedFunction.h - Checks of imported functions -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_SUPPORT_IMPORTEDFUNCTION_H
#define UMA_IMPORT_SUPPORT_IMPORTEDFUNCTION_H

#include "uma/Import/Support/ImportErrors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma::importer {

/// Erases the operators whose results nothing uses, such as those that compute
/// a shape which the importer has evaluated.
void eraseUnusedOperators(mlir::func::FuncOp function);

/// Reports an error and fails if a tensor of the function has no elements: an
/// importer can compute with it, but C has no such arrays. The file format
/// calls an operator `kind`: "node" or "operator".
mlir::LogicalResult checkNotEmpty(mlir::func::FuncOp function,
                                  ImportErrors &errors, llvm::StringRef kind);

} // namespace uma::importer

#endif // UMA_IMPORT_SUPPORT_IMPORTEDFUNCTION_H
