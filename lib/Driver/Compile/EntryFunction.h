//===- EntryFunction.h - Entry function of the network -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_ENTRYFUNCTION_H
#define UMA_LIB_DRIVER_COMPILE_ENTRYFUNCTION_H

#include "Model.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma {

/// Finds the entry function of `module`, read from `file`: the one with a name
/// in `uma.network`. Reports an error unless there is exactly one, it has
/// results, and all its tensors have element types that C stores and static,
/// non-empty shapes of at most 4 GiB.
ExitCode findEntryFunction(mlir::ModuleOp module, llvm::StringRef file,
                           const ModelContext &context,
                           mlir::func::FuncOp &entry);

/// Reports an error if a value of the module is a tensor of more than 4 GiB.
ExitCode checkTensorSizes(mlir::ModuleOp module);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_ENTRYFUNCTION_H
