//===- Language.h - Descriptions of accelerators as text -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Parser, printer and formatter of the description language
// (docs/description-language.md), and functions that find descriptions and
// insert them into modules.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_LANGUAGE_LANGUAGE_H
#define UMA_ACCEL_LANGUAGE_LANGUAGE_H

#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Accel/Language/DescriptionNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SourceMgr.h"

#include <string>

namespace uma::accel {

/// Parses the description in the main buffer of `sourceMgr` into a verified
/// `uma.accel.accelerator`. Its operations have locations in the text. The file
/// name is the buffer's identifier. `settings`, `NAME=VALUE`, override the
/// values of target attributes; only valid ones of integers take effect. Emits
/// errors at `file:line:col` through `context` and returns null on failure.
/// Adds all names of the text to `names` if it is given, also on failure.
mlir::OwningOpRef<AcceleratorOp>
parseDescription(llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context,
                 llvm::ArrayRef<std::string> settings = {},
                 DescriptionNames *names = nullptr);

/// Formats the description in the main buffer of `sourceMgr`: indents by two
/// spaces per brace, spaces tokens as in C, and merges blank lines. Keeps
/// comments and line breaks. Formatting is idempotent. If the description has
/// an error, emits it through `context` and fails.
mlir::FailureOr<std::string> formatDescription(llvm::SourceMgr &sourceMgr,
                                               mlir::MLIRContext *context);

/// Prints the accelerator in the text language, formatted like the result of
/// formatDescription. Parsing the result yields the same operations; comments
/// are lost. Emits an error and fails if the language cannot express an
/// operation.
mlir::FailureOr<std::string> printDescription(AcceleratorOp accelerator);

/// Options for finding descriptions.
struct LoadOptions {
  /// Folders to search first, before the environment's and the installation's.
  llvm::SmallVector<std::string> searchPath;
};

/// A description on the search path.
struct FoundDescription {
  std::string name; ///< name for users, e.g. `vanilla`
  std::string path; ///< its file
};

/// Returns the folders to search for a name, in order: the folders of
/// `options`, of the environment variable UMA_ACCELERATOR_PATH, of the
/// installation and of the build.
llvm::SmallVector<std::string> getSearchPath(const LoadOptions &options);

/// Returns all descriptions on the search path, sorted by name. If several have
/// the same name, returns the first on the path.
llvm::SmallVector<FoundDescription>
listAccelerators(const LoadOptions &options);

/// Finds the file that describes `nameOrPath`, which is a path if it has a `/`
/// or ends in `.uma` or `.mlir`. A name N is searched as `N/N.uma` and `N.uma`.
/// Emits an error and fails if no file is found; for a name, the error suggests
/// the closest one or lists the searched folders.
mlir::FailureOr<std::string> findDescription(llvm::StringRef nameOrPath,
                                             const LoadOptions &options,
                                             EmitErrorFn emitError);

/// Reads the description `file`: `uma.accel` operations if it ends in `.mlir`,
/// otherwise the text language. Resolves paths of models to the file's folder.
/// Emits errors through `context` and returns null on failure.
/// `settings` are as in parseDescription.
mlir::OwningOpRef<AcceleratorOp>
readDescription(llvm::StringRef file, mlir::MLIRContext *context,
                llvm::ArrayRef<std::string> settings = {});

/// Like readDescription, but takes the contents of `file` from `buffer`, and
/// adds the names of a description in the text language to `names` if given.
mlir::OwningOpRef<AcceleratorOp>
readDescription(std::unique_ptr<llvm::MemoryBuffer> buffer,
                llvm::StringRef file, mlir::MLIRContext *context,
                llvm::ArrayRef<std::string> settings = {},
                DescriptionNames *names = nullptr);

/// Returns whether an entry of a list of accelerators is a setting `NAME=VALUE`
/// for an attribute of the preceding accelerator.
bool isAttributeSetting(llvm::StringRef entry);

/// Applies `setting`, `NAME=VALUE`, to a target attribute. Emits an error and
/// fails if the accelerator has no such attribute or if the types of the value
/// and the default differ.
mlir::LogicalResult setTargetAttribute(AcceleratorOp accelerator,
                                       llvm::StringRef setting,
                                       EmitErrorFn emitError);

/// Creates the backend of a description file, which readDescription reads. Its
/// name is the file's without folder and extension.
std::unique_ptr<Backend>
makeFileBackend(llvm::StringRef file,
                llvm::ArrayRef<std::string> settings = {});

/// Loads the shared library `file`, which defines a backend plugin, and adds
/// its backend to the registry of `context`. Emits an error and fails if it
/// does not load, is not a plugin or has another version.
mlir::FailureOr<const Backend *> loadBackendPlugin(llvm::StringRef file,
                                                   mlir::MLIRContext *context,
                                                   EmitErrorFn emitError);

/// Returns the description of a backend in C++, which was found as
/// `nameOrPath`. Emits an error and returns null if the backend gives none, or
/// one with another name.
mlir::OwningOpRef<AcceleratorOp> describeBackend(const Backend &backend,
                                                 llvm::StringRef nameOrPath,
                                                 mlir::MLIRContext *context,
                                                 EmitErrorFn emitError);

/// Returns whether `nameOrPath` is the path of a plugin (ends in `.so`).
bool isBackendPlugin(llvm::StringRef nameOrPath);

/// Inserts the accelerators at the start of `module`, in the given order and
/// once each. Keeps accelerators that the module already has. An entry is the
/// name of a registered Backend, the path of a plugin (`.so`), a name or path
/// for findDescription, or a setting `NAME=VALUE` for the preceding
/// accelerator. Adds the number of inserted accelerators to `numLoaded` if it
/// is given. Emits an error and fails if an accelerator cannot be loaded.
mlir::LogicalResult loadAccelerators(mlir::ModuleOp module,
                                     llvm::ArrayRef<std::string> namesOrPaths,
                                     const LoadOptions &options,
                                     unsigned *numLoaded = nullptr);

} // namespace uma::accel

#endif // UMA_ACCEL_LANGUAGE_LANGUAGE_H
