//===- ParseScript.h - Transform scripts from files -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_PARSESCRIPT_H
#define UMA_SUPPORT_PARSESCRIPT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace uma {

/// Parses a file of the transform dialect. Emits an error and returns null if
/// it cannot be read, is invalid, or nests too deeply for MLIR's parser.
mlir::OwningOpRef<mlir::ModuleOp> parseScript(llvm::StringRef file,
                                              mlir::MLIRContext *context);

} // namespace uma

#endif // UMA_SUPPORT_PARSESCRIPT_H
