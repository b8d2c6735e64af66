//===- Package.h - C package of a network -*- C++ -*-----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TARGET_C_PACKAGE_H
#define UMA_TARGET_C_PACKAGE_H

#include "uma/Conversion/TIRToEmitC/Threads.h"
#include "uma/Support/OutputFile.h"
#include "uma/Target/C/PackageForm.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace uma {

/// Share of a network that runs on one target.
struct TargetSummary {
  std::string name;   ///< accelerator, or "cpu"
  int64_t layers = 0; ///< number of graph operators
  int64_t macs = 0;   ///< multiply-accumulate operations
};

/// Sizes of a package in bytes.
struct PackageSizes {
  struct File {
    std::string name; ///< path in the package
    int64_t bytes;
  };
  int64_t workspace = 0, weights = 0;
  std::vector<File> files; ///< in alphabetical order
};

struct PackageOptions {
  /// The imported graph as MLIR bytecode, if any; becomes `NET.mlirbc`, which
  /// `uma run --compare` evaluates.
  std::optional<StagedFile> graph;
  /// The same as text, without large constants; for TVM's Model Library Format.
  std::optional<StagedFile> graphText;
  /// Targets that the network was compiled for, for metadata.json.
  std::vector<TargetSummary> targets;
  PackageForm form;
  /// SHA-256 of the model's file in hexadecimal digits; empty if unknown.
  std::string modelHash;
  /// Version that the model's file says it has, or 0.
  int64_t modelVersion = 0;
  /// Runtime that executes parallel loops.
  Threads threads = Threads::None;
  /// Size of NET.c above which its layers go to files of about this size.
  int64_t maxSourceBytes = int64_t(1) << 20;
  /// Receives the sizes before the folder appears; it does not on failure.
  std::function<mlir::LogicalResult(const PackageSizes &)> beforeWriting;
};

/// Writes the network of a module in plain TIR as a package: a folder that
/// compiles by itself with any C99 compiler.
///
///   NET.h, NET.c     the network: `NET_run`, sizes, descriptions of tensors
///   NET_layers*      the layers of a large network: what its files share, and
///                    `NET_layers1.c`, ...
///   NET_weights.*    constants; `.bin` entries start at multiples of 64 bytes
///   devices/ACCEL/   headers and C models of the accelerators it calls
///   uma_hooks.h      error handling of the example if a device fails
///   main.c           an example, which `uma run` runs
///   Makefile, CMakeLists.txt, metadata.json
///
/// This is the flat format; docs/package.md describes the Model Library Format
/// and the files of other projects. NET is the network's name (`uma.network`)
/// as a C identifier. The folder appears atomically: everything is written
/// beside it and renamed. `outputDir` may exist if it is empty or holds an
/// older package, whose files are replaced. Keeps files that uma did not write
/// and a symbolic link to the folder; fails if it would overwrite an edited
/// file. Processes that write the same folder are serialised. If `outputDir`
/// ends in `.tar`, the package is an archive, which replaces an older file.
/// Errors are reported at the operation or, for files, name the file. The
/// output is deterministic. Converts the module to EmitC in place: a copy would
/// take as much memory as the module itself.
mlir::LogicalResult emitPackage(mlir::ModuleOp module,
                                llvm::StringRef outputDir,
                                PackageOptions options);

/// Returns whether a package of this name is an archive instead of a folder.
bool isPackageArchive(llvm::StringRef outputDir);

/// Emits an error and fails if `outputDir` cannot hold a package, see above.
mlir::LogicalResult checkPackageFolder(mlir::Location loc,
                                       llvm::StringRef outputDir);

/// Copies a package, with the same guarantees for `to`.
mlir::LogicalResult copyPackage(mlir::Location loc, llvm::StringRef from,
                                llvm::StringRef to);

} // namespace uma

#endif // UMA_TARGET_C_PACKAGE_H
