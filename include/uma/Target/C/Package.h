//===- Package.h - A network as a folder of C -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TARGET_C_PACKAGE_H
#define UMA_TARGET_C_PACKAGE_H

#include "uma/Conversion/TIRToEmitC/Threads.h"
#include "uma/Support/OutputFile.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace uma {

/// How a package holds its weights.
enum class WeightsAs {
  Auto,   ///< arrays up to 16 KiB in total, else binary
  Arrays, ///< C arrays in NET_weights.c
  Binary, ///< NET_weights.bin, which the assembler's .incbin places
};

/// Share of a network that runs on one target.
struct TargetSummary {
  std::string name;   ///< of the accelerator, or "cpu"
  int64_t layers = 0; ///< operators of the graph
  int64_t macs = 0;   ///< multiply-accumulate operations
};

struct PackageOptions {
  /// The graph as imported, as MLIR bytecode; becomes `NET.mlirbc` where there
  /// is one, and `uma run --compare` evaluates it.
  std::optional<StagedFile> graph;
  /// The targets that the network was compiled for, for metadata.json.
  std::vector<TargetSummary> targets;
  WeightsAs weights = WeightsAs::Auto;
  /// Who runs parallel loops.
  Threads threads = Threads::None;
  /// Where NET.c would be larger, its layers go to files of about this size.
  int64_t maxSourceBytes = int64_t(1) << 20;
};

/// Writes the network of a module in plain TIR as a package: a folder that
/// compiles by itself with any C99 compiler.
///
///   NET.h, NET.c     the network: `NET_run`, sizes, descriptions of tensors
///   NET_layers*      the layers of a large network: what its files share, and
///                    `NET_layers1.c`, ...
///   NET_weights.*    constants; `.bin` entries start at multiples of 64 bytes
///   devices/ACCEL/   headers and C models of the accelerators it calls
///   uma_hooks.h      what the example does where a device reports an error
///   main.c           an example, and what `uma run` runs
///   Makefile, CMakeLists.txt, metadata.json (after TVM's Model Library Format)
///
/// NET is the network's name (`uma.network`) as an identifier of C. The folder
/// appears whole or not at all: everything is written beside it and renamed.
/// `outputDir` may exist if it is empty or holds an older package, whose files
/// are replaced. Files that uma did not write stay, as does a symbolic link to
/// the folder; fails rather than overwrite a file that was edited. Processes
/// that write the same folder do so one after the other. Errors are reported at
/// the operation or, for files, name the file. The same module gives the same
/// bytes. The module is EmitC then: a copy would take as much memory as the
/// module itself.
mlir::LogicalResult emitPackage(mlir::ModuleOp module,
                                llvm::StringRef outputDir,
                                PackageOptions options);

/// Fails with an error where `outputDir` is no place for a package, as above.
mlir::LogicalResult checkPackageFolder(mlir::Location loc,
                                       llvm::StringRef outputDir);

/// Copies a package, under the same promises about `to`.
mlir::LogicalResult copyPackage(mlir::Location loc, llvm::StringRef from,
                                llvm::StringRef to);

} // namespace uma

#endif // UMA_TARGET_C_PACKAGE_H
