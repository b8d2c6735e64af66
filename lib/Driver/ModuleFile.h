//===- ModuleFile.h - Reading files of MLIR -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_MODULEFILE_H
#define UMA_LIB_DRIVER_MODULEFILE_H

#include "Model.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace uma {

/// Opens a file for parseModule; null after an error.
std::unique_ptr<llvm::MemoryBuffer> openModuleFile(llvm::StringRef path,
                                                   const ModelContext &context);

/// Parses a module from MLIR, text or bytecode; null after an error.
///
/// MLIR's readers are made for files that MLIR wrote: damaged bytecode makes
/// them crash or hang, and deeply nested text overflows their stack. Unless
/// `isTrusted`, they read the file in a process of its own first.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer, ModelContext &context,
            bool isTrusted = false);

} // namespace uma

#endif // UMA_LIB_DRIVER_MODULEFILE_H
