//===- ModuleFile.h - Reading MLIR files -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_MODULEFILE_H
#define UMA_LIB_DRIVER_COMPILE_MODULEFILE_H

#include "Model.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace uma {

/// Opens a file for parseModule. Returns null after an error.
std::unique_ptr<llvm::MemoryBuffer> openModuleFile(llvm::StringRef path,
                                                   const ModelContext &context);

/// Copies a model in memory for a reader; its path in messages is `name`.
std::unique_ptr<llvm::MemoryBuffer> copyModuleBytes(llvm::StringRef bytes,
                                                    llvm::StringRef name);

/// Parses a module from MLIR, text or bytecode. Returns null after an error.
///
/// Damaged bytecode makes MLIR's readers crash or hang, and deeply nested text
/// overflows their stack. Unless `isTrusted`, they first read the file in a
/// separate process.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer, ModelContext &context,
            bool isTrusted = false);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_MODULEFILE_H
