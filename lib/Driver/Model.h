//===- Model.h - Loading and compiling a model -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_MODEL_H
#define UMA_LIB_DRIVER_MODEL_H

#include "uma/Driver/Driver.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace uma {

/// A context with what models and packages are made of, whose diagnostics are
/// printed as one line each: `FILE:LINE:COL: error: …`, or `FILE: error: layer
/// 'NAME': …` where an operator of a model has no place in a text file.
class ModelContext {
public:
  explicit ModelContext(llvm::StringRef model);
  mlir::MLIRContext *get() { return &context; }

private:
  mlir::MLIRContext context;
};

/// Prints `uma: error: MESSAGE` and gives `code` back.
ExitCode reportError(ExitCode code, const llvm::Twine &message);

/// Reads a module from a file of MLIR, text or bytecode. Errors are reported to
/// the context, or printed where there is no file.
mlir::OwningOpRef<mlir::ModuleOp> readModule(llvm::StringRef path,
                                             mlir::MLIRContext *context);

/// Reads a model into a module of uma.graph.
ExitCode loadModel(const ModelOptions &options, mlir::MLIRContext *context,
                   mlir::OwningOpRef<mlir::ModuleOp> &module);

/// Puts the descriptions of the accelerators into a module.
ExitCode loadAccelerators(const ModelOptions &options, mlir::ModuleOp module);

/// Writes a package to `outputDir`, which is empty or holds an older package.
ExitCode compileModel(const ModelOptions &options, mlir::MLIRContext *context,
                      llvm::StringRef outputDir);

} // namespace uma

#endif // UMA_LIB_DRIVER_MODEL_H
