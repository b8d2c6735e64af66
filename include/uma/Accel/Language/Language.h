//===- Language.h - Descriptions of accelerators as text -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The text language of `docs/description-language.md`. Finds descriptions and
// inserts them into modules.
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

/// Parses the description in the main buffer of `sourceMgr` to a verified
/// `uma.accel.accelerator`, whose operations have locations in the text. The
/// file name is the buffer's identifier. Emits errors at `file:line:col`
/// through `context` and returns null on failure.
mlir::OwningOpRef<AcceleratorOp> parseDescription(llvm::SourceMgr &sourceMgr,
                                                  mlir::MLIRContext *context);

/// Returns the description in the main buffer of `sourceMgr` as the formatter
/// lays it out: two spaces per nested brace, one space where C has one, at most
/// one blank line; comments and line breaks stay. Formatting is idempotent.
/// Emits an error through `context` and fails if the description has one.
mlir::FailureOr<std::string> formatDescription(llvm::SourceMgr &sourceMgr,
                                               mlir::MLIRContext *context);

/// Prints the accelerator in the text language, laid out as formatDescription
/// does. Parsing the result gives the same operations; comments are lost. Emits
/// an error and fails if the language cannot express an operation.
mlir::FailureOr<std::string> printDescription(AcceleratorOp accelerator);

/// Options for finding descriptions.
struct LoadOptions {
  /// Folders to search before those of the environment and the installation.
  llvm::SmallVector<std::string> searchPath;
};

/// A description on the search path.
struct FoundDescription {
  std::string name; ///< name for users, e.g. `vanilla`
  std::string path; ///< its file
};

/// Returns the folders in which a name is searched, in order: those of
/// `options`, of the environment variable UMA_ACCELERATOR_PATH, of the
/// installation and of the build.
llvm::SmallVector<std::string> getSearchPath(const LoadOptions &options);

/// Returns every description on the search path, by name; of several with one
/// name the one that is found first.
llvm::SmallVector<FoundDescription>
listAccelerators(const LoadOptions &options);

/// Returns the file that describes `nameOrPath`: a path if it has a `/` or ends
/// in `.uma` or `.mlir`, otherwise `N/N.uma` or `N.uma` for a name N. Fails
/// through `emitError` with the closest name and the searched folders.
mlir::FailureOr<std::string> findDescription(llvm::StringRef nameOrPath,
                                             const LoadOptions &options,
                                             EmitErrorFn emitError);

/// Reads the description `file`: `uma.accel` operations if it ends in `.mlir`,
/// otherwise the text language. Resolves paths of models to the file's folder.
/// Emits errors through `context` and returns null on failure.
mlir::OwningOpRef<AcceleratorOp> readDescription(llvm::StringRef file,
                                                 mlir::MLIRContext *context);

/// Returns whether an entry of a list of accelerators is `NAME=VALUE`, which
/// sets an attribute of the preceding accelerator.
bool isAttributeSetting(llvm::StringRef entry);

/// Sets the target attribute of `setting`, `NAME=VALUE`. Emits an error and
/// fails if there is no such attribute or the value and the default have
/// different types.
mlir::LogicalResult setTargetAttribute(AcceleratorOp accelerator,
                                       llvm::StringRef setting,
                                       EmitErrorFn emitError);

/// Creates the backend of the accelerator in a file, as readDescription reads
/// it. Its name is the file's, without folder and extension.
std::unique_ptr<Backend> makeFileBackend(llvm::StringRef file);

/// Loads the shared library `file`, which defines a backend plugin, and adds
/// its backend to the registry of `context`. Emits an error and fails if it
/// does not load, is not a plugin or has another version.
mlir::FailureOr<const Backend *> loadBackendPlugin(llvm::StringRef file,
                                                   mlir::MLIRContext *context,
                                                   EmitErrorFn emitError);

/// Returns whether `nameOrPath` is a plugin: ends in `.so`.
bool isBackendPlugin(llvm::StringRef nameOrPath);

/// Inserts the accelerators at the start of `module`, in the order given and
/// once each; one that the module already has stays as it is. A name refers to
/// a registered Backend, and a path that ends in `.so` to a plugin;
/// findDescription looks up all others. An entry `NAME=VALUE` sets an attribute
/// of the preceding accelerator. Adds the number of inserted accelerators to
/// `numLoaded` if it is given. Emits errors.
mlir::LogicalResult loadAccelerators(mlir::ModuleOp module,
                                     llvm::ArrayRef<std::string> namesOrPaths,
                                     const LoadOptions &options,
                                     unsigned *numLoaded = nullptr);

} // namespace uma::accel

#endif // UMA_ACCEL_LANGUAGE_LANGUAGE_H
