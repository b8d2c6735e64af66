//===- Language.h - Descriptions of accelerators as text -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The text language of `docs/description-language.md`, and how a description is
// found and put into a module.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_LANGUAGE_LANGUAGE_H
#define UMA_ACCEL_LANGUAGE_LANGUAGE_H

#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/IR/GraphOperators.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SourceMgr.h"

#include <string>

namespace uma::accel {

/// Translates the description in the main buffer of `sourceMgr` to a verified
/// `uma.accel.accelerator`, whose operations have the positions of the text as
/// locations. The file is the buffer's identifier. Returns null after an error,
/// which is emitted at `file:line:col` through `context`.
mlir::OwningOpRef<AcceleratorOp> parseDescription(llvm::SourceMgr &sourceMgr,
                                                  mlir::MLIRContext *context);

/// The description in the main buffer of `sourceMgr` as the formatter lays it
/// out: two spaces for each brace, one space where C has one, at most one blank
/// line; comments and the author's lines stay. Formatting twice changes
/// nothing. Fails where the description has an error, which is emitted through
/// `context`.
mlir::FailureOr<std::string> formatDescription(llvm::SourceMgr &sourceMgr,
                                               mlir::MLIRContext *context);

/// The accelerator in the text language, laid out as formatDescription does.
/// Reading it gives the same operations; comments are in none. Fails where an
/// operation says what the language cannot, with an error there.
mlir::FailureOr<std::string> printDescription(AcceleratorOp accelerator);

/// How descriptions are found.
struct LoadOptions {
  /// Folders to search before those of the environment and the installation.
  llvm::SmallVector<std::string> searchPath;
};

/// A description on the search path.
struct FoundDescription {
  std::string name; ///< what to call it, e.g. `vanilla`
  std::string path; ///< its file
};

/// The folders in which a name is searched, in order: those of `options`, those
/// of the environment variable UMA_ACCELERATOR_PATH, the installation's and the
/// build's.
llvm::SmallVector<std::string> getSearchPath(const LoadOptions &options);

/// Every description on the search path, by name; of two with one name the one
/// that is found first.
llvm::SmallVector<FoundDescription>
listAccelerators(const LoadOptions &options);

/// The file that describes `nameOrPath`: a path where it has a `/` or ends in
/// `.uma` or `.mlir`, else a name N, found as `N/N.uma` or `N.uma`. Fails
/// through `emitError`, with the closest name and what was searched.
mlir::FailureOr<std::string> findDescription(llvm::StringRef nameOrPath,
                                             const LoadOptions &options,
                                             EmitErrorFn emitError);

/// Reads the description `file`: the text language, or `uma.accel` operations
/// where it ends in `.mlir`. Paths of models are resolved to the file's folder.
/// Returns null after an error, which is emitted through `context`.
mlir::OwningOpRef<AcceleratorOp> readDescription(llvm::StringRef file,
                                                 mlir::MLIRContext *context);

/// Whether an entry of a list of accelerators is `NAME=VALUE`, which sets an
/// attribute of the accelerator in front of it.
bool isAttributeSetting(llvm::StringRef entry);

/// Gives the target attribute of `setting`, `NAME=VALUE`, its value. Fails
/// through `emitError` where there is no such attribute or the value is of
/// another type than the default.
mlir::LogicalResult setTargetAttribute(AcceleratorOp accelerator,
                                       llvm::StringRef setting,
                                       EmitErrorFn emitError);

/// The accelerator that a file describes, as readDescription reads it. Its name
/// is that of the file, without folder and ending.
std::unique_ptr<Backend> makeFileBackend(llvm::StringRef file);

/// Loads the shared library `file`, which defines a backend plugin, and adds
/// its backend to the registry of `context`. Fails through `emitError` where it
/// does not load, is no plugin or is one of another version.
mlir::FailureOr<const Backend *> loadBackendPlugin(llvm::StringRef file,
                                                   mlir::MLIRContext *context,
                                                   EmitErrorFn emitError);

/// Whether `-a` means a plugin by this: it ends in `.so`.
bool isBackendPlugin(llvm::StringRef nameOrPath);

/// Inserts the accelerators at the start of `module`, in the order given and
/// once each; one that the module already has stays as it is. A name is that of
/// a registered Backend, a path that ends in `.so` is a plugin; any other is
/// looked for as findDescription does. An entry `NAME=VALUE` sets an attribute
/// of the accelerator in front of it. Adds the
/// number of those inserted to `numLoaded` where it is given. Errors are
/// emitted.
mlir::LogicalResult loadAccelerators(mlir::ModuleOp module,
                                     llvm::ArrayRef<std::string> namesOrPaths,
                                     const LoadOptions &options,
                                     unsigned *numLoaded = nullptr);

} // namespace uma::accel

#endif // UMA_ACCEL_LANGUAGE_LANGUAGE_H
